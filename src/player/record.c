/* SPDX-License-Identifier: MIT
 *
 * Records: what must be known of an answer to learn its label later.  8-byte little-endian fields, in this
 * order:
 *
 *     magic, version, kind, row, column, labels that had been learnt
 *     answer   label probability score vote threshold margin lower upper certified products asked t
 *     context  count, digests (version 3, which only the record of a question with fields of context is)
 *     what the kind has to add (committee/late.c)
 *
 * A record comes from anywhere: whatever it says, the player stays one. */
#include "player/turn.h"

#include <limits.h>
#include <math.h>

/* "weftansw", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x77736e6174666577);

enum { VERSION = 2, VERSION_CONTEXT = 3 };

/* ---- Writing ---- */

static void put_answer(weft__encoder *w, const weft_answer *answer)
{
    weft__put_integer(w, answer->label);
    weft__put_double(w, answer->probability);
    weft__put_double(w, answer->score);
    weft__put_double(w, answer->vote);
    weft__put_double(w, answer->threshold);
    weft__put_double(w, answer->margin);
    weft__put_double(w, answer->lower);
    weft__put_double(w, answer->upper);
    weft__put_integer(w, answer->certified);
    weft__put_integer(w, answer->products);
    weft__put_integer(w, answer->asked);
    weft__put_integer(w, answer->t);
}

static void put_record(weft__encoder *w, const weft_player *player, const int64_t pair[2],
                       const weft_answer *answer)
{
    bool has_context = player->context.count > 0;
    weft__put_integer(w, MAGIC);
    weft__put_integer(w, has_context ? VERSION_CONTEXT : VERSION);
    weft__put_integer(w, player->ops->kind);
    weft__put_integer(w, pair[0]);
    weft__put_integer(w, pair[1]);
    weft__put_integer(w, player->ops->counters(player).t);
    put_answer(w, answer);
    if (has_context)
        weft__context_put(&player->context, w);
    if (player->ops->put_record != NULL)
        player->ops->put_record(player, w);
}

static size_t size_of(const weft_player *player)
{
    weft__encoder counting = {NULL, 0};
    put_record(&counting, player, (const int64_t[]){0, 0}, &(weft_answer){0});
    return counting.size;
}

/* With the context of another question than the next one. */
static size_t size_with(const weft_player *player, const weft__context *context)
{
    weft__encoder own = {NULL, 0}, other = {NULL, 0};
    if (player->context.count > 0)
        weft__context_put(&player->context, &own);
    if (context->count > 0)
        weft__context_put(context, &other);
    return size_of(player) - own.size + other.size;
}

weft_status weft_player_record(weft_player *player, int64_t row, int64_t column, int64_t t, void *record,
                               size_t *size, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer answer;
    const int64_t pair[2] = {row, column};
    NEED(player);
    NEED(size);
    size_t needed = size_of(player);
    if (record != NULL) {
        if (*size < needed)
            return weft__fail(error, WEFT_ARGUMENT, "the buffer has %zu bytes, expected %zu", *size, needed);
        TRY(weft_player_predict_at(player, row, column, t, &answer, error));
        put_record(&(weft__encoder){record, 0}, player, pair, &answer);
    }
    *size = needed;
done:
    return status;
}

/* ---- Reading ---- */

static weft_status damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_INPUT, "the record of the answer is damaged: %s", what);
}

weft_status weft_record_set_pair(void *record, size_t size, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(record);
    if (row < 0 || column < 0)
        return weft__fail(error, WEFT_ARGUMENT, "the pair is %lld, %lld, expected numbers of at least 0",
                          (long long)row, (long long)column);
    weft__decoder r = {record, size, false};
    int64_t magic = weft__get_integer(&r), version = weft__get_integer(&r);
    weft__get_integer(&r);
    unsigned char *at = (unsigned char *)record + (size - r.left);
    weft__get_integer(&r);
    weft__get_integer(&r);
    if (r.failed || magic != MAGIC || version < VERSION || version > VERSION_CONTEXT)
        return damaged(error, "it does not begin as one");
    weft__encoder w = {at, 0};
    weft__put_integer(&w, row);
    weft__put_integer(&w, column);
done:
    return status;
}

