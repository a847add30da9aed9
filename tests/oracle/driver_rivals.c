/* SPDX-License-Identifier: MIT
 *
 * Plays rivals from standard input, for a judge that has its own (run_rivals.py).
 * Numbers, separated by blanks, one problem after the other:
 *
 *     KIND RATE FACTORS BITS SEED     as in weft_rival_settings
 *     SIDES, and then each            1 for one set of ids
 *         KIND RADIUS COUNT           0 none, 1 classes, 2 kernel, 3 matrix, 4 graph, 5 features, 6 callback
 *         classes: EPSILON, COUNT classes;  kernel, matrix: COUNT^2 entries;
 *         graph: EDGES, FROM TO WEIGHT for each;  features: DIMENSION KERNEL PARAMETER, their values;
 *         callback: ALL, ALL^2 entries
 *     STEPS, and then each
 *         0 ROW COLUMN LABEL          predict, then learn unless the label is 0
 *         1 SIDE ALONE LENGTH values  append an id (classes: its class is values[0])
 *         2                           go on with what was written and read back
 *         3                           go on with a copy
 *         4 FIELDS DIGESTS            the context from now on
 *
 * and for each step 0 one line: SCORE PROBABILITY LABEL. */
#include "numbers.h"

enum { NONE, CLASSES, KERNEL, MATRIX, GRAPH, FEATURES, CALLBACK };

/* ---- sides ---- */

/* A side with what it borrows. */
typedef struct party {
    weft_side *side;
    int64_t kind, all; /* of a callback */
    double *values;
} party;

static double call_back(void *user, int64_t i, int64_t j)
{
    const party *p = user;
    return p->values[i * p->all + j];
}

static weft_status make_classes(int64_t count, const weft_side_options *options, party *p, weft_error *error)
{
    int64_t *class_of = allocate(count, sizeof *class_of);
    double epsilon = read_number();
    for (int64_t k = 0; k < count; k++)
        class_of[k] = read_count();
    weft_status status = weft_side_from_classes(count, class_of, epsilon, options, &p->side, error);
    free(class_of);
    return status;
}

static weft_status make_graph(int64_t count, const weft_side_options *options, party *p, weft_error *error)
{
    int64_t edges = read_count(), *ends = allocate(2 * edges, sizeof *ends);
    p->values = allocate(edges, sizeof *p->values);
    for (int64_t k = 0; k < edges; k++) {
        ends[k] = read_count();
        ends[edges + k] = read_count();
        p->values[k] = read_number();
    }
    weft_graph graph = {.vertices = count,
                        .edges = edges,
                        .from = ends,
                        .to = ends + edges,
                        .weight = p->values,
                        .connect = true};
    weft_status status = weft_side_from_graph(&graph, options, &p->side, error);
    free(ends);
    return status;
}

static weft_status make_features(int64_t count, const weft_side_options *options, party *p, weft_error *error)
{
    weft_features features = {.count = count, .dimension = read_count()};
    features.kernel = (weft_kernel)read_count();
    features.parameter = read_number();
    p->values = read_numbers(count * features.dimension);
    features.values = p->values;
    return weft_side_from_features(&features, options, &p->side, error);
}

static weft_status make_square(int64_t count, const weft_side_options *options, party *p, weft_error *error)
{
    p->all = p->kind == CALLBACK ? read_count() : count;
    p->values = read_numbers(p->all * p->all);
    if (p->kind == CALLBACK)
        return weft_side_from_callback(count, call_back, p, options, &p->side, error);
    return p->kind == KERNEL ? weft_side_from_kernel(count, p->values, options, &p->side, error)
                             : weft_side_from_matrix(count, p->values, options, &p->side, error);
}

