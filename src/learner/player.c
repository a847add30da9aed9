/* SPDX-License-Identifier: MIT
 *
 * A learner as a player: its table of functions, its constructors, and what only a learner has. */
#include "base/elementary.h"
#include "learner/rank/ranker.h"
#include "player/turn.h"

static weft__learner *self_of(weft_player *player)
{
    return (weft__learner *)player;
}

static const weft__learner *look_at(const weft_player *player)
{
    return (const weft__learner *)player;
}

weft__learner *weft__learner_in(const weft_player *player)
{
    return player != NULL && player->ops == &weft__learner_ops ? (weft__learner *)player : NULL;
}

/* ---- Trials ---- */

static weft_status predict(weft_player *player, const int64_t pair[2], int64_t t, weft_answer *answer,
                           weft_error *error)
{
    weft__learner *learner = self_of(player);
    return weft__learner_predict(learner, pair, t < 0 ? learner->counters.t : t, answer, error);
}

static weft_status evaluate(weft_player *player, const int64_t pair[2], double tolerance, weft_answer *answer,
                            weft_error *error)
{
    return weft__learner_evaluate(self_of(player), pair, tolerance, answer, error);
}

static weft_status learn(weft_player *player, const int64_t pair[2], int label, weft_answer *answer,
                         weft_error *error)
{
    return weft__learner_learn(self_of(player), pair, label, answer, error);
}

static weft_status learn_late(weft_player *player, const weft__late *late, weft_answer *answer,
                              weft_error *error)
{
    return weft__learner_learn_late(self_of(player), late, answer, error);
}

static weft_counters counters(const weft_player *player)
{
    return look_at(player)->counters;
}

static void room(const weft_player *player, int64_t found[2])
{
    found[0] = look_at(player)->settings.rows;
    found[1] = look_at(player)->settings.columns;
}

static void enlarge(weft_player *player, int64_t rows, int64_t columns)
{
    weft__learner *learner = self_of(player);
    if (learner->dimensions > 0 && (learner->settings.rows != rows || learner->settings.columns != columns))
        weft__learner_enlarge(learner, rows, columns);
}

static weft_status set_threads(weft_player *player, int threads, weft_error *error)
{
    return weft__learner_set_threads(self_of(player), threads, error);
}

/* ---- Evidence ---- */

static weft_player *leader(const weft_player *player)
{
    return (weft_player *)player;
}

static int64_t evidence_count(const weft_player *player)
{
    return weft__learner_evidence_count(look_at(player));
}

static weft_evidence_entry evidence(const weft_player *player, int64_t k)
{
    return weft__learner_evidence(look_at(player), k);
}

static weft_status add_evidence(weft_player *player, const weft_evidence_entry *entries, int64_t count,
                                weft__progress *progress, weft_error *error)
{
    return weft__learner_add(self_of(player), entries, count, progress, error);
}

static weft_status count_more(weft_player *player, const weft_counters *more, weft_error *error)
{
    return weft__learner_count_more(self_of(player), more, error);
}

static weft_status merge(weft_player *player, const weft_player *other, const weft__numbers *numbers,
                         weft__progress *progress, weft_error *error)
{
    return weft__learner_merge(self_of(player), look_at(other), numbers, progress, error);
}

static weft_status forget(weft_player *player, int which, int64_t id, weft__progress *progress,
                          weft_error *error)
{
    return weft__learner_forget(self_of(player), which, id, progress, error);
}

/* What a ranker keeps follows from the learner that it was made of, and goes with it: it is only freed. */
static void exchange(weft_player *player, weft_player *other)
{
    weft__learner old = *self_of(player);
    *self_of(player) = *self_of(other);
    *self_of(other) = old;
}

/* The bound of the evidence under the kernels as they are. */
static void rebase(weft_player *player)
{
    weft__learner *learner = self_of(player);
    learner->pending.valid = false;
    learner->revision++;
    weft__learner_rebound(learner);
}

/* ---- Ranking and explaining ---- */

static weft_status rank(weft_player *player, const weft_query *query, weft__progress *progress,
                        weft_ranked *ranked, int64_t *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *ranker = NULL;
    TRY(weft__learner_ranker(self_of(player), &ranker, error));
    TRY(weft__ranker_rank(ranker, query, progress, ranked, found, error));
done:
    return status;
}

static weft_status explain(weft_player *player, const int64_t pair[2], double tolerance,
                           weft__progress *progress, weft_explanation *explanation,
                           weft_influence *influences, weft_error *error)
{
    return weft__learner_explain(self_of(player), pair, tolerance, progress, explanation, influences, error);
}

/* ---- The state ---- */

static weft_status write(const weft_player *player, void *buffer, size_t *size, weft_error *error)
{
    return weft__learner_write(look_at(player), buffer, size, error);
}

static weft_status clone(const weft_player *player, weft__progress *progress, weft_player **copy,
                         weft_error *error)
{
    weft__learner *made = NULL;
    weft_status status = weft__learner_clone(look_at(player), progress, &made, error);
    if (status == WEFT_OK)
        *copy = &made->player;
    return status;
}

static weft_status sibling(const weft_player *player, weft_player **fresh, weft_error *error)
{
    weft__learner *made = NULL;
    weft_status status = weft__learner_sibling(look_at(player), &made, error);
    if (status == WEFT_OK)
        *fresh = &made->player;
    return status;
}

static weft_status reset(weft_player *player, weft_error *error)
{
    return weft__learner_reset(self_of(player), error);
}

