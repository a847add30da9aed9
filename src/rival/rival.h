/* SPDX-License-Identifier: MIT
 * What all rivals share, and the seam between them: one file a concept behind one
 * table of functions.  docs/rivals.md says exactly what each of them computes. */
#ifndef WEFT_RIVAL_RIVAL_H
#define WEFT_RIVAL_RIVAL_H

#include "base/bytes.h"
#include "base/memory.h"
#include "player/player.h"

typedef struct weft__rival weft__rival;
typedef struct weft__block weft__block; /* block.h */

/* The seam.  Ids are in range; for one set of ids pair[0] <= pair[1].  A rival that
 * is made and not read has learnt nothing. */
typedef struct weft__rival_ops {
    size_t size; /* of its struct, which begins with a weft__rival */
    /* Makes what the zeroed struct lacks; NULL where that is nothing.  After a failure
     * `release` is called. */
    weft_status (*create)(weft__rival *rival, weft_error *error);
    /* *score, changing nothing that can be seen. */
    weft_status (*score)(weft__rival *rival, const int64_t pair[2], double *score, weft_error *error);
    /* score[b] of the pair of every candidate b, to the bit what `score` gives, but in less time than one
     * after the other; NULL: there is no such way. */
    weft_status (*score_many)(weft__rival *rival, weft__block *block, double *score, weft_error *error);
    /* The probability of +1 at this score. */
    double (*probability)(double score);
    /* Learns the pair that was the last one scored, by `score`, which gave rival->answer.score; on failure
     * nothing has changed that can be seen. */
    weft_status (*learn)(weft__rival *rival, const int64_t pair[2], int label, weft_error *error);
    /* What was learnt as bytes, and back into a rival that was just made.  The reader
     * answers WEFT_MODEL to what `write` never writes, and may leave anything behind
     * then, for the rival is thrown away. */
    void (*write)(const weft__rival *rival, weft__encoder *writer);
    weft_status (*read)(weft__rival *rival, weft__decoder *reader, weft_error *error);
    /* A state in pieces, as in player/player.h.  `take` reads entries into a rival that was just made, until
     * there are none left, and `take_rest` comes last; both are given what was put, and nothing else. */
    bool (*put_entries)(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer);
    void (*put_changed)(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer);
    void (*put_rest)(const weft__rival *rival, weft__encoder *writer);
    weft_status (*take)(weft__rival *rival, weft__decoder *reader, weft_error *error);
    weft_status (*take_rest)(weft__rival *rival, weft__decoder *reader, weft_error *error);
    /* Ids get other numbers; NULL where the kind goes by a hash of them. */
    weft_status (*renumber)(weft__rival *rival, const weft__numbers *numbers, weft_error *error);
    /* Frees what the kind owns, not the struct. */
    void (*release)(weft__rival *rival);
    /* As in player/player.h, without the products. */
    double (*price)(const weft__rival *rival, int64_t seen);
    /* As in player/player.h; of both none is NULL. */
    double (*bytes)(const weft__rival *rival);
    void (*empty)(weft__rival *rival);
    /* As in player/player.h; NULL: it reads no cache. */
    bool (*share)(weft__rival *rival, int which, weft__column_cache *cache);
    /* As in player/player.h; NULL: never. */
    bool (*is_stranger)(const weft__rival *rival, int which, int64_t id);
    /* The ids of side `which` that it has learnt; answers NULL, or is NULL: it does not keep these alone. */
    const struct weft__slots *(*met)(const weft__rival *rival, int which);
} weft__rival_ops;

/* Every kind's struct begins with this one. */
struct weft__rival {
    weft_player player;
    const weft__rival_ops *ops;
    weft_rival_settings settings; /* with the defaults filled in */
    /* The last answer, as long as nothing is learnt: learning repeats it. */
    bool asked;
    int64_t pair[2];
    weft__context context;
    weft_answer answer;
    bool met_context; /* it has learnt some, which its state speaks of (state.c) */
};

/* The rival behind a player; NULL for other kinds, and for NULL. */
weft__rival *weft__rival_in(const weft_player *player);

