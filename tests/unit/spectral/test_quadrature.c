/* SPDX-License-Identifier: MIT
 * Gauss and Gauss-Radau bounds of (exp A)_11 against the eigensystem of A. */
#include "unit/test_core_support.h"

#include "spectral/quadrature.h"
#include "support/dice.h"
#include "support/naive.h"

enum { N = 10 };

typedef struct integral {
    weft__coefficients t; /* of all N steps */
    double log_exact, top;
} integral;

/* Lanczos in extended precision with full orthogonalisation, from e_1. */
static void lanczos(const long double *a, weft__coefficients *t)
{
    long double v[(N + 1) * N] = {1}, w[N];
    for (int k = 0; k < N; k++) {
        long double alpha = 0, norm = 0;
        for (int i = 0; i < N; i++) {
            w[i] = 0;
            for (int j = 0; j < N; j++)
                w[i] += a[i * N + j] * v[k * N + j];
        }
        for (int i = 0; i < N; i++)
            alpha += w[i] * v[k * N + i];
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j <= k; j++) {
                long double along = 0;
                for (int i = 0; i < N; i++)
                    along += w[i] * v[j * N + i];
                for (int i = 0; i < N; i++)
                    w[i] -= along * v[j * N + i];
            }
        for (int i = 0; i < N; i++)
            norm += w[i] * w[i];
        t->alpha[k] = (double)alpha;
        t->beta[k] = (double)sqrtl(norm);
        for (int i = 0; i < N; i++)
            v[(k + 1) * N + i] = w[i] / sqrtl(norm);
    }
}

static void draw(uint64_t seed, double size, integral *what)
{
    long double a[N * N], value[N], vectors[N * N], sum = 0;
    dice d = {seed};
    memset(what, 0, sizeof *what);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            a[i * N + j] = a[j * N + i] = size * dice_normal(&d);
    lanczos(a, &what->t);
    naive_eigen(N, a, value, vectors);
    long double top = value[0];
    for (int l = 1; l < N; l++)
        top = fmaxl(top, value[l]);
    for (int l = 0; l < N; l++)
        sum += vectors[l * N] * vectors[l * N] * expl(value[l] - top);
    what->top = (double)top;
    what->log_exact = (double)(logl(sum) + top);
}

static double with_allowance(const weft__rule *rule, int sign)
{
    return sign > 0 ? weft__log_sum(rule->log_value, rule->log_allowance)
                    : weft__log_difference(rule->log_value, rule->log_allowance);
}

static void gauss_is_below_and_rises(void **state)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        integral what;
        double before = -INFINITY;
        draw(seed, seed % 4 == 0 ? 30 : 1, &what);
        for (int k = 1; k <= N; k++) {
            weft__rule rule = {0};
            what.t.k = k;
            assert_true(weft__gauss(&what.t, &rule));
            assert_true(with_allowance(&rule, -1) <= what.log_exact);
            assert_true(rule.largest <= what.top + 1e-12 * fabs(what.top));
            assert_true(rule.log_value >= before - 1e-11);
            before = rule.log_value;
        }
        /* All nodes: the rule is exact. */
        assert_near(before, what.log_exact, 1e-10);
    }
}

static void check_radau(const integral *what, double b)
{
    integral w = *what;
    double before = INFINITY;
    for (int k = 1; k < N; k++) {
        weft__rule rule = {0};
        w.t.k = k;
        assert_true(weft__radau(&w.t, b, &rule));
        assert_true(with_allowance(&rule, 1) >= w.log_exact);
        assert_true(rule.log_value <= before + 1e-11 * fmax(1, fabs(b)));
        assert_true(rule.log_value <= b + 1e-11 * fmax(1, fabs(b)));
        before = rule.log_value;
    }
}

static void radau_is_above_and_falls(void **state)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        integral what;
        draw(seed, seed % 4 == 0 ? 30 : 1, &what);
        check_radau(&what, what.top * (1 + 1e-12) + 1e-12);
        check_radau(&what, what.top + 0.5);
        check_radau(&what, what.top + 40);
        check_radau(&what, what.top + 5000);
    }
}

