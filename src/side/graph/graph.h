/* SPDX-License-Identifier: MIT
 * The kernels of a graph, once its Laplacian is there. */
#ifndef WEFT_SIDE_GRAPH_GRAPH_H
#define WEFT_SIDE_GRAPH_GRAPH_H

#include "side/graph/laplacian.h"
#include "side/kinds/dense.h"

/* What is stored up to this many vertices: 128 MB. */
enum { WEFT__GRAPH_DENSE_LIMIT = 4000 };

/* Vectors of workspace for a product with one that is not: the one in hand, and five for a solve by
 * iteration (three for a polynomial, one for a factor). */
enum { WEFT__GRAPH_VECTORS = 6 };

/* Bytes for the factor of a graph, unless its user says otherwise. */
#define WEFT__GRAPH_BUDGET (INT64_C(1) << 30)

/* Fills a dense side of laplacian->count ids with the kernel of `graph`, to be
 * settled yet. */
weft_status weft__graph_fill(weft__dense_side *side, const weft_graph *graph,
                             const weft__laplacian *laplacian, weft_error *error);

/* exp(-tL) by eigenvectors: what is slow and independent of everything else. */
weft_status weft__graph_fill_by_eigenvectors(weft__dense_side *side, double t,
                                             const weft__laplacian *laplacian, weft_error *error);

/* The same without a matrix; *laplacian is taken over, and zeroed.  Sets facts->iterative. */
weft_status weft__graph_make_sparse(const weft_graph *graph, const weft_side_options *options,
                                    weft__laplacian *laplacian, weft_graph_facts *facts, weft_side **side,
                                    weft_error *error);

/* The same where there is no kernel; `side` is the address of a pointer. */
weft_status weft__graph_make_edges(int64_t vertices, const weft_side_options *options, weft_side **side,
                                   weft_error *error);

/* WEFT_INPUT names two vertices between which there is no path. */
weft_status weft__graph_check_connected(const weft_graph *graph, const weft_side_options *options,
                                        weft_error *error);

/* Vertices `a` and `b` of a connected graph are not connected to working precision. */
weft_status weft__graph_fail_weights(int64_t a, int64_t b, weft_error *error);

/* K_ii of a diffusion, which is right to about u reach, has digits enough to be scaled to 1. */
weft_status weft__graph_check_scale(const weft_graph *graph, int64_t i, double own, double reach,
                                    weft_error *error);

/* I + sigma L has no inverse to working precision. */
weft_status weft__graph_fail_sigma(double sigma, weft_error *error);

#endif
