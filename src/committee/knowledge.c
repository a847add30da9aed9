/* SPDX-License-Identifier: MIT */
#include "committee/knowledge.h"

void weft__knowledge_release(const weft_memory *memory, weft__knowledge *list, int64_t count)
{
    for (int64_t k = 0; list != NULL && k < count; k++) {
        weft_learner_free(list[k].learner);
        weft_rival_free(list[k].rival);
    }
    weft__delete(memory, list);
}

void weft__knowledge_exchange(weft_committee *committee, weft__knowledge *list)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft__member *member = &committee->members[k];
        weft__knowledge old = {member->learner, member->rival};
        member->learner = list[k].learner;
        member->rival = list[k].rival;
        if (member->learner != NULL)
            member->products = weft_learner_counters(member->learner).products;
        list[k] = old;
    }
    committee->question.valid = false;
    committee->question.label = 0;
    committee->handed = false;
}
