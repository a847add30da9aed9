/* SPDX-License-Identifier: MIT
 * The bound b >= lambda_max(CK), maintained for nothing. */
#ifndef WEFT_LEARNER_BOUND_H
#define WEFT_LEARNER_BOUND_H

#include "learner/form.h"

/* Invariant: log_trace >= log tr exp(A) over all m + n dimensions (ids without bound: those touched, and one
 * more), and
 * weyl >= lambda_max(A), where A = sqrt(K) C sqrt(K). */
typedef struct weft__spectral_bound {
    double log_trace, weyl;
} weft__spectral_bound;

/* For C = 0 in `dimensions` dimensions. */
weft__spectral_bound weft__spectral_bound_fresh(int64_t dimensions);

/* b = min(log_trace, weyl) */
double weft__spectral_bound_value(const weft__spectral_bound *bound);

/* What a term c x x' adds to C, x with |x|^2 = square and x'exp(A)x in bracket. */
typedef struct weft__change {
    double coefficient, square;
    const weft__bracket *bracket;
} weft__change;

/* C += sum of `count` changes, whose x are orthogonal to each other. */
void weft__spectral_bound_update(weft__spectral_bound *bound, const weft__change *change, int count);

/* `more` dimensions in which A is 0. */
void weft__spectral_bound_widen(weft__spectral_bound *bound, int64_t more);

/* lambda_max may have grown by `amount`: C became C + B with lambda_max(B) <= amount. */
void weft__spectral_bound_raise(weft__spectral_bound *bound, double amount);

/* Takes over what is sharper in another bound of the same C. */
void weft__spectral_bound_tighten(weft__spectral_bound *bound, const weft__spectral_bound *other);

/* C became factor C, 0 < factor <= 1, in `dimensions` dimensions. */
void weft__spectral_bound_shrink(weft__spectral_bound *bound, double factor, int64_t dimensions);

/* For C of any history with lambda_max(A) <= top, A being 0 beyond `touched` of its `dimensions`. */
weft__spectral_bound weft__spectral_bound_from_top(double top, int64_t touched, int64_t dimensions);

#endif
