/* SPDX-License-Identifier: MIT
 * While candidates are ranked: what members say of some hundred of them at a time.  Rivals score them all at
 * once; others are asked about one after the other, but for ids that they have not met and that are alike
 * (strangers.h). */
#ifndef WEFT_COMMITTEE_MEMBERS_CANDIDATES_H
#define WEFT_COMMITTEE_MEMBERS_CANDIDATES_H

#include "committee/members/strangers.h"
#include "rival/block.h"

/* Invariant: odds[k * WEFT__BLOCK + b] are the log-odds of member k about candidate b of the block, if
 * at_once[k] and it is awake. */
typedef struct weft__candidates {
    weft__block block;
    int64_t at; /* in the block: the candidate that is asked for */
    double *odds;
    bool *at_once;
    weft__strangers strangers;
} weft__candidates;

/* Candidates at `place` of a pair, the other one of which is `id`: the committee has them until they are
 * closed. */
weft_status weft__candidates_open(weft__committee *committee, int place, int64_t id, weft_error *error);
void weft__candidates_close(weft__committee *committee);

/* The next ones, at most WEFT__BLOCK: rivals are asked about all of them. */
weft_status weft__candidates_turn(weft__committee *committee, const int64_t *ids, int64_t count,
                                  weft_error *error);
/* Candidate `at` of these is asked for next. */
void weft__candidates_move(weft__committee *committee, int64_t at);

/* Before members are asked: which of them need not be.  True where none is to be asked, and question.said has
 * what they would say. */
bool weft__candidates_look(weft__committee *committee);
/* Whether member k need not be asked: *answer is what it would say, or has its label. */
bool weft__candidates_know(const weft__candidates *candidates, int64_t k, weft_answer *answer);
/* What it has said, if it was asked. */
void weft__candidates_keep(weft__candidates *candidates, int64_t k, const weft_answer *answer);
/* Its log-odds; false: they are those of its answer. */
bool weft__candidates_odds(const weft__candidates *candidates, int64_t k, double *odds);

#endif
