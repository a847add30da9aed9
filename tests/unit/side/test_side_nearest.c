/* SPDX-License-Identifier: MIT
 * The graph of the nearest ids by a kernel against a sort of all cosines. */
#include "unit/test_core_support.h"

#include "side/nearest/nearest.h"
#include "support/alloc.h"
#include "support/dice.h"

enum { MOST = 40 };

/* A Gram matrix of points in the plane, some of them equal or opposite, one of them zero. */
static weft_side *draw_side(dice *d, int64_t count, const weft_memory *memory)
{
    double point[MOST][2], kernel[MOST * MOST];
    weft_side *side = NULL;
    weft_error error = {0};
    const weft_side_options options = {.memory = memory};
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < 2; c++)
            point[i][c] = i == 0 ? 0 : (double)dice_below(d, 7) - 3;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            kernel[i * count + j] = point[i][0] * point[j][0] + point[i][1] * point[j][1];
    kernel[count * count - 1] += 1; /* not all zero */
    if (weft_side_from_kernel(count, kernel, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static double cosine(const weft_side *side, int64_t i, int64_t j)
{
    double length = sqrt(weft_side_entry(side, i, i)) * sqrt(weft_side_entry(side, j, j));
    return length > 0 ? weft_side_entry(side, i, j) / length : 0;
}

/* How many are nearer to i than j is, or as near with a smaller number. */
static int rank_of(const weft_side *side, int64_t count, int64_t i, int64_t j)
{
    int before = 0;
    for (int64_t k = 0; k < count; k++) {
        double gap = k == i || k == j ? -1 : cosine(side, i, k) - cosine(side, i, j);
        before += gap > 1e-9 || (fabs(gap) <= 1e-9 && k < j);
    }
    return before;
}

static void check(const weft_side *side, int64_t count, const weft_graph *graph)
{
    int64_t edge = 0;
    assert_int_equal(graph->vertices, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t wanted = 0, found = 0;
        for (int64_t j = 0; j < count; j++)
            wanted += j != i && cosine(side, i, j) > 1e-9 && rank_of(side, count, i, j) < 2;
        for (; edge < graph->edges && graph->from[edge] == i; edge++, found++) {
            assert_int_equal(rank_of(side, count, i, graph->to[edge]), found);
            assert_true(fabs(graph->weight[edge] - cosine(side, i, graph->to[edge])) < 1e-8);
        }
        assert_int_equal(found, wanted);
    }
    assert_int_equal(edge, graph->edges);
}

static void the_nearest_are_found(void **state)
{
    dice d = {17};
    for (int round = 0; round < 50; round++) {
        int64_t count = 2 + dice_below(&d, MOST - 1);
        weft_side *side = draw_side(&d, count, NULL), *again = NULL;
        weft__nearest nearest;
        weft_graph graph = {0};
        assert_int_equal(weft__nearest_build(side, count, NULL, &nearest, &graph, NULL), WEFT_OK);
        check(side, count, &graph);
        /* An edge that is there in both directions has one weight, to the bit, or no graph takes it. */
        graph.connect = true;
        assert_int_equal(weft_side_from_graph(&graph, NULL, &again, NULL), WEFT_OK);
        weft_side_free(again);
        weft__nearest_free(&nearest);
        weft_side_free(side);
    }
}

/* Only those below `count` are compared, and none is joined with itself. */
static void others_are_left_out(void **state)
{
    dice d = {3};
    weft_side *side = draw_side(&d, 30, NULL);
    weft__nearest nearest;
    weft_graph graph = {0};
    assert_int_equal(weft__nearest_build(side, 10, NULL, &nearest, &graph, NULL), WEFT_OK);
    check(side, 10, &graph);
    for (int64_t k = 0; k < graph.edges; k++)
        assert_true(graph.to[k] < 10 && graph.to[k] != graph.from[k]);
    weft__nearest_free(&nearest);
    weft_side_free(side);
}

static bool stop_at_once(void *context, const char *what, double done)
{
    (void)what, (void)done;
    ++*(int *)context;
    return false;
}

static void a_stop_is_obeyed(void **state)
{
    dice d = {5};
    int calls = 0;
    weft_side *side = draw_side(&d, MOST, NULL);
    weft__nearest nearest;
    weft_graph graph = {.vertices = -1};
    weft__progress progress =
        weft__progress_of(&(weft_progress){.tell = stop_at_once, .context = &calls, .every = 1000});
    assert_int_equal(weft__nearest_build(side, MOST, &progress, &nearest, &graph, NULL), WEFT_INTERRUPTED);
    assert_int_equal(calls, 1);
    assert_int_equal(graph.vertices, -1);
    weft__nearest_free(&nearest);
    weft_side_free(side);
}

static void a_lack_of_memory_is_told(void **state)
{
    test_alloc alloc;
    for (int64_t k = 0, refused = 1; refused > 0; k++) {
        dice d = {9};
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_side *side = draw_side(&d, 12, &memory);
        weft__nearest nearest;
        weft_graph graph = {0};
        test_alloc_arm(&alloc, k);
        weft_status status = weft__nearest_build(side, 12, NULL, &nearest, &graph, NULL);
        refused = alloc.failed;
        assert_int_equal(status, refused ? WEFT_MEMORY : WEFT_OK);
        weft__nearest_free(&nearest);
        weft_side_free(side);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_are_found),
        cmocka_unit_test(others_are_left_out),
        cmocka_unit_test(a_stop_is_obeyed),
        cmocka_unit_test(a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
