/* SPDX-License-Identifier: MIT
 * A symmetric matrix taken apart into its eigenvectors, and functions of it put together. */
#ifndef WEFT_SPECTRAL_EIGEN_H
#define WEFT_SPECTRAL_EIGEN_H

#include "base/memory.h"
#include "base/progress.h"

#include <stdbool.h>

/* A = sum_k value[k] v_k v_k', values rising, v_k = vector[k * stride ...], zero past n.  `stride` is a
 * multiple of 16. */
typedef struct weft__eigen {
    int64_t n, stride;
    double *value, *vector;
    weft__progress *progress; /* of whoever waits for what follows, and may stop it; NULL: nobody */
} weft__eigen;

/* Room for a matrix of n x n, all zero. */
weft_status weft__eigen_create(const weft_memory *memory, int64_t n, weft__eigen *eigen, weft_error *error);
void weft__eigen_release(weft__eigen *eigen, const weft_memory *memory);

/* Decomposes the matrix whose entries i <= j < n are in vector[i * stride + j].  *found is false
 * where an entry is not finite (linalg/eigen.h).  The computed ones are those of A + E, E as small
 * as it says.  O(n^3), and workspace of n^2 numbers. */
weft_status weft__eigen_find(weft__eigen *eigen, const weft_memory *memory, bool *found, weft_error *error);

/* sum_k v_k v_k' over `count` vectors of n numbers, v_k at vector[k * stride]: entries i >= j go to
 * product[i * n + j], the others are 0.  work has weft__eigen_squares_work(n) numbers; allocates nothing. */
int64_t weft__eigen_squares_work(int64_t n);
void weft__eigen_squares(int64_t count, const weft__eigen *vectors, double *product, double *work);

/* The matrix sum_k weight[k] v_k v_k', weights >= 0, on the coordinates from `first` on, as many as
 * block->n, goes to block->vector, ready to be decomposed. */
weft_status weft__eigen_compose(const weft__eigen *eigen, const double *weight, int64_t first,
                                const weft_memory *memory, weft__eigen *block, weft_error *error);

#endif
