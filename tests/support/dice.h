/* SPDX-License-Identifier: MIT
 * Random numbers for tests: splitmix64, independent of the library's own. */
#ifndef WEFT_TESTS_DICE_H
#define WEFT_TESTS_DICE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_bits(dice *d)
{
    uint64_t z = (d->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, 1). */
static inline double dice_uniform(dice *d)
{
    return (double)(dice_bits(d) >> 11) * 0x1p-53;
}

static inline double dice_between(dice *d, double low, double high)
{
    return low + (high - low) * dice_uniform(d);
}

/* Logarithms uniform in [log low, log high]. */
static inline double dice_log_between(dice *d, double low, double high)
{
    return exp(dice_between(d, log(low), log(high)));
}

/* In 0..count-1. */
static inline int64_t dice_below(dice *d, int64_t count)
{
    return (int64_t)(dice_bits(d) % (uint64_t)count);
}

static inline bool dice_chance(dice *d, double probability)
{
    return dice_uniform(d) < probability;
}

static inline double dice_normal(dice *d)
{
    double u = 1 - dice_uniform(d), v = dice_uniform(d);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif
