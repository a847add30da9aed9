/* SPDX-License-Identifier: MIT
 *
 * The public functions of a player: arguments are checked, then the kind is asked. */
#include "player/turn.h"

static weft_status refuse_evidence(const weft_player *player, const char *what, weft_error *error)
{
    return weft__player_refuse(player, what, player->ops->no_evidence, error);
}

/* ---- Who ---- */

weft_kind weft_player_kind(const weft_player *player)
{
    return player != NULL ? player->ops->kind : WEFT_LEARNER;
}

const char *weft_kind_name(weft_kind kind)
{
    static const char *const names[] = {
        [WEFT_LEARNER] = "learner", [WEFT_RIVAL] = "rival", [WEFT_COMMITTEE] = "committee"};
    return (int)kind >= 0 && (int)kind <= WEFT_COMMITTEE ? names[kind] : NULL;
}

void weft_player_free(weft_player *player)
{
    if (player == NULL)
        return;
    weft__home *home = player->home;
    weft__feed_end(player);
    weft__drop_copies(player);
    weft__profile_free(player);
    player->ops->release(player);
    if (home != NULL)
        home->release(home);
}

/* ---- Trials ---- */

static weft_status check_question(const weft_player *player, const weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(answer);
    TRY(weft__need_sides(player, error));
done:
    return status;
}

weft_status weft_player_predict(weft_player *player, int64_t row, int64_t column, weft_answer *answer,
                                weft_error *error)
{
    weft_status status = check_question(player, answer, error);
    if (status != WEFT_OK)
        return status;
    weft__player_begin_question(player);
    status = player->ops->predict(player, (const int64_t[]){row, column}, -1, answer, error);
    weft__player_end_question(player);
    return status;
}

weft_status weft_player_predict_at(weft_player *player, int64_t row, int64_t column, int64_t t,
                                   weft_answer *answer, weft_error *error)
{
    weft_status status = check_question(player, answer, error);
    if (status != WEFT_OK)
        return status;
    if (t < 0)
        return weft__fail(error, WEFT_ARGUMENT, "the trial is %lld, expected at least 0", (long long)t);
    weft__player_begin_question(player);
    status = player->ops->predict(player, (const int64_t[]){row, column}, t, answer, error);
    weft__player_end_question(player);
    return status;
}

weft_status weft_player_evaluate(weft_player *player, int64_t row, int64_t column, double tolerance,
                                 weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_question(player, answer, error));
    TRY(weft__check_tolerance(tolerance, true, error));
    weft__player_begin_question(player);
    status = player->ops->evaluate(player, (const int64_t[]){row, column}, tolerance, answer, error);
    weft__player_end_question(player);
done:
    return status;
}

weft_status weft_player_learn(weft_player *player, int64_t row, int64_t column, int label,
                              weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer result = {0};
    weft__label_event learnt = {.way = WEFT__BY_PAIR, .pair = {row, column}, .label = label};
    NEED(player);
    learnt.context = player->context;
    TRY(weft__need_sides(player, error));
    TRY(weft__check_label(label, true, error));
    if (label == 0) {
        TRY(weft_player_predict(player, row, column, &result, error));
    } else {
        TRY(weft__check_named(player, row, column, error));
        weft__player_begin_label(player);
        status = player->ops->learn(player, learnt.pair, label, &result, error);
        TRY(weft__player_end_label(player, &learnt, status));
    }
    if (answer != NULL)
        *answer = result;
done:
    return status;
}

weft_counters weft_player_counters(const weft_player *player)
{
    return player != NULL ? player->ops->counters(player) : (weft_counters){0};
}

void weft_player_room(const weft_player *player, int64_t *rows, int64_t *columns)
{
    int64_t room[2] = {0, 0};
    if (player != NULL && player->ops->room != NULL)
        player->ops->room(player, room);
    if (rows != NULL)
        *rows = room[0];
    if (columns != NULL)
        *columns = room[1];
}

weft_status weft_player_set_threads(weft_player *player, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    TRY(weft__check_threads(threads, error));
    weft__feed_hold(player);
    if (player->ops->set_threads != NULL)
        status = player->ops->set_threads(player, threads, error);
    weft__feed_let_go(player);
done:
    return status;
}

weft_status weft_player_set_progress(weft_player *player, const weft_progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    player->progress = progress != NULL ? *progress : (weft_progress){0};
done:
    return status;
}

/* ---- Evidence ---- */

/* The player that has the evidence, or NULL. */
static weft_player *leader_of(const weft_player *player)
{
    return player != NULL && player->ops->leader != NULL ? player->ops->leader(player) : NULL;
}

int64_t weft_player_evidence_count(const weft_player *player)
{
    const weft_player *leader = leader_of(player);
    return leader != NULL ? leader->ops->evidence_count(leader) : 0;
}

weft_evidence_entry weft_player_evidence(const weft_player *player, int64_t k)
{
    const weft_player *leader = leader_of(player);
    return leader != NULL ? leader->ops->evidence(leader, k) : (weft_evidence_entry){0};
}

weft_status weft_player_add_evidence(weft_player *player, const weft_evidence_entry *entries, int64_t count,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    if (player->ops->add_evidence == NULL)
        return refuse_evidence(player, "be given evidence", error);
    if (count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected at least 0", (long long)count);
    if (count > 0)
        NEED(entries);
    TRY(weft__need_sides(player, error));
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "adding evidence", 0);
    weft__drop_copies(player);
    weft__feed_hold(player);
    status = player->ops->add_evidence(player, entries, count, &progress, error);
    TRY(weft__player_end_change(player, status));
    player->disturbed = true;
done:
    return status;
}

