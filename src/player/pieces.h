/* SPDX-License-Identifier: MIT
 * A copy of one player that goes on learning meanwhile.
 *
 * Every state is *entries*, which may be many, and a *rest*, which is small.  A label changes few entries,
 * and a player can name them from its pair.  So entries are put into pieces some at a time, in the order of
 * their keys, while the player learns on; every label tells the entries that it has changed, as they are
 * then; and the rest is put last.  Put together, what was told overrules the pieces, the latest what is
 * older.
 *
 *     pieces   |--k=0..99--|  |--k=100..199--|      |--k=200..211--|
 *     told               k=7                 k=150, k=212         k=7
 *     the rest                                                        *  this is the moment that is copied
 *
 * Why that is the state at the last moment, to the bit: an entry that no label has changed since the first
 * piece is as it was in its piece; one that some label has changed is as the last of them told it.  An entry
 * that came into being behind the place that the pieces had reached was told by the label that made it. */
#ifndef WEFT_PLAYER_PIECES_H
#define WEFT_PLAYER_PIECES_H

#include "player/player.h"

typedef struct weft__piece {
    struct weft__piece *next;
    unsigned char *bytes;
    size_t size;
} weft__piece;

/* A zeroed struct with its memory set has nothing yet. */
typedef struct weft__pieces {
    weft_memory memory;
    weft__piece *first, *last;
    int64_t count;
    int64_t at[2]; /* where the entries go on */
    bool all;      /* entries have been put */
    unsigned char *rest;
    size_t rest_size;
} weft__pieces;

void weft__pieces_free(weft__pieces *pieces);

/* Puts one piece more, of about so many bytes; sets `all` after the last. */
weft_status weft__pieces_more(weft__pieces *pieces, const weft_player *player, size_t bytes,
                              weft_error *error);
/* Puts the rest. */
weft_status weft__pieces_end(weft__pieces *pieces, const weft_player *player, weft_error *error);

/* What weft__player_ops.join takes: the pieces, and behind them room for what `told` labels have told, for
 * the caller to fill: (*list)[pieces->count + k].  *list is to be deleted. */
weft_status weft__pieces_list(const weft__pieces *pieces, int64_t told, weft__decoder **list,
                              weft_error *error);

#endif
