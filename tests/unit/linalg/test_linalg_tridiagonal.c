/* SPDX-License-Identifier: MIT
 * Small eigenproblems with known answers, and random ones against Jacobi
 * rotations in extended precision. */
#include "unit/test_core_support.h"

#include "linalg/tridiagonal.h"
#include "support/dice.h"
#include "support/naive.h"

enum { MOST = 60 };

/* Eigenvalues in rising order with the squares of their first components. */
typedef struct spectrum {
    double value[MOST], weight[MOST];
} spectrum;

static spectrum sorted(int k, const double *value, const double *first)
{
    spectrum s;
    for (int i = 0; i < k; i++) {
        int at = i;
        for (; at > 0 && s.value[at - 1] > value[i]; at--) {
            s.value[at] = s.value[at - 1];
            s.weight[at] = s.weight[at - 1];
        }
        s.value[at] = value[i];
        s.weight[at] = first[i] * first[i];
    }
    return s;
}

static spectrum solved(int k, const double *diagonal, const double *off)
{
    double d[MOST], e[MOST] = {0}, first[MOST];
    memcpy(d, diagonal, (size_t)k * sizeof *d);
    memcpy(e, off, (size_t)(k - 1) * sizeof *e);
    assert_true(weft__tridiagonal_solve(k, d, e, first));
    return sorted(k, d, first);
}

/* Diagonal 0, off-diagonal 1: 2 cos(j pi/(k+1)), first components
 * sqrt(2/(k+1)) sin(j pi/(k+1)). */
static void the_path_has_cosines(void **state)
{
    double d[MOST] = {0}, e[MOST];
    for (int i = 0; i < MOST; i++)
        e[i] = 1;
    for (int k = 1; k <= MOST; k++) {
        spectrum s = solved(k, d, e);
        for (int j = 1; j <= k; j++) {
            double angle = acos(-1) * j / (k + 1);
            assert_near(s.value[k - j], 2 * cos(angle), 1e-14);
            assert_near(s.weight[k - j], 2.0 / (k + 1) * sin(angle) * sin(angle), 1e-14);
        }
    }
}

/* Clement's matrix: off-diagonals sqrt(j (n-j)), eigenvalues -(n-1), -(n-3), ...,
 * with the weights of tossing n-1 coins. */
static void clement_has_whole_numbers(void **state)
{
    enum { N = 21 };
    double d[MOST] = {0}, e[MOST], coins = pow(2, -(N - 1));
    for (int j = 1; j < N; j++)
        e[j - 1] = sqrt((double)j * (N - j));
    spectrum s = solved(N, d, e);
    for (int j = 0; j < N; j++) {
        assert_near(s.value[j], 2 * j - (N - 1), 1e-12);
        assert_near(s.weight[j], coins, 1e-13);
        coins *= (double)(N - 1 - j) / (j + 1);
    }
}

static void compare_with_jacobi(int k, const double *d, const double *e)
{
    long double matrix[MOST * MOST] = {0}, value[MOST], vectors[MOST * MOST];
    double found[MOST], first[MOST], scale = 0;
    for (int i = 0; i < k; i++) {
        matrix[i * k + i] = d[i];
        scale = fmax(scale, fabs(d[i]));
        if (i + 1 < k) {
            matrix[i * k + i + 1] = matrix[(i + 1) * k + i] = e[i];
            scale = fmax(scale, fabs(e[i]));
        }
    }
    naive_eigen(k, matrix, value, vectors);
    for (int i = 0; i < k; i++) {
        found[i] = (double)value[i];
        /* Row by row: component 1 of vector i. */
        first[i] = (double)vectors[i * k];
    }
    spectrum expected = sorted(k, found, first), s = solved(k, d, e);
    double sum = 0;
    for (int i = 0; i < k; i++) {
        assert_near(s.value[i], expected.value[i], 1e-13 * scale * k);
        assert_near(s.weight[i], expected.weight[i], 1e-9);
        sum += s.weight[i];
    }
    assert_near(sum, 1, 1e-13);
}

