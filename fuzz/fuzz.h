/* SPDX-License-Identifier: MIT
 * What the fuzz targets have in common: what must hold, files in memory, sides, checksums that fit. */
#ifndef WEFT_FUZZ_FUZZ_H
#define WEFT_FUZZ_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif

#include "weft_advanced.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool held)
{
    if (!held)
        __builtin_trap();
}

/* A file without a name that is kept for all inputs, and whose path can be opened. */
typedef struct fuzz_file {
    int descriptor; /* 0: it is not there yet */
    char path[64];
} fuzz_file;

static inline void put(fuzz_file *file, const void *bytes, size_t size)
{
    if (file->descriptor == 0) {
        file->descriptor = memfd_create("fuzz", 0);
        require(file->descriptor > 0);
        snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->descriptor);
    }
    require(ftruncate(file->descriptor, 0) == 0 && pwrite(file->descriptor, bytes, size, 0) == (ssize_t)size);
}

static inline void put_number(unsigned char *at, uint64_t value)
{
    for (int k = 0; k < 8; k++)
        at[k] = (unsigned char)(value >> (8 * k));
}

/* Symmetric, finite, within its radius. */
static inline void check_side(const weft_side *side)
{
    double radius = weft_side_radius(side);
    require(isfinite(radius) && radius > 0);
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        require(weft_side_entry(side, i, i) <= radius && weft_side_entry(side, i, i) >= 0);
        for (int64_t j = 0; j < i; j++) {
            double entry = weft_side_entry(side, i, j);
            require(isfinite(entry) && entry == weft_side_entry(side, j, i));
        }
    }
}

#endif
