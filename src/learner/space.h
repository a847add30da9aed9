/* SPDX-License-Identifier: MIT
 * Where the quadratic forms live: the touched rows and columns, the kernels over
 * them and the evidence, as the two operators that src/spectral sees.
 *
 *     | rows touched | room | columns touched | room |
 *     0                     offset                   n
 *
 * One set of ids has the first half only. */
#ifndef WEFT_LEARNER_SPACE_H
#define WEFT_LEARNER_SPACE_H

#include "evidence/evidence.h"
#include "learner/backend.h"
#include "side/learnt/working_set.h"

/* Invariants: view[1] is unused for one set; places of the evidence are slots
 * of the views; backend.operators.n = exponent.n; weight and diagonal are as
 * spectral/engine.h asks. */
typedef struct weft__space {
    weft__backend backend;
    bool one_set;
    weft__working_set view[2];
    weft__evidence evidence;
    weft__exponent exponent;
    weft__thread_pool *pool; /* owned; NULL: one thread */
    double *weight, *diagonal, *work;
    int64_t capacity; /* elements of these three */
    bool unbounded;   /* backend.dimensions follows the touched ids */
} weft__space;

/* What a space is made from.  `diagonal` is the exponent's: +1, -1 or 0. */
typedef struct weft__space_plan {
    const weft_side *rows, *columns; /* columns NULL: one set of ids */
    double eta, diagonal;
    int64_t dimensions; /* m + n; 0: there is no end of ids, and the trace is taken over the touched ones and
                         * one more, which stands for those that nobody has touched: A is 0 there */
    bool mixed;
    /* One set: the constant part of the kernel, which cancels, is kept.  Without
     * it rounding is smaller, but a graph with ids that are alone is no longer
     * semidefinite, and the reference engine takes a root. */
    bool keep_constant;
} weft__space_plan;

weft_status weft__space_create(const weft__space_plan *plan, const weft_memory *memory, weft__space **space,
                               weft_error *error);
void weft__space_free(weft__space *space); /* takes NULL */

/* Large products are shared out among `threads`, which changes no bit of them; 0 or 1: one. */
weft_status weft__space_staff(weft__space *space, int threads, weft_error *error);

/* Makes room for the pair, -1 being no id.  *moved tells that n has changed. */
weft_status weft__space_reserve(weft__space *space, int64_t row, int64_t column, bool *moved,
                                weft_error *error);

/* G(row, column) += count, after a reserve; both become touched, the row first.
 * So the order of the cells tells the order of the slots.  For one set
 * row = column embeds as zero and is nothing. */
void weft__space_add(weft__space *space, int64_t row, int64_t column, int64_t count);

/* Both become touched without evidence, after a reserve; -1 is no id. */
void weft__space_touch(weft__space *space, int64_t row, int64_t column);

/* The view that columns are in. */
weft__working_set *weft__space_columns(weft__space *space);

/* weft__backend_ops's. */
weft__start weft__space_embed(weft__space *space, const int64_t pair[2], const double value[2],
                              double *image);
/* e'Ke of that e; for one set value is (1, -1). */
double weft__space_square(weft__space *space, const int64_t pair[2], const double value[2]);

/* From the evidence alone: rigorous, and within what Perron-Frobenius allows of sharp. */
weft__spectral_bound weft__space_bound(weft__space *space, int raising, double *work, int64_t *products);

#endif
