/* SPDX-License-Identifier: MIT
 *
 * bench-top_compact [--check]
 *
 * The ten largest margins of one row with 10^6 columns in the compact engine, d = 128, tolerance 1e-6
 * as `weft top` asks for, on models that learnt 50,000 events of 1,000 rows with 10 % noise:
 *
 *     hashed      nothing known, 64 hashed coordinates a side; paper's form and balanced
 *     classes     8 classes, 56 hashed coordinates for epsilon = .1, a side
 *     one set     10^6 ids, nothing known, 128 hashed coordinates
 *
 *     single      weft_player_evaluate of a sample of columns, for as many as there are
 *     first       weft_player_rank of a learner that was never asked, decompositions included
 *     repeated    the same learner, other rows each time
 *
 * --check fails (exit 1) unless a repeated query takes less than half a second and the answer
 * agrees with single evaluations: each of its margins, and that nobody of the sample is above its least.  A
 * table on standard error, one JSON object a line on standard output. */
#define _GNU_SOURCE

#include "draw.h"
#include "rank.h"

#include <math.h>

enum {
    ROWS = 1000,
    COLUMNS = 1000000,
    CLASSES = 8,
    COORDINATES = 64,
    EVENTS = 50000,
    MOST = 10,
    SAMPLE = 2000,
    REPETITIONS = 7
};

static const double tolerance = 1e-6, epsilon = 0.1, most_seconds = 0.5;

typedef struct plan {
    const char *name;
    weft_form form;
    bool classes;
} plan;

typedef struct model {
    plan plan;
    weft_side *rows, *columns; /* one set: columns NULL, and rows has as many ids */
    weft_player *learner;
    int64_t *row_class, *column_class, *candidates;
    uint64_t state;
} model;

static int64_t *draw_classes(int64_t count, uint64_t *state)
{
    int64_t *class_of = allocate(count, sizeof *class_of);
    for (int64_t i = 0; i < count; i++)
        class_of[i] = below(state, CLASSES);
    return class_of;
}

static weft_side *make_side(const plan *what, int64_t count, const int64_t *class_of)
{
    weft_error error;
    weft_side *side = NULL;
    weft_map map = {.hash = what->form == WEFT_ONE_SET ? 2 * COORDINATES
                            : what->classes            ? COORDINATES - CLASSES
                                                       : COORDINATES};
    weft_side_options options = {.map = &map};
    require(what->classes ? weft_side_from_classes(count, class_of, epsilon, &options, &side, &error)
                          : weft_side_none(count, &options, &side, &error),
            &error);
    return side;
}

/* Rows 0..999 with any column; the label is that of a random matrix of blocks, or for one set whether
 * the classes are the same. */
static void teach(model *m)
{
    weft_error error;
    int block[CLASSES][CLASSES];
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            block[r][c] = m->columns == NULL ? (r == c ? 1 : -1) : below(&m->state, 2) == 0 ? -1 : 1;
    for (int64_t t = 0; t < EVENTS; t++) {
        int64_t i = below(&m->state, ROWS), j = below(&m->state, COLUMNS);
        int label = block[m->row_class[i]][m->column_class[j]];
        label = below(&m->state, 10) == 0 ? -label : label;
        require(weft_player_learn(m->learner, i, j, label, NULL, &error), &error);
    }
}

static model model_create(const plan *what)
{
    weft_error error;
    model m = {.plan = *what, .state = 11, .candidates = allocate(COLUMNS, sizeof(int64_t))};
    bool one_set = what->form == WEFT_ONE_SET;
    m.column_class = draw_classes(COLUMNS, &m.state);
    m.row_class = one_set ? m.column_class : draw_classes(ROWS, &m.state);
    m.rows = make_side(what, one_set ? COLUMNS : ROWS, m.row_class);
    m.columns = one_set ? NULL : make_side(what, COLUMNS, m.column_class);
    for (int64_t j = 0; j < COLUMNS; j++)
        m.candidates[j] = j;
    weft_settings settings = weft_settings_default(one_set ? COLUMNS : ROWS, one_set ? 0 : COLUMNS, EVENTS);
    settings.form = what->form;
    settings.engine = WEFT_COMPACT;
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
    if (m->row_class != m->column_class)
        free(m->row_class);
    free(m->column_class);
    free(m->candidates);
}

