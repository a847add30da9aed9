/* SPDX-License-Identifier: MIT
 *
 * A PDLaplacian is L^+ + R_L 11', and the constant R_L makes all vertices look alike:
 * it is taken away.  An entry that is 0 as it stands is that of an id which is alone,
 * and stays 0. */
#include "side/learnt/similarity.h"

#include "base/clones.h"

#include <math.h>

double weft__similarity_scale(const weft_side *side, int64_t i)
{
    double length = side->ops->diagonal(side, i) - side->constant;
    return length > 0 && isfinite(length) ? 1 / sqrt(length) : 0;
}

INLINED double similarity(double entry, double constant, double scale_i, double scale_k)
{
    double u = (entry - constant) * scale_i * scale_k;
    u = u > -1 ? u : -1;
    u = u < 1 ? u : 1;
    return entry == 0 ? 0 : u;
}

double weft__similarity(const weft_side *side, double entry, double scale_i, double scale_k)
{
    return similarity(entry, side->constant, scale_i, scale_k);
}

CLONED static void compare(double constant, double scale_i, const double *restrict scale, int64_t count,
                           double *restrict u)
{
    for (int64_t k = 0; k < count; k++)
        u[k] = similarity(u[k], constant, scale_i, scale[k]);
}

void weft__similarities(const weft_side *side, double scale_i, const double *scale, int64_t count, double *u)
{
    compare(side->constant, scale_i, scale, count, u);
}
