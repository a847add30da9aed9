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

/* Without `which`, or NULL. */
static const weft__ablation *find_ablation(const weft__committee *committee, int which)
{
    if (committee == NULL || which < WEFT_ROWS || which > WEFT_BOTH || (which & committee->uses) == 0)
        return NULL;
    return &committee->ablation[(which & committee->uses) - 1];
}

weft_worth weft_committee_worth(const weft_player *player, int which)
{
    const weft__committee *committee = weft__committee_in(player);
    const weft__ablation *ablation = find_ablation(committee, which);
    if (ablation == NULL)
        return (weft_worth){0};
    int told = committee->uses == WEFT_BOTH ? 3 : 1;
    weft_worth worth = {.members = ablation->count,
                        .trials = ablation->log_loss.count,
                        .log_loss = weft_paired_difference(&ablation->log_loss, told),
                        .mistakes = weft_paired_difference(&ablation->mistakes, told)};
    const int64_t *labels = committee->labels;
    worth.verdict = weft_verdict_of(&worth.log_loss, labels[0] < labels[1] ? labels[0] : labels[1]);
    return worth;
}

double weft_committee_probability_without(const weft_player *player, int which)
{
    const weft__committee *committee = weft__committee_in(player);
    const weft__ablation *ablation = find_ablation(committee, which);
    if (ablation == NULL || ablation->count == 0)
        return NAN;
    return committee->question.said[committee->count + 1 + (ablation - committee->ablation)].probability;
}
