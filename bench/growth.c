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
 * Against n, in the paper's experiment (graphs on both sides), beside a bare
 * dsyevd of order 2n and the paper's own cost of a trial with an update: O(n^3)
 * for Algorithm 1 and O(n^4) for Algorithm 2, both anchored at the dsyevd of the
 * smallest n.
 *
 * Output.  Standard error: tables.  Standard output: one JSON object a line. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"

#include <cblas.h>

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
    weft_learner *learner;
    int64_t count[2], *class_of[2];
    int block[CLASSES][CLASSES];
    uint64_t state;
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
    game g = {.count = {p->rows, p->columns}, .state = SEED};
    for (int s = 0; s < 2; s++) {
        g.class_of[s] = allocate(g.count[s], sizeof(int64_t));
        draw_classes(&g.state, g.count[s], CLASSES, g.class_of[s]);
        g.side[s] = make_side(p, g.count[s], g.class_of[s]);
    }
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            g.block[r][c] = draw_sign(&g.state);
    weft_settings settings = tuned(&g);
    require(weft_learner_create(g.side[0], g.side[1], &settings, NULL, &g.learner, &error), &error);
    return g;
}

static void game_free(game *g)
{
    weft_learner_free(g->learner);
    for (int s = 0; s < 2; s++) {
        weft_side_free(g->side[s]);
        free(g->class_of[s]);
    }
}

static void play_next(game *g)
{
    int64_t i = draw_below(&g->state, g->count[0]), j = draw_below(&g->state, g->count[1]);
    int truth = g->block[g->class_of[0][i]][g->class_of[1][j]];
    play(g->learner, &(trial){i, j, draw_event(&g->state, TURNED_OVER) ? -truth : truth});
}

static void grow_to(game *g, int64_t updates)
{
    while (weft_learner_counters(g->learner).updates < updates)
        play_next(g);
}

typedef struct growth {
    double seconds, products; /* a trial */
} growth;

/* The median over blocks of the trials that come next. */
static growth time_trials(game *g, int64_t blocks)
{
    sample times = {0};
    int64_t products = weft_learner_counters(g->learner).products;
    for (int64_t block = 0; block < blocks; block++) {
        double start = processor_seconds();
        for (int k = 0; k < BLOCK; k++)
            play_next(g);
        record(&times, (processor_seconds() - start) / BLOCK);
    }
    products = weft_learner_counters(g->learner).products - products;
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
    weft_counters counters = weft_learner_counters(g->learner);
    long long pairs = weft_learner_evidence_count(g->learner);
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

/* A krylov trial of the paper's experiment after `loaded` others. */
static growth time_experiment(int64_t n, int64_t loaded, int64_t timed)
{
    sample times = {0};
    experiment e = experiment_create(n, SEED);
    weft_learner *learner = experiment_learner(&e, WEFT_KRYLOV);
    int64_t t = 0;
    loaded = loaded < e.trials / 2 ? loaded : e.trials / 2;
    timed = timed < e.trials / 2 ? timed : e.trials / 2;
    while (t < loaded)
        play(learner, &e.stream[t++]);
    int64_t products = weft_learner_counters(learner).products;
    while (t + BLOCK <= loaded + timed) {
        double start = processor_seconds();
        for (int k = 0; k < BLOCK; k++)
            play(learner, &e.stream[t++]);
        record(&times, (processor_seconds() - start) / BLOCK);
    }
    products = weft_learner_counters(learner).products - products;
    growth result = {median(&times), (double)products / (double)(t - loaded)};
    free(times.seconds);
    weft_learner_free(learner);
    experiment_free(&e);
    return result;
}

static double time_dsyevd(int64_t n, int repetitions)
{
    sample times = {0};
    eigenproblem bare = eigenproblem_create(n);
    eigenproblem_time(&bare); /* the first one only warms up */
    for (int k = 0; k < repetitions; k++)
        record(&times, eigenproblem_time(&bare));
    double seconds = median(&times);
    free(times.seconds);
    eigenproblem_free(&bare);
    return seconds;
}

static void grow_n(bool quick)
{
    enum { SIZES = 5, LOADED = 10000, TIMED = 2000 };
    static const int64_t sizes[SIZES] = {50, 100, 200, 400, 800};
    double anchor = 0;
    fprintf(stderr, "\n%6s %12s %10s %12s %14s %14s   microseconds\n", "n", "krylov", "products", "dsyevd(2n)",
            "O(n^3)", "O(n^4)");
    for (int k = 0; k < (quick ? SIZES - 2 : SIZES); k++) {
        int64_t n = sizes[k];
        growth krylov = time_experiment(n, LOADED, TIMED);
        double dsyevd = time_dsyevd(2 * n, n > 400 ? 3 : 7), times = (double)n / (double)sizes[0];
        anchor = k == 0 ? dsyevd : anchor;
        double cubic = anchor * times * times * times, quartic = cubic * times;
        fprintf(stderr, "%6lld %12.1f %10.2f %12.1f %14.1f %14.1f\n", (long long)n, 1e6 * krylov.seconds,
                krylov.products, 1e6 * dsyevd, 1e6 * cubic, 1e6 * quartic);
        printf("{\"bench\":\"growth\",\"against\":\"n\",\"n\":%lld,\"seconds_per_trial\":%.3e,"
               "\"products_per_trial\":%.3f,\"dsyevd_seconds\":%.3e,\"cubic_seconds\":%.3e,"
               "\"quartic_seconds\":%.3e}\n",
               (long long)n, krylov.seconds, krylov.products, dsyevd, cubic, quartic);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static const problem problems[] = {
        {"none", false, 60, 120, 1000000},     {"classes", true, 60, 120, 1000000},
        {"none", false, 300, 600, 100000},     {"classes", true, 300, 600, 100000},
        {"none", false, 1000, 2000, 10000},    {"classes", true, 1000, 2000, 10000},
    };
    bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: bench-growth [--quick]\n");
        return 2;
    }
    fprintf(stderr, "OpenBLAS core type %s; times are processor time, medians of blocks of %d trials\n\n",
            openblas_get_corename(), BLOCK);
    fprintf(stderr, "%-8s %13s %10s %10s %10s %10s %10s\n", "kernel", "shape", "updates", "trials", "pairs",
            "us/trial", "products");
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        grow_updates(&problems[k], quick);
    grow_n(quick);
    return 0;
}
