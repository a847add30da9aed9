/* SPDX-License-Identifier: MIT
 * The sparse factor of a Laplacian that was made definite. */
#ifndef WEFT_SIDE_GRAPH_FACTOR_H
#define WEFT_SIDE_GRAPH_FACTOR_H

#include "side/graph/laplacian.h"

/* A = scale L + shift I + L_gg e_g e_g', g = grounded, in places of its own: vertex order[k]
 * has place k, and there A = L D L' with L unit lower triangular.  Column j of L has the rows
 * row[start[j]] < ... < row[start[j+1] - 1], all below j, and the values beside them;
 * pivot[j] = D_jj > 0.  longest is the number of entries of the longest column. */
typedef struct weft__factor {
    weft_memory memory;
    int64_t count, longest;
    int32_t *order, *row;
    int64_t *start;
    double *value, *pivot;
    double *diagonal; /* of A, by vertex */
    bool above;       /* it would take more than the budget and was not made */
    double bytes;     /* that it takes while it is made */
} weft__factor;

/* What to factor, and what it may cost. */
typedef struct weft__factor_plan {
    const weft__laplacian *laplacian;
    double scale, shift;
    int64_t grounded;         /* a vertex; -1: none */
    int64_t budget;           /* bytes */
    weft__progress *progress; /* of whoever makes it; NULL: nobody */
} weft__factor_plan;

/* CHOLMOD cannot be stopped: the caller is told before it analyses, before it factors and afterwards.
 * *bad is a vertex whose pivot is not told from zero, and the factor is not made, or -1.
 * Nor is it made where it would not fit the budget (factor->above): that is known before
 * anything large is asked for.  Free it also after a failure. */
weft_status weft__factor_make(const weft__factor_plan *plan, weft__factor *factor, int64_t *bad,
                              weft_error *error);
void weft__factor_free(weft__factor *factor);

/* x = A^-1 x; work has count elements of any content.  Any number of threads may do so
 * at once. */
void weft__factor_solve(const weft__factor *factor, double *x, double *work);

/* out[i] = (A^-1)_ii, by vertex. */
weft_status weft__factor_inverse_diagonal(const weft__factor *factor, double *out, weft__progress *progress,
                                          weft_error *error);

/* m >= x'A^-1 diag(A) A^-1 x / x'A^-1x for all x: by how much a solve blows rounding up. */
weft_status weft__factor_condition(const weft__factor *factor, double *m, weft__progress *progress,
                                   weft_error *error);

#endif
