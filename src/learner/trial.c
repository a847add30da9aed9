/* SPDX-License-Identifier: MIT
 *
 * The protocol: a trial is predict(row, column), then learn(label).
 *
 *     threshold   Y_t uniform on (-gamma, gamma), from (seed, t); 0 with mistake
 *                 updates or deterministic predictions
 *     prediction  +1 iff margin >= Y_t
 *     update      mistake updates: iff the prediction was wrong
 *                 margin updates:  iff y * margin < gamma
 *
 * The margin is known as a bracket, which is narrowed until it excludes what it
 * must be compared with; the same sequence goes on when the label arrives.
 * Reference: Herbster, Pasteris, Tse, Algorithms 1 and 2. */
#include "base/random.h"
#include "learner/learner.h"

#include <math.h>

static bool draws(const weft_settings *settings)
{
    return settings->updates == WEFT_MARGIN_UPDATES && !settings->deterministic;
}

static double threshold_of(const weft_learner *learner)
{
    const weft_settings *s = &learner->settings;
    return draws(s) ? s->gamma * (2 * weft__uniform(s->seed, (uint64_t)learner->counters.t) - 1) : 0;
}

static weft__reading reading_of(const weft_learner *learner)
{
    const weft__engine *engine = learner->engine;
    weft__reading reading = {.log_kappa = learner->log_kappa, .s = learner->pending.embedding.s};
    for (int v = 0; v < learner->form->vectors; v++)
        reading.bracket[v] = engine->kind->bracket(engine, v);
    return reading;
}

static void begin_sequences(weft_learner *learner)
{
    double b = weft__bound_value(&learner->pending.bound);
    for (int v = 0; v < learner->form->vectors; v++)
        learner->engine->kind->begin(learner->engine, v, &learner->pending.start[v], b);
}

/* Turns to (row, column), unless that is what the engine is working on. */
static weft_status begin(weft_learner *learner, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__pending *p = &learner->pending;
    weft__space *space = learner->space;
    if (p->valid && p->pair[0] == row && p->pair[1] == column)
        return WEFT_OK;
    p->valid = false;
    TRY(weft__learner_admit(learner, error));
    *p = (weft__pending){.pair = {row, column}, .bound = learner->bound};
    p->embedding = learner->form->embed(weft__view_diagonal(&space->view[0], row),
                                        weft__view_diagonal(weft__space_columns(space), column));
    for (int v = 0; v < learner->form->vectors; v++)
        p->start[v] = weft__space_embed(space, p->pair, p->embedding.value[v], learner->image[v]);
    begin_sequences(learner);
    p->valid = true;
done:
    return status;
}

/* A bound that a Ritz value contradicts is computed anew, once a trial; the
 * learner takes it over when it learns. */
static bool mend_bound(weft_learner *learner)
{
    weft__pending *p = &learner->pending;
    bool wrong = false;
    for (int v = 0; v < learner->form->vectors; v++)
        wrong = wrong || learner->engine->kind->bracket(learner->engine, v)->contradiction;
    if (!wrong || p->redone)
        return false;
    p->redone = true;
    for (int v = 0; v < learner->form->vectors; v++)
        p->extra_products += learner->engine->kind->bracket(learner->engine, v)->products;
    p->bound = weft__bound_recompute(learner->space, learner->form->raising, learner->dimensions,
                                     learner->work, &p->extra_products);
    begin_sequences(learner);
    return true;
}

static double gap(const weft__bracket *b)
{
    return b->log_upper - b->log_lower > 0 ? exp(fmin(b->log_upper, 700)) - exp(fmin(b->log_lower, 700)) : 0;
}

/* One more half step, of the wider bracket first. */
static bool advance(weft_learner *learner)
{
    weft__engine *engine = learner->engine;
    int first = 0;
    if (learner->form->vectors == 2 &&
        gap(engine->kind->bracket(engine, 1)) > gap(engine->kind->bracket(engine, 0)))
        first = 1;
    for (int i = 0; i < learner->form->vectors; i++) {
        bool gained = engine->kind->advance(engine, (first + i) % 2);
        /* At once: a bracket with a wrong bound may look closed. */
        if (mend_bound(learner) || gained)
            return true;
    }
    return false;
}

static bool narrow_enough(const weft_learner *learner, const weft__margin *margin)
{
    const weft_settings *s = &learner->settings;
    double middle = margin->lower / 2 + margin->upper / 2;
    return !(s->tolerance > 0) ||
           margin->upper - margin->lower <= s->tolerance * fmax(s->gamma, fabs(middle));
}

/* Narrows the bracket until it excludes `level`; +1 for margin >= level, -1 for
 * below.  A tie that rounding does not let decide goes by the best guess. */
