/* SPDX-License-Identifier: MIT
 * How many ids a committee has room for. */
#ifndef WEFT_COMMITTEE_CAPACITY_H
#define WEFT_COMMITTEE_CAPACITY_H

#include "committee/member.h"

/* Rows and columns (one set of ids: 0) that all learners have room for; false where there is no learner, or
 * they have different ones. */
bool weft__committee_room(const weft__committee *committee, int64_t room[2]);

/* From now on all learners have this room, never less than before; columns 0 for one set of ids. */
void weft__committee_enlarge(weft__committee *committee, int64_t rows, int64_t columns);

#endif
