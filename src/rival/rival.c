/* SPDX-License-Identifier: MIT
 *
 * The public calls: names, settings, and the order of a pair; the rest is behind
 * the table of functions of the kind. */
#include "rival/rival.h"

#include "base/elementary.h"

#include <math.h>

/* ---- The kinds ---- */

static const char *const names[WEFT_RIVALS] = {
#define XX(name, text, knob) [WEFT_RIVAL_##name] = (text),
    WEFT_RIVAL_MAP(XX)
#undef XX
};

static const char *const knobs[WEFT_RIVALS] = {
#define XX(name, text, knob) [WEFT_RIVAL_##name] = (knob),
    WEFT_RIVAL_MAP(XX)
#undef XX
};

static const weft__rival_ops *const kinds[WEFT_RIVALS] = {
    [WEFT_RIVAL_CONSTANT] = &weft__rival_majority,        [WEFT_RIVAL_ROW_MAJORITY] = &weft__rival_majority,
    [WEFT_RIVAL_COLUMN_MAJORITY] = &weft__rival_majority, [WEFT_RIVAL_BIAS] = &weft__rival_logistic,
    [WEFT_RIVAL_LOGISTIC] = &weft__rival_logistic,        [WEFT_RIVAL_FACTORS] = &weft__rival_factors,
    [WEFT_RIVAL_SUM] = &weft__rival_perceptron,           [WEFT_RIVAL_PRODUCT] = &weft__rival_perceptron,
    [WEFT_RIVAL_SQUARE] = &weft__rival_perceptron,        [WEFT_RIVAL_HYBRID] = &weft__rival_hybrid,
    [WEFT_RIVAL_CROSSED] = &weft__rival_logistic,
};

/* Chosen by measurement over the sets that docs/rivals.md names: on each of them one
 * of the three is near the best. */
static const double rates_of[WEFT_RIVALS][3] = {
    [WEFT_RIVAL_BIAS] = {0.1, 0.3, 1},      [WEFT_RIVAL_LOGISTIC] = {0.2, 0.6, 2},
    [WEFT_RIVAL_FACTORS] = {0.1, 0.2, 0.4}, [WEFT_RIVAL_SUM] = {0.1, 1, 3},
    [WEFT_RIVAL_PRODUCT] = {0.1, 1, 3},     [WEFT_RIVAL_SQUARE] = {0.1, 1, 3},
    [WEFT_RIVAL_HYBRID] = {0.1, 0.3, 1},    [WEFT_RIVAL_CROSSED] = {0.2, 0.6, 2},
};

static bool is_kind(weft_rival_kind kind)
{
    return (int)kind >= 0 && (int)kind < WEFT_RIVALS;
}

const char *weft_rival_name(weft_rival_kind kind)
{
    return is_kind(kind) ? names[kind] : NULL;
}

const char *weft_rival_knob(weft_rival_kind kind)
{
    return is_kind(kind) ? knobs[kind] : "";
}

void weft_rival_rates(weft_rival_kind kind, double rates[3])
{
    for (int k = 0; rates != NULL && k < 3; k++)
        rates[k] = is_kind(kind) ? rates_of[kind][k] : 0;
}

/* ---- What the kinds share ---- */

const weft_side *weft__rival_side(const weft__rival *rival, int which)
{
    return which == 0 || rival->player.columns == NULL ? rival->player.rows : rival->player.columns;
}

double weft__sigmoid(double x)
{
    /* exp of what is not positive cannot overflow. */
    double e = weft__exp(-fabs(x));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/* ---- Settings ---- */

enum { FACTORS_MAX = 1 << 16, BITS_MAX = 30, REPLAY_MAX = 1 << 10, WINDOW_MAX = 1 << 24 };

/* A weight moves by at most its rate a trial, so that with this limit no sum of
 * products of weights overflows in 2^53 trials. */
static const double RATE_MAX = 1e6;

static weft_status check_settings(const weft_rival_settings *s, weft_error *error)
{
    if (!is_kind(s->kind))
        return weft__fail(error, WEFT_ARGUMENT, "the kind of rival is %d; expected 0 to %d", (int)s->kind,
                          WEFT_RIVALS - 1);
    if (!(s->rate >= 0 && s->rate <= RATE_MAX))
        return weft__fail(error, WEFT_ARGUMENT, "%s: the %s is %g; expected a number from 0 to %g",
                          names[s->kind], knobs[s->kind][0] != 0 ? knobs[s->kind] : "rate", s->rate,
                          RATE_MAX);
    if (s->factors < 0 || s->factors > FACTORS_MAX)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the number of factors is %lld; expected 1 to %d, or 0 for some",
                          names[s->kind], (long long)s->factors, FACTORS_MAX);
    if (s->bits < 0 || s->bits > BITS_MAX)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the number of bits is %d; expected 1 to %d, or 0 for 20",
                          names[s->kind], s->bits, BITS_MAX);
    if (s->replay < -1 || s->replay > REPLAY_MAX)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: %d events are to be learnt again; expected 1 to %d, 0 for 9, or -1 for none",
                          names[s->kind], s->replay, REPLAY_MAX);
    if (s->window < 0 || s->window > WINDOW_MAX)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the window is %lld; expected 1 to %d, or 0 for 16384",
                          names[s->kind], (long long)s->window, WINDOW_MAX);
    if (!(s->shrink >= 0 && s->shrink <= 1))
        return weft__fail(error, WEFT_ARGUMENT, "%s: shrink is %g; expected 0 to 1", names[s->kind],
                          s->shrink);
    return WEFT_OK;
}

