/* SPDX-License-Identifier: MIT
 * From the coefficients of a Lanczos sequence to bounds of (exp T)_11. */
#ifndef WEFT_SPECTRAL_QUADRATURE_H
#define WEFT_SPECTRAL_QUADRATURE_H

#include <stdbool.h>

enum { WEFT__MOST_STEPS = 400 };

/* T: diagonal alpha[0..k), off-diagonal beta[0..k-1). */
typedef struct weft__coefficients {
    int k;
    double alpha[WEFT__MOST_STEPS + 1];
    double beta[WEFT__MOST_STEPS + 1];
    /* A bound of the norm of the error of T by rounding, see sequence.c. */
    double noise;
} weft__coefficients;

/* A quadrature rule evaluated at exp, in logarithms. */
typedef struct weft__rule {
    double log_value;     /* log sum_i w_i exp(theta_i) */
    double log_allowance; /* of what rounding may have done to that sum */
    double largest;       /* max theta_i */
} weft__rule;

/* Gauss on the k nodes of T_k: a lower bound.  False where the small
 * eigenproblem fails; *rule is then untouched. */
bool weft__gauss(const weft__coefficients *t, weft__rule *rule);

/* Gauss-Radau on k + 1 nodes, one of them at b, from alpha[0..k) and
 * beta[0..k): an upper bound for b >= lambda_max.  b must exceed the largest
 * node of T_k. */
bool weft__radau(const weft__coefficients *t, double b, weft__rule *rule);

/* log(exp(a) - exp(c)), -inf where that is not positive, and log(exp(a) + exp(c)). */
double weft__log_difference(double a, double c);
double weft__log_sum(double a, double c);

#endif
