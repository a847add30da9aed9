/* SPDX-License-Identifier: MIT
 * The seam between the three kinds of players and everything else.  player.c has the public functions: they
 * check arguments and ask the table of the kind.  Learners, rivals and committees each have one table, in
 * their own player.c. */
#ifndef WEFT_PLAYER_PLAYER_H
#define WEFT_PLAYER_PLAYER_H

#include "base/bytes.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/progress.h"
#include "side/learnt/column_cache.h"

/* No answer takes more products, so that sums of two are numbers. */
enum { WEFT__MOST_PRODUCTS = 1 << 24 };

/* An answer of which the label has come, and what its record says of it. */
typedef struct weft__late {
    int64_t pair[2];
    int label;
    int64_t labels;     /* that had been learnt when it was given */
    weft_answer answer; /* as it was given */
    weft__decoder said; /* what put_record has added: as many bytes, whatever they are */
} weft__late;

/* How another player's ids are numbered here: of[0][i] is the row that it calls i, of[1] the same of columns
 * (one set of ids: of[0] twice).  No two of them are the same. */
typedef struct weft__numbers {
    const int64_t *of[2];
    int64_t count[2];
} weft__numbers;

/* Whether every id has its own number; also where numbers is NULL. */
bool weft__numbers_alike(const weft__numbers *numbers);
/* A copy that is made in slices, and what readers hear of a player (feed.h). */
struct weft__staged_copy;
struct weft__feed;

/* When a function is called, pointers are not NULL, labels are -1 or +1, and `which` is WEFT_ROWS or
 * WEFT_COLUMNS; ids are still to be checked.  `progress` may be NULL, or may stop the function.  Each does
 * what the header says of the public function of the same name.  An optional function is NULL where the kind
 * cannot do it. */
