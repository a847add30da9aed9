/* SPDX-License-Identifier: MIT
 *
 * Method     The bounds of the theorems as formulas, nothing else.
 * Algorithm  Each function is one displayed formula of the paper.
 * Cost       O(1).
 * Reference  Herbster, Pasteris and Tse, Online Matrix Completion with Side
 *            Information: thm:base, thm:base_bef_alg, theorem1part1, lem:base,
 *            eq:mclbl, section 4.2, lem:min_kernel_norm.
 */
#include <math.h>

#include "base/elementary.h"
#include "weft_theory.h"

/* D log(size), which every bound contains. */
static double entropy(weft_scale scale)
{
    return scale.dimension * weft__log((double)scale.size);
}

/* The sharper forms need T >= 2 D log(size), that is eta <= 1/2. */
static bool is_long_enough(weft_scale scale)
{
    return (double)scale.horizon >= 2.0 * entropy(scale);
}

double weft_theory_gamma(int64_t k, int64_t l)
{
    int64_t least = (k > 0 && (l <= 0 || k < l)) ? k : l;
    return least > 0 ? 1.0 / sqrt((double)least) : 0.0;
}

/* U* = 2I - 11'.  With the centred vectors c_i = e_i - 1/k, <c_i,c_j> = [i=j] - 1/k,
 *
 *     U*_ij = 2 <c_i,c_j> - (1 - 2/k) = <p_i,q_j>,
 *     p_i = (sqrt 2 c_i, sqrt(1 - 2/k)),  q_j = (sqrt 2 c_j, -sqrt(1 - 2/k)),
 *
 * so the max-norm is at most |p_i|^2 = 2 (1 - 1/k) + (1 - 2/k) = 3 - 4/k for
 * k >= 2.  (The paper does not centre and gets 3.) */
double weft_theory_gamma_communities(int64_t k)
{
    if (k <= 0)
        return 0.0;
    return k == 1 ? 1.0 : 1.0 / (3.0 - 4.0 / (double)k);
}

double weft_theory_eta(weft_scale scale)
{
    return sqrt(entropy(scale) / (2.0 * (double)scale.horizon));
}

double weft_theory_regret(weft_scale scale)
{
    return 4.0 / scale.gamma * sqrt(2.0 * entropy(scale) * (double)scale.horizon);
}

double weft_theory_regret_sharp(weft_scale scale)
{
    if (!is_long_enough(scale))
        return INFINITY;
    return 2.0 / scale.gamma * (sqrt(2.0 * entropy(scale) * (double)scale.horizon) + entropy(scale));
}

/* A deterministic mistake has hinge loss at least 1, and the comparator's hinge
 * loss is 2 where it errs (lem:bound_bU_marm), else 0. */
double weft_theory_hinge(weft_scale scale, int64_t errors)
{
    return 2.0 * (double)errors + 2.0 * weft_theory_regret_sharp(scale);
}

double weft_theory_realizable(weft_scale scale)
{
    return 3.6 / (scale.gamma * scale.gamma) * entropy(scale);
}

double weft_theory_estimate(weft_scale scale, double dim)
{
    double logs = weft__log((double)scale.size) + weft__log(dim / scale.dimension);
    return 3.6 / (scale.gamma * scale.gamma) * (dim * logs + scale.dimension - dim);
}

double weft_theory_estimate_within(weft_scale scale, double limit)
{
    return fmax(weft_theory_estimate(scale, 1.0), weft_theory_estimate(scale, limit));
}

double weft_theory_boxes(int64_t k, int64_t d, double separation)
{
    double delta = fmin(2.0, separation / 4.0);
    return (double)k * weft__pow(4.0 / delta, (double)d);
}
