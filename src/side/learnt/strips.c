/* SPDX-License-Identifier: MIT
 *
 * Method: strip s are the rows r_s..r_{s+1}, from the diagonal on:
 *
 *     | 0 0 0 0 |       a product with it reads x from r_s on, and writes there
 *     |   1 1 1 |
 *     |     2 2 |       r_s = n (1 - sqrt(1 - s / 8)) leaves (n - r_s)^2 / 2 = (1 - s / 8) n^2 / 2 entries
 *     |       3 |
 *
 * Cost: that of the product, and 8 n additions. */
#include "side/learnt/strips.h"

#include <math.h>

enum { MANY = 2048 }; /* from here a product takes a millisecond, and sharing it out some hundredths */

/* Multiples of 16, as the products want it. */
static int64_t start_of(int64_t n, int64_t strip)
{
    double start = (double)n * (1 - sqrt(1 - (double)strip / WEFT__STRIPS));
    return strip == WEFT__STRIPS ? n : (int64_t)start / WEFT__LANES * WEFT__LANES;
}

int64_t weft__strips_room(int64_t n)
{
    return n < MANY ? 0 : (WEFT__STRIPS - 1) * n;
}

typedef struct single_job {
    weft__block_single a;
    const float *x;
    float *y, *partial;
} single_job;

static void multiply_single(void *self, int64_t k)
{
    const single_job *job = self;
    int64_t n = job->a.rows, first = start_of(n, k), last = start_of(n, k + 1);
    float *y = k == 0 ? job->y : job->partial + (k - 1) * n;
    weft__block_single strip = {job->a.at + first * job->a.stride + first, last - first, n - first,
                                job->a.stride};
    weft__multiply_symmetric_single(strip, job->x + first, y + first);
}

typedef struct double_job {
    weft__block_double a;
    const double *x;
    double *y, *partial;
} double_job;

static void multiply_double(void *self, int64_t k)
{
    const double_job *job = self;
    int64_t n = job->a.rows, first = start_of(n, k), last = start_of(n, k + 1);
    double *y = k == 0 ? job->y : job->partial + (k - 1) * n;
    weft__block_double strip = {job->a.at + first * job->a.stride + first, last - first, n - first,
                                job->a.stride};
    weft__multiply_symmetric_double(strip, job->x + first, y + first);
}

void weft__strips_single(weft__thread_pool *pool, weft__block_single a, const float *x, float *y,
                         float *partial)
{
    single_job job = {a, x, y, partial};
    int64_t n = a.rows;
    if (n < MANY) {
        weft__multiply_symmetric_single(a, x, y);
        return;
    }
    weft__thread_pool_run(pool, WEFT__STRIPS, multiply_single, &job);
    for (int64_t k = 1; k < WEFT__STRIPS; k++)
        for (int64_t i = start_of(n, k); i < n; i++)
            y[i] += partial[(k - 1) * n + i];
}

void weft__strips_double(weft__thread_pool *pool, weft__block_double a, const double *x, double *y,
                         double *partial)
{
    double_job job = {a, x, y, partial};
    int64_t n = a.rows;
    if (n < MANY) {
        weft__multiply_symmetric_double(a, x, y);
        return;
    }
    weft__thread_pool_run(pool, WEFT__STRIPS, multiply_double, &job);
    for (int64_t k = 1; k < WEFT__STRIPS; k++)
        for (int64_t i = start_of(n, k); i < n; i++)
            y[i] += partial[(k - 1) * n + i];
}