typedef struct weft__player_ops {
    weft_kind kind;
    /* What is told where a function of the evidence is NULL. */
    const char *no_evidence;

    /* ---- Every kind ---- */

    /* As weft_player_predict_at; t is -1 for the next trial. */
    weft_status (*predict)(weft_player *player, const int64_t pair[2], int64_t t, weft_answer *answer,
                           weft_error *error);
    weft_status (*evaluate)(weft_player *player, const int64_t pair[2], double tolerance, weft_answer *answer,
                            weft_error *error);
    weft_status (*learn)(weft_player *player, const int64_t pair[2], int label, weft_answer *answer,
                         weft_error *error);
    /* The answer counts as it was given.  Where no label has come since it is `learn`, to the bit. */
    weft_status (*learn_late)(weft_player *player, const weft__late *late, weft_answer *answer,
                              weft_error *error);
    weft_counters (*counters)(const weft_player *player);
    weft_status (*write)(const weft_player *player, void *buffer, size_t *size, weft_error *error);
    weft_status (*clone)(const weft_player *player, weft__progress *progress, weft_player **copy,
                         weft_error *error);
    /* The player of such a state, over these sides; NULL for a committee, which is more than two sides. */
    weft_status (*read)(const weft_side *rows, const weft_side *columns, const void *buffer, size_t size,
                        const weft_memory *memory, weft_player **player, weft_error *error);
    /* One with the settings and the sides of this one that has learnt nothing. */
    weft_status (*sibling)(const weft_player *player, weft_player **fresh, weft_error *error);
    weft_status (*reset)(weft_player *player, weft_error *error);
    /* Frees the player as a whole. */
    void (*release)(weft_player *player);

    /* ---- Optional ---- */

    /* NULL: it starts no threads, and any number is right. */
    weft_status (*set_threads)(weft_player *player, int threads, weft_error *error);
    /* NULL: every candidate is evaluated (rank.c). */
    weft_status (*rank)(weft_player *player, const weft_query *query, weft__progress *progress,
                        weft_ranked *ranked, int64_t *found, weft_error *error);
    /* Adds to a record what must be known of the answer that was just given; always as many bytes. */
    void (*put_record)(const weft_player *player, weft__encoder *writer);
    /* The label that was just learnt was that of an answer that is not known any more. */
    void (*count_anew)(weft_player *player);
    /* The learner whose evidence is this player's, itself for one; NULL, or answers NULL: there is none. */
    weft_player *(*leader)(const weft_player *player);
    int64_t (*evidence_count)(const weft_player *player);
    weft_evidence_entry (*evidence)(const weft_player *player, int64_t k);
    weft_status (*add_evidence)(weft_player *player, const weft_evidence_entry *entries, int64_t count,
                                weft__progress *progress, weft_error *error);
    weft_status (*count_more)(weft_player *player, const weft_counters *more, weft_error *error);
    /* `other` is of the same kind; numbers NULL: it means the same ids by the same numbers. */
    weft_status (*merge)(weft_player *player, const weft_player *other, const weft__numbers *numbers,
                         weft__progress *progress, weft_error *error);
    weft_status (*forget)(weft_player *player, int which, int64_t id, weft__progress *progress,
                          weft_error *error);
    weft_status (*explain)(weft_player *player, const int64_t pair[2], double tolerance,
                           weft__progress *progress, weft_explanation *explanation,
                           weft_influence *influences, weft_error *error);
    /* Capacities for rows and columns, columns 0 for one set; and more of them, never fewer.  NULL, or 0:
     * every id that the sides have. */
    void (*room)(const weft_player *player, int64_t room[2]);
    void (*enlarge)(weft_player *player, int64_t rows, int64_t columns);
    /* A copy that is made in slices (staged_copy.h); NULL: its own pieces, one after the other. */
    weft_status (*stage_copy)(const weft_player *player, struct weft__staged_copy **staged,
                              weft_error *error);
    /* What the label of this pair, which was just learnt, has changed, for that copy; NULL: put_changed. */
    void (*put_told)(const weft_player *player, const int64_t pair[2], weft__encoder *writer);
    int64_t (*member_count)(const weft_player *player);
    const weft_player *(*member)(const weft_player *player, int64_t k);
    /* Name of member k, and whether it plays; where there is member_count. */
    void (*name_row)(const weft_player *player, int64_t k, weft_profile_row *row);

    /* All of this player changes places with all of another one of its kind. */
    void (*exchange)(weft_player *player, weft_player *other);
    /* What its sides say of the ids that it has learnt is not what they said: what follows from both is found
     * anew.  NULL: nothing does that is kept. */
    void (*rebase)(weft_player *player);

    /* ---- A state in pieces (pieces.h); a committee has its members' ---- */

    /* Puts entries from the key `at` on, which starts at {0, 0} and moves on, until there are about so many
     * bytes; false: there are no more. */
    bool (*put_entries)(const weft_player *player, int64_t at[2], size_t bytes, weft__encoder *writer);
    /* Puts again the entries that the label of this pair may have changed, which was just learnt: nothing
     * else was asked of the player since. */
    void (*put_changed)(const weft_player *player, const int64_t pair[2], weft__encoder *writer);
    void (*put_rest)(const weft_player *player, weft__encoder *writer);
    /* The player of these entries, of which later ones overrule earlier ones, and this rest. */
    weft_status (*join)(const weft_side *const sides[2], const weft__decoder *entries, int64_t count,
                        weft__decoder rest, const weft_memory *memory, weft_player **player,
                        weft_error *error);

    /* ---- For a committee that it is a member of; a committee itself has none of them ---- */

    /* Where two cannot be merged: its ids get other numbers, if it can do that.  After a failure it may only
     * be freed. */
    bool (*can_renumber)(const weft_player *player);
    weft_status (*renumber)(weft_player *player, const weft__numbers *numbers, weft_error *error);

    /* Error unless both ids can be asked for, as `predict` says. */
    weft_status (*check)(const weft_player *player, const int64_t pair[2], weft_error *error);
    /* The log-odds of +1 that an answer stands for, compressed so that no trial outshouts a thousand others:
     * what the stack adds up. */
    double (*log_odds)(const weft_player *player, const weft_answer *answer);
    /* About how many multiplications the trial took that was just learnt, with so many products by C: a
     * count, never a clock.  `seen` are the labels that it has learnt. */
    double (*price)(const weft_player *player, int products, int64_t seen);
    /* Bytes of what it has learnt: a count of what there is, the same wherever the same was learnt, and never
     * what an allocator says.  And forgets all of it and gives the memory back, which asks for none.  NULL:
     * it keeps what it has, within its account. */
    double (*bytes)(const weft_player *player);
    void (*empty)(weft_player *player);
    /* The cache of the id at `place` of a pair, 0 or 1, for as long as the player lives; it is told what is
     * wanted of it, and the ids that were learnt.  Answers whether every trial will read it. */
    bool (*share)(weft_player *player, int place, weft__column_cache *cache);
    /* Whether it has not met the id at `place` of a pair, and knows such an id by its kernel alone: its
     * answers about two of the same weft__side_group are then the same.  NULL: never. */
    bool (*is_stranger)(const weft_player *player, int place, int64_t id);

    /* The smallest id at `place` of a pair, from `id` on, that it has learnt a label of; -1: there is none.
     * NULL: it cannot tell, or its evidence does. */
    int64_t (*next_met)(const weft_player *player, int place, int64_t id);
} weft__player_ops;

