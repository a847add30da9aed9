/* SPDX-License-Identifier: MIT
 * The nearest vertices of a graph against a slow computation from their definition. */
#include "unit/test_core_support.h"

#include "side/graph/links.h"
#include "support/dice.h"
#include "support/near.h"

enum { MOST = 220 };

/* A graph as a matrix of weights, and as edges. */
typedef struct net {
    int64_t count, edges;
    double weights[MOST * MOST], weight[MOST * MOST];
    bool walked[MOST * MOST];
    int64_t from[MOST * MOST], to[MOST * MOST];
} net;

static void net_open(int64_t count, net *n)
{
    memset(n, 0, sizeof *n);
    n->count = count;
}

static void join(net *n, int64_t i, int64_t j, double weight)
{
    if (i == j || n->weights[i * n->count + j] > 0)
        return;
    n->weights[i * n->count + j] = n->weights[j * n->count + i] = weight;
    n->from[n->edges] = i;
    n->to[n->edges] = j;
    n->weight[n->edges++] = weight;
}

static weft_side *side_of(const net *n, const weft_graph *how, const weft_side_options *options)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_graph graph = *how;
    graph.vertices = n->count;
    graph.edges = n->edges;
    graph.from = n->from;
    graph.to = n->to;
    graph.weight = n->weight;
    if (weft_side_from_graph(&graph, options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static const weft_graph plain = {.kernel = WEFT_PDLAPLACIAN, .connect = true};

/* The same numbers in the same order.  `exact`: sums are, so that equal ones are equal; else those that
 * differ by rounding may be in either order. */
static void assert_links(const net *n, const weft_side *side, int64_t i, bool exact)
{
    near_vertex expected[NEAR_MOST];
    long double bring[MOST], largest = 0;
    int64_t count = -1, wanted = near_find(n->count, n->weights, n->walked, i, expected);
    const weft__link *found = weft__side_links(side, i, &count);
    assert_non_null(found);
    assert_int_equal(count, wanted);
    near_bring(n->count, n->weights, n->walked, i, bring);
    for (int64_t l = 0; l < n->count; l++)
        largest = bring[l] > largest ? bring[l] : largest;
    for (int64_t k = 0; k < count; k++) {
        assert_near((double)found[k].weight, (double)expected[k].weight, 1e-6);
        assert_near((double)found[k].weight, (double)(bring[found[k].id] / largest), 1e-6);
        assert_true(found[k].weight > 0 && found[k].weight <= 1 && found[k].id != i);
        if (exact)
            assert_int_equal(found[k].id, expected[k].id);
        for (int64_t l = 0; l < k; l++)
            assert_true(found[l].id != found[k].id && found[l].weight >= found[k].weight);
    }
}

static void assert_all_links(net *n, const weft_graph *how, const weft_side_options *options, bool exact)
{
    weft_side *side = side_of(n, how, options);
    near_walk(n->count, n->weights, n->walked);
    for (int64_t i = 0; i < n->count; i++)
        assert_links(n, side, i, exact);
    weft_side_free(side);
}

/* With isolated vertices, loops and repeated edges among them. */
static void random_graphs(void **state)
{
    static net n;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        dice d = {seed};
        net_open(1 + dice_below(&d, seed % 5 == 0 ? 120 : 30), &n);
        int64_t edges = dice_below(&d, 1 + n.count * (1 + (int64_t)seed % 4));
        for (int64_t e = 0; e < edges; e++)
            join(&n, dice_below(&d, n.count), dice_below(&d, n.count), dice_log_between(&d, 1e-3, 1e3));
        if (n.edges > 0) { /* the last edge once more, and a loop */
            n.from[n.edges] = n.to[n.edges - 1];
            n.to[n.edges] = n.from[n.edges - 1];
            n.weight[n.edges] = n.weight[n.edges - 1];
            n.edges++;
        }
        n.from[n.edges] = n.to[n.edges] = 0;
        n.weight[n.edges++] = 3;
        weft_graph how = plain;
        how.normalised = seed % 2 == 0;
        how.unit = seed % 3 == 0;
        assert_all_links(&n, &how, NULL, false);
        assert_all_links(&n, &how, &(weft_side_options){.graph_path = WEFT_GRAPH_SPARSE}, false);
    }
}

/* What weights are multiplied by does not matter, however large or small. */
static void scale_changes_nothing(void **state)
{
    static net n, scaled;
    static const double factors[] = {0x1p-900, 0x1p900, 3};
    dice d = {9};
    net_open(40, &n);
    for (int e = 0; e < 120; e++)
        join(&n, dice_below(&d, 40), dice_below(&d, 40), dice_between(&d, 0.5, 2));
    weft_side *side = side_of(&n, &plain, NULL);
    for (int f = 0; f < 3; f++) {
        net_open(40, &scaled);
        for (int64_t e = 0; e < n.edges; e++)
            join(&scaled, n.from[e], n.to[e], factors[f] * n.weight[e]);
        weft_side *other = side_of(
            &scaled, &(weft_graph){.kernel = WEFT_PDLAPLACIAN, .connect = true, .normalised = true}, NULL);
        for (int64_t i = 0; i < 40; i++) {
            int64_t a = 0, b = 0;
            const weft__link *x = weft__side_links(side, i, &a), *y = weft__side_links(other, i, &b);
            assert_int_equal(a, b);
            for (int64_t k = 0; k < a; k++)
                assert_true(x[k].id == y[k].id && fabsf(x[k].weight - y[k].weight) < 1e-6F);
        }
        weft_side_free(other);
    }
    weft_side_free(side);
}

/* On a ring of weight 1 all is exact: the neighbours, then those two steps away at a half; of equals the
 * smaller number first. */
static void ties_go_by_number(void **state)
{
    static net n;
    static const int32_t expected[] = {2, 4, 1, 5};
    int64_t count = 0;
    net_open(12, &n);
    for (int64_t i = 0; i < 12; i++)
        join(&n, i, (i + 1) % 12, 1);
    assert_all_links(&n, &plain, NULL, true);
    weft_side *side = side_of(&n, &plain, NULL);
    const weft__link *found = weft__side_links(side, 3, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++)
        assert_true(found[k].id == expected[k] && found[k].weight == (k < 2 ? 1 : 0.5F));
    weft_side_free(side);
    /* 32 neighbours of one centre, all the same: the first 24 of them, and of each other. */
    net_open(33, &n);
    for (int64_t i = 0; i < 33; i++)
        join(&n, i, 16, 1);
    assert_all_links(&n, &plain, NULL, true);
}

/* Hubs with more edges than are walked: one in the middle of the numbers, and many at once. */
static void hubs_are_walked_in_part(void **state)
{
    static net n;
    static const int64_t degrees[] = {63, 64, 65, 100, 127, 128, 129, 200};
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
        dice d = {k};
        net_open(degrees[k] + 1, &n);
        for (int64_t i = 0; i < n.count; i++)
            join(&n, 7, i, dice_between(&d, 0.5, 2));
        for (int64_t e = 0; e < 2 * n.count; e++)
            join(&n, dice_below(&d, n.count), dice_below(&d, n.count), dice_between(&d, 0.5, 2));
        assert_all_links(&n, &plain, NULL, false);
        for (int64_t i = 0; i < n.count; i++)
            for (int64_t j = 0; j < i; j++)
                join(&n, i, j, dice_between(&d, 0.5, 2));
        assert_all_links(&n, &plain, NULL, false);
    }
}

