/* SPDX-License-Identifier: MIT
 *
 * bench-growth [--quick]
 *
 * How the time of a trial grows.
 *
 * Against the number of updates, 10^2 to 10^6, with the identity and the class
 * kernel.  Every update is made by the protocol itself, in one run: a bound or
 * evidence made up for the purpose would measure something else.  Pairs come at
 * random and again and again, from a biclustered matrix with noisy labels.  The
 * state is one count for each pair that was ever updated, so the time follows the
 * number of these pairs and is flat once all have been seen: 10^6 updates of 7,200
 * pairs.  Wider shapes, up to one in which hardly a pair comes twice, show the
 * growth with the pairs.  A quarter of the labels is turned over, so that updates
 * never cease.
 *
 * Against n, in the paper's experiment (graphs on both sides) after a sixteenth of
 * its trials, beside what section 5 of the paper says of a trial with an update:
 * O(n^3) for Algorithm 1, one eigendecomposition of order 2n, which is measured
 * (dsyevd); and O(n^4) for Algorithm 2, which also adds up to n^2 matrices of rank
 * one and order 2n, one of which is measured (dsyr).  The order of growth from one
 * n to the next, log(time ratio) / log(n ratio), stands beside each.
 *
 * Output.  Standard error: tables.  Standard output: one JSON object a line. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"
#include "weft_theory.h"

#include <cblas.h>
#include <math.h>

enum { SEED = 1, HORIZON = 1000000, BLOCK = 25 };

static const double TURNED_OVER = 0.25;

/* A matrix of 9 x 9 blocks over sides that are known or not. */
typedef struct problem {
    const char *kernel;
    bool classes;
    int64_t rows, columns, most_updates;
} problem;

typedef struct game {
    weft_side *side[2];
    weft_player *learner;
    int64_t count[2], *class_of[2];
    int block[CLASSES][CLASSES];
    lab_random random;
} game;

static weft_side *make_side(const problem *p, int64_t count, const int64_t *class_of)
{
    weft_error error;
    weft_side *side = NULL;
    if (p->classes)
        require(weft_side_from_classes(count, class_of, 0.1, NULL, &side, &error), &error);
    else
        require(weft_side_none(count, NULL, &side, &error), &error);
    return side;
}

/* D and gamma from the true classes, eta for 10^6 trials. */
static weft_settings tuned(const game *g)
{
    weft_error error;
    weft_measure measure;
    weft_truth truth = {.row_class = g->class_of[0], .column_class = g->class_of[1]};
    weft_settings settings = weft_settings_default(g->count[0], g->count[1], HORIZON);
    settings.tolerance = 0; /* decisions only */
    settings.eta = settings.gamma = settings.dimension = 0;
    require(weft_theory_measure(g->side[0], g->side[1], &truth, &settings, &measure, &error), &error);
    weft_theory_tune(&measure, HORIZON, &settings, NULL);
    return settings;
}

static game game_create(const problem *p)
{
    weft_error error;
    game g = {.count = {p->rows, p->columns}, .random = lab_random_begin(SEED, "bench", 0, 0)};
    for (int s = 0; s < 2; s++) {
        g.class_of[s] = lab_classes(g.count[s], CLASSES, LAB_SEEDED, &g.random);
        g.side[s] = make_side(p, g.count[s], g.class_of[s]);
    }
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            g.block[r][c] = lab_sign(&g.random);
    weft_settings settings = tuned(&g);
    require(weft_learner_create(g.side[0], g.side[1], &settings, NULL, &g.learner, &error), &error);
    return g;
}

static void game_free(game *g)
{
    weft_player_free(g->learner);
    for (int s = 0; s < 2; s++) {
        weft_side_free(g->side[s]);
        free(g->class_of[s]);
    }
}

static void play_next(game *g)
{
    int64_t i = lab_below(&g->random, g->count[0]), j = lab_below(&g->random, g->count[1]);
    int truth = g->block[g->class_of[0][i]][g->class_of[1][j]];
    play(g->learner, &(lab_trial){i, j, lab_event(&g->random, TURNED_OVER) ? -truth : truth});
}

