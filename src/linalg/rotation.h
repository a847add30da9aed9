/* SPDX-License-Identifier: MIT
 * The rotations of QL sweeps, applied many at a time.  Private to eigen.c. */
#ifndef WEFT_LINALG_ROTATION_H
#define WEFT_LINALG_ROTATION_H

#include "linalg/tridiagonal.h"

#include "base/progress.h"

/* Sweeps that are written down before they are applied; those of one group go through a panel together. */
enum { WEFT__SWEEPS = 32, WEFT__SWEEP_GROUP = 4, WEFT__GUARD = 4 };

/* A matrix of n rows in panels of eight columns: (i, 8 p + l) is at
 * panels[p * distance + 8 (i + WEFT__GUARD) + l].  Before and after the rows of a panel are
 * WEFT__GUARD more, of zeros. */
typedef struct weft__rotations {
    int64_t n, count, distance; /* distance = 8 (n + 2 WEFT__GUARD); count panels */
    double *panels;
    double *record; /* WEFT__SWEEPS x 2 (n + 2 WEFT__GUARD) numbers */
    int sweeps;     /* how many are written down */
    int low[WEFT__SWEEPS], high[WEFT__SWEEPS];
    weft__progress *progress; /* where it stops, everything is spoilt */
} weft__rotations;

/* Where the next sweep is to be written, indexed as weft__ql_step does: all rotations by 0. */
double *weft__rotations_next(const weft__rotations *rotations);

/* Takes the sweep that has been written there; applies what there is when it is full. */
void weft__rotations_take(weft__rotations *rotations, const weft__ql_sweep *sweep);

/* Applies what is left. */
void weft__rotations_flush(weft__rotations *rotations);

#endif
