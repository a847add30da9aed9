/* SPDX-License-Identifier: MIT
 * Draws that are the same everywhere: whole numbers and exact fractions of them, no
 * function of the C library. */
#ifndef WEFT_LAB_PROBLEM_RANDOM_H
#define WEFT_LAB_PROBLEM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lab_random {
    uint64_t state;
} lab_random;

/* A stream of its own for every (seed, purpose, a, b): what one part of a problem draws
 * does not move another part. */
lab_random lab_random_begin(uint64_t seed, const char *purpose, int64_t a, int64_t b);

uint64_t lab_draw(lab_random *random);
/* 0 <= x < limit, each alike; limit >= 1. */
int64_t lab_below(lab_random *random, int64_t limit);
/* 0 <= x < 1, a multiple of 2^-53. */
double lab_uniform(lab_random *random);
/* low <= x <= high */
double lab_between(lab_random *random, double low, double high);
bool lab_event(lab_random *random, double probability);
/* -1 or +1 */
int lab_sign(lab_random *random);
/* 0, ..., count - 1 in random order, to be freed. */
int64_t *lab_permutation(lab_random *random, int64_t count);

#endif
