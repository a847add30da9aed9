/* SPDX-License-Identifier: MIT
 *
 * A committee as a player: its table of functions and its constructors.  Its evidence is that of the learner
 * that leads it. */
#include "committee/committee.h"
#include "player/best.h"

static weft__committee *self_of(weft_player *player)
{
    return (weft__committee *)player;
}

static const weft__committee *look_at(const weft_player *player)
{
    return (const weft__committee *)player;
}

weft__committee *weft__committee_in(const weft_player *player)
{
    return player != NULL && player->ops == &weft__committee_ops ? (weft__committee *)player : NULL;
}

/* ---- Trials ---- */

/* Nothing is drawn, also where the committee would. */
static weft_status evaluate(weft_player *player, const int64_t pair[2], double tolerance, weft_answer *answer,
                            weft_error *error)
{
    weft_status status = WEFT_OK;
    (void)tolerance;
    TRY(weft__committee_predict(player, pair, -1, answer, error));
    answer->threshold = 0.5;
    answer->label = answer->vote >= 0.5 ? 1 : -1;
done:
    return status;
}

static weft_status learn(weft_player *player, const int64_t pair[2], int label, weft_answer *answer,
                         weft_error *error)
{
    return weft__committee_learn(self_of(player), pair, label, answer, error);
}

static weft_status learn_late(weft_player *player, const weft__late *late, weft_answer *answer,
                              weft_error *error)
{
    return weft__committee_learn_late(self_of(player), late, answer, error);
}

static void put_record(const weft_player *player, weft__encoder *writer)
{
    weft__committee_put_record(look_at(player), writer);
}

static void count_anew(weft_player *player)
{
    self_of(player)->counters.anew++;
}

static weft_counters counters(const weft_player *player)
{
    return look_at(player)->counters;
}

static weft_status set_threads(weft_player *player, int threads, weft_error *error)
{
    return weft__committee_set_threads(self_of(player), threads, error);
}

/* ---- Members ---- */

static int64_t member_count(const weft_player *player)
{
    return look_at(player)->count;
}

static const weft_player *member(const weft_player *player, int64_t k)
{
    return look_at(player)->members[k].player;
}

static void name_row(const weft_player *player, int64_t k, weft_profile_row *row)
{
    const weft__committee *committee = look_at(player);
    row->name = committee->members[k].given.name;
    row->is_awake = committee->awake[k];
    row->since = committee->members[k].since;
}

/* Of the learners awake the one with the largest coefficient; where all rest, the one that stood best. */
static weft_player *leader(const weft_player *player)
{
    const weft__committee *committee = look_at(player);
    int64_t best = -1;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__member_state *member = &committee->members[k];
        bool awake = committee->awake[k], played = awake || member->seen > 0;
        if (member->player->ops->evidence == NULL || !played)
            continue;
        const double *value = awake ? committee->stack.steady.mean : committee->hedge.regret;
        bool more = best >= 0 && committee->awake[best] == awake && value[k] > value[best];
        if (best < 0 || (awake && !committee->awake[best]) || more)
            best = k;
    }
    return best >= 0 ? committee->members[best].player : NULL;
}

/* The candidates from number `first` on, at most a block.  What one of them takes is told of each. */
static weft_status rank_block(weft_player *player, const weft_query *query, int64_t first, weft__best *best,
                              weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *committee = self_of(player);
    const int64_t *ids = query->candidates + first;
    int64_t left = query->candidate_count - first, count = left < WEFT__BLOCK ? left : WEFT__BLOCK;
    double work = 0;
    TRY(weft__candidates_turn(committee, ids, count, error));
    for (int64_t b = 0; b < count; b++) {
        const int64_t pair[2] = {query->column ? ids[b] : query->id, query->column ? query->id : ids[b]};
        weft_answer answer;
        weft__candidates_move(committee, b);
        TRY(evaluate(player, pair, query->tolerance, &answer, error));
        weft__best_add(best, ids[b], &answer);
        if (!weft__progress_heard(progress))
            continue;
        work = b == 0 ? weft__player_work(player, &answer) : work;
        weft__progress_expect(progress, (double)(first + b) / (double)query->candidate_count);
        TRY(weft__progress_step(progress, work, error));
    }
done:
    return status;
}

static weft_status rank(weft_player *player, const weft_query *query, weft__progress *progress,
                        weft_ranked *ranked, int64_t *found, weft_error *error)
{
    weft__committee *committee = self_of(player);
    int64_t count = query->candidate_count;
    weft__best best = {0};
    weft_status status = WEFT_OK;
    TRY(weft__best_create(query->most < count ? query->most : count, &player->memory, &best, error));
    TRY(weft__candidates_open(committee, query->column ? 0 : 1, query->id, error));
    weft__progress_begin(progress, "ranking", 0);
    for (int64_t k = 0; k < count; k += WEFT__BLOCK)
        TRY(rank_block(player, query, k, &best, progress, error));
    *found = weft__best_list(&best, ranked);
done:
    weft__candidates_close(committee);
    weft__best_free(&best, &player->memory);
    return status;
}

