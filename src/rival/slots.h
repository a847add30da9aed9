/* SPDX-License-Identifier: MIT
 * Which ids of a side a rival has learnt: each has a slot, 0, 1, ... in the order in which it was first
 * learnt, so that what is kept by slot grows with these ids and not with all that there are. */
#ifndef WEFT_RIVAL_SLOTS_H
#define WEFT_RIVAL_SLOTS_H

#include "base/memory.h"

enum { WEFT__SLOTS_BITS = 10, WEFT__SLOTS_PAGE = 1 << WEFT__SLOTS_BITS };

/* Numbers are below this, so that the pages of a state that was tampered with need 32 megabytes. */
#define WEFT__SLOTS_IDS (INT64_C(1) << 32)

/* Invariants: pages[id / PAGE][id % PAGE] is the slot of the id and 1, or 0 where it has none; pages of ids
 * that all have none may be NULL.  A zeroed struct with its memory set is empty. */
typedef struct weft__slots {
    weft_memory memory;
    int64_t count;
    int32_t **pages;
    int64_t page_count;
} weft__slots;

/* Leaves it empty. */
void weft__slots_free(weft__slots *slots);

/* The slot of `id`, or -1. */
static inline int64_t weft__slots_find(const weft__slots *slots, int64_t id)
{
    int64_t page = id >> WEFT__SLOTS_BITS;
    if (page >= slots->page_count || slots->pages[page] == NULL)
        return -1;
    return (int64_t)slots->pages[page][id & (WEFT__SLOTS_PAGE - 1)] - 1;
}

/* Makes room for `id` and for `more` further slots, so that giving it one cannot fail. */
weft_status weft__slots_reserve(weft__slots *slots, int64_t more, int64_t id, weft_error *error);

/* The next slot goes to an id that has none, and for which there is room. */
int64_t weft__slots_add(weft__slots *slots, int64_t id);

/* The smallest id with a slot that is at least `id`, or -1. */
int64_t weft__slots_next(const weft__slots *slots, int64_t id);

/* Slot `slot` is that of `id`: for all slots of another one, in any order, into an empty one. */
weft_status weft__slots_place(weft__slots *slots, int64_t id, int64_t slot, weft_error *error);

#endif
