/* SPDX-License-Identifier: MIT
 * What a whole Lanczos sequence knows beyond the quadratic form: the action
 * exp(CK) e and its sensitivity to C, each with a bound of its error. */
#ifndef WEFT_SPECTRAL_ACTION_H
#define WEFT_SPECTRAL_ACTION_H

#include "spectral/sequence.h"

/* All values are in units of exp(shift).
 *
 * Invariants after weft__action_evaluate on a sequence of k steps: T = Y diag(theta)
 * Y' with vectors[a * k + j] = Y_ja; shift is the largest theta; exp(CK) e =
 * sum_j coefficient_j v_j up to `error` in the norm of K. */
typedef struct weft__action {
    weft_memory memory;
    int k, room;
    double *theta, *vectors, *coefficient, *divided, *work;
    double shift;
    double error;
    double sensitivity_error; /* of the integrals B below, times |x_r||x_c| */
    /* For the sensitivity: k elements a coordinate each, see weft__action_derive. */
    double *left, *right;
    int64_t side_room;
} weft__action;

/* `action` is zeroed but for its memory. */
void weft__action_release(weft__action *action);

/* From the first to the last step that the sequence has made. */
weft_status weft__action_evaluate(weft__action *action, const weft__sequence *sequence, weft_error *error);

/* x = exp(CK) e on the coordinates (n elements); returns the multiple of e that is
 * to be added where e lies outside them. */
double weft__action_vector(const weft__action *action, const weft__sequence *sequence, double *x);

/* Prepares for weft__action_sensitivity; after weft__action_evaluate. */
weft_status weft__action_derive(weft__action *action, const weft__sequence *sequence, weft_error *error);

/* With f(t) = K exp(tCK) e:  B(r, c) = integral over t in [0,1] of f(1-t)_r f(t)_c, so
 * that d(e'K exp(CK) e) = sum_rc dC_rc B(r, c). */
double weft__action_sensitivity(const weft__action *action, int64_t r, int64_t c);

#endif