static void a_bound_within_the_spectrum_is_refused(void **state)
{
    integral what;
    draw(3, 1, &what);
    for (int k = 1; k < N; k++) {
        weft__rule gauss = {0}, rule = {.log_value = 77};
        what.t.k = k;
        assert_true(weft__gauss(&what.t, &gauss));
        assert_false(weft__radau(&what.t, gauss.largest - 1e-6, &rule));
        assert_false(weft__radau(&what.t, gauss.largest - 10, &rule));
        assert_true(rule.log_value == 77);
    }
}

/* The weight of a node far above everything underflows unless it is kept in
 * logarithms. */
static void far_nodes_have_tiny_weights(void **state)
{
    weft__coefficients t = {.k = 4, .alpha = {0, 1, 0, 1}, .beta = {1e-30, 1e-30, 1e-30, 1e-30}};
    weft__rule rule = {0};
    assert_true(weft__radau(&t, 1e3, &rule));
    /* (x_5)^2 = (1e3/1e-30)^8, roughly: 264 powers of ten. */
    assert_near(rule.log_value, fmax(0, 1e3 - 264 * log(10)), 1);
    assert_true(weft__radau(&t, 1e60, &rule));
    assert_true(isfinite(rule.log_value) && isfinite(rule.log_allowance));
    assert_near(rule.log_value, 1e60, 1e46);
}

static void exact_values_of_two_nodes(void **state)
{
    /* [[0, 1], [1, 0]]: (exp T)_11 = cosh 1. */
    weft__coefficients t = {.k = 2, .beta = {1, 0}};
    weft__rule rule = {0};
    assert_true(weft__gauss(&t, &rule));
    assert_near(rule.log_value, log(cosh(1)), 1e-15);
    assert_near(rule.largest, 1, 1e-15);
    assert_true(rule.log_allowance < log(1e-13));
    t.noise = 1e-3;
    assert_true(weft__gauss(&t, &rule));
    /* |E| sqrt((exp 2T)_11) */
    assert_near(rule.log_allowance, log(1e-3 * sqrt(cosh(2))), 1e-6);
    /* The same matrix as a Radau rule: one node, b at its top. */
    t.k = 1;
    t.noise = 0;
    assert_true(weft__radau(&t, 1, &rule));
    assert_near(rule.log_value, log(cosh(1)), 1e-15);
}

static void what_is_not_finite_is_refused(void **state)
{
    weft__coefficients t = {.k = 1, .alpha = {INFINITY}};
    weft__rule rule = {.log_value = 77};
    assert_false(weft__gauss(&t, &rule));
    t = (weft__coefficients){.k = 1, .beta = {1e200}};
    assert_false(weft__radau(&t, 1e-300, &rule));
    assert_true(rule.log_value == 77);
}

static void logarithms_of_sums_and_differences(void **state)
{
    double a = log(5), c = log(3);
    assert_near(weft__log_sum(a, c), log(8), 1e-15);
    assert_near(weft__log_sum(c, a), log(8), 1e-15);
    assert_true(weft__log_sum(a, -INFINITY) == a);
    assert_true(weft__log_sum(-INFINITY, -INFINITY) == -INFINITY);
    assert_true(weft__log_sum(1000, 0) == 1000);
    assert_near(weft__log_difference(a, c), log(2), 1e-15);
    assert_true(weft__log_difference(a, -INFINITY) == a);
    assert_true(weft__log_difference(c, a) == -INFINITY);
    assert_true(weft__log_difference(c, c) == -INFINITY);
    assert_true(weft__log_difference(NAN, c) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gauss_is_below_and_rises),
        cmocka_unit_test(radau_is_above_and_falls),
        cmocka_unit_test(a_bound_within_the_spectrum_is_refused),
        cmocka_unit_test(far_nodes_have_tiny_weights),
        cmocka_unit_test(exact_values_of_two_nodes),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(logarithms_of_sums_and_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