static void read_party(party *p)
{
    weft_error error = {0};
    *p = (party){.kind = read_count()};
    weft_side_options options = {.radius = read_number()};
    int64_t count = read_count();
    weft_status status = p->kind == NONE       ? weft_side_none(count, &options, &p->side, &error)
                         : p->kind == CLASSES  ? make_classes(count, &options, p, &error)
                         : p->kind == GRAPH    ? make_graph(count, &options, p, &error)
                         : p->kind == FEATURES ? make_features(count, &options, p, &error)
                                               : make_square(count, &options, p, &error);
    demand(status, &error);
}

static void append(party *p)
{
    weft_error error = {0};
    weft_item item = {.alone = read_count() != 0};
    item.length = read_count();
    double *values = read_numbers(item.length);
    item.values = values;
    item.class_of = (int64_t)values[0];
    demand(weft_side_append(p->side, &item, &error), &error);
    free(values);
}

/* ---- the rival ---- */

static void trial(weft_player *rival)
{
    weft_error error = {0};
    weft_answer opinion;
    int64_t row = read_count(), column = read_count(), label = read_count();
    demand(weft_player_predict(rival, row, column, &opinion, &error), &error);
    printf("%.17g %.17g %d\n", opinion.score, opinion.probability, opinion.label);
    if (label != 0)
        demand(weft_player_learn(rival, row, column, (int)label, NULL, &error), &error);
}

static void set_context(weft_player *rival)
{
    weft_error error = {0};
    uint64_t digests[WEFT_CONTEXT_LIMIT] = {0};
    int64_t count = read_count();
    for (int64_t k = 0; k < count && k < WEFT_CONTEXT_LIMIT; k++)
        digests[k] = (uint64_t)read_count();
    demand(weft_player_set_context(rival, digests, count, &error), &error);
}

static weft_player *write_and_read(weft_player *rival, const party *rows, const weft_side *columns)
{
    weft_error error = {0};
    weft_player *again = NULL;
    size_t size = 0;
    demand(weft_player_write(rival, NULL, &size, &error), &error);
    void *bytes = allocate((int64_t)size, 1);
    demand(weft_player_write(rival, bytes, &size, &error), &error);
    demand(weft_rival_read(rows->side, columns, bytes, size, NULL, &again, &error), &error);
    free(bytes);
    weft_player_free(rival);
    return again;
}

static weft_player *copied(weft_player *rival)
{
    weft_error error = {0};
    weft_player *copy = NULL;
    demand(weft_player_clone(rival, &copy, &error), &error);
    weft_player_free(rival);
    return copy;
}

static void play(weft_rival_kind kind)
{
    enum { TRIAL, APPEND, READ, COPY, CONTEXT };
    weft_error error = {0};
    weft_player *rival = NULL;
    weft_rival_settings settings = {.kind = kind};
    party parties[2] = {{0}};
    settings.rate = read_number();
    settings.factors = read_count();
    settings.bits = (int)read_count();
    settings.seed = (uint64_t)read_count();
    settings.replay = (int)read_count();
    settings.window = read_count();
    settings.shrink = read_number();
    int64_t sides = read_count();
    for (int64_t s = 0; s < sides; s++)
        read_party(&parties[s]);
    const weft_side *columns = sides == 2 ? parties[1].side : NULL;
    demand(weft_rival_create(parties[0].side, columns, &settings, NULL, &rival, &error), &error);
    for (int64_t steps = read_count(); steps > 0; steps--) {
        int64_t step = read_count();
        if (step == TRIAL)
            trial(rival);
        else if (step == APPEND)
            append(&parties[read_count()]);
        else if (step == CONTEXT)
            set_context(rival);
        else
            rival = step == READ ? write_and_read(rival, &parties[0], columns) : copied(rival);
    }
    weft_player_free(rival);
    for (int s = 0; s < 2; s++) {
        weft_side_free(parties[s].side);
        free(parties[s].values);
    }
}

int main(void)
{
    int64_t kind;
    while (scanf("%" SCNd64, &kind) == 1)
        play((weft_rival_kind)kind);
    return 0;
}