weft_status weft_player_count_more(weft_player *player, const weft_counters *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(more);
    if (player->ops->count_more == NULL)
        return refuse_evidence(player, "be given counters", error);
    weft__drop_copies(player);
    weft__feed_hold(player);
    status = player->ops->count_more(player, more, error);
    TRY(weft__player_end_change(player, status));
done:
    return status;
}

weft_status weft_player_forget(weft_player *player, int which, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    if (which != WEFT_ROWS && which != WEFT_COLUMNS)
        return weft__fail(error, WEFT_ARGUMENT, "which is %d, expected WEFT_ROWS or WEFT_COLUMNS", which);
    if (player->ops->forget == NULL)
        return refuse_evidence(player, "forget an id", error);
    TRY(weft__need_sides(player, error));
    TRY(weft__check_named(player, which == WEFT_ROWS ? id : 0, which == WEFT_ROWS ? 0 : id, error));
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "forgetting", 0);
    weft__drop_copies(player);
    weft__feed_hold(player);
    status = player->ops->forget(player, which, id, &progress, error);
    TRY(weft__player_end_change(player, status));
    player->disturbed = true;
done:
    return status;
}

/* ---- Explaining ---- */

weft_status weft_player_explain(weft_player *player, int64_t row, int64_t column, double tolerance,
                                weft_explanation *explanation, weft_influence *influences, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(explanation);
    if (weft_player_evidence_count(player) > 0)
        NEED(influences);
    TRY(weft__check_tolerance(tolerance, false, error));
    TRY(weft__need_sides(player, error));
    weft_player *leader = leader_of(player);
    if (leader == NULL)
        return weft__player_refuse(player, "explain",
                                   player->ops->leader != NULL
                                       ? "there are only rivals, and no margin to explain"
                                       : player->ops->no_evidence,
                                   error);
    weft__progress progress = weft__progress_of(&player->progress);
    weft__feed_hold(player);
    status = leader->ops->explain(leader, (const int64_t[]){row, column}, tolerance, &progress, explanation,
                                  influences, error);
    weft__feed_let_go(player);
done:
    return status;
}

const weft_player *weft_committee_leader(const weft_player *player)
{
    return leader_of(player);
}

/* ---- The state ---- */

weft_status weft_player_write(const weft_player *player, void *buffer, size_t *size, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(size);
    TRY(player->ops->write(player, buffer, size, error));
done:
    return status;
}

weft_status weft_player_clone(const weft_player *player, weft_player **copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(copy);
    if (player->home != NULL && !player->only_seen)
        return player->home->clone(player->home, player, copy, error);
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "copying a player", 0);
    TRY(player->ops->clone(player, &progress, copy, error));
    (*copy)->context = player->context;
    (*copy)->disturbed = player->disturbed;
    (*copy)->only_seen = player->only_seen;
    (*copy)->looked_at = player->looked_at;
done:
    return status;
}

weft_status weft_player_reset(weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    weft__drop_copies(player);
    weft__feed_hold(player);
    /* What kinds exchange with a fresh player is not what belongs to this object. */
    const weft_player own = *player;
    player->feed = NULL;
    player->profile = NULL;
    status = player->ops->reset(player, error);
    player->feed = own.feed;
    player->profile = own.profile;
    player->learnt = own.learnt;
    player->context = own.context;
    player->progress = own.progress;
    TRY(weft__player_end_change(player, status));
    player->disturbed = false;
done:
    return status;
}

/* ---- Members ---- */

/* Of one set of ids a pair has two of them. */
static void mark_evidence(const weft_player *player, int wanted, int64_t count, bool *met)
{
    for (int64_t k = 0; k < weft_player_evidence_count(player); k++) {
        weft_evidence_entry entry = weft_player_evidence(player, k);
        int64_t ids[2] = {entry.row, entry.column};
        for (int place = 0; place < 2 && entry.count != 0; place++)
            if ((place == wanted || player->columns == NULL) && ids[place] < count)
                met[ids[place]] = true;
    }
}

void weft_player_met(const weft_player *player, int which, int64_t count, bool *met)
{
    if (met == NULL || (which != WEFT_ROWS && which != WEFT_COLUMNS))
        return;
    int place = which == WEFT_COLUMNS;
    for (int64_t k = 0; k < weft_player_member_count(player); k++) {
        const weft_player *member = weft_player_member(player, k);
        mark_evidence(member, place, count, met);
        if (member->ops->next_met == NULL)
            continue;
        int64_t id = member->ops->next_met(member, place, 0);
        for (; id >= 0 && id < count; id = member->ops->next_met(member, place, id + 1))
            met[id] = true;
    }
}

int64_t weft_player_member_count(const weft_player *player)
{
    if (player == NULL)
        return 0;
    return player->ops->member_count != NULL ? player->ops->member_count(player) : 1;
}

const weft_player *weft_player_member(const weft_player *player, int64_t k)
{
    if (player == NULL || k < 0 || k >= weft_player_member_count(player))
        return NULL;
    return player->ops->member != NULL ? player->ops->member(player, k) : player;
}
