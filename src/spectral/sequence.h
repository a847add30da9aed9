/* SPDX-License-Identifier: MIT
 * One Lanczos sequence: a certified bracket of e'K exp(CK) e that narrows with
 * every product and can be continued at any time. */
#ifndef WEFT_SPECTRAL_SEQUENCE_H
#define WEFT_SPECTRAL_SEQUENCE_H

#include "spectral/engine.h"
#include "spectral/quadrature.h"

enum {
    /* Vectors that are kept and orthogonalised against; steps beyond that use
     * the three-term recurrence and these. */
    WEFT__KEPT = 40,
    WEFT__VECTORS = WEFT__KEPT + 3
};

/* How a sequence is used.  `whole` ones serve what a quadratic form does not: the
 * action exp(CK) e and its derivatives.  They keep every vector and go on past the
 * closing of their bracket, since those converge at half its rate. */

/* A vector of the Krylov space is u + c e: u on the coordinates of the
 * operators, c the multiple of the start vector where that lies outside them
 * (0 where it lies inside).
 *
 * Invariants, for basis vectors j <= k (`vectors` are stored, see `vector_at`):
 * v_j = u_j + c_j e, image p_j = K v_j on the coordinates, against_j = e'K v_j;
 * <v_i, v_j>_K = [i = j] up to rounding. */
typedef struct weft__sequence {
    const weft__operators *operators;
    bool whole;       /* set by the owner before anything else; see above */
    int64_t capacity; /* elements of one vector */
    int64_t vectors;  /* room for so many in */
    double *u, *p;
    double *start_u, *start_p;
    double *w, *q;
    double c[WEFT__MOST_STEPS + 2], against[WEFT__MOST_STEPS + 2];
    double start_c, square, b;
    double largest;      /* max_i K'_ii */
    double w_c, w_error; /* of w = u_w + c_w e: c_w, and how far rounding moved w */
    double square_error; /* of e'Ke by cancellation, as a share */
    double stretch;      /* the share by which rounding may have changed |v|^2 */
    double rest;         /* beta of the last step, or what it was below at breakdown */
    weft__coefficients t;
    weft__rule gauss;
    weft__bracket bracket;
    bool single;      /* products are in single precision now */
    bool kernel_next; /* the half step that comes next */
    bool ended;       /* in this precision */
} weft__sequence;

weft_status weft__sequence_reserve(weft__sequence *sequence, const weft_memory *memory, int64_t n,
                                   weft_error *error);
/* For whole sequences, before every advance: room for one vector more. */
weft_status weft__sequence_widen(weft__sequence *sequence, const weft_memory *memory, weft_error *error);
void weft__sequence_release(weft__sequence *sequence, const weft_memory *memory);

void weft__sequence_begin(weft__sequence *sequence, const weft__operators *operators,
                          const weft__start *start, double b);

/* One half step: a product by C and a new lower bound, or a product by K and a
 * new upper bound.  Where single precision can do no more it goes on in double.
 * False when nothing more can be gained. */
bool weft__sequence_advance(weft__sequence *sequence);

#endif
