/* SPDX-License-Identifier: MIT
 * The backend of the compact engine: both sides have finite features, and C is a matrix of
 * that size.
 *
 *     x = [ phi_i / sqrt(2 R_M) ; psi_j / sqrt(2 R_N) ]        one set: (phi_i - phi_j) / sqrt(4 R)
 *     A = sum of coefficient x x',   K = I,   x'exp(A)x
 *
 *     | phi: rows | psi: columns | padding |
 *     0           offset         d         n
 */
#ifndef WEFT_LEARNER_COMPACT_H
#define WEFT_LEARNER_COMPACT_H

#include "learner/backend.h"
#include "side/side.h"

/* Invariants: A = factor * a, of which the upper triangle and the blocks of 16 x 16 on the
 * diagonal are kept (base/vector.h); `single` is a in single precision, square[i] = sum_j a_ij^2,
 * weight = factor^2 square.  feature has phi and psi of pair, scaled. */
typedef struct weft__compact {
    weft__backend backend;
    const weft_side *side[2]; /* the same one twice for one set */
    bool one_set;
    int64_t offset, d;
    double scale[2];
    double *a;
    float *single;
    double factor;
    double drift; /* what rounding has added to A in all, in the Frobenius norm: at most this */
    double *square, *weight, *diagonal;
    float *narrow_x, *narrow_y;
    int64_t pair[2]; /* -1: none yet */
    double *feature[2];
    double norm[2];              /* |phi|^2, |psi|^2 */
    double floor;                /* the least that eigenvalues of A are let fall to is -floor; 0: any */
    double *copy, *value, *room; /* for eigenvalues, and eigenvectors where there is a floor */
} weft__compact;

typedef struct weft__compact_plan {
    const weft_side *rows, *columns; /* columns NULL: one set of ids */
    bool mixed;
    double floor;
} weft__compact_plan;

/* The numbers that eigenvalues of d x d want to work in; with a floor, eigenvectors too. */
int64_t weft__compact_room(int64_t d, bool floor);

/* WEFT_ARGUMENT where a side has no finite features, or both have too many. */
weft_status weft__compact_create(const weft__compact_plan *plan, const weft_memory *memory,
                                 weft__compact **compact, weft_error *error);

/* The factor becomes part of a. */
void weft__compact_multiply_in(weft__compact *compact);

/* A of one becomes that of another of the same dimensions. */
void weft__compact_copy(const weft__compact *from, weft__compact *to);

/* Whether both have the same features, scaled alike, so that their matrices can be added. */
bool weft__compact_alike(weft__compact *a, const weft__compact *b);
/* A += A of another that is alike, held at its floor. */
void weft__compact_add(weft__compact *compact, const weft__compact *other);

/* compact->value becomes the eigenvalues of a, rising; false where they are not found. */
bool weft__compact_eigenvalues(weft__compact *compact);
/* How far these may be from those of A. */
double weft__compact_rounding(const weft__compact *compact);
/* From all eigenvalues, O(d^3): bound.c. */
weft__spectral_bound weft__compact_bound(weft__compact *compact);
/* Raises eigenvalues below -floor to it: floor.c. */
void weft__compact_hold(weft__compact *compact);
/* Holds A at its floor and bounds it anew, every so many updates, of which this is number `updates`. */
void weft__compact_tighten(weft__compact *compact, int64_t updates, weft__spectral_bound *bound);

/* For the state: entry i <= j < d of a; set to be followed by a settle. */
double weft__compact_entry(const weft__compact *compact, int64_t i, int64_t j);
void weft__compact_set(weft__compact *compact, int64_t i, int64_t j, double value);
void weft__compact_settle(weft__compact *compact, double factor, double drift);

#endif
