/* SPDX-License-Identifier: MIT
 * A learner as it is now, to be asked about single ids and about more than
 * quadratic forms.  Everything is in double precision.
 *
 * One set of ids: there C has zero row sums (it is a signed Laplacian), so that a
 * constant added to the kernel adds the same constant to every entry of
 * F = K exp(CK), and cancels in F_ii - 2 F_ij + F_jj.  The constant part that the
 * space leaves out is put back here: without it single ids of a graph with ids
 * that are alone have no length. */
#ifndef WEFT_LEARNER_SNAPSHOT_H
#define WEFT_LEARNER_SNAPSHOT_H

#include "learner/learner.h"
#include "spectral/action.h"

typedef struct weft__snapshot {
    weft__learner *learner;
    weft__operators operators;
    double constant; /* what is put back */
    double b;
    double *image;
    int64_t capacity; /* elements of image */
} weft__snapshot;

/* Follows the learner: to be called first whenever that may have changed.  What
 * was made from `operators` before is no longer valid. */
weft_status weft__snapshot_fit(weft__snapshot *snapshot, weft_error *error);
void weft__snapshot_release(weft__snapshot *snapshot);

/* The view of a side: 0 rows, 1 columns. */
weft__working_set *weft__snapshot_view(const weft__snapshot *snapshot, int side);
/* The first coordinate of a side. */
int64_t weft__snapshot_offset(const weft__snapshot *snapshot, int side);
/* K(id, id) */
double weft__snapshot_diagonal(const weft__snapshot *snapshot, int side, int64_t id);
/* The coordinate of an id, or -1. */
int64_t weft__snapshot_place(const weft__snapshot *snapshot, int side, int64_t id);
/* out = K e_id on the coordinates (n elements). */
void weft__snapshot_column(const weft__snapshot *snapshot, int side, int64_t id, double *out);

/* e = e_id; the start keeps `snapshot->image`. */
weft__start weft__snapshot_embed(weft__snapshot *snapshot, int side, int64_t id);

/* After a contradiction: b anew, from the evidence alone. */
void weft__snapshot_mend(weft__snapshot *snapshot);

/* One more half step of a whole sequence that was begun on `start`, which starts
 * again where b was wrong.  *more is false when nothing more can be gained. */
weft_status weft__snapshot_advance(weft__snapshot *snapshot, weft__sequence *sequence,
                                   const weft__start *start, bool *more, weft_error *error);

#endif
