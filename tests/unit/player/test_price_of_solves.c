/* SPDX-License-Identifier: MIT
 * Where a kernel is never formed, the price of who multiplies by it has the solve in it: what the same player
 * pays over the same kernel as a matrix tells the rest. */
#include "support/test.h"

#include "player/player.h"
#include "side/graph/graph.h"
#include "side/side.h"
#include "support/dice.h"

enum { N = 300, EDGES = 900, COLUMNS = 7, TRIALS = 12 };

static int64_t from[EDGES], to[EDGES];

static void draw_edges(void)
{
    dice d = {5};
    for (int64_t k = 0; k < EDGES; k++) {
        from[k] = k < N ? k : dice_below(&d, N);
        to[k] = k < N ? (k + 1) % N : (from[k] + 2 + dice_below(&d, N - 4)) % N;
    }
}

/* Kernels, how they are multiplied by, and what a solve takes at least by the edges alone. */
typedef struct scene {
    const char *name;
    weft_graph_kernel kernel;
    double parameter;
    int64_t budget; /* 1: no factor fits */
    bool unit;
    double least;
} scene;

static const scene scenes[] = {
    {"pdlaplacian by factor", WEFT_PDLAPLACIAN, 0, 0, false, 2. * (N - 1)},
    {"pdlaplacian by iteration", WEFT_PDLAPLACIAN, 0, 1, false, 8. * (N - 1) + 2. * EDGES},
    {"pdlaplacian unit", WEFT_PDLAPLACIAN, 0, 0, true, 2. * (N - 1)},
    {"regularised by factor", WEFT_REGULARISED, 2, 0, false, 2. * N},
    {"regularised by iteration", WEFT_REGULARISED, 2, 1, true, 8. * N + 2. * EDGES},
    {"diffusion", WEFT_DIFFUSION, 3, 0, false, 2. * EDGES + N},
    {"diffusion unit", WEFT_DIFFUSION, 3, 0, true, 2. * EDGES + N},
};

enum { SCENES = sizeof scenes / sizeof *scenes };

static weft_side *make_side(const scene *what, weft_graph_path path)
{
    const weft_graph graph = {.vertices = N,
                              .edges = EDGES,
                              .from = from,
                              .to = to,
                              .kernel = what->kernel,
                              .parameter = what->parameter,
                              .normalised = what->kernel == WEFT_DIFFUSION,
                              .unit = what->unit};
    const weft_side_options options = {.graph_path = path, .graph_budget = what->budget};
    weft_side *side = NULL;
    weft_error error = {0};
    if (weft_side_from_graph(&graph, &options, &side, &error) != WEFT_OK)
        fail_msg("%s: %s", what->name, error.message);
    return side;
}

static weft_side *some_columns(void)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(COLUMNS, NULL, &side, NULL), WEFT_OK);
    return side;
}

static void play(weft_player *player, bool one_set)
{
    dice d = {9};
    for (int t = 0; t < TRIALS; t++) {
        int64_t i = dice_below(&d, N), j = one_set ? (i + 1 + dice_below(&d, N - 1)) % N : t % COLUMNS;
        assert_int_equal(weft_player_learn(player, i, j, dice_chance(&d, 0.5) ? 1 : -1, NULL, NULL), WEFT_OK);
    }
}

/* ---- What a side tells ---- */

static void work_of_a_solve(void **state)
{
    double factor[2] = {0, 0};
    for (int k = 0; k < SCENES; k++) {
        weft_side *dense = make_side(&scenes[k], WEFT_GRAPH_DENSE),
                  *sparse = make_side(&scenes[k], WEFT_GRAPH_SPARSE), *more = NULL;
        assert_true(dense->solve_work == 0);
        if (!(sparse->solve_work >= scenes[k].least && isfinite(sparse->solve_work)))
            fail_msg("%s: %g, at least %g", scenes[k].name, sparse->solve_work, scenes[k].least);
        assert_int_equal(weft_side_graph(sparse).iterative, scenes[k].budget == 1);
        /* A factor is never full here. */
        if (scenes[k].kernel != WEFT_DIFFUSION && scenes[k].budget == 0)
            assert_true(sparse->solve_work < (double)N * N);
        if (k < 2)
            factor[k] = sparse->solve_work;
        assert_int_equal(weft_side_with_identity(sparse, 1, NULL, &more, NULL), WEFT_OK);
        assert_true(more->solve_work == sparse->solve_work);
        weft_side_free(more);
        weft_side_free(sparse);
        weft_side_free(dense);
    }
    assert_true(factor[1] > factor[0]);
}

