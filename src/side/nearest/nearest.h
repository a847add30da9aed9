/* SPDX-License-Identifier: MIT
 * The graph of the nearest ids by a kernel. */
#ifndef WEFT_SIDE_NEAREST_NEAREST_H
#define WEFT_SIDE_NEAREST_NEAREST_H

#include "side/side.h"

/* Every id below `count` is joined with the two that are most alike to it, by the cosine of the kernel, if
 * this is positive; that is the weight.  *graph borrows the arrays of `nearest`, to be freed also after a
 * failure. */
typedef struct weft__nearest {
    weft_memory memory;
    int64_t *from, *to;
    double *weight;
} weft__nearest;

weft_status weft__nearest_build(const weft_side *side, int64_t count, weft__progress *progress,
                                weft__nearest *nearest, weft_graph *graph, weft_error *error);
void weft__nearest_free(weft__nearest *nearest);

#endif
