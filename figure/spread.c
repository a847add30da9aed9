/* SPDX-License-Identifier: MIT
 *
 * Method     Names beside curves, at least a gap apart and each as near to its
 *            curve as can be: minimise sum (p_k - q_k)^2 with p_{k+1} >= p_k + gap.
 *            With r_k = p_k - k gap this is isotonic regression of q_k - k gap.
 * Algorithm  Pool adjacent violators: neighbours in the wrong order become one
 *            block at their mean.  Bounds are kept by clipping the r_k, which for
 *            isotonic regression gives the constrained optimum.
 * Cost       O(count^2), for sorting by insertion.
 * Reference  Barlow, Bartholomew, Bremner, Brunk, Statistical Inference under
 *            Order Restrictions, 1972.
 */
#include "figure/curve.h"

#include <math.h>

enum { MOST = FIGURE__LOOKS };

static void sort_by_place(const double *places, int *order, int count)
{
    for (int k = 0; k < count; k++) {
        int at = k;
        for (; at > 0 && places[order[at - 1]] > places[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* value[0..count) becomes its best nondecreasing approximation. */
static void make_monotone(double *value, int count)
{
    double mean[MOST];
    int size[MOST], blocks = 0;
    for (int k = 0; k < count; k++) {
        mean[blocks] = value[k];
        size[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            int both = size[blocks - 2] + size[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * size[blocks - 2] + mean[blocks - 1] * size[blocks - 1]) / both;
            size[blocks - 2] = both;
        }
    }
    for (int block = 0, k = 0; block < blocks; block++)
        for (int left = size[block]; left > 0; left--)
            value[k++] = mean[block];
}

void figure__spread(double *places, int count, double gap, double low, double high)
{
    int order[MOST];
    double value[MOST];
    sort_by_place(places, order, count);
    for (int k = 0; k < count; k++)
        value[k] = places[order[k]] - k * gap;
    make_monotone(value, count);
    for (int k = 0; k < count; k++)
        places[order[k]] = fmin(fmax(value[k], low), high - (count - 1) * gap) + k * gap;
}
