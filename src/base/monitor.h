/* SPDX-License-Identifier: MIT
 * What threads need to wait for each other: a monitor, which is a lock and a condition; a thread; a clock. */
#ifndef WEFT_BASE_MONITOR_H
#define WEFT_BASE_MONITOR_H

#include "base/memory.h"

typedef struct weft__monitor weft__monitor;

weft_status weft__monitor_create(const weft_memory *memory, weft__monitor **monitor, weft_error *error);
void weft__monitor_free(weft__monitor *monitor); /* takes NULL; nobody is in it */

/* One thread at a time is in it. */
void weft__monitor_enter(weft__monitor *monitor);
void weft__monitor_leave(weft__monitor *monitor);
/* From inside: lets others in until one of them notifies; or for no reason, so look again.  Notifying wakes
 * all that wait. */
void weft__monitor_wait(weft__monitor *monitor);
/* The same for at most so many seconds. */
void weft__monitor_wait_for(weft__monitor *monitor, double seconds);
void weft__monitor_notify(weft__monitor *monitor);

typedef struct weft__thread weft__thread;
typedef void weft__thread_body(void *self);

/* WEFT_MEMORY, also where the system refuses one. */
weft_status weft__thread_start(weft__thread_body *body, void *self, const weft_memory *memory,
                               weft__thread **thread, weft_error *error);
/* Waits for its end, and frees it; takes NULL. */
void weft__thread_join(weft__thread *thread);

/* Seconds of a clock that never goes back. */
double weft__clock(void);

#endif
