/* SPDX-License-Identifier: MIT
 * Trials that wait for their labels, first in, first out (--delay). */
#ifndef WEFT_CLI_WAITING_H
#define WEFT_CLI_WAITING_H

#include "weft.h"

/* {0} is empty. */
typedef struct waiting_list {
    weft_late *items; /* a ring: item k is items[(first + k) % capacity] */
    int64_t first, count, capacity;
} waiting_list;

/* False when there is no memory. */
bool waiting_add(waiting_list *waiting, const weft_late *trial);
/* The one that waits longest; there must be one. */
weft_late waiting_take(waiting_list *waiting);
void waiting_free(waiting_list *waiting);

#endif
