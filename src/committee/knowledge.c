/* SPDX-License-Identifier: MIT */
#include "committee/knowledge.h"

void weft__knowledge_release(const weft_memory *memory, weft_player **list, int64_t count)
{
    for (int64_t k = 0; list != NULL && k < count; k++)
        weft_player_free(list[k]);
    weft__delete(memory, list);
}

void weft__knowledge_exchange(weft__committee *committee, weft_player **list)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft_player *old = committee->members[k].player;
        committee->members[k].player = list[k];
        list[k] = old;
    }
    committee->question.valid = committee->question.recalled = false;
    committee->question.label = 0;
    committee->handed = false;
}
