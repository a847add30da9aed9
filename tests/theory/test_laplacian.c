/* SPDX-License-Identifier: MIT
 * The PDLaplacian of the preliminaries, from its definition: K = L^+ + R_L 11',
 * R = 2 R_L, both inequalities, R_L <= diameter, tr(R'LR). */
#include "theory/play.h"

enum { MOST = 24 };

typedef struct drawing {
    int64_t n, edges;
    int64_t from[MOST * MOST], to[MOST * MOST];
    double weight[MOST * MOST];
    double l[MOST][MOST]; /* the Laplacian */
    weft_side *side;
    double top; /* R_L */
} drawing;

/* A random tree and some more edges; weights 1, or from 1/4 to 4. */
static void draw_graph(dice *d, bool weighted, drawing *g)
{
    *g = (drawing){.n = 3 + dice_below(d, MOST - 3)};
    for (int64_t i = 1; i < g->n; i++) {
        int64_t parent = dice_below(d, i);
        for (int64_t j = 0; j < i; j++)
            if (j == parent || dice_chance(d, 0.1)) {
                double w = weighted ? dice_log_between(d, 0.25, 4) : 1;
                g->from[g->edges] = i;
                g->to[g->edges] = j;
                g->weight[g->edges++] = w;
                g->l[i][i] += w;
                g->l[j][j] += w;
                g->l[i][j] -= w;
                g->l[j][i] -= w;
            }
    }
    weft_graph graph = {
        .vertices = g->n, .edges = g->edges, .from = g->from, .to = g->to, .weight = g->weight};
    assert_int_equal(weft_side_from_graph(&graph, NULL, &g->side, NULL), WEFT_OK);
    g->top = weft_side_radius(g->side) / 2;
}

/* L^+ is the only symmetric matrix with L L^+ = I - J and L^+ 1 = 0. */
static void check_inverse(const drawing *g)
{
    double largest = 0;
    for (int64_t i = 0; i < g->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < g->n; j++) {
            double product = 0;
            for (int64_t h = 0; h < g->n; h++)
                product += g->l[i][h] * (weft_side_entry(g->side, h, j) - g->top);
            assert_true(fabs(product - ((i == j) - 1.0 / (double)g->n)) < 1e-10);
            assert_true(weft_side_entry(g->side, i, j) == weft_side_entry(g->side, j, i));
            sum += weft_side_entry(g->side, i, j) - g->top;
        }
        assert_true(fabs(sum) < 1e-10 * (double)g->n);
        largest = fmax(largest, weft_side_entry(g->side, i, i) - g->top);
    }
    /* R_L = max L^+_ii, and so R = max K_ii = 2 R_L. */
    assert_true(fabs(largest - g->top) < 1e-12 * largest);
}

static void kernel_and_radius(void **state)
{
    dice d = {1};
    for (int round = 0; round < 50; round++) {
        drawing g;
        draw_graph(&d, round % 2 == 1, &g);
        check_inverse(&g);
        weft_side_free(g.side);
    }
}

static double quadratic_form(const drawing *g, const double *u)
{
    double sum = 0;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->n; j++)
            sum += u[i] * g->l[i][j] * u[j];
    return sum;
}

/* For u in [-1,1]^m and M = L + (1/m)(1/m)'/R_L:
 *     u'Mu R_M <= 2 (u'Lu R_L + 1)   and   u'Lu R_L <= u'Mu R_M / 2. */
static void both_inequalities(void **state)
{
    dice d = {2};
    double closest = INFINITY;
    for (int round = 0; round < 50; round++) {
        drawing g;
        draw_graph(&d, round % 2 == 1, &g);
        for (int draw = 0; draw < 40; draw++) {
            double u[MOST], mean = 0;
            for (int64_t i = 0; i < g.n; i++) {
                u[i] = draw % 2 == 0 ? dice_between(&d, -1, 1) : (dice_chance(&d, 0.95) ? 1 : -1);
                mean += u[i] / (double)g.n;
            }
            double l = quadratic_form(&g, u) * g.top, radius = weft_side_radius(g.side);
            double m = quadratic_form(&g, u) * radius + mean * mean / g.top * radius;
            assert_true(m <= 2 * (l + 1) * (1 + 1e-12));
            assert_true(l <= m / 2 * (1 + 1e-12));
            closest = fmin(closest, 2 * (l + 1) - m);
        }
        weft_side_free(g.side);
    }
    /* The constant vector makes the first one an equality. */
    assert_true(closest < 1e-9);
}

/* The number of edges (their lengths 1/weight) on the longest shortest path. */
static double diameter(const drawing *g)
{
    double distance[MOST][MOST], longest = 0;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->n; j++)
            distance[i][j] = i == j ? 0 : (g->l[i][j] < 0 ? -1 / g->l[i][j] : INFINITY);
    for (int64_t h = 0; h < g->n; h++)
        for (int64_t i = 0; i < g->n; i++)
            for (int64_t j = 0; j < g->n; j++)
                distance[i][j] = fmin(distance[i][j], distance[i][h] + distance[h][j]);
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->n; j++)
            longest = fmax(longest, distance[i][j]);
    return longest;
}

static void radius_is_below_the_diameter(void **state)
{
    dice d = {3};
    for (int round = 0; round < 50; round++) {
        drawing g;
        draw_graph(&d, round % 2 == 1, &g);
        assert_true(g.top <= diameter(&g));
        weft_side_free(g.side);
    }
}

/* tr(R'LR) is twice the weight between classes, and D = 4 R_L of it; the share
 * of D_circ is at most what the theorem writes for PDLaplacians. */
