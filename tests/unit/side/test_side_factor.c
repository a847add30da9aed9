/* SPDX-License-Identifier: MIT
 * Sparse factors: solves against the matrix, the recurrence of Takahashi against as many solves as there
 * are vertices, the bound of what a solve rounds off, and memory that runs out inside CHOLMOD. */
#include "support/test.h"

#include "support/side_checks.h"
#include "test_solve_support.h"

#include <float.h>

#include <SuiteSparse_config.h>

enum { MOST = 160 };

typedef struct drawn {
    drawn_graph of;
    weft__factor factor;
    weft__factor_plan plan;
} drawn;

static void factor(dice *d, drawn *g)
{
    int64_t bad = -1;
    g->plan = drawn_graph_plan(d, &g->of);
    g->plan.budget = 1 << 20;
    assert_int_equal(weft__factor_make(&g->plan, &g->factor, &bad, NULL), WEFT_OK);
    assert_int_equal(bad, -1);
}

static void release(drawn *g)
{
    weft__factor_free(&g->factor);
    weft__laplacian_free(&g->of.laplacian);
}

static void the_recurrence_agrees_with_solves(void **state)
{
    dice d = {71};
    static drawn g;
    for (int round = 0; round < 40; round++) {
        int64_t n = 2 + dice_below(&d, MOST - 1);
        double diagonal[MOST], x[MOST], work[MOST];
        drawn_graph_open(&d, n, round % 4, 10, &g.of);
        factor(&d, &g);
        assert_int_equal(weft__factor_inverse_diagonal(&g.factor, diagonal, NULL, NULL), WEFT_OK);
        for (int64_t i = 0; i < n; i++) {
            memset(x, 0, sizeof x);
            x[i] = 1;
            weft__factor_solve(&g.factor, x, work);
            assert_true(fabs(diagonal[i] - x[i]) <= 1e-11 * x[i]);
        }
        release(&g);
    }
}

/* y = A^-1 x against the inverse: x'y is as near as the bound says, with the safety factor 8 of
 * spectral/sequence.c and u = eps/2; and the bound is not so wide that nothing could break it. */
static void a_solve_rounds_off_what_the_bound_says(void **state)
{
    dice d = {72};
    static drawn g;
    double nearest = 0;
    for (int round = 0; round < 60; round++) {
        int64_t n = 2 + dice_below(&d, 60);
        double x[MOST], y[MOST], work[MOST], condition = 0;
        drawn_graph_open(&d, n, round % 3, round % 2 == 0 ? 1 : 1e3, &g.of);
        factor(&d, &g);
        long double *inverse = drawn_graph_invert(&g.of, &g.plan);
        assert_int_equal(weft__factor_condition(&g.factor, &condition, NULL, NULL), WEFT_OK);
        for (int draws = 0; draws < 20; draws++) {
            long double exact = 0, found = 0, energy = 0;
            for (int64_t i = 0; i < n; i++)
                y[i] = x[i] = draws < 10 ? dice_normal(&d) : dice_chance(&d, 0.1);
            weft__factor_solve(&g.factor, y, work);
            for (int64_t k = 0; k < n * n; k++)
                exact += inverse[k] * x[k / n] * x[k % n];
            for (int64_t i = 0; i < n; i++) {
                found += (long double)x[i] * y[i];
                energy += (long double)g.factor.diagonal[i] * y[i] * y[i];
            }
            double bound = 4 * DBL_EPSILON * sqrt((double)g.factor.longest) * (double)energy;
            assert_true(fabsl(found - exact) <= bound);
            assert_true(energy <= condition * exact * (1 + 1e-9L));
            nearest = fmax(nearest, bound > 0 ? (double)fabsl(found - exact) / bound : 0);
        }
        free(inverse);
        release(&g);
    }
    assert_true(nearest > 1e-3);
}

