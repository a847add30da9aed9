/* SPDX-License-Identifier: MIT
 * Random spectra with eigenvalues that come many times: A = H_1 ... H_k diag(lambda) H_k ... H_1 with random
 * reflections, so that the eigenvalues are known. */
#include "../unit/test_core_support.h"

#include "support/dice.h"
#include "support/effort.h"
#include "support/eigen_checks.h"

enum { MOST = 150, REFLECTIONS = 3 };

/* lambda: few different values, of magnitudes that may be far apart, in rising order. */
static void draw_spectrum(dice *d, int64_t n, double *lambda)
{
    double value[6];
    int64_t different = 1 + dice_below(d, 6);
    double spread = dice_chance(d, 0.5) ? 1 : 1e-12;
    for (int64_t k = 0; k < different; k++)
        value[k] = dice_normal(d) * dice_log_between(d, spread, 1);
    for (int64_t i = 0; i < n; i++)
        lambda[i] = dice_chance(d, 0.1) ? dice_normal(d) : value[dice_below(d, different)];
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = i; j > 0 && lambda[j - 1] > lambda[j]; j--) {
            double other = lambda[j];
            lambda[j] = lambda[j - 1];
            lambda[j - 1] = other;
        }
}

/* a = H a H with H = I - 2 v v', |v| = 1 */
static void reflect(dice *d, int64_t n, long double *a)
{
    long double v[MOST], w[MOST], square = 0, along = 0;
    for (int64_t i = 0; i < n; i++) {
        v[i] = dice_normal(d);
        square += v[i] * v[i];
    }
    for (int64_t i = 0; i < n; i++)
        v[i] /= sqrtl(square);
    for (int64_t i = 0; i < n; i++) {
        w[i] = 0;
        for (int64_t j = 0; j < n; j++)
            w[i] += a[i * n + j] * v[j];
    }
    for (int64_t i = 0; i < n; i++)
        along += v[i] * w[i];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] += 4 * along * v[i] * v[j] - 2 * (v[i] * w[j] + w[i] * v[j]);
}

static void known_spectra_are_found(void **state)
{
    static long double exact[MOST * MOST];
    static double a[MOST * MOST], lambda[MOST], values[MOST];
    weft_memory memory = weft__memory_or_default(NULL);
    for (uint64_t problem = 0; problem < (uint64_t)effort(20, 60); problem++) {
        dice d = {problem};
        int64_t n = 1 + dice_below(&d, MOST);
        draw_spectrum(&d, n, lambda);
        for (int64_t k = 0; k < n * n; k++)
            exact[k] = k / n == k % n ? lambda[k / n] : 0;
        for (int k = 0; k < REFLECTIONS; k++)
            reflect(&d, n, exact);
        for (int64_t k = 0; k < n * n; k++)
            a[k] = (double)exact[k];
        eigen_errors e = eigen_measure(n, a, false);
        assert_int_equal(weft__eigen_symmetric(&memory, (weft__symmetric){n, a, n, NULL}, values, true, NULL),
                         WEFT_OK);
        double norm = fmax(fabs(lambda[0]), fabs(lambda[n - 1]));
        for (int64_t i = 0; i < n; i++)
            assert_near(values[i], lambda[i], 4 * (double)n * DBL_EPSILON * norm);
        if (e.residual > 4 || e.orthogonal > 4)
            fail_msg("problem %d, n %lld: residual %Lg, orthogonality %Lg of n eps", (int)problem,
                     (long long)n, e.residual, e.orthogonal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_spectra_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
