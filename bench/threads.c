/* SPDX-License-Identifier: MIT
 *
 * bench-threads [--quick]
 *
 * What two threads gain over one.
 *
 * Side by side: many pairs in one call, weft_player_predict_many; graphs of 200 vertices on both sides,
 * 100,000 pairs of evidence without side information, and a committee over 20 classes a side; and one call
 * on one thread over a loop of calls.  Fails below 1.7 times one thread (but not with --quick, and not where
 * the machine has but one processor).
 *
 * Within a product: weft_settings.threads, with a kernel of 4,000 x 4,000 (all of whose ids carry evidence),
 * and with 3 million pairs of evidence (--quick: 2,100 and 1.2 million).
 *
 * All predictions are compared with those of one thread, bit by bit.  A time is the least of its
 * repetitions by the clock, the two numbers of threads in turn: what else runs on the machine takes from
 * two threads first.  So the load of the machine stands beside, and for pairs side by side the gain in
 * processor time: that of one thread over the mean of two, which free processors would show.
 *
 * Output.  Standard error: a table.  Standard output: one JSON object, the last line. */
#define _DEFAULT_SOURCE

#include "draw.h"
#include "experiment.h"

#include <math.h>
#include <unistd.h>

enum { REPETITIONS = 7, MOST_THREADS = 2 };

static const double LEAST_GAIN = 1.7;

/* What was measured of one problem. */
typedef struct finding {
    double seconds[MOST_THREADS]; /* with one thread, with two */
    double busy[MOST_THREADS];    /* processor time of each thread; 0: not measured */
    double loop;                  /* by the clock, one call a pair; 0: not measured */
    bool same;
} finding;

/* ---- Pairs and what is predicted of them ---- */

typedef struct batch {
    int64_t count, (*pairs)[2];
    weft_answer *predictions;
} batch;

static batch draw_batch(int64_t count, int64_t rows, int64_t columns)
{
    uint64_t state = 3;
    batch b = {.count = count};
    b.pairs = allocate(count, sizeof *b.pairs);
    b.predictions = allocate(count, sizeof *b.predictions);
    for (int64_t k = 0; k < count; k++) {
        b.pairs[k][0] = below(&state, rows);
        b.pairs[k][1] = below(&state, columns);
    }
    return b;
}

static void free_batch(batch *b)
{
    free(b->pairs);
    free(b->predictions);
}

/* A committee has no margin, NAN. */
static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_prediction(const weft_answer *a, const weft_answer *b)
{
    return a->label == b->label && a->products == b->products && a->certified == b->certified &&
           same_number(a->threshold, b->threshold) && same_number(a->margin, b->margin) &&
           same_number(a->lower, b->lower) && same_number(a->upper, b->upper) &&
           same_number(a->probability, b->probability);
}

static bool same_batch(const batch *a, const batch *b)
{
    bool same = true;
    for (int64_t k = 0; k < a->count; k++)
        same = same && same_prediction(&a->predictions[k], &b->predictions[k]);
    return same;
}

/* ---- Side by side ---- */

/* Seconds by the clock, and of the processors for each of the threads. */
typedef struct taken {
    double wall, busy;
} taken;

static taken predict_in_one_call(weft_player *player, int threads, batch *b)
{
    weft_error error;
    double start = wall_seconds(), busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    require(
        weft_player_predict_many(player, b->count, &b->pairs[0][0], 0.02, threads, b->predictions, &error),
        &error);
    return (taken){wall_seconds() - start, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy) / threads};
}

static double predict_in_a_loop(weft_player *player, batch *b)
{
    weft_error error;
    double start = wall_seconds();
    for (int64_t k = 0; k < b->count; k++)
        require(
            weft_player_evaluate(player, b->pairs[k][0], b->pairs[k][1], 0.02, &b->predictions[k], &error),
            &error);
    return wall_seconds() - start;
}

