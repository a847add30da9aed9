/* SPDX-License-Identifier: MIT
 * exp(-tL) times vectors, L the Laplacian of a graph, by products with L. */
#ifndef WEFT_SIDE_GRAPH_CHEBYSHEV_H
#define WEFT_SIDE_GRAPH_CHEBYSHEV_H

#include "side/graph/laplacian.h"

/* exp(-tL) = sum_{k=0}^{degree} coefficient[k] T_k(2 L / bound - I) + a rest of norm at
 * most 2^-53. */
typedef struct weft__chebyshev {
    weft_memory memory;
    double *coefficient;
    int64_t degree;
    double bound; /* >= the largest eigenvalue of the scaled L */
    double reach; /* z + 1 = t lambda / 2 + 1: a product is right to about u reach */
} weft__chebyshev;

/* Vectors that one call of weft__chebyshev_block multiplies. */
enum { WEFT__CHEBYSHEV_BLOCK = 8 };

/* WEFT_ARGUMENT where t lambda_max may exceed 1e6: beyond that the rounding of L alone
 * would change more than the tenth digit.  Free it also after a failure. */
weft_status weft__chebyshev_plan(const weft__laplacian *laplacian, double t, weft__chebyshev *plan,
                                 weft_error *error);
void weft__chebyshev_free(weft__chebyshev *plan);

/* x = exp(-tL) x; work has 3 count elements of any content. */
void weft__chebyshev_multiply(const weft__chebyshev *plan, const weft__laplacian *laplacian, double *x,
                              double *work);

/* Multiplications of that. */
double weft__chebyshev_work(const weft__chebyshev *plan, const weft__laplacian *laplacian);

/* The same for 8 vectors at once, element c of row i at x[8 i + c]; work has 24 count.  Where `progress`
 * (NULL: nobody) stops it, x is spoilt. */
void weft__chebyshev_block(const weft__chebyshev *plan, const weft__laplacian *laplacian, double *x,
                           double *work, weft__progress *progress);

/* out[i] = |exp(-tL) e_i|^2 = exp(-2tL)_ii, for all vertices: count / 8 products of 8 vectors. */
weft_status weft__chebyshev_squares(const weft__chebyshev *plan, const weft__laplacian *laplacian,
                                    double *out, weft__progress *progress, weft_error *error);

#endif
