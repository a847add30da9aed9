/* SPDX-License-Identifier: MIT
 * The quadratic form Q(e) = e'K exp(CK) e with a bracket.  This folder sees two
 * operators and sparse vectors; it knows neither rows nor columns nor labels.
 *
 * e need not lie in the space that C and K act on: C lives on the coordinates
 * that carry evidence, and all that is needed of e is K e on these coordinates
 * and e'Ke. */
#ifndef WEFT_SPECTRAL_ENGINE_H
#define WEFT_SPECTRAL_ENGINE_H

#include "base/memory.h"

/* C and K on vectors of n elements, a multiple of 16, aligned, zero where there
 * is no coordinate.  K = K' + a part that is added without rounding to speak of.
 * weight and diagonal (n elements) say how rounding acts: weight_i = sum_j C_ij^2
 * and diagonal_i = K'_ii. */
typedef struct weft__operators {
    int64_t n;
    int64_t coordinates; /* of the n, those in use */
    void *self;
    void (*evidence)(void *self, bool single, const double *x, double *y); /* y = C x */
    /* y = K x; returns |x'K'x|, more where the product is a solve: x'y is wrong by that times u. */
    double (*kernel)(void *self, bool single, const double *x, double *y);
    const double *weight, *diagonal;
    double drift; /* C is wrong by no more than this in norm: rounding of earlier days */
    bool mixed;   /* single precision is to be had */
} weft__operators;

/* The vector e. */
typedef struct weft__start {
    const double *image; /* K e on the n coordinates */
    double square;       /* e'Ke >= 0 */
    double cancellation; /* what e'Ke was left over from, over e'Ke: >= 1 */
    bool inside;         /* e = value[0] at at[0] + value[1] at at[1] in the space */
    int64_t at[2];
    double value[2];
    const double *vector; /* e on the n coordinates, where it is inside and not sparse; else NULL */
} weft__start;

/* What is known of log Q(e). */
typedef struct weft__bracket {
    double log_lower, log_upper; /* -inf for 0 */
    double log_value;            /* the best single guess */
    int products;                /* multiplications by C so far */
    bool contradiction;          /* lambda_max > b: the bound that was given is wrong */
} weft__bracket;

typedef struct weft__spectral_engine weft__spectral_engine;

/* The seam.  An engine evaluates up to two forms at a time (`which` 0 or 1). */
typedef struct weft__engine_ops {
    const char *name;
    /* Must be called after the operators' n, C or K changed other than by
     * `update`, and makes everything else but `update` unable to fail. */
    weft_status (*prepare)(weft__spectral_engine *engine, const weft__operators *operators,
                           weft_error *error);
    /* Starts on e, with b >= lambda_max(CK). */
    void (*begin)(weft__spectral_engine *engine, int which, const weft__start *start, double b);
    /* One more half step; false when nothing more can be gained. */
    bool (*advance)(weft__spectral_engine *engine, int which);
    const weft__bracket *(*bracket)(const weft__spectral_engine *engine, int which);
    /* C becomes C + sum_i coefficient[i] e_i e_i' for the `count` forms begun
     * last.  Called before C itself changes; on failure nothing has. */
    weft_status (*update)(weft__spectral_engine *engine, int count, const double *coefficient,
                          weft_error *error);
    void (*release)(weft__spectral_engine *engine);
} weft__engine_ops;

struct weft__spectral_engine {
    const weft__engine_ops *ops;
    weft_memory memory;
};

weft_status weft__krylov_create(const weft_memory *memory, weft__spectral_engine **engine, weft_error *error);
weft_status weft__reference_create(const weft_memory *memory, weft__spectral_engine **engine,
                                   weft_error *error);
void weft__spectral_engine_free(weft__spectral_engine *engine); /* takes NULL */

#endif
