/* SPDX-License-Identifier: MIT
 * The ids of one side that a perceptron has learnt, in the order in which it did:
 * slot 0, 1, ... */
#ifndef WEFT_RIVAL_TOUCHED_H
#define WEFT_RIVAL_TOUCHED_H

#include "rival/slots.h"
#include "side/learnt/column_cache.h"

/* Invariants: ids[s] is the id of slot s of `slots`, and scale[s] its similarity scale; count is
 * slots.count. */
typedef struct weft__touched {
    const weft_side *side;
    weft_memory memory;
    weft__slots slots;
    int64_t count, capacity;
    int64_t *ids;
    double *scale;
    double *sum; /* of the coefficients of the slot */
    double *work;
    int64_t work_size;
    weft__column_cache *cache; /* where similarities may be found; borrowed, may be NULL */
} weft__touched;

/* A zeroed struct with its side and both memories set is empty; and so is what is left of one that was freed,
 * over the same side and cache. */
void weft__touched_free(weft__touched *touched);

/* The slot of `id`, or -1. */
int64_t weft__touched_slot(const weft__touched *touched, int64_t id);

/* Makes room for `more` further slots and for the number `id`, so that touching
 * cannot fail. */
weft_status weft__touched_reserve(weft__touched *touched, int64_t more, int64_t id, weft_error *error);

/* The slot of `id`, which becomes touched. */
int64_t weft__touched_touch(weft__touched *touched, int64_t id);

/* Slot s becomes that of ids[s], for all of them. */
weft_status weft__touched_renumber(weft__touched *touched, const int64_t *ids, weft_error *error);

/* u[s] = similarity of `id` with ids[s], for all slots. */
void weft__touched_similarity(const weft__touched *touched, int64_t id, double *u);

#endif
