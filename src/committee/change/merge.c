/* SPDX-License-Identifier: MIT
 *
 * Adding another committee of the same members.
 *
 * Method     Learners add the evidence of both.  The weights of rivals cannot be added: of two the one that
 *            has seen more labels stays, and learns the last events that a hybrid factorisation of the other
 *            committee keeps (rival/replay.h).
 * Cost       That of learning as many events. */
#include "committee/change/kept_events.h"
#include "committee/change/replacement.h"

#include <math.h>

static weft_status check_members(const weft__committee *a, const weft__committee *b, weft_error *error)
{
    if (a->count != b->count)
        return weft__fail(error, WEFT_ARGUMENT,
                          "committees of %lld and %lld members cannot be merged, expected the same members",
                          (long long)a->count, (long long)b->count);
    for (int64_t k = 0; k < a->count; k++)
        if (!weft__members_agree(&a->members[k], &b->members[k]))
            return weft__fail(
                error, WEFT_ARGUMENT,
                "member %lld of the committees is %s and %s; they cannot be merged unless it has "
                "the same name and settings in both",
                (long long)k, a->members[k].given.name, b->members[k].given.name);
    return WEFT_OK;
}

static weft_status add_knowledge(const weft__member_state *own, const weft__member_state *other,
                                 const weft__numbers *numbers, weft__progress *progress, weft_player **sum,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player *copy = NULL;
    TRY(own->player->ops->clone(own->player, progress, &copy, error));
    TRY(copy->ops->merge(copy, other->player, numbers, progress, error));
    *sum = copy;
    copy = NULL;
done:
    weft_player_free(copy);
    return status;
}

/* Whether this one stays, where two cannot be merged: the other one has seen less, or knows ids by numbers
 * that it cannot change. */
static bool stays(const weft__member_state *own, const weft__member_state *other,
                  const weft__numbers *numbers)
{
    bool movable = weft__numbers_alike(numbers) || other->player->ops->can_renumber(other->player);
    return other->seen <= own->seen || !movable;
}

/* A copy of the player of the one that stays, over the sides of the first: those of the other may go. */
static weft_status copy_one(const weft__member_state *own, const weft__member_state *other,
                            const weft__numbers *numbers, weft__progress *progress, weft_player **chosen,
                            weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_player *from = stays(own, other, numbers) ? own->player : other->player;
    const weft_memory *memory = &own->player->memory;
    unsigned char *bytes = NULL;
    size_t size = 0;
    TRY(from->ops->write(from, NULL, &size, error));
    TRY(weft__new(memory, (int64_t)size, 1, &bytes, error));
    TRY(from->ops->write(from, bytes, &size, error));
    status = weft__member_read(&own->given, bytes, size, (weft__making){memory, progress}, chosen, error);
    if (status == WEFT_MODEL)
        status = weft__fail(error, WEFT_ARGUMENT,
                            "%s: what it has learnt in one committee does not fit the ids of the other",
                            own->given.name);
    if (status == WEFT_OK && from == other->player && numbers != NULL &&
        other->player->ops->can_renumber(other->player))
        TRY((*chosen)->ops->renumber(*chosen, numbers, error));
done:
    weft__delete(memory, bytes);
    return status;
}

/* Two committees that are merged, and what the rivals of each can hear of the other. */
typedef struct merging {
    const weft__committee *own, *other;
    const weft__numbers *numbers; /* of the other's ids */
    weft__relearning of_own, of_other;
} merging;

/* Whether the member plays from now on: who knows something does; who knows nothing begins, unless it is in
 * reserve, or has played before and given its memory back since (members/schedule.c). */
static bool will_play(const weft__committee *committee, int64_t k, int64_t seen)
{
    const weft__member_state *member = &committee->members[k];
    return seen > 0 || (member->given.beyond == 0 && (committee->awake[k] || member->paid == 0));
}

/* The one that stays, which hears what the other committee keeps; *seen are the labels of both. */
static weft_status choose_one(const merging *m, int64_t k, weft_player **chosen, int64_t *seen,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__member_state *own = &m->own->members[k], *other = &m->other->members[k];
    bool own_stays = stays(own, other, m->numbers);
    const weft__relearning *events = own_stays ? &m->of_other : &m->of_own;
    int64_t learnt = 0;
    TRY(copy_one(own, other, m->numbers, events->progress, chosen, error));
    *seen = own_stays ? own->seen : other->seen;
    if (will_play(m->own, k, *seen))
        TRY(weft__learn_kept_events(*chosen, events, fmax(own->price, other->price), &learnt, error));
    *seen += learnt;
done:
    return status;
}

static bool can_merge(const weft__member_state *member)
{
    return member->player->ops->merge != NULL;
}

/* Adds the counters of the other one.  Counts are exact up to 2^53. */
static weft_status add_counters(weft_counters *c, const weft_counters *more, weft_error *error)
{
    if (more->t > WEFT__MOST_COUNT - c->t)
        return weft__fail(error, WEFT_ARGUMENT,
                          "the committees have %lld and %lld trials, expected a sum up to 2^53",
                          (long long)c->t, (long long)more->t);
    c->t += more->t;
    c->trials += more->trials;
    c->mistakes += more->mistakes;
    c->expected_mistakes += more->expected_mistakes;
    c->anew += more->anew;
    return WEFT_OK;
}

/* The schedule of schedule.c goes by all labels so far, and the stack has to see the merged members first:
 * for at least as many as there are before the first checkpoint of all. */
