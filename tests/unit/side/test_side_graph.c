/* SPDX-License-Identifier: MIT
 * The PDLaplacian against a pseudo-inverse from eigenvectors in extended
 * precision, and the facts of the paper's preliminaries. */
#include "support/test.h"

#include "side/side.h"
#include "support/dice.h"
#include "support/naive.h"
#include "support/side_checks.h"

enum { LIMIT = 30, EDGES = 200 };

typedef struct drawn {
    int64_t from[EDGES], to[EDGES];
    double weight[EDGES];
    weft_graph graph;
} drawn;

static void add_edge(drawn *g, int64_t a, int64_t b, double weight)
{
    int64_t k = g->graph.edges++;
    g->from[k] = a;
    g->to[k] = b;
    g->weight[k] = weight;
}

static void begin(drawn *g, int64_t vertices)
{
    g->graph = (weft_graph){.vertices = vertices, .from = g->from, .to = g->to, .weight = g->weight};
}

/* A random tree and a few more edges; a pair is drawn at most once. */
static void draw_connected(dice *d, int64_t n, double low, double high, drawn *g)
{
    bool taken[LIMIT][LIMIT] = {{false}};
    begin(g, n);
    for (int64_t v = 1; v < n; v++) {
        int64_t u = dice_below(d, v);
        taken[u][v] = true;
        add_edge(g, dice_chance(d, 0.5) ? u : v, u, dice_log_between(d, low, high));
        g->to[g->graph.edges - 1] = g->from[g->graph.edges - 1] == u ? v : u;
    }
    for (int64_t k = 0; k < 2 * n; k++) {
        int64_t u = dice_below(d, n), v = dice_below(d, n);
        if (u >= v || taken[u][v])
            continue;
        taken[u][v] = true;
        add_edge(g, v, u, dice_log_between(d, low, high));
    }
}

static void make_laplacian(const drawn *g, long double *laplacian)
{
    int64_t n = g->graph.vertices;
    memset(laplacian, 0, (size_t)(n * n) * sizeof *laplacian);
    for (int64_t k = 0; k < g->graph.edges; k++) {
        int64_t a = g->from[k], b = g->to[k];
        laplacian[a * n + a] += g->weight[k];
        laplacian[b * n + b] += g->weight[k];
        laplacian[a * n + b] -= g->weight[k];
        laplacian[b * n + a] -= g->weight[k];
    }
}

/* K = L^+ + R_L 11' by its definition; answers R_L. */
static double make_kernel(const drawn *g, double *kernel)
{
    long double laplacian[LIMIT * LIMIT], value[LIMIT], vector[LIMIT * LIMIT];
    int64_t n = g->graph.vertices;
    double radius = 0;
    make_laplacian(g, laplacian);
    naive_eigen(n, laplacian, value, vector);
    long double top = 0;
    for (int64_t k = 0; k < n; k++)
        top = fmaxl(top, value[k]);
    for (int64_t e = 0; e < n * n; e++) {
        long double sum = 0;
        for (int64_t k = 0; k < n; k++)
            if (value[k] > 1e-15L * top)
                sum += vector[k * n + e / n] * vector[k * n + e % n] / value[k];
        kernel[e] = (double)sum;
    }
    for (int64_t i = 0; i < n; i++)
        radius = fmax(radius, kernel[i * n + i]);
    for (int64_t e = 0; e < n * n; e++)
        kernel[e] += radius;
    return radius;
}

static void assert_graph(const drawn *g, const weft_side *side, double tolerance)
{
    double kernel[LIMIT * LIMIT];
    double radius = make_kernel(g, kernel);
    assert_kernel(side, kernel, tolerance * radius);
    assert_true(fabs(weft_side_radius(side) - 2 * radius) <= tolerance * radius);
    assert_true(weft_side_radius(side) == 2 * side->constant);
}