/* Players like this one, for as long as it does not change (many.c). */
typedef struct weft__copies weft__copies;

/* Every kind's struct begins with this one. */
struct weft_player {
    const weft__player_ops *ops;
    weft_memory memory;
    const weft_side *rows, *columns; /* borrowed; columns NULL for one set of ids */
    struct weft__home *home;         /* the rosters behind the sides, where the player owns them; or NULL */
    weft__copies *copies;            /* or NULL; workspace */
    weft_progress progress;          /* who is told of its long calls */
    struct weft__feed *feed;         /* what its readers hear of it, or NULL (feed.h) */
    weft__context context;           /* of the next question; no part of the state */
    int64_t learnt;                  /* labels, by this object: the events of a player that counts none */
    struct weft__profile *profile;   /* where its time goes, or NULL (profile.h); workspace */
    /* No part of the state: a model has them. */
    bool disturbed; /* evidence was merged, forgotten or imported: no bound holds */
    bool only_seen; /* its model was opened only to look: the sides are not its own */
    bool looked_at; /* the same, also of a committee, whose sides are there: nobody may follow it */
};

/* What a player owns beside itself, for a layer above this one: freed after the player. */
typedef struct weft__home {
    void (*release)(struct weft__home *home);
    /* An independent copy of the player, with a home of its own. */
    weft_status (*clone)(const struct weft__home *home, const weft_player *player, weft_player **copy,
                         weft_error *error);
    /* How many rows or columns have names. */
    int64_t (*count)(const struct weft__home *home, int which);
    /* numbers[i] of every id i of `other`, a row or a column, by name; those that are new are let in.
     * WEFT_ARGUMENT where the two have other side information. */
    weft_status (*match)(struct weft__home *home, const struct weft__home *other, int which, int64_t *numbers,
                         weft_error *error);
    /* Takes back what the last match of rows or columns has let in, if it failed or not. */
    void (*unmatch)(struct weft__home *home, int which);
} weft__home;

/* WEFT_ARGUMENT unless threads is within 0 and WEFT_THREAD_LIMIT. */
weft_status weft__check_threads(int threads, weft_error *error);

/* WEFT_UNKNOWN_ID for a number that a player which knows its ids by name has no name for: it could be learnt,
 * but nobody could say of whom. */
weft_status weft__check_named(const weft_player *player, int64_t row, int64_t column, weft_error *error);

/* WEFT_ARGUMENT unless the label is -1, 0 or +1. */
weft_status weft__check_label(int label, bool or_zero, weft_error *error);

/* WEFT_ARGUMENT unless the count is within 0 and WEFT_NEGATIVES_LIMIT, and ids 0 or more. */
weft_status weft__check_negatives(const weft_negatives *how, weft_error *error);

/* How many of `drawn` pairs are learnt before the event of trial t: any number is as likely. */
int64_t weft__negatives_before(const weft_negatives *how, int64_t t, int64_t drawn);
/* Pair and context of a record that this player can learn; else as weft_player_learn_late. */
weft_status weft__record_question(const weft_player *player, const void *record, size_t size, int64_t pair[2],
                                  weft__context *context, weft_error *error);

/* WEFT_UNSUPPORTED: "a committee cannot ...: ...". */
weft_status weft__player_refuse(const weft_player *player, const char *what, const char *reason,
                                weft_error *error);

/* WEFT_ARGUMENT unless it is finite and above 0, or 0 where that is allowed. */
weft_status weft__check_tolerance(double tolerance, bool or_zero, weft_error *error);

/* WEFT_UNSUPPORTED for a player whose model was opened only to look. */
weft_status weft__need_sides(const weft_player *player, weft_error *error);

/* Before a player changes, or is freed. */
void weft__drop_copies(weft_player *player);
/* Before it is freed. */
void weft__profile_free(weft_player *player);

/* weft_player_rank by evaluating every candidate: rank.c. */
weft_status weft__rank_by_evaluating(weft_player *player, const weft_query *query, weft__progress *progress,
                                     weft_ranked *ranked, int64_t *found, weft_error *error);

/* About how many multiplications an answer took that the player has just given: many.c. */
double weft__player_work(const weft_player *player, const weft_answer *answer);

#endif
