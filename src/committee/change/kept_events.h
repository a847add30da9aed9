/* SPDX-License-Identifier: MIT
 * The last events that a committee keeps, learnt once more by rivals: their weights can neither be added nor
 * taken apart. */
#ifndef WEFT_COMMITTEE_CHANGE_KEPT_EVENTS_H
#define WEFT_COMMITTEE_CHANGE_KEPT_EVENTS_H

#include "committee/committee.h"
#include "rival/replay.h"

/* The events of the member that keeps most, or NULL; borrowed. */
const weft__replay *weft__kept_events(const weft__committee *committee);

/* Which of the events are learnt, and under which numbers. */
typedef struct weft__relearning {
    const weft__replay *events;   /* NULL: none */
    const weft__numbers *numbers; /* of their ids; NULL: as they are */
    /* False for an event that is left out; NULL: all are learnt. */
    bool (*wanted)(const weft__event *event, const void *context);
    const void *context;
    weft__progress *progress; /* may be NULL */
} weft__relearning;

/* Teaches the player, one of whose trials costs `price`, the events from the oldest on; *learnt is their
 * number.  After a failure the player may only be freed. */
weft_status weft__learn_kept_events(weft_player *player, const weft__relearning *what, double price,
                                    int64_t *learnt, weft_error *error);

#endif
