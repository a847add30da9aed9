/* SPDX-License-Identifier: MIT
 * What every decomposition of a symmetric matrix must be, judged in extended precision.  Include a
 * header with cmocka first. */
#ifndef WEFT_TESTS_EIGEN_CHECKS_H
#define WEFT_TESTS_EIGEN_CHECKS_H

#include "linalg/eigen.h"
#include "support/naive.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The errors of a decomposition, in units of n DBL_EPSILON |A| (orthogonality: n DBL_EPSILON). */
typedef struct eigen_errors {
    long double residual;   /* max |A v - lambda v|_2 */
    long double orthogonal; /* max |v_k'v_l - [k = l]| */
    long double value;      /* max |lambda - those of Jacobi's method|, where that was asked for */
} eigen_errors;

static inline long double eigen_residual(int64_t n, const double *a, double value, const double *v)
{
    long double square = 0;
    for (int64_t i = 0; i < n; i++) {
        long double sum = -(long double)value * v[i];
        for (int64_t j = 0; j < n; j++)
            sum += (long double)a[(i < j ? i : j) * n + (i < j ? j : i)] * v[j];
        square += sum * sum;
    }
    return sqrtl(square);
}

static inline long double eigen_worst_angle(int64_t n, const double *vectors, int64_t k)
{
    long double worst = 0;
    for (int64_t l = 0; l <= k; l++) {
        long double sum = k == l ? -1 : 0;
        for (int64_t i = 0; i < n; i++)
            sum += (long double)vectors[k * n + i] * vectors[l * n + i];
        worst = fmaxl(worst, fabsl(sum));
    }
    return worst;
}

/* max |values - Jacobi's|, both rising */
static inline long double eigen_distance(int64_t n, const double *a, const double *values)
{
    long double *matrix = naive_new(n * n, sizeof *matrix), *vectors = naive_new(n * n, sizeof *vectors),
                *exact = naive_new(n + 1, sizeof *exact), worst = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            matrix[i * n + j] = a[(i < j ? i : j) * n + (i < j ? j : i)];
    naive_eigen(n, matrix, exact, vectors);
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = i; j > 0 && exact[j - 1] > exact[j]; j--) {
            long double other = exact[j];
            exact[j] = exact[j - 1];
            exact[j - 1] = other;
        }
    for (int64_t i = 0; i < n; i++)
        worst = fmaxl(worst, fabsl(exact[i] - values[i]));
    free(matrix);
    free(vectors);
    free(exact);
    return worst;
}

/* Decomposes the matrix whose entries i <= j are in a (n x n) and measures.  Values rise, and are the same to
 * the bit without vectors; a is not spoilt then. */
static inline eigen_errors eigen_measure(int64_t n, const double *a, bool by_jacobi)
{
    size_t size = (size_t)(n * n) * sizeof *a;
    double *vectors = naive_new(n * n + 1, sizeof *vectors), *copy = naive_new(n * n + 1, sizeof *copy),
           *values = naive_new(n + 1, sizeof *values), *alone = naive_new(n + 1, sizeof *alone);
    weft_memory memory = weft__memory_or_default(NULL);
    eigen_errors errors = {0};
    memcpy(vectors, a, size);
    memcpy(copy, a, size);
    assert_int_equal(
        weft__eigen_symmetric(&memory, (weft__symmetric){n, vectors, n, NULL}, values, true, NULL), WEFT_OK);
    assert_int_equal(weft__eigen_symmetric(&memory, (weft__symmetric){n, copy, n, NULL}, alone, false, NULL),
                     WEFT_OK);
    assert_memory_equal(copy, a, size);
    assert_memory_equal(values, alone, (size_t)n * sizeof *values);
    for (int64_t k = 0; k < n; k++) {
        assert_true(k == 0 || values[k - 1] <= values[k]);
        errors.residual = fmaxl(errors.residual, eigen_residual(n, a, values[k], vectors + k * n));
        errors.orthogonal = fmaxl(errors.orthogonal, eigen_worst_angle(n, vectors, k));
    }
    errors.value = by_jacobi ? eigen_distance(n, a, values) : 0;
    long double unit = (long double)n * DBL_EPSILON,
                norm = n > 0 ? fmaxl(fabs(values[0]), fabs(values[n - 1])) : 0;
    errors.orthogonal /= n > 0 ? unit : 1;
    errors.residual /= norm > 0 ? unit * norm : 1;
    errors.value /= norm > 0 ? unit * norm : 1;
    free(vectors);
    free(copy);
    free(values);
    free(alone);
    return errors;
}

#endif