static void random_matrices_agree_with_jacobi(void **state)
{
    dice drawn = {5};
    for (int round = 0; round < 60; round++) {
        double d[MOST], e[MOST];
        int k = 1 + (int)dice_below(&drawn, 16);
        double scale = dice_log_between(&drawn, 1e-6, 1e6);
        for (int i = 0; i < k; i++) {
            d[i] = scale * dice_normal(&drawn);
            e[i] = scale * (dice_chance(&drawn, 0.1) ? 0 : dice_normal(&drawn));
        }
        compare_with_jacobi(k, d, e);
    }
}

static void matrices_that_split_are_solved(void **state)
{
    static const double d[] = {3, -1, 3, 3}, none[] = {0, 0, 0}, tiny[] = {1e-80, 1e-61, 1e-300};
    spectrum s = solved(4, d, none);
    assert_true(s.value[0] == -1 && s.value[1] == 3 && s.value[3] == 3);
    assert_near(s.weight[1] + s.weight[2] + s.weight[3], 1, 0);
    s = solved(4, d, tiny);
    assert_true(s.value[0] == -1 && s.value[3] == 3);
}

/* The diagonal cancels inside a sweep: a rotation of length zero. */
static void a_zero_rotation_is_survived(void **state)
{
    static const double d[] = {0, 0, 0, 0, 0}, e[] = {1, 1e-50, 1e-50, 1};
    spectrum s = solved(5, d, e);
    assert_near(s.value[0], -1, 1e-14);
    assert_near(s.value[1], -1, 1e-14);
    assert_near(s.value[2], 0, 1e-14);
    assert_near(s.value[4], 1, 1e-14);
}

static void wide_spectra_are_solved(void **state)
{
    double d[MOST], e[MOST];
    for (int i = 0; i < 30; i++) {
        d[i] = -pow(10, i - 15);
        e[i] = pow(10, i - 16);
    }
    spectrum s = solved(30, d, e);
    double sum = 0, trace = 0;
    for (int i = 0; i < 30; i++) {
        assert_true(isfinite(s.value[i]));
        sum += s.value[i];
        trace += d[i];
    }
    assert_near(sum, trace, 1e-12 * fabs(trace));
}

/* T Y = Y diag(d), Y'Y = 1, and the first row is that of weft__tridiagonal_solve. */
static void whole_eigenvectors_decompose(void **state)
{
    dice d17 = {17};
    for (int k = 1; k <= 30; k++) {
        double alpha[MOST] = {0}, beta[MOST] = {0}, d[MOST], e[MOST], first[MOST], y[MOST * MOST];
        for (int i = 0; i < k; i++) {
            alpha[i] = dice_normal(&d17);
            beta[i] = fabs(dice_normal(&d17));
        }
        memcpy(d, alpha, sizeof d);
        memcpy(e, beta, sizeof e);
        assert_true(weft__tridiagonal_solve(k, d, e, first));
        memcpy(d, alpha, sizeof d);
        memcpy(e, beta, sizeof e);
        assert_true(weft__tridiagonal_decompose(k, d, e, y));
        for (int a = 0; a < k; a++) {
            assert_true(y[a * k] == first[a]);
            for (int j = 0; j < k; j++) {
                double product = alpha[j] * y[a * k + j] + (j > 0 ? beta[j - 1] * y[a * k + j - 1] : 0) +
                                 (j < k - 1 ? beta[j] * y[a * k + j + 1] : 0);
                assert_near(product, d[a] * y[a * k + j], 1e-13);
                double dot = 0;
                for (int l = 0; l < k; l++)
                    dot += y[a * k + l] * y[j * k + l];
                assert_near(dot, a == j, 1e-13);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_has_cosines),
        cmocka_unit_test(clement_has_whole_numbers),
        cmocka_unit_test(random_matrices_agree_with_jacobi),
        cmocka_unit_test(matrices_that_split_are_solved),
        cmocka_unit_test(a_zero_rotation_is_survived),
        cmocka_unit_test(wide_spectra_are_solved),
        cmocka_unit_test(whole_eigenvectors_decompose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
