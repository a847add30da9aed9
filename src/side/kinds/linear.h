/* SPDX-License-Identifier: MIT
 * Products with the kernel of linear features that need no Gram matrix. */
#ifndef WEFT_SIDE_KINDS_LINEAR_H
#define WEFT_SIDE_KINDS_LINEAR_H

#include "side/kinds/groups.h"
#include "side/side.h"

enum {
    WEFT__LINEAR_FEW = 64,    /* coordinates with which there is a product however few the ids are, */
    WEFT__LINEAR_RATIO = 8,   /* and else from so many ids a coordinate on */
    WEFT__LINEAR_VECTORS = 2, /* of workspace: sums of groups, sums of coordinates */
};

/* Whether linear features have a product: fixed when their side is made, of so many ids. */
bool weft__linear_has_product(int64_t dimension, int64_t count);

/* K(i,j) = <x_i, x_j> + epsilon [x_i = x_j], but radius [i = j] where i or j is alone.
 * square[i] = <x_i, x_i>; `groups` are used where epsilon > 0, and alone ids have none. */
typedef struct weft__linear {
    const weft_side *side;
    weft__rows rows;
    double epsilon;
    const double *square;
    const weft__groups *groups;
} weft__linear;

/* `product` of side/side.h, O(count dimension). */
double weft__linear_product(const weft__linear *linear, const int64_t *ids, int64_t count, const double *x,
                            double *y, double *work);

/* `absolute` of side/side.h: |K| itself, O(count^2 dimension), for a thousand ids or some, and at the cost
 * of `product` for more, by |K(i,j)| <= sum_c |x_ic| |x_jc| + epsilon [x_i = x_j]. */
void weft__linear_absolute(const weft__linear *linear, const int64_t *ids, int64_t count, const double *x,
                           double *y, double *work);

#endif