extern const weft__player_ops weft__rival_player_ops;

extern const weft__rival_ops weft__rival_majority;
extern const weft__rival_ops weft__rival_logistic;
extern const weft__rival_ops weft__rival_factors;
extern const weft__rival_ops weft__rival_perceptron;
extern const weft__rival_ops weft__rival_hybrid;

/* ---- rival.c, state.c: as the public functions say ---- */

weft_status weft__rival_begin(const weft_side *rows, const weft_side *columns,
                              const weft_rival_settings *settings, const weft_memory *memory,
                              weft__rival **rival, weft_error *error);
void weft__rival_free(weft__rival *rival);
/* Error unless both ids are known. */
weft_status weft__rival_check(const weft__rival *rival, const int64_t pair[2], weft_error *error);
weft_status weft__rival_predict(weft__rival *rival, const int64_t pair[2], weft_answer *answer,
                                weft_error *error);
weft_status weft__rival_learn(weft__rival *rival, const int64_t pair[2], int label, weft_answer *answer,
                              weft_error *error);
weft_status weft__rival_write(const weft__rival *rival, void *buffer, size_t *size, weft_error *error);
weft_status weft__rival_restore(const weft_side *rows, const weft_side *columns, const void *buffer,
                                size_t size, const weft_memory *memory, weft__rival **rival,
                                weft_error *error);
weft_status weft__rival_clone(const weft__rival *rival, weft__rival **copy, weft_error *error);
/* The settings, which every state begins with; and a rival that has them and has learnt nothing. */
void weft__rival_put_head(const weft__rival *rival, weft__encoder *writer);
weft_status weft__rival_from_head(const weft_side *rows, const weft_side *columns, weft__decoder *reader,
                                  const weft_memory *memory, weft__rival **rival, weft_error *error);

/* Whether it is a rival that scores many candidates at once: odds[b] are the log-odds of what
 * weft__rival_predict says of candidate b, which says +1 iff they are not negative. */
bool weft__rival_has_many(const weft_player *player);
weft_status weft__rival_odds_many(weft_player *player, weft__block *block, double *odds, weft_error *error);

/* ---- pieces.c: as player/player.h says ---- */

bool weft__rival_put_entries(const weft_player *player, int64_t at[2], size_t bytes, weft__encoder *writer);
void weft__rival_put_changed(const weft_player *player, const int64_t pair[2], weft__encoder *writer);
void weft__rival_put_rest(const weft_player *player, weft__encoder *writer);
weft_status weft__rival_join(const weft_side *const sides[2], const weft__decoder *entries, int64_t count,
                             weft__decoder rest, const weft_memory *memory, weft_player **player,
                             weft_error *error);

/* What an event and each of its numbers cost hybrid factorisation, in multiplications, by measurement:
 * roots and divisions, and finding what an id is made of. */
#define WEFT__HYBRID_EVENT 150
#define WEFT__HYBRID_NUMBER 1.5

/* ---- What the kinds share ---- */

/* The side of ids number `which` of a pair: 0 rows, 1 columns, or the one set. */
const weft_side *weft__rival_side(const weft__rival *rival, int which);

/* The pair as the kinds see it: for one set of ids the smaller one first. */
void weft__rival_order(const weft__rival *rival, const int64_t pair[2], int64_t ordered[2]);

/* 1 / (1 + exp(-x)), in [0, 1] for every finite x. */
double weft__sigmoid(double x);

/* Whether this one's kind and settings let its ids have other numbers. */
bool weft__rival_can_renumber(const weft__rival *rival);

/* The number of id i of side `which`, or WEFT_ARGUMENT. */
weft_status weft__renumbered(const weft__numbers *numbers, int which, int64_t i, int64_t *number,
                             weft_error *error);

/* WEFT_MODEL with these words. */
weft_status weft__rival_damaged(weft_error *error, const char *what);

/* A count that `reader` holds: from 0 to `most`, and with at least `bytes` bytes
 * behind it for each; anything else makes the reader fail and is 0. */
int64_t weft__get_count(weft__decoder *reader, int64_t most, size_t bytes);

#endif
