/* SPDX-License-Identifier: MIT
 * A few threads that share one job at a time.
 *
 * What a job computes must not depend on who does which task, nor in which order they are done: tasks
 * write to places of their own, and whoever gave the job adds them up in the order of their numbers.
 * Then the number of threads changes no bit. */
#ifndef WEFT_BASE_THREAD_POOL_H
#define WEFT_BASE_THREAD_POOL_H

#include "base/memory.h"

typedef struct weft__thread_pool weft__thread_pool;

/* A pool of `threads` (2 or more), the caller's included.  None is started before the first job. */
weft_status weft__thread_pool_create(int64_t threads, const weft_memory *memory, weft__thread_pool **pool,
                                     weft_error *error);
void weft__thread_pool_free(weft__thread_pool *pool); /* takes NULL */

typedef void weft__task(void *self, int64_t k);

/* Does the tasks 0..count-1 and returns when all are done; one job at a time.  pool NULL: this thread does
 * them in order.  A thread that the system refuses is done without. */
void weft__thread_pool_run(weft__thread_pool *pool, int64_t count, weft__task *task, void *self);

#endif