static int decide(weft_learner *learner, double level, bool *certified)
{
    for (;;) {
        weft__reading reading = reading_of(learner);
        int side = learner->form->compare(&reading, level);
        *certified = side != 0;
        if (side != 0)
            return side;
        if (!advance(learner))
            return learner->form->margin(&reading).guess >= level ? 1 : -1;
    }
}

static weft__margin narrowed(weft_learner *learner)
{
    for (;;) {
        weft__reading reading = reading_of(learner);
        weft__margin margin = learner->form->margin(&reading);
        if (narrow_enough(learner, &margin) || !advance(learner))
            return margin;
    }
}

static double clip(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* The prediction that the bracket stands for now. */
static weft_prediction report(const weft_learner *learner, weft__margin margin, int label, bool certified)
{
    const weft__engine *engine = learner->engine;
    int products = (int)learner->pending.extra_products;
    for (int v = 0; v < learner->form->vectors; v++)
        products += engine->kind->bracket(engine, v)->products;
    double middle =
        certified ? margin.lower / 2 + margin.upper / 2 : clip(margin.guess, margin.lower, margin.upper);
    return (weft_prediction){.label = label,
                             .threshold = threshold_of(learner),
                             .margin = middle,
                             .lower = margin.lower,
                             .upper = margin.upper,
                             .probability = clip(0.5 + middle / (2 * learner->settings.gamma), 0, 1),
                             .products = products,
                             .certified = certified};
}

weft_status weft_learner_predict(weft_learner *learner, int64_t row, int64_t column,
                                 weft_prediction *prediction, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool certified = false;
    TRY(weft__learner_check(learner, row, column, error));
    TRY(begin(learner, row, column, error));
    int label = decide(learner, threshold_of(learner), &certified);
    weft__margin margin = narrowed(learner);
    *prediction = report(learner, margin, label, certified);
done:
    return status;
}

/* Is y * margin < gamma? */
static bool within_margin(weft_learner *learner, int label)
{
    bool certified = false;
    int side = decide(learner, label * learner->settings.gamma, &certified);
    return label > 0 ? side < 0 : side > 0;
}

/* G(row, column) += label; where the engine fails nothing has changed. */
static weft_status update(weft_learner *learner, int label, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__pending *p = &learner->pending;
    weft__change change[2];
    double coefficient[2];
    int vectors = learner->form->vectors;
    for (int v = 0; v < vectors; v++) {
        coefficient[v] = learner->settings.eta * learner->form->coefficient(v, label, p->embedding.s);
        change[v] = (weft__change){coefficient[v], p->start[v].square,
                                   learner->engine->kind->bracket(learner->engine, v)};
    }
    TRY(learner->engine->kind->update(learner->engine, vectors, coefficient, error));
    weft__bound_update(&p->bound, change, vectors);
    weft__space_add(learner->space, p->pair[0], p->pair[1], label);
done:
    return status;
}

/* The chance that a drawn prediction is wrong; certain where none is drawn. */
static double error_probability(const weft_learner *learner, const weft_prediction *prediction, int label)
{
    if (!draws(&learner->settings))
        return prediction->label != label;
    return label > 0 ? 1 - prediction->probability : prediction->probability;
}

static void count(weft_learner *learner, const weft_outcome *outcome, bool labelled)
{
    weft_counters *c = &learner->counters;
    c->t++;
    c->trials += labelled;
    c->mistakes += outcome->mistake;
    c->updates += outcome->updated;
    c->products += outcome->prediction.products;
    c->expected_mistakes += outcome->error_probability;
}

weft_status weft_learner_learn(weft_learner *learner, int64_t row, int64_t column, int label,
                               weft_outcome *outcome, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_outcome result = {.mistake = false};
    bool certified = false;
    if (label < -1 || label > 1)
        return weft__fail(error, WEFT_ARGUMENT, "the label is %d, expected -1, 0 or +1", label);
    TRY(weft__learner_check(learner, row, column, error));
    /* Everything that an update may need, before the margin is looked at: the
     * workspaces may move. */
    if (label != 0) {
        TRY(weft__learner_check_new(learner, row, column, error));
        TRY(weft__learner_reserve(learner, row, column, error));
    }
    TRY(begin(learner, row, column, error));
    int predicted = decide(learner, threshold_of(learner), &certified);
    result.mistake = label != 0 && predicted != label;
    if (label != 0)
        result.updated = learner->settings.updates == WEFT_MISTAKE_UPDATES ? result.mistake
                                                                           : within_margin(learner, label);
    result.prediction = report(learner, narrowed(learner), predicted, certified);
    if (label != 0)
        result.error_probability = error_probability(learner, &result.prediction, label);
    if (result.updated)
        TRY(update(learner, label, error));
    /* Whatever the engine knows more of this pair, the next trial starts as a
     * resumed run would. */
    learner->bound = learner->pending.bound;
    learner->pending.valid = false;
    count(learner, &result, label != 0);
    if (outcome != NULL)
        *outcome = result;
done:
    return status;
}
