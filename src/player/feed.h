/* SPDX-License-Identifier: MIT
 * What a player tells its readers (reader.c): every label that it learns, in order, and when it has changed
 * in another way, so that it must be copied anew.  A player without readers has no feed and pays nothing.
 *
 *     the thread that learns     await, hold, learn, tell, copy a slice where one is wanted, let go
 *     a follower (follower.c)    join the slices; then learn what was told
 *     the thread that asks       waits until the replica is recent enough, and evaluates it
 *
 * Slices are copied by the thread that learns, one with every label: it has the player already.  A follower
 * that copied them would have to wait for the learner between any two slices, and on a busy machine waking a
 * thread takes longer than a slice.  While no label arrives, the follower copies.
 *
 * One monitor guards all that is here, and no thread stays in it for long.  A thread that looks at the player
 * itself holds it by a ticket (turn.h): first come, first served.
 *
 * The stages of a reader:
 *
 *     lost      the follower begins a copy    -> copying
 *     copying   the last slice is copied       -> joining
 *     joining   the copy is made               -> whole
 *     whole     a label is told                stays: the replica learns it
 *     copying, joining, whole
 *               the player changes otherwise   -> lost
 *               something fails                -> failed
 *     failed    a question is told of it       -> lost
 *     any       the player is freed            -> ended */
#ifndef WEFT_PLAYER_FEED_H
#define WEFT_PLAYER_FEED_H

#include "base/monitor.h"
#include "player/staged_copy.h"

typedef enum weft__reader_stage {
    WEFT__LOST,    /* to be copied anew */
    WEFT__COPYING, /* slice by slice: what is told is kept */
    WEFT__JOINING, /* of the slices: what is told is kept */
    WEFT__WHOLE,   /* the replica follows */
    WEFT__FAILED,  /* as `failure` says, which the next question is answered with */
    WEFT__ENDED    /* the player was freed */
} weft__reader_stage;

typedef struct weft__feed {
    weft_memory memory;
    weft__monitor *monitor; /* notified when anything changes here, or of a reader */
    int64_t references;     /* of the player and its readers */
    int64_t next, serving;  /* tickets */
    bool alive;             /* the player */
    bool spoilt;            /* it has learnt a label only in part: not to be copied before it goes on */
    double since, told;     /* when the label that is learnt was begun; when the last one was told */
    double trial;           /* how long that took */
    struct weft_reader *first;
} weft__feed;

/* A copy on its way: for the thread that holds the player, and behind the last slice for the follower. */
typedef struct weft__copying {
    weft__staged_copy *staged;
    bool busy;                /* somebody copies a slice */
    double time;              /* of the last slice, or when it was wanted first */
    weft__kept_label *labels; /* that were told before the last slice */
    int64_t event;            /* of the last slice */
    weft_status status;
    weft_error error;
} weft__copying;

/* Invariants, in the monitor: `count` labels from first to last are those between the replica,
 * or the beginning of the copy, and the player; the replica is touched by the thread that has set `busy`. */
struct weft_reader {
    weft__feed *feed;
    weft_player *player; /* for the thread that holds it, while it is alive */
    struct weft_reader *after;
    weft__thread *follower;
    bool leaving; /* the follower is to end */
    bool closing; /* by the thread that frees the player */
    weft__reader_stage stage;
    weft_error failure;
    weft__copying copying;
    weft__kept_label *first, *last, *spare;
    int64_t count, spares;
    int64_t applied, awaited; /* labels; and up to where the player waits for it */
    weft_player *replica;
    weft__context context; /* of its questions */
    int64_t event;         /* that the replica knows; -1: none was ever whole */
    bool busy;
    bool asking;         /* somebody waits for an answer */
    int64_t labels_owed; /* labels that go before the next answer */
};

/* ---- For the player and its readers: feed.c, follower.c, reader.c ---- */

weft_status weft__feed_create(weft_player *player, weft_error *error);
void weft__feed_drop(weft__feed *feed); /* one reference */
/* In the monitor: waits for a ticket; gives it back. */
void weft__feed_enter(weft__feed *feed);
void weft__feed_leave(weft__feed *feed);
/* In the monitor: labels become spare ones. */
void weft__reader_recycle(weft_reader *reader, weft__kept_label *labels);
/* In the monitor: no more than 1,000 labels are waiting, and none for longer than that. */
bool weft__reader_is_recent(const weft_reader *reader, double seconds);

/* In the monitor, which is left meanwhile, with the player held: copies a slice, if the reader wants one. */
void weft__reader_copy(weft_reader *reader);

void weft__reader_follow(void *argument); /* what the follower does: follower.c */
/* Ends it, and frees what the reader has; outside of the monitor. */
void weft__reader_stop(weft_reader *reader);

#endif
