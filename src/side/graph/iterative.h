/* SPDX-License-Identifier: MIT
 * A^-1 times vectors by conjugate gradients, where a factor of A would not fit. */
#ifndef WEFT_SIDE_GRAPH_ITERATIVE_H
#define WEFT_SIDE_GRAPH_ITERATIVE_H

#include "side/graph/factor.h"

/* A as in side/graph/factor.h, D its diagonal, and an incomplete factor of it.  Vertex order[k] has place
 * k; in places A = F (B + B' + diag(rest + 2)) F, F = diag(root), B strictly lower: row k has the columns
 * column[start[k]], ..., column[start[k+1] - 1], all below k. */
typedef struct weft__iterative {
    weft_memory memory;
    weft__factor_plan plan; /* its Laplacian is borrowed */
    int64_t count;
    int32_t *order, *column;
    int64_t *start;
    double *value, *root, *rest;
    double *diagonal;   /* D, by vertex */
    double tolerance;   /* c: a solve stops at |D^-1/2 r| <= c u |D^1/2 y| */
    double stretch;     /* >= |I + B| */
    double condition;   /* m >= lambda_max(A^-1 D), or INFINITY */
    int64_t steps;      /* that a solve may take, at most WEFT__ITERATIVE_STEPS */
    int64_t least_held; /* the vertex that made it so large */
} weft__iterative;

/* Why a solve ended. */
typedef enum weft__ending {
    WEFT__MET,     /* the stop was met */
    WEFT__STALLED, /* rounding left nothing to gain */
    WEFT__SLOW     /* it took too many steps */
} weft__ending;

enum { WEFT__ITERATIVE_WORK = 5, WEFT__ITERATIVE_STEPS = 20000 };

/* *ending is that of the solves that the condition takes; there may be none where they are not met.
 * O(vertices + edges) memory.  Free it also after a failure. */
weft_status weft__iterative_make(const weft__factor_plan *plan, weft__iterative *iterative,
                                 weft__ending *ending, weft_error *error);
void weft__iterative_free(weft__iterative *iterative);

/* x = A^-1 x; work has WEFT__ITERATIVE_WORK count elements of any content.  Answers S: x'A^-1 x is
 * wrong by no more than about u S, also where the stop was not met; where it was, every entry of x is
 * as near as 2 u c m.  Any number of threads may do so at once. */
double weft__iterative_solve(const weft__iterative *iterative, double *x, double *work, weft__ending *ending);

/* (A^-1)_ii, or with a grounded vertex L^+_ii, right to 2 u c m of it; NAN where the stop was not
 * met.  The same workspace. */
double weft__iterative_entry(const weft__iterative *iterative, int64_t i, double *work);

/* The same for all vertices, eight at a time. */
weft_status weft__iterative_diagonal(const weft__iterative *iterative, double *out, weft__progress *progress,
                                     weft_error *error);

/* Multiplications of a solve, at the most. */
double weft__iterative_work(const weft__iterative *it);

#endif