static finding compare_side_by_side(weft_player *player, int64_t count, int64_t rows, int64_t columns)
{
    batch b[MOST_THREADS] = {draw_batch(count, rows, columns), draw_batch(count, rows, columns)};
    batch loop = draw_batch(count, rows, columns);
    finding f = {.seconds = {INFINITY, INFINITY}, .busy = {INFINITY, INFINITY}, .loop = INFINITY};
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        f.loop = fmin(f.loop, predict_in_a_loop(player, &loop));
        for (int k = 0; k < MOST_THREADS; k++) {
            taken time = predict_in_one_call(player, k + 1, &b[k]);
            f.seconds[k] = fmin(f.seconds[k], time.wall);
            f.busy[k] = fmin(f.busy[k], time.busy);
        }
    }
    f.same = same_batch(&b[0], &b[1]) && same_batch(&b[0], &loop);
    for (int k = 0; k < MOST_THREADS; k++)
        free_batch(&b[k]);
    free_batch(&loop);
    return f;
}

/* ---- Within a product ---- */

static finding compare_within(weft_player *learner, int64_t count, int64_t rows, int64_t columns)
{
    weft_error error;
    batch b[MOST_THREADS] = {draw_batch(count, rows, columns), draw_batch(count, rows, columns)};
    finding f = {.seconds = {INFINITY, INFINITY}};
    for (int repetition = 0; repetition < REPETITIONS; repetition++)
        for (int k = 0; k < MOST_THREADS; k++) {
            require(weft_player_set_threads(learner, k + 1, &error), &error);
            f.seconds[k] = fmin(f.seconds[k], predict_in_a_loop(learner, &b[k]));
        }
    f.same = same_batch(&b[0], &b[1]);
    free_batch(&b[0]);
    free_batch(&b[1]);
    return f;
}

/* ---- The problems ---- */

static finding graphs(int64_t scale)
{
    experiment e = experiment_create(200, 1);
    weft_player *learner = experiment_learner(&e, WEFT_KRYLOV);
    for (int64_t t = 0; t < e.trials / 8; t++)
        play(learner, &e.instance.stream.trials[t]);
    finding f = compare_side_by_side(learner, 4096 / scale, e.n, e.n);
    weft_player_free(learner);
    experiment_free(&e);
    return f;
}

