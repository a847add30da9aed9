/* SPDX-License-Identifier: MIT
 * The ids of a committee: one set or two, and how many there is room for. */
#ifndef WEFT_COMMITTEE_ROOM_H
#define WEFT_COMMITTEE_ROOM_H

#include "weft.h"

/* Over one set of ids some member says so; who has two sides over it has every id on both. */
bool weft__committee_one_set(const weft_committee *committee);

/* *rows and *columns (one set of ids: 0) that all learners have; false where there is no learner, or they
 * have different ones. */
bool weft__committee_room(const weft_committee *committee, int64_t *rows, int64_t *columns);

/* From now on all learners have this room, never less than before; columns 0 for one set of ids. */
void weft__committee_enlarge(weft_committee *committee, int64_t rows, int64_t columns);

#endif