static void cut_between_classes(void **state)
{
    dice d = {4};
    for (int round = 0; round < 50; round++) {
        drawing g;
        int64_t class_of[MOST];
        weft_side_term term;
        double cut = 0, dimension = 0, squares = 0, sizes[3] = {0};
        draw_graph(&d, round % 2 == 1, &g);
        play_draw_classes(&d, g.n, 3, class_of);
        for (int64_t e = 0; e < g.edges; e++)
            cut += class_of[g.from[e]] != class_of[g.to[e]] ? g.weight[e] : 0;
        for (int64_t i = 0; i < g.n; i++)
            sizes[class_of[i]]++;
        for (int r = 0; r < 3; r++)
            squares += sizes[r] * sizes[r];
        assert_int_equal(weft_theory_side(g.side, class_of, &term, NULL), WEFT_OK);
        assert_int_equal(weft_theory_one_set(g.side, class_of, &dimension, NULL), WEFT_OK);
        double trace = 2 * cut + squares / ((double)(g.n * g.n) * g.top);
        assert_true(fabs(term.cut - 2 * cut) < 1e-9 * cut);
        assert_true(fabs(term.trace - 2 * g.top * trace) < 1e-9 * term.trace);
        assert_true(fabs(term.laplacian - 2 * term.trace - 6) < 1e-9 * term.trace);
        assert_true(term.value <= 4 * g.top * 2 * cut + 2 + 1e-9);
        assert_true(fabs(dimension - 4 * g.top * 2 * cut) < 1e-9 * dimension);
        weft_side_free(g.side);
    }
}

/* Section 4.1, "ideal" side information: tr(R'LR) = 2 (k - 1), R_L <= 4. */
static void cliques_in_a_star(void **state)
{
    dice d = {5};
    int64_t class_of[60];
    weft_side_term term;
    for (int64_t k = 2; k <= 8; k++) {
        play_draw_classes(&d, 60, k, class_of);
        weft_side *side = play_cliques(60, k, class_of);
        assert_true(weft_side_radius(side) / 2 <= 4);
        assert_int_equal(weft_theory_side(side, class_of, &term, NULL), WEFT_OK);
        assert_true(fabs(term.cut - 2 * (double)(k - 1)) < 1e-8);
        weft_side_free(side);
    }
}

/* An id that is alone makes a side no PDLaplacian any more: M = blockdiag(L +
 * 11'/(n^2 R_L), 1/R).  One set: the shift c that is best for each class u,
 * u'Mu - (u'M1)^2 / 1'M1. */
static void an_id_that_is_alone(void **state)
{
    dice d = {6};
    drawing g;
    int64_t class_of[MOST + 1];
    weft_side_term term;
    double dimension = 0, cut = 0, size[2] = {0};
    draw_graph(&d, true, &g);
    weft_item alone = {.alone = true};
    assert_int_equal(weft_side_append(g.side, &alone, NULL), WEFT_OK);
    play_draw_classes(&d, g.n, 2, class_of);
    class_of[g.n] = 1;
    for (int64_t i = 0; i < g.n; i++)
        size[class_of[i]]++;
    for (int64_t e = 0; e < g.edges; e++)
        cut += class_of[g.from[e]] != class_of[g.to[e]] ? g.weight[e] : 0;
    double n = (double)g.n, one = 1 / g.top + 1 / (2 * g.top);
    double u0 = cut + size[0] * size[0] / (n * n * g.top), with0 = size[0] / (n * g.top);
    double u1 = cut + size[1] * size[1] / (n * n * g.top) + 1 / (2 * g.top);
    double with1 = size[1] / (n * g.top) + 1 / (2 * g.top);
    assert_int_equal(weft_theory_side(g.side, class_of, &term, NULL), WEFT_OK);
    assert_true(isinf(term.laplacian) && term.cut == -1);
    assert_true(fabs(term.trace - 2 * g.top * (u0 + u1)) < 1e-9 * term.trace);
    assert_int_equal(weft_theory_one_set(g.side, class_of, &dimension, NULL), WEFT_OK);
    double expected = 4 * g.top * (u0 + u1 - with0 * with0 / one - with1 * with1 / one);
    assert_true(fabs(dimension - expected) < 1e-9 * expected);
    weft_side_free(g.side);
}

/* A given radius takes the place of R_L for one set of ids, and of 2 R_L. */
static void a_given_radius(void **state)
{
    dice d = {7};
    drawing g;
    int64_t class_of[MOST];
    weft_side *wide = NULL;
    double narrow_dimension = 0, wide_dimension = 0;
    draw_graph(&d, false, &g);
    play_draw_classes(&d, g.n, 3, class_of);
    weft_graph graph = {.vertices = g.n, .edges = g.edges, .from = g.from, .to = g.to, .weight = g.weight};
    weft_side_options options = {.radius = 5 * g.top};
    assert_int_equal(weft_side_from_graph(&graph, &options, &wide, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(g.side, class_of, &narrow_dimension, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(wide, class_of, &wide_dimension, NULL), WEFT_OK);
    assert_true(fabs(wide_dimension - 5 * narrow_dimension) < 1e-9 * wide_dimension);
    weft_side_free(wide);
    weft_side_free(g.side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_and_radius),
        cmocka_unit_test(both_inequalities),
        cmocka_unit_test(radius_is_below_the_diameter),
        cmocka_unit_test(cut_between_classes),
        cmocka_unit_test(cliques_in_a_star),
        cmocka_unit_test(an_id_that_is_alone),
        cmocka_unit_test(a_given_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
