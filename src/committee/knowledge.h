/* SPDX-License-Identifier: MIT
 * What members will know: made beside what they know, it takes its place when nothing can fail any more. */
#ifndef WEFT_COMMITTEE_KNOWLEDGE_H
#define WEFT_COMMITTEE_KNOWLEDGE_H

#include "committee/committee.h"

/* What a member is to know: one of the two, the other NULL. */
typedef struct weft__knowledge {
    weft_learner *learner;
    weft_rival *rival;
} weft__knowledge;

/* Deletes a list, which may be NULL, and all that is in it. */
void weft__knowledge_release(const weft_memory *memory, weft__knowledge *list, int64_t count);

/* Every member has what is in the list, and the list what they had. */
void weft__knowledge_exchange(weft_committee *committee, weft__knowledge *list);

#endif
