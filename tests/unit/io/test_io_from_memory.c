/* SPDX-License-Identifier: MIT
 * Rosters of side information that is in memory: the same kernels to the bit as the constructors of sides
 * make of the same arrays, the names that were given, and what a model needs to embed. */
#define _POSIX_C_SOURCE 200809L

#include "support/alloc.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <math.h>

enum { N = 5, EDGES = 6, DIMENSION = 3 };

/* Vertex 4 has no edge, and ids do not come in the order of the edges. */
static const int64_t from[EDGES] = {3, 0, 2, 1, 1, 2}, to[EDGES] = {0, 1, 3, 2, 1, 1};
static const double weight[EDGES] = {0.1, 1.0 / 3, 2, 7e-5, 4, 7e-5};
static const int64_t class_of[N] = {7, -1, 7, 0, -1};
static const double values[N * DIMENSION] = {0.1,   0.2, 0.3, -1.0 / 3, 2,   1e-9, 0,   1.7,
                                             -0.25, 1,   1,   1,        0.5, 0,    -1.5};
static const char *const names[N] = {"ann", "b,c", "say \"hi\"", "two\nlines", "\x1b[31m"};

/* Gram matrix of the vectors, and a multiple of I: definite. */
static const double *square(void)
{
    static double k[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            k[i * N + j] = i == j ? 0.7 : 0;
            for (int d = 0; d < DIMENSION; d++)
                k[i * N + j] += values[i * DIMENSION + d] * values[j * DIMENSION + d];
        }
    return k;
}

static weft_graph graph_of(int kernel, bool unit)
{
    return (weft_graph){.vertices = N,
                        .edges = EDGES,
                        .from = from,
                        .to = to,
                        .weight = weight,
                        .connect = true,
                        .kernel = (weft_graph_kernel)kernel,
                        .parameter = kernel == WEFT_PDLAPLACIAN ? 0 : 1.3,
                        .normalised = unit,
                        .unit = unit};
}

static weft_features features_of(int kernel)
{
    static const double parameters[] = {0.25, 0.9, 2.5};
    return (weft_features){.count = N,
                           .dimension = DIMENSION,
                           .values = values,
                           .kernel = (weft_kernel)kernel,
                           .parameter = parameters[kernel]};
}

enum { NAMES, CLASSES, KERNEL, MATRIX, LINEAR, GAUSSIAN, MIN, PLAIN, REGULARISED, DIFFUSION, UNIT, KINDS };

static weft_status make_roster(int kind, const char *const *called, const weft_file_options *options,
                               weft_roster **roster, weft_error *error)
{
    weft_features features = features_of(kind >= LINEAR && kind <= MIN ? kind - LINEAR : 0);
    weft_graph graph =
        graph_of(kind >= PLAIN && kind <= DIFFUSION ? kind - PLAIN : WEFT_DIFFUSION, kind == UNIT);
    if (kind == NAMES)
        return weft_roster_from_names(N, called, options, roster, error);
    if (kind == CLASSES)
        return weft_roster_from_classes(N, class_of, 0.3, called, options, roster, error);
    if (kind == KERNEL)
        return weft_roster_from_kernel(N, square(), called, options, roster, error);
    if (kind == MATRIX)
        return weft_roster_from_matrix(N, square(), called, options, roster, error);
    if (kind <= MIN)
        return weft_roster_from_features(&features, called, options, roster, error);
    return weft_roster_from_graph(&graph, called, options, roster, error);
}

static weft_status make_side(int kind, weft_side **side, weft_error *error)
{
    weft_features features = features_of(kind >= LINEAR && kind <= MIN ? kind - LINEAR : 0);
    weft_graph graph =
        graph_of(kind >= PLAIN && kind <= DIFFUSION ? kind - PLAIN : WEFT_DIFFUSION, kind == UNIT);
    if (kind == NAMES)
        return weft_side_none(N, NULL, side, error);
    if (kind == CLASSES)
        return weft_side_from_classes(N, class_of, 0.3, NULL, side, error);
    if (kind == KERNEL)
        return weft_side_from_kernel(N, square(), NULL, side, error);
    if (kind == MATRIX)
        return weft_side_from_matrix(N, square(), NULL, side, error);
    if (kind <= MIN)
        return weft_side_from_features(&features, NULL, side, error);
    return weft_side_from_graph(&graph, NULL, side, error);
}

