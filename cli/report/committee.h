/* SPDX-License-Identifier: MIT
 * What is found of a committee, and told as text and as JSON. */
#ifndef WEFT_CLI_REPORT_COMMITTEE_H
#define WEFT_CLI_REPORT_COMMITTEE_H

#include "cli/report/score.h"
#include "weft_advanced.h"

#include <jansson.h>
#include <stdio.h>

/* ---- committee_members.c: the members over the views of rosters ---- */

/* The views borrow the sides of the rosters; {0} is empty. */
typedef struct member_list {
    weft_member *members;
    int64_t count;
} member_list;

/* The members over rosters that were built with their views; columns NULL: one set of ids.  The caller frees
 * `members`. */
weft_status committee_list(const weft_roster *rows, const weft_roster *columns, member_list *list,
                           weft_error *error);
/* The same of the committee that knows nothing of the side k with none[k] not NULL, which is of kind none for
 * the same ids; one set of ids: rosters[1] NULL. */
weft_status committee_list_without(const weft_roster *const rosters[2], const weft_side *const none[2],
                                   member_list *list, weft_error *error);
/* Members, but for those in reserve; and those of them that are learners, the others being rivals. */
int64_t committee_players(const weft_player *committee);
int64_t committee_learners(const weft_player *committee);
/* The number of the member behind weft_committee_leader; -1: there is no learner. */
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
/* A table on standard error; nothing where there was no trial. */
void reliability_tell(const reliability *bins);

/* ---- committee_leaders.c: who stands where ---- */

/* The stack of most weight, of equals the one over all members. */
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

/* ---- committee_guarantee.c: what is guaranteed ---- */

typedef struct guarantee {
    /* Of the members that were awake all along the one with the fewest mistakes: there the guarantee speaks
     * of all trials. */
    weft_standing best;
    double expected; /* mistakes of the committee, and those that it made */
    int64_t mistakes;
    bool drawn;   /* predictions are, else a majority makes them */
    bool late;    /* labels came late: drift is part of the guarantee, */
    int64_t anew; /* and so many answers were lost, and are those that the label found */
} guarantee;

guarantee committee_guarantee(const weft_player *committee);
/* What is said behind a bound that says nothing, or no more than a coin, of so many trials; else "". */
const char *committee_vacuous(double bound, int64_t trials);
/* In words, each line behind a margin of `indent` characters, the first with its name.  The first tells it
 * in two lines, the other also why a majority keeps to it. */
void committee_tell_guarantee(const guarantee *told, int indent, FILE *out);
void committee_explain_guarantee(const guarantee *told, int indent, FILE *out);
/* NULL when there is no memory. */
json_t *committee_guarantee_json(const guarantee *told);

/* ---- committee_worth.c: what the side information is worth ---- */

enum { WORTH_PARTS = 3 };

typedef struct worth_part {
    const char *name;
    weft_worth worth;
    ranking without; /* how well probabilities without it rank; not defined where that was not counted */
} worth_part;

/* Rows, columns, both: WEFT_ROWS + place; or the ids of one set. */
typedef struct worth_list {
    worth_part parts[WORTH_PARTS];
    int64_t count;
    int64_t trials; /* that the committee has played */
    ranking with;   /* how well its probabilities rank */
} worth_list;

/* `sides` false: one set of ids. */
worth_list committee_worth(const weft_player *committee, bool sides);
/* A line for each of which something is known. */
void committee_tell_worth(const worth_list *list, int indent, FILE *out);
/* NULL when there is no memory. */
json_t *committee_worth_json(const worth_list *list);

/* ---- committee_leaders.c, for programs ---- */

/* NULL when there is no memory. */
json_t *committee_members_json(const weft_player *committee);
json_t *committee_stack_json(const weft_player *committee);

#endif
