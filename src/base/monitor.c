/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "base/monitor.h"

#include <pthread.h>
#include <time.h>

struct weft__monitor {
    weft_memory memory;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* One that waits by the clock that never goes back. */
static int create_condition(pthread_cond_t *condition)
{
    pthread_condattr_t by_clock;
    if (pthread_condattr_init(&by_clock) != 0)
        return -1;
    int failed = pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
    if (failed == 0)
        failed = pthread_cond_init(condition, &by_clock);
    pthread_condattr_destroy(&by_clock);
    return failed;
}

weft_status weft__monitor_create(const weft_memory *memory, weft__monitor **monitor, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__monitor *self = NULL;
    TRY(weft__new(memory, 1, sizeof *self, &self, error));
    self->memory = *memory;
    if (pthread_mutex_init(&self->lock, NULL) != 0 || create_condition(&self->changed) != 0) {
        weft__delete(memory, self);
        return weft__fail(error, WEFT_MEMORY, "out of memory: the system refuses a lock");
    }
    *monitor = self;
done:
    return status;
}

void weft__monitor_free(weft__monitor *monitor)
{
    if (monitor == NULL)
        return;
    weft_memory memory = monitor->memory;
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->lock);
    weft__delete(&memory, monitor);
}

void weft__monitor_enter(weft__monitor *monitor)
{
    pthread_mutex_lock(&monitor->lock);
}

void weft__monitor_leave(weft__monitor *monitor)
{
    pthread_mutex_unlock(&monitor->lock);
}

void weft__monitor_wait(weft__monitor *monitor)
{
    pthread_cond_wait(&monitor->changed, &monitor->lock);
}

void weft__monitor_wait_for(weft__monitor *monitor, double seconds)
{
    double end = weft__clock() + seconds;
    struct timespec until = {.tv_sec = (time_t)end};
    until.tv_nsec = (long)(1e9 * (end - (double)until.tv_sec));
    pthread_cond_timedwait(&monitor->changed, &monitor->lock, &until);
}

void weft__monitor_notify(weft__monitor *monitor)
{
    pthread_cond_broadcast(&monitor->changed);
}

/* ---- Threads ---- */

struct weft__thread {
    weft_memory memory;
    pthread_t thread;
    weft__thread_body *body;
    void *self;
};

static void *run(void *argument)
{
    weft__thread *thread = argument;
    thread->body(thread->self);
    return NULL;
}

weft_status weft__thread_start(weft__thread_body *body, void *self, const weft_memory *memory,
                               weft__thread **thread, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__thread *made = NULL;
    TRY(weft__new(memory, 1, sizeof *made, &made, error));
    made->memory = *memory;
    made->body = body;
    made->self = self;
    if (pthread_create(&made->thread, NULL, run, made) != 0) {
        weft__delete(memory, made);
        return weft__fail(error, WEFT_MEMORY, "out of memory: the system refuses a thread");
    }
    *thread = made;
done:
    return status;
}

void weft__thread_join(weft__thread *thread)
{
    if (thread == NULL)
        return;
    weft_memory memory = thread->memory;
    pthread_join(thread->thread, NULL);
    weft__delete(&memory, thread);
}

double weft__clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
