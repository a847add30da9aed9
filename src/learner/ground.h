/* SPDX-License-Identifier: MIT
 * Where the quadratic forms of a learner live, as the protocol sees it: C and K on
 * coordinates, and pairs of ids as vectors over them.  space.h has a coordinate for every touched
 * id and keeps the evidence; compact.h has the coordinates of feature maps and keeps C itself. */
#ifndef WEFT_LEARNER_GROUND_H
#define WEFT_LEARNER_GROUND_H

#include "learner/bound.h"

typedef struct weft__ground weft__ground;

/* A label that is about to change C by sum_v coefficient[v] e_v e_v'. */
typedef struct weft__telling {
    const int64_t *pair;
    int label;
    int vectors;
    const double *coefficient;
    const weft__start *start; /* the vectors, from `embed` */
} weft__telling;

typedef struct weft__ground_kind {
    /* Error unless the ids, which are in range, can be embedded at all. */
    weft_status (*check)(const weft__ground *ground, const int64_t pair[2], weft_error *error);
    /* Error unless the kernel answers properly for ids that are about to be learnt: a callback is
     * looked at as it is met. */
    weft_status (*check_new)(const weft__ground *ground, const int64_t pair[2], weft_error *error);
    /* Makes room for what `tell` may need.  *moved tells that n has changed. */
    weft_status (*reserve)(weft__ground *ground, const int64_t pair[2], bool *moved, weft_error *error);
    /* K_ii and K_jj. */
    void (*squares)(weft__ground *ground, const int64_t pair[2], double square[2]);
    /* e = value[0] e_row + value[1] e_column.  `image` (n elements) is overwritten
     * and kept by the start. */
    weft__start (*embed)(weft__ground *ground, const int64_t pair[2], const double value[2], double *image);
    /* Learns a label, after a reserve. */
    void (*tell)(weft__ground *ground, const weft__telling *telling);
    /* Makes the bound sharper after update number `updates`, now and then, where that is cheap. */
    void (*tighten)(weft__ground *ground, int64_t updates, weft__bound *bound);
    /* A bound of C as it is, whatever its history.  `raising` is the form's, work has 3 n elements,
     * *products counts those by C. */
    weft__bound (*bound)(weft__ground *ground, int raising, double *work, int64_t *products);
    void (*release)(weft__ground *ground);
} weft__ground_kind;

/* Every ground begins with this one. */
struct weft__ground {
    const weft__ground_kind *kind;
    weft_memory memory;
    weft__operators operators;
    int64_t dimensions; /* that the trace of exp(A) is taken over */
};

#endif
