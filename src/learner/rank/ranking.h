/* SPDX-License-Identifier: MIT
 * What every ranking has in common: candidates with brackets of their margins, which of
 * them cannot be in the answer, and the answer. */
#ifndef WEFT_LEARNER_RANKING_H
#define WEFT_LEARNER_RANKING_H

#include "learner/learner.h"
#include "learner/rank/top_k.h"

/* A candidate, and what is known of its margin. */
typedef struct weft__candidate {
    int64_t id, order; /* order: its place among the candidates */
    double lower, upper;
} weft__candidate;

/* A query on its way.  `sure` has the lower ends of candidates that are judged: below its least no
 * margin is in the answer. */
typedef struct weft__ranking {
    weft__learner *learner;
    const weft_query *query;
    weft__top_k sure;
} weft__ranking;

/* Error unless the query can be answered; makes room for `sure`. */
weft_status weft__ranking_open(weft__ranking *ranking, weft_error *error);
void weft__ranking_close(weft__ranking *ranking);

/* row and column of the pair that a candidate stands for. */
void weft__ranking_pair(const weft__ranking *ranking, int64_t id, int64_t pair[2]);

/* One set of ids: the id itself embeds as zero. */
bool weft__ranking_is_self(const weft__ranking *ranking, int64_t id);

double weft__candidate_middle(const weft__candidate *standing);

/* The width that a bracket around this margin may have. */
double weft__ranking_allowance(const weft__ranking *ranking, double margin);
bool weft__ranking_narrow(const weft__ranking *ranking, const weft__candidate *standing);

/* Below the answer by more than a tie. */
bool weft__ranking_hopeless(const weft__ranking *ranking, const weft__candidate *standing);

/* Narrows a bracket by the pair by itself. */
weft_status weft__ranking_evaluate(const weft__ranking *ranking, weft__candidate *standing,
                                   weft_error *error);

/* For qsort: falling middles, equal ones in the order of the candidates. */
int weft__candidate_compare(const void *a, const void *b);

/* The answer from all that were not left out, whose order is changed. */
void weft__ranking_answer(const weft__ranking *ranking, weft__candidate *standings, int64_t count,
                          weft_ranked *ranked, int64_t *found);

#endif