/* A learner that was told pairs at random over n rows and n columns; the first ones touch every id. */
static weft_player *make_learner(const weft_side *rows, const weft_side *columns, int64_t n, int64_t pairs)
{
    weft_error error;
    weft_player *learner = NULL;
    uint64_t state = 9;
    weft_settings settings = weft_settings_default(n, n, pairs);
    weft_evidence_entry *entries = allocate(pairs, sizeof *entries);
    settings.eta = 1e-3;
    for (int64_t k = 0; k < pairs; k++)
        entries[k] = (weft_evidence_entry){k < n ? k : below(&state, n), k < n ? k : below(&state, n),
                                           below(&state, 2) == 0 ? -1 : 1};
    require(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    require(weft_player_add_evidence(learner, entries, pairs, &error), &error);
    free(entries);
    return learner;
}

static finding evidence(int64_t pairs, int64_t count, bool within)
{
    weft_error error;
    weft_side *side = NULL;
    int64_t n = pairs / 20;
    require(weft_side_none(n, NULL, &side, &error), &error);
    weft_player *learner = make_learner(side, side, n, pairs);
    finding f = (within ? compare_within(learner, count, n, n) : compare_side_by_side(learner, count, n, n));
    weft_player_free(learner);
    weft_side_free(side);
    return f;
}

/* The default, over 20 classes of each of 500 rows and 200 columns, after 2,000 labels. */
static finding committee(int64_t scale)
{
    enum { ROWS = 500, COLUMNS = 200, GROUPS = 20, LABELS = 2000 };
    static int64_t class_of[ROWS];
    weft_error error;
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    uint64_t state = 5;
    for (int64_t k = 0; k < ROWS; k++)
        class_of[k] = k % GROUPS;
    require(weft_roster_from_classes(ROWS, class_of, 0.1, NULL, NULL, &rows, &error), &error);
    require(weft_roster_from_classes(COLUMNS, class_of, 0.1, NULL, NULL, &columns, &error), &error);
    require(weft_player_create(rows, columns, NULL, &player, &error), &error);
    for (int t = 0; t < LABELS; t++) {
        int64_t row = below(&state, ROWS), column = below(&state, COLUMNS);
        int label = (class_of[row] * 7 + class_of[column] * 3) % 5 < 2 ? 1 : -1;
        require(weft_player_learn(player, row, column, label, NULL, &error), &error);
    }
    finding f = compare_side_by_side(player, 4096 / scale, ROWS, COLUMNS);
    weft_player_free(player);
    return f;
}

/* K = exp(-|i - j| / 100) as a function: nobody has to prove it semidefinite, and learners keep a matrix. */
static double decay(void *user, int64_t i, int64_t j)
{
    (void)user;
    return exp(-(double)llabs(i - j) / 100);
}

static finding kernel(int64_t n)
{
    weft_error error;
    weft_side *rows = NULL, *columns = NULL;
    require(weft_side_from_callback(n, decay, NULL, NULL, &rows, &error), &error);
    require(weft_side_none(n, NULL, &columns, &error), &error);
    weft_player *learner = make_learner(rows, columns, n, 4 * n);
    finding f = compare_within(learner, 32, n, n);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
    return f;
}

static double tell(const char *name, const finding *f)
{
    double load[1] = {NAN}, gain = f->seconds[0] / f->seconds[1];
    getloadavg(load, 1);
    char busy[16] = "-", loop[16] = "-";
    if (f->busy[1] > 0) {
        snprintf(busy, sizeof busy, "%.2f", f->busy[0] / f->busy[1]);
        snprintf(loop, sizeof loop, "%.2f", f->seconds[0] / f->loop);
    }
    fprintf(stderr, "%-28s %10.1f %10.1f %8.2f %10s %9s %8s %8.2f\n", name, 1e3 * f->seconds[0],
            1e3 * f->seconds[1], gain, busy, loop, f->same ? "yes" : "NO", load[0]);
    return gain;
}

int main(int count, char **words)
{
    bool quick = read_flag(count, words, "threads", "--quick");
    fprintf(stderr, "%-28s %10s %10s %8s %10s %9s %8s %8s\n", "", "one ms", "two ms", "gain", "processor",
            "call/loop", "same", "load");
    finding f[] = {graphs(quick ? 8 : 1), evidence(100000, quick ? 32 : 256, false),
                   committee(quick ? 16 : 4), kernel(quick ? 2100 : 4000),
                   evidence(quick ? 1200000 : 3000000, 4, true)};
    static const char *const names[] = {"side by side, graphs", "side by side, evidence",
                                        "side by side, committee", "within a product, kernel",
                                        "within a product, evidence"};
    enum { PROBLEMS = sizeof f / sizeof *f };
    double gain[PROBLEMS];
    bool same = true;
    for (int k = 0; k < PROBLEMS; k++) {
        gain[k] = tell(names[k], &f[k]);
        same = same && f[k].same;
    }
    printf("{\"bench\":\"threads\",\"side_by_side\":%.3f,\"side_by_side_evidence\":%.3f,"
           "\"side_by_side_committee\":%.3f,\"kernel_product\":%.3f,\"evidence_product\":%.3f,"
           "\"processor_gain\":%.3f,\"call_over_loop\":%.3f,\"same_bits\":%s}\n",
           gain[0], gain[1], gain[2], gain[3], gain[4], f[0].busy[0] / f[0].busy[1],
           f[0].seconds[0] / f[0].loop, same ? "true" : "false");
    bool alone = sysconf(_SC_NPROCESSORS_ONLN) < 2;
    return same && (quick || alone || gain[0] >= LEAST_GAIN) ? 0 : 1;
}
