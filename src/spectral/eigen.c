/* SPDX-License-Identifier: MIT
 *
 * Method: LAPACK's divide and conquer, which is the one that also finds what is far
 * apart.  Symmetric blocks of a function of A as W W' with W = V diag(sqrt(weight)), so that they are
 * semidefinite whatever rounding does.
 * Cost: about 9 n^3 multiplications; composing n count^2.
 * Reference: Anderson et al., LAPACK Users' Guide (1999), 4.7. */
#include "spectral/eigen.h"

#include "base/vector.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

weft_status weft__eigen_create(const weft_memory *memory, int64_t n, weft__eigen *eigen, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__eigen made = {.n = n, .stride = weft__padded(n)};
    TRY(weft__new(memory, made.stride, sizeof(double), &made.value, error));
    TRY(weft__new(memory, made.stride * made.stride, sizeof(double), &made.vector, error));
    *eigen = made;
    return WEFT_OK;
done:
    weft__eigen_release(&made, memory);
    return status;
}

void weft__eigen_release(weft__eigen *eigen, const weft_memory *memory)
{
    weft__delete(memory, eigen->value);
    weft__delete(memory, eigen->vector);
    *eigen = (weft__eigen){0};
}

static bool all_finite(const double *x, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

/* dsyevd leaves what is past n in a column as it was. */
static void clear_padding(weft__eigen *eigen)
{
    for (int64_t k = 0; k < eigen->n; k++)
        for (int64_t i = eigen->n; i < eigen->stride; i++)
            eigen->vector[k * eigen->stride + i] = 0;
}

/* In all of them the upper triangle, row by row, is the lower one, column by column. */
bool weft__eigen_values(int64_t n, int64_t stride, double *matrix, double *value, double *work)
{
    lapack_int none = 0;
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)n, matrix, (lapack_int)stride, value,
                               work, (lapack_int)(WEFT__EIGEN_ROOM * n), &none, 1) == 0 &&
           all_finite(value, n);
}

bool weft__eigen_vectors(int64_t n, int64_t stride, double *matrix, double *value, double *work,
                         int *integers)
{
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)n, matrix, (lapack_int)stride, value,
                               work, (lapack_int)WEFT__EIGEN_WORK(n, n), integers,
                               (lapack_int)WEFT__EIGEN_INTEGERS(n)) == 0 &&
           all_finite(value, n);
}

weft_status weft__eigen_find(weft__eigen *eigen, const weft_memory *memory, bool *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = eigen->n;
    double *work = NULL;
    int *integers = NULL;
    TRY(weft__new(memory, WEFT__EIGEN_WORK(n, n), sizeof *work, &work, error));
    TRY(weft__new(memory, WEFT__EIGEN_INTEGERS(n), sizeof *integers, &integers, error));
    *found = weft__eigen_vectors(n, eigen->stride, eigen->vector, eigen->value, work, integers);
    clear_padding(eigen);
done:
    weft__delete(memory, work);
    weft__delete(memory, integers);
    return status;
}

void weft__eigen_squares(int64_t n, int64_t count, int64_t stride, const double *vector, double *product)
{
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)n, (int)count, 1, vector, (int)stride, 0,
                product, (int)stride);
}

weft_status weft__eigen_compose(const weft__eigen *eigen, const double *weight, int64_t first,
                                const weft_memory *memory, weft__eigen *block, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = block->n;
    double *root = NULL;
    TRY(weft__new(memory, eigen->n * count, sizeof *root, &root, error));
    for (int64_t k = 0; k < eigen->n; k++)
        for (int64_t i = 0; i < count; i++)
            root[k * count + i] = sqrt(weight[k]) * eigen->vector[k * eigen->stride + first + i];
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)count, (int)eigen->n, 1, root, (int)count, 0,
                block->vector, (int)block->stride);
done:
    weft__delete(memory, root);
    return status;
}
