/* SPDX-License-Identifier: MIT
 * What a player tells its readers (reader.c): every label that it learns, in order, and when it has changed
 * in another way, so that it must be copied anew.  A player without readers has no feed and pays nothing.
 *
 *     the thread that learns     await, hold, learn, tell, copy a slice where one is wanted, let go
 *     a follower (follower.c)    join the slices; then learn what was told
 *     the thread that asks       waits until the replica is recent enough, and evaluates it
 *
 * Slices are copied by the thread that learns, one with every label: it has the player already.  Would the
 * follower copy them, each had to wait for the other between any two, and on a busy machine to be woken takes
 * longer than a slice.  While nobody learns, the follower does.
 *
 * One monitor guards all that is here; nobody is in it for long.  Who looks at the player itself holds it by
 * a ticket: first come, first served. */
#ifndef WEFT_PLAYER_FEED_H
#define WEFT_PLAYER_FEED_H

#include "base/monitor.h"
#include "player/player.h"

/* ---- What is told ---- */

typedef enum weft__way { WEFT__BY_PAIR, WEFT__BY_RECORD, WEFT__BY_PAIR_ANEW } weft__way;

/* A label that was learnt. */
typedef struct weft__news {
    weft__way way;
    int64_t pair[2];
    int label;
    const void *record; /* by record; else NULL */
    size_t size;
} weft__news;

/* The same, kept. */
typedef struct weft__lesson {
    struct weft__lesson *next;
    weft__news news;
    int64_t event; /* the number that it has */
    double time;   /* seconds of a clock that never goes back */
    /* Owned: the record, and behind it so many of put_told, where a draft may need them. */
    unsigned char *bytes;
    size_t room, told;
} weft__lesson;

/* ---- Copies in slices ---- */

/* How much of it one slice is. */
typedef struct weft__slice {
    int64_t heard; /* lessons that were told since the draft was begun */
    size_t bytes;  /* of a piece, about */
    double moment; /* in seconds: pieces are begun until it is over, at least one */
} weft__slice;

/* A copy of a player that learns between the slices. */
typedef struct weft__draft {
    /* Copies a slice, while the player is held.  *whole with the last one. */
    weft_status (*more)(struct weft__draft *draft, const weft_player *player, const weft__slice *slice,
                        bool *whole, weft_error *error);
    /* The player as it was at the last slice, from the slices and what was told until then.  Does not look
     * at the original. */
    weft_status (*join)(struct weft__draft *draft, const weft__lesson *lessons, weft_player **copy,
                        weft_error *error);
    void (*release)(struct weft__draft *draft);
} weft__draft;

/* For a kind that has no draft of its own (draft.c). */
weft_status weft__draft_of_pieces(const weft_player *player, weft__draft **draft, weft_error *error);

/* What a lesson told beside the label. */
weft__decoder weft__lesson_told(const weft__lesson *lesson);

/* ---- The feed ---- */

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

/* A copy on its way.  The draft is for who holds the player, and behind the last slice for the follower. */
typedef struct weft__copying {
    weft__draft *draft;
    bool busy;             /* somebody copies a slice */
    double time;           /* of the last slice, or when it was wanted first */
    weft__lesson *lessons; /* that were told before the last slice */
    int64_t event;         /* of the last slice */
    weft_status status;
    weft_error error;
} weft__copying;

/* Invariants, in the monitor: `count` lessons from first to last are those between the replica,
 * or the beginning of the draft, and the player; the replica is touched by who has set `busy`. */
struct weft_reader {
    weft__feed *feed;
    weft_player *player; /* for who holds it, while it is alive */
    struct weft_reader *after;
    weft__thread *follower;
    bool leaving; /* the follower is to end */
    bool closing; /* by who frees the player */
    weft__reader_stage stage;
    weft_error failure;
    weft__copying copying;
    weft__lesson *first, *last, *spare;
    int64_t count, spares;
    int64_t applied, mark; /* lessons; and up to where the player waits for it */
    weft_player *replica;
    int64_t event; /* that the replica knows; -1: none was ever whole */
    bool busy;
    bool asking;    /* somebody waits for an answer */
    int64_t credit; /* lessons that go before the next answer */
};

/* The number of the last label that a player has learnt. */
int64_t weft__player_event(const weft_player *player);

/* For the thread that uses the player; all take a player without a feed.  Who holds it: a question, which
 * changes workspaces. */
void weft__feed_hold(weft_player *player);
void weft__feed_let_go(weft_player *player);
/* A question to the player: it is held, and timed. */
void weft__player_begin_question(weft_player *player);
void weft__player_end_question(weft_player *player);
/* Before a label is learnt, and after it; before any other change it is held, and this is called after it.
 * Both answer the status. */
void weft__player_begin_label(weft_player *player);
weft_status weft__player_end_label(weft_player *player, const weft__news *news, weft_status status);
weft_status weft__player_end_change(weft_player *player, weft_status status);
/* Before the player is freed. */
void weft__feed_end(weft_player *player);

/* ---- From inside ---- */

weft_status weft__feed_create(weft_player *player, weft_error *error);
void weft__feed_drop(weft__feed *feed); /* one reference */
/* In the monitor: waits for a ticket; gives it back. */
void weft__feed_enter(weft__feed *feed);
void weft__feed_leave(weft__feed *feed);
/* In the monitor: lessons become spare ones. */
void weft__reader_recycle(weft_reader *reader, weft__lesson *lessons);
/* In the monitor: no more than 1,000 labels are waiting, and none for longer than that. */
bool weft__reader_is_recent(const weft_reader *reader, double seconds);

/* In the monitor, which is left meanwhile, with the player held: copies a slice, if the reader wants one. */
void weft__reader_copy(weft_reader *reader);

void weft__reader_follow(void *argument); /* what the follower does: follower.c */
/* Ends it, and frees what the reader has; outside of the monitor. */
void weft__reader_stop(weft_reader *reader);

/* The player learns what was told. */
weft_status weft__lesson_learn(const weft__lesson *lesson, weft_player *player, weft_error *error);

#endif
