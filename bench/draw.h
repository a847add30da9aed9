/* SPDX-License-Identifier: MIT
 * Random numbers of the benchmarks, and how much memory one takes. */
#ifndef WEFT_BENCH_DRAW_H
#define WEFT_BENCH_DRAW_H

#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static inline uint64_t next_random(uint64_t *state)
{
    /* splitmix64 */
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number of 0..limit-1. */
static inline int64_t below(uint64_t *state, int64_t limit)
{
    return (int64_t)(next_random(state) % (uint64_t)limit);
}

/* The most memory that was in use so far. */
static inline double resident_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* What is in use now, 0 where the system does not tell. */
static inline double resident_megabytes_now(void)
{
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lld", &pages) != 1)
        pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

#endif
