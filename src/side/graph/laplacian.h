/* SPDX-License-Identifier: MIT
 * The Laplacian of a graph, sparse: what all graph kernels are functions of. */
#ifndef WEFT_SIDE_GRAPH_LAPLACIAN_H
#define WEFT_SIDE_GRAPH_LAPLACIAN_H

#include "base/memory.h"
#include "base/progress.h"

/* 2^-exponent times the plain Laplacian diag(degree) - weights, or (exponent 0)
 * the normalised one, D^-1/2 L D^-1/2, whose row is zero where a vertex has no
 * edges.  Scaled by a power of two, weights are below 2 and degrees cannot overflow;
 * it is exact.
 *
 * Invariants: the neighbours of vertex i are to[start[i]] < ... < to[start[i+1] - 1];
 * both directions of an edge have one weight; L null = 0, null_i > 0 for
 * vertices with edges (1, or the root of the degree). */
typedef struct weft__laplacian {
    weft_memory memory;
    int64_t count;
    int64_t *start;
    int32_t *to;
    double *weight;
    double *diagonal;
    double *null;
    int exponent;
    bool normalised;
    int64_t joined, loops;
    int64_t components;       /* before they were joined */
    weft__progress *progress; /* while it is made; afterwards NULL */
} weft__laplacian;

/* Checks the graph and makes its Laplacian; `join` connects its components as
 * weft_graph says, or fails where graph->connect is not set.  O(vertices + edges).  Free
 * it also after a failure.
 *
 * Failures that concern edge k have at[0] = k; for a repeated edge at[1] is the
 * earlier one.  A disconnected graph has two vertices there. */
weft_status weft__laplacian_build(const weft_graph *graph, bool join, const weft_memory *memory,
                                  weft__progress *progress, weft__laplacian *laplacian, weft_error *error);
void weft__laplacian_free(weft__laplacian *laplacian);

/* A bound of the largest eigenvalue of the scaled matrix: 2 max_i L_ii (Gershgorin);
 * 1 where there are no edges. */
double weft__laplacian_bound(const weft__laplacian *laplacian);

/* out = a L + b I, count x count, row by row. */
void weft__laplacian_fill(const weft__laplacian *laplacian, double a, double b, double *out);

#endif
