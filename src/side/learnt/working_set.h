/* SPDX-License-Identifier: MIT
 * The kernel restricted to the ids that carry evidence ("touched"), in the
 * order in which they were touched: slot 0, 1, ...  Ids nobody has touched cost
 * nothing.  A kernel with structure is multiplied through it; for the others
 * the Gram matrix of the touched ids is kept and grown one id at a time.  (A side that
 * has a blur has structure.) */
#ifndef WEFT_SIDE_LEARNT_WORKING_SET_H
#define WEFT_SIDE_LEARNT_WORKING_SET_H

#include "base/thread_pool.h"
#include "side/learnt/column_cache.h"

/* K = K' + added 11', where K' = scale (K_side - constant 11') and constant is
 * that of the side (R_L for a PDLaplacian, else 0).  The constant part of such a
 * kernel is as large as the rest: apart from the rest it costs one sum and does
 * not drown it in rounding.
 *
 * Invariants: ids[0..count) are distinct; slot_of[ids[s]] = s and -1 for all
 * other ids below `known`; capacity is a multiple of 16; diagonal[s] =
 * K'(ids[s], ids[s]) and root[s] its square root.  Where the kind has no product,
 * full[s * capacity + t] = K'(ids[s], ids[t]) for s, t < count and 0 elsewhere,
 * and single (mixed precision only) the same divided by root[s] root[t]: its
 * entries are in [-1, 1] however the kernel is scaled.  (A graph with an id that
 * is alone is the exception: K' is then semidefinite only on the vectors that sum
 * to zero.) */
typedef struct weft__working_set {
    const weft_side *side;
    weft_memory memory;
    double scale, constant, added;
    bool mixed;
    int64_t count, capacity;
    int64_t known, known_capacity, work_size;
    int64_t *ids, *slot_of;
    double *root, *diagonal;
    double *full;
    float *single;
    double *work;
    float *x_single, *y_single;
    double *partial; /* room of weft__strips_room(capacity), in either precision */
    /* Bytes that the owner will ask for after the view has grown: for a new slot, and for every slot. */
    int64_t new_slot_bytes, slot_bytes;
    weft__thread_pool *pool;   /* for large products; borrowed, NULL: this thread alone */
    weft__column_cache *cache; /* where columns may be found; borrowed, may be NULL */
} weft__working_set;

/* `view` is uninitialised; after success weft__working_set_free releases it. */
weft_status weft__working_set_create(weft__working_set *view, const weft_side *side, bool mixed,
                                     const weft_memory *memory, weft_error *error);
void weft__working_set_free(weft__working_set *view);

/* Makes room for `more` further slots, for every id that the side lists now and for those up to `last` (-1:
 * none beyond), so that as many calls of weft__working_set_touch cannot fail.  WEFT_MEMORY where the Gram
 * matrix of so many would be above the budget of the side. */
weft_status weft__working_set_reserve(weft__working_set *view, int64_t more, int64_t last, weft_error *error);

/* The slot of `id`, or -1. */
int64_t weft__working_set_slot(const weft__working_set *view, int64_t id);

/* The slot of `id`, which becomes touched. */
int64_t weft__working_set_touch(weft__working_set *view, int64_t id);

/* K(id, id) and K(i, j), touched or not. */
double weft__working_set_diagonal(const weft__working_set *view, int64_t id);
double weft__working_set_entry(const weft__working_set *view, int64_t i, int64_t j);

/* out[s] += a K(ids[s], id) for all slots; work has capacity elements. */
void weft__working_set_add_column(const weft__working_set *view, double a, int64_t id, double *work,
                                  double *out);

/* y = K x over the slots, in single precision where asked and kept.  Returns how
 * much rounding there was to do: x'K'x, and what products by solving or by vectors add to it. */
double weft__working_set_multiply(weft__working_set *view, bool single, const double *x, double *y);

/* y >= |K| x for x >= 0, entry by entry, in double. */
void weft__working_set_multiply_absolute(weft__working_set *view, const double *x, double *y);

#endif
