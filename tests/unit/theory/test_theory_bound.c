/* SPDX-License-Identifier: MIT
 * The formulas of the theorems against numbers worked out by hand. */

#include "support/test.h"

#include "weft_theory.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

/* log(100) = 4.605170185988092, D = 10, gamma = 1/2. */
static const weft_scale scale = {.dimension = 10, .gamma = 0.5, .size = 100, .horizon = 1000};
static const double log_100 = 4.605170185988092;

static void margins_of_biclustered_matrices(void **state)
{
    assert_near(weft_theory_gamma(9, 4), 0.5);
    assert_near(weft_theory_gamma(4, 9), 0.5);
    assert_near(weft_theory_gamma(4, 0), 0.5);
    assert_near(weft_theory_gamma(0, 16), 0.25);
    assert_near(weft_theory_gamma(1, 7), 1);
    assert_true(weft_theory_gamma(0, 0) == 0);
}

static void margins_of_communities(void **state)
{
    assert_true(weft_theory_gamma_communities(0) == 0);
    assert_near(weft_theory_gamma_communities(1), 1);
    assert_near(weft_theory_gamma_communities(2), 1);
    assert_near(weft_theory_gamma_communities(4), 0.5);
    assert_near(weft_theory_gamma_communities(8), 0.4);
    for (int64_t k = 1; k < 200; k++) {
        assert_true(weft_theory_gamma_communities(k) > 1.0 / 3);
        assert_true(weft_theory_gamma_communities(k) >= weft_theory_gamma(k, k) * (1 - 1e-12));
    }
}

/* The decomposition behind 1/(3 - 4/k): unit rows, products gamma (2I - 11'). */
static void communities_have_that_decomposition(void **state)
{
    enum { K = 7 };
    double gamma = weft_theory_gamma_communities(K), p[K][K + 1], q[K][K + 1];
    for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++)
            p[i][j] = q[i][j] = sqrt(2 * gamma) * ((i == j) - 1.0 / K);
        p[i][K] = sqrt(gamma * (1 - 2.0 / K));
        q[i][K] = -p[i][K];
    }
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
            double product = 0, square = 0;
            for (int d = 0; d <= K; d++) {
                product += p[i][d] * q[j][d];
                square += p[i][d] * p[i][d];
            }
            assert_near(square, 1);
            assert_near(product, i == j ? gamma : -gamma);
        }
}

static void rates_and_bounds(void **state)
{
    /* sqrt(46.05170185988092 / 2000) = 0.151742712939040... */
    assert_near(weft_theory_eta(scale), sqrt(10 * log_100 / 2000));
    assert_true(fabs(weft_theory_eta(scale) - 0.15174) < 1e-5);
    /* 8 sqrt(2 * 46.0517 * 1000) = 2427.88 */
    assert_near(weft_theory_regret(scale), 8 * sqrt(2 * 10 * log_100 * 1000));
    assert_true(fabs(weft_theory_regret(scale) - 2427.88) < 0.01);
    /* 4 (303.4854 + 46.0517) = 1398.15 */
    assert_near(weft_theory_regret_sharp(scale), 4 * sqrt(2 * 10 * log_100 * 1000) + 4 * 10 * log_100);
    assert_true(fabs(weft_theory_regret_sharp(scale) - 1398.15) < 0.01);
    /* 2 * 3 + 8 (303.4854 + 46.0517) = 2802.30 */
    assert_near(weft_theory_hinge(scale, 3), 6 + 8 * sqrt(2 * 10 * log_100 * 1000) + 8 * 10 * log_100);
    /* 3.6 * 4 * 46.0517 = 663.1445 */
    assert_near(weft_theory_realizable(scale), 14.4 * 10 * log_100);
    assert_true(fabs(weft_theory_realizable(scale) - 663.1445) < 1e-4);
}

/* 2 D log(size) = 92.1: at 92 trials the sharper forms do not hold, at 93 they do. */
static void sharper_forms_need_a_long_run(void **state)
{
    weft_scale shorter = scale, longer = scale;
    shorter.horizon = 92;
    longer.horizon = 93;
    assert_true(isinf(weft_theory_regret_sharp(shorter)));
    assert_true(isinf(weft_theory_hinge(shorter, 0)));
    assert_true(isfinite(weft_theory_regret(shorter)));
    assert_true(weft_theory_regret_sharp(longer) < weft_theory_regret(longer));
    assert_true(isfinite(weft_theory_hinge(longer, 0)));
}

static void estimates_of_the_dimension(void **state)
{
    assert_near(weft_theory_estimate(scale, 10), weft_theory_realizable(scale));
    /* 14.4 (20 (4.605170 + log 2) + 10 - 20) = 14.4 (105.9663 - 10) = 1381.915 */
    assert_near(weft_theory_estimate(scale, 20), 14.4 * (20 * (log_100 + log(2)) - 10));
    assert_true(fabs(weft_theory_estimate(scale, 20) - 1381.915) < 1e-3);
    /* An overestimate, too, costs only what the lemma says. */
    assert_near(weft_theory_estimate(scale, 5), 14.4 * (5 * (log_100 - log(2)) + 5));
    assert_near(weft_theory_estimate_within(scale, 20), weft_theory_estimate(scale, 20));
    /* D = 1000 for a dimension of at most 2: its value at 1 is the larger one. */
    weft_scale far = {.dimension = 1000, .gamma = 1, .size = 3, .horizon = 1};
    assert_true(weft_theory_estimate(far, 1) > weft_theory_estimate(far, 2));
    assert_near(weft_theory_estimate_within(far, 2), weft_theory_estimate(far, 1));
}

static void boxes_under_the_min_kernel(void **state)
{
    assert_near(weft_theory_boxes(3, 2, 4), 3 * 16);  /* delta* = 1 */
    assert_near(weft_theory_boxes(3, 2, 100), 3 * 4); /* delta* = 2 */
    assert_near(weft_theory_boxes(2, 3, 2), 2 * 512); /* delta* = 1/2 */
}

static void names_of_bounds(void **state)
{
    assert_string_equal(weft_bound_kind_name(WEFT_NO_BOUND), "none");
    assert_string_equal(weft_bound_kind_name(WEFT_REGRET), "regret");
    assert_string_equal(weft_bound_kind_name(WEFT_HINGE), "hinge");
    assert_string_equal(weft_bound_kind_name(WEFT_REALIZABLE), "realizable");
    assert_string_equal(weft_bound_kind_name(WEFT_ESTIMATE), "estimate");
    assert_string_equal(weft_bound_kind_name((weft_bound_kind)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_of_biclustered_matrices),     cmocka_unit_test(margins_of_communities),
        cmocka_unit_test(communities_have_that_decomposition), cmocka_unit_test(rates_and_bounds),
        cmocka_unit_test(sharper_forms_need_a_long_run),       cmocka_unit_test(estimates_of_the_dimension),
        cmocka_unit_test(boxes_under_the_min_kernel),          cmocka_unit_test(names_of_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
