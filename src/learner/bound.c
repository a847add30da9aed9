/* SPDX-License-Identifier: MIT
 *
 * Method.  Golden-Thompson: tr exp(A + c xx') <= tr exp(A) + x'exp(A)x expm1(c|x|^2)/|x|^2,
 * and the trial has just computed x'exp(A)x.  So tau >= tr exp(A) is kept by one
 * addition an update, with the upper end of the bracket where the term is
 * positive and the lower end where it is negative, and lambda_max <= log tau.
 * Weyl: c xx' raises lambda_max by at most max(c, 0)|x|^2.
 *
 * Recomputing.  C <= C+ (the counts that can raise), and for any z > 0
 * lambda_max(C+ K) <= max_i (|C+||K| z)_i / z_i (Collatz and Wielandt); a few
 * power steps improve z.  Then tr exp(A) <= (m+n - r) + r exp(lambda_max) with r
 * the number of touched ids.
 *
 * Every step is inflated by SLACK so that rounding cannot push the bound below.
 * Cost: O(1) an update; POWER_STEPS products for a new start.
 * References: Bhatia, Matrix Analysis (1997), IX.3, III.2; Horn and Johnson,
 * Matrix Analysis (2013), 8.1. */
#include "learner/bound.h"

#include "base/vector.h"

#include "spectral/quadrature.h"

#include <float.h>
#include <math.h>

static const double SLACK = 16 * DBL_EPSILON;

enum { POWER_STEPS = 24 };

static double inflated(double x)
{
    return x + SLACK * (1 + fabs(x));
}

weft__bound weft__bound_fresh(int64_t dimensions)
{
    return (weft__bound){inflated(log((double)dimensions)), 0};
}

void weft__bound_widen(weft__bound *bound, int64_t more)
{
    /* tr exp(A) grows by exp(0) in each. */
    if (more > 0)
        bound->log_trace = inflated(weft__log_sum(bound->log_trace, log((double)more)));
}

double weft__bound_value(const weft__bound *bound)
{
    return fmin(bound->log_trace, bound->weyl);
}

/* log |exp(c) - 1|, also where exp(c) overflows */
static double log_of_expm1(double c)
{
    return c > 1 ? c + log1p(-exp(-c)) : log(fabs(expm1(c)));
}

void weft__bound_update(weft__bound *bound, const weft__change *change, int count)
{
    double log_more = -INFINITY, log_less = -INFINITY, raise = 0;
    for (int i = 0; i < count; i++) {
        double square = change[i].square, c = change[i].coefficient * square;
        if (!(square > 0))
            continue;
        /* x'exp(A)x |expm1(c|x|^2)| / |x|^2 */
        double log_factor = log_of_expm1(c) - log(square);
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
void weft__bound_raise(weft__bound *bound, double amount)
{
    bound->log_trace = inflated(bound->log_trace + amount);
    bound->weyl = inflated(bound->weyl + amount);
}

void weft__bound_tighten(weft__bound *bound, const weft__bound *other)
{
    bound->log_trace = fmin(bound->log_trace, other->log_trace);
    bound->weyl = fmin(bound->weyl, other->weyl);
}

static void multiply_absolute_kernel(weft__space *space, const double *x, double *y)
{
    weft__view_multiply_absolute(&space->view[0], x, y);
    if (!space->one_set)
        weft__view_multiply_absolute(&space->view[1], x + space->exponent.offset, y + space->exponent.offset);
}

/* z = y / max y + 1e-3: positive everywhere, nearer to the Perron vector. */
static void improve(int64_t n, const double *y, double *z)
{
    double largest = weft__largest(n, y);
    for (int64_t i = 0; i < n; i++)
        z[i] = largest > 0 ? y[i] / largest + 1e-3 : 1;
}

static double largest_ratio(int64_t n, const double *y, const double *z)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, y[i] / z[i]);
    return largest;
}

/* min over power steps of max_i (|C+||K| z)_i / z_i; work has 3 n elements. */
static double perron_bound(weft__space *space, int raising, double *work, int64_t *products)
{
    int64_t n = space->exponent.n;
    double *z = work, *t = work + n, *y = work + 2 * n, best = INFINITY;
    for (int64_t i = 0; i < n; i++)
        z[i] = 1;
    for (int step = 0; step < POWER_STEPS; step++) {
        for (int64_t i = 0; i < n; i++)
            t[i] = 0;
        multiply_absolute_kernel(space, z, t);
        weft__evidence_multiply_absolute(&space->evidence, &space->exponent, raising, t, y);
        ++*products;
        best = fmin(best, largest_ratio(n, y, z));
        improve(n, y, z);
    }
    /* Sums of n nonnegative terms are right to n roundings. */
    return best * (1 + 4 * (double)n * DBL_EPSILON);
}

weft__bound weft__bound_recompute(weft__space *space, int raising, int64_t dimensions, double *work,
                                  int64_t *products)
{
    if (space->evidence.count == 0)
        return weft__bound_fresh(dimensions);
    double top = perron_bound(space, raising, work, products);
    double touched = (double)space->operators.coordinates, rest = (double)dimensions - touched;
    /* log(rest + touched exp(top)) */
    double log_rest = rest > 0 ? log(rest) : -INFINITY;
    return (weft__bound){inflated(weft__log_sum(log_rest, log(touched) + top)), inflated(top)};
}
