/* SPDX-License-Identifier: MIT
 * The coefficients of a kernel perceptron over pairs of slots: a sparse matrix, line
 * by line, every line in the order of its places. */
#ifndef WEFT_RIVAL_COEFFICIENTS_H
#define WEFT_RIVAL_COEFFICIENTS_H

#include "base/memory.h"

typedef struct weft__coefficient {
    int64_t place;
    double value;
} weft__coefficient;

/* Invariant: entries[0..count) in rising order of place. */
typedef struct weft__line {
    weft__coefficient *entries;
    int64_t count, capacity;
} weft__line;

typedef struct weft__lines {
    weft_memory memory;
    weft__line *lines;
    int64_t capacity; /* lines that there is room for */
    int64_t entries;  /* of all lines */
} weft__lines;

/* A zeroed struct with its memory set is the matrix 0, and so is what is left of one that was freed. */
void weft__lines_free(weft__lines *lines);

/* Makes room for the first `count` lines, and for one more entry in `line`. */
weft_status weft__lines_reserve(weft__lines *lines, int64_t count, int64_t line, weft_error *error);

/* S(line, place) += value; there is room. */
void weft__lines_add(weft__lines *lines, int64_t line, int64_t place, double value);

/* S(line, place) = value; there is room. */
void weft__lines_set(weft__lines *lines, int64_t line, int64_t place, double value);
/* S(line, place), or NULL; and the first entry whose place is at least `place`. */
const weft__coefficient *weft__line_at(const weft__line *line, int64_t place);
int64_t weft__line_from(const weft__line *line, int64_t place);

/* sum of S(line, place) x[place]. */
double weft__line_dot(const weft__line *line, const double *x);

#endif
