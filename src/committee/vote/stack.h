/* SPDX-License-Identifier: MIT
 * The members' scores as one probability: logistic regression over them, learnt online, once for a truth that
 * stays as it is and once for one that changes. */
#ifndef WEFT_COMMITTEE_VOTE_STACK_H
#define WEFT_COMMITTEE_VOTE_STACK_H

#include "base/bytes.h"
#include "base/memory.h"

/* Weights are believed to be normal.  Invariant: the covariance is n x n, symmetric to the bit, positive but
 * for members that rest, whose rows and columns are zero as those past `count` + 1 are. */
typedef struct weft__filter {
    double *mean, *covariance;
} weft__filter;

/* The last of count + 1 scores is the constant 1. */
typedef struct weft__stack {
    int64_t count, n;
    int64_t voices;              /* that were heard at first; 1 where nobody was */
    weft__filter steady, moving; /* of weights that stay, and of weights that move with every label */
    double belief;               /* in the moving one, in (0, 1) */
    int64_t labels;              /* that were learnt */
    double *score; /* of the trial, 0 where a member sleeps; filled in by the caller, but for the constant */
    double *image; /* covariance * score */
} weft__stack;

weft_status weft__stack_create(const weft_memory *memory, int64_t count, weft__stack *stack,
                               weft_error *error);
/* Before the first label: of its members, the i-th being member[i] (NULL: i), only those are heard for which
 * heard[] says so; the others rest. */
void weft__stack_start(weft__stack *stack, const bool *heard, const int64_t *member);
void weft__stack_release(weft__stack *stack, const weft_memory *memory);

/* The probability of +1 at stack->score, in (0, 1). */
double weft__stack_predict(const weft__stack *stack);

/* Learns the label of stack->score; its log loss is answered, of the probability as it was.  O(n^2) */
double weft__stack_learn(weft__stack *stack, int label);

/* Member k goes to rest: what is known of the other weights is as if its own were known to be 0.
 * It counts for nothing from then on, whatever its score.  O(n^2) */
void weft__stack_drop(weft__stack *stack, int64_t k);

/* Member k returns: weight 0, with the variance of the beginning.  O(n^2) */
void weft__stack_admit(weft__stack *stack, int64_t k);

/* The stack of another committee of the same members in the place of this one. */
void weft__stack_copy(weft__stack *stack, const weft__stack *other);

/* Whether member k is heard. */
bool weft__stack_hears(const weft__stack *stack, int64_t k);

/* mean^2 / variance of a steady weight: twice the log-likelihood that dropping the member costs, as far as
 * the normal distribution holds.  0 for one that rests. */
double weft__stack_wald(const weft__stack *stack, int64_t k);

void weft__stack_write(const weft__stack *stack, weft__encoder *writer);
/* False where the bytes are not what `write` writes for so many members. */
bool weft__stack_read(weft__stack *stack, weft__decoder *reader);

#endif