static void the_kernels_are_the_same(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int named = 0; named < 2; named++) {
            weft_roster *roster = NULL;
            weft_side *side = NULL;
            weft_error error = {0};
            assert_int_equal(make_roster(kind, named ? names : NULL, NULL, &roster, &error), WEFT_OK);
            assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
            assert_int_equal(make_side(kind, &side, &error), WEFT_OK);
            const weft_side *made = weft_roster_side(roster);
            assert_int_equal(weft_side_count(made), N);
            assert_true(weft_side_radius(made) == weft_side_radius(side));
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    assert_true(weft_side_entry(made, i, j) == weft_side_entry(side, i, j));
            weft_side_free(side);
            weft_roster_free(roster);
        }
}

static void names_are_kept_and_new_ids_are_alone(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        weft_roster *roster = NULL, *plain = NULL;
        weft_error error = {0};
        int64_t number = -1;
        assert_int_equal(make_roster(kind, names, NULL, &roster, &error), WEFT_OK);
        assert_int_equal(make_roster(kind, NULL, NULL, &plain, &error), WEFT_OK);
        assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
        for (int k = 0; k < N; k++) {
            char digits[8];
            snprintf(digits, sizeof digits, "%d", k);
            assert_string_equal(weft_ids_name(weft_roster_ids(roster), k), names[k]);
            assert_string_equal(weft_ids_name(weft_roster_ids(plain), k), digits);
        }
        assert_int_equal(weft_roster_admit(roster, "new", NULL, &number, &error), WEFT_OK);
        assert_int_equal(number, N);
        assert_true(weft_side_entry(weft_roster_side(roster), N, 0) == 0);
        assert_int_equal(weft_roster_source_count(roster) > 0, kind != NAMES);
        for (int64_t k = 0; k < weft_roster_source_count(roster); k++)
            assert_non_null(weft_roster_source(roster, k).kept);
        weft_roster_free(plain);
        weft_roster_free(roster);
    }
}

static void what_no_file_says_is_refused(void **state)
{
    static const char *const empty[N] = {"a", "b", "", "d", "e"}, *const twice[N] = {"a", "b", "a", "d", "e"},
                             *const lacking[N] = {"a", "b", NULL, "d", "e"};
    const char *const *const wrong[] = {empty, twice, lacking};
    for (int kind = 0; kind < KINDS; kind++)
        for (int w = 0; w < 3; w++) {
            weft_roster *roster = NULL;
            weft_error error = {0};
            weft_status status = make_roster(kind, wrong[w], NULL, &roster, &error);
            assert_true(status == WEFT_ARGUMENT || status == WEFT_INPUT);
            assert_null(roster);
            assert_true(strlen(error.message) > 10);
        }
}