static int64_t next_checkpoint(const weft__committee *committee)
{
    const int64_t *labels = committee->labels;
    double rare = 2 * (double)(labels[0] < labels[1] ? labels[0] : labels[1]), scale = 1;
    int64_t number = 0;
    for (; rare + WEFT__FIRST_CHECKPOINT > WEFT__FIRST_CHECKPOINT * scale ||
           (double)committee->counters.trials + WEFT__LATEST_CHECKPOINT > WEFT__LATEST_CHECKPOINT * scale;
         scale *= 2)
        number++;
    return number;
}

/* What every member will know, and how many labels it has learnt: learners have the evidence of both. */
static weft_status merge_members(const merging *m, weft_player **list, int64_t *seen, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < m->own->count; k++) {
        const weft__member_state *own = &m->own->members[k], *other = &m->other->members[k];
        if (!can_merge(own)) {
            TRY(choose_one(m, k, &list[k], &seen[k], error));
            continue;
        }
        TRY(add_knowledge(own, other, m->numbers, m->of_own.progress, &list[k], error));
        seen[k] = own->seen + other->seen;
    }
done:
    return status;
}

/* Of the stack, as of a rival, the one that has seen more labels stays. */
static void merge_stacks(weft__committee *committee, const weft__committee *other)
{
    if (other->counters.trials <= committee->counters.trials)
        return;
    weft__stack_copy(&committee->stack, &other->stack);
    for (int i = 0; i < 3; i++)
        if (committee->ablation[i].count > 0)
            weft__stack_copy(&committee->ablation[i].stack, &other->ablation[i].stack);
}

/* Trials, mistakes and regrets are those of both; so the guarantee speaks of all trials (vote/hedge.c). */
static void add_standings(weft__committee *committee, const weft__committee *other)
{
    for (int64_t k = 0; k < committee->count; k++) {
        committee->members[k].trials += other->members[k].trials;
        committee->members[k].mistakes += other->members[k].mistakes;
    }
    for (int i = 0; i < WEFT_STACKS; i++)
        committee->wrong[i] += other->wrong[i];
    for (int64_t i = 0; i < committee->count + WEFT_STACKS; i++)
        committee->drift[i] += other->drift[i];
    weft__hedge_add(&committee->hedge, &other->hedge);
}

/* Margins of the balanced form, 2 kappa F_ij, keep their signs where evidence is added; in the other forms
 * they are differences of what grows with it, and mean nothing that the stack has learnt. */
static bool means_another(const weft__member_state *member)
{
    return !member->given.is_rival && member->given.learner.form != WEFT_BALANCED;
}

static void hear(weft__committee *committee, int64_t k)
{
    if (weft__stack_hears(&committee->stack, k))
        return;
    weft__stack_admit(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_admit(&committee->ablation[i], k);
}

static void silence(weft__committee *committee, int64_t k)
{
    weft__stack_drop(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_drop(&committee->ablation[i], k);
}

/* All that have learnt anything play again, and may spend as much again. */
static void wake_all(weft__committee *committee)
{
    committee->counters.awake = 0;
    committee->opened = committee->counters.trials;
    for (int64_t k = 0; k < committee->count; k++) {
        weft__member_state *member = &committee->members[k];
        bool plays = will_play(committee, k, member->seen);
        if (!committee->awake[k])
            member->since = committee->counters.trials;
        member->paid = plays ? 0 : member->paid;
        committee->awake[k] = plays;
        committee->counters.awake += plays;
        (plays ? hear : silence)(committee, k);
    }
    committee->checkpoints = next_checkpoint(committee);
    weft__committee_reset_standing(committee, means_another, false);
}

/* What was counted of the stacks was true of both. */
static void add_mistakes(weft__committee *committee, const weft__committee *other)
{
    committee->stack_mistakes += other->stack_mistakes;
    for (int i = 0; i < 2; i++)
        committee->labels[i] += other->labels[i];
    for (int i = 0; i < 3; i++)
        weft__ablation_append(&committee->ablation[i], &other->ablation[i]);
}

weft_status weft__committee_merge(weft__committee *committee, const weft__committee *other,
                                  const weft__numbers *numbers, weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player **list = NULL;
    int64_t *seen = NULL;
    weft_counters counters = committee->counters;
    merging m = {.own = committee, .other = other, .numbers = numbers};
    m.of_own = (weft__relearning){.events = weft__kept_events(committee), .progress = progress};
    m.of_other = m.of_own;
    m.of_other.events = weft__kept_events(other);
    m.of_other.numbers = numbers;
    TRY(check_members(committee, other, error));
    TRY(add_counters(&counters, &other->counters, error));
    TRY(weft__new(&committee->player.memory, committee->count, sizeof(weft_player *), &list, error));
    TRY(weft__new(&committee->player.memory, committee->count, sizeof *seen, &seen, error));
    TRY(merge_members(&m, list, seen, error));
    weft__replacements_exchange(committee, list);
    merge_stacks(committee, other);
    add_standings(committee, other);
    add_mistakes(committee, other);
    for (int64_t k = 0; k < committee->count; k++)
        committee->members[k].seen = seen[k];
    committee->counters = counters;
    committee->epoch = 1 + (committee->epoch > other->epoch ? committee->epoch : other->epoch);
    wake_all(committee);
done:
    weft__replacements_free(&committee->player.memory, list, committee->count);
    weft__delete(&committee->player.memory, seen);
    return status;
}