/* ---- What is no graph ---- */

static void assert_no_links(const weft_side *side)
{
    for (int64_t i = 0; i < 4; i++) {
        int64_t count = -1;
        assert_null(weft__side_links(side, i, &count));
        assert_int_equal(count, 0);
    }
}

/* Small graphs with a kernel of their own are described by it: they have facts, and no links. */
static void other_sides_have_none(void **state)
{
    static net n;
    static const double kernel[] = {2, 1, 1, 2}, values[] = {1, 2, 3, 4};
    static const int64_t class_of[] = {0, 1};
    weft_side *sides[4] = {NULL};
    weft_features features = {2, 2, values, WEFT_GAUSSIAN, 1};
    assert_int_equal(weft_side_none(2, NULL, &sides[0], NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(2, class_of, 0.1, NULL, &sides[1], NULL), WEFT_OK);
    assert_int_equal(weft_side_from_kernel(2, kernel, NULL, &sides[2], NULL), WEFT_OK);
    assert_int_equal(weft_side_from_features(&features, NULL, &sides[3], NULL), WEFT_OK);
    for (int k = 0; k < 4; k++) {
        assert_no_links(sides[k]);
        weft_side_free(sides[k]);
    }
    net_open(6, &n);
    for (int64_t i = 0; i < 5; i++)
        join(&n, i, i + 1, 1);
    for (int kind = 0; kind < 2; kind++) {
        weft_graph how = {.kernel = kind == 0 ? WEFT_REGULARISED : WEFT_DIFFUSION, .parameter = 1};
        weft_side *side = side_of(&n, &how, NULL);
        assert_no_links(side);
        weft_side_free(side);
        assert_all_links(&n, &how, &(weft_side_options){.graph_path = WEFT_GRAPH_SPARSE}, true);
    }
}

/* Through an identity the graph is seen; ids that came later, or are not there, have no neighbours. */
static void newcomers_and_identities(void **state)
{
    static net n;
    weft_side *identity = NULL;
    net_open(6, &n);
    for (int64_t i = 0; i < 4; i++)
        join(&n, i, i + 1, 1);
    weft_side *side = side_of(&n, &plain, NULL);
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_int_equal(weft_side_with_identity(side, 0.5, NULL, &identity, NULL), WEFT_OK);
    for (int64_t i = 5; i < 9; i++) {
        int64_t count = -1;
        assert_non_null(weft__side_links(side, i, &count));
        assert_int_equal(count, 0);
    }
    for (int64_t i = 0; i < 9; i++) {
        int64_t a = -1, b = -1;
        assert_ptr_equal(weft__side_links(side, i, &a), weft__side_links(identity, i, &b));
        assert_int_equal(a, b);
    }
    weft_side_free(identity);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),         cmocka_unit_test(scale_changes_nothing),
        cmocka_unit_test(ties_go_by_number),     cmocka_unit_test(hubs_are_walked_in_part),
        cmocka_unit_test(other_sides_have_none), cmocka_unit_test(newcomers_and_identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
