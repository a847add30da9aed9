/* SPDX-License-Identifier: MIT
 * Which ids have equal vectors. */
#ifndef WEFT_SIDE_KINDS_GROUPS_H
#define WEFT_SIDE_KINDS_GROUPS_H

#include "base/memory.h"

/* Vectors an id a row, as their owner has them. */
typedef struct weft__rows {
    const double *values;
    int64_t dimension;
} weft__rows;

enum { WEFT__NO_GROUP = -1 };

/* of[i] is the first id whose vector is equal to that of i, or WEFT__NO_GROUP for an id that has none; -0
 * is equal to 0.  Zeroed it has no ids. */
typedef struct weft__groups {
    int64_t *of, capacity;
    int64_t ids, count; /* added; groups of them */
    int64_t repeated;   /* ids that are not the first of their group */
    int64_t *slot, slots;
} weft__groups;

/* Makes room for one more group, and for `ids` ids in all. */
weft_status weft__groups_reserve(weft__groups *groups, weft__rows rows, int64_t ids,
                                 const weft_memory *memory, weft_error *error);

/* Adds id number groups->ids, for which there is room: with its row, or without a group. */
void weft__groups_add(weft__groups *groups, weft__rows rows, bool has_vector);

void weft__groups_release(weft__groups *groups, const weft_memory *memory);

#endif