static void release(weft_player *player)
{
    weft__learner_free(self_of(player));
}

/* ---- A learner as a member of a committee ---- */

static weft_status check(const weft_player *player, const int64_t pair[2], weft_error *error)
{
    return weft__learner_check(look_at(player), pair[0], pair[1], error);
}

/* Its probability 1/2 + margin / (2 gamma) has, at 1/2, log-odds of slope 2 / gamma: that is the scale.
 * The sign of a margin counts for something however small it is: where all that joins two ids is a long chain
 * of others, the margin is tiny, but its sign is the product of all the labels on the way. */
static double log_odds(const weft_player *player, const weft_answer *answer)
{
    static const double sign = 0.25;
    double margin = answer->margin;
    return weft__asinh(2 / look_at(player)->settings.gamma * margin) + sign * ((margin > 0) - (margin < 0));
}

/* A product goes through the evidence in both directions and through both kernels, which without
 * structure are matrices over the ids that carry evidence; a step has some work of its own. */
double weft__learner_product_work(const weft__learner *learner)
{
    enum { STEP = 1000, PAIR = 4, SLOT = 16 };
    const weft__space *space = learner->space;
    if (space == NULL)
        return STEP + (double)learner->compact->d * (double)learner->compact->d / 2;
    double size = STEP + PAIR * (double)space->evidence.count;
    for (int k = 0; k < (learner->player.columns == NULL ? 1 : 2); k++) {
        double slots = (double)space->view[k].count;
        const weft_side *side = space->view[k].side;
        size += SLOT * slots + (side->ops->product != NULL ? side->solve_work : slots * slots / 2);
    }
    return size;
}

static double price(const weft_player *player, int products, int64_t seen)
{
    (void)seen;
    return products * weft__learner_product_work(look_at(player));
}

static bool is_stranger(const weft_player *player, int place, int64_t id)
{
    const weft__space *space = look_at(player)->space;
    if (space == NULL)
        return false;
    int view = player->columns == NULL ? 0 : place;
    return weft__working_set_slot(&space->view[view], id) < 0;
}

/* Where there is a Gram matrix, it has the columns of all ids that are not new. */
static bool share(weft_player *player, int place, weft__column_cache *cache)
{
    weft__space *space = self_of(player)->space;
    if (space == NULL)
        return false;
    weft__working_set *view = place == 0 ? &space->view[0] : weft__space_columns(space);
    view->cache = cache;
    for (int64_t s = 0; s < view->count; s++)
        weft__column_cache_add_learnt(cache, view->ids[s]);
    return view->side->ops->product != NULL;
}

const weft__player_ops weft__learner_ops = {
    .kind = WEFT_LEARNER,
    .predict = predict,
    .evaluate = evaluate,
    .learn = learn,
    .learn_late = learn_late,
    .counters = counters,
    .room = room,
    .write = write,
    .clone = clone,
    .read = weft_learner_read,
    .sibling = sibling,
    .reset = reset,
    .release = release,
    .set_threads = set_threads,
    .rank = rank,
    .leader = leader,
    .evidence_count = evidence_count,
    .evidence = evidence,
    .add_evidence = add_evidence,
    .count_more = count_more,
    .merge = merge,
    .forget = forget,
    .exchange = exchange,
    .rebase = rebase,
    .explain = explain,
    .enlarge = enlarge,
    .put_entries = weft__learner_put_entries,
    .put_changed = weft__learner_put_changed,
    .put_rest = weft__learner_put_rest,
    .join = weft__learner_join,
    .check = check,
    .log_odds = log_odds,
    .price = price,
    .share = share,
    .is_stranger = is_stranger,
};

/* ---- Public ---- */

weft_status weft_learner_create(const weft_side *rows, const weft_side *columns,
                                const weft_settings *settings, const weft_memory *memory,
                                weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *made = NULL;
    NEED(rows);
    NEED(settings);
    NEED(player);
    TRY(weft__learner_begin(rows, columns, settings, memory, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_status weft_learner_read(const weft_side *rows, const weft_side *columns, const void *buffer,
                              size_t size, const weft_memory *memory, weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *made = NULL;
    NEED(rows);
    NEED(buffer);
    NEED(player);
    TRY(weft__learner_restore(rows, columns, buffer, size, (weft__making){memory, NULL}, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_settings weft_learner_settings(const weft_player *player)
{
    const weft__learner *learner = weft__learner_in(player);
    return learner != NULL ? learner->settings : (weft_settings){0};
}

double weft_learner_spectral_bound(const weft_player *player)
{
    const weft__learner *learner = weft__learner_in(player);
    return learner != NULL ? weft__spectral_bound_value(&learner->bound) : 0;
}

weft_status weft_learner_fill_diagonal(weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *ranker = NULL;
    weft__learner *learner = weft__learner_in(player);
    NEED(player);
    if (learner == NULL)
        return weft__fail(error, WEFT_UNSUPPORTED, "a %s has no diagonal: only a learner has margins",
                          weft_kind_name(weft_player_kind(player)));
    weft__progress progress = weft__progress_of(&player->progress);
    weft__feed_hold(player);
    status = weft__learner_ranker(learner, &ranker, error);
    if (status == WEFT_OK)
        status = weft__ranker_fill(ranker, &progress, error);
    weft__feed_let_go(player);
done:
    return status;
}

int64_t weft_learner_kept_diagonal(const weft_player *player)
{
    const weft__learner *learner = weft__learner_in(player);
    return learner != NULL && learner->ranker != NULL ? weft__ranker_kept(learner->ranker) : 0;
}
