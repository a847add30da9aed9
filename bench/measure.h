/* SPDX-License-Identifier: MIT
 * What the benchmarks measure with: two clocks, medians, the bandwidth of a copy
 * and the time of a bare eigendecomposition.
 *
 * Times are processor time of this process unless they are called wall: other
 * programs on the machine then disturb through the caches alone.  A figure is the
 * median of its repetitions. */
#ifndef WEFT_BENCH_MEASURE_H
#define WEFT_BENCH_MEASURE_H

#include "weft.h"

#include <lapacke.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ends the program with the facts of a failure; a benchmark has nobody to tell. */
static inline void require(weft_status status, const weft_error *error)
{
    if (status == WEFT_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", weft_status_name(status), error->message);
    exit(weft_status_exit(status));
}

/* count * size bytes of zeros, or the end of the program. */
static inline void *allocate(int64_t count, size_t size)
{
    void *block = calloc((size_t)count, size);
    if (block == NULL && count > 0) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return block;
}

/* Whether the only option that a benchmark has was given; another one ends the program with its usage. */
static inline bool read_flag(int count, char **words, const char *name, const char *flag)
{
    bool given = count == 2 && strcmp(words[1], flag) == 0;
    if (count > 1 && !given) {
        fprintf(stderr, "usage: bench-%s [%s]\n", name, flag);
        exit(2);
    }
    return given;
}

static inline double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double processor_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double wall_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* Repeated measurements of one thing. */
typedef struct sample {
    int64_t count, capacity;
    double *seconds;
} sample;

static inline void record(sample *s, double seconds)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        double *grown = allocate(s->capacity, sizeof *grown);
        if (s->count > 0)
            memcpy(grown, s->seconds, (size_t)s->count * sizeof *grown);
        free(s->seconds);
        s->seconds = grown;
    }
    s->seconds[s->count++] = seconds;
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, 0 of nothing.  Sorts the sample. */
static inline double median(sample *s)
{
    if (s->count == 0)
        return 0;
    qsort(s->seconds, (size_t)s->count, sizeof *s->seconds, compare_doubles);
    return s->seconds[s->count / 2] / 2 + s->seconds[(s->count - 1) / 2] / 2;
}

/* Bytes a second of memcpy between two buffers of `bytes`, what is read and what
 * is written both counted, as STREAM does (McCalpin, 1995). */
static inline double copy_bandwidth(size_t bytes)
{
    enum { REPETITIONS = 11 };
    size_t volume = (size_t)1 << 27, passes = bytes < volume ? volume / bytes : 1;
    unsigned char *from = allocate((int64_t)bytes, 1), *to = allocate((int64_t)bytes, 1);
    sample times = {0};
    memset(from, 1, bytes);
    memcpy(to, from, bytes);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        double start = processor_seconds();
        for (size_t pass = 0; pass < passes; pass++) {
            memcpy(to, from, bytes);
            from[pass % bytes] ^= to[bytes - 1 - pass % bytes]; /* so that no pass is in vain */
        }
        record(&times, processor_seconds() - start);
    }
    double bandwidth = 2 * (double)(bytes * passes) / median(&times);
    free(times.seconds);
    free(from);
    free(to);
    return bandwidth;
}

/* A symmetric matrix without structure, and what dsyevd needs for it. */
typedef struct eigenproblem {
    lapack_int n, work_count, integer_count;
    double *matrix, *vectors, *values, *work;
    lapack_int *integers;
} eigenproblem;

static inline eigenproblem eigenproblem_create(int64_t n)
{
    eigenproblem p = {.n = (lapack_int)n,
                      .work_count = (lapack_int)(1 + 6 * n + 2 * n * n),
                      .integer_count = (lapack_int)(3 + 5 * n)};
    p.matrix = allocate(n * n, sizeof *p.matrix);
    p.vectors = allocate(n * n, sizeof *p.vectors);
    p.values = allocate(n, sizeof *p.values);
    p.work = allocate(p.work_count, sizeof *p.work);
    p.integers = allocate(p.integer_count, sizeof *p.integers);
    uint64_t state = 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            /* Knuth's linear congruential generator: its high bits suffice here. */
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            p.matrix[j * n + i] = (double)(state >> 11) * 0x1p-53 - 0.5;
        }
    return p;
}

static inline void eigenproblem_free(eigenproblem *p)
{
    void *owned[] = {p->matrix, p->vectors, p->values, p->work, p->integers};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
}

/* Seconds of one dsyevd, its workspace allocated and its matrix in place before. */
static inline double eigenproblem_time(eigenproblem *p)
{
    memcpy(p->vectors, p->matrix, (size_t)p->n * (size_t)p->n * sizeof *p->vectors);
    double start = processor_seconds();
    lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', p->n, p->vectors, p->n, p->values,
                                          p->work, p->work_count, p->integers, p->integer_count);
    double seconds = processor_seconds() - start;
    if (info != 0) {
        fprintf(stderr, "bench: dsyevd failed with info %lld\n", (long long)info);
        exit(1);
    }
    return seconds;
}

#endif
