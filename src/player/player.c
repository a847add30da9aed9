/* SPDX-License-Identifier: MIT
 *
 * The public functions of a player: arguments are checked, then the kind is asked. */
#include "player/player.h"

#include <math.h>

/* ---- Arguments ---- */

weft_status weft__need(const void *pointer, const char *name, weft_error *error)
{
    return pointer != NULL ? WEFT_OK : weft__fail(error, WEFT_ARGUMENT, "%s is NULL", name);
}

weft_status weft__check_threads(int threads, weft_error *error)
{
    if (threads < 0 || threads > WEFT_THREAD_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "threads is %d, expected 0 to %d", threads,
                          WEFT_THREAD_LIMIT);
    return WEFT_OK;
}

static weft_status check_label(int label, weft_error *error)
{
    if (label < -1 || label > 1)
        return weft__fail(error, WEFT_ARGUMENT, "the label is %d, expected -1, 0 or +1", label);
    return WEFT_OK;
}

static weft_status check_tolerance(double tolerance, bool or_zero, weft_error *error)
{
    bool large_enough = or_zero ? tolerance >= 0 : tolerance > 0;
    if (!large_enough || !isfinite(tolerance))
        return weft__fail(error, WEFT_ARGUMENT, "tolerance is %g, expected a number %s 0", tolerance,
                          or_zero ? ">=" : ">");
    return WEFT_OK;
}

static weft_status refuse(const weft_player *player, const char *what, const char *reason, weft_error *error)
{
    return weft__fail(error, WEFT_UNSUPPORTED, "a %s cannot %s: %s", weft_kind_name(player->ops->kind), what,
                      reason);
}

static weft_status refuse_evidence(const weft_player *player, const char *what, weft_error *error)
{
    return refuse(player, what, player->ops->no_evidence, error);
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
    player->ops->release(player);
    if (home != NULL)
        home->release(home);
}

/* ---- Trials ---- */

static weft_status check_question(const weft_player *player, const weft_answer *answer, weft_error *error)
{
    weft_status status = weft__need(player, "player", error);
    return status != WEFT_OK ? status : weft__need(answer, "answer", error);
}

weft_status weft_player_predict(weft_player *player, int64_t row, int64_t column, weft_answer *answer,
                                weft_error *error)
{
    weft_status status = check_question(player, answer, error);
    if (status != WEFT_OK)
        return status;
    return player->ops->predict(player, (const int64_t[]){row, column}, -1, answer, error);
}

weft_status weft_player_predict_at(weft_player *player, int64_t row, int64_t column, int64_t t,
                                   weft_answer *answer, weft_error *error)
{
    weft_status status = check_question(player, answer, error);
    if (status != WEFT_OK)
        return status;
    if (t < 0)
        return weft__fail(error, WEFT_ARGUMENT, "the trial is %lld, expected at least 0", (long long)t);
    return player->ops->predict(player, (const int64_t[]){row, column}, t, answer, error);
}

weft_status weft_player_evaluate(weft_player *player, int64_t row, int64_t column, double tolerance,
                                 weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_question(player, answer, error));
    TRY(check_tolerance(tolerance, true, error));
    TRY(player->ops->evaluate(player, (const int64_t[]){row, column}, tolerance, answer, error));
done:
    return status;
}

weft_status weft_player_learn(weft_player *player, int64_t row, int64_t column, int label,
                              weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer result = {0};
    TRY(weft__need(player, "player", error));
    TRY(check_label(label, error));
    const int64_t pair[2] = {row, column};
    TRY(label == 0 ? player->ops->predict(player, pair, -1, &result, error)
                   : player->ops->learn(player, pair, label, &result, error));
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
    if (player != NULL)
        player->ops->room(player, room);
    if (rows != NULL)
        *rows = room[0];
    if (columns != NULL)
        *columns = room[1];
}

