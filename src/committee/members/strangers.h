/* SPDX-License-Identifier: MIT
 * While candidates are ranked: what members have said of an id that they had not met, and say again of every
 * id that is like it. */
#ifndef WEFT_COMMITTEE_MEMBERS_STRANGERS_H
#define WEFT_COMMITTEE_MEMBERS_STRANGERS_H

#include "player/player.h"

typedef struct weft__committee weft__committee;

typedef struct weft__strangers {
    int place;         /* of the candidates in a pair, 0 or 1 */
    int64_t *key;      /* of every member so many groups, 0: none; and */
    weft_answer *said; /* what it said of an id of that group */
    int64_t *slot; /* of every member: where its answer to the question is, or is to be kept; -1: nowhere */
    bool *known;   /* and whether it is there */
} weft__strangers;

weft_status weft__strangers_create(const weft__committee *committee, int place, weft__strangers *strangers,
                                   weft_error *error);
void weft__strangers_free(const weft__committee *committee, weft__strangers *strangers);

/* Before members are asked, but for those to be left out: which of them have answered the question already.
 * True where all that are awake have. */
bool weft__strangers_look(const weft__committee *committee, weft__strangers *strangers, const bool *left_out);

/* The answer of member k, if it is known; and the one that it has given. */
bool weft__strangers_answer(const weft__strangers *strangers, int64_t k, weft_answer *answer);
void weft__strangers_keep(weft__strangers *strangers, int64_t k, const weft_answer *answer);

#endif
