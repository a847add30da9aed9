/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <Random123/philox.h>

double weft__uniform(uint64_t seed, uint64_t t)
{
    philox4x64_ctr_t counter = {{t, 0, 0, 0}};
    philox4x64_key_t key = {{seed, 0}};
    uint64_t bits = philox4x64(counter, key).v[0];
    /* The top 53 bits, moved by half a step off both ends. */
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}
