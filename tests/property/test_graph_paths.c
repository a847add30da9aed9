/* SPDX-License-Identifier: MIT
 *
 * The three ways of a graph kernel, a matrix, products by a factor or a polynomial, and products by
 * iteration, are one learner: margins agree to 1e-10 (1e-9 by iteration), every bracket meets that of
 * the matrix, and decisions are the same, over random graphs of up to 500 vertices, connected or not,
 * every kernel, every form. */

#include "support/test.h"

#include "support/dice.h"
#include "weft_advanced.h"

enum { MOST = 500, EDGES = 2000, TRIALS = 40, COLUMNS = 20 };

/* The ways. */
enum { MATRIX, FACTOR, ITERATION, WAYS };

typedef struct drawn {
    int64_t from[EDGES], to[EDGES];
    double weight[EDGES];
    weft_graph graph;
} drawn;

/* Two communities; connected by a tree first, or as it comes. */
static void draw(dice *d, int64_t n, bool connected, drawn *g)
{
    int64_t most = 3 * n < EDGES ? 3 * n : EDGES;
    g->graph = (weft_graph){.vertices = n, .from = g->from, .to = g->to, .connect = true};
    for (int64_t k = 0; k < most; k++) {
        bool tree = connected && k + 1 < n;
        int64_t a = tree ? k + 1 : dice_below(d, n), b = tree ? dice_below(d, k + 1) : dice_below(d, n);
        if (!tree && ((a < n / 2) != (b < n / 2) || (!connected && k > n / 2)))
            continue;
        g->from[g->graph.edges] = a;
        g->to[g->graph.edges++] = b;
    }
}

