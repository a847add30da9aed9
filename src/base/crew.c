/* SPDX-License-Identifier: MIT
 *
 * One lock guards everything; tasks are long enough (tenths of a millisecond) for that. */
#define _POSIX_C_SOURCE 200809L

#include "base/crew.h"

#include <pthread.h>

/* Invariants, under the lock: tasks below `next` are taken, `running` of them not yet done.  `hired`
 * threads wait for `work` to change or take tasks. */
struct weft__crew {
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

weft_status weft__crew_create(int64_t threads, const weft_memory *memory, weft__crew **crew,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__crew *self = NULL;
    weft_memory hook = weft__memory(memory);
    TRY(weft__new(&hook, 1, sizeof *self, &self, error));
    self->memory = hook;
    self->wanted = threads - 1;
    TRY(weft__new(&hook, self->wanted, sizeof *self->threads, &self->threads, error));
    if (pthread_mutex_init(&self->lock, NULL) != 0 || pthread_cond_init(&self->work, NULL) != 0 ||
        pthread_cond_init(&self->done, NULL) != 0) {
        status = weft__fail(error, WEFT_MEMORY, "out of memory: the system refuses a lock");
        goto done;
    }
    *crew = self;
    return WEFT_OK;
done:
    if (self != NULL)
        weft__delete(&hook, self->threads);
    weft__delete(&hook, self);
    return status;
}

/* Does tasks while there are some; called and left with the lock. */
static void do_tasks(weft__crew *crew)
{
    while (crew->next < crew->count) {
        int64_t k = crew->next++;
        crew->running++;
        pthread_mutex_unlock(&crew->lock);
        crew->task(crew->self, k);
        pthread_mutex_lock(&crew->lock);
        crew->running--;
    }
    if (crew->running == 0)
        pthread_cond_signal(&crew->done);
}

static void *serve(void *argument)
{
    weft__crew *crew = argument;
    pthread_mutex_lock(&crew->lock);
    while (!crew->leaving) {
        if (crew->next < crew->count)
            do_tasks(crew);
        else
            pthread_cond_wait(&crew->work, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static void hire(weft__crew *crew)
{
    crew->asked = true;
    while (crew->hired < crew->wanted && pthread_create(&crew->threads[crew->hired], NULL, serve, crew) == 0)
        crew->hired++;
}

void weft__crew_run(weft__crew *crew, int64_t count, weft__task *task, void *self)
{
    if (crew == NULL) {
        for (int64_t k = 0; k < count; k++)
            task(self, k);
        return;
    }
    pthread_mutex_lock(&crew->lock);
    if (!crew->asked)
        hire(crew);
    crew->task = task;
    crew->self = self;
    crew->next = 0;
    crew->count = count;
    pthread_cond_broadcast(&crew->work);
    do_tasks(crew);
    while (crew->running > 0)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void weft__crew_free(weft__crew *crew)
{
    if (crew == NULL)
        return;
    weft_memory memory = crew->memory;
    pthread_mutex_lock(&crew->lock);
    crew->leaving = true;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (int64_t k = 0; k < crew->hired; k++)
        pthread_join(crew->threads[k], NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->work);
    pthread_mutex_destroy(&crew->lock);
    weft__delete(&memory, crew->threads);
    weft__delete(&memory, crew);
}
