/* SPDX-License-Identifier: MIT
 * Every kernel of a graph against its definition, by eigenvectors in extended
 * precision, and the facts that a user relies on. */
#include "support/test.h"

#include "side/graph/graph.h"
#include "support/known.h"
#include "support/naive.h"
#include "support/side_checks.h"

static const known_kind graph_kinds[] = {KNOWN_GRAPH, KNOWN_REGULARISED, KNOWN_DIFFUSION};

/* All kernels, plain and normalised, scaled and not, connected and not. */
static void random_graphs_give_their_kernels(void **state)
{
    dice d = {61};
    int seen[3][2][2][2] = {{{{0}}}};
    for (int round = 0; round < 240; round++) {
        known what;
        weft_side *side = NULL;
        int which = round % 3;
        int64_t n = 2 + dice_below(&d, 28);
        known_draw(&d, graph_kinds[which], n, n, &what);
        assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
        assert_string_equal(weft_side_kind(side), "graph");
        assert_kernel(side, what.kernel, 1e-12 * what.radius);
        assert_true(fabs(weft_side_radius(side) - what.radius) <= 1e-12 * what.radius);
        assert_true(fabs(side->constant - what.constant) <= 1e-12 * what.radius);
        assert_true((side->blur > 0) == (what.path == WEFT_GRAPH_SPARSE));
        seen[which][what.normalised][what.unit][what.path == WEFT_GRAPH_SPARSE]++;
        weft_side_free(side);
        known_release(&what);
    }
    for (int k = 0; k < 24; k++)
        assert_true(seen[k / 8][k / 4 % 2][k / 2 % 2][k % 2] > 0);
}

/* 0 - 1   2 - 3 - 4   5: three components, one of a single vertex. */
static const int64_t from[] = {0, 2, 3}, to[] = {1, 3, 4};
static const weft_graph pieces = {.vertices = 6, .edges = 3, .from = from, .to = to};

