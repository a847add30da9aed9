/* SPDX-License-Identifier: MIT
 * Kernels of graphs without a matrix: which way is taken, refusals, threads, memory.  (That the
 * kernels are right is in test_side_graph_kernels.c, where half of the graphs go this way.) */
#include "support/test.h"

#include "side/graph/graph.h"
#include "support/alloc.h"
#include "support/dice.h"
#include "support/naive.h"
#include "support/side_checks.h"

#include <pthread.h>

/* 0 - 1   2 - 3 - 4   5: three components, one of a single vertex. */
static const int64_t from[] = {0, 2, 3}, to[] = {1, 3, 4};
static const weft_graph pieces = {.vertices = 6, .edges = 3, .from = from, .to = to};

static weft_side *make_side(weft_graph graph, weft_side_options options)
{
    weft_side *side = NULL;
    weft_error error = {0};
    if (weft_side_from_graph(&graph, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

/* Above a budget of 1 byte, which every factor is, by iteration; 0 is the default. */
static void assert_refusals(int64_t budget)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_graph graph = {.vertices = 3, .edges = 2, .from = (int64_t[]){0, 1}, .to = (int64_t[]){1, 2}};
    weft_side_options options = {.graph_path = WEFT_GRAPH_SPARSE, .graph_budget = budget};
    graph.weight = (double[]){1e-300, 1e300};
    assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_INPUT);
    if (strstr(error.message, "weights differ so much") == NULL)
        fail_msg("%s", error.message);
    graph.weight = NULL;
    graph.kernel = WEFT_REGULARISED;
    for (int k = 0; k < 2; k++) {
        graph.parameter = k == 0 ? 1e18 : 1e308;
        assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, "is too large for these weights");
    }
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = 1e9;
    assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "is too long");
    assert_null(side);
}

static void refusals(void **state)
{
    assert_refusals(0);
    assert_refusals(1);
}

/* 4000 vertices, 20000 random edges: the factor takes 100 MB, whatever the ordering. */
static void the_budget_decides(void **state)
{
    enum { N = 2000, EDGES = 10000 };
    static int64_t a[EDGES], b[EDGES];
    dice d = {91};
    for (int64_t k = 0; k < EDGES; k++) {
        a[k] = dice_below(&d, N);
        b[k] = dice_below(&d, N);
    }
    weft_graph graph = {.vertices = N, .edges = EDGES, .from = a, .to = b};
    weft_side_options options = {.graph_path = WEFT_GRAPH_SPARSE};
    graph.kernel = WEFT_REGULARISED;
    graph.parameter = 3;
    graph.unit = true;
    weft_side *factored = make_side(graph, options);
    options.graph_budget = INT64_C(3) << 20;
    weft_side *iterated = make_side(graph, options);
    assert_false(weft_side_graph(factored).iterative);
    assert_true(weft_side_graph(iterated).iterative);
    for (int k = 0; k < 20; k++) {
        int64_t i = dice_below(&d, N), e = dice_below(&d, EDGES);
        assert_true(fabs(weft_side_entry(factored, a[e], i) - weft_side_entry(iterated, a[e], i)) < 1e-13);
        assert_true(fabs(weft_side_entry(factored, a[e], b[e]) - weft_side_entry(iterated, a[e], b[e])) <
                    1e-13);
    }
    graph.kernel = WEFT_DIFFUSION;
    weft_side *diffused = make_side(graph, options);
    assert_false(weft_side_graph(diffused).iterative);
    weft_side_free(factored);
    weft_side_free(iterated);
    weft_side_free(diffused);
}

/* Above the limit nothing is stored, unless it is asked for; at the limit it is. */
static void the_size_decides(void **state)
{
    enum { N = WEFT__GRAPH_DENSE_LIMIT + 1 };
    static int64_t a[N], b[N];
    for (int64_t k = 0; k < N; k++) {
        a[k] = k;
        b[k] = (k + 1) % N;
    }
    weft_graph ring = {.vertices = N, .edges = N, .from = a, .to = b};
    weft_side *side = make_side(ring, (weft_side_options){0});
    assert_true(side->blur > 0);
    /* L^+_ii of a ring of n is (n^2 - 1) / (12 n). */
    double expected = ((double)N * N - 1) / (12.0 * N);
    assert_true(fabs(side->constant / expected - 1) < 1e-9);
    assert_true(fabs(weft_side_entry(side, 5, 5) / (2 * expected) - 1) < 1e-9);
    /* Half way round: L^+_ij = -(n^2 + 2) / (24 n) for even n, nearly so for odd. */
    assert_true(fabs((weft_side_entry(side, 0, N / 2) - side->constant) * 24 / N + 1) < 1e-6);
    weft_side_free(side);
    weft_graph small = pieces;
    small.connect = true;
    side = make_side(small, (weft_side_options){0});
    assert_true(side->blur == 0);
    weft_side_free(side);
}

typedef struct reader {
    const weft_side *side;
    double *out, *work;
} reader;

enum { RING = 200 };

static void *read_columns(void *argument)
{
    reader *own = argument;
    int64_t ids[RING];
    for (int64_t k = 0; k < RING; k++)
        ids[k] = k;
    for (int64_t i = 0; i < RING; i++)
        own->side->ops->column(own->side, i, ids, RING, own->out + i * RING, own->work);
    return NULL;
}