static weft_rival_settings fill_in(const weft_rival_settings *given)
{
    weft_rival_settings s = *given;
    bool margin = kinds[s.kind] == &weft__rival_perceptron;
    if (s.rate == 0 && !margin)
        s.rate = rates_of[s.kind][1];
    if (s.factors == 0)
        s.factors = s.kind == WEFT_RIVAL_HYBRID ? 15 : 10;
    if (s.replay == 0)
        s.replay = 9;
    if (s.window == 0)
        s.window = 1 << 14;
    if (s.bits == 0)
        s.bits = 20;
    if (s.seed == 0)
        s.seed = 1;
    return s;
}

/* ---- Making and asking ---- */

weft_status weft__rival_begin(const weft_side *rows, const weft_side *columns,
                              const weft_rival_settings *settings, const weft_memory *memory,
                              weft__rival **rival, weft_error *error)
{
    weft__rival *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_memory own = weft__memory_or_default(memory);
    TRY(check_settings(settings, error));
    const weft__rival_ops *kind = kinds[settings->kind];
    TRY(weft__new(&own, 1, kind->size, &fresh, error));
    fresh->player.ops = &weft__rival_player_ops;
    fresh->ops = kind;
    fresh->player.memory = own;
    fresh->settings = fill_in(settings);
    fresh->player.rows = rows;
    fresh->player.columns = columns;
    if (kind->create != NULL)
        TRY(kind->create(fresh, error));
    *rival = fresh;
    fresh = NULL;
done:
    weft__rival_free(fresh);
    return status;
}

void weft__rival_free(weft__rival *rival)
{
    if (rival == NULL)
        return;
    weft_memory memory = rival->player.memory;
    rival->ops->release(rival);
    weft__delete(&memory, rival);
}

bool weft__rival_can_renumber(const weft__rival *rival)
{
    bool hashed = rival->settings.kind == WEFT_RIVAL_LOGISTIC || rival->settings.kind == WEFT_RIVAL_CROSSED;
    return rival->ops->renumber != NULL && !hashed;
}

weft_status weft__renumbered(const weft__numbers *numbers, int which, int64_t i, int64_t *number,
                             weft_error *error)
{
    if (i >= numbers->count[which])
        return weft__fail_at(error, WEFT_ARGUMENT, i, -1,
                             "%s %lld of the other rival has no number, expected one for all %lld",
                             which == 0 ? "row" : "column", (long long)i, (long long)numbers->count[which]);
    *number = numbers->of[which][i];
    return WEFT_OK;
}

static weft_status check_id(const weft_side *side, int64_t id, const char *what, weft_error *error)
{
    if (!weft__side_has(side, id))
        return weft__fail_at(error, WEFT_UNKNOWN_ID, id, -1, "%s %lld is not known: there are %lld of them",
                             what, (long long)id, (long long)side->count);
    return WEFT_OK;
}

void weft__rival_order(const weft__rival *rival, const int64_t pair[2], int64_t ordered[2])
{
    bool swap = rival->player.columns == NULL && pair[0] > pair[1];
    ordered[0] = pair[swap ? 1 : 0];
    ordered[1] = pair[swap ? 0 : 1];
}

static weft_status order_pair(const weft__rival *rival, int64_t row, int64_t column, int64_t pair[2],
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    bool one_set = rival->player.columns == NULL;
    TRY(check_id(weft__rival_side(rival, 0), row, one_set ? "id" : "row", error));
    TRY(check_id(weft__rival_side(rival, 1), column, one_set ? "id" : "column", error));
    weft__rival_order(rival, (const int64_t[]){row, column}, pair);
done:
    return status;
}

weft_status weft__rival_check(const weft__rival *rival, const int64_t pair[2], weft_error *error)
{
    int64_t ordered[2];
    return order_pair(rival, pair[0], pair[1], ordered, error);
}

/* Whether this is what it was asked last. */
static bool is_asked(const weft__rival *rival, const int64_t ordered[2])
{
    return rival->asked && rival->pair[0] == ordered[0] && rival->pair[1] == ordered[1] &&
           weft__context_equal(&rival->context, &rival->player.context);
}

/* Nothing is drawn: what it predicts is certain. */
weft_status weft__rival_predict(weft__rival *rival, const int64_t pair[2], weft_answer *answer,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t ordered[2];
    double score = 0;
    TRY(order_pair(rival, pair[0], pair[1], ordered, error));
    TRY(rival->ops->score(rival, ordered, &score, error));
    rival->answer = (weft_answer){.label = score >= 0 ? 1 : -1,
                                  .probability = rival->ops->probability(score),
                                  .score = score,
                                  .vote = score >= 0,
                                  .margin = NAN,
                                  .lower = -INFINITY,
                                  .upper = INFINITY,
                                  .certified = true,
                                  .asked = 1};
    rival->pair[0] = ordered[0];
    rival->pair[1] = ordered[1];
    rival->context = rival->player.context;
    rival->asked = true;
    *answer = rival->answer;
done:
    return status;
}

weft_status weft__rival_learn(weft__rival *rival, const int64_t pair[2], int label, weft_answer *answer,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer result = {0};
    int64_t ordered[2];
    TRY(order_pair(rival, pair[0], pair[1], ordered, error));
    if (!is_asked(rival, ordered))
        TRY(weft__rival_predict(rival, pair, &result, error));
    result = rival->answer;
    TRY(rival->ops->learn(rival, ordered, label, error));
    rival->asked = false;
    result.mistake = result.label != label;
    result.error_probability = result.mistake;
    *answer = result;
done:
    return status;
}