static void random_graphs_give_the_pdlaplacian(void **state)
{
    const double weights[][2] = {{1, 1}, {0.01, 100}, {1e-300, 1e-299}, {1e300, 1e301}};
    dice d = {31};
    drawn g;
    for (int64_t n = 2; n <= LIMIT; n += 7) {
        for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
            weft_side *side = NULL;
            draw_connected(&d, n, weights[k][0], weights[k][1], &g);
            assert_int_equal(weft_side_from_graph(&g.graph, NULL, &side, NULL), WEFT_OK);
            assert_string_equal(weft_side_kind(side), "graph");
            assert_int_equal(weft_side_graph(side).joined, 0);
            assert_graph(&g, side, 1e-11);
            weft_side_free(side);
        }
    }
}

/* A path of n vertices: L^+_ii = (i^2 + (n-1-i)^2 + ...) has the closed form
 * ((n+1)(2n+1) - 6 n a + 6 a (a-1)) / (6n) with a = i + 1. */
static void a_path_has_its_closed_form(void **state)
{
    enum { N = 200 };
    int64_t from[N], to[N];
    for (int k = 0; k + 1 < N; k++) {
        from[k] = k;
        to[k] = k + 1;
    }
    weft_graph path = {.vertices = N, .edges = N - 1, .from = from, .to = to};
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_graph(&path, NULL, &side, NULL), WEFT_OK);
    for (int i = 0; i < N; i++) {
        double a = i + 1, n = N;
        double expected = ((n + 1) * (2 * n + 1) - 6 * n * a + 6 * a * (a - 1)) / (6 * n);
        assert_true(fabs(weft_side_entry(side, i, i) - side->constant - expected) < 1e-9);
    }
    /* R_L is at most the diameter. */
    assert_true(side->constant <= N - 1);
    weft_side_free(side);
}

/* Effective resistance: K_ii + K_jj - 2 K_ij, 1/w for a single edge. */
static void two_vertices_and_one_edge(void **state)
{
    drawn g;
    weft_side *side = NULL;
    begin(&g, 2);
    add_edge(&g, 0, 1, 4);
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0.125, 0, 0, 0.125}, 1e-17);
    assert_true(weft_side_radius(side) == 0.125 && side->constant == 0.0625);
    weft_side_free(side);
}

static void repeated_edges_and_loops_change_nothing(void **state)
{
    dice d = {33};
    drawn g;
    weft_side *once = NULL, *twice = NULL;
    draw_connected(&d, 12, 0.1, 10, &g);
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &once, NULL), WEFT_OK);
    add_edge(&g, g.to[3], g.from[3], g.weight[3]);
    add_edge(&g, 5, 5, 2);
    add_edge(&g, 5, 5, 3);
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &twice, NULL), WEFT_OK);
    assert_int_equal(weft_side_graph(twice).loops, 2);
    double *kernel = side_kernel(once);
    assert_kernel(twice, kernel, 0);
    free(kernel);
    weft_side_free(once);
    weft_side_free(twice);
}

/* Components {0,3}, {1}, {2,4,5}: joined by 0-1 and 0-2. */
static void components_are_joined_as_a_star(void **state)
{
    drawn g;
    weft_side *side = NULL;
    weft_error error = {0};
    begin(&g, 6);
    add_edge(&g, 3, 0, 2);
    add_edge(&g, 5, 4, 0.5);
    add_edge(&g, 4, 2, 3);
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 0, 1, "no path between vertices 0 and 1");
    assert_null(side);
    g.graph.connect = true;
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_graph(side).joined, 2);
    add_edge(&g, 0, 1, 1);
    add_edge(&g, 0, 2, 1);
    assert_graph(&g, side, 1e-12);
    weft_side_free(side);
}

