/* SPDX-License-Identifier: MIT
 *
 * The protocol: every member that is awake is asked, the stack makes a probability of their scores, the
 * hedge weighs their votes and the stack's.
 *
 *     vote         the weight of the members that say +1
 *     prediction   +1 iff vote >= threshold: 1/2, or drawn from (seed, t)
 *     error        the weight of the members that were wrong: what the guarantee adds up
 *
 * A deterministic prediction is wrong only where at least half of the weight is, so that mistakes are at
 * most twice the sum of the errors; on real streams they are nearly equal. */
#include "committee/committee.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* ---- Making one ---- */

static weft_status check_members(const weft_member *members, int64_t count, weft_error *error)
{
    enum { MOST = 1000 };
    if (count < 1 || count > MOST)
        return weft__fail(error, WEFT_ARGUMENT, "there are %lld members, expected 1 to %d", (long long)count,
                          MOST);
    int64_t starters = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t edge = members[k].beyond - 1;
        if (memchr(members[k].name, 0, sizeof members[k].name) == NULL)
            return weft__fail(error, WEFT_ARGUMENT, "the name of member %lld has no end", (long long)k);
        if (edge < -1 || edge >= count || (edge >= 0 && members[edge].beyond != 0))
            return weft__fail(error, WEFT_ARGUMENT,
                              "member %lld is beyond number %lld, expected one that is not in reserve itself",
                              (long long)k, (long long)edge);
        starters += edge < 0;
    }
    return starters > 0 ? WEFT_OK : weft__fail(error, WEFT_ARGUMENT, "all members are in reserve");
}

/* Half of the belief for the stack over all members, a quarter for those that do without something, a
 * quarter shared out. */
static weft_status make_hedge(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    double *prior = committee->loss; /* not needed yet */
    for (int64_t k = 0; k < committee->count; k++)
        prior[k] = 0.25 / (double)committee->count;
    prior[committee->count] = 0.5;
    for (int i = 1; i < WEFT_STACKS; i++)
        prior[committee->count + i] = 0.25 / (WEFT_STACKS - 1);
    TRY(weft__hedge_create(&committee->player.memory, committee->count + WEFT_STACKS, prior,
                           &committee->hedge, error));
done:
    return status;
}

static weft_status make_stacks(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    int *uses = NULL;
    TRY(weft__new(&committee->player.memory, committee->count, sizeof *uses, &uses, error));
    for (int64_t k = 0; k < committee->count; k++)
        committee->uses |= uses[k] = committee->members[k].given.uses;
    TRY(weft__stack_create(&committee->player.memory, committee->count, &committee->stack, error));
    for (int without = WEFT_ROWS; without <= WEFT_BOTH; without++)
        if ((without & committee->uses) == without)
            TRY(weft__ablation_create(&committee->player.memory, committee->count, uses, without,
                                      &committee->ablation[without - 1], error));
done:
    weft__delete(&committee->player.memory, uses);
    return status;
}

void weft__committee_start(weft__committee *committee)
{
    committee->counters.awake = 0;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__member_state *member = &committee->members[k];
        committee->awake[k] = member->given.beyond == 0 || member->seen > 0;
        committee->counters.awake += committee->awake[k];
    }
    weft__stack_start(&committee->stack, committee->awake, NULL);
    for (int i = 0; i < WEFT_STACKS - 1; i++)
        if (committee->ablation[i].count > 0)
            weft__stack_start(&committee->ablation[i].stack, committee->awake, committee->ablation[i].member);
    committee->awake[committee->count] = true;
    for (int i = 1; i < WEFT_STACKS; i++)
        committee->awake[committee->count + i] = committee->ablation[i - 1].count > 0;
}

static weft_status make_room(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &committee->player.memory;
    weft__question *q = &committee->question;
    int64_t count = committee->count, experts = count + WEFT_STACKS;
    TRY(weft__new(memory, experts, sizeof *committee->awake, &committee->awake, error));
    TRY(weft__new(memory, experts, sizeof *committee->loss, &committee->loss, error));
    TRY(weft__new(memory, experts, sizeof *committee->drift, &committee->drift, error));
    TRY(weft__new(memory, experts, sizeof *q->said, &q->said, error));
    TRY(weft__new(memory, experts, sizeof *q->awake, &q->awake, error));
    TRY(weft__new(memory, count, sizeof *q->learnt, &q->learnt, error));
    TRY(weft__new(memory, count, sizeof *committee->reports, &committee->reports, error));
done:
    return status;
}

