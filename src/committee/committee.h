/* SPDX-License-Identifier: MIT
 * A committee from inside.  committee.c is the protocol, apply_label.c what a label changes, late.c answers
 * whose labels come late; members/schedule.c says which members are asked, state.c writes it down. */
#ifndef WEFT_COMMITTEE_COMMITTEE_H
#define WEFT_COMMITTEE_COMMITTEE_H

#include "base/thread_pool.h"
#include "committee/members/candidates.h"
#include "committee/members/member.h"
#include "committee/vote/ablation.h"
#include "committee/vote/hedge.h"

/* The stages of a question.  It is back at the first when its label has been learnt by all, when something
 * was forgotten or merged, and when asking has failed.
 *
 *                           the same pair is predicted   a label is told to a member
 *     WEFT__NOT_ASKED       it is asked                  (it is asked before)
 *     WEFT__ASKED           said again                   the member learns it
 *     WEFT__RECALLED        it is asked                  it learns it by what it said, if it was awake then
 *     WEFT__RECALLED_LATE   it is asked                  the same, as a late one */
typedef enum weft__question_stage {
    WEFT__NOT_ASKED,
    WEFT__ASKED,        /* nothing was learnt since */
    WEFT__RECALLED,     /* from a record (late.c), as if just asked */
    WEFT__RECALLED_LATE /* other labels have come since */
} weft__question_stage;

static inline bool weft__is_recalled(weft__question_stage stage)
{
    return stage == WEFT__RECALLED || stage == WEFT__RECALLED_LATE;
}

/* What is asked: kept from predict to learn, or recalled from a record. */
typedef struct weft__question {
    weft__question_stage stage;
    int64_t pair[2];
    weft__context context; /* of the event */
    /* By every member that was awake, and from `count` on by the stacks: their labels, and of those that do
     * without something the probabilities (recalled ones: what they make of the scores by now). */
    weft_answer *said;
    bool *awake; /* who was, when it was asked; count + WEFT_STACKS */
    weft_answer answer;
    double error[2]; /* recalled: the weight of those wrong about -1 and about +1 when it was asked */
    bool *learnt;    /* members that have learnt the label, while others have not; and afterwards all */
    int label;       /* that they have learnt; 0: none has */
} weft__question;

static inline void weft__question_drop(weft__question *question)
{
    question->stage = WEFT__NOT_ASKED;
    question->label = 0;
}

/* How it went with one member. */
typedef struct weft__report {
    weft_status status;
    weft_error error;
} weft__report;

/* Invariants: experts 0..count-1 of the hedge are the members, expert `count` is the stack, which never
 * sleeps, and the next three are the stacks that do without rows, columns and both, which sleep for ever
 * where no member sees these; hedge.weight are the weights of the next vote; a stack sees the score 0 for a
 * member that sleeps.  Members, hedge, drift, stacks, counters, labels and the schedule are the state; the
 * rest is workspace. */
struct weft__committee {
    weft_player player; /* with the sides of its first member */
    weft_committee_settings settings;
    bool apart; /* members share no columns (sharing.h) */
    int64_t count;
    weft__member_state *members;
    bool *awake; /* count + WEFT_STACKS */
    weft__hedge hedge;
    double *drift; /* count + WEFT_STACKS: of the trials that each was awake for (late.c) */
    weft__stack stack;
    weft__ablation ablation[3]; /* without rows, without columns, without both; no members: not played */
    weft_counters counters;
    int64_t epoch; /* how often something was forgotten or merged: records of before do not count (late.c) */
    int64_t labels[2]; /* -1 and +1 */
    int64_t stack_mistakes;
    int64_t wrong[WEFT_STACKS]; /* mistakes of the stacks */
    int uses;                   /* of all members together */
    int64_t checkpoints;        /* that were held */
    int64_t opened;             /* the trial at which the accounts of members were opened: 0, or of a merge */
    double room;                /* bytes that rivals may hold together: WEFT__ROOM; less in tests */
    double hold;                /* and a perceptron by itself: WEFT__HOLD; less in tests */
    int64_t emptied;            /* members that have given their memory back since this object is there */
    weft__question question;
    double *loss; /* count + WEFT_STACKS */
    weft__thread_pool *pool;
    weft__report *reports;
    weft__column_cache *caches; /* of the sides that members have; workspace as well */
    int64_t cache_count;
    bool handed;                  /* the members have them */
    weft__candidates *candidates; /* while it ranks; else NULL */
};

/* What members would each make of question.pair for themselves is made once (members/column_caches.c): before
 * they are asked.  And the pair becomes one that members have learnt: before they are told. */
weft_status weft__committee_fill_caches(weft__committee *committee, weft_error *error);
void weft__committee_add_learnt(weft__committee *committee);
void weft__committee_close_caches(weft__committee *committee);

/* Asks all that are awake what they say of question.pair; and tells them its label, but for those that
 * have learnt it before a failure (members/ask.c). */
weft_status weft__committee_ask(weft__committee *committee, weft_error *error);
weft_status weft__committee_tell(weft__committee *committee, int label, weft_error *error);

