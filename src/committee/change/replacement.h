/* SPDX-License-Identifier: MIT
 * What members will know: players made beside those that they are, which take their place when nothing can
 * fail any more. */
#ifndef WEFT_COMMITTEE_CHANGE_REPLACEMENT_H
#define WEFT_COMMITTEE_CHANGE_REPLACEMENT_H

#include "committee/committee.h"

/* Deletes a list, which may be NULL, and all that is in it. */
void weft__replacements_free(const weft_memory *memory, weft_player **list, int64_t count);

/* Every member becomes the player in the list, and the list has those that they were. */
void weft__replacements_exchange(weft__committee *committee, weft_player **list);

/* Members that are others now, or whose scores mean something else: the stacks know nothing of them, unless
 * these are `understood`, and they lose a standing that was that of one that knew something.  The weights are
 * taken anew. */
void weft__committee_reset_standing(weft__committee *committee,
                                    bool (*is_new)(const weft__member_state *member), bool understood);

#endif