static weft_status merge(weft_player *player, const weft_player *other, const weft__numbers *numbers,
                         weft__progress *progress, weft_error *error)
{
    return weft__committee_merge(self_of(player), look_at(other), numbers, progress, error);
}

static weft_status forget(weft_player *player, int which, int64_t id, weft__progress *progress,
                          weft_error *error)
{
    return weft__committee_forget(self_of(player), which, id, progress, error);
}

static void rebase(weft_player *player)
{
    weft__committee *committee = self_of(player);
    for (int64_t k = 0; k < committee->count; k++) {
        weft_player *one = committee->members[k].player;
        if (one->ops->rebase != NULL)
            one->ops->rebase(one);
    }
}

/* ---- The state ---- */

static weft_status write(const weft_player *player, void *buffer, size_t *size, weft_error *error)
{
    return weft__committee_write(look_at(player), buffer, size, error);
}

/* What is no part of the state. */
static weft_status furnish(const weft__committee *committee, weft__committee *copy, weft_error *error)
{
    copy->apart = committee->apart;
    copy->room = committee->room;
    copy->hold = committee->hold;
    return weft__committee_set_threads(copy, committee->settings.threads, error);
}

static weft_status clone(const weft_player *player, weft__progress *progress, weft_player **copy,
                         weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__committee *committee = look_at(player);
    weft__committee *made = NULL;
    weft_member *list = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    TRY(weft__committee_given(committee, &list, error));
    TRY(weft__committee_write(committee, NULL, &size, error));
    TRY(weft__new(&player->memory, (int64_t)size, 1, &bytes, error));
    TRY(weft__committee_write(committee, bytes, &size, error));
    TRY(weft__committee_restore(list, committee->count, bytes, size,
                                (weft__making){&player->memory, progress}, &made, error));
    TRY(furnish(committee, made, error));
    *copy = &made->player;
    made = NULL;
done:
    weft__committee_free(made);
    weft__delete(&player->memory, list);
    weft__delete(&player->memory, bytes);
    return status;
}

static weft_status sibling(const weft_player *player, weft_player **fresh, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__committee *committee = look_at(player);
    weft_member *list = NULL;
    TRY(weft__committee_given(committee, &list, error));
    TRY(weft_committee_create(list, committee->count, &committee->settings, &player->memory, fresh, error));
done:
    weft__delete(&player->memory, list);
    return status;
}

/* Nothing in a committee points to itself. */
static void exchange(weft_player *player, weft_player *other)
{
    weft__committee old = *self_of(player);
    *self_of(player) = *self_of(other);
    *self_of(other) = old;
}

/* The two change places, but for whose rosters they are. */
static weft_status reset(weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player *fresh = NULL;
    TRY(sibling(player, &fresh, error));
    exchange(player, fresh);
    player->home = fresh->home;
    fresh->home = NULL;
done:
    weft_player_free(fresh);
    return status;
}

static void release(weft_player *player)
{
    weft__committee_free(self_of(player));
}

const weft__player_ops weft__committee_ops = {
    .kind = WEFT_COMMITTEE,
    .no_evidence = "it has many learners, each with evidence and counters of its own",
    .predict = weft__committee_predict,
    .evaluate = evaluate,
    .learn = learn,
    .learn_late = learn_late,
    .counters = counters,
    .write = write,
    .clone = clone,
    .sibling = sibling,
    .reset = reset,
    .release = release,
    .set_threads = set_threads,
    .rank = rank,
    .put_record = put_record,
    .count_anew = count_anew,
    .leader = leader,
    .merge = merge,
    .forget = forget,
    .stage_copy = weft__committee_stage_copy,
    .put_told = weft__committee_put_told,
    .member_count = member_count,
    .member = member,
    .name_row = name_row,
    .exchange = exchange,
    .rebase = rebase,
};

/* ---- Public ---- */

weft_status weft_committee_create(const weft_member *members, int64_t count,
                                  const weft_committee_settings *settings, const weft_memory *memory,
                                  weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *made = NULL;
    NEED(members);
    NEED(settings);
    NEED(player);
    TRY(weft__committee_begin(members, count, settings, memory, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_status weft_committee_read(const weft_member *members, int64_t count, const void *buffer, size_t size,
                                const weft_memory *memory, weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *made = NULL;
    NEED(members);
    NEED(buffer);
    NEED(player);
    TRY(weft__committee_restore(members, count, buffer, size, (weft__making){memory, NULL}, &made, error));
    *player = &made->player;
done:
    return status;
}
