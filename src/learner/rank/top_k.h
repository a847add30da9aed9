/* SPDX-License-Identifier: MIT
 * The largest of the numbers that came so far, and the least of these: below it
 * nothing can be among them any more. */
#ifndef WEFT_LEARNER_TOP_K_H
#define WEFT_LEARNER_TOP_K_H

#include <stdint.h>

/* Invariant: at[0..count) is a heap, at[k] <= at[2k + 1], at[2k + 2]. */
typedef struct weft__top_k {
    double *at; /* room for `most`, the caller's */
    int64_t count, most;
} weft__top_k;

void weft__top_k_add(weft__top_k *least, double number);
/* The least of the `most` largest, or -infinity while there are fewer. */
double weft__top_k_least(const weft__top_k *least);

#endif
