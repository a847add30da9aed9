/* SPDX-License-Identifier: MIT
 * Trials that wait for their labels, first in, first out (--delay). */
#ifndef WEFT_CLI_RUN_WAITING_H
#define WEFT_CLI_RUN_WAITING_H

#include "weft_advanced.h"

/* The names are its own, and NULL where the rosters keep them. */
typedef struct waiting_trial {
    weft_late late;
    char *row, *column;
} waiting_trial;

/* {0} is empty. */
typedef struct waiting_list {
    waiting_trial *items; /* a ring: item k is items[(first + k) % capacity] */
    int64_t first, count, capacity;
} waiting_list;

/* `names` are copied, or NULL.  False when there is no memory. */
bool waiting_add(waiting_list *waiting, const weft_late *late, const weft_event *names);
/* The one that waits longest; there must be one.  The caller frees its names. */
waiting_trial waiting_take(waiting_list *waiting);
void waiting_release(waiting_trial *trial);
void waiting_free(waiting_list *waiting);

#endif