/* A side is shared by threads, also while it finds out what its diagonal is. */
static void share(weft_graph_kernel kernel)
{
    enum { THREADS = 3 };
    int64_t a[RING], b[RING];
    pthread_t threads[THREADS];
    reader readers[THREADS];
    for (int64_t k = 0; k < RING; k++) {
        a[k] = k;
        b[k] = (k * 7 + 1) % RING;
    }
    weft_graph graph = {.vertices = RING, .edges = RING, .from = a, .to = b, .kernel = kernel};
    graph.parameter = 3;
    graph.unit = true;
    weft_side *side =
        make_side(graph, (weft_side_options){.graph_path = WEFT_GRAPH_SPARSE, .graph_budget = 1});
    for (int k = 0; k < THREADS; k++) {
        readers[k] = (reader){side, naive_new(RING * RING, sizeof(double)),
                              naive_new(weft__side_work(side), sizeof(double))};
        assert_int_equal(pthread_create(&threads[k], NULL, read_columns, &readers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        assert_memory_equal(readers[k].out, readers[0].out, RING * RING * sizeof(double));
        free(readers[k].work);
    }
    for (int k = 0; k < THREADS; k++)
        free(readers[k].out);
    weft_side_free(side);
}

static void threads_share_a_side(void **state)
{
    share(WEFT_DIFFUSION);
    share(WEFT_REGULARISED);
}

/* ---- Memory ---- */

static weft_status make_with(int64_t budget, weft_graph_kernel kernel, bool unit,
                             const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = pieces;
    weft_side_options sparse = options != NULL ? *options : (weft_side_options){0};
    sparse.graph_path = WEFT_GRAPH_SPARSE;
    sparse.graph_budget = budget;
    graph.kernel = kernel;
    graph.parameter = 2;
    graph.connect = true;
    graph.unit = unit;
    return weft_side_from_graph(&graph, &sparse, side, error);
}

static weft_status make_sparse(weft_graph_kernel kernel, bool unit, const weft_side_options *options,
                               weft_side **side, weft_error *error)
{
    return make_with(0, kernel, unit, options, side, error);
}

static weft_status make_sparse_pdlaplacian(const weft_side_options *options, weft_side **side,
                                           weft_error *error)
{
    return make_sparse(WEFT_PDLAPLACIAN, false, options, side, error);
}

static weft_status make_sparse_regularised(const weft_side_options *options, weft_side **side,
                                           weft_error *error)
{
    return make_sparse(WEFT_REGULARISED, true, options, side, error);
}

static weft_status make_sparse_diffusion(const weft_side_options *options, weft_side **side,
                                         weft_error *error)
{
    return make_sparse(WEFT_DIFFUSION, false, options, side, error);
}

static weft_status make_iterated_pdlaplacian(const weft_side_options *options, weft_side **side,
                                             weft_error *error)
{
    return make_with(1, WEFT_PDLAPLACIAN, true, options, side, error);
}

static weft_status make_iterated_regularised(const weft_side_options *options, weft_side **side,
                                             weft_error *error)
{
    return make_with(1, WEFT_REGULARISED, false, options, side, error);
}

static weft_status make_iterated_unit(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return make_with(1, WEFT_REGULARISED, true, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    assert_maker_survives(make_iterated_pdlaplacian, 25);
    assert_maker_survives(make_iterated_regularised, 25);
    assert_maker_survives(make_iterated_unit, 23);
    assert_maker_survives(make_sparse_pdlaplacian, 25);
    assert_maker_survives(make_sparse_regularised, 20);
    assert_maker_survives(make_sparse_diffusion, 14);
}

static void new_ids_are_alone(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(make_sparse_pdlaplacian(NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, &error), WEFT_UNSUPPORTED);
    assert_failure(&error, WEFT_UNSUPPORTED, -1, -1, "graph: the kernel depends on all ids at once");
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_int_equal(weft_side_count(side), 7);
    double *kernel = side_kernel(side);
    for (int i = 0; i < 6; i++)
        assert_true(kernel[6 * 7 + i] == 0);
    assert_true(kernel[6 * 7 + 6] == weft_side_radius(side));
    assert_kernel(side, kernel, 0);
    free(kernel);
    weft_side_free(side);
}

/* An entry of a large graph needs workspace; without it the answer is NAN, and nothing leaks. */
static void read_without_memory(side_maker *make)
{
    test_alloc alloc;
    weft_side *side = NULL;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    assert_int_equal(make(&(weft_side_options){.memory = &memory}, &side, NULL), WEFT_OK);
    double entry = weft_side_entry(side, 2, 3);
    assert_true(entry > 0);
    test_alloc_arm(&alloc, 0);
    assert_true(isnan(weft_side_entry(side, 2, 3)));
    assert_true(weft_side_entry(side, 2, 2) == 1);
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    assert_true(weft_side_entry(side, 3, 2) == entry);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void an_entry_without_memory(void **state)
{
    read_without_memory(make_sparse_regularised);
    read_without_memory(make_iterated_unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(the_size_decides),
        cmocka_unit_test(the_budget_decides),
        cmocka_unit_test(threads_share_a_side),
        cmocka_unit_test(failing_allocations_leave_nothing),
        cmocka_unit_test(new_ids_are_alone),
        cmocka_unit_test(an_entry_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
