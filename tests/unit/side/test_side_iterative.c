/* SPDX-License-Identifier: MIT Solving by iteration: what a solve says of its own error against an
 * inverse in extended precision, also when it is stopped long before its end; the diagonal; the
 * condition. */
#include "support/test.h"

#include "side/graph/iterative.h"
#include "test_solve_support.h"

#include <float.h>

enum { MOST = 120 };

typedef struct drawn {
    drawn_graph of;
    weft__iterative iterative;
    long double *inverse; /* of A */
} drawn;

static void make(dice *d, drawn *g)
{
    weft__ending ending = WEFT__SLOW;
    weft__factor_plan plan = drawn_graph_plan(d, &g->of);
    assert_int_equal(weft__iterative_make(&plan, &g->iterative, &ending, NULL), WEFT_OK);
    assert_int_equal(ending, WEFT__MET);
    g->inverse = drawn_graph_invert(&g->of, &plan);
}

static void release(drawn *g)
{
    free(g->inverse);
    weft__iterative_free(&g->iterative);
    weft__laplacian_free(&g->of.laplacian);
}

static long double form(const drawn *g, const double *x, const double *y)
{
    int64_t n = g->of.graph.vertices;
    long double sum = 0;
    for (int64_t k = 0; k < n * n; k++)
        sum += g->inverse[k] * x[k / n] * y[k % n];
    return sum;
}

static long double dot(const drawn *g, const double *x, const double *y)
{
    long double sum = 0;
    for (int64_t i = 0; i < g->of.graph.vertices; i++)
        sum += (long double)x[i] * y[i];
    return sum;
}

static void draw_vector(dice *d, int64_t n, double *x)
{
    bool sparse = dice_chance(d, 0.5);
    double scale = dice_log_between(d, 1e-120, 1e120);
    for (int64_t i = 0; i < n; i++)
        x[i] = scale * (sparse ? dice_chance(d, 0.1) : dice_normal(d));
}

/* x'A^-1x within u S of x'y, however early the solve is stopped, with no more than the model of rounding in
 * between (a factor of 4 in place of the 8 of spectral/sequence.c); done, the error between two vectors is
 * within the mean of both. */
static void a_solve_knows_its_error(void **state)
{
    dice d = {101};
    static drawn g;
    double nearest = 0, widest = 0;
    for (int round = 0; round < 60; round++) {
        int64_t n = 2 + dice_below(&d, 60);
        double x[2][MOST], y[2][MOST], work[WEFT__ITERATIVE_WORK * MOST], s[2];
        drawn_graph_open(&d, n, round % 3, round % 2 == 0 ? 1 : 1e3, &g.of);
        make(&d, &g);
        for (int draws = 0; draws < 20; draws++) {
            weft__ending end[2];
            bool whole = draws < 10;
            g.iterative.steps = whole ? WEFT__ITERATIVE_STEPS : 1 + dice_below(&d, 8);
            for (int k = 0; k < 2; k++) {
                draw_vector(&d, n, x[k]);
                memcpy(y[k], x[k], sizeof y[k]);
                s[k] = weft__iterative_solve(&g.iterative, y[k], work, &end[k]);
                assert_true(end[k] == (whole ? WEFT__MET : end[k]));
                long double error = fabsl(dot(&g, x[k], y[k]) - form(&g, x[k], x[k]));
                double bound = 4 * (DBL_EPSILON / 2) * s[k];
                if (!(error <= bound))
                    fail_msg("%d vertices, %d steps: %Lg is wrong by %Lg, not %g", (int)n,
                             (int)g.iterative.steps, form(&g, x[k], x[k]), error, bound);
                if (whole && bound > 0)
                    nearest = fmax(nearest, (double)(error / bound));
                if (whole && s[k] > 0)
                    widest = fmax(widest, s[k] / (g.iterative.tolerance * g.iterative.condition *
                                                  (double)form(&g, x[k], x[k])));
            }
            long double across = fabsl(dot(&g, x[0], y[1]) - form(&g, x[0], x[1]));
            if (end[0] == WEFT__MET && end[1] == WEFT__MET)
                assert_true(across <= 4 * (DBL_EPSILON / 2) * sqrtl((long double)s[0] * s[1]));
        }
        release(&g);
    }
    print_message("errors of up to %.3g of what is allowed; that is up to %.3g c m x'A^-1x\n", nearest,
                  widest);
    assert_true(nearest > 1e-4 && widest <= 2.001);
}

