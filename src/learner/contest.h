/* SPDX-License-Identifier: MIT
 * What every ranking has in common: candidates with brackets of their margins, which of
 * them cannot be in the answer, and the answer. */
#ifndef WEFT_LEARNER_CONTEST_H
#define WEFT_LEARNER_CONTEST_H

#include "learner/learner.h"
#include "learner/least.h"

/* A candidate, and what is known of its margin. */
typedef struct weft__standing {
    int64_t id, order; /* order: its place among the candidates */
    double lower, upper;
} weft__standing;

/* A query on its way.  `sure` has the lower ends of candidates that are judged: below its least no
 * margin is in the answer. */
typedef struct weft__contest {
    weft__learner *learner;
    const weft_query *query;
    weft__least sure;
} weft__contest;

/* Error unless the query can be answered; makes room for `sure`. */
weft_status weft__contest_open(weft__contest *contest, weft_error *error);
void weft__contest_close(weft__contest *contest);

/* row and column of the pair that a candidate stands for. */
void weft__contest_pair(const weft__contest *contest, int64_t id, int64_t pair[2]);

/* One set of ids: the id itself embeds as zero. */
bool weft__contest_is_self(const weft__contest *contest, int64_t id);

double weft__standing_middle(const weft__standing *standing);

/* The width that a bracket around this margin may have. */
double weft__contest_allowance(const weft__contest *contest, double margin);
bool weft__contest_narrow(const weft__contest *contest, const weft__standing *standing);

/* Below the answer by more than a tie. */
bool weft__contest_hopeless(const weft__contest *contest, const weft__standing *standing);

/* Narrows a bracket by the pair by itself. */
weft_status weft__contest_evaluate(const weft__contest *contest, weft__standing *standing, weft_error *error);

/* For qsort: falling middles, equal ones in the order of the candidates. */
int weft__standing_compare(const void *a, const void *b);

/* The answer from all that were not left out, whose order is changed. */
void weft__contest_answer(const weft__contest *contest, weft__standing *standings, int64_t count,
                          weft_ranked *ranked, int64_t *found);

#endif
