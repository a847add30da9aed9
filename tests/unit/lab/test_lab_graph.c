/* SPDX-License-Identifier: MIT
 * Graphs of the laboratory against their definitions: components, cuts and the ideal
 * graph are worked out a second time, in another way. */
#include "unit/test_core_support.h"

#include "lab/problem/graph.h"
#include "support/dice.h"

enum { MOST = 40 };

static bool joined(const lab_graph *graph, int64_t i, int64_t j)
{
    return graph->edge[i * graph->vertices + j] == 1;
}

static void assert_is_graph(const lab_graph *graph)
{
    for (int64_t i = 0; i < graph->vertices; i++) {
        assert_false(joined(graph, i, i));
        for (int64_t j = 0; j < graph->vertices; j++) {
            assert_true(graph->edge[i * graph->vertices + j] <= 1);
            assert_true(joined(graph, i, j) == joined(graph, j, i));
        }
    }
}

/* The least vertex that each one is connected with: labels fall along edges until none does. */
static int64_t label_components(const lab_graph *graph, int64_t label[MOST])
{
    int64_t count = 0;
    bool moved = true;
    for (int64_t i = 0; i < graph->vertices; i++)
        label[i] = i;
    while (moved) {
        moved = false;
        for (int64_t i = 0; i < graph->vertices; i++)
            for (int64_t j = 0; j < graph->vertices; j++)
                if (joined(graph, i, j) && label[j] < label[i]) {
                    label[i] = label[j];
                    moved = true;
                }
    }
    for (int64_t i = 0; i < graph->vertices; i++)
        count += label[i] == i;
    return count;
}

static int64_t count_edges(const lab_graph *graph)
{
    int64_t twice = 0;
    for (int64_t k = 0; k < graph->vertices * graph->vertices; k++)
        twice += graph->edge[k];
    return twice / 2;
}

static lab_graph copy_graph(const lab_graph *graph)
{
    size_t size = (size_t)(graph->vertices * graph->vertices);
    lab_graph copy = {.vertices = graph->vertices, .edge = malloc(size)};
    memcpy(copy.edge, graph->edge, size);
    return copy;
}

static void throw_classes(dice *d, int64_t count, int64_t k, int64_t *class_of)
{
    for (int64_t i = 0; i < count; i++)
        class_of[i] = dice_below(d, k);
}

/* ---- The ideal graph ---- */

/* The first vertex of class c, or -1. */
static int64_t first_of(int64_t count, const int64_t *class_of, int64_t c)
{
    for (int64_t i = 0; i < count; i++)
        if (class_of[i] == c)
            return i;
    return -1;
}

static bool is_ideal_edge(int64_t count, int64_t k, const int64_t *class_of, const int64_t pair[2])
{
    int64_t a = class_of[pair[0]], b = class_of[pair[1]], centre = 0;
    while (centre < k && first_of(count, class_of, centre) < 0)
        centre++;
    if (a == b)
        return true;
    return (a == centre || b == centre) && first_of(count, class_of, a) == pair[0] &&
           first_of(count, class_of, b) == pair[1];
}

static void the_ideal_graph_is_a_star_of_cliques(void **state)
{
    dice d = {11};
    for (int trial = 0; trial < 60; trial++) {
        int64_t n = 1 + dice_below(&d, MOST), k = 1 + dice_below(&d, 9), class_of[MOST], label[MOST];
        int64_t occurring = 0;
        throw_classes(&d, n, k, class_of);
        for (int64_t c = 0; c < k; c++)
            occurring += first_of(n, class_of, c) >= 0;
        lab_graph graph = lab_graph_ideal(n, k, class_of);
        assert_int_equal(graph.vertices, n);
        assert_is_graph(&graph);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (i != j)
                    assert_true(joined(&graph, i, j) == is_ideal_edge(n, k, class_of, (int64_t[]){i, j}));
        assert_int_equal(label_components(&graph, label), 1);
        assert_int_equal(lab_graph_cut(&graph, class_of), occurring - 1);
        lab_graph_free(&graph);
        assert_null(graph.edge);
    }
}

/* ---- Noise ---- */

enum { PAIRS = 12 * 11 / 2 };

static void flips_happen_with_their_probability(void **state)
{
    enum { N = 12, DRAWS = 300 };
    const double beta[] = {0, 0.03125, 0.25, 0.5, 1};
    int64_t class_of[N];
    dice d = {12};
    throw_classes(&d, N, 3, class_of);
    lab_graph ideal = lab_graph_ideal(N, 3, class_of);
    for (int b = 0; b < 5; b++) {
        lab_random random = lab_random_begin(1, "flip", b, 0);
        double deviation = sqrt(beta[b] * (1 - beta[b])), all = 0;
        int64_t turned[N][N] = {{0}};
        for (int t = 0; t < DRAWS; t++) {
            lab_graph graph = copy_graph(&ideal);
            lab_graph_flip(&graph, beta[b], &random);
            assert_is_graph(&graph);
            for (int64_t i = 0; i < N; i++)
                for (int64_t j = 0; j < i; j++)
                    turned[i][j] += joined(&graph, i, j) != joined(&ideal, i, j);
            free(graph.edge);
        }
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < i; j++) {
                assert_near((double)turned[i][j], beta[b] * DRAWS, 4.5 * deviation * sqrt(DRAWS));
                all += (double)turned[i][j];
            }
        assert_near(all, beta[b] * DRAWS * PAIRS, 4 * deviation * sqrt(DRAWS * PAIRS));
    }
    lab_graph_free(&ideal);
}

