/* SPDX-License-Identifier: MIT
 * Systems with a triangular matrix, solved in place in a fixed order of additions. */
#ifndef WEFT_LINALG_TRIANGLE_H
#define WEFT_LINALG_TRIANGLE_H

#include "base/progress.h"

/* The lower triangle of an n x n matrix in rows of `stride` numbers; what stands above the
 * diagonal is neither read nor written. */
typedef struct weft__triangle {
    int64_t n;
    double *at;
    int64_t stride;
    weft__progress *progress; /* is told of every block; what was stopped is spoilt */
} weft__triangle;

/* A rows x columns matrix X.  Element (i, j) is at[i * down + j * across], and down or across
 * is 1: so X is held in rows or in columns. */
typedef struct weft__panel {
    double *at;
    int64_t rows, columns;
    int64_t down, across;
} weft__panel;

/* Where an n x n triangle is cut in two by recursion: the size of its upper left part, 0 where it is small
 * enough to be worked on as it is. */
int64_t weft__triangle_cut(int64_t n);

/* The two triangles of a cut, and the square below the first one, in rows. */
weft__triangle weft__triangle_upper(weft__triangle l, int64_t cut);
weft__triangle weft__triangle_lower(weft__triangle l, int64_t cut);
double *weft__triangle_corner(weft__triangle l, int64_t cut);

/* X = L^-1 X, X = L'^-1 X and X = L'X, for as many rows of X as L has; work as for
 * weft__multiply with no side longer than those of L and X. */
void weft__triangle_solve(weft__triangle l, weft__panel x, double *work);
void weft__triangle_solve_transposed(weft__triangle l, weft__panel x, double *work);
void weft__triangle_multiply_transposed(weft__triangle l, weft__panel x, double *work);

#endif
