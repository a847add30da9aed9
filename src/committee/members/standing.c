/* SPDX-License-Identifier: MIT
 * How every member does, for people. */
#include "committee/committee.h"

#include <math.h>

weft_committee_settings weft_committee_settings_of(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    return committee != NULL ? committee->settings : (weft_committee_settings){0};
}

/* Of the stacks, `which` from 0. */
static weft_standing stand_stack(const weft__committee *committee, int64_t which)
{
    static const char *const names[WEFT_STACKS] = {"stack", "stack without rows", "stack without columns",
                                                   "stack without both"};
    int64_t k = committee->count + which;
    return (weft_standing){.name = names[which],
                           .is_awake = committee->awake[k],
                           .trials = committee->awake[k] ? committee->counters.trials : 0,
                           .mistakes = committee->wrong[which]};
}

static weft_standing stand_member(const weft__committee *committee, int64_t k)
{
    const weft__member_state *member = &committee->members[k];
    return (weft_standing){.name = member->given.name,
                           .is_awake = committee->awake[k],
                           .in_reserve = member->given.beyond > 0 && !committee->awake[k] &&
                                         member->trials + member->seen == 0,
                           .since = member->since,
                           .trials = member->trials,
                           .mistakes = member->mistakes,
                           .coefficient = committee->stack.steady.mean[k],
                           .certainty = sqrt(weft__stack_wald(&committee->stack, k))};
}

weft_standing weft_committee_standing(const weft_player *player, int64_t k)
{
    const weft__committee *committee = weft__committee_in(player);
    if (committee == NULL || k < 0 || k >= committee->count + WEFT_STACKS)
        return (weft_standing){.name = ""};
    const weft__hedge *hedge = &committee->hedge;
    weft_standing standing =
        k < committee->count ? stand_member(committee, k) : stand_stack(committee, k - committee->count);
    standing.regret = hedge->regret[k] + committee->drift[k];
    standing.drift = committee->drift[k];
    standing.term = weft__hedge_term(hedge, k);
    standing.weight = hedge->weight[k];
    return standing;
}

weft_worth weft_committee_worth(const weft_player *player, int which)
{
    static const double normal = 1.959963984540054;
    const weft__committee *committee = weft__committee_in(player);
    if (committee == NULL || which < WEFT_ROWS || which > WEFT_BOTH || (which & committee->uses) == 0)
        return (weft_worth){0};
    const weft__ablation *worth = &committee->ablation[(which & committee->uses) - 1];
    double saved = (double)(worth->only_it - worth->only_other);
    int64_t different = worth->only_it + worth->only_other;
    double reach = normal * sqrt((double)different);
    return (weft_worth){.members = worth->count,
                        .mistakes = worth->mistakes,
                        .different = different,
                        .saved = saved,
                        .low = saved - reach,
                        .high = saved + reach};
}
