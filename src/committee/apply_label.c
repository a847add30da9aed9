/* SPDX-License-Identifier: MIT
 *
 * What a label makes of a question, once the members have learnt it: counters, weights and stacks.  The
 * question may have been asked just now or long ago (late.c): what was said then counts. */
#include "committee/committee.h"
#include "player/profile.h"

/* What it costs is averaged over some tens of labels; answers what this one has cost. */
static double price_member(weft__member_state *member)
{
    static const double memory = 32;
    double price = member->player->ops->price(member->player, member->products, member->seen);
    member->price += member->seen == 1 ? price - member->price : (price - member->price) / memory;
    return price;
}

static void count_members(weft__committee *committee, int label)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft__member_state *member = &committee->members[k];
        bool asked = committee->question.awake[k];
        member->trials += asked;
        member->mistakes += asked && committee->question.said[k].label != label;
        if (!committee->awake[k])
            continue;
        member->seen++;
        weft__profile_count(committee->player.profile, k, price_member(member));
    }
}

static void learn_stacks(weft__committee *committee, int label)
{
    const weft_answer *said = committee->question.said + committee->count;
    weft__lost lost = {weft__stack_learn(&committee->stack, label), said[0].label != label};
    for (int i = 1; i < WEFT_STACKS; i++)
        if (committee->ablation[i - 1].count > 0)
            weft__ablation_learn(&committee->ablation[i - 1], label, said[i].label != label, lost);
}

/* Whom to believe from now on; answers the error of this trial: that of the answer. */
static double weigh_anew(weft__committee *committee, int label)
{
    const weft__question *q = &committee->question;
    bool recalled = weft__is_recalled(q->stage);
    int64_t experts = committee->count + WEFT_STACKS;
    for (int64_t k = 0; k < experts; k++)
        committee->loss[k] = q->awake[k] && q->said[k].label != label;
    if (recalled)
        weft__hedge_weigh(&committee->hedge, q->awake);
    double h = weft__hedge_learn(&committee->hedge, q->awake, committee->loss);
    double error = recalled ? q->error[label > 0] : h;
    for (int64_t k = 0; k < experts; k++)
        committee->drift[k] += q->awake[k] ? error - h : 0;
    learn_stacks(committee, label);
    return error;
}

static weft_answer judge(weft__committee *committee, int label)
{
    weft_counters *c = &committee->counters;
    weft_answer answer = committee->question.answer;
    count_members(committee, label);
    answer.mistake = answer.label != label;
    answer.error_probability = weigh_anew(committee, label);
    c->trials++;
    c->mistakes += answer.mistake;
    committee->stack_mistakes += committee->question.said[committee->count].label != label;
    for (int i = 0; i < WEFT_STACKS; i++)
        committee->wrong[i] += committee->question.awake[committee->count + i] &&
                               committee->question.said[committee->count + i].label != label;
    c->expected_mistakes += answer.error_probability;
    committee->labels[label > 0]++;
    return answer;
}

weft_answer weft__committee_apply_label(weft__committee *committee, int label)
{
    weft_answer answer = judge(committee, label);
    committee->counters.t++;
    weft__question_drop(&committee->question);
    weft__committee_schedule(committee);
    weft__hedge_weigh(&committee->hedge, committee->awake);
    return answer;
}
