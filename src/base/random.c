/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <Random123/philox.h>

double weft__uniform_of(uint64_t bits)
{
    /* The top 53 bits, moved by half a step off both ends. */
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

double weft__uniform(uint64_t seed, uint64_t t)
{
    philox4x64_ctr_t counter = {{t, 0, 0, 0}};
    philox4x64_key_t key = {{seed, 0}};
    return weft__uniform_of(philox4x64(counter, key).v[0]);
}

void weft__random_bits(uint64_t seed, const uint64_t at[3], uint64_t bits[4])
{
    philox4x64_ctr_t counter = {{at[0], at[1], at[2], 0}};
    philox4x64_key_t key = {{seed, 1}};
    philox4x64_ctr_t drawn = philox4x64(counter, key);
    for (int k = 0; k < 4; k++)
        bits[k] = drawn.v[k];
}