static void grow_to(game *g, int64_t updates)
{
    while (weft_player_counters(g->learner).updates < updates)
        play_next(g);
}

typedef struct growth {
    double seconds, products; /* a trial */
} growth;

/* The median over blocks of the trials that come next. */
static growth time_trials(game *g, int64_t blocks)
{
    sample times = {0};
    int64_t products = weft_player_counters(g->learner).products;
    for (int64_t block = 0; block < blocks; block++) {
        double start = processor_seconds();
        for (int k = 0; k < BLOCK; k++)
            play_next(g);
        record(&times, (processor_seconds() - start) / BLOCK);
    }
    products = weft_player_counters(g->learner).products - products;
    growth result = {median(&times), (double)products / (double)(blocks * BLOCK)};
    free(times.seconds);
    return result;
}

/* Few trials where there are few updates, so that these stay what they are. */
static int64_t blocks_at(int64_t updates)
{
    int64_t blocks = updates / (10 * BLOCK);
    return blocks < 2 ? 2 : blocks > 80 ? 80 : blocks;
}

static void report_updates(const problem *p, const game *g, int64_t updates, growth result)
{
    weft_counters counters = weft_player_counters(g->learner);
    long long pairs = weft_player_evidence_count(g->learner);
    fprintf(stderr, "%-8s %5lld x %-5lld %10lld %10lld %10lld %10.2f %10.2f\n", p->kernel, (long long)p->rows,
            (long long)p->columns, (long long)updates, (long long)counters.trials, pairs,
            1e6 * result.seconds, result.products);
    printf("{\"bench\":\"growth\",\"against\":\"updates\",\"kernel\":\"%s\",\"rows\":%lld,\"columns\":%lld,"
           "\"updates\":%lld,\"trials\":%lld,\"pairs\":%lld,\"seconds_per_trial\":%.3e,"
           "\"products_per_trial\":%.3f}\n",
           p->kernel, (long long)p->rows, (long long)p->columns, (long long)updates,
           (long long)counters.trials, pairs, result.seconds, result.products);
    fflush(stdout);
}

static void grow_updates(const problem *p, bool quick)
{
    game g = game_create(p);
    int64_t most = quick && p->most_updates > 10000 ? 10000 : p->most_updates;
    for (int64_t updates = 100; updates <= most; updates *= 10) {
        grow_to(&g, updates);
        report_updates(p, &g, updates, time_trials(&g, blocks_at(updates)));
    }
    game_free(&g);
}

/* A krylov trial of the paper's experiment, a sixteenth of the way. */
static growth time_experiment(int64_t n)
{
    enum { MOST_TIMED = 2000 };
    sample times = {0};
    experiment e = experiment_create(n, SEED);
    weft_player *learner = experiment_learner(&e, WEFT_KRYLOV);
    int64_t t = 0, loaded = e.trials / 16, timed = e.trials / 4 < MOST_TIMED ? e.trials / 4 : MOST_TIMED;
    while (t < loaded)
        play(learner, &e.instance.stream.trials[t++]);
    int64_t products = weft_player_counters(learner).products;
    while (t + BLOCK <= loaded + timed) {
        double start = processor_seconds();
        for (int k = 0; k < BLOCK; k++)
            play(learner, &e.instance.stream.trials[t++]);
        record(&times, (processor_seconds() - start) / BLOCK);
    }
    products = weft_player_counters(learner).products - products;
    growth result = {median(&times), (double)products / (double)(t - loaded)};
    free(times.seconds);
    weft_player_free(learner);
    experiment_free(&e);
    return result;
}

/* Medians, after one that only warms up. */
static double time_dsyevd(eigenproblem *bare, int repetitions)
{
    sample times = {0};
    eigenproblem_time(bare);
    for (int k = 0; k < repetitions; k++)
        record(&times, eigenproblem_time(bare));
    double seconds = median(&times);
    free(times.seconds);
    return seconds;
}

