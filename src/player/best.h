/* SPDX-License-Identifier: MIT
 * The best of many candidates: rank.c. */
#ifndef WEFT_PLAYER_BEST_H
#define WEFT_PLAYER_BEST_H

#include "player/player.h"

/* An answer and its number among all that were seen, for equals. */
typedef struct weft__placed {
    weft_ranked ranked;
    int64_t place;
} weft__placed;

/* Invariant: heap[k] is no better than heap[2k + 1] and heap[2k + 2], for the first `count`. */
typedef struct weft__best {
    weft__placed *heap;
    int64_t most, count, seen;
} weft__best;

/* To be freed whether this fails or not. */
weft_status weft__best_create(int64_t most, const weft_memory *memory, weft__best *best, weft_error *error);
void weft__best_free(weft__best *best, const weft_memory *memory);

void weft__best_add(weft__best *best, int64_t id, const weft_answer *answer);

/* Those that are kept in the order of falling scores, equals as they came; answers how many.  Nothing is to
 * be added afterwards. */
int64_t weft__best_list(weft__best *best, weft_ranked *ranked);

#endif
