/* SPDX-License-Identifier: MIT
 * A copy of a player that is made in slices, between which the player learns. */
#ifndef WEFT_PLAYER_STAGED_COPY_H
#define WEFT_PLAYER_STAGED_COPY_H

#include "player/label_event.h"

/* How much of it one slice is. */
typedef struct weft__slice {
    int64_t heard; /* labels that were told since the copy was begun */
    size_t bytes;  /* of a piece, about */
    double moment; /* in seconds: pieces are begun until it is over, at least one */
} weft__slice;

typedef struct weft__staged_copy {
    /* Copies a slice, while the player is held.  *whole with the last one. */
    weft_status (*copy_slice)(struct weft__staged_copy *staged, const weft_player *player,
                              const weft__slice *slice, bool *whole, weft_error *error);
    /* The player as it was at the last slice, from the slices and what was told until then.  Does not look
     * at the original. */
    weft_status (*join)(struct weft__staged_copy *staged, const weft__kept_label *labels, weft_player **copy,
                        weft_error *error);
    void (*release)(struct weft__staged_copy *staged);
} weft__staged_copy;

/* For a kind that has none of its own. */
weft_status weft__staged_copy_of_pieces(const weft_player *player, weft__staged_copy **staged,
                                        weft_error *error);

#endif