/* ---- measuring ---- */

typedef struct figures {
    double single, first, repeated; /* seconds */
    bool same;
} figures;

static weft_answer evaluate(const model *m, int64_t column)
{
    weft_error error;
    weft_answer p;
    require(weft_player_evaluate(m->learner, 0, column, tolerance, &p, &error), &error);
    return p;
}

static bool is_listed(const weft_ranked *ranked, int64_t column)
{
    for (int k = 0; k < MOST; k++)
        if (ranked[k].id == column)
            return true;
    return false;
}

static bool agrees(const model *m, const weft_ranked *ranked)
{
    for (int k = 0; k < MOST; k++) {
        double margin = evaluate(m, ranked[k].id).margin;
        if (fabs(margin - ranked[k].answer.margin) > tolerance * fmax(1, fabs(margin)))
            return false;
    }
    double least = ranked[MOST - 1].answer.margin;
    for (int64_t k = 0; k < SAMPLE; k++) {
        int64_t column = k * (COLUMNS / SAMPLE);
        if (!is_listed(ranked, column) &&
            evaluate(m, column).margin > least + 2 * tolerance * fmax(1, fabs(least)))
            return false;
    }
    return true;
}

static double time_singles(const model *m)
{
    double start = processor_seconds();
    for (int64_t k = 0; k < SAMPLE; k++)
        evaluate(m, k * (COLUMNS / SAMPLE));
    return (processor_seconds() - start) * COLUMNS / SAMPLE;
}

static figures measure(const model *m)
{
    weft_ranked ranked[MOST];
    const weft_query query = {
        .candidates = m->candidates, .candidate_count = COLUMNS, .most = MOST, .tolerance = tolerance};
    figures f = {.single = time_singles(m)};
    f.first = time_rank(m->learner, &query, ranked);
    f.same = agrees(m, ranked);
    f.repeated = time_repeated(m->learner, query, 1, REPETITIONS, ranked);
    return f;
}

static bool run(const plan *what)
{
    model m = model_create(what);
    figures f = measure(&m);
    fprintf(stderr, "%-18s %10lld %12.1f %9.3f %9.3f %8.0f %6s\n", what->name,
            (long long)weft_player_counters(m.learner).updates, f.single, f.first, f.repeated,
            f.single / f.repeated, f.same ? "yes" : "NO");
    printf("{\"bench\":\"top_compact\",\"model\":\"%s\",\"columns\":%d,\"dimension\":%d,\"tolerance\":%g,"
           "\"single_seconds\":%.3e,\"first_seconds\":%.3e,\"repeated_seconds\":%.3e,\"ratio\":%.1f,"
           "\"same\":%s}\n",
           what->name, COLUMNS, 2 * COORDINATES, tolerance, f.single, f.first, f.repeated,
           f.single / f.repeated, f.same ? "true" : "false");
    model_free(&m);
    return f.same && f.repeated < most_seconds;
}

int main(int argc, char **argv)
{
    static const plan plans[] = {{"hashed", WEFT_PAPER, false},
                                 {"hashed, balanced", WEFT_BALANCED, false},
                                 {"classes", WEFT_PAPER, true},
                                 {"one set", WEFT_ONE_SET, false}};
    bool check = read_flag(argc, argv, "top_compact", "--check"), good = true;
    fprintf(stderr, "%-18s %10s %12s %9s %9s %8s %6s\n", "10 of 10^6, d = 128", "updates", "single, s",
            "first", "repeated", "ratio", "same");
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        good = run(&plans[k]) && good;
    return check && !good ? 1 : 0;
}
