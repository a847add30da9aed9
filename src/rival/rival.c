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

static const weft__rival_kind *const kinds[WEFT_RIVALS] = {
    [WEFT_RIVAL_CONSTANT] = &weft__rival_majority,        [WEFT_RIVAL_ROW_MAJORITY] = &weft__rival_majority,
    [WEFT_RIVAL_COLUMN_MAJORITY] = &weft__rival_majority, [WEFT_RIVAL_BIAS] = &weft__rival_logistic,
    [WEFT_RIVAL_LOGISTIC] = &weft__rival_logistic,        [WEFT_RIVAL_FACTORS] = &weft__rival_factors,
    [WEFT_RIVAL_SUM] = &weft__rival_perceptron,           [WEFT_RIVAL_PRODUCT] = &weft__rival_perceptron,
    [WEFT_RIVAL_SQUARE] = &weft__rival_perceptron,
};

/* Chosen by measurement over the sets that docs/rivals.md names: on each of them one
 * of the three is near the best. */
static const double rates_of[WEFT_RIVALS][3] = {
    [WEFT_RIVAL_BIAS] = {0.1, 0.3, 1},      [WEFT_RIVAL_LOGISTIC] = {0.2, 0.6, 2},
    [WEFT_RIVAL_FACTORS] = {0.1, 0.2, 0.4}, [WEFT_RIVAL_SUM] = {0.1, 1, 3},
    [WEFT_RIVAL_PRODUCT] = {0.1, 1, 3},     [WEFT_RIVAL_SQUARE] = {0.1, 1, 3},
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
    for (int k = 0; k < 3; k++)
        rates[k] = is_kind(kind) ? rates_of[kind][k] : 0;
}

/* ---- What the kinds share ---- */

const weft_side *weft__rival_side(const weft_rival *rival, int which)
{
    return which == 0 || rival->columns == NULL ? rival->rows : rival->columns;
}

double weft__sigmoid(double x)
{
    /* exp of what is not positive cannot overflow. */
    double e = weft__exp(-fabs(x));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/* ---- Settings ---- */

enum { FACTORS_MAX = 1 << 16, BITS_MAX = 30 };

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
                          "%s: the number of factors is %lld; expected 1 to %d, or 0 for 10", names[s->kind],
                          (long long)s->factors, FACTORS_MAX);
    if (s->bits < 0 || s->bits > BITS_MAX)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the number of bits is %d; expected 1 to %d, or 0 for 20",
                          names[s->kind], s->bits, BITS_MAX);
    return WEFT_OK;
}

static weft_rival_settings fill_in(const weft_rival_settings *given)
{
    weft_rival_settings s = *given;
    bool margin = kinds[s.kind] == &weft__rival_perceptron;
    if (s.rate == 0 && !margin)
        s.rate = rates_of[s.kind][1];
    if (s.factors == 0)
        s.factors = 10;
    if (s.bits == 0)
        s.bits = 20;
    if (s.seed == 0)
        s.seed = 1;
    return s;
}

/* ---- Making and asking ---- */

weft_status weft_rival_create(const weft_side *rows, const weft_side *columns,
                              const weft_rival_settings *settings, const weft_memory *memory,
                              weft_rival **rival, weft_error *error)
{
    weft_rival *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_memory own = weft__memory(memory);
    TRY(check_settings(settings, error));
    const weft__rival_kind *kind = kinds[settings->kind];
    TRY(weft__new(&own, 1, kind->size, &fresh, error));
    fresh->kind = kind;
    fresh->memory = own;
    fresh->settings = fill_in(settings);
    fresh->rows = rows;
    fresh->columns = columns;
    if (kind->create != NULL)
        TRY(kind->create(fresh, error));
    *rival = fresh;
    fresh = NULL;
done:
    weft_rival_free(fresh);
    return status;
}

void weft_rival_free(weft_rival *rival)
{
    if (rival == NULL)
        return;
    weft_memory memory = rival->memory;
    rival->kind->release(rival);
    weft__delete(&memory, rival);
}

weft_rival_settings weft_rival_settings_of(const weft_rival *rival)
{
    return rival->settings;
}

static weft_status check_id(const weft_side *side, int64_t id, const char *what, weft_error *error)
{
    if (id < 0 || id >= side->count)
        return weft__fail_at(error, WEFT_UNKNOWN_ID, id, -1, "%s %lld is not known: there are %lld of them",
                             what, (long long)id, (long long)side->count);
    return WEFT_OK;
}

/* The pair as the kinds see it: for one set of ids the smaller one first. */
static weft_status order_pair(const weft_rival *rival, int64_t row, int64_t column, int64_t pair[2],
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    bool one_set = rival->columns == NULL;
    TRY(check_id(weft__rival_side(rival, 0), row, one_set ? "id" : "row", error));
    TRY(check_id(weft__rival_side(rival, 1), column, one_set ? "id" : "column", error));
    bool swap = one_set && row > column;
    pair[0] = swap ? column : row;
    pair[1] = swap ? row : column;
done:
    return status;
}

weft_status weft_rival_predict(weft_rival *rival, int64_t row, int64_t column, weft_opinion *opinion,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t pair[2];
    double score = 0;
    TRY(order_pair(rival, row, column, pair, error));
    TRY(rival->kind->score(rival, pair, &score, error));
    *opinion = (weft_opinion){score >= 0 ? 1 : -1, score, rival->kind->probability(score)};
done:
    return status;
}

weft_status weft_rival_learn(weft_rival *rival, int64_t row, int64_t column, int label, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t pair[2];
    if (label != -1 && label != 1)
        return weft__fail(error, WEFT_ARGUMENT, "the label is %d; expected -1 or 1", label);
    TRY(order_pair(rival, row, column, pair, error));
    TRY(rival->kind->learn(rival, pair, label, error));
done:
    return status;
}
