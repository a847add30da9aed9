/* SPDX-License-Identifier: MIT
 * Kernels that are held as a whole: storage, validation and inversion, shared
 * by the kinds kernel, matrix and graph. */
#ifndef WEFT_SIDE_KINDS_DENSE_H
#define WEFT_SIDE_KINDS_DENSE_H

#include "linalg/triangle.h"
#include "side/side.h"

/* A symmetric matrix in full storage: entry (i,j) is values[i * stride + j] for
 * i, j < base.count.  Invariant: both triangles agree to the bit, and all of
 * values beyond the matrix is zero. */
typedef struct weft__dense_side {
    weft_side base;
    double *values;
    int64_t stride;
} weft__dense_side;

/* A dense side of zeros; the constructor fills side->values. */
weft_status weft__dense_create(const weft__side_ops *ops, int64_t count, const weft_side_options *options,
                               weft__dense_side **side, weft_error *error);

/* The entries of the table that are the same for all dense kinds. */
double weft__dense_entry(const weft_side *side, int64_t i, int64_t j, double *work);
double weft__dense_diagonal(const weft_side *side, int64_t i);
void weft__dense_column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                        double *work);
void weft__dense_release(weft_side *side);

/* Adds the alone id number side->count. */
weft_status weft__dense_append_alone(weft_side *side, weft_error *error);
/* Adds id number side->count with K(new, j) = values[j], j <= side->count. */
weft_status weft__dense_append_row(weft_side *side, const double *values, weft_error *error);
/* `append` of kinds that take alone ids only. */
weft_status weft__dense_append_alone_only(weft_side *side, const weft_item *item, weft_error *error);

/* Copies a given n x n matrix, called `symbol` in messages, into the side:
 * finite, not all zero, symmetric up to 1e-9 of its largest entry (the mean of
 * both triangles is taken).  *largest = the largest absolute value. */
weft_status weft__dense_fill(weft__dense_side *side, const double *given, char symbol, double *largest,
                             weft_error *error);

/* Replaces the positive definite matrix of which `triangle` is the lower one by
 * its inverse, both triangles.  If it is not positive definite to working
 * precision *pivot is the first index where that shows and it is spoilt; else
 * *pivot = -1. */
weft_status weft__dense_invert(const weft_memory *memory, weft__triangle triangle, int64_t *pivot,
                               weft_error *error);

/* Fails unless the smallest eigenvalue is at least -1e-10 * largest. */
weft_status weft__dense_check_semidefinite(const weft__dense_side *side, double largest, weft_error *error);

#endif
