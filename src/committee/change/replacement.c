/* SPDX-License-Identifier: MIT */
#include "committee/change/replacement.h"

void weft__replacements_free(const weft_memory *memory, weft_player **list, int64_t count)
{
    for (int64_t k = 0; list != NULL && k < count; k++)
        weft_player_free(list[k]);
    weft__delete(memory, list);
}

static void tell_stacks(weft__committee *committee, int64_t k)
{
    weft__stack_admit(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_admit(&committee->ablation[i], k);
}

void weft__committee_reset_standing(weft__committee *committee,
                                    bool (*is_new)(const weft__member_state *member), bool understood)
{
    bool *anew = committee->question.learnt; /* not needed: there is no question */
    for (int64_t k = 0; k < committee->count; k++)
        anew[k] = is_new(&committee->members[k]);
    for (int64_t k = 0; k < committee->count; k++)
        if (anew[k] && committee->awake[k] && !understood)
            tell_stacks(committee, k);
    weft__hedge_restart(&committee->hedge, committee->awake, committee->count, anew);
    for (int64_t k = 0; k < committee->count; k++)
        if (anew[k]) {
            weft__member_state *member = &committee->members[k];
            member->since = committee->counters.trials;
            member->trials = member->mistakes = 0;
            committee->drift[k] = 0;
        }
    weft__hedge_weigh(&committee->hedge, committee->awake);
}

void weft__replacements_exchange(weft__committee *committee, weft_player **list)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft_player *old = committee->members[k].player;
        committee->members[k].player = list[k];
        list[k] = old;
    }
    weft__question_drop(&committee->question);
    committee->handed = false;
}
