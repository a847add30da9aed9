/* SPDX-License-Identifier: MIT
 * The largest eigenvectors of a symmetric operator that can only be multiplied by, to the same bits
 * everywhere where its products are. */
#ifndef WEFT_LINALG_LANCZOS_H
#define WEFT_LINALG_LANCZOS_H

#include "base/memory.h"
#include "base/progress.h"

/* What is looked for.  Vectors are rows of weft__padded(n) numbers, 64-byte aligned, zero past n. */
typedef struct weft__lanczos {
    int64_t n, wanted;
    int64_t basis; /* vectors that are kept at once: above `wanted`, or all of n less the known ones */
    void (*multiply)(void *context, const double *x, double *y); /* y = A x */
    void *context;
    const double *known; /* orthonormal eigenvectors that are not to be found again, or NULL for none */
    int64_t known_count;
    double tolerance;         /* |A q - mu q| <= tolerance |mu| */
    int64_t restarts;         /* at most */
    uint64_t seed;            /* of the start vector */
    double work;              /* multiplications of a product by A, about: */
    weft__progress *progress; /* is told of them, and may stop it; NULL: nobody */
} weft__lanczos;

/* How it ended: all is well where found == wanted. */
typedef struct weft__lanczos_end {
    int64_t found, restarts;
} weft__lanczos_end;

/* The largest eigenvalues, rising, and their orthonormal eigenvectors; of an eigenvalue that repeats, maybe
 * one alone.  Where fewer than wanted are found, values and vectors are as they were. */
weft_status weft__lanczos_largest(const weft_memory *memory, const weft__lanczos *problem, double *values,
                                  double *vectors, weft__lanczos_end *end, weft_error *error);

#endif
