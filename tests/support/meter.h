/* SPDX-License-Identifier: MIT
 * An allocator hook that resizes blocks where they are, as a real one does with large ones, counts
 * bytes, and refuses what would go above a limit. */
#ifndef WEFT_TESTS_SUPPORT_METER_H
#define WEFT_TESTS_SUPPORT_METER_H

#include "weft.h"

#include <stdlib.h>

typedef struct meter {
    int64_t used, peak;
    int64_t limit; /* 0: none */
    int64_t refused;
} meter;

static inline void *meter_allocate(void *user, void *pointer, size_t old_size, size_t new_size)
{
    meter *own = user;
    int64_t used = own->used + (int64_t)new_size - (int64_t)old_size;
    if (own->limit > 0 && new_size > old_size && used > own->limit) {
        own->refused++;
        return NULL;
    }
    void *block = NULL;
    if (new_size > 0)
        block = realloc(pointer, new_size);
    else
        free(pointer);
    own->used = used;
    own->peak = used > own->peak ? used : own->peak;
    return block;
}

static inline weft_memory meter_hook(meter *own)
{
    return (weft_memory){meter_allocate, own};
}

#endif
