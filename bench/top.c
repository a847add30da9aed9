/* SPDX-License-Identifier: MIT
 *
 * bench-top [--check]
 *
 * Ranking 5,000 columns for one of 300 rows against 5,000 single evaluations of the
 * same margins at the same tolerance, on two frozen models whose updates were made
 * by the protocol: columns in classes, all of them met in 20,000 updates; and columns
 * with features under a Gaussian kernel, of which 300 were met in 3,000 updates and
 * the others are cold.
 *
 *     single     weft_player_evaluate, one column after the other
 *     first      weft_player_rank of a learner that was never asked: 10 columns, nothing kept, the
 *                others left out by their brackets
 *     fill       the whole diagonal, once a model
 *     repeated   weft_player_rank with the diagonal, other rows each time
 *     all        the same with all 5,000 in their order
 *
 * --check fails (exit 1) unless both give the same ten columns and the repeated call
 * is 50 times as fast as the single evaluations.  A table on standard error, one JSON
 * object a line on standard output. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"
#include "rank.h"

#include <math.h>

enum { ROWS = 300, COLUMNS = 5000, DIMENSION = 8, MOST = 10, SEED = 7, REPETITIONS = 15 };

static const double TOLERANCE = 0.02;
static const double LEAST_RATIO = 50; /* that --check asks for */

typedef struct plan {
    const char *name;
    bool features;
    int64_t met, updates; /* columns that occur, and updates */
} plan;

typedef struct model {
    plan plan;
    weft_side *rows, *columns;
    weft_player *learner;
    int64_t *row_class, *column_class, *candidates;
    lab_random random;
} model;

/* Uniform in [-1, 1). */
static double draw_number(lab_random *random)
{
    return lab_between(random, -1, 1);
}

/* Columns of one class lie around the same point. */
static weft_side *draw_features(lab_random *random, const int64_t *class_of)
{
    weft_error error;
    weft_side *side = NULL;
    double centre[CLASSES][DIMENSION], *values = allocate(COLUMNS * DIMENSION, sizeof *values);
    for (int c = 0; c < CLASSES; c++)
        for (int k = 0; k < DIMENSION; k++)
            centre[c][k] = draw_number(random);
    for (int64_t j = 0; j < COLUMNS; j++)
        for (int k = 0; k < DIMENSION; k++)
            values[j * DIMENSION + k] = centre[class_of[j]][k] + 0.3 * draw_number(random);
    weft_features features = {COLUMNS, DIMENSION, values, WEFT_GAUSSIAN, 1};
    require(weft_side_from_features(&features, NULL, &side, &error), &error);
    free(values);
    return side;
}

/* Random pairs with the labels of their blocks, some turned over, until there are
 * enough updates. */
static void teach(model *m)
{
    int block[CLASSES][CLASSES];
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            block[r][c] = lab_sign(&m->random);
    while (weft_player_counters(m->learner).updates < m->plan.updates) {
        int64_t i = lab_below(&m->random, ROWS), j = lab_below(&m->random, m->plan.met);
        int truth = block[m->row_class[i]][m->column_class[j]];
        play(m->learner, &(lab_trial){i, j, lab_event(&m->random, LABEL_NOISE) ? -truth : truth});
    }
}

static model model_create(const plan *what)
{
    weft_error error;
    model m = {.plan = *what, .random = lab_random_begin(SEED, "bench", 0, 0)};
    m.candidates = allocate(COLUMNS, sizeof(int64_t));
    m.row_class = lab_classes(ROWS, CLASSES, LAB_SEEDED, &m.random);
    m.column_class = lab_classes(COLUMNS, CLASSES, LAB_SEEDED, &m.random);
    require(weft_side_from_classes(ROWS, m.row_class, 0.1, NULL, &m.rows, &error), &error);
    if (what->features)
        m.columns = draw_features(&m.random, m.column_class);
    else
        require(weft_side_from_classes(COLUMNS, m.column_class, 0.1, NULL, &m.columns, &error), &error);
    for (int64_t j = 0; j < COLUMNS; j++)
        m.candidates[j] = j;
    weft_settings settings = weft_settings_default(ROWS, COLUMNS, what->updates);
    settings.eta = 0.1;
    settings.tolerance = 0; /* decisions only */
    require(weft_learner_create(m.rows, m.columns, &settings, NULL, &m.learner, &error), &error);
    teach(&m);
    return m;
}

static void model_free(model *m)
{
    weft_player_free(m->learner);
    weft_side_free(m->rows);
    weft_side_free(m->columns);
    free(m->row_class);
    free(m->column_class);
    free(m->candidates);
}

/* ---- measuring ---- */

typedef struct figures {
    double single, first, fill, repeated, all; /* seconds */
    int64_t products;                          /* of the single evaluations */
    bool same;                                 /* the ten best, up to the tolerance */
} figures;

