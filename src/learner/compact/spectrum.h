/* SPDX-License-Identifier: MIT
 * F = exp(A) of a compact learner, decomposed, and kept until A changes.
 *
 *     F / exp(top) = V diag(weight) V',     top = lambda_max(A), weights <= 1
 *     B = the part of that over the coordinates of one side = sum_k mu_k u_k u_k',   mu falling
 */
#ifndef WEFT_LEARNER_SPECTRUM_H
#define WEFT_LEARNER_SPECTRUM_H

#include "base/vector.h"
#include "learner/learner.h"
#include "spectral/eigen.h"

/* B of one side.  vector[(b * width + i) * 16 + l] is element i of u_k, k = 16 b + l; zero past
 * what there is, and so is mu, which has one number more than the blocks have vectors. */
typedef struct weft__chart {
    int64_t size, width; /* coordinates of the side, and padded */
    int64_t blocks;
    double *vector, *mu;
    double least; /* of the mu that there are */
    bool made;
} weft__chart;

/* What a query took, for tests and the curious. */
typedef struct weft__effort {
    int64_t candidates, skipped, blocks, evaluated;
} weft__effort;

/* Invariant: where `found`, everything belongs to the A of `revision`. */
typedef struct weft__spectrum {
    weft__learner *learner;
    weft_memory memory;
    int64_t revision; /* -1: nothing was tried yet */
    bool found;
    weft__eigen eigen;
    double *weight;
    double top;
    double error;         /* |computed - exact| of F / exp(top), in norm, and of forms with it */
    weft__chart chart[2]; /* one set of ids has the first */
    weft__effort effort;
} weft__spectrum;

weft_status weft__spectrum_create(weft__learner *learner, weft__spectrum **spectrum, weft_error *error);
void weft__spectrum_free(weft__spectrum *spectrum); /* takes NULL */

/* Whether a decomposition of A as it is now is there. */
bool weft__spectrum_current(const weft__spectrum *spectrum);

/* Decomposes A, and B of a side (0 rows, 1 columns), unless they are there; spectrum->found is false
 * where the eigenvalues are not found.  `with_chart` false: A alone. */
weft_status weft__spectrum_fit(weft__spectrum *spectrum, int side, bool with_chart, weft__progress *progress,
                               weft_error *error);

/* Where the chart of a side is, and the first coordinate of the side. */
weft__chart *weft__spectrum_chart(weft__spectrum *spectrum, int side);
int64_t weft__spectrum_first(const weft__spectrum *spectrum, int side);

/* y = F x / exp(top), of n elements each (backend.operators.n); returns x'y. */
double weft__spectrum_act(const weft__spectrum *spectrum, const double *x, double *y);

#endif
