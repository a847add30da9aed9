/* SPDX-License-Identifier: MIT
 * The three forms of the learner: which vectors a pair becomes, how quadratic
 * forms become a margin, how a label changes C.  Design: with
 * F = K exp(CK), kappa = D / (m+n) and q = kappa e'Fe,
 *
 *     paper     e = e_i + e_j     margin = q - 1      C += eta y e e'
 *     one set   e = e_i - e_j     margin = 1 - q      C -= eta y e e'
 *     balanced  e+- = (e_i/|phi| +- e_j/|psi|) / sqrt 2,   s = |phi||psi|
 *                                 margin = s (q+ - q-)  C += eta y s (e+ e+' - e- e-')
 */
#ifndef WEFT_LEARNER_FORM_H
#define WEFT_LEARNER_FORM_H

#include "spectral/engine.h"

/* A pair as vectors. */
typedef struct weft__embedding {
    double value[2][2]; /* of vector v: at the row, at the column */
    double s;           /* |phi||psi| for the balanced form, else 1 */
} weft__embedding;

/* Quadratic forms on their way to a margin. */
typedef struct weft__reading {
    double log_kappa, s;
    const weft__bracket *bracket[2];
} weft__reading;

/* Margins are within +-WEFT_MARGIN_LIMIT; `guess` is the best single value. */
typedef struct weft__margin {
    double lower, upper, guess;
} weft__margin;

typedef struct weft__form_ops {
    const char *name;
    int vectors;
    double diagonal; /* of the exponent, see evidence.h */
    int raising;     /* the sign of counts that can raise lambda_max; 0: both */
    /* From K_ii and K_jj. */
    weft__embedding (*embed)(double row_square, double column_square);
    /* +1 where the margin is certainly >= level (paper: > for a level of -1),
     * -1 where it is certainly below, 0 where the bracket does not tell. */
    int (*compare)(const weft__reading *reading, double level);
    weft__margin (*margin)(const weft__reading *reading);
    /* The coefficient of vector v in C for label y, eta apart. */
    double (*coefficient)(int v, int label, double s);
} weft__form_ops;

const weft__form_ops *weft__form_find(weft_form form);

#endif
