/* SPDX-License-Identifier: MIT
 * Numbers from hashes: names for features and the first factors. */
#ifndef WEFT_RIVAL_HASH_H
#define WEFT_RIVAL_HASH_H

#include "base/hash.h"

/* What a number is the number of.  One set of ids: the columns are rows. */
typedef enum weft__space {
    WEFT__SPACE_CONSTANT,
    WEFT__SPACE_ROW,
    WEFT__SPACE_ROW_TRAIT,
    WEFT__SPACE_COLUMN,
    WEFT__SPACE_COLUMN_TRAIT,
    WEFT__SPACE_ROW_FACTOR,
    WEFT__SPACE_COLUMN_FACTOR,
    WEFT__SPACE_ROW_TRAIT_FACTOR,
    WEFT__SPACE_COLUMN_TRAIT_FACTOR,
    WEFT__SPACE_REPLAY,
    WEFT__SPACE_CONTEXT,
    WEFT__SPACE_CONTEXT_FACTOR
} weft__space;

static inline uint64_t weft__hash_key(uint64_t seed, weft__space space, int64_t number)
{
    return weft__hash(weft__hash(weft__hash(seed) ^ (uint64_t)space) ^ (uint64_t)number);
}

/* The same for (a, b) and (b, a). */
static inline uint64_t weft__hash_pair(uint64_t a, uint64_t b)
{
    return weft__hash(a + b);
}

#endif
