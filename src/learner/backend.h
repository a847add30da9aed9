/* SPDX-License-Identifier: MIT
 * Where the quadratic forms of a learner live, as the protocol sees it: C and K on
 * coordinates, and pairs of ids as vectors over them.  space.h has a coordinate for every touched
 * id and keeps the evidence; compact.h has the coordinates of feature maps and keeps C itself. */
#ifndef WEFT_LEARNER_BACKEND_H
#define WEFT_LEARNER_BACKEND_H

#include "learner/bound.h"

typedef struct weft__backend weft__backend;

/* A label that is about to change C by sum_v coefficient[v] e_v e_v'. */
typedef struct weft__telling {
    const int64_t *pair;
    int label;
    int vectors;
    const double *coefficient;
    const weft__start *start; /* the vectors, from `embed` */
} weft__telling;

typedef struct weft__backend_ops {
    /* Error unless the ids, which are in range, can be embedded at all. */
    weft_status (*check)(const weft__backend *backend, const int64_t pair[2], weft_error *error);
    /* Error unless the kernel answers properly for ids that are about to be learnt: a callback is
     * looked at as it is met. */
    weft_status (*check_new)(const weft__backend *backend, const int64_t pair[2], weft_error *error);
    /* Makes room for what `tell` may need.  *moved tells that n has changed. */
    weft_status (*reserve)(weft__backend *backend, const int64_t pair[2], bool *moved, weft_error *error);
    /* K_ii and K_jj. */
    void (*squares)(weft__backend *backend, const int64_t pair[2], double square[2]);
    /* e = value[0] e_row + value[1] e_column.  `image` (n elements) is overwritten
     * and kept by the start. */
    weft__start (*embed)(weft__backend *backend, const int64_t pair[2], const double value[2], double *image);
    /* By how many dimensions the trace will grow when the pair is learnt; NULL: by none. */
    int64_t (*count_new)(const weft__backend *backend, const int64_t pair[2]);
    /* Learns a label, after a reserve. */
    void (*tell)(weft__backend *backend, const weft__telling *telling);
    /* Makes the bound sharper after update number `updates`, now and then, where that is cheap. */
    void (*tighten)(weft__backend *backend, int64_t updates, weft__spectral_bound *bound);
    /* C becomes `factor` C, 0 < factor < 1; NULL: evidence does not fade. */
    void (*shrink)(weft__backend *backend, double factor);
    /* A bound of C as it is, whatever its history.  `raising` is the form's, work has 3 n elements,
     * *products counts those by C. */
    weft__spectral_bound (*bound)(weft__backend *backend, int raising, double *work, int64_t *products);
    void (*release)(weft__backend *backend);
} weft__backend_ops;

/* Every backend begins with this one. */
struct weft__backend {
    const weft__backend_ops *ops;
    weft_memory memory;
    weft__operators operators;
    int64_t dimensions; /* that the trace of exp(A) is taken over */
};

#endif
