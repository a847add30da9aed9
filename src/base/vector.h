/* SPDX-License-Identifier: MIT
 * The inner loops.  Lengths are multiples of WEFT__LANES, arrays are 64-byte
 * aligned and zero past their content, so no loop has a tail.
 *
 * Every reduction runs over WEFT__LANES partial sums that are folded in one
 * fixed order, and the project is compiled with -ffp-contract=off: each clone
 * (SSE2, AVX2, AVX-512), compiler and optimisation level gives the same bits. */
#ifndef WEFT_BASE_VECTOR_H
#define WEFT_BASE_VECTOR_H

#include <stdint.h>

enum { WEFT__LANES = 16 };

/* The least multiple of WEFT__LANES that is >= n. */
static inline int64_t weft__padded(int64_t n)
{
    return (n + WEFT__LANES - 1) / WEFT__LANES * WEFT__LANES;
}

/* sum_i x_i */
double weft__sum(int64_t n, const double *x);

/* x'y */
double weft__dot(int64_t n, const double *x, const double *y);

/* sum_i (x_i - y_i)^2 */
double weft__distance(int64_t n, const double *x, const double *y);

/* sum_i d_i x_i^2 */
double weft__weighted_square(int64_t n, const double *d, const double *x);

/* y += a x */
void weft__add(int64_t n, double a, const double *x, double *y);

/* y = a x */
void weft__scale_vector(int64_t n, double a, const double *x, double *y);

/* y_i = d_i x_i; x and y may be the same. */
void weft__multiply_each(int64_t n, const double *d, const double *x, double *y);

/* y = a (y + b d x), element by element */
void weft__add_each(int64_t n, double a, double b, const double *d, const double *x, double *y);

/* y = a x to single precision, and y += a x back from it */
void weft__narrow(int64_t n, double a, const double *x, float *y);
void weft__widen(int64_t n, double a, const float *x, double *y);

/* max_i |x_i| */
double weft__largest(int64_t n, const double *x);

/* sum_i d_i x_i^4 */
double weft__weighted_fourth(int64_t n, const double *d, const double *x);

/* A power of two s with max_i |x_i| / s in [1, 2) (exponents within +-1000), or 1
 * for x = 0: dividing by it rounds nothing and keeps single precision from over-
 * or underflowing. */
double weft__magnitude(int64_t n, const double *x);

/* A rectangular block, row by row, `stride` elements from row to row. */
typedef struct weft__block_single {
    const float *at;
    int64_t rows, columns, stride;
} weft__block_single;

typedef struct weft__block_double {
    const double *at;
    int64_t rows, columns, stride;
} weft__block_double;

/* y = A x for a symmetric A, in its precision.  Of every pair of entries only the
 * one above the diagonal is read (the blocks of 16 x 16 on it are read whole).
 * With fewer rows than columns A is the upper part of such a matrix, whose lower
 * rows are zero but for what mirrors it; y has as many elements as columns. */
void weft__multiply_symmetric_single(weft__block_single a, const float *x, float *y);
void weft__multiply_symmetric_double(weft__block_double a, const double *x, double *y);

/* A += c x x', n x n, of which the part that weft__multiply_symmetric_... reads: exactly symmetric
 * where A was.  `single` becomes A in single precision and square[i] = sum_j A_ij^2. */
void weft__update_symmetric(int64_t n, double c, const double *x, double *a, float *single, double *square);

/* WEFT__LANES inner products at a time: y_l = sum_i a[i * WEFT__LANES + l] x_i, any n. */
void weft__project(int64_t n, const double *a, const double *x, double *y);

/* u = G x and v += G'z in one pass over G; rows a multiple of 4. */
void weft__couple_single(weft__block_single g, const float *x, const float *z, float *u, float *v);
void weft__couple_double(weft__block_single g, const double *x, const double *z, double *u, double *v);

#endif
