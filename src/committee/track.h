/* SPDX-License-Identifier: MIT
 * A truth that changes: generations of one committee, of which the younger know nothing of what was before
 * them. */
#ifndef WEFT_COMMITTEE_TRACK_H
#define WEFT_COMMITTEE_TRACK_H

#include "committee/members/member.h"
#include "committee/vote/fixed_share.h"

/* Invariants: generation 0 is the committee that this belongs to, which has heard everything, 1 and 2 are
 * younger[0] and younger[1], of the same members, NULL as long as they are the same as generation 0
 * (while younger[1] is, both are); born[0] <= born[1] are the labelled trials before their first; belief
 * sums to 1. */
typedef struct weft__track {
    weft__committee *younger[2];
    int64_t born[2];
    double belief[WEFT_GENERATIONS]; /* in the mixture of their probabilities */
    weft__fixed_share fixed_share;   /* over the votes of the generations and of the mixture */
    double alarm;                    /* evidence against the mixture, as a logarithm; >= 0 */
    int64_t alarms, last;            /* how many there were, and after which labelled trial the last */
    int64_t mistakes;                /* of all together, and the sum of the error probabilities: */
    double expected_mistakes;
    double drift; /* as that of the members (late.c), since the last merge */
    /* Of the question, workspace: the answer of all generations, the mixture, and where it was recalled
     * the error of all about -1 and about +1. */
    weft_answer answer;
    double mixture, error[2];
} weft__track;

weft_status weft__track_create(weft__committee *committee, weft_error *error);
void weft__track_free(weft__committee *committee);

/* Asks the younger ones as well; the committee itself has been asked. */
weft_status weft__track_ask(weft__committee *committee, weft_error *error);
/* The error of all about what was just asked, if that is the label. */
double weft__track_error(const weft__committee *committee, int label);
/* Teaches the label of what was asked to all generations.  On failure the same call may be
 * repeated. */
weft_status weft__track_learn(weft__committee *committee, int label, weft_answer *answer, weft_error *error);

/* The generation that is believed most; in the place of one that is not born yet it is the eldest that is
 * believed. */
const weft__committee *weft__track_foremost(const weft__committee *committee);
/* There are no younger generations any more, and nobody is believed more than others. */
void weft__track_restart(weft__committee *committee);

/* `bare`: without the states of members; they are then `players`, which are NULL otherwise (committee.h). */
weft_status weft__track_write(const weft__committee *committee, bool bare, weft__encoder *writer,
                              weft_error *error);
weft_status weft__track_read(weft__committee *committee, weft__decoder *reader, weft_player **players,
                             weft__progress *progress, weft_error *error);

#endif
