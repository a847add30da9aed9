/* SPDX-License-Identifier: MIT
 * The kernels of a graph, once its Laplacian is there. */
#ifndef WEFT_SIDE_GRAPH_H
#define WEFT_SIDE_GRAPH_H

#include "side/dense.h"
#include "side/laplacian.h"

/* Fills a dense side of laplacian->count ids with the kernel of `graph`, to be
 * settled yet. */
weft_status weft__graph_fill(weft__dense_side *side, const weft_graph *graph,
                             const weft__laplacian *laplacian, weft_error *error);

/* exp(-tL) by eigenvectors: what is slow and independent of everything else. */
weft_status weft__graph_fill_by_eigenvectors(weft__dense_side *side, double t,
                                             const weft__laplacian *laplacian, weft_error *error);

/* I + sigma L has no inverse to working precision. */
weft_status weft__graph_fail_sigma(double sigma, weft_error *error);

#endif
