/* SPDX-License-Identifier: MIT
 *
 * Definiteness and inversion of dense symmetric matrices.
 *
 * Method.  Semidefinite up to the tolerance t: K / max|K| + t/2 I has a
 * Cholesky factor, the other half being ample for its rounding.  Only when it
 * has none are the eigenvalues computed, which decide the case at the edge and
 * give the smallest one to the message.  Inversion: both
 * sides are scaled by powers of two so that the diagonal lies in [1, 4), an
 * exact operation that leaves no room for overflow, then M = LL', M^-1 =
 * L'^-1 L^-1, and the scaling is undone.
 *
 * A pivot l_kk^2 is m_kk less the squares of a row of L, so it carries an error
 * of about n eps m_kk (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, theorem 10.3): a smaller one is not told from zero.  The errors
 * of the rows before it may be magnified in it, so that the pivot of a singular
 * matrix can be larger.  Its inverse is then nearly 1 / eps: with a condition above
 * 1 / (16 eps) hardly a digit of the inverse is right.
 *
 * Cost.  n^3/3 operations for a test that succeeds, about 4/3 n^3 more for one
 * that fails; n^3 for the inverse; a copy of the matrix for the test. */
#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "side/kinds/dense.h"

#include <float.h>
#include <math.h>

/* Eigenvalues may be this share of the largest entry below zero. */
static const double definite_tolerance = 1e-10;
/* |M|_1 |M^-1|_1 of a matrix with an inverse; rounding makes at least 0.16 / eps of singular ones. */
static const double largest_condition = 1 / (16 * DBL_EPSILON);

static void copy_scaled(const weft__dense_side *side, double scale, double shift, double *out)
{
    int64_t n = side->base.count;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            out[i * n + j] = side->values[i * side->stride + j] / scale;
        out[i * n + i] += shift;
    }
}

static weft_status check_by_eigenvalues(const weft__dense_side *side, double largest, double *copy,
                                        weft_error *error)
{
    double *values = NULL;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    int64_t n = side->base.count;
    copy_scaled(side, largest, 0, copy);
    TRY(weft__new(memory, n, sizeof *values, &values, error));
    TRY(weft__eigen_symmetric(memory, (weft__symmetric){n, copy, n, side->base.progress}, values, false,
                              error));
    if (values[0] < -definite_tolerance)
        TRY(weft__fail(
            error, WEFT_INPUT,
            "the kernel is not semidefinite: its smallest eigenvalue is %.6g, which is %.3g of its "
            "largest entry %.6g; at most %g below zero is taken for rounding",
            values[0] * largest, values[0], largest, definite_tolerance));
done:
    weft__delete(memory, values);
    return status;
}

weft_status weft__dense_check_semidefinite(const weft__dense_side *side, double largest, weft_error *error)
{
    double *copy = NULL, *work = NULL;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    int64_t n = side->base.count, size = 0;
    TRY(weft__checked_product(n, n, &size, error));
    TRY(weft__new(memory, size, sizeof *copy, &copy, error));
    TRY(weft__new(memory, weft__cholesky_work(n, 1), sizeof *work, &work, error));
    copy_scaled(side, largest, definite_tolerance / 2, copy);
    weft__progress_begin(side->base.progress, "testing that a kernel is semidefinite",
                         (double)n * (double)n * (double)n / 6);
    int64_t bad = weft__cholesky_factor((weft__triangle){n, copy, n, side->base.progress}, 0, work);
    TRY(weft__progress_check(side->base.progress, error));
    if (bad >= 0)
        TRY(check_by_eigenvalues(side, largest, copy, error));
done:
    weft__delete(memory, work);
    weft__delete(memory, copy);
    return status;
}

/* ---- Inversion ---- */

/* a_ij = 2^-(e_i + e_j) a_ij: its own inverse for matrix and inverse alike. */
static void scale_symmetrically(double *a, int64_t stride, int64_t n, const int *exponent)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * stride + j] = ldexp(a[i * stride + j], -(exponent[i] + exponent[j]));
}

/* e_i with 2^(-2 e_i) a_ii in [1, 4); the first i whose a_ii is not positive
 * is the answer, else -1. */
static int64_t choose_exponents(const double *a, int64_t stride, int64_t n, int *exponent)
{
    for (int64_t i = 0; i < n; i++) {
        int e = 0;
        if (!(a[i * stride + i] > 0))
            return i;
        frexp(a[i * stride + i], &e);
        exponent[i] = (e - 1 - ((e - 1) & 1)) / 2;
    }
    return -1;
}

/* |a|_1, of both triangles */
static double norm_of(const double *a, int64_t stride, int64_t n)
{
    double norm = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += fabs(a[i * stride + j]);
        norm = fmax(norm, sum);
    }
    return norm;
}

static int64_t find_least_pivot(const double *l, int64_t stride, int64_t n)
{
    int64_t least = 0;
    for (int64_t i = 1; i < n; i++)
        if (l[i * stride + i] < l[least * stride + least])
            least = i;
    return least;
}

/* The upper triangle from the lower one. */
static void mirror(double *a, int64_t stride, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            a[j * stride + i] = a[i * stride + j];
}

weft_status weft__dense_invert(const weft_memory *memory, weft__triangle triangle, int64_t *pivot,
                               weft_error *error)
{
    double *a = triangle.at;
    int64_t n = triangle.n, stride = triangle.stride;
    int *exponent = NULL;
    double *work = NULL, norm = 0;
    weft_status status = WEFT_OK;
    TRY(weft__new(memory, n, sizeof *exponent, &exponent, error));
    TRY(weft__new(memory, weft__cholesky_work(n, 1), sizeof *work, &work, error));
    weft__progress_begin(triangle.progress, "inverting a matrix", (double)n * (double)n * (double)n / 2);
    int64_t bad = choose_exponents(a, stride, n, exponent);
    if (bad < 0) {
        scale_symmetrically(a, stride, n, exponent);
        norm = norm_of(a, stride, n);
        bad = weft__cholesky_factor(triangle, (double)n * DBL_EPSILON, work);
        TRY(weft__progress_check(triangle.progress, error));
    }
    if (bad < 0) {
        int64_t least = find_least_pivot(a, stride, n);
        weft__cholesky_invert(triangle, work);
        TRY(weft__progress_check(triangle.progress, error));
        mirror(a, stride, n);
        bad = norm * norm_of(a, stride, n) < largest_condition ? -1 : least;
        scale_symmetrically(a, stride, n, exponent);
    }
    *pivot = bad;
done:
    weft__delete(memory, work);
    weft__delete(memory, exponent);
    return status;
}