/* A longer time is a longer polynomial. */
static void diffusions(void **state)
{
    double before = 0;
    for (double time = 1; time < 2000; time *= 4) {
        const scene what = {"diffusion", WEFT_DIFFUSION, time, 0, true, 0};
        weft_side *side = make_side(&what, WEFT_GRAPH_SPARSE);
        assert_true(side->solve_work > before);
        before = side->solve_work;
        weft_side_free(side);
    }
}

static void nothing_is_solved_elsewhere(void **state)
{
    weft_side *side = some_columns();
    assert_true(side->solve_work == 0);
    weft_side_free(side);
    const scene bare = {"none", WEFT_NO_KERNEL, 0, 0, false, 0};
    side = make_side(&bare, WEFT_GRAPH_SPARSE);
    assert_true(side->solve_work == 0);
    weft_side_free(side);
}

/* ---- What players pay ---- */

static double price_of_learner(const weft_side *rows, const weft_side *columns, weft_form form, int products)
{
    weft_settings settings = weft_settings_default(N, columns == NULL ? 0 : weft_side_count(columns), TRIALS);
    weft_player *player = NULL;
    weft_error error = {0};
    settings.form = form;
    settings.eta = 1;
    settings.precision = WEFT_DOUBLE;
    settings.updates = WEFT_MISTAKE_UPDATES;
    if (weft_learner_create(rows, columns, &settings, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    play(player, columns == NULL);
    double price = player->ops->price(player, products, TRIALS);
    weft_player_free(player);
    return price;
}

/* A product is one solve for each side that has no matrix. */
static void learners(void **state)
{
    weft_side *columns = some_columns();
    for (int k = 0; k < SCENES; k++) {
        weft_side *side = make_side(&scenes[k], WEFT_GRAPH_SPARSE);
        double work = side->solve_work;
        for (int form = 0; form < 3; form++) {
            bool one_set = form == 2;
            const weft_side *second = one_set ? NULL : form == 1 ? side : columns;
            weft_form how = one_set ? WEFT_ONE_SET : form == 1 ? WEFT_BALANCED : WEFT_PAPER;
            double none = price_of_learner(side, second, how, 0),
                   one = price_of_learner(side, second, how, 1),
                   ten = price_of_learner(side, second, how, 10), solves = form == 1 ? 2 : 1;
            if (one - none < solves * work || ten - none < 10 * solves * work)
                fail_msg("%s: a product of %g, a solve of %g", scenes[k].name, one - none, work);
            assert_true(one - none < solves * work + 1e5);
        }
        weft_side_free(side);
    }
    weft_side_free(columns);
}

static double price_of_rival(const weft_side *rows, const weft_side *columns, weft_rival_kind kind)
{
    const weft_rival_settings settings = {.kind = kind, .rate = 1, .bits = 12};
    weft_player *player = NULL;
    assert_int_equal(weft_rival_create(rows, columns, &settings, NULL, &player, NULL), WEFT_OK);
    play(player, columns == NULL);
    double price = player->ops->price(player, 0, TRIALS);
    weft_player_free(player);
    return price;
}

/* A perceptron asks for a column of each side, of one set for two; who describes ids by their edges for
 * none. */
static void rivals(void **state)
{
    weft_side *columns = some_columns();
    for (int k = 0; k < SCENES; k++) {
        weft_side *side = make_side(&scenes[k], WEFT_GRAPH_SPARSE),
                  *dense = make_side(&scenes[k], WEFT_GRAPH_DENSE);
        for (int kind = 0; kind < WEFT_RIVALS; kind++)
            for (int both = 0; both < 3; both++) {
                bool perceptron =
                    kind == WEFT_RIVAL_SUM || kind == WEFT_RIVAL_PRODUCT || kind == WEFT_RIVAL_SQUARE;
                const weft_side *second[2] = {both == 0   ? columns
                                              : both == 1 ? side
                                                          : NULL,
                                              both == 0   ? columns
                                              : both == 1 ? dense
                                                          : NULL};
                double with = price_of_rival(side, second[0], (weft_rival_kind)kind),
                       without = price_of_rival(dense, second[1], (weft_rival_kind)kind);
                double extra = perceptron ? (both == 0 ? 1 : 2) * side->solve_work : 0;
                if (fabs(with - without - extra) > 0.1 * extra + 1e4)
                    fail_msg("%s, %s: %g, %g with a matrix, %g expected between",
                             weft_rival_name((weft_rival_kind)kind), scenes[k].name, with, without, extra);
            }
        weft_side_free(side);
        weft_side_free(dense);
    }
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_of_a_solve),
        cmocka_unit_test(diffusions),
        cmocka_unit_test(nothing_is_solved_elsewhere),
        cmocka_unit_test(learners),
        cmocka_unit_test(rivals),
    };
    draw_edges();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
