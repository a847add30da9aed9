/* SPDX-License-Identifier: MIT
 * A graph without a kernel: K = I, and edges for those who use them. */
#include "support/test.h"

#include "side/graph/links.h"
#include "side/kinds/none.h"
#include "side/side.h"
#include "support/alloc.h"
#include "support/side_checks.h"

/* 0 - 1 - 2   3 - 4   5, a loop and an edge told twice. */
enum { N = 6 };

static const int64_t from[] = {0, 1, 3, 2, 4}, to[] = {1, 2, 4, 2, 3};
static const double weight[] = {1, 3, 2, 5, 2};
static const weft_graph pieces = {
    .vertices = N, .edges = 5, .from = from, .to = to, .weight = weight, .kernel = WEFT_NO_KERNEL};

static weft_side *make_side(weft_graph graph, const weft_side_options *options)
{
    weft_side *side = NULL;
    weft_error error = {0};
    if (weft_side_from_graph(&graph, options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static weft_status make_pieces(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft_side_from_graph(&pieces, options, side, error);
}

static double *identity_of(int64_t count)
{
    double *kernel = calloc((size_t)(count * count), sizeof *kernel);
    for (int64_t i = 0; i < count; i++)
        kernel[i * count + i] = 1;
    return kernel;
}

/* Whatever else is asked for, and however large a graph is taken to be. */
static void the_kernel_is_the_identity(void **state)
{
    double *identity = identity_of(N);
    for (int k = 0; k < 12; k++) {
        weft_graph graph = pieces;
        weft_side_options options = {.graph_path = (weft_graph_path)(k % 3)};
        graph.connect = k % 2 == 0;
        graph.normalised = k >= 3;
        graph.unit = k >= 6;
        graph.parameter = k == 7 ? -1 : 0;
        weft_side *side = make_side(graph, &options);
        assert_kernel(side, identity, 0);
        assert_string_equal(weft_side_kind(side), "graph");
        assert_true(weft_side_radius(side) == 1 && side->constant == 0 && side->blur == 0);
        assert_true(side->uniform && side->supremum == 1 && side->solve_work == 0);
        assert_true(weft__side_is_identity(side));
        weft_side_free(side);
    }
    free(identity);
}

static void what_is_told_of_it(void **state)
{
    weft_side *side = make_side(pieces, NULL);
    weft_graph_facts facts = weft_side_graph(side);
    assert_true(facts.no_kernel && !facts.is_paper && !facts.iterative);
    assert_int_equal(facts.components, 3);
    assert_int_equal(facts.joined, 0);
    assert_int_equal(facts.loops, 1);
    weft_side_free(side);
    weft_graph other = pieces;
    for (int kernel = WEFT_PDLAPLACIAN; kernel < WEFT_NO_KERNEL; kernel++) {
        other.kernel = (weft_graph_kernel)kernel;
        other.parameter = 1;
        other.connect = true;
        side = make_side(other, NULL);
        assert_false(weft_side_graph(side).no_kernel);
        assert_false(weft__side_is_identity(side));
        weft_side_free(side);
    }
}

/* The same as beside a kernel of the same edges. */
static void its_links(void **state)
{
    weft_graph other = pieces;
    other.kernel = WEFT_PDLAPLACIAN;
    other.connect = true;
    weft_side *side = make_side(pieces, NULL), *with = make_side(other, NULL);
    for (int64_t i = 0; i < N; i++) {
        int64_t count = -1, expected = -2;
        const weft__link *found = weft__side_links(side, i, &count),
                         *links = weft__side_links(with, i, &expected);
        assert_non_null(found);
        assert_int_equal(count, expected);
        assert_int_equal(count, i < 3 ? 2 : i < 5 ? 1 : 0);
        for (int64_t k = 0; k < count; k++)
            assert_true(found[k].id == links[k].id && found[k].weight == links[k].weight);
    }
    weft_side_free(side);
    weft_side_free(with);
}

static void ids_that_come_later_are_alone(void **state)
{
    static const double values[] = {1, 2};
    const weft_item alone = {.alone = true}, known = {.values = values, .length = 2}, class = {.class_of = 1};
    weft_side *side = make_side(pieces, &(weft_side_options){.radius = 3});
    weft_error error = {0};
    assert_int_equal(weft_side_append(side, &alone, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &known, &error), WEFT_UNSUPPORTED);
    assert_failure(&error, WEFT_UNSUPPORTED, -1, -1, "a new id can only be added alone");
    assert_int_equal(weft_side_append(side, &class, &error), WEFT_UNSUPPORTED);
    assert_int_equal(weft_side_append(side, &alone, NULL), WEFT_OK);
    assert_int_equal(weft_side_count(side), N + 2);
    double *identity = identity_of(N + 2);
    assert_kernel(side, identity, 0);
    int64_t count = -1;
    assert_non_null(weft__side_links(side, N + 1, &count));
    assert_int_equal(count, 0);
    assert_true(weft_side_radius(side) == 3);
    free(identity);
    weft_side_free(side);
}

static void a_single_vertex_and_no_edges(void **state)
{
    weft_graph graph = {.vertices = 1, .kernel = WEFT_NO_KERNEL};
    weft_side *side = make_side(graph, NULL);
    assert_true(weft_side_entry(side, 0, 0) == 1);
    assert_int_equal(weft_side_graph(side).components, 1);
    weft_side_free(side);
    graph.vertices = 0;
    weft_error error = {0};
    side = NULL;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, -1, -1, "there are 0 vertices; expected 1 or more");
    assert_null(side);
}

/* There is nothing that finite features could stand for: none,map=hash:N is what is meant. */
static void no_feature_map(void **state)
{
    const weft_map maps[] = {{.hash = 4}, {.eigen = 2}, {.eigen = 2, .hash = 3}, {.fourier = 4}, {0}};
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        weft_side *side = NULL;
        weft_error error = {0};
        const weft_side_options options = {.map = &maps[k]};
        assert_int_equal(weft_side_from_graph(&pieces, &options, &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1,
                       "there is no kernel that a feature map could stand for");
        assert_null(side);
    }
    weft_side *side = make_side(pieces, NULL);
    assert_int_equal(weft_side_dimension(side), 0);
    weft_side_free(side);
}

static void edges_are_checked(void **state)
{
    const int64_t beyond[] = {1, 2, N, 2, 3};
    const double twice[] = {1, 3, 2, 5, 7}, negative[] = {1, -3, 2, 5, 2};
    const weft_graph wrong[] = {
        {.vertices = N, .edges = 5, .from = from, .to = beyond, .kernel = WEFT_NO_KERNEL},
        {.vertices = N, .edges = 5, .from = from, .to = to, .weight = twice, .kernel = WEFT_NO_KERNEL},
        {.vertices = N, .edges = 5, .from = from, .to = to, .weight = negative, .kernel = WEFT_NO_KERNEL},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_side *side = NULL;
        weft_error error = {0};
        assert_int_equal(weft_side_from_graph(&wrong[k], NULL, &side, &error), WEFT_INPUT);
        assert_null(side);
    }
}

/* An identity that is added makes 2 I of it, which is no longer K = I. */
static void with_an_identity(void **state)
{
    weft_side *side = make_side(pieces, NULL), *more = NULL;
    assert_int_equal(weft_side_with_identity(side, 1, NULL, &more, NULL), WEFT_OK);
    double *twice = identity_of(N);
    for (int64_t k = 0; k < N * N; k++)
        twice[k] *= 2;
    assert_kernel(more, twice, 0);
    assert_true(weft_side_graph(more).no_kernel && !weft__side_is_identity(more));
    free(twice);
    weft_side_free(more);
    weft_side_free(side);
}

static void every_allocation_may_fail(void **state)
{
    const weft_item items[] = {{.alone = true}, {.alone = true}};
    assert_maker_survives(make_pieces, 8);
    assert_append_survives(make_pieces, items, 2);
}

/* There is nothing to invert: a million vertices take their links and next to no time. */
static void nothing_is_paid_for_a_kernel(void **state)
{
    enum { MANY = 20000 };
    static int64_t a[MANY], b[MANY];
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    for (int64_t k = 0; k < MANY; k++) {
        a[k] = k;
        b[k] = (k * 7919 + 1) % MANY;
    }
    const weft_graph graph = {.vertices = MANY, .edges = MANY, .from = a, .to = b, .kernel = WEFT_NO_KERNEL};
    weft_side *side = make_side(graph, &(weft_side_options){.memory = &memory});
    assert_int_equal(side->ops->vectors, 1);
    assert_true(alloc.peak < (int64_t)MANY * (8 * (WEFT__LINKS + 1) + 200));
    assert_true(weft_side_entry(side, MANY - 1, MANY - 1) == 1 && weft_side_entry(side, 0, 1) == 0);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_is_the_identity),
        cmocka_unit_test(what_is_told_of_it),
        cmocka_unit_test(its_links),
        cmocka_unit_test(ids_that_come_later_are_alone),
        cmocka_unit_test(a_single_vertex_and_no_edges),
        cmocka_unit_test(no_feature_map),
        cmocka_unit_test(edges_are_checked),
        cmocka_unit_test(with_an_identity),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nothing_is_paid_for_a_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
