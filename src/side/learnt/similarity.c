/* SPDX-License-Identifier: MIT
 *
 * A PDLaplacian is L^+ + R_L 11', and the constant R_L makes all vertices look alike:
 * it is taken away.  An entry that is 0 as it stands is that of an id which is alone,
 * and stays 0. */
#include "side/learnt/similarity.h"

#include <math.h>

double weft__similarity_scale(const weft_side *side, int64_t i)
{
    double length = side->ops->diagonal(side, i) - side->constant;
    return length > 0 && isfinite(length) ? 1 / sqrt(length) : 0;
}

double weft__similarity(const weft_side *side, double entry, double scale_i, double scale_k)
{
    if (entry == 0)
        return 0;
    double u = (entry - side->constant) * scale_i * scale_k;
    return fmin(fmax(u, -1), 1);
}
