/* SPDX-License-Identifier: MIT
 * All eigenvalues and eigenvectors of a symmetric matrix that is small enough for it. */
#ifndef WEFT_SPECTRAL_EIGEN_H
#define WEFT_SPECTRAL_EIGEN_H

#include "base/memory.h"

/* A = sum_k value[k] v_k v_k', values rising, v_k = vector[k * stride ...], zero past n.  `stride` is a
 * multiple of 16. */
typedef struct weft__eigen {
    int64_t n, stride;
    double *value, *vector;
} weft__eigen;

/* Room for a matrix of n x n, all zero. */
weft_status weft__eigen_create(const weft_memory *memory, int64_t n, weft__eigen *eigen, weft_error *error);
void weft__eigen_release(weft__eigen *eigen, const weft_memory *memory);

/* Decomposes the matrix whose entries i <= j < n are in vector[i * stride + j].  *found is false
 * where LAPACK does not find them.  The computed ones are those of A + E, |E| about n u |A|.
 * O(n^3), and workspace of 2 n^2 numbers. */
weft_status weft__eigen_find(weft__eigen *eigen, const weft_memory *memory, bool *found, weft_error *error);

/* The eigenvalues alone, of a matrix that is laid out so and is destroyed.  work has
 * WEFT__EIGEN_ROOM n numbers; allocates nothing.  False where LAPACK does not find them. */
enum { WEFT__EIGEN_ROOM = 66 };
bool weft__eigen_values(int64_t n, int64_t stride, double *matrix, double *value, double *work);

/* Values and vectors, v_k at matrix[k * stride]; what is past n there is left as it was.  work has
 * WEFT__EIGEN_WORK(n, stride) numbers, integers WEFT__EIGEN_INTEGERS(n); allocates nothing. */
#define WEFT__EIGEN_WORK(n, stride) (1 + 6 * (n) + 2 * (stride) * (stride))
#define WEFT__EIGEN_INTEGERS(n) (3 + 5 * (n))
bool weft__eigen_vectors(int64_t n, int64_t stride, double *matrix, double *value, double *work,
                         int *integers);

/* sum_k v_k v_k' over `count` vectors of n numbers, v_k at vector[k * stride]: entries i <= j go to
 * product[i * stride + j]. */
void weft__eigen_squares(int64_t n, int64_t count, int64_t stride, const double *vector, double *product);

/* The matrix sum_k weight[k] v_k v_k', weights >= 0, on the coordinates from `first` on, as many as
 * block->n, goes to block->vector, ready to be decomposed; block->vector must be zero. */
weft_status weft__eigen_compose(const weft__eigen *eigen, const double *weight, int64_t first,
                                const weft_memory *memory, weft__eigen *block, weft_error *error);

#endif
