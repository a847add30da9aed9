/* SPDX-License-Identifier: MIT
 *
 * SplitMix64: a counter that is mixed.
 * Reference: Steele, Lea and Flood, Fast splittable pseudorandom number generators,
 * OOPSLA 2014. */
#include "lab/problem/random.h"

#include "program/new.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* What makes the stream different is mixed in one after the other, so that a small
 * difference in any of it makes another start. */
lab_random lab_random_begin(uint64_t seed, const char *purpose, int64_t a, int64_t b)
{
    uint64_t state = mix(seed + UINT64_C(0x9e3779b97f4a7c15));
    for (const char *c = purpose; *c != '\0'; c++)
        state = mix(state ^ (unsigned char)*c) + UINT64_C(0x9e3779b97f4a7c15);
    state = mix(state ^ (uint64_t)a) + UINT64_C(0x9e3779b97f4a7c15);
    return (lab_random){.state = mix(state ^ (uint64_t)b)};
}

uint64_t lab_draw(lab_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(random->state);
}

/* Draws from the incomplete last round of `limit` are thrown away. */
int64_t lab_below(lab_random *random, int64_t limit)
{
    uint64_t size = (uint64_t)limit, excess = (UINT64_MAX % size + 1) % size, x;
    do
        x = lab_draw(random);
    while (x > UINT64_MAX - excess);
    return (int64_t)(x % size);
}

double lab_uniform(lab_random *random)
{
    return (double)(lab_draw(random) >> 11) * 0x1p-53;
}

double lab_between(lab_random *random, double low, double high)
{
    double x = low + (high - low) * lab_uniform(random);
    return x < low ? low : x > high ? high : x;
}

bool lab_event(lab_random *random, double probability)
{
    return lab_uniform(random) < probability;
}

int lab_sign(lab_random *random)
{
    return lab_event(random, 0.5) ? 1 : -1;
}

int64_t *lab_permutation(lab_random *random, int64_t count)
{
    int64_t *order = new_array(count, sizeof *order);
    for (int64_t k = 0; k < count; k++) {
        int64_t s = lab_below(random, k + 1);
        order[k] = order[s];
        order[s] = k;
    }
    return order;
}
