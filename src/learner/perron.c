/* SPDX-License-Identifier: MIT
 *
 * Method.  C <= C+ (the counts that can raise), and for any z > 0
 * lambda_max(C+ K) <= max_i (|C+||K| z)_i / z_i (Collatz and Wielandt); a few
 * power steps improve z.
 *
 * Cost: POWER_STEPS products.
 * Reference: Horn and Johnson, Matrix Analysis (2013), 8.1. */
#include "learner/space.h"

#include "base/vector.h"

#include <float.h>
#include <math.h>

enum { POWER_STEPS = 24 };

static void multiply_absolute_kernel(weft__space *space, const double *x, double *y)
{
    weft__working_set_multiply_absolute(&space->view[0], x, y);
    if (!space->one_set)
        weft__working_set_multiply_absolute(&space->view[1], x + space->exponent.offset,
                                            y + space->exponent.offset);
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
    /* Sums of so many nonnegative terms are right to as many roundings.  Slots that nobody has are no terms:
     * how many there are depends on how memory grew. */
    return best * (1 + 4 * (double)space->backend.operators.coordinates * DBL_EPSILON);
}

weft__spectral_bound weft__space_bound(weft__space *space, int raising, double *work, int64_t *products)
{
    if (space->evidence.count == 0)
        return weft__spectral_bound_fresh(space->backend.dimensions);
    return weft__spectral_bound_from_top(perron_bound(space, raising, work, products),
                                         space->backend.operators.coordinates, space->backend.dimensions);
}