/* Every entry of the inverse within u blur = 2 u c m, and so is the diagonal. */
static void entries_are_as_near_as_they_are_said_to_be(void **state)
{
    dice d = {102};
    static drawn g;
    for (int round = 0; round < 40; round++) {
        int64_t n = 2 + dice_below(&d, MOST - 1);
        double x[MOST], diagonal[MOST], work[WEFT__ITERATIVE_WORK * MOST];
        drawn_graph_open(&d, n, round % 4, round % 2 == 0 ? 1 : 100, &g.of);
        make(&d, &g);
        long double blur = DBL_EPSILON * (long double)g.iterative.tolerance * g.iterative.condition;
        const double *u = g.of.laplacian.null;
        weft__ending ending = WEFT__SLOW;
        assert_int_equal(weft__iterative_diagonal(&g.iterative, diagonal, NULL, NULL), WEFT_OK);
        for (int64_t i = 0; i < n; i++) {
            memset(x, 0, sizeof x);
            x[i] = 1;
            weft__iterative_solve(&g.iterative, x, work, &ending);
            assert_int_equal(ending, WEFT__MET);
            for (int64_t j = 0; j < n; j++)
                assert_true(fabsl(x[j] - g.inverse[i * n + j]) <=
                            blur * sqrtl(g.inverse[i * (n + 1)] * g.inverse[j * (n + 1)]));
            for (int64_t j = 0; j < n; j++)
                x[j] = (i == j) - (g.iterative.plan.grounded >= 0 ? u[i] * u[j] : 0);
            long double own = form(&g, x, x), one = weft__iterative_entry(&g.iterative, i, work);
            if (!(fabsl(diagonal[i] - own) <= blur * own + 1e-30L))
                fail_msg("%d vertices: %.17g, not %.17Lg within %Lg", (int)n, diagonal[i], own, blur * own);
            if (!(fabsl(one - own) <= blur * own + 1e-30L))
                fail_msg("%d vertices: %.17Lg, not %.17Lg within %Lg", (int)n, one, own, blur * own);
        }
        release(&g);
    }
}

/* Stopped too early, a diagonal entry is not a number, and a solve tells. */
static void what_is_not_found_is_not_told(void **state)
{
    dice d = {103};
    static drawn g;
    double x[MOST], work[WEFT__ITERATIVE_WORK * MOST];
    drawn_graph_open(&d, MOST, 3, 10, &g.of);
    make(&d, &g);
    weft__ending ending = WEFT__SLOW;
    memset(x, 0, sizeof x);
    x[5] = 1;
    assert_true(weft__iterative_entry(&g.iterative, 5, work) > 0);
    assert_true(weft__iterative_solve(&g.iterative, x, work, &ending) > 0);
    assert_int_equal(ending, WEFT__MET);
    g.iterative.steps = 2;
    double good = x[5];
    memset(x, 0, sizeof x);
    x[5] = 1;
    assert_true(isnan(weft__iterative_entry(&g.iterative, 5, work)));
    assert_true(weft__iterative_solve(&g.iterative, x, work, &ending) > 1e6 * good);
    assert_int_equal(ending, WEFT__SLOW);
    memset(x, 0, sizeof x);
    assert_true(weft__iterative_solve(&g.iterative, x, work, &ending) == 0);
    assert_true(ending == WEFT__MET && x[5] == 0);
    release(&g);
}

/* m against Rayleigh quotients, which it must not be below; and 300 vertices of a path with one end
 * held, where it is about 2 (2n/pi)^2. */
static void the_condition_is_one(void **state)
{
    enum { N = 300 };
    dice d = {104};
    static drawn g;
    for (int round = 0; round < 40; round++) {
        int64_t n = 2 + dice_below(&d, MOST - 1);
        drawn_graph_open(&d, n, round % 4, 10, &g.of);
        make(&d, &g);
        /* lambda_max(A^-1 D) by power iteration from the inverse. */
        long double v[MOST], w[MOST], top = 0;
        for (int64_t i = 0; i < n; i++)
            v[i] = 1;
        for (int step = 0; step < 60; step++) {
            top = 0;
            for (int64_t i = 0; i < n; i++) {
                w[i] = 0;
                for (int64_t j = 0; j < n; j++)
                    w[i] += g.inverse[i * n + j] * g.iterative.diagonal[j] * v[j];
                top = fmaxl(top, w[i]);
            }
            for (int64_t i = 0; i < n; i++)
                v[i] = w[i] / top;
        }
        assert_true(g.iterative.condition >= (double)top * (1 - 1e-6));
        assert_true(g.iterative.condition <= 4 * (double)top);
        release(&g);
    }
    int64_t from[N], to[N];
    weft__ending ending = WEFT__SLOW;
    draw_path(N, from, to, &g.of.laplacian);
    weft__factor_plan plan = {.laplacian = &g.of.laplacian, .scale = 1, .grounded = 0};
    assert_int_equal(weft__iterative_make(&plan, &g.iterative, &ending, NULL), WEFT_OK);
    double expected = 2 * pow(2 * N / 3.14159265358979, 2);
    assert_true(g.iterative.condition >= 0.98 * expected && g.iterative.condition <= 1.2 * expected);
    weft__iterative_free(&g.iterative);
    weft__laplacian_free(&g.of.laplacian);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solve_knows_its_error),
        cmocka_unit_test(entries_are_as_near_as_they_are_said_to_be),
        cmocka_unit_test(what_is_not_found_is_not_told),
        cmocka_unit_test(the_condition_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