/* Two flips of one graph are independent: both happen with beta^2. */
static void flips_are_independent(void **state)
{
    enum { DRAWS = 4000 };
    lab_random random = lab_random_begin(2, "flip", 0, 0);
    unsigned char nothing[16] = {0};
    double both[3] = {0};
    for (int t = 0; t < DRAWS; t++) {
        lab_graph empty = {.vertices = 4, .edge = nothing}, graph = copy_graph(&empty);
        lab_graph_flip(&graph, 0.5, &random);
        both[0] += joined(&graph, 1, 0) && joined(&graph, 2, 0);
        both[1] += joined(&graph, 1, 0) && joined(&graph, 3, 2);
        both[2] += joined(&graph, 3, 1) && joined(&graph, 3, 2);
        free(graph.edge);
    }
    for (int k = 0; k < 3; k++)
        assert_near(both[k], DRAWS / 4.0, 4 * sqrt(DRAWS * 3 / 16.0));
}

static void drawn_edges_know_the_classes(void **state)
{
    enum { N = MOST, DRAWS = 20 };
    const double beta[] = {0, 0.125, 0.5, 1};
    int64_t class_of[N];
    dice d = {13};
    throw_classes(&d, N, 4, class_of);
    for (int b = 0; b < 4; b++) {
        double inside = 0, inside_pairs = 0, across = 0, across_pairs = 0, p = beta[b];
        lab_random random = lab_random_begin(3, "drawn", b, 0);
        for (int t = 0; t < DRAWS; t++) {
            lab_graph graph = lab_graph_drawn(N, class_of, p, &random);
            assert_is_graph(&graph);
            for (int64_t i = 0; i < N; i++)
                for (int64_t j = 0; j < i; j++) {
                    bool same = class_of[i] == class_of[j], edge = joined(&graph, i, j);
                    inside += same && edge, inside_pairs += same;
                    across += !same && edge, across_pairs += !same;
                }
            lab_graph_free(&graph);
        }
        assert_near(inside, (1 - p) * inside_pairs, 4 * sqrt(p * (1 - p) * inside_pairs));
        assert_near(across, p * across_pairs, 4 * sqrt(p * (1 - p) * across_pairs));
    }
}

/* ---- Joining ---- */

static lab_graph throw_graph(dice *d, int64_t n, double density)
{
    lab_graph graph = {.vertices = n, .edge = calloc((size_t)(n * n), 1)};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            graph.edge[i * n + j] = graph.edge[j * n + i] = dice_chance(d, density);
    return graph;
}

/* One component; every old edge is there; c - 1 new ones, each between components of old. */
static void assert_joined(const lab_graph *graph, const lab_graph *old)
{
    int64_t before[MOST], after[MOST], count = label_components(old, before), new_edges = 0;
    assert_is_graph(graph);
    assert_int_equal(label_components(graph, after), 1);
    for (int64_t i = 0; i < old->vertices; i++)
        for (int64_t j = 0; j < i; j++) {
            bool was = joined(old, i, j), is = joined(graph, i, j);
            assert_true(is || !was);
            if (is && !was)
                assert_true(before[i] != before[j]);
            new_edges += is && !was;
        }
    assert_int_equal(new_edges, count - 1);
}

static void joining_makes_one_component_with_the_fewest_edges(void **state)
{
    dice d = {14};
    lab_random random = lab_random_begin(4, "join", 0, 0);
    for (int trial = 0; trial < 100; trial++) {
        lab_graph old = throw_graph(&d, 1 + dice_below(&d, MOST), dice_between(&d, 0, 0.1));
        lab_graph randomly = copy_graph(&old), star = copy_graph(&old);
        int64_t label[MOST];
        lab_graph_join_randomly(&randomly, &random);
        assert_joined(&randomly, &old);
        lab_graph_join_star(&star);
        assert_joined(&star, &old);
        label_components(&old, label);
        for (int64_t i = 1; i < old.vertices; i++)
            assert_true(joined(&star, 0, i) == (joined(&old, 0, i) || label[i] == i));
        lab_graph_free(&randomly);
        lab_graph_free(&star);
        lab_graph_free(&old);
    }
}