/* One set of ids has its own form, whatever the settings say. */
static void take_in(const weft_member *given, weft__member_state *member)
{
    member->given = *given;
    if (given->columns == NULL)
        member->given.learner.form = WEFT_ONE_SET;
}

weft_status weft__committee_make(const weft_member *members, int64_t count,
                                 const weft_committee_settings *settings, const weft_memory *memory,
                                 weft__committee **committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *self = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    TRY(check_members(members, count, error));
    TRY(weft__new(&hook, 1, sizeof *self, &self, error));
    self->player = (weft_player){
        .ops = &weft__committee_ops, .memory = hook, .rows = members[0].rows, .columns = members[0].columns};
    for (int64_t k = 0; k < count; k++)
        if (members[k].columns == NULL)
            self->player.columns = NULL;
    self->settings = *settings;
    self->room = WEFT__ROOM;
    self->hold = WEFT__HOLD;
    TRY(weft__new(&hook, count, sizeof *self->members, &self->members, error));
    self->count = count;
    TRY(make_room(self, error));
    TRY(weft__committee_set_threads(self, settings->threads, error));
    for (int64_t k = 0; k < count; k++)
        take_in(&members[k], &self->members[k]);
    TRY(make_hedge(self, error));
    TRY(make_stacks(self, error));
    weft__committee_start(self);
    *committee = self;
    self = NULL;
done:
    weft__committee_free(self);
    return status;
}

static weft_status name_member(weft_status status, const weft_member *member, weft_error *error)
{
    if (status == WEFT_OK || error == NULL)
        return status;
    weft_error inner = *error;
    return weft__fail_at(error, status, inner.at[0], inner.at[1], "%s: %.400s", member->name, inner.message);
}

weft_status weft__committee_begin(const weft_member *members, int64_t count,
                                  const weft_committee_settings *settings, const weft_memory *memory,
                                  weft__committee **committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *self = NULL;
    TRY(weft__committee_make(members, count, settings, memory, &self, error));
    for (int64_t k = 0; k < count; k++)
        TRY(name_member(
            weft__member_create(&members[k], &self->player.memory, &self->members[k].player, error),
            &members[k], error));
    weft__hedge_weigh(&self->hedge, self->awake);
    *committee = self;
    self = NULL;
done:
    weft__committee_free(self);
    return status;
}

void weft__committee_free(weft__committee *committee)
{
    if (committee == NULL)
        return;
    weft_memory memory = committee->player.memory;
    for (int64_t k = 0; k < committee->count; k++)
        weft_player_free(committee->members[k].player);
    weft__hedge_release(&committee->hedge, &memory);
    weft__stack_release(&committee->stack, &memory);
    for (int i = 0; i < 3; i++)
        weft__ablation_release(&committee->ablation[i], &memory);
    weft__thread_pool_free(committee->pool);
    weft__committee_close_caches(committee);
    weft__question *q = &committee->question;
    void *owned[] = {committee->members, committee->awake, committee->loss,   committee->drift, q->said,
                     q->awake,           q->learnt,        committee->reports};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        weft__delete(&memory, owned[i]);
    weft__delete(&memory, committee);
}

/* ---- Asking ---- */

/* The stack's probability; where the vote is on the other side of 1/2, beside that, in the same order. */
static double agree(double probability, bool positive)
{
    static const double aside = 0x1p-20;
    if (positive)
        return probability >= 0.5 ? probability : 0.5 + aside * probability;
    return probability < 0.5 ? probability : 0.5 - aside * (1 - probability);
}

static double threshold_of(const weft__committee *committee, int64_t t)
{
    const weft_committee_settings *s = &committee->settings;
    return s->randomised ? weft__uniform(s->seed, (uint64_t)t) : 0.5;
}

static int label_of(double probability)
{
    return probability >= 0.5 ? 1 : -1;
}

