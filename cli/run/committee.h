/* SPDX-License-Identifier: MIT
 * What a run keeps of a committee that plays in place of one learner. */
#ifndef WEFT_CLI_RUN_COMMITTEE_H
#define WEFT_CLI_RUN_COMMITTEE_H

#include "weft_advanced.h"

#include <jansson.h>
#include <stdio.h>

/* ---- committee_members.c: the members over the views of rosters ---- */

/* The views borrow the sides of the rosters; {0} is empty. */
typedef struct member_list {
    weft_member *members;
    int64_t count;
} member_list;

/* The members over rosters that were built with their views; columns NULL: one set of ids.  `capacity` is the
 * room for rows and columns.  The caller frees `members`. */
weft_status committee_list(const weft_roster *rows, const weft_roster *columns, const int64_t capacity[2],
                           member_list *list, weft_error *error);
/* Members, but for those in reserve; and those of them that are learners, the others being rivals. */
int64_t committee_players(const weft_player *committee);
int64_t committee_learners(const weft_player *committee);
/* The number of the member behind weft_committee_leader; -1: only rivals are awake. */
int64_t committee_leader(const weft_player *committee);

/* ---- committee_reliability.c: whether probabilities are what they say ---- */

enum { RELIABILITY_BINS = 10 };

/* Bin b holds the trials with b/10 <= probability < (b+1)/10, the last one also 1.  {0} is empty. */
typedef struct reliability {
    int64_t count[RELIABILITY_BINS];
    int64_t positive[RELIABILITY_BINS]; /* labels +1 */
    double sum[RELIABILITY_BINS];       /* of the probabilities */
} reliability;

void reliability_add(reliability *bins, double probability, int label);
/* The expected calibration error: sum over the bins of n_b |mean probability - share of +1|, divided by n.
 * NaN where there was no trial. */
double reliability_error(const reliability *bins);
/* A table on standard error. */
void reliability_tell(const reliability *bins);

/* ---- committee_leaders.c: who stands where ---- */

/* Of the members that were awake all along the one with the fewest mistakes, the first of equals: there the
 * guarantee speaks of all trials, or, after a merge, of all since. */
weft_standing committee_best(const weft_player *committee);
/* What the guarantee holds for: the expected mistakes of the committee while that one was awake; with
 * tracking, where standings are those of the eldest generation, its expected mistakes. */
double committee_expected(const weft_player *committee, const weft_standing *best);
/* That guarantee in words, each line behind a margin of `indent` characters, the first with its name. */
void committee_tell_guarantee(const weft_player *committee, int indent, FILE *out);

/* The stack of most weight, of equals the one that hears everybody. */
weft_standing committee_best_stack(const weft_player *committee);
/* A table: the stacks, then the members of most weight, of equals those of which the stack is most
 * certain; at most so many lines beside the stacks, 0: all. */
void committee_tell_leaders(const weft_player *committee, int64_t lines, FILE *out);
/* "all along", "since T", "rests since T" */
typedef struct awake_text {
    char text[48];
} awake_text;
awake_text committee_awake(const weft_standing *standing);
/* The first two of that table's members; false where there is one. */
bool committee_first(const weft_player *committee, weft_standing first[2]);

/* ---- committee_tracking.c: a truth that changes ---- */

/* The number of the generation that is believed most, of which the learners and rivals are that the library
 * shows; 0: the eldest, which is all there is without tracking. */
int committee_foremost(const weft_tracking *tracking);
/* Alarms, generations, what tracking has saved, and the guarantee for all generations together; nothing where
 * there is no tracking. */
void committee_tell_tracking(const weft_player *committee, int indent, FILE *out);
/* NULL when there is no memory. */
json_t *committee_tracking_json(const weft_player *committee);

/* ---- committee_worth.c: what the side information is worth ---- */

/* A line for the rows, the columns and both; `sides` false: one set of ids.  Nothing where nothing is
 * known of any. */
void committee_tell_worth(const weft_player *committee, bool sides, int indent, FILE *out);
/* NULL when there is no memory. */
json_t *committee_worth_json(const weft_player *committee, bool sides);

/* ---- committee_json.c ---- */

/* NULL when there is no memory. */
json_t *committee_members_json(const weft_player *committee);
json_t *committee_stack_json(const weft_player *committee);
json_t *committee_guarantee_json(const weft_player *committee);

#endif
