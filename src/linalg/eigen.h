/* SPDX-License-Identifier: MIT
 * All eigenvalues and eigenvectors of a dense symmetric matrix, to the same bits on every processor,
 * with every compiler and any number of threads. */
#ifndef WEFT_LINALG_EIGEN_H
#define WEFT_LINALG_EIGEN_H

#include "base/memory.h"
#include "base/progress.h"

#include <stdbool.h>

/* The result of the functions below is that of A + E with |E| <= WEFT__EIGEN_ERROR n DBL_EPSILON |A|, and
 * the vectors are orthogonal up to WEFT__EIGEN_ERROR n DBL_EPSILON.  Measured, not proved: up to 2.5 for
 * n <= 6, where few roundings are many units, below 1.5 from n = 12 on (tests/oracle/run_linalg.py). */
enum { WEFT__EIGEN_ERROR = 4 };

/* A matrix of n x n whose entries i <= j are at[i * stride + j]; nothing else of it is read. */
typedef struct weft__symmetric {
    int64_t n;
    double *at;
    int64_t stride;
    weft__progress *progress; /* may be NULL */
} weft__symmetric;

/* The eigenvalues of a, rising.  With vectors row k of a becomes the unit eigenvector of values[k]; without,
 * a is left as it was.  The signs, and the basis where eigenvalues are equal, are such as the method finds
 * them.
 *
 * WEFT_INPUT where an entry is not finite, WEFT_MEMORY, WEFT_INTERRUPTED, or WEFT_INTERNAL where the
 * iteration does not end.  About 9 n^3 operations with vectors, 4/3 n^3 without; workspace of 2 n^2 numbers,
 * or n^2. */
weft_status weft__eigen_symmetric(const weft_memory *memory, weft__symmetric a, double *values,
                                  bool with_vectors, weft_error *error);

/* The same in place and without an allocation.  a has weft__padded(n) rows of as many numbers, 64-byte
 * aligned, zero past n; without vectors it is spoilt.  `room` has weft__eigen_room numbers, 64-byte
 * aligned.  False where an entry is not finite, or the iteration does not end; a is spoilt then, and where
 * `progress` (which may be NULL) stops it. */
bool weft__eigen_solve(int64_t n, double *a, double *values, bool with_vectors, double *room,
                       weft__progress *progress);
int64_t weft__eigen_room(int64_t n, bool with_vectors);

#endif
