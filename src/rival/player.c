/* SPDX-License-Identifier: MIT
 *
 * A rival as a player: its table of functions and its constructors.  It keeps weights and no evidence, so
 * that nothing of it can be explained, added or taken out. */
#include "base/elementary.h"
#include "rival/block.h"
#include "rival/rival.h"
#include "rival/slots.h"

#include <math.h>
#include <string.h>

static weft__rival *self_of(weft_player *player)
{
    return (weft__rival *)player;
}

static const weft__rival *look_at(const weft_player *player)
{
    return (const weft__rival *)player;
}

weft__rival *weft__rival_in(const weft_player *player)
{
    return player != NULL && player->ops == &weft__rival_player_ops ? (weft__rival *)player : NULL;
}

static weft_status predict(weft_player *player, const int64_t pair[2], int64_t t, weft_answer *answer,
                           weft_error *error)
{
    (void)t;
    return weft__rival_predict(self_of(player), pair, answer, error);
}

static weft_status evaluate(weft_player *player, const int64_t pair[2], double tolerance, weft_answer *answer,
                            weft_error *error)
{
    (void)tolerance;
    return weft__rival_predict(self_of(player), pair, answer, error);
}

static weft_status learn(weft_player *player, const int64_t pair[2], int label, weft_answer *answer,
                         weft_error *error)
{
    return weft__rival_learn(self_of(player), pair, label, answer, error);
}

/* It learns from its score as it is now; the answer is that which was given. */
static weft_status learn_late(weft_player *player, const weft__late *late, weft_answer *answer,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer learnt;
    TRY(weft__rival_learn(self_of(player), late->pair, late->label, &learnt, error));
    *answer = late->answer;
    answer->mistake = answer->label != late->label;
    answer->error_probability = answer->mistake;
done:
    return status;
}

static weft_counters counters(const weft_player *player)
{
    (void)player;
    return (weft_counters){0};
}

static weft_status write(const weft_player *player, void *buffer, size_t *size, weft_error *error)
{
    return weft__rival_write(look_at(player), buffer, size, error);
}

static weft_status clone(const weft_player *player, weft__progress *progress, weft_player **copy,
                         weft_error *error)
{
    (void)progress;
    weft__rival *made = NULL;
    weft_status status = weft__rival_clone(look_at(player), &made, error);
    if (status == WEFT_OK)
        *copy = &made->player;
    return status;
}

static weft_status sibling(const weft_player *player, weft_player **fresh, weft_error *error)
{
    return weft_rival_create(player->rows, player->columns, &look_at(player)->settings, &player->memory,
                             fresh, error);
}

/* The two change places, byte by byte: nothing in a rival points to itself. */
static weft_status reset(weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_memory memory = player->memory;
    size_t size = look_at(player)->ops->size;
    weft_player *fresh = NULL;
    void *old = NULL;
    TRY(sibling(player, &fresh, error));
    TRY(weft__new(&memory, (int64_t)size, 1, &old, error));
    memcpy(old, player, size);
    memcpy(player, fresh, size);
    memcpy(fresh, old, size);
done:
    weft__delete(&memory, old);
    weft_player_free(fresh);
    return status;
}

static void release(weft_player *player)
{
    weft__rival_free(self_of(player));
}

/* ---- A rival as a member of a committee ---- */

static weft_status check(const weft_player *player, const int64_t pair[2], weft_error *error)
{
    return weft__rival_check(look_at(player), pair, error);
}

/* Most have log-odds for scores; those of a majority are a share of labels, in [-1, 1], whose log-odds have
 * slope 2 at 0. */
static double slope_of(const weft__rival *rival)
{
    return rival->ops == &weft__rival_majority ? 2 : 1;
}

static double log_odds(const weft_player *player, const weft_answer *answer)
{
    return weft__asinh(slope_of(look_at(player)) * answer->score);
}

bool weft__rival_has_many(const weft_player *player)
{
    const weft__rival *rival = weft__rival_in(player);
    return rival != NULL && rival->ops->score_many != NULL;
}

