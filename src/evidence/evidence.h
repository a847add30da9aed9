/* SPDX-License-Identifier: MIT
 * What was told: a signed count G(a,b) for every pair that was ever updated.
 *
 * Places a (rows) and b (columns) are slots, dense integers in the order of
 * first use.  Where rows and columns are one set of ids the places are of one
 * range and a pair is stored once, smaller slot first. */
#ifndef WEFT_EVIDENCE_EVIDENCE_H
#define WEFT_EVIDENCE_EVIDENCE_H

#include "base/thread_pool.h"
#include "evidence/arrangement.h"

/* From so many settled pairs on a product is made of WEFT__PARTS parts, whoever does them: below a
 * millisecond there is nothing to share out. */
enum { WEFT__MANY_PAIRS = 1 << 20 };

/* Invariants: cells[0..count) are distinct pairs in order of first update,
 * zero counts included; `table` is an open-addressing index of them (UINT32_MAX is
 * empty, at most half full); degree[side][a] = sum_b G(a,b) and
 * square[side][a] = sum_b G(a,b)^2, where for one set both sides are side 0.
 * In the dense mode block[a * stride + b] = G(a,b) and 0 elsewhere; otherwise
 * the first pairs of a long list are arranged for products.  There are at most
 * 2^31 - 1 places a side and 2^32 - 2 pairs. */
typedef struct weft__evidence {
    weft_memory memory;
    bool one_set;
    int64_t count, capacity;
    weft__cell *cells;
    uint32_t *table;
    int64_t table_size; /* a power of two */
    int64_t places[2], place_capacity[2];
    double *degree[2], *square[2];
    int64_t largest; /* the largest |G| there ever was */
    bool dense;      /* history decides: both belong to a saved state */
    float *block;
    int64_t block_rows, stride;
    weft__arrangement arrangement;
    float *x_single, *y_single;
    double *y_double, *partial;
    int64_t work_count, partial_count;
    weft__thread_pool *pool; /* borrowed; NULL: this thread alone */
} weft__evidence;

/* `evidence` is uninitialised; nothing is allocated yet. */
void weft__evidence_create(weft__evidence *evidence, bool one_set, const weft_memory *memory);
void weft__evidence_free(weft__evidence *evidence);

/* Makes room for one further pair over `rows` and `columns` places (one set:
 * `rows` alone), so that adding it cannot fail. */
weft_status weft__evidence_reserve(weft__evidence *evidence, int64_t rows, int64_t columns,
                                   weft_error *error);

/* G(a,b) += count.  For one set the order of a and b is immaterial and a = b,
 * which embeds as zero, is nothing. */
void weft__evidence_add(weft__evidence *evidence, int64_t a, int64_t b, int64_t count);

/* G(a,b), 0 for a pair never updated. */
int64_t weft__evidence_at(const weft__evidence *evidence, int64_t a, int64_t b);

/* The number of the cell of (a,b), -1 for a pair never updated. */
int64_t weft__evidence_find(const weft__evidence *evidence, int64_t a, int64_t b);

/* Restores `largest` and `dense` as saved, after the cells were added. */
weft_status weft__evidence_restore(weft__evidence *evidence, int64_t largest, bool dense, weft_error *error);

/* The exponent that the counts stand for:
 *
 *     C = eta ( G off the diagonal + diagonal * degrees on it )
 *
 * with diagonal +1 for e_i + e_j, -1 for e_i - e_j, 0 for the cross term.  Rows
 * start at element 0 of a vector, columns at element `offset` (one set: 0). */
typedef struct weft__exponent {
    double eta, diagonal;
    int64_t offset, n;
} weft__exponent;

/* y = C x; x and y have exponent.n elements. */
void weft__evidence_multiply(weft__evidence *evidence, const weft__exponent *exponent, bool single,
                             const double *x, double *y);

/* y = |C+| x, entry by entry, where C+ >= C keeps the counts of one sign only
 * (+1 or -1; 0: both) and diagonal stands for its magnitude. */
void weft__evidence_multiply_absolute(const weft__evidence *evidence, const weft__exponent *exponent,
                                      int sign, const double *x, double *y);

#endif