/* Vertices 0 1 | 2 3 4: six edges can join them.  Vertices 0 | 1 | 2: three trees. */
static void random_joining_is_alike(void **state)
{
    enum { DRAWS = 3000 };
    lab_random random = lab_random_begin(5, "join", 0, 0);
    unsigned char two[25] = {0}, three[9] = {0};
    double found[5][5] = {{0}}, missing[3] = {0};
    two[1] = two[5] = two[2 * 5 + 3] = two[3 * 5 + 2] = two[3 * 5 + 4] = two[4 * 5 + 3] = 1;
    for (int t = 0; t < DRAWS; t++) {
        lab_graph a = {.vertices = 5, .edge = two}, b = {.vertices = 3, .edge = three};
        lab_graph pair = copy_graph(&a), tree = copy_graph(&b);
        lab_graph_join_randomly(&pair, &random);
        lab_graph_join_randomly(&tree, &random);
        for (int64_t i = 0; i < 2; i++)
            for (int64_t j = 2; j < 5; j++)
                found[i][j] += joined(&pair, i, j);
        missing[0] += !joined(&tree, 1, 2);
        missing[1] += !joined(&tree, 0, 2);
        missing[2] += !joined(&tree, 0, 1);
        free(pair.edge);
        free(tree.edge);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 2; j < 5; j++)
            assert_near(found[i][j], DRAWS / 6.0, 4 * sqrt(DRAWS * 5 / 36.0));
    for (int k = 0; k < 3; k++)
        assert_near(missing[k], DRAWS / 3.0, 4 * sqrt(DRAWS * 2 / 9.0));
}

/* Four vertices alone become a tree of three edges, in which every pair is as likely: 1/2. */
static void every_pair_of_components_is_as_likely(void **state)
{
    enum { DRAWS = 3000 };
    lab_random random = lab_random_begin(6, "join", 0, 0);
    unsigned char nothing[16] = {0};
    double found[4][4] = {{0}};
    for (int t = 0; t < DRAWS; t++) {
        lab_graph alone = {.vertices = 4, .edge = nothing}, tree = copy_graph(&alone);
        lab_graph_join_randomly(&tree, &random);
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < i; j++)
                found[i][j] += joined(&tree, i, j);
        free(tree.edge);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            assert_near(found[i][j], DRAWS / 2.0, 4 * sqrt(DRAWS / 4.0));
}

/* ---- What it is ---- */

static void edges_and_cuts_are_counted(void **state)
{
    dice d = {15};
    for (int trial = 0; trial < 40; trial++) {
        int64_t n = 1 + dice_below(&d, MOST), class_of[MOST], twice = 0;
        lab_graph graph = throw_graph(&d, n, dice_uniform(&d));
        throw_classes(&d, n, 1 + dice_below(&d, 5), class_of);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                twice += joined(&graph, i, j) && class_of[i] != class_of[j];
        assert_int_equal(lab_graph_edges(&graph), count_edges(&graph));
        assert_int_equal(2 * lab_graph_cut(&graph, class_of), twice);
        lab_graph_free(&graph);
    }
}

/* K is the PDLaplacian's kernel iff LK = I - 11'/n, K1 = n R_L 1 and R_L is the largest diagonal of K
 * less R_L: no inverse is needed to say so. */
static void assert_pd_laplacian(const lab_graph *graph, const weft_side *side)
{
    int64_t n = graph->vertices;
    double size = (double)n, largest = 0, radius = weft_side_radius(side) / 2;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++) {
            double product = 0;
            for (int64_t k = 0; k < n; k++)
                if (joined(graph, i, k))
                    product += weft_side_entry(side, i, j) - weft_side_entry(side, k, j);
            assert_near(product, (i == j) - 1 / size, 1e-9);
            sum += weft_side_entry(side, i, j);
        }
        assert_near(sum, size * radius, 1e-9 * size * radius);
        largest = fmax(largest, weft_side_entry(side, i, i));
    }
    assert_near(largest, 2 * radius, 1e-12 * radius);
}

static void the_side_is_its_pd_laplacian(void **state)
{
    dice d = {16};
    for (int trial = 0; trial < 6; trial++) {
        lab_graph graph = throw_graph(&d, 3 + 4 * trial, 0.2);
        weft_side *side = NULL;
        weft_error error = {0};
        lab_graph_join_star(&graph);
        assert_int_equal(lab_graph_side(&graph, &side, &error), WEFT_OK);
        assert_int_equal(weft_side_count(side), graph.vertices);
        assert_pd_laplacian(&graph, side);
        weft_side_free(side);
        lab_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ideal_graph_is_a_star_of_cliques),
        cmocka_unit_test(flips_happen_with_their_probability),
        cmocka_unit_test(flips_are_independent),
        cmocka_unit_test(drawn_edges_know_the_classes),
        cmocka_unit_test(joining_makes_one_component_with_the_fewest_edges),
        cmocka_unit_test(random_joining_is_alike),
        cmocka_unit_test(every_pair_of_components_is_as_likely),
        cmocka_unit_test(edges_and_cuts_are_counted),
        cmocka_unit_test(the_side_is_its_pd_laplacian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
