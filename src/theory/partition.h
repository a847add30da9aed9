/* SPDX-License-Identifier: MIT
 * The partition matrix R of given classes, and quadratic forms in it. */
#ifndef WEFT_THEORY_PARTITION_H
#define WEFT_THEORY_PARTITION_H

#include "side/side.h"
#include "weft_theory.h"

/* The ids that have a class, classes numbered 0..classes-1 in the order of
 * their numbers.  R is count x classes: R_ir = [class_of[i] = r]. */
typedef struct weft__partition {
    weft_memory memory;
    int64_t count;
    int64_t classes;
    int64_t *ids;      /* count, rising */
    int64_t *class_of; /* count */
    int64_t *sizes;    /* classes */
} weft__partition;

/* Takes the ids i < count with class_of[i] >= 0; none at all is an error. */
weft_status weft__partition_build(int64_t count, const int64_t *class_of, const weft_memory *memory,
                                  weft__partition *partition, weft_error *error);
/* Takes a zeroed struct too. */
void weft__partition_clear(weft__partition *partition);

/* A = R'MR, M = K^+ of the kernel over the partition's ids, multiplied by the
 * side's radius R_M.  All infinite where R is not in the range of K. */
typedef struct weft__quadratic {
    double trace;    /* tr A */
    double absolute; /* sum_rs |A_rs| */
    double total;    /* 1'A1 = R_M 1'M1; only from the dense one */
    double centred;  /* R_M sum_r min_c (R_r + c1)'M(R_r + c1); only from the dense one */
} weft__quadratic;

/* The kernel of `side`.  `modulo` asks only for the differences R_i - R_j, which
 * is what one set of ids needs: then R + 1c' may stand for R where 1 is not in
 * the range. */
typedef struct weft__norm {
    const weft_side *side;
    bool modulo;
} weft__norm;

/* Kernels with structure, O(count) and O(count * groups): kind none (diagonal)
 * and kind classes.  Any other kind goes through the dense one. */
weft_status weft__quadratic_diagonal(const weft__norm *metric, const weft__partition *partition,
                                     weft__quadratic *quadratic, weft_error *error);
weft_status weft__quadratic_groups(const weft__norm *metric, const weft__partition *partition,
                                   weft__quadratic *quadratic, weft_error *error);
weft_status weft__quadratic_dense(const weft__norm *metric, const weft__partition *partition,
                                  weft__quadratic *quadratic, weft_error *error);

/* The one of the three that fits the side's kind. */
weft_status weft__quadratic_measure(const weft__norm *metric, const weft__partition *partition,
                                    weft__quadratic *quadratic, weft_error *error);

#endif
