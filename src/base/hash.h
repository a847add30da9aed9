/* SPDX-License-Identifier: MIT
 * Hashes of numbers: the finaliser of splitmix64 (Steele, Lea and Flood, 2014). */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stdint.h>
#include <string.h>

static inline uint64_t weft__hash(uint64_t x)
{
    uint64_t z = x + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number that two vectors share if they are equal, -0 being 0, and otherwise with probability 2^-64. */
static inline uint64_t weft__hash_vector(const double *x, int64_t count)
{
    uint64_t z = 0;
    for (int64_t k = 0; k < count; k++) {
        double value = x[k] + 0.0;
        uint64_t bits = 0;
        memcpy(&bits, &value, sizeof bits);
        z = weft__hash(z ^ bits);
    }
    return z;
}

#endif
