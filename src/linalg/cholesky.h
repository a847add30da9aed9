/* SPDX-License-Identifier: MIT
 * Symmetric positive definite matrices, to the same bits everywhere. */
#ifndef WEFT_LINALG_CHOLESKY_H
#define WEFT_LINALG_CHOLESKY_H

#include "linalg/triangle.h"

/* Numbers of workspace, 64-byte aligned, that any of these functions wants for an n x n matrix (and
 * `columns` columns to solve for, 1 at the least). */
int64_t weft__cholesky_work(int64_t n, int64_t columns);

/* The lower triangle of A becomes L with A = LL'.  A pivot l_kk^2 must exceed `floor` >= 0: the answer
 * is the first k where it does not (or is no number), and A is spoilt; else -1.  About n^3 / 6
 * multiplications, that triangle.progress is told of, and twice as many for the inverse; where it stops, the
 * answer means nothing. */
int64_t weft__cholesky_factor(weft__triangle a, double floor, double *work);

/* L becomes the lower triangle of (LL')^-1. */
void weft__cholesky_invert(weft__triangle l, double *work);

/* X = (LL')^-1 X */
void weft__cholesky_solve(weft__triangle l, weft__panel x, double *work);

/* A lower estimate of the 1-norm of (LL')^-1, nearly always within a factor of 3; `vectors` are 2n numbers to
 * work in. */
double weft__cholesky_inverse_norm(weft__triangle l, double *vectors, double *work);

#endif
