/* SPDX-License-Identifier: MIT
 * Vectors of single-precision numbers by id or trait, each number with a rate of its own (AdaGrad). */
#ifndef WEFT_RIVAL_VECTORS_H
#define WEFT_RIVAL_VECTORS_H

#include "base/bytes.h"
#include "rival/hash.h"
#include "rival/table.h"

/* A line is `width` values and as many sums of squared gradients, and is there from when its id is first
 * learnt.  Invariants: width is a multiple of 4; numbers 1 and on of a fresh line are hashes of (seed, space,
 * number of the line), the others 0. */
typedef struct weft__vectors {
    weft__table table;
    int64_t numbers, width;
    uint64_t seed;
    weft__space space;
} weft__vectors;

/* None is there. */
weft__vectors weft__vectors_of(int64_t numbers, uint64_t seed, weft__space space, const weft_memory *memory);

/* Leaves it without lines. */
void weft__vectors_free(weft__vectors *vectors);

/* Makes room for line number `line`, beside all that were asked for since a line was made, so that making
 * them cannot fail. */
weft_status weft__vectors_make_room(weft__vectors *vectors, int64_t line, weft_error *error);

/* Makes line number `line`, so that it can be learnt. */
weft_status weft__vectors_reserve(weft__vectors *vectors, int64_t line, weft_error *error);

/* What a line will begin with: as many values as it is wide. */
void weft__vectors_first(const weft__vectors *vectors, int64_t line, float *fresh);

/* The values of a line, which need not be there: then `fresh`, which has room for them, holds what it will
 * begin with. */
static inline const float *weft__vectors_values(const weft__vectors *vectors, int64_t line, float *fresh)
{
    const float *at = weft__table_line(&vectors->table, line);
    if (at != NULL)
        return at;
    weft__vectors_first(vectors, line, fresh);
    return fresh;
}

/* One of the lines that something is made of.  For learning `values` must be that of a line that is there. */
typedef struct weft__part {
    float *values;
    float weight;
} weft__part;

/* sum = weights times values, added up over the parts. */
void weft__parts_sum(const weft__part *parts, int64_t count, int64_t width, float *sum);

/* How far a step goes, and how much every value is drawn to zero in it. */
typedef struct weft__pace {
    float rate, shrink;
} weft__pace;

/* A gradient step of every part, along its weight times (gradient - shrink values). */
void weft__parts_step(const weft__part *parts, int64_t count, int64_t width, const float *gradient,
                      weft__pace pace);

/* sum_i x_i y_i over the width, in a fixed order. */
float weft__vectors_dot(int64_t width, const float *x, const float *y);

/* One line that is there; false for what is no line. */
void weft__vectors_write_line(const weft__vectors *vectors, int64_t line, weft__encoder *writer);
bool weft__vectors_read_line(weft__vectors *vectors, int64_t line, weft__decoder *reader);

/* The number of lines that are there, then in rising order the number of each, and value and squares of each
 * of its numbers as one field. */
void weft__vectors_write(const weft__vectors *vectors, weft__encoder *writer);
/* False for what that does not write, or a line from number `most` on; *status where there was no memory. */
bool weft__vectors_read(weft__vectors *vectors, int64_t most, weft__decoder *reader, weft_status *status,
                        weft_error *error);

#endif
