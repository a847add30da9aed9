/* SPDX-License-Identifier: MIT
 * A learner as it is now, to be asked about single ids and about more than
 * quadratic forms.  Everything is in double precision.
 *
 * One set of ids: there C has zero row sums (it is a signed Laplacian), so that a
 * constant added to the kernel adds the same constant to every entry of
 * F = K exp(CK), and cancels in F_ii - 2 F_ij + F_jj.  The constant part that the
 * space leaves out is put back here: without it single ids of a graph with ids
 * that are alone have no length. */
#ifndef WEFT_LEARNER_FROZEN_H
#define WEFT_LEARNER_FROZEN_H

#include "learner/learner.h"
#include "spectral/action.h"

typedef struct weft__frozen {
    weft__learner *learner;
    weft__operators operators;
    double constant; /* what is put back */
    double b;
    double *image;
    int64_t capacity; /* elements of image */
} weft__frozen;

/* Follows the learner: to be called first whenever that may have changed.  What
 * was made from `operators` before is no longer valid. */
weft_status weft__frozen_fit(weft__frozen *frozen, weft_error *error);
void weft__frozen_release(weft__frozen *frozen);

/* The view of a side: 0 rows, 1 columns. */
weft__view *weft__frozen_view(const weft__frozen *frozen, int side);
/* The first coordinate of a side. */
int64_t weft__frozen_offset(const weft__frozen *frozen, int side);
/* K(id, id) */
double weft__frozen_diagonal(const weft__frozen *frozen, int side, int64_t id);
/* The coordinate of an id, or -1. */
int64_t weft__frozen_place(const weft__frozen *frozen, int side, int64_t id);
/* out = K e_id on the coordinates (n elements). */
void weft__frozen_column(const weft__frozen *frozen, int side, int64_t id, double *out);

/* e = e_id; the start keeps `frozen->image`. */
weft__start weft__frozen_embed(weft__frozen *frozen, int side, int64_t id);

/* After a contradiction: b anew, from the evidence alone. */
void weft__frozen_mend(weft__frozen *frozen);

/* One more half step of a whole sequence that was begun on `start`, which starts
 * again where b was wrong.  *more is false when nothing more can be gained. */
weft_status weft__frozen_advance(weft__frozen *frozen, weft__sequence *sequence, const weft__start *start,
                                 bool *more, weft_error *error);

#endif