static void a_graph_without_edges_is_a_star(void **state)
{
    weft_side *side = NULL;
    drawn g;
    weft_graph empty = {.vertices = 5, .connect = true};
    assert_int_equal(weft_side_from_graph(&empty, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_graph(side).joined, 4);
    begin(&g, 5);
    for (int v = 1; v < 5; v++)
        add_edge(&g, 0, v, 1);
    assert_graph(&g, side, 1e-13);
    weft_side_free(side);
}

static void assert_refused(const weft_graph *graph, const weft_side_options *options, weft_error *error)
{
    weft_side *side = NULL;
    assert_int_not_equal(weft_side_from_graph(graph, options, &side, error), WEFT_OK);
    assert_null(side);
}

static void wrong_edges_are_named(void **state)
{
    const struct {
        int64_t from, to;
        double weight;
        int64_t at[2];
        const char *words;
    } wrong[] = {
        {0, 3, 1, {2, -1}, "edge 2 has vertex 3; expected 0 to 2"},
        {-1, 0, 1, {2, -1}, "edge 2 has vertex -1"},
        {0, 2, 0, {2, -1}, "weight 0; expected a positive number"},
        {0, 2, -1, {2, -1}, "weight -1"},
        {0, 2, NAN, {2, -1}, "weight nan"},
        {0, 2, INFINITY, {2, -1}, "weight inf"},
        {2, 1, 7, {2, 1}, "edge 2 from 2 to 1 has weight 7, but edge 1 gave it 1"},
        {1, 2, 7, {2, 1}, "but edge 1 gave it 1"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        drawn g;
        weft_error error = {0};
        begin(&g, 3);
        add_edge(&g, 0, 1, 1);
        add_edge(&g, 1, 2, 1);
        add_edge(&g, wrong[k].from, wrong[k].to, wrong[k].weight);
        assert_refused(&g.graph, NULL, &error);
        assert_failure(&error, WEFT_INPUT, wrong[k].at[0], wrong[k].at[1], wrong[k].words);
    }
}

static void wrong_graphs_are_refused(void **state)
{
    drawn g;
    weft_error error = {0};
    assert_refused(&(weft_graph){.vertices = 1, .connect = true}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "kernel of a single one is zero");
    assert_refused(&(weft_graph){.vertices = 3, .edges = 1}, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "graph->from is NULL");
    assert_refused(&(weft_graph){.vertices = 3, .edges = -1}, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "there are -1 edges");
    begin(&g, 3);
    add_edge(&g, 0, 1, 1e-300);
    add_edge(&g, 1, 2, 1e300);
    assert_refused(&g.graph, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 2, "weights differ so much");
    g.weight[1] = 1e-300;
    assert_refused(&g.graph, &(weft_side_options){.radius = 1}, &error);
    assert_failure(&error, WEFT_INPUT, 0, 0, "above the squared radius");
    assert_refused(&g.graph, &(weft_side_options){.inductive = true}, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "give its radius");
}

static void a_new_vertex_can_only_be_alone(void **state)
{
    drawn g;
    weft_side *side = NULL;
    weft_error error = {0};
    begin(&g, 2);
    add_edge(&g, 0, 1, 1);
    assert_int_equal(weft_side_from_graph(&g.graph, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, &error), WEFT_UNSUPPORTED);
    assert_failure(&error, WEFT_UNSUPPORTED, -1, -1, "graph: the kernel depends on all ids at once");
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, 1e-16);
    weft_side_free(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = {
        .vertices = 4, .edges = 1, .from = (int64_t[]){0}, .to = (int64_t[]){2}, .connect = true};
    return weft_side_from_graph(&graph, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    const weft_item items[] = {{.alone = true}, {.alone = true}};
    assert_maker_survives(make, 6);
    assert_append_survives(make, items, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_give_the_pdlaplacian),
        cmocka_unit_test(a_path_has_its_closed_form),
        cmocka_unit_test(two_vertices_and_one_edge),
        cmocka_unit_test(repeated_edges_and_loops_change_nothing),
        cmocka_unit_test(components_are_joined_as_a_star),
        cmocka_unit_test(a_graph_without_edges_is_a_star),
        cmocka_unit_test(wrong_edges_are_named),
        cmocka_unit_test(wrong_graphs_are_refused),
        cmocka_unit_test(a_new_vertex_can_only_be_alone),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
