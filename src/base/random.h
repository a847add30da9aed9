/* SPDX-License-Identifier: MIT */
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdint.h>

/* A uniform number in the open interval (0, 1): draw `t` of stream `seed`.  A
 * pure function of both (Philox 4x64, Salmon et al., SC 2011), so a resumed run
 * draws what the whole one would have drawn. */
double weft__uniform(uint64_t seed, uint64_t t);

#endif