/* 300 vertices of a path with one end grounded: the largest eigenvalue of A^-1 diag A is known. */
static void the_condition_of_a_path(void **state)
{
    enum { N = 300 };
    int64_t from[N], to[N], bad = -1;
    double condition = 0;
    weft__laplacian laplacian;
    weft__factor made;
    draw_path(N, from, to, &laplacian);
    weft__factor_plan plan = {.laplacian = &laplacian, .scale = 1, .grounded = 0, .budget = 1 << 20};
    assert_int_equal(weft__factor_make(&plan, &made, &bad, NULL), WEFT_OK);
    assert_int_equal(weft__factor_condition(&made, &condition, NULL, NULL), WEFT_OK);
    /* About 2 (2n/pi)^2 for a path of n that is held at one end. */
    double expected = 2 * pow(2 * N / 3.14159265358979, 2);
    assert_true(condition >= 0.98 * expected && condition <= 1.2 * expected);
    weft__factor_free(&made);
    weft__laplacian_free(&laplacian);
}

static void a_budget_is_kept(void **state)
{
    dice d = {73};
    static drawn g;
    int64_t bad = -1;
    drawn_graph_open(&d, 100, 3, 1, &g.of);
    weft__factor_plan plan = {
        .laplacian = &g.of.laplacian, .scale = 1, .shift = 1, .grounded = -1, .budget = 4000};
    assert_int_equal(weft__factor_make(&plan, &g.factor, &bad, NULL), WEFT_OK);
    assert_true(g.factor.above && g.factor.bytes > 4000);
    assert_null(g.factor.value);
    plan.budget = (int64_t)g.factor.bytes;
    weft__factor_free(&g.factor);
    assert_int_equal(weft__factor_make(&plan, &g.factor, &bad, NULL), WEFT_OK);
    assert_false(g.factor.above);
    assert_non_null(g.factor.value);
    release(&g);
}

/* ---- CHOLMOD's own memory ---- */

static int64_t asked, refused = -1, out;

static void *take(size_t size)
{
    void *block = asked++ == refused ? NULL : malloc(size);
    out += block != NULL;
    return block;
}

static void *take_zeroed(size_t count, size_t size)
{
    void *block = asked++ == refused ? NULL : calloc(count, size);
    out += block != NULL;
    return block;
}

static void *take_again(void *old, size_t size)
{
    void *block = asked++ == refused ? NULL : realloc(old, size);
    out += block != NULL && old == NULL;
    return block;
}

static void give_back(void *block)
{
    out -= block != NULL;
    free(block);
}

static void memory_that_runs_out_in_the_library(void **state)
{
    dice d = {74};
    static drawn g;
    drawn_graph_open(&d, 40, 2, 1, &g.of);
    weft__factor_plan plan = {
        .laplacian = &g.of.laplacian, .scale = 1, .shift = 1, .grounded = -1, .budget = 1 << 20};
    SuiteSparse_config.malloc_func = take;
    SuiteSparse_config.calloc_func = take_zeroed;
    SuiteSparse_config.realloc_func = take_again;
    SuiteSparse_config.free_func = give_back;
    weft_status status = WEFT_MEMORY;
    for (refused = 0; status != WEFT_OK; refused++) {
        weft_error error = {0};
        int64_t bad = -1;
        asked = 0;
        status = weft__factor_make(&plan, &g.factor, &bad, &error);
        assert_int_equal(out, 0);
        if (status != WEFT_OK)
            assert_failure(&error, WEFT_MEMORY, -1, -1, "out of memory");
        weft__factor_free(&g.factor);
    }
    assert_true(refused > 10);
    refused = -1; /* the hooks stay */
    release(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recurrence_agrees_with_solves),
        cmocka_unit_test(a_solve_rounds_off_what_the_bound_says),
        cmocka_unit_test(the_condition_of_a_path),
        cmocka_unit_test(a_budget_is_kept),
        cmocka_unit_test(memory_that_runs_out_in_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
