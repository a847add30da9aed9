/* SPDX-License-Identifier: MIT
 * Columns of one kernel that many want at a time, made once: for the two ids of a pair, over the ids that
 * anybody has learnt.  One thread makes them, then any number may read them side by side. */
#ifndef WEFT_SIDE_LEARNT_COLUMN_CACHE_H
#define WEFT_SIDE_LEARNT_COLUMN_CACHE_H

#include "side/side.h"

#include <stdatomic.h>

/* The column of `id` (-1: of none).  value[k] = K(k, id) and similarity[k] = u(k, id) for the first `filled`
 * of the ids learnt, NAN for other ids. */
typedef struct weft__column_cache_column {
    int64_t id, filled;
    int64_t other; /* blurred kernels: the other id of the pair, greater than `id`; -1: none */
    double across; /* K(other, id) */
    double *value, *similarity;
} weft__column_cache_column;

/* Invariants: learnt[0..learnt_count) are distinct, and is_learnt is true for them alone; scale[k] is the
 * similarity scale of learnt[k].  Nothing here is state: who reads gets what the side would have
 * answered, or nothing. */
typedef struct weft__column_cache {
    const weft_side *side;
    weft_memory memory;
    bool place[2];     /* for the owner: whether it is for the first ids of pairs, and for the second */
    bool similarities; /* are wanted */
    bool whole;        /* all ids that the side lists are wanted, learnt or not */
    int64_t size;      /* ids that there is room for */
    int64_t learnt_count;
    int64_t listed, whole_count; /* whole: the ids below `listed` are among the first so many learnt */
    int64_t *learnt;             /* size + 1 */
    bool *is_learnt;
    double *scale;
    weft__column_cache_column column[2];
    double *list; /* size + 1 */
    double *work;
    int64_t made;                        /* columns */
    atomic_int_least64_t asked, lacking; /* columns that were read, and those of them that were not there */
} weft__column_cache;

/* `cache` is uninitialised; asks for no memory yet. */
void weft__column_cache_open(weft__column_cache *cache, const weft_side *side, const weft_memory *memory);
void weft__column_cache_close(weft__column_cache *cache);

/* Makes room for all ids that the side lists now, and for those of the pair that are ids of it. */
weft_status weft__column_cache_reserve(weft__column_cache *cache, const int64_t pair[2], weft_error *error);

/* Whoever reads has learnt the id from now on; without effect where there is no room for it. */
void weft__column_cache_add_learnt(weft__column_cache *cache, int64_t id);

/* Column number `which` becomes that of `id`; of blurred kernels with the entry at `other` (-1: of none). */
void weft__column_cache_make(weft__column_cache *cache, int which, int64_t id, int64_t other);

/* As the side's `column`; false where not all of it is there, and out is then anything.  A cache may be
 * NULL: nothing is there. */
bool weft__column_cache_read(weft__column_cache *cache, int64_t id, const int64_t *ids, int64_t count,
                             double *out);

/* The same of similarities, but for that of the id with itself. */
bool weft__column_cache_read_similarity(weft__column_cache *cache, int64_t id, const int64_t *ids,
                                        int64_t count, double *out);

/* The similarities of all ids that the side lists with `id`, by id; or NULL. */
const double *weft__column_cache_similarities(weft__column_cache *cache, int64_t id);

/* K(i,j) of a blurred kernel, which is in the column of the smaller one (as `entry` has it); or false. */
bool weft__column_cache_read_entry(weft__column_cache *cache, int64_t i, int64_t j, double *entry);

#endif
