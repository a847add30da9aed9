/* SPDX-License-Identifier: MIT
 * A committee from inside.  committee.c is the protocol, rest.c says who is asked, state.c writes it down. */
#ifndef WEFT_COMMITTEE_COMMITTEE_H
#define WEFT_COMMITTEE_COMMITTEE_H

#include "base/crew.h"
#include "committee/hedge.h"
#include "committee/member.h"
#include "committee/track.h"
#include "committee/worth.h"

/* What is asked: kept from predict to learn. */
typedef struct weft__question {
    bool valid;
    int64_t pair[2];
    weft__voice *voice; /* of every member that is awake, and from `count` on of the stacks */
    weft_verdict verdict;
    bool *learnt; /* members that have learnt the label, while others have not */
    int label;    /* that they have learnt; 0: none has */
} weft__question;

/* How it went with one member. */
typedef struct weft__report {
    weft_status status;
    weft_error error;
} weft__report;

/* Invariants: experts 0..count-1 of the hedge are the members, expert `count` is the stack, which never
 * sleeps, and the next three are the stacks that do without rows, columns and both, which sleep for ever
 * where nobody sees these; hedge.weight are the weights of the next vote; the stacks know nothing of who
 * sleeps.  Members, hedge, stacks, counters, labels, the schedule and track are the state; the rest is
 * workspace. */
struct weft_committee {
    weft_memory memory;
    weft_committee_settings settings;
    int64_t count;
    weft__member *members;
    bool *awake; /* count + WEFT_STACKS */
    weft__hedge hedge;
    weft__stack stack;
    weft__worth worth[3]; /* without rows, without columns, without both; none where nobody sees these */
    weft_committee_counters counters;
    int64_t labels[2]; /* -1 and +1 */
    int64_t stack_mistakes;
    int64_t since;              /* the trial of the last merge; 0: there was none */
    int64_t wrong[WEFT_STACKS]; /* mistakes of the stacks from there on */
    int uses;                   /* of all members together */
    int64_t checkpoints;        /* that were held */
    int64_t seats;              /* of learners, since the last one; 0: for all */
    weft__track *track;         /* NULL: changes are not followed */
    weft__question question;
    double *loss; /* count + WEFT_STACKS */
    weft__crew *crew;
    weft__report *reports;
    weft__sheet *sheets; /* of the sides that members have; workspace as well */
    int64_t sheet_count;
    bool handed; /* the members have them */
};

/* What members would each make of question.pair for themselves is made once (sheets.c): before they are
 * asked.  And the pair becomes one that members have learnt: before they are told. */
weft_status weft__committee_share(weft_committee *committee, weft_error *error);
void weft__committee_meet(weft_committee *committee);
void weft__committee_close_sheets(weft_committee *committee);

/* Asks all that are awake what they say of question.pair; and tells them its label, but for those that
 * have learnt it before a failure (ask.c). */
weft_status weft__committee_ask(weft_committee *committee, weft_error *error);
weft_status weft__committee_tell(weft_committee *committee, int label, weft_error *error);

/* A committee with its members still to be created or read. */
weft_status weft__committee_make(const weft_member *members, int64_t count,
                                 const weft_committee_settings *settings, const weft_memory *memory,
                                 weft_committee **committee, weft_error *error);

/* The members as they were given, to be deleted; with the settings that they have, which may be others where
 * a default was asked for, or a state was read. */
weft_status weft__committee_given(const weft_committee *committee, weft_member **list, weft_error *error);

/* Turns to (row, column), unless that is what was asked last; question.verdict is of this generation
 * alone. */
weft_status weft__committee_turn(weft_committee *committee, int64_t row, int64_t column, weft_error *error);
/* The verdict that a vote and a probability make, with as many awake as there are. */
weft_verdict weft__committee_decide(const weft_committee *committee, double vote, double probability);
/* After all have learnt the label of the question, or for label 0: counts it, and says whom to believe and
 * whom to ask from now on.  Of this generation alone. */
weft_ruling weft__committee_settle(weft_committee *committee, int label);

/* weft_committee_read of one that follows no changes. */
weft_status weft__committee_read_plain(const weft_member *members, int64_t count, const void *buffer,
                                       size_t size, const weft_memory *memory, weft_committee **committee,
                                       weft_error *error);

/* Before the first label, and after a merge: awake are all but those in reserve that have never learnt
 * anything, and the stacks that can hear somebody. */
void weft__committee_start(weft_committee *committee);

/* The first checkpoint: when twice the rarer label, and at the latest when all of them are so many. */
enum { WEFT__FIRST_REST = 1024, WEFT__LATEST_REST = 4096 };

/* After a trial: who rests from now on, and who returns. */
void weft__committee_rest(weft_committee *committee);
/* In a committee that has learnt nothing yet those rest who do in the other one, of the same members; its
 * next checkpoint is of the same number. */
void weft__committee_follow(weft_committee *committee, const weft_committee *other);

#endif
