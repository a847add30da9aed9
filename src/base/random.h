/* SPDX-License-Identifier: MIT */
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdint.h>

/* A uniform number in the open interval (0, 1): draw `t` of stream `seed`.  A
 * pure function of both (Philox 4x64, Salmon et al., SC 2011), so a resumed run
 * draws what the whole one would have drawn. */
double weft__uniform(uint64_t seed, uint64_t t);

/* 256 random bits, number `at` (three numbers) of stream `seed`; none are those of weft__uniform. */
void weft__random_bits(uint64_t seed, const uint64_t at[3], uint64_t bits[4]);

/* The uniform number in (0, 1) that 64 bits stand for. */
double weft__uniform_of(uint64_t bits);

#endif
