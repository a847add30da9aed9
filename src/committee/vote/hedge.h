/* SPDX-License-Identifier: MIT
 * Whom to believe: weights over experts that learn nothing but their losses, without a rate or a
 * horizon to choose.  Experts may sleep. */
#ifndef WEFT_COMMITTEE_VOTE_HEDGE_H
#define WEFT_COMMITTEE_VOTE_HEDGE_H

#include "base/bytes.h"
#include "base/memory.h"

/* Invariants: regret[i] = sum over the trials i was awake of h_t - loss_i,t, h_t being the forecaster's own
 * loss; gap is the sum of the mixability gaps (hedge.c). */
typedef struct weft__hedge {
    int64_t count;
    double *log_prior; /* of which the exponentials sum to 1 */
    double *regret;
    double *weight; /* of the trial: 0 asleep, else they sum to 1 */
    double gap;
    double surprise; /* the largest -log_prior, and at least 1 */
} weft__hedge;

/* Experts with these priors (> 0, scaled to sum 1). */
weft_status weft__hedge_create(const weft_memory *memory, int64_t count, const double *prior,
                               weft__hedge *hedge, weft_error *error);
void weft__hedge_release(weft__hedge *hedge, const weft_memory *memory);

/* The weights of the members that are awake; there is at least one. */
void weft__hedge_weigh(weft__hedge *hedge, const bool *awake);

/* h = sum of weight * loss, of those awake; at most 1. */
double weft__hedge_loss(const weft__hedge *hedge, const bool *awake, const double *loss);

/* Takes the losses, in [0, 1], of those awake, weighed before; answers h. */
double weft__hedge_learn(weft__hedge *hedge, const bool *awake, const double *loss);

/* Adds the regrets of another forecaster over the same experts, and what bounds them; to be weighed then. */
void weft__hedge_add(weft__hedge *hedge, const weft__hedge *other);

/* Of the first `count` experts those for which anew[] says so know nothing any more: all of them together are
 * to have no more than a hundredth of the weight of the best of the others that are awake, of which there is
 * one.  anew[i] becomes false where that was so before; the others have another regret now, to which the
 * trials before do not add up. */
void weft__hedge_restart(weft__hedge *hedge, const bool *awake, int64_t count, bool *anew);

/* The guarantee: regret[i] is at most this, for every i and at every moment. */
double weft__hedge_term(const weft__hedge *hedge, int64_t i);

void weft__hedge_write(const weft__hedge *hedge, weft__encoder *writer);
/* False where the bytes are not what `write` writes for so many experts. */
bool weft__hedge_read(weft__hedge *hedge, weft__decoder *reader);

#endif