static weft_side *make(const drawn *g, int way)
{
    weft_graph graph = g->graph;
    weft_side *side = NULL;
    weft_error error = {0};
    weft_side_options options = {.graph_path = way == MATRIX ? WEFT_GRAPH_DENSE : WEFT_GRAPH_SPARSE,
                                 .graph_budget = way == ITERATION ? 1 : 0};
    if (weft_side_from_graph(&graph, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_true(weft_side_graph(side).iterative == (way == ITERATION && graph.kernel != WEFT_DIFFUSION));
    /* Two ids that the graph does not know. */
    for (int k = 0; k < 2; k++)
        assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    return side;
}

static weft_player *learn_over(const weft_side *rows, const weft_side *columns, weft_form form)
{
    weft_player *learner = NULL;
    weft_settings settings =
        weft_settings_default(weft_side_count(rows), form == WEFT_ONE_SET ? 0 : COLUMNS, TRIALS);
    settings.form = form;
    settings.eta = 0.5;
    settings.tolerance = 1e-12;
    settings.deterministic = true;
    assert_int_equal(
        weft_learner_create(rows, form == WEFT_ONE_SET ? NULL : columns, &settings, NULL, &learner, NULL),
        WEFT_OK);
    return learner;
}

/* The brackets overlap, and decisions are the same. */
static void compare(const weft_answer *a, const weft_answer *b)
{
    const weft_answer *x = a, *y = b;
    if (!(x->lower <= y->upper && y->lower <= x->upper))
        fail_msg("[%.17g, %.17g] and [%.17g, %.17g]", x->lower, x->upper, y->lower, y->upper);
    if (x->certified && y->certified)
        assert_true(x->label == y->label);
    assert_true(a->updated == b->updated);
}

static void play(dice *d, const drawn *g, weft_form form, double worst[WAYS])
{
    weft_side *sides[WAYS], *columns = NULL;
    weft_player *learners[WAYS];
    assert_int_equal(weft_side_none(COLUMNS, NULL, &columns, NULL), WEFT_OK);
    for (int k = 0; k < WAYS; k++) {
        sides[k] = make(g, k);
        learners[k] = learn_over(sides[k], columns, form);
        assert_true(fabs(weft_side_radius(sides[MATRIX]) / weft_side_radius(sides[k]) - 1) < 1e-12);
    }
    int64_t ids = weft_side_count(sides[0]);
    for (int t = 0; t < TRIALS; t++) {
        int64_t row = dice_below(d, ids), column = dice_below(d, form == WEFT_ONE_SET ? ids : COLUMNS);
        bool left = row < ids / 2, other = form == WEFT_ONE_SET ? column < ids / 2 : column < COLUMNS / 2;
        weft_answer outcome[WAYS];
        for (int k = 0; k < WAYS; k++) {
            assert_int_equal(
                weft_player_learn(learners[k], row, column, left == other ? 1 : -1, &outcome[k], NULL),
                WEFT_OK);
            compare(&outcome[MATRIX], &outcome[k]);
            double margin = outcome[MATRIX].margin;
            worst[k] = fmax(worst[k], fabs(margin - outcome[k].margin) / fmax(1, fabs(margin)));
        }
    }
    for (int k = 0; k < WAYS; k++) {
        weft_player_free(learners[k]);
        weft_side_free(sides[k]);
    }
    weft_side_free(columns);
}

static void matrices_and_products_agree(void **state)
{
    const int64_t sizes[] = {2, 17, 120, MOST};
    dice d = {81};
    static drawn g;
    double apart[WAYS] = {0};
    for (int which = 0; which < 24; which++) {
        int64_t n = sizes[which % 4];
        draw(&d, n, which % 8 < 4, &g);
        g.graph.normalised = which / 8 % 2 == 1;
        for (int kernel = 0; kernel < 6; kernel++) {
            g.graph.kernel = (weft_graph_kernel)(kernel / 2);
            g.graph.parameter = dice_log_between(&d, 0.1, 10);
            g.graph.unit = kernel % 2 == 1;
            weft_form form = (weft_form)((which + kernel) % 3);
            double worst[WAYS] = {0};
            play(&d, &g, form, worst);
            if (!(worst[FACTOR] <= 1e-10 && worst[ITERATION] <= 1e-9))
                fail_msg("%d vertices, kernel %d, %s, %s, form %d: margins differ by %g and %g", (int)n,
                         kernel / 2, g.graph.normalised ? "normalised" : "plain",
                         g.graph.unit ? "unit" : "as is", (int)form, worst[FACTOR], worst[ITERATION]);
            apart[FACTOR] = fmax(apart[FACTOR], worst[FACTOR]);
            apart[ITERATION] = fmax(apart[ITERATION], worst[ITERATION]);
        }
    }
    print_message("margins differ from the matrix's by up to %.3g (factor) and %.3g (iteration)\n",
                  apart[FACTOR], apart[ITERATION]);
}

/* Merging and forgetting need |K| x, which the products bound. */
static void merging_and_forgetting(void **state)
{
    dice d = {82};
    static drawn g;
    for (int which = 0; which < 36; which++) {
        weft_form form = (weft_form)(which % 3);
        draw(&d, 60, which % 2 == 0, &g);
        g.graph.kernel = (weft_graph_kernel)(which / 3 % 3);
        g.graph.parameter = 2;
        g.graph.unit = which / 9 % 2 == 1;
        weft_side *sides[] = {make(&g, MATRIX), make(&g, which < 18 ? FACTOR : ITERATION)}, *columns = NULL;
        assert_int_equal(weft_side_none(COLUMNS, NULL, &columns, NULL), WEFT_OK);
        weft_player *learners[] = {learn_over(sides[0], columns, form), learn_over(sides[1], columns, form)};
        weft_evidence_entry more[] = {{0, 1, 5}, {7, 3, -4}, {40, 2, 3}, {61, 4, 2}};
        weft_answer p[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(weft_player_add_evidence(learners[k], more, 4, NULL), WEFT_OK);
            assert_int_equal(weft_player_forget(learners[k], WEFT_ROWS, 7, NULL), WEFT_OK);
            assert_int_equal(weft_player_predict(learners[k], 41, 2, &p[k], NULL), WEFT_OK);
        }
        assert_true(fabs(p[0].margin - p[1].margin) <= 1e-9 * fmax(1, fabs(p[0].margin)));
        for (int k = 0; k < 2; k++) {
            weft_player_free(learners[k]);
            weft_side_free(sides[k]);
        }
        weft_side_free(columns);
    }
}

/* A path whose edges have resistances r_k: up to constants, which cancel for one set, L^+_ij = r_1 + ... +
 * r_min(i,j).  That kernel is known to the last digit, while the Laplacian, weights 1/r_k, is as badly
 * conditioned as one of its size can be.  The brackets of both must meet. */
static void brackets_hold_what_solving_rounds_off(void **state)
{
    enum { N = 400, ROUNDS = 6 };
    dice d = {83};
    int64_t from[N], to[N];
    double weight[N], *kernel = calloc(N * N, sizeof *kernel);
    double missed = 0;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        long double reach[N] = {1};
        for (int64_t k = 0; k + 1 < N; k++) {
            from[k] = k;
            to[k] = k + 1;
            weight[k] = dice_log_between(&d, 0.3, 3);
            reach[k + 1] = reach[k] + 1 / (long double)weight[k];
        }
        for (int64_t e = 0; e < (int64_t)N * N; e++)
            kernel[e] = (double)reach[e / N < e % N ? e / N : e % N];
        weft_graph path = {.vertices = N, .edges = N - 1, .from = from, .to = to, .weight = weight};
        weft_side_options options = {.radius = (double)reach[N - 1] * 2,
                                     .graph_path = WEFT_GRAPH_SPARSE,
                                     .graph_budget = round < ROUNDS ? 0 : 1};
        weft_side *sides[2] = {NULL, NULL};
        assert_int_equal(weft_side_from_kernel(N, kernel, &options, &sides[0], NULL), WEFT_OK);
        assert_int_equal(weft_side_from_graph(&path, &options, &sides[1], NULL), WEFT_OK);
        weft_player *learners[] = {learn_over(sides[0], NULL, WEFT_ONE_SET),
                                   learn_over(sides[1], NULL, WEFT_ONE_SET)};
        for (int t = 0; t < 3 * TRIALS; t++) {
            int64_t i = dice_below(&d, N), j = dice_below(&d, N);
            weft_answer outcome[2];
            for (int k = 0; k < 2; k++)
                assert_int_equal(weft_player_learn(learners[k], i, j, (i < N / 2) == (j < N / 2) ? 1 : -1,
                                                   &outcome[k], NULL),
                                 WEFT_OK);
            const weft_answer *a = &outcome[0], *b = &outcome[1];
            assert_true(a->lower <= b->upper && b->lower <= a->upper);
            missed = fmax(missed, fabs(a->margin - b->margin) / (b->upper - b->lower + 1e-300));
            assert_true(b->upper - b->lower <= 1e-6);
        }
        for (int k = 0; k < 2; k++) {
            weft_player_free(learners[k]);
            weft_side_free(sides[k]);
        }
    }
    print_message("margins differ by up to %.3g of the width of the bracket\n", missed);
    free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_and_products_agree),
        cmocka_unit_test(merging_and_forgetting),
        cmocka_unit_test(brackets_hold_what_solving_rounds_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
