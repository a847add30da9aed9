/* SPDX-License-Identifier: MIT
 *
 * Members side by side: each is asked and told by one thread, and writes to places of its own, so that the
 * number of threads changes nothing. */
#include "committee/committee.h"
#include "player/profile.h"

#include <string.h>

weft_status weft__committee_set_threads(weft__committee *committee, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__thread_pool *pool = NULL;
    TRY(weft__check_threads(threads, error));
    if (threads > 1)
        TRY(weft__thread_pool_create(threads, &committee->player.memory, &pool, error));
    weft__thread_pool_free(committee->pool);
    committee->pool = pool;
    committee->settings.threads = threads;
done:
    return status;
}

/* The first failure, in the order of the members. */
static weft_status collect(const weft__committee *committee, weft_error *error)
{
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__report *report = &committee->reports[k];
        if (report->status == WEFT_OK)
            continue;
        if (error != NULL)
            *error = report->error;
        return report->status;
    }
    return WEFT_OK;
}

static void ask_one(void *self, int64_t k)
{
    weft__committee *committee = self;
    weft__member_state *member = &committee->members[k];
    weft__report *report = &committee->reports[k];
    report->status = WEFT_OK;
    if (!committee->awake[k])
        return;
    weft_answer *said = &committee->question.said[k];
    if (weft__candidates_know(committee->candidates, k, said))
        return;
    weft__profile *profile = committee->player.profile;
    double start = weft__profile_start(profile);
    member->player->context = committee->question.context;
    report->status =
        member->player->ops->predict(member->player, committee->question.pair, -1, said, &report->error);
    weft__candidates_keep(committee->candidates, k, said);
    if (start > 0)
        weft__profile_stop(profile, start, &profile->rows[k].seconds[WEFT__ASKING]);
}

/* Shares out the members, and times it as a whole. */
static void run_members(weft__committee *committee, void (*part)(void *self, int64_t k))
{
    weft__profile *profile = committee->player.profile;
    double start = weft__profile_start(profile);
    weft__thread_pool_run(committee->pool, committee->count, part, committee);
    if (start > 0)
        weft__profile_stop(profile, start, &profile->in_members[profile->call]);
}

weft_status weft__committee_ask(weft__committee *committee, weft_error *error)
{
    if (committee->candidates != NULL && weft__candidates_look(committee))
        return WEFT_OK;
    weft_status status = weft__committee_fill_caches(committee, error);
    if (status != WEFT_OK)
        return status;
    run_members(committee, ask_one);
    return collect(committee, error);
}

/* A member that was not awake then hears of the pair now. */
static weft_status teach(weft_player *player, const weft__question *q, int64_t k, weft_answer *learnt,
                         weft_error *error)
{
    const weft__player_ops *ops = player->ops;
    if (!weft__is_recalled(q->stage) || !q->awake[k])
        return ops->learn(player, q->pair, q->label, learnt, error);
    weft__late late = {.pair = {q->pair[0], q->pair[1]},
                       .label = q->label,
                       .labels = q->stage == WEFT__RECALLED_LATE ? -1 : ops->counters(player).t,
                       .answer = q->said[k]};
    return ops->learn_late(player, &late, learnt, error);
}

static void tell_one(void *self, int64_t k)
{
    weft__committee *committee = self;
    weft__question *q = &committee->question;
    weft__member_state *member = &committee->members[k];
    weft__report *report = &committee->reports[k];
    report->status = WEFT_OK;
    if (!committee->awake[k] || q->learnt[k])
        return;
    weft_answer learnt = {0};
    weft__profile *profile = committee->player.profile;
    double start = weft__profile_start(profile);
    member->player->context = q->context;
    report->status = teach(member->player, q, k, &learnt, &report->error);
    if (start > 0)
        weft__profile_stop(profile, start, &profile->rows[k].seconds[WEFT__LEARNING]);
    q->learnt[k] = report->status == WEFT_OK;
    if (q->learnt[k])
        member->products = learnt.products;
}

weft_status weft__committee_tell(weft__committee *committee, int label, weft_error *error)
{
    weft__question *q = &committee->question;
    if (q->label != label)
        memset(q->learnt, 0, (size_t)committee->count * sizeof *q->learnt);
    q->label = label;
    weft__committee_add_learnt(committee);
    run_members(committee, tell_one);
    return collect(committee, error);
}