static void arguments_are_checked(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    weft_features features = features_of(WEFT_LINEAR);
    weft_graph graph = graph_of(WEFT_PDLAPLACIAN, false);
    const int64_t beyond[EDGES] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(weft_roster_from_classes(N, NULL, 0, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "class_of is NULL");
    assert_int_equal(weft_roster_from_classes(0, class_of, 0, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_classes(N, class_of, -1, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_classes(N, class_of, 0, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_kernel(N, NULL, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_matrix(N, NULL, NULL, NULL, &roster, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_features(NULL, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    features.values = NULL;
    assert_int_equal(weft_roster_from_features(&features, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    features = features_of(WEFT_LINEAR);
    features.kernel = (weft_kernel)7;
    assert_int_equal(weft_roster_from_features(&features, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_graph(NULL, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    graph.from = beyond;
    assert_int_equal(weft_roster_from_graph(&graph, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(error.at[0], 5);
    graph.from = NULL;
    assert_int_equal(weft_roster_from_graph(&graph, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    graph = graph_of(WEFT_PDLAPLACIAN, false);
    graph.edges = -1;
    assert_int_equal(weft_roster_from_graph(&graph, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_null(roster);
}

/* Numbers that no array has, of every kind. */
static void ranges_are_checked(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    weft_features features = features_of(WEFT_LINEAR), none = features, flat = features, odd = features;
    weft_graph graph = graph_of(WEFT_PDLAPLACIAN, false), empty = graph, strange = graph, beyond = graph;
    const int64_t below[EDGES] = {0, -1, 2, 3, 0, 1}, past[EDGES] = {1, 2, 3, 0, N, 2};
    none.count = 0;
    flat.dimension = 0;
    odd.kernel = (weft_kernel)-1;
    assert_int_equal(weft_roster_from_features(&none, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_features(&flat, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_features(&odd, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_features(&features, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_kernel(0, square(), NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_kernel(N, square(), NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_names(0, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_names(N, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    empty.vertices = 0;
    empty.edges = 0;
    assert_int_equal(weft_roster_from_graph(&empty, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    strange.kernel = (weft_graph_kernel)9;
    assert_int_equal(weft_roster_from_graph(&strange, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    strange.kernel = (weft_graph_kernel)-1;
    assert_int_equal(weft_roster_from_graph(&strange, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    beyond.from = below;
    assert_int_equal(weft_roster_from_graph(&beyond, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(error.at[0], 1);
    beyond.from = from;
    beyond.to = below;
    assert_int_equal(weft_roster_from_graph(&beyond, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    beyond.to = past;
    assert_int_equal(weft_roster_from_graph(&beyond, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(error.at[0], 4);
    beyond.to = NULL;
    assert_int_equal(weft_roster_from_graph(&beyond, NULL, NULL, &roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_graph(&graph, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_null(roster);
}

/* A graph without edges, which only the other kernels take; and limits that refuse it. */
static void what_the_readers_refuse_is_refused(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    weft_graph graph = {.vertices = N, .kernel = WEFT_REGULARISED, .parameter = 2};
    const double infinite[1] = {INFINITY};
    weft_file_options few = {.id_limit = 2};
    assert_int_equal(weft_roster_from_graph(&graph, names, NULL, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_true(weft_side_entry(weft_roster_side(roster), 0, 0) == 1);
    weft_roster_free(roster);
    roster = NULL;
    for (int kind = 0; kind < KINDS; kind++)
        assert_int_equal(make_roster(kind, names, &few, &roster, &error), WEFT_CAPACITY);
    assert_true(weft_roster_from_kernel(1, infinite, NULL, NULL, &roster, &error) != WEFT_OK);
    few.line_limit = 1;
    for (int kind = 0; kind < KINDS; kind++)
        assert_int_equal(make_roster(kind, names, &few, &roster, &error), WEFT_ARGUMENT);
    assert_null(roster);
}

static void no_weights_mean_one(void **state)
{
    weft_roster *roster = NULL;
    weft_side *side = NULL;
    weft_error error = {0};
    weft_graph graph = graph_of(WEFT_REGULARISED, false);
    graph.weight = NULL;
    assert_int_equal(weft_roster_from_graph(&graph, NULL, NULL, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, &error), WEFT_OK);
    for (int i = 0; i < N; i++)
        assert_true(weft_side_entry(weft_roster_side(roster), i, 1) == weft_side_entry(side, i, 1));
    weft_side_free(side);
    weft_roster_free(roster);
}

static void refused_memory_leaves_nothing(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t k = 0;; k++) {
            test_alloc alloc;
            weft_memory memory = test_alloc_begin(&alloc, k);
            weft_file_options options = {.memory = &memory};
            weft_roster *roster = NULL;
            weft_error error = {0};
            weft_status status = make_roster(kind, names, &options, &roster, &error);
            weft_roster_free(roster);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            if (status == WEFT_OK)
                break;
            assert_int_equal(status, WEFT_MEMORY);
            assert_null(roster);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_are_the_same),
        cmocka_unit_test(names_are_kept_and_new_ids_are_alone),
        cmocka_unit_test(what_no_file_says_is_refused),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(what_the_readers_refuse_is_refused),
        cmocka_unit_test(no_weights_mean_one),
        cmocka_unit_test(refused_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