static weft_side *make_side(weft_graph graph)
{
    weft_side *side = NULL;
    weft_error error = {0};
    if (weft_side_from_graph(&graph, NULL, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static void components_are_not_similar(void **state)
{
    for (int k = 0; k < 8; k++) {
        weft_graph graph = pieces;
        graph.kernel = k % 2 == 0 ? WEFT_REGULARISED : WEFT_DIFFUSION;
        graph.parameter = 2;
        graph.normalised = k / 2 % 2 == 1;
        graph.unit = k / 4 == 1;
        weft_side *side = make_side(graph);
        assert_int_equal(weft_side_graph(side).joined, 0);
        assert_int_equal(weft_side_graph(side).components, 3);
        assert_true(weft_side_entry(side, 0, 2) == 0 && weft_side_entry(side, 1, 4) == 0);
        assert_true(weft_side_entry(side, 0, 1) > 0 && weft_side_entry(side, 2, 4) > 0);
        assert_true(fabs(weft_side_entry(side, 5, 5) - 1) < 1e-15);
        for (int i = 0; i < 5; i++)
            assert_true(weft_side_entry(side, 5, i) == 0);
        assert_true(side->constant == 0 && weft_side_radius(side) <= 1 + 1e-15);
        weft_side_free(side);
    }
}

/* One edge: exp(-tL) and (I + sL)^-1 have closed forms. */
static void two_vertices(void **state)
{
    weft_graph graph = {.vertices = 2, .edges = 1, .from = from, .to = to, .parameter = 0.75};
    graph.kernel = WEFT_DIFFUSION;
    double e = exp(-1.5);
    weft_side *side = make_side(graph);
    assert_kernel(side, (double[]){(1 + e) / 2, (1 - e) / 2, (1 - e) / 2, (1 + e) / 2}, 1e-15);
    weft_side_free(side);
    graph.kernel = WEFT_REGULARISED;
    side = make_side(graph);
    assert_kernel(side, (double[]){1.75 / 2.5, 0.75 / 2.5, 0.75 / 2.5, 1.75 / 2.5}, 1e-15);
    weft_side_free(side);
}

/* Nothing but what was asked for changes: the paper's kernel is the default. */
static void the_default_is_the_pdlaplacian(void **state)
{
    weft_graph graph = pieces, named = pieces;
    graph.connect = named.connect = true;
    named.kernel = WEFT_PDLAPLACIAN;
    named.parameter = -3;
    weft_side *side = make_side(graph), *other = make_side(named);
    double *kernel = side_kernel(side);
    assert_kernel(other, kernel, 0);
    assert_int_equal(weft_side_graph(side).components, 3);
    assert_int_equal(weft_side_graph(side).joined, 2);
    free(kernel);
    weft_side_free(side);
    weft_side_free(other);
}

static void a_single_vertex(void **state)
{
    weft_graph graph = {.vertices = 1, .kernel = WEFT_DIFFUSION, .parameter = 1, .normalised = true};
    weft_side *side = make_side(graph);
    assert_true(weft_side_entry(side, 0, 0) == 1 && weft_side_radius(side) == 1);
    weft_side_free(side);
    graph.kernel = WEFT_REGULARISED;
    side = make_side(graph);
    assert_true(weft_side_entry(side, 0, 0) == 1);
    weft_side_free(side);
}

static void refusals(void **state)
{
    const struct {
        weft_graph_kernel kernel;
        double parameter;
        int64_t vertices;
        weft_status status;
        const char *words;
    } wrong[] = {
        {WEFT_REGULARISED, 0, 6, WEFT_ARGUMENT, "sigma is 0; expected a positive number"},
        {WEFT_REGULARISED, -1, 6, WEFT_ARGUMENT, "sigma is -1"},
        {WEFT_REGULARISED, INFINITY, 6, WEFT_ARGUMENT, "sigma is inf"},
        {WEFT_REGULARISED, 1e18, 6, WEFT_ARGUMENT, "sigma 1e+18 is too large"},
        {WEFT_REGULARISED, 1e308, 6, WEFT_ARGUMENT, "sigma 1e+308 is too large"},
        {WEFT_DIFFUSION, 0, 6, WEFT_ARGUMENT, "time is 0"},
        {WEFT_DIFFUSION, NAN, 6, WEFT_ARGUMENT, "time is nan"},
        {WEFT_DIFFUSION, 1e9, 6, WEFT_ARGUMENT, "time 1e+09 is too long"},
        {WEFT_DIFFUSION, 1e308, 6, WEFT_ARGUMENT, "time 1e+308 is too long"},
        {WEFT_DIFFUSION, 1, 0, WEFT_INPUT, "there are 0 vertices; expected 1 or more"},
        {(weft_graph_kernel)4, 1, 6, WEFT_ARGUMENT, "kernel 4 is not known"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_graph graph = pieces;
        weft_side *side = NULL;
        weft_error error = {0};
        graph.kernel = wrong[k].kernel;
        graph.parameter = wrong[k].parameter;
        graph.vertices = wrong[k].vertices;
        assert_int_equal(weft_side_from_graph(&graph, NULL, &side, &error), wrong[k].status);
        assert_failure(&error, wrong[k].status, -1, -1, wrong[k].words);
        assert_null(side);
    }
}

/* Products and eigenvectors are two ways to one exponential. */
static void diffusion_by_products_and_by_eigenvectors(void **state)
{
    enum { N = 150, EDGES = 450 };
    static int64_t a[EDGES], b[EDGES];
    dice d = {62};
    for (int64_t k = 0; k < EDGES; k++) {
        a[k] = dice_below(&d, N);
        b[k] = dice_below(&d, N);
    }
    const double times[] = {1e-3, 1, 20, 300};
    for (int k = 0; k < 8; k++) {
        weft_graph graph = {.vertices = N, .edges = EDGES, .from = a, .to = b, .kernel = WEFT_DIFFUSION};
        graph.parameter = times[k / 2];
        graph.normalised = k % 2 == 1;
        weft_memory memory = weft__memory_or_default(NULL);
        weft__laplacian laplacian;
        weft_side *side = make_side(graph), *other = make_side(graph);
        assert_int_equal(weft__laplacian_build(&graph, false, &memory, NULL, &laplacian, NULL), WEFT_OK);
        assert_int_equal(
            weft__graph_fill_by_eigenvectors((weft__dense_side *)other, graph.parameter, &laplacian, NULL),
            WEFT_OK);
        for (int64_t e = 0; e < N * N; e++)
            assert_true(fabs(weft_side_entry(side, e / N, e % N) - weft_side_entry(other, e / N, e % N)) <
                        1e-12);
        weft__laplacian_free(&laplacian);
        weft_side_free(side);
        weft_side_free(other);
    }
}

/* ---- Memory ---- */

static weft_status make_regularised(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = pieces;
    graph.kernel = WEFT_REGULARISED;
    graph.parameter = 1;
    graph.unit = true;
    return weft_side_from_graph(&graph, options, side, error);
}

static weft_status make_diffusion(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = pieces;
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = 1e-3;
    graph.normalised = true;
    return weft_side_from_graph(&graph, options, side, error);
}

/* Long enough for eigenvectors to be quicker. */
static weft_status make_long_diffusion(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = pieces;
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = 1000;
    return weft_side_from_graph(&graph, options, side, error);
}

static weft_status make_normalised(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = pieces;
    graph.connect = true;
    graph.normalised = true;
    graph.unit = true;
    return weft_side_from_graph(&graph, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    const weft_item items[] = {{.alone = true}, {.alone = true}};
    assert_maker_survives(make_regularised, 15);
    assert_maker_survives(make_diffusion, 15);
    assert_maker_survives(make_long_diffusion, 15);
    assert_maker_survives(make_normalised, 20);
    assert_append_survives(make_diffusion, items, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_give_their_kernels),
        cmocka_unit_test(components_are_not_similar),
        cmocka_unit_test(two_vertices),
        cmocka_unit_test(the_default_is_the_pdlaplacian),
        cmocka_unit_test(a_single_vertex),
        cmocka_unit_test(refusals),
        cmocka_unit_test(diffusion_by_products_and_by_eigenvectors),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
