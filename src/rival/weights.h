/* SPDX-License-Identifier: MIT
 * Weights of a linear model, each with a rate of its own (AdaGrad), in pages that
 * are made when one of their weights is first learnt. */
#ifndef WEFT_RIVAL_WEIGHTS_H
#define WEFT_RIVAL_WEIGHTS_H

#include "base/bytes.h"
#include "base/memory.h"

typedef struct weft__weight {
    double value;
    double squares; /* sum of the squared gradients; 0: never learnt */
} weft__weight;

/* One feature of what is predicted. */
typedef struct weft__feature {
    int64_t index;
    double value;
} weft__feature;

enum { WEFT__PAGE_BITS = 8, WEFT__PAGE = 1 << WEFT__PAGE_BITS };

/* A stretch of weights, or NULL: all zero; and a bit for every one that was learnt. */
typedef struct weft__page {
    weft__weight *weights;
    uint64_t learnt[WEFT__PAGE / 64];
} weft__page;

/* pages[k] has the weights k * 2^PAGE_BITS and on.  Bits and their number are there so that writing need not
 * look at all weights of a large table, of which few were learnt. */
typedef struct weft__weights {
    weft_memory memory;
    double first_squares; /* what a weight's sum of squared gradients counts as before the first */
    weft__page *pages;
    int64_t page_count;
    int64_t learnt_count;
} weft__weights;

/* theta += rate d / sqrt(first squares + sum of d^2, this one included). */
void weft__weight_step(weft__weight *weight, double d, double rate, double first_squares);

/* Whether a run can have left it so: numbers read from elsewhere must not be such that
 * a score overflows. */
bool weft__weight_sound(const weft__weight *weight);

/* A zeroed struct with its memory set is an empty table, and so is what is left of one that was freed. */
void weft__weights_free(weft__weights *weights);

/* sum of weight times value, in their order; and more of them added to a sum. */
double weft__weights_dot(const weft__weights *weights, const weft__feature *features, int64_t count);
double weft__weights_dot_more(const weft__weights *weights, const weft__feature *features, int64_t count,
                              double sum);

/* Makes room for these, so that learning them cannot fail. */
weft_status weft__weights_reserve(weft__weights *weights, const weft__feature *features, int64_t count,
                                  weft_error *error);

/* One step for every feature, in their order, along g times its value. */
void weft__weights_learn(weft__weights *weights, const weft__feature *features, int64_t count, double g,
                         double rate);

/* The learnt weight of the smallest index that is at least *index, which becomes that
 * index; NULL where there is none. */
const weft__weight *weft__weights_next(const weft__weights *weights, int64_t *index);

/* Puts a weight there. */
weft_status weft__weights_put(weft__weights *weights, int64_t index, const weft__weight *weight,
                              weft_error *error);

/* Puts index, value, squares of a weight, if it was learnt; and of those from *index on until there are about
 * so many bytes: false: there are no more.  And reads until there is nothing left. */
void weft__weights_put_one(const weft__weights *weights, int64_t index, weft__encoder *writer);
bool weft__weights_put_some(const weft__weights *weights, int64_t *index, size_t bytes,
                            weft__encoder *writer);
weft_status weft__weights_take(weft__weights *weights, weft__decoder *reader, weft_error *error);

/* Every weight that was learnt: their number, then index, value, squares by index. */
void weft__weights_write(const weft__weights *weights, weft__encoder *writer);
/* WEFT_MODEL for what that does not write, or an index of `limit` or more. */
weft_status weft__weights_read(weft__weights *weights, int64_t limit, weft__decoder *reader,
                               weft_error *error);

#endif
