/* SPDX-License-Identifier: MIT
 *
 * Method.  Golden-Thompson: tr exp(A + c xx') <= tr exp(A) + x'exp(A)x expm1(c|x|^2)/|x|^2,
 * and the trial has just computed x'exp(A)x.  So tau >= tr exp(A) is kept by one
 * addition an update, with the upper end of the bracket where the term is
 * positive and the lower end where it is negative, and lambda_max <= log tau.
 * Weyl: c xx' raises lambda_max by at most max(c, 0)|x|^2.
 *
 * From lambda_max: tr exp(A) <= (m+n - r) + r exp(lambda_max), r the number of touched ids.
 *
 * Every step is inflated by SLACK so that rounding cannot push the bound below.
 * Cost: O(1) an update.
 * Reference: Bhatia, Matrix Analysis (1997), IX.3, III.2. */
#include "learner/bound.h"

#include "base/elementary.h"
#include "spectral/quadrature.h"

#include <float.h>
#include <math.h>

static const double SLACK = 16 * DBL_EPSILON;

static double inflated(double x)
{
    return x + SLACK * (1 + fabs(x));
}

weft__spectral_bound weft__spectral_bound_fresh(int64_t dimensions)
{
    return (weft__spectral_bound){inflated(weft__log((double)dimensions)), 0};
}

void weft__spectral_bound_widen(weft__spectral_bound *bound, int64_t more)
{
    /* tr exp(A) grows by exp(0) in each. */
    if (more > 0)
        bound->log_trace = inflated(weft__log_sum(bound->log_trace, weft__log((double)more)));
}

double weft__spectral_bound_value(const weft__spectral_bound *bound)
{
    return fmin(bound->log_trace, bound->weyl);
}

/* log |exp(c) - 1|, also where exp(c) overflows */
static double log_of_expm1(double c)
{
    return c > 1 ? c + weft__log1p(-weft__exp(-c)) : weft__log(fabs(weft__expm1(c)));
}

void weft__spectral_bound_update(weft__spectral_bound *bound, const weft__change *change, int count)
{
    double log_more = -INFINITY, log_less = -INFINITY, raise = 0;
    for (int i = 0; i < count; i++) {
        double square = change[i].square, c = change[i].coefficient * square;
        if (!(square > 0))
            continue;
        /* x'exp(A)x |expm1(c|x|^2)| / |x|^2 */
        double log_factor = log_of_expm1(c) - weft__log(square);
        if (c > 0)
            log_more = weft__log_sum(log_more, change[i].bracket->log_upper + log_factor);
        else
            log_less = weft__log_sum(log_less, change[i].bracket->log_lower + log_factor);
        raise += fmax(c, 0);
    }
    double log_trace = weft__log_sum(bound->log_trace, log_more);
    /* What is taken away is less than the trace; where rounding denies it, take nothing. */
    double less = weft__log_difference(log_trace, log_less);
    bound->log_trace = inflated(less > -INFINITY ? less : log_trace);
    bound->weyl = raise > 0 ? inflated(bound->weyl + raise) : bound->weyl;
}

/* tr exp(A + B) <= tr exp(A) exp(B) <= exp(lambda_max(B)) tr exp(A) */
void weft__spectral_bound_raise(weft__spectral_bound *bound, double amount)
{
    bound->log_trace = inflated(bound->log_trace + amount);
    bound->weyl = inflated(bound->weyl + amount);
}

void weft__spectral_bound_tighten(weft__spectral_bound *bound, const weft__spectral_bound *other)
{
    bound->log_trace = fmin(bound->log_trace, other->log_trace);
    bound->weyl = fmin(bound->weyl, other->weyl);
}

/* For exponents a: sum exp(factor a) <= n^(1 - factor) (sum exp a)^factor, t^factor being concave. */
void weft__spectral_bound_shrink(weft__spectral_bound *bound, double factor, int64_t dimensions)
{
    bound->log_trace = inflated((1 - factor) * weft__log((double)dimensions) + factor * bound->log_trace);
    bound->weyl = factor * inflated(bound->weyl);
}

weft__spectral_bound weft__spectral_bound_from_top(double top, int64_t touched, int64_t dimensions)
{
    double rest = (double)(dimensions - touched);
    /* log(rest + touched exp(top)) */
    double log_rest = rest > 0 ? weft__log(rest) : -INFINITY;
    return (weft__spectral_bound){inflated(weft__log_sum(log_rest, weft__log((double)touched) + top)),
                                  inflated(top)};
}
