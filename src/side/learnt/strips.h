/* SPDX-License-Identifier: MIT
 * Products by a large symmetric matrix, shared out among the threads of a pool.
 *
 * The rows are cut into strips of about as many entries above the diagonal.  Every strip has a vector
 * of its own for what it finds, and these are added in order: what comes out depends on the size of the
 * matrix alone, never on the number of threads.  A small matrix is one strip. */
#ifndef WEFT_SIDE_LEARNT_STRIPS_H
#define WEFT_SIDE_LEARNT_STRIPS_H

#include "base/thread_pool.h"
#include "base/vector.h"

enum { WEFT__STRIPS = 8 };

/* The elements of `partial` that a product by n x n takes, in either precision; 0 for a small one. */
int64_t weft__strips_room(int64_t n);

/* y = A x as weft__multiply_symmetric_single and _double; pool may be NULL. */
void weft__strips_single(weft__thread_pool *pool, weft__block_single a, const float *x, float *y,
                         float *partial);
void weft__strips_double(weft__thread_pool *pool, weft__block_double a, const double *x, double *y,
                         double *partial);

#endif
