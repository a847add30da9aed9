/* SPDX-License-Identifier: MIT
 *
 * Method.  The bound that updates maintain (bound.c) is a chain of inequalities, whose slack grows
 * with the logarithm of their number.  For a matrix of fixed size all eigenvalues
 * can be had: every d EVERY updates they are computed, which costs O(d^3) then and as much
 * as a few products an update in the mean.
 *
 * Rounding.  The computed eigenvalues are those of A + E with |E| <= 4 d eps |A| (linalg/eigen.h), A being
 * rounded once more where it is scaled: ROUNDING d eps |A|_F is taken. */
#include "learner/compact/compact.h"

#include "linalg/eigen.h"
#include "spectral/quadrature.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Updates for every coordinate, from one computation to the next. */
enum { EVERY = 8, ROUNDING = 10 };

/* |A|_F */
static double norm_of(const weft__compact *compact)
{
    double sum = 0;
    for (int64_t i = 0; i < compact->d; i++)
        sum += compact->weight[i];
    return sqrt(sum);
}

double weft__compact_rounding(const weft__compact *compact)
{
    return ROUNDING * (double)compact->d * DBL_EPSILON * norm_of(compact);
}

bool weft__compact_eigenvalues(weft__compact *compact)
{
    int64_t n = compact->backend.operators.n;
    memcpy(compact->copy, compact->a, (size_t)(n * n) * sizeof *compact->copy);
    return weft__eigen_solve(compact->d, compact->copy, compact->value, false, compact->room, NULL);
}

/* Rounded up to a grid on which the last digits are gone, so that a state does not hang on the
 * rounding of the eigensolver (but where that decides the grid point). */
static double coarse(double x)
{
    double step = 0x1p-20 * fmax(1, ldexp(1, ilogb(fmax(fabs(x), 1))));
    return ceil(x / step) * step;
}

weft__spectral_bound weft__compact_bound(weft__compact *compact)
{
    double norm = norm_of(compact), error = weft__compact_rounding(compact);
    if (!weft__compact_eigenvalues(compact))
        return weft__spectral_bound_from_top(coarse(norm + error), compact->d, compact->d);
    double log_trace = -INFINITY, top = 0;
    for (int64_t i = 0; i < compact->d; i++) {
        double value = compact->factor * compact->value[i] + error;
        log_trace = weft__log_sum(log_trace, value);
        top = fmax(top, value);
    }
    weft__spectral_bound bound = weft__spectral_bound_from_top(coarse(top), compact->d, compact->d);
    bound.log_trace = coarse(log_trace + 16 * DBL_EPSILON * (1 + fabs(log_trace)));
    return bound;
}

void weft__compact_tighten(weft__compact *compact, int64_t updates, weft__spectral_bound *bound)
{
    if (updates % (EVERY * compact->d) != 0)
        return;
    weft__compact_hold(compact);
    /* In place of the old one: that follows A without rounding, and may be below what is stored. */
    *bound = weft__compact_bound(compact);
}
