/* SPDX-License-Identifier: MIT
 * The pairs of a long list in an order that a cache likes.
 *
 * In their order of first update the pairs meet rows and columns at random, and past the
 * second-level cache a product then takes ten to twenty times as long a pair.  So the first
 * `settled` of them are kept once more, by block of columns and, within it, by group of rows, each
 * group in the order of the list:
 *
 *               columns  | block 0 | block 1 | ...
 *     rows   group 0     |    0    |  groups |
 *            group 1     |    1    |   ...   |      the number of a bucket
 *            ...         |   ...   |         |
 *
 * Everything here follows from the pairs, their order and their number, so that a resumed run adds in
 * the same order as the one it continues.  Later pairs are not here until enough of them have
 * come; arranging all anew then costs a constant a pair. */
#ifndef WEFT_EVIDENCE_ARRANGEMENT_H
#define WEFT_EVIDENCE_ARRANGEMENT_H

#include "base/memory.h"

typedef struct weft__cell {
    int32_t a, b;
    int64_t count;
} weft__cell;

/* A pair within its block of columns and tile of rows, as (row << 18) + column. */
typedef struct weft__placed {
    uint32_t at;
    float count;
} weft__placed;

enum {
    /* Integers up to here are exact in single precision. */
    WEFT__EXACT_COUNT = 1 << 24,
    WEFT__COLUMN_BITS = 18, /* columns of a block at most */
    WEFT__ROW_BITS = 14,    /* rows of a tile: its groups share a base */
    WEFT__PARTS = 4         /* that a product may be divided into */
};

/* Invariants: the pair k < settled of the list is placed[place[k]]; bucket t ends at end[t] and starts
 * where the one before ends; bucket = block * groups + group.  Part i are the blocks from cut[i]
 * to cut[i + 1], about a quarter of the pairs. */
typedef struct weft__arrangement {
    int64_t capacity, settled;
    int64_t blocks, groups;
    int block_bits, group_bits;
    weft__placed *placed;
    uint32_t *place, *end;
    int64_t cut[WEFT__PARTS + 1];
} weft__arrangement;

/* How many of `count` pairs are to be settled; 0 for a short list. */
int64_t weft__arrangement_due(int64_t count);

/* Room for as many pairs, where that many can be due at all. */
weft_status weft__arrangement_reserve(weft__arrangement *arrangement, const weft_memory *memory,
                                      int64_t capacity, weft_error *error);
void weft__arrangement_free(weft__arrangement *arrangement, const weft_memory *memory);

/* Settles the first `count` cells, for which there is room; counts below WEFT__EXACT_COUNT in magnitude. */
void weft__arrangement_settle(weft__arrangement *arrangement, const weft__cell *cells, int64_t count);

/* The count of cell k has changed. */
static inline void weft__arrangement_change(weft__arrangement *arrangement, int64_t k, int64_t count)
{
    if (k < arrangement->settled)
        arrangement->placed[arrangement->place[k]].count = (float)count;
}

/* y += G x_columns and v += G'x for the settled pairs of the blocks first..last-1, where column b has x
 * at z[2b] and v at z[2b + 1]. */
void weft__arrangement_couple(const weft__arrangement *arrangement, const int64_t blocks[2], const double *x,
                              double *y, double *z);

#endif