static double time_singles(const model *m, int64_t row, double *margins, int64_t *products)
{
    weft_error error;
    weft_answer p;
    double start = processor_seconds();
    *products = 0;
    for (int64_t j = 0; j < COLUMNS; j++) {
        require(weft_player_evaluate(m->learner, row, j, TOLERANCE, &p, &error), &error);
        margins[j] = p.margin;
        *products += p.products;
    }
    return processor_seconds() - start;
}

/* For row 0. */
static weft_query query_of(const model *m, int64_t most)
{
    return (weft_query){
        .candidates = m->candidates, .candidate_count = COLUMNS, .most = most, .tolerance = TOLERANCE};
}

/* After one row that only warms up. */
static double time_warm(const model *m, int64_t most, weft_ranked *ranked)
{
    weft_query query = query_of(m, most);
    query.id = 1;
    time_rank(m->learner, &query, ranked);
    return time_repeated(m->learner, query, 2, REPETITIONS, ranked);
}

static double time_fill(weft_player *player)
{
    weft_error error;
    double start = processor_seconds();
    require(weft_learner_fill_diagonal(player, &error), &error);
    return processor_seconds() - start;
}

/* Nobody who was left out is above the last of the ten by more than two tolerances. */
static bool agrees(const double *margins, const weft_ranked *ranked)
{
    double last = margins[ranked[0].id];
    bool *listed = allocate(COLUMNS, sizeof *listed), good = true;
    for (int k = 0; k < MOST; k++) {
        listed[ranked[k].id] = true;
        last = fmin(last, margins[ranked[k].id]);
    }
    for (int64_t j = 0; j < COLUMNS; j++)
        good = good && (listed[j] || margins[j] <= last + 2 * TOLERANCE * fmax(1, fabs(last)));
    free(listed);
    return good;
}

static figures measure(const model *m)
{
    figures f = {0};
    double *margins = allocate(COLUMNS, sizeof *margins);
    weft_ranked *ranked = allocate(COLUMNS, sizeof *ranked);
    weft_query ten = query_of(m, MOST);
    f.single = time_singles(m, 0, margins, &f.products);
    f.first = time_rank(m->learner, &ten, ranked);
    f.same = agrees(margins, ranked);
    f.fill = time_fill(m->learner);
    f.repeated = time_warm(m, MOST, ranked);
    f.all = time_warm(m, COLUMNS, ranked);
    time_rank(m->learner, &ten, ranked);
    f.same = f.same && agrees(margins, ranked);
    free(margins);
    free(ranked);
    return f;
}

static void report(const model *m, const figures *f)
{
    fprintf(stderr,
            "%s: %d rows, %d columns, %lld updates of %lld pairs; tolerance %g, %.1f products a margin\n",
            m->plan.name, ROWS, COLUMNS, (long long)weft_player_counters(m->learner).updates,
            (long long)weft_player_evidence_count(m->learner), TOLERANCE, (double)f->products / COLUMNS);
    fprintf(stderr, "%-42s %12s %10s\n", "", "ms", "ratio");
    fprintf(stderr, "%-42s %12.3f %10.1f\n", "5,000 single evaluations", 1e3 * f->single, 1.0);
    fprintf(stderr, "%-42s %12.3f %10.1f\n", "the first call, 10 of 5,000", 1e3 * f->first,
            f->single / f->first);
    fprintf(stderr, "%-42s %12.3f %10.1f\n", "the diagonal, once a model", 1e3 * f->fill,
            f->single / f->fill);
    fprintf(stderr, "%-42s %12.3f %10.1f\n", "a repeated call, 10 of 5,000", 1e3 * f->repeated,
            f->single / f->repeated);
    fprintf(stderr, "%-42s %12.3f %10.1f\n", "a repeated call, all 5,000", 1e3 * f->all, f->single / f->all);
    printf("{\"bench\":\"top\",\"model\":\"%s\",\"rows\":%d,\"columns\":%d,\"updates\":%lld,\"tolerance\":%g,"
           "\"single_seconds\":%.3e,\"first_seconds\":%.3e,\"fill_seconds\":%.3e,\"repeated_seconds\":%.3e,"
           "\"all_seconds\":%.3e,\"first_ratio\":%.1f,\"repeated_ratio\":%.1f,\"same\":%s}\n",
           m->plan.name, ROWS, COLUMNS, (long long)m->plan.updates, TOLERANCE, f->single, f->first, f->fill,
           f->repeated, f->all, f->single / f->first, f->single / f->repeated, f->same ? "true" : "false");
}

static bool run(const plan *what)
{
    model m = model_create(what);
    figures f = measure(&m);
    report(&m, &f);
    model_free(&m);
    bool good = f.same && f.single / f.repeated >= LEAST_RATIO;
    if (!good)
        fprintf(stderr, "%s: expected the same columns and a ratio of at least %g\n", what->name,
                LEAST_RATIO);
    return good;
}

int main(int argc, char **argv)
{
    static const plan plans[] = {{"classes", false, COLUMNS, 20000}, {"features", true, 300, 3000}};
    bool check = read_flag(argc, argv, "top", "--check"), good = true;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        good = run(&plans[k]) && good;
    return check && !good ? 1 : 0;
}
