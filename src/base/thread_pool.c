/* SPDX-License-Identifier: MIT
 *
 * One lock guards everything; tasks are long enough (tenths of a millisecond) for that. */
#define _POSIX_C_SOURCE 200809L

#include "base/thread_pool.h"

#include <pthread.h>

/* Invariants, under the lock: tasks below `next` are taken, `running` of them not yet done.  `hired`
 * threads wait for `work` to change or take tasks. */
struct weft__thread_pool {
    weft_memory memory;
    int64_t wanted, hired; /* beside the caller */
    bool asked, leaving;   /* the threads were asked for; they are to end */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    weft__task *task;
    void *self;
    int64_t next, count, running;
};

weft_status weft__thread_pool_create(int64_t threads, const weft_memory *memory, weft__thread_pool **pool,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__thread_pool *self = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    TRY(weft__new(&hook, 1, sizeof *self, &self, error));
    self->memory = hook;
    self->wanted = threads - 1;
    TRY(weft__new(&hook, self->wanted, sizeof *self->threads, &self->threads, error));
    if (pthread_mutex_init(&self->lock, NULL) != 0 || pthread_cond_init(&self->work, NULL) != 0 ||
        pthread_cond_init(&self->done, NULL) != 0) {
        status = weft__fail(error, WEFT_MEMORY, "out of memory: the system refuses a lock");
        goto done;
    }
    *pool = self;
    return WEFT_OK;
done:
    if (self != NULL)
        weft__delete(&hook, self->threads);
    weft__delete(&hook, self);
    return status;
}

/* Does tasks while there are some; called and left with the lock. */
static void do_tasks(weft__thread_pool *pool)
{
    while (pool->next < pool->count) {
        int64_t k = pool->next++;
        pool->running++;
        pthread_mutex_unlock(&pool->lock);
        pool->task(pool->self, k);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
    if (pool->running == 0)
        pthread_cond_signal(&pool->done);
}

static void *serve(void *argument)
{
    weft__thread_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->leaving) {
        if (pool->next < pool->count)
            do_tasks(pool);
        else
            pthread_cond_wait(&pool->work, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void hire(weft__thread_pool *pool)
{
    pool->asked = true;
    while (pool->hired < pool->wanted && pthread_create(&pool->threads[pool->hired], NULL, serve, pool) == 0)
        pool->hired++;
}

void weft__thread_pool_run(weft__thread_pool *pool, int64_t count, weft__task *task, void *self)
{
    if (pool == NULL) {
        for (int64_t k = 0; k < count; k++)
            task(self, k);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    if (!pool->asked)
        hire(pool);
    pool->task = task;
    pool->self = self;
    pool->next = 0;
    pool->count = count;
    pthread_cond_broadcast(&pool->work);
    do_tasks(pool);
    while (pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void weft__thread_pool_free(weft__thread_pool *pool)
{
    if (pool == NULL)
        return;
    weft_memory memory = pool->memory;
    pthread_mutex_lock(&pool->lock);
    pool->leaving = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int64_t k = 0; k < pool->hired; k++)
        pthread_join(pool->threads[k], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    weft__delete(&memory, pool->threads);
    weft__delete(&memory, pool);
}
