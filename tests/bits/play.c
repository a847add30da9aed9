/* SPDX-License-Identifier: MIT
 *
 * Plays seeded streams with the krylov and the compact engine, and with a committee, and prints
 * digests of every bit that comes out: brackets, decisions, and the state in the middle and at the
 * end.  run_bits.sh compares what the builds of different compilers, levels and
 * vector widths print.
 *
 * In the middle the state is written and read back, and two learners go on from
 * there: they must agree to the bit.  As the state in the middle is the same in
 * all builds, so is a run that one build begins and another one ends.
 *
 * Graphs and matrices are factored, inverted and decomposed by the library's own routines; LAPACK, which adds
 * in an order of its own, has no part in this. */
#include "support/dice.h"
#include "weft_advanced.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 80, COLUMNS = 72, MOST = 200, DIMENSION = 3, FEW = 5, HALF = 350 };

static void demand(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK) {
        fprintf(stderr, "%s: %s\n", weft_status_name(status), error->message);
        exit(1);
    }
}

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

/* FNV-1a */
static uint64_t digest(uint64_t so_far, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        so_far = (so_far ^ at[k]) * UINT64_C(0x100000001b3);
    return so_far;
}

/* ---- side information ---- */

static weft_side *make_none(int64_t count)
{
    weft_error error;
    weft_side *side = NULL;
    demand(weft_side_none(count, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_classes(int64_t count)
{
    int64_t class_of[MOST];
    weft_error error;
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++)
        class_of[i] = i * i % 7;
    demand(weft_side_from_classes(count, class_of, 0.1, NULL, &side, &error), &error);
    return side;
}

/* A path, grounded at one end: the inverse of its Laplacian is min(i, j) + 1. */
static weft_side *make_path(int64_t count)
{
    static double kernel[MOST * MOST];
    weft_error error;
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            kernel[i * count + j] = (double)((i < j ? i : j) + 1) / 7;
    demand(weft_side_from_kernel(count, kernel, NULL, &side, &error), &error);
    return side;
}

/* A ring with chords; eigenvalues of a ring come in pairs. */
static weft_side *make_graph(int64_t count, weft_graph graph, weft_side_options options)
{
    int64_t from[2 * MOST], to[2 * MOST];
    double weight[2 * MOST];
    weft_error error;
    weft_side *side = NULL;
    for (int64_t k = 0; k < 2 * count; k++) {
        from[k] = k % count;
        to[k] = (from[k] + (k < count ? 1 : 9)) % count;
        weight[k] = k < count ? 1 : 0.375;
    }
    graph.vertices = count;
    graph.edges = 2 * count;
    graph.from = from;
    graph.to = to;
    graph.weight = weight;
    demand(weft_side_from_graph(&graph, &options, &side, &error), &error);
    return side;
}

static weft_side *make_dense_graph(int64_t count)
{
    return make_graph(count, (weft_graph){.kernel = WEFT_PDLAPLACIAN},
                      (weft_side_options){.graph_path = WEFT_GRAPH_DENSE});
}

static weft_side *make_diffusion(int64_t count)
{
    weft_graph graph = {.kernel = WEFT_DIFFUSION, .parameter = 0.7};
    return make_graph(count, graph, (weft_side_options){.graph_path = WEFT_GRAPH_DENSE});
}

static weft_side *make_eigenvectors(int64_t count)
{
    const weft_map map = {.eigen = 12};
    return make_graph(count, (weft_graph){.kernel = WEFT_PDLAPLACIAN},
                      (weft_side_options){.map = &map, .graph_path = WEFT_GRAPH_DENSE});
}

/* Found by products with a factor, which CHOLMOD makes without a BLAS. */
static weft_side *make_iterated(int64_t count)
{
    const weft_map map = {.eigen = 12};
    return make_graph(count, (weft_graph){.kernel = WEFT_PDLAPLACIAN},
                      (weft_side_options){.map = &map, .graph_path = WEFT_GRAPH_SPARSE});
}

static weft_side *make_matrix(int64_t count)
{
    static double matrix[MOST * MOST];
    weft_error error;
    weft_side *side = NULL;
    dice d = {3};
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j <= i; j++)
            matrix[i * count + j] = matrix[j * count + i] = dice_between(&d, -1, 1) + (i == j ? 20 : 0);
    demand(weft_side_from_matrix(count, matrix, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_features(int64_t count, weft_kernel kernel, double parameter)
{
    double values[MOST * DIMENSION];
    dice d = {7};
    weft_error error;
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * DIMENSION; k++)
        values[k] = dice_between(&d, -1, 1);
    weft_features features = {count, DIMENSION, values, kernel, parameter};
    demand(weft_side_from_features(&features, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_linear(int64_t count)
{
    return make_features(count, WEFT_LINEAR, 0.25);
}

static weft_side *make_gaussian(int64_t count)
{
    return make_features(count, WEFT_GAUSSIAN, 0.8);
}

static weft_side *make_hashed(int64_t count, int64_t signs)
{
    const weft_map map = {.hash = signs, .seed = 5};
    weft_error error;
    weft_side *side = NULL;
    demand(weft_side_none(count, &(weft_side_options){.map = &map}, &side, &error), &error);
    return side;
}

static weft_side *make_signs(int64_t count)
{
    return make_hashed(count, 40);
}

static weft_side *make_waves(int64_t count)
{
    const weft_map map = {.fourier = 32, .hash = 8, .seed = 5};
    double values[MOST * DIMENSION];
    dice d = {7};
    weft_error error;
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * DIMENSION; k++)
        values[k] = dice_between(&d, -1, 1);
    weft_features features = {count, DIMENSION, values, WEFT_GAUSSIAN, 0.8};
    demand(weft_side_from_features(&features, &(weft_side_options){.map = &map}, &side, &error), &error);
    return side;
}

/* ---- a run ---- */

typedef struct game {
    const weft_side *rows, *columns;
    int64_t column_count;
    dice stream;
} game;

static uint64_t play(game *g, weft_player *learner, int64_t trials)
{
    uint64_t sum = 1;
    for (int64_t t = 0; t < trials; t++) {
        int64_t row = dice_below(&g->stream, ROWS), column = dice_below(&g->stream, g->column_count);
        int label = (row * row % 7 + column * column % 7) % 3 == 0 ? 1 : -1;
        weft_answer o;
        weft_error error;
        if (dice_below(&g->stream, 8) == 0)
            label = -label;
        demand(weft_player_learn(learner, row, column, label, &o, &error), &error);
        double numbers[] = {o.lower, o.upper, o.margin, o.threshold, o.probability, o.error_probability};
        int choices[] = {o.label, o.updated, o.products, o.certified};
        sum = digest(digest(sum, numbers, sizeof numbers), choices, sizeof choices);
    }
    return sum;
}

static unsigned char *write_state(const weft_player *learner, size_t *size)
{
    weft_error error;
    demand(weft_player_write(learner, NULL, size, &error), &error);
    unsigned char *bytes = malloc(*size);
    require(bytes != NULL, "out of memory");
    demand(weft_player_write(learner, bytes, size, &error), &error);
    return bytes;
}

static uint64_t digest_of_state(const weft_player *learner)
{
    size_t size = 0;
    unsigned char *bytes = write_state(learner, &size);
    uint64_t sum = digest(1, bytes, size);
    free(bytes);
    return sum;
}

/* What ends the state, over FEW signs a side. */
static uint64_t digest_of_matrix(const weft_player *learner, bool one_set)
{
    size_t size = 0, d = one_set ? FEW : 2 * FEW, tail = sizeof(double) * d * (d + 1) / 2;
    unsigned char *bytes = write_state(learner, &size);
    uint64_t sum = digest(1, bytes + size - tail, tail);
    free(bytes);
    return sum;
}

static weft_player *read_back(const game *g, const weft_player *learner)
{
    size_t size = 0;
    weft_error error;
    weft_player *copy = NULL;
    unsigned char *bytes = write_state(learner, &size);
    demand(weft_learner_read(g->rows, g->columns, bytes, size, NULL, &copy, &error), &error);
    free(bytes);
    return copy;
}

/* Plays one half, goes on twice, and prints one line. */
static weft_player *run(game *g, const char *name, const weft_settings *settings)
{
    weft_error error;
    weft_player *learner = NULL;
    demand(weft_learner_create(g->rows, g->columns, settings, NULL, &learner, &error), &error);
    uint64_t first = play(g, learner, HALF), middle = digest_of_state(learner);
    weft_player *copy = read_back(g, learner);
    require(digest_of_state(copy) == middle, "a state that was read back is another one");
    game again = *g;
    uint64_t second = play(g, learner, HALF), end = digest_of_state(learner);
    require(play(&again, copy, HALF) == second, "a resumed run takes another course");
    require(digest_of_state(copy) == end, "a resumed run ends in another state");
    printf("%-8s form %d precision %d: %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64
           " %lld updates %lld pairs %lld products\n",
           name, (int)settings->form, (int)settings->precision, first, middle, second, end,
           (long long)weft_player_counters(learner).updates, (long long)weft_player_evidence_count(learner),
           (long long)weft_player_counters(learner).products);
    weft_player_free(copy);
    return learner;
}

/* Labels that cannot be met by so few signs at such a rate: eigenvalues are held at the floor in both
 * halves. */
static void run_floors(void)
{
    weft_side *side = make_hashed(ROWS, FEW);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        bool one_set = form == WEFT_ONE_SET;
        weft_settings settings = weft_settings_default(ROWS, one_set ? 0 : ROWS, 2 * HALF);
        settings.form = (weft_form)form;
        settings.engine = WEFT_COMPACT;
        settings.gamma = 1;
        settings.eta = form == WEFT_BALANCED ? 40 : 4;
        settings.half_life = one_set ? 900 : 0;
        settings.floor = 16;
        game g = {side, one_set ? NULL : side, ROWS, {11}};
        weft_player *held = run(&g, "floor", &settings);
        settings.floor = 0;
        g.stream = (dice){11};
        weft_player *fallen = run(&g, "none", &settings);
        require(digest_of_matrix(held, one_set) != digest_of_matrix(fallen, one_set),
                "no eigenvalue was held at the floor");
        weft_player_free(held);
        weft_player_free(fallen);
    }
    weft_side_free(side);
}

static void run_forms(const char *name, weft_side *(*make)(int64_t count), weft_engine engine)
{
    weft_side *rows = make(ROWS), *columns = make(COLUMNS);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int precision = WEFT_MIXED; precision <= WEFT_DOUBLE; precision++) {
            bool one_set = form == WEFT_ONE_SET;
            weft_settings settings = weft_settings_default(ROWS, one_set ? 0 : COLUMNS, 2 * HALF);
            settings.form = (weft_form)form;
            settings.engine = engine;
            settings.half_life = engine == WEFT_COMPACT && precision == WEFT_DOUBLE ? 9 : 0;
            settings.precision = (weft_precision)precision;
            settings.updates =
                precision == WEFT_DOUBLE && form == WEFT_PAPER ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES;
            game g = {rows, one_set ? NULL : columns, one_set ? ROWS : COLUMNS, {11}};
            weft_player_free(run(&g, name, &settings));
        }
    weft_side_free(rows);
    weft_side_free(columns);
}

/* ---- a committee ---- */

enum { SEATED = 5 + WEFT_RIVALS, SEAT_IDS = 200, SITTINGS = 1500 };

static void seat_learner(weft_member *member, weft_form form, double eta)
{
    snprintf(member->name, sizeof member->name, "form %d eta %g", (int)form, eta);
    member->learner = weft_settings_default(SEAT_IDS, SEAT_IDS, SITTINGS);
    member->learner.form = form;
    member->learner.eta = eta;
    member->learner.tolerance = 0.1;
}

static void list_members(const weft_side *path, const weft_side *classes, const weft_side *none,
                         weft_member *members)
{
    for (int k = 0; k < SEATED; k++)
        members[k] = (weft_member){.rows = path, .columns = classes, .is_rival = k >= 5};
    members[1].columns = members[2].rows = members[2].columns = none;
    members[2].plain = true;
    members[0].uses = members[1].uses = WEFT_ROWS;
    for (int k = 0; k < 5; k++)
        seat_learner(&members[k], k < 4 ? WEFT_BALANCED : WEFT_PAPER, k < 3 ? 1 : k);
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        members[5 + kind].rival = (weft_rival_settings){.kind = (weft_rival_kind)kind, .bits = 8};
}

/* Answers a digest of the verdicts, and of the state at the end. */
static uint64_t sit(weft_player *committee, dice *stream, int64_t trials, size_t *size, unsigned char **bytes)
{
    uint64_t sum = 1;
    weft_error error;
    for (int64_t t = 0; t < trials; t++) {
        int64_t row = dice_below(stream, SEAT_IDS), column = dice_below(stream, SEAT_IDS);
        int label = (row * row % 7 + column) % 3 == 0 ? 1 : -1;
        weft_answer r;
        if (dice_below(stream, 8) == 0)
            label = -label;
        demand(weft_player_learn(committee, row, column, label, &r, &error), &error);
        double numbers[] = {r.vote, r.probability, r.error_probability, (double)r.asked};
        sum = digest(sum, numbers, sizeof numbers);
    }
    demand(weft_player_write(committee, NULL, size, &error), &error);
    *bytes = malloc(*size);
    require(*bytes != NULL, "out of memory");
    demand(weft_player_write(committee, *bytes, size, &error), &error);
    return digest(sum, *bytes, *size);
}

static void run_committee(void)
{
    weft_side *path = make_path(SEAT_IDS), *classes = make_classes(SEAT_IDS), *none = make_none(SEAT_IDS);
    weft_member members[SEATED];
    weft_player *committee = NULL, *copy = NULL;
    weft_error error;
    dice stream = {13}, again;
    unsigned char *bytes[3] = {NULL};
    size_t size[3] = {0};
    list_members(path, classes, none, members);
    demand(weft_committee_create(members, SEATED, &(weft_committee_settings){0}, NULL, &committee, &error),
           &error);
    uint64_t first = sit(committee, &stream, SITTINGS / 2, &size[0], &bytes[0]);
    demand(weft_committee_read(members, SEATED, bytes[0], size[0], NULL, &copy, &error), &error);
    again = stream;
    uint64_t second = sit(committee, &stream, SITTINGS, &size[1], &bytes[1]);
    require(sit(copy, &again, SITTINGS, &size[2], &bytes[2]) == second,
            "a resumed committee takes another course");
    weft_counters c = weft_player_counters(committee);
    require(c.awake < SEATED, "nobody was put to rest");
    printf("committee: %016" PRIx64 " %016" PRIx64 " %lld mistakes %lld awake\n", first, second,
           (long long)c.mistakes, (long long)c.awake);
    for (int k = 0; k < 3; k++)
        free(bytes[k]);
    weft_player_free(committee);
    weft_player_free(copy);
    weft_side_free(path);
    weft_side_free(classes);
    weft_side_free(none);
}

int main(void)
{
    run_forms("none", make_none, WEFT_KRYLOV);
    run_forms("classes", make_classes, WEFT_KRYLOV);
    run_forms("path", make_path, WEFT_KRYLOV);
    run_forms("linear", make_linear, WEFT_KRYLOV);
    run_forms("gaussian", make_gaussian, WEFT_KRYLOV);
    run_forms("graph", make_dense_graph, WEFT_KRYLOV);
    run_forms("heat", make_diffusion, WEFT_KRYLOV);
    run_forms("matrix", make_matrix, WEFT_KRYLOV);
    run_forms("vectors", make_eigenvectors, WEFT_COMPACT);
    run_forms("iterated", make_iterated, WEFT_COMPACT);
    run_forms("signs", make_signs, WEFT_COMPACT);
    run_forms("waves", make_waves, WEFT_COMPACT);
    run_floors();
    run_committee();
    return 0;
}
