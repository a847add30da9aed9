/* SPDX-License-Identifier: MIT
 * The largest of the numbers that came so far, and the least of these: below it
 * nothing can be among them any more. */
#ifndef WEFT_LEARNER_LEAST_H
#define WEFT_LEARNER_LEAST_H

#include <stdint.h>

/* Invariant: at[0..count) is a heap, at[k] <= at[2k + 1], at[2k + 2]. */
typedef struct weft__least {
    double *at; /* room for `most`, the caller's */
    int64_t count, most;
} weft__least;

void weft__least_add(weft__least *least, double number);
/* The least of the `most` largest, or -infinity while there are fewer. */
double weft__least_of(const weft__least *least);

#endif
