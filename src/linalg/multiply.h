/* SPDX-License-Identifier: MIT
 * Products of dense matrices, to the same bits everywhere. */
#ifndef WEFT_LINALG_MULTIPLY_H
#define WEFT_LINALG_MULTIPLY_H

#include "base/progress.h"

/* A matrix that is read.  Element (i, j) is at[i * down + j * across]: a matrix in
 * rows has across = 1, its transpose has the two exchanged. */
typedef struct weft__operand {
    const double *at;
    int64_t down, across;
} weft__operand;

/* scale A B, with A rows x depth and B depth x columns. */
typedef struct weft__product {
    int64_t rows, columns, depth;
    weft__operand a, b;
    double scale;             /* 1 and -1 round nothing; A is multiplied by any other first */
    bool lower;               /* only elements (i, j) with j <= i */
    weft__progress *progress; /* is told of every block; a product that was stopped is spoilt */
} weft__product;

/* Numbers of workspace that weft__multiply wants, 64-byte aligned; never more for a
 * smaller product. */
int64_t weft__multiply_work(int64_t rows, int64_t columns, int64_t depth);

/* C += scale A B, C in rows of `stride` numbers, sharing nothing with A and B.  To the bit this
 * is
 *
 *     for k in 0 .. depth - 1:  c_ij = c_ij + (scale a_ik) b_kj
 *
 * for each element by itself, whatever the sizes, strides and processor. */
void weft__multiply(const weft__product *product, double *c, int64_t stride, double *work);

#endif
