/* SPDX-License-Identifier: MIT
 * (I + sigma L)^-1 or L^+ times vectors: by a factor, or by iteration where that would not fit. */
#ifndef WEFT_SIDE_GRAPH_SOLVER_H
#define WEFT_SIDE_GRAPH_SOLVER_H

#include "side/graph/factor.h"
#include "side/graph/iterative.h"

/* u = laplacian->null is of unit length.  One of factor and iterative is made. */
typedef struct weft__solver {
    const weft__laplacian *laplacian; /* borrowed */
    bool pseudo;                      /* L^+, not the inverse of I + sigma L */
    bool iterates;
    double blur; /* as in side/side.h */
    weft__factor factor;
    weft__iterative iterative;
} weft__solver;

enum { WEFT__SOLVER_WORK = WEFT__ITERATIVE_WORK };

/* PDLaplacian or regularised.  WEFT_INPUT, and what the ways out are, where the factor is above the
 * budget and the iteration too slow.  Free it also after a failure. */
weft_status weft__solver_make(const weft_graph *graph, int64_t budget, const weft__laplacian *laplacian,
                              weft__progress *progress, weft__solver *solver, weft_error *error);
void weft__solver_free(weft__solver *solver);

/* x = K x; work has WEFT__SOLVER_WORK count elements.  Answers S as weft__side_ops.product does; *met is
 * false where x is not as near as `blur` says. */
double weft__solver_multiply(const weft__solver *solver, double *x, double *work, bool *met);

/* Multiplications of that; where it iterates, at the most. */
double weft__solver_work(const weft__solver *solver);

/* All K_ii. */
weft_status weft__solver_diagonal(const weft__solver *solver, double *out, weft__progress *progress,
                                  weft_error *error);

/* One of them, for a solver that iterates; NAN where it was not found. */
double weft__solver_entry(const weft__solver *solver, int64_t i, double *work);

#endif