weft_status weft_player_set_threads(weft_player *player, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    TRY(weft__check_threads(threads, error));
    if (player->ops->set_threads != NULL)
        TRY(player->ops->set_threads(player, threads, error));
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
    TRY(weft__need(player, "player", error));
    if (player->ops->add_evidence == NULL)
        return refuse_evidence(player, "be given evidence", error);
    if (count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected at least 0", (long long)count);
    if (count > 0)
        TRY(weft__need(entries, "entries", error));
    TRY(player->ops->add_evidence(player, entries, count, error));
done:
    return status;
}

weft_status weft_player_count_more(weft_player *player, const weft_counters *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    TRY(weft__need(more, "more", error));
    if (player->ops->count_more == NULL)
        return refuse_evidence(player, "be given counters", error);
    TRY(player->ops->count_more(player, more, error));
done:
    return status;
}

weft_status weft_player_merge(weft_player *player, const weft_player *other, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    TRY(weft__need(other, "other", error));
    if (player->ops != other->ops)
        return weft__fail(error, WEFT_ARGUMENT, "a %s and a %s cannot be merged, expected the same kind",
                          weft_kind_name(player->ops->kind), weft_kind_name(other->ops->kind));
    if (player->ops->merge == NULL)
        return refuse_evidence(player, "be merged", error);
    TRY(player->ops->merge(player, other, error));
done:
    return status;
}

weft_status weft_player_forget(weft_player *player, int which, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    if (which != WEFT_ROWS && which != WEFT_COLUMNS)
        return weft__fail(error, WEFT_ARGUMENT, "which is %d, expected WEFT_ROWS or WEFT_COLUMNS", which);
    if (player->ops->forget == NULL)
        return refuse_evidence(player, "forget an id", error);
    TRY(player->ops->forget(player, which, id, error));
done:
    return status;
}

/* ---- Ranking and explaining ---- */

static weft_status check_query(const weft_query *query, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(query, "query", error));
    if (query->most < 1 || query->candidate_count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "%s is %lld, expected at least %d",
                          query->most < 1 ? "most" : "candidate_count",
                          (long long)(query->most < 1 ? query->most : query->candidate_count),
                          query->most < 1);
    if (query->candidate_count > 0)
        TRY(weft__need(query->candidates, "candidates", error));
    TRY(check_tolerance(query->tolerance, false, error));
done:
    return status;
}

/* The query with its defaults: every id of the other side, and a tolerance. */
static weft_status fill_query(const weft_player *player, const weft_query *query, weft_query *asked,
                              int64_t **all, weft_error *error)
{
    static const double tolerance = 0.02;
    weft_status status = WEFT_OK;
    TRY(weft__need(query, "query", error));
    *asked = *query;
    if (asked->tolerance == 0)
        asked->tolerance = tolerance;
    if (asked->candidates != NULL || asked->candidate_count != 0)
        return WEFT_OK;
    const weft_side *side = query->column || player->columns == NULL ? player->rows : player->columns;
    int64_t count = weft_side_count(side);
    TRY(weft__new(&player->memory, count, sizeof **all, all, error));
    for (int64_t k = 0; k < count; k++)
        (*all)[k] = k;
    asked->candidates = *all;
    asked->candidate_count = count;
done:
    return status;
}

weft_status weft_player_rank(weft_player *player, const weft_query *query, weft_ranked *ranked,
                             int64_t *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_query asked = {0};
    int64_t *all = NULL;
    TRY(weft__need(player, "player", error));
    TRY(fill_query(player, query, &asked, &all, error));
    TRY(check_query(&asked, error));
    TRY(weft__need(ranked, "ranked", error));
    TRY(weft__need(found, "found", error));
    TRY((player->ops->rank != NULL ? player->ops->rank : weft__rank_by_evaluating)(player, &asked, ranked,
                                                                                   found, error));
done:
    if (player != NULL)
        weft__delete(&player->memory, all);
    return status;
}

weft_status weft_player_explain(weft_player *player, int64_t row, int64_t column, double tolerance,
                                weft_explanation *explanation, weft_influence *influences, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    TRY(weft__need(explanation, "explanation", error));
    if (weft_player_evidence_count(player) > 0)
        TRY(weft__need(influences, "influences", error));
    TRY(check_tolerance(tolerance, false, error));
    weft_player *leader = leader_of(player);
    if (leader == NULL)
        return refuse(player, "explain",
                      player->ops->leader != NULL ? "only rivals are awake, and there is no margin to explain"
                                                  : player->ops->no_evidence,
                      error);
    TRY(leader->ops->explain(leader, (const int64_t[]){row, column}, tolerance, explanation, influences,
                             error));
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
    TRY(weft__need(player, "player", error));
    TRY(weft__need(size, "size", error));
    TRY(player->ops->write(player, buffer, size, error));
done:
    return status;
}

weft_status weft_player_clone(const weft_player *player, weft_player **copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(player, "player", error));
    TRY(weft__need(copy, "copy", error));
    TRY(player->ops->clone(player, copy, error));
done:
    return status;
}

weft_status weft_player_reset(weft_player *player, weft_error *error)
{
    weft_status status = weft__need(player, "player", error);
    return status != WEFT_OK ? status : player->ops->reset(player, error);
}

/* ---- Members ---- */

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
