/* SPDX-License-Identifier: MIT
 * A symmetric matrix as Q T Q' with a tridiagonal T.  Private to eigen.c. */
#ifndef WEFT_LINALG_HOUSEHOLDER_H
#define WEFT_LINALG_HOUSEHOLDER_H

#include "base/progress.h"

/* Reflectors that are made before the rest of the matrix is updated. */
enum { WEFT__REFLECTORS = 8 };

/* Q = H_0 H_1 ... with H_k = I - tau_k v_k v_k' and v_k zero up to and with its element k. */
typedef struct weft__reduction {
    int64_t n, stride;
    double *matrix;           /* stride x stride; row k becomes v_k */
    double *diagonal, *off;   /* T: n numbers each, off[n-1] = 0 */
    double *tau;              /* stride numbers, 0 where there is no reflector */
    double *work;             /* WEFT__REFLECTORS x stride numbers */
    weft__progress *progress; /* where it stops, everything is spoilt */
} weft__reduction;

/* The entries i <= j < n of the matrix are read; what is past n must be 0.  Its entries are
 * finite, the largest of them about 1. */
void weft__reduce(const weft__reduction *reduction);

/* Q in panels of eight of its rows: element (8 p + l, i) goes to panels[p * distance + 8 i + l], and 0 for
 * rows past n.  Spoils `work`. */
void weft__reduce_form(const weft__reduction *reduction, int64_t distance, double *panels);

#endif
