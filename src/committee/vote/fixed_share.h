/* SPDX-License-Identifier: MIT
 * Whom to believe where that changes: weights over a few experts, none of which is ever given up. */
#ifndef WEFT_COMMITTEE_VOTE_FIXED_SHARE_H
#define WEFT_COMMITTEE_VOTE_FIXED_SHARE_H

#include "base/bytes.h"

enum { WEFT__SHARERS = 4 };

/* Invariants: the weights are positive and sum to 1; gap is the sum of the mixability gaps, given what
 * sharing has cost (fixed_share.c). */
typedef struct weft__fixed_share {
    double prior[WEFT__SHARERS]; /* positive, of sum 1 */
    double weight[WEFT__SHARERS];
    double gap, given;
} weft__fixed_share;

weft__fixed_share weft__fixed_share_create(const double prior[WEFT__SHARERS]);

/* h = sum of weight * loss; at most 1. */
double weft__fixed_share_loss(const weft__fixed_share *share, const double loss[WEFT__SHARERS]);

/* Takes the losses, in [0, 1]; then the part 0 < alpha < 1 of all weight is shared out by the prior.
 * Answers h. */
double weft__fixed_share_learn(weft__fixed_share *share, const double loss[WEFT__SHARERS], double alpha);

/* Experts i and j change places, weights and all. */
void weft__fixed_share_exchange(weft__fixed_share *share, int i, int j);

/* The guarantee: h adds up to at most what any sequence of experts loses that changes `changes` times, +
 * this, where no alpha was below `least`. */
double weft__fixed_share_term(const weft__fixed_share *share, int64_t changes, double least);

void weft__fixed_share_write(const weft__fixed_share *share, weft__encoder *writer);
/* False where the bytes are not what `write` writes. */
bool weft__fixed_share_read(weft__fixed_share *share, weft__decoder *reader);

#endif