/* The committee behind a player; NULL for other kinds, and for NULL. */
weft__committee *weft__committee_in(const weft_player *player);

extern const weft__player_ops weft__committee_ops;

/* ---- As the public functions say ---- */

weft_status weft__committee_begin(const weft_member *members, int64_t count,
                                  const weft_committee_settings *settings, const weft_memory *memory,
                                  weft__committee **committee, weft_error *error);
void weft__committee_free(weft__committee *committee);
/* Of a player that is a committee, for its table; t is -1 for the next trial. */
weft_status weft__committee_predict(weft_player *player, const int64_t pair[2], int64_t t,
                                    weft_answer *answer, weft_error *error);
weft_status weft__committee_learn(weft__committee *committee, const int64_t pair[2], int label,
                                  weft_answer *answer, weft_error *error);
weft_status weft__committee_learn_late(weft__committee *committee, const weft__late *late,
                                       weft_answer *answer, weft_error *error);
/* What late.c has to know of what was just asked. */
void weft__committee_put_record(const weft__committee *committee, weft__encoder *writer);
/* A number that committees of other members do not have: of their names, kinds and settings. */
uint64_t weft__committee_fingerprint(const weft__committee *committee);
weft_status weft__committee_set_threads(weft__committee *committee, int threads, weft_error *error);
weft_status weft__committee_forget(weft__committee *committee, int which, int64_t id,
                                   weft__progress *progress, weft_error *error);
weft_status weft__committee_merge(weft__committee *committee, const weft__committee *other,
                                  const weft__numbers *numbers, weft__progress *progress, weft_error *error);
weft_status weft__committee_write(const weft__committee *committee, void *buffer, size_t *size,
                                  weft_error *error);
weft_status weft__committee_restore(const weft_member *members, int64_t count, const void *buffer,
                                    size_t size, weft__making making, weft__committee **committee,
                                    weft_error *error);

/* ---- From inside ---- */

/* A committee with its members still to be created or read. */
weft_status weft__committee_make(const weft_member *members, int64_t count,
                                 const weft_committee_settings *settings, const weft_memory *memory,
                                 weft__committee **committee, weft_error *error);

/* The members as they were given, to be deleted; with the settings that they have, which may be others where
 * a default was asked for, or a state was read. */
weft_status weft__committee_given(const weft__committee *committee, weft_member **list, weft_error *error);

/* Teaches the label of the question to all, and counts it. */
weft_status weft__committee_end(weft__committee *committee, int label, weft_answer *answer,
                                weft_error *error);
/* After all have learnt the label of the question: counts it, and says which members to believe and to ask
 * from now on. */
weft_answer weft__committee_apply_label(weft__committee *committee, int label);

/* A failure that says what is wrong with a state. */
weft_status weft__committee_damaged(weft_error *error, const char *what);

/* What a state says before its members: how many they are, and of the counters all but those that follow from
 * members.  WEFT_MODEL where it is no state of a committee. */
weft_status weft__committee_read_head(const void *buffer, size_t size, weft_committee_settings *settings,
                                      int64_t *members, weft_counters *counters, weft_error *error);

/* Where a state is read from. */
typedef struct weft__committee_bytes {
    const void *buffer;
    size_t size;
    /* Not NULL: the state is one that weft__committee_write_bare has written, and these are the members.
     * Those that are taken over become NULL. */
    weft_player **players;
} weft__committee_bytes;
weft_status weft__committee_read_from(const weft_member *members, int64_t count,
                                      const weft__committee_bytes *from, weft__making making,
                                      weft__committee **committee, weft_error *error);

/* The state without the states of the members. */
weft_status weft__committee_write_bare(const weft__committee *committee, void *buffer, size_t *size,
                                       weft_error *error);

/* A copy in slices, and what it must know of a label that was just learnt: change/slices.c. */
weft_status weft__committee_stage_copy(const weft_player *player, struct weft__staged_copy **staged,
                                       weft_error *error);
void weft__committee_put_told(const weft_player *player, const int64_t pair[2], weft__encoder *writer);

/* Before the first label: awake are all but those in reserve that have never learnt
 * anything, and the stacks that can hear somebody. */
void weft__committee_start(weft__committee *committee);

/* The first checkpoint: when twice the rarer label, and at the latest when all of them are so many. */
enum { WEFT__FIRST_CHECKPOINT = 1024, WEFT__LATEST_CHECKPOINT = 4096 };

/* In multiplications: what all trials of a member may cost, some tenths of a second; what a trial of all that
 * have spent theirs may cost together, some ten microseconds; and the price above which none of these is
 * kept for its standing. */
double weft__account_of(const weft_member *member);
#define WEFT__BUDGET 1.5e4
#define WEFT__DEAR 6e3

/* Bytes that rivals may hold together of what they have learnt. */
#define WEFT__ROOM 335544320.0
/* And a perceptron that goes by pairs by itself: some 60,000 pairs. */
#define WEFT__HOLD 4194304.0

/* Whether it is one of these. */
bool weft__holds_pairs(const weft_member *member);

/* After a trial: which members rest from now on, and which begin. */
void weft__committee_schedule(weft__committee *committee);

#endif
