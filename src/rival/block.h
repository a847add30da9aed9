/* SPDX-License-Identifier: MIT
 * Candidates of a ranking that rivals score some hundred at a time.  Members of a committee differ by their
 * rates more than by what they know of an id: what follows from the candidates alone is found out once, by
 * the first rival that needs it, and is kept for the others until the next block. */
#ifndef WEFT_RIVAL_BLOCK_H
#define WEFT_RIVAL_BLOCK_H

#include "base/memory.h"
#include "rival/traits.h"

enum { WEFT__BLOCK = 512 };

/* What decides the bytes that are kept, beside the candidates. */
typedef struct weft__block_key {
    const void *what; /* an address of whoever keeps them */
    int alike[2];     /* weft__block_alike, or -1 */
    uint64_t seed;
    int64_t number;
} weft__block_key;

typedef struct weft__block_kept {
    weft__block_key key;
    int64_t turn; /* of the block that it is of */
    int64_t size; /* bytes that have room */
    void *bytes;
} weft__block_kept;

/* The traits of all candidates: those of number b are list[start[b] .. start[b + 1]). */
typedef struct weft__block_traits {
    const weft__traits *by; /* whoever was the first to find these */
    int64_t turn;
    int64_t *start;
    weft__trait *list;
    int64_t capacity;
} weft__block_traits;

enum { WEFT__BLOCK_ALIKE = 16, WEFT__BLOCK_KEPT = 32 };

/* Pairs of the id `id` with each of `ids`, which stand at `place` of a pair, 0 or 1. */
typedef struct weft__block {
    weft_memory memory;
    int place;
    int64_t id;
    const int64_t *ids;
    int64_t count; /* at most WEFT__BLOCK */
    int64_t turn;
    weft__block_traits traits[WEFT__BLOCK_ALIKE];
    int alike_count;
    weft__block_kept kept[WEFT__BLOCK_KEPT];
    int kept_count;
} weft__block;

/* Candidates at `place` of a pair, the other one of which is `id`; none yet. */
weft__block weft__block_of(int place, int64_t id, const weft_memory *memory);
void weft__block_free(weft__block *block);

/* The next candidates, at most WEFT__BLOCK, borrowed. */
void weft__block_turn(weft__block *block, const int64_t *ids, int64_t count);

/* A number that is the same for traits that are found alike; -1: there are too many kinds of them. */
int weft__block_alike(weft__block *block, const weft__traits *traits);

/* The traits of the candidates by `traits`, which are number `alike`. */
weft_status weft__block_find_traits(weft__block *block, weft__traits *traits, int alike,
                                    const weft__block_traits **found, weft_error *error);

/* Room for `size` bytes that follow from the key and the candidates; *fresh: they are still to be filled in.
 * `bytes` is the address of a pointer to any object type, which becomes NULL where too many keys are kept. */
weft_status weft__block_keep(weft__block *block, const weft__block_key *key, int64_t size, void *bytes,
                             bool *fresh, weft_error *error);

#endif