/* A += c x x' for the matrix A of the eigenproblem. */
static double time_dsyr(eigenproblem *bare, int repetitions)
{
    sample times = {0};
    for (int k = 0; k <= repetitions; k++) {
        double start = processor_seconds();
        cblas_dsyr(CblasColMajor, CblasLower, bare->n, 1e-9, bare->values, 1, bare->vectors, bare->n);
        if (k > 0)
            record(&times, processor_seconds() - start);
    }
    double seconds = median(&times);
    free(times.seconds);
    return seconds;
}

/* A trial at n, of ours and of the paper's two algorithms. */
typedef struct costs {
    int64_t n;
    growth krylov;
    double algorithm1, algorithm2;
} costs;

static costs costs_at(int64_t n)
{
    eigenproblem bare = eigenproblem_create(2 * n);
    costs c = {.n = n, .krylov = time_experiment(n)};
    c.algorithm1 = time_dsyevd(&bare, n > 400 ? 3 : 7);
    c.algorithm2 = c.algorithm1 + (double)n * (double)n * time_dsyr(&bare, 51);
    eigenproblem_free(&bare);
    return c;
}

/* The p of n^p that leads from the time before to the one after; "-" where there
 * is none before. */
typedef struct order_text {
    char at[16];
} order_text;

static order_text order_of(double before, double after, const costs *first, const costs *second)
{
    order_text text = {"-"};
    if (before > 0)
        snprintf(text.at, sizeof text.at, "%.2f",
                 log(after / before) / log((double)second->n / (double)first->n));
    return text;
}

static void report_n(const costs *before, const costs *c)
{
    fprintf(stderr, "%6lld %8.2f %10.1f %6s %13.0f %6s %13.0f %6s\n", (long long)c->n, c->krylov.products,
            1e6 * c->krylov.seconds, order_of(before->krylov.seconds, c->krylov.seconds, before, c).at,
            1e6 * c->algorithm1, order_of(before->algorithm1, c->algorithm1, before, c).at,
            1e6 * c->algorithm2, order_of(before->algorithm2, c->algorithm2, before, c).at);
    printf("{\"bench\":\"growth\",\"against\":\"n\",\"n\":%lld,\"products_per_trial\":%.3f,"
           "\"seconds_per_trial\":%.3e,\"algorithm1_seconds\":%.3e,\"algorithm2_seconds\":%.3e}\n",
           (long long)c->n, c->krylov.products, c->krylov.seconds, c->algorithm1, c->algorithm2);
    fflush(stdout);
}

static void grow_n(bool quick)
{
    enum { SIZES = 5, QUICK_SIZES = 3 };
    static const int64_t sizes[SIZES] = {50, 100, 200, 400, 800};
    costs before = {0};
    fprintf(stderr, "\n%6s %8s %10s %6s %13s %6s %13s %6s   (us and order of growth)\n", "n", "products",
            "krylov", "", "Algorithm 1", "", "Algorithm 2", "");
    for (int k = 0; k < (quick ? QUICK_SIZES : SIZES); k++) {
        costs now = costs_at(sizes[k]);
        report_n(&before, &now);
        before = now;
    }
}

int main(int argc, char **argv)
{
    static const problem problems[] = {
        {"none", false, 60, 120, 1000000},  {"classes", true, 60, 120, 1000000},
        {"none", false, 300, 600, 100000},  {"classes", true, 300, 600, 100000},
        {"none", false, 1000, 2000, 10000}, {"classes", true, 1000, 2000, 10000},
    };
    bool quick = read_flag(argc, argv, "growth", "--quick");
    fprintf(stderr, "OpenBLAS core type %s; times are processor time, medians of blocks of %d trials\n\n",
            openblas_get_corename(), BLOCK);
    fprintf(stderr, "%-8s %13s %10s %10s %10s %10s %10s\n", "kernel", "shape", "updates", "trials", "pairs",
            "us/trial", "products");
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        grow_updates(&problems[k], quick);
    grow_n(quick);
    return 0;
}