static bool is_within(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

/* False for what no player answers. */
static bool get_answer(weft__decoder *r, weft_kind kind, weft_answer *answer)
{
    int64_t label = weft__get_integer(r);
    *answer = (weft_answer){.label = label > 0 ? 1 : -1, .probability = weft__get_double(r)};
    answer->score = weft__get_double(r);
    answer->vote = weft__get_double(r);
    answer->threshold = weft__get_double(r);
    answer->margin = weft__get_double(r);
    answer->lower = weft__get_double(r);
    answer->upper = weft__get_double(r);
    int64_t certified = weft__get_integer(r), products = weft__get_integer(r);
    answer->certified = certified != 0;
    answer->products = is_within(products, 0, WEFT__MOST_PRODUCTS) ? (int)products : -1;
    answer->asked = weft__get_integer(r);
    answer->t = weft__get_integer(r);
    bool bracket =
        kind == WEFT_LEARNER
            ? isfinite(answer->margin) && answer->lower <= answer->margin && answer->margin <= answer->upper
            : isnan(answer->margin) && answer->lower == -INFINITY && answer->upper == INFINITY;
    return !r->failed && bracket && (label == 1 || label == -1) && answer->probability >= 0 &&
           answer->probability <= 1 && isfinite(answer->score) && answer->vote >= 0 && answer->vote <= 1 &&
           isfinite(answer->threshold) && is_within(certified, 0, 1) && answer->products >= 0 &&
           is_within(answer->asked, 1, WEFT__MOST_COUNT) && is_within(answer->t, 0, WEFT__MOST_COUNT);
}

static weft_status get_head(weft__decoder *r, weft_kind kind, bool *has_context, weft_error *error)
{
    if (weft__get_integer(r) != MAGIC)
        return weft__fail(error, WEFT_INPUT, "these bytes are not the record of an answer");
    int64_t version = weft__get_integer(r), found = weft__get_integer(r);
    if (version != VERSION && version != VERSION_CONTEXT)
        return weft__fail(error, WEFT_INPUT, "the record of the answer is of version %lld, expected %d or %d",
                          (long long)version, VERSION, VERSION_CONTEXT);
    *has_context = version == VERSION_CONTEXT;
    if (found != (int64_t)kind) {
        const char *name = is_within(found, 0, INT_MAX) ? weft_kind_name((weft_kind)found) : NULL;
        return name == NULL ? damaged(error, "no kind of player has made it")
                            : weft__fail(error, WEFT_ARGUMENT, "a %s has made the answer, expected a %s",
                                         name, weft_kind_name(kind));
    }
    return WEFT_OK;
}

static weft_status read_record(const weft_player *player, const void *record, size_t size, weft__late *late,
                               weft__context *context, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__decoder r = {record, size, false};
    bool has_context = false;
    TRY(get_head(&r, player->ops->kind, &has_context, error));
    for (int i = 0; i < 2; i++)
        late->pair[i] = weft__get_integer(&r);
    late->labels = weft__get_integer(&r);
    bool possible = get_answer(&r, player->ops->kind, &late->answer);
    *context = (weft__context){.count = 0};
    if (has_context && (!weft__context_get(context, &r) || context->count == 0))
        return damaged(error, "its context is none");
    size_t expected = size_with(player, context);
    if (size != expected)
        return weft__fail(error, WEFT_ARGUMENT,
                          "the record of the answer has %zu bytes, expected %zu: it is cut short, or of "
                          "a player with other members",
                          size, expected);
    if (!possible || !is_within(late->labels, 0, WEFT__MOST_COUNT))
        return damaged(error, "nobody answers what it says");
    late->said = r;
done:
    return status;
}

weft_status weft__record_question(const weft_player *player, const void *record, size_t size, int64_t pair[2],
                                  weft__context *context, weft_error *error)
{
    weft__late late = {0};
    weft_status status = WEFT_OK;
    TRY(read_record(player, record, size, &late, context, error));
    pair[0] = late.pair[0];
    pair[1] = late.pair[1];
done:
    return status;
}

/* ---- Learning ---- */

weft_status weft_player_learn_late(weft_player *player, const void *record, size_t size, int label,
                                   weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer result = {0};
    weft__late late = {.label = label};
    weft__context context;
    NEED(player);
    NEED(record);
    TRY(weft__need_sides(player, error));
    TRY(weft__check_label(label, false, error));
    TRY(read_record(player, record, size, &late, &context, error));
    TRY(weft__check_named(player, late.pair[0], late.pair[1], error));
    bool in_between = player->ops->counters(player).t != late.labels;
    const weft__label_event learnt = {.way = WEFT__BY_RECORD,
                                      .pair = {late.pair[0], late.pair[1]},
                                      .label = label,
                                      .record = record,
                                      .size = size};
    weft__player_begin_label(player);
    const weft__context next = player->context;
    player->context = context;
    status = player->ops->learn_late(player, &late, &result, error);
    player->context = next;
    TRY(weft__player_end_label(player, &learnt, status));
    /* The theorems know no delay; a committee has its drift. */
    player->disturbed = player->disturbed || (in_between && player->ops->kind == WEFT_LEARNER);
    if (answer != NULL)
        *answer = result;
done:
    return status;
}

weft_status weft_player_learn_anew(weft_player *player, int64_t row, int64_t column, int label,
                                   weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer result = {0};
    weft__label_event learnt = {.way = WEFT__BY_PAIR_ANEW, .pair = {row, column}, .label = label};
    NEED(player);
    learnt.context = player->context;
    TRY(weft__need_sides(player, error));
    TRY(weft__check_label(label, false, error));
    TRY(weft__check_named(player, row, column, error));
    weft__player_begin_label(player);
    status = player->ops->learn(player, learnt.pair, label, &result, error);
    if (status == WEFT_OK && player->ops->count_anew != NULL)
        player->ops->count_anew(player);
    TRY(weft__player_end_label(player, &learnt, status));
    result.anew = true;
    if (answer != NULL)
        *answer = result;
done:
    return status;
}