/* The first pair that it does not know fails as it does alone. */
static weft_status check_block(const weft__rival *rival, const weft__block *block, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *side = weft__rival_side(rival, block->place);
    for (int64_t b = 0; b < block->count; b++) {
        int64_t pair[2] = {block->id, block->id};
        pair[block->place] = block->ids[b];
        if (b == 0 || !weft__side_has(side, block->ids[b]))
            TRY(weft__rival_check(rival, pair, error));
    }
done:
    return status;
}

weft_status weft__rival_odds_many(weft_player *player, weft__block *block, double *odds, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *rival = self_of(player);
    double slope = slope_of(rival);
    TRY(check_block(rival, block, error));
    rival->asked = false;
    TRY(rival->ops->score_many(rival, block, odds, error));
    /* Many that are new have the same score. */
    double score = NAN, last = NAN;
    for (int64_t b = 0; b < block->count; b++) {
        last = odds[b] == score ? last : weft__asinh(slope * odds[b]);
        score = odds[b];
        odds[b] = last;
    }
done:
    return status;
}

static bool can_renumber(const weft_player *player)
{
    return weft__rival_can_renumber(look_at(player));
}

static weft_status renumber(weft_player *player, const weft__numbers *numbers, weft_error *error)
{
    weft__rival *rival = self_of(player);
    rival->asked = false;
    return rival->ops->renumber(rival, numbers, error);
}

static double price(const weft_player *player, int products, int64_t seen)
{
    const weft__rival *rival = look_at(player);
    (void)products;
    return rival->ops->price(rival, seen);
}

static double bytes(const weft_player *player)
{
    const weft__rival *rival = look_at(player);
    return rival->ops->bytes(rival);
}

static void empty(weft_player *player)
{
    weft__rival *rival = self_of(player);
    rival->asked = false;
    rival->ops->empty(rival);
}

static bool share(weft_player *player, int place, weft__column_cache *cache)
{
    weft__rival *rival = self_of(player);
    return rival->ops->share != NULL && rival->ops->share(rival, place, cache);
}

static bool is_stranger(const weft_player *player, int place, int64_t id)
{
    const weft__rival *rival = look_at(player);
    return rival->ops->is_stranger != NULL && rival->ops->is_stranger(rival, place, id);
}

static int64_t next_met(const weft_player *player, int place, int64_t id)
{
    const weft__rival *rival = look_at(player);
    const weft__slots *met = rival->ops->met != NULL ? rival->ops->met(rival, place) : NULL;
    return met != NULL ? weft__slots_next(met, id) : -1;
}

const weft__player_ops weft__rival_player_ops = {
    .kind = WEFT_RIVAL,
    .no_evidence = "it keeps weights and no evidence, and weights cannot be taken apart",
    .predict = predict,
    .evaluate = evaluate,
    .learn = learn,
    .learn_late = learn_late,
    .counters = counters,
    .write = write,
    .clone = clone,
    .read = weft_rival_read,
    .sibling = sibling,
    .reset = reset,
    .release = release,
    .put_entries = weft__rival_put_entries,
    .put_changed = weft__rival_put_changed,
    .put_rest = weft__rival_put_rest,
    .join = weft__rival_join,
    .check = check,
    .log_odds = log_odds,
    .can_renumber = can_renumber,
    .renumber = renumber,
    .price = price,
    .bytes = bytes,
    .empty = empty,
    .share = share,
    .is_stranger = is_stranger,
    .next_met = next_met,
};

/* ---- Public ---- */

weft_status weft_rival_create(const weft_side *rows, const weft_side *columns,
                              const weft_rival_settings *settings, const weft_memory *memory,
                              weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *made = NULL;
    NEED(rows);
    NEED(settings);
    NEED(player);
    TRY(weft__rival_begin(rows, columns, settings, memory, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_status weft_rival_read(const weft_side *rows, const weft_side *columns, const void *buffer, size_t size,
                            const weft_memory *memory, weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *made = NULL;
    NEED(rows);
    NEED(buffer);
    NEED(player);
    TRY(weft__rival_restore(rows, columns, buffer, size, memory, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_rival_settings weft_rival_settings_of(const weft_player *player)
{
    const weft__rival *rival = weft__rival_in(player);
    return rival != NULL ? rival->settings : (weft_rival_settings){0};
}
