/* SPDX-License-Identifier: MIT
 * What a linear model is told about an id: numbered traits with values. */
#ifndef WEFT_RIVAL_TRAITS_H
#define WEFT_RIVAL_TRAITS_H

#include "base/bytes.h"
#include "side/learnt/column_cache.h"

/* Ids that a kernel says to be near are at most so many; and those that one part of a sum names. */
enum { WEFT__NEAREST = 10, WEFT__NEAR_BESIDE = 8 };

/* What the numbers of features are brought to, over the ids that are listed when a rival is made. */
typedef enum weft__scale {
    WEFT__SCALE_RANGE, /* [-1, 1]; zero stays zero unless no id has it between its values */
    /* A root mean square of 1 over the ids that are not zero; where these are more than half, over all ids
     * and about their mean. */
    WEFT__SCALE_SPREAD
} weft__scale;

/* The traits of one id at a time.  Invariants: list[0..count) are those of `id` (none: -1)
 * as they were when the side had `known` ids; offset and scale have `dimension`
 * elements, and are state: coordinates beyond them are taken as they are. */
typedef struct weft__traits weft__traits;
struct weft__traits {
    const weft_side *side;
    weft_memory memory;
    int64_t dimension;
    double *offset, *scale;
    weft__trait *list;
    int64_t count, capacity;
    int64_t id, known;
    /* Where a column of the kernel is one solve: all ids, that column, and workspace. */
    int64_t *all;
    double *column, *work;
    int64_t all_size;
    weft__column_cache *cache; /* where similarities may be found; borrowed, may be NULL */
    /* The nearest ids by a kernel, found once: those of id i begin at kept[i * WEFT__NEAREST], and
     * kept_count[i] is their number and 1, or 0 where they were not found yet. */
    weft__trait *kept;
    int *kept_count;
    int64_t kept_size;
    weft__traits *parts; /* of a sum: those of its parts, which it has all of */
    int64_t part_count;
};

/* Whether ids may come to be described by other ids than they were, the nearest by a kernel.  Not by those of
 * a part of a sum, which does not grow. */
bool weft__traits_move(const weft_side *side);

/* `traits` is zeroed; weft__traits_free releases it whether this fails or not. */
weft_status weft__traits_create(weft__traits *traits, const weft_side *side, weft__scale scale,
                                const weft_memory *memory, weft_error *error);
void weft__traits_free(weft__traits *traits);
/* trait_scales.c.  Offset and scale of every coordinate, over the ids of the side. */
weft_status weft__traits_settle(weft__traits *traits, weft__scale scale, weft_error *error);

/* Whether both make the same lists. */
bool weft__traits_agree(const weft__traits *a, const weft__traits *b);

/* Makes the list that of `id`; free where it is already. */
weft_status weft__traits_find(weft__traits *traits, int64_t id, weft_error *error);

void weft__traits_write(const weft__traits *traits, weft__encoder *writer);
/* Into traits that were just made over the same side; WEFT_MODEL where they do not fit. */
weft_status weft__traits_read(weft__traits *traits, weft__decoder *reader, weft_error *error);

#endif