static double odds_of(const weft__committee *committee, int64_t k)
{
    const weft_player *player = committee->members[k].player;
    double odds;
    if (weft__candidates_odds(committee->candidates, k, &odds))
        return odds;
    return player->ops->log_odds(player, &committee->question.said[k]);
}

/* What the stacks make of the log-odds; answers the probability of the one over all members. */
static double ask_stacks(weft__committee *committee)
{
    weft_answer *said = committee->question.said + committee->count;
    for (int64_t k = 0; k < committee->count; k++)
        committee->stack.score[k] = committee->awake[k] ? odds_of(committee, k) : 0;
    double probability = weft__stack_predict(&committee->stack);
    said[0].label = label_of(probability);
    for (int i = 1; i < WEFT_STACKS; i++)
        if (committee->ablation[i - 1].count > 0) {
            said[i].probability = weft__ablation_predict(&committee->ablation[i - 1], committee->stack.score);
            said[i].label = label_of(said[i].probability);
        }
    return probability;
}

/* A tie is one, whatever rounding makes of it. */
static double round_half(double vote)
{
    return fabs(vote - 0.5) < 1e-12 ? 0.5 : vote;
}

/* The answer that a vote and a probability make, with as many asked as are awake. */
static weft_answer decide(const weft__committee *committee, double vote, double probability)
{
    double rounded = round_half(vote), agreed = agree(probability, rounded >= 0.5);
    int64_t t = committee->counters.t;
    double threshold = threshold_of(committee, t);
    return (weft_answer){.label = rounded >= threshold ? 1 : -1,
                         .probability = agreed,
                         .score = agreed,
                         .vote = rounded,
                         .threshold = threshold,
                         .margin = NAN,
                         .lower = -INFINITY,
                         .upper = INFINITY,
                         .certified = true,
                         .asked = committee->counters.awake,
                         .t = t};
}

/* The answer that those of the members make. */
static weft_answer conclude(weft__committee *committee)
{
    const weft_answer *said = committee->question.said;
    double probability = ask_stacks(committee), positive = 0, negative = 0;
    for (int64_t k = 0; k < committee->count + WEFT_STACKS; k++)
        if (committee->awake[k])
            *(said[k].label > 0 ? &positive : &negative) += committee->hedge.weight[k];
    return decide(committee, positive / (positive + negative), probability);
}

/* Turns to the pair, unless that is what was asked last. */
static weft_status turn(weft__committee *committee, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__question *q = &committee->question;
    const weft__context *context = &committee->player.context;
    if (q->stage == WEFT__ASKED && q->pair[0] == pair[0] && q->pair[1] == pair[1] &&
        weft__context_equal(&q->context, context))
        return WEFT_OK;
    weft__question_drop(q);
    q->context = *context;
    q->pair[0] = pair[0];
    q->pair[1] = pair[1];
    TRY(weft__committee_ask(committee, error));
    for (int64_t k = 0; k < committee->count + WEFT_STACKS; k++)
        q->awake[k] = committee->awake[k];
    q->answer = conclude(committee);
    q->stage = WEFT__ASKED;
done:
    return status;
}

/* Another trial than the next one has another threshold. */
static weft_answer move_to(const weft__committee *committee, weft_answer answer, int64_t t)
{
    answer.t = t;
    answer.threshold = threshold_of(committee, t);
    answer.label = answer.vote >= answer.threshold ? 1 : -1;
    return answer;
}

weft_status weft__committee_predict(weft_player *player, const int64_t pair[2], int64_t t,
                                    weft_answer *answer, weft_error *error)
{
    weft__committee *committee = (weft__committee *)player;
    weft_status status = WEFT_OK;
    TRY(turn(committee, pair, error));
    weft_answer found = committee->question.answer;
    *answer = t < 0 ? found : move_to(committee, found, t);
done:
    return status;
}

/* ---- Learning ---- */

weft_status weft__committee_end(weft__committee *committee, int label, weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__committee_tell(committee, label, error));
    *answer = weft__committee_apply_label(committee, label);
done:
    return status;
}

weft_status weft__committee_learn(weft__committee *committee, const int64_t pair[2], int label,
                                  weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer predicted;
    TRY(weft__committee_predict(&committee->player, pair, -1, &predicted, error));
    TRY(weft__committee_end(committee, label, answer, error));
done:
    return status;
}
