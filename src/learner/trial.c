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
 * must be compared with; the same sequence goes on when the label arrives.  A
 * label that comes late finds another margin: the prediction stays as it was
 * made, and whether y * margin < gamma is asked of the margin as it is then.
 * Reference: Herbster, Pasteris, Tse, Algorithms 1 and 2. */
#include "base/elementary.h"
#include "base/random.h"
#include "learner/learner.h"

#include <math.h>

static bool draws(const weft_settings *settings)
{
    return settings->updates == WEFT_MARGIN_UPDATES && !settings->deterministic;
}

static double threshold_of(const weft_learner *learner, int64_t t)
{
    const weft_settings *s = &learner->settings;
    return draws(s) ? s->gamma * (2 * weft__uniform(s->seed, (uint64_t)t) - 1) : 0;
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
    weft__ground *ground = learner->ground;
    double square[2];
    if (p->valid && p->pair[0] == row && p->pair[1] == column)
        return WEFT_OK;
    p->valid = false;
    TRY(weft__learner_admit(learner, error));
    *p = (weft__pending){.pair = {row, column}, .bound = learner->bound};
    ground->kind->squares(ground, p->pair, square);
    p->embedding = learner->form->embed(square[0], square[1]);
    for (int v = 0; v < learner->form->vectors; v++)
        p->start[v] = ground->kind->embed(ground, p->pair, p->embedding.value[v], learner->image[v]);
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
    p->bound = learner->ground->kind->bound(learner->ground, learner->form->raising, learner->work,
                                            &p->extra_products);
    begin_sequences(learner);
    return true;
}

static double gap(const weft__bracket *b)
{
    return b->log_upper - b->log_lower > 0
               ? weft__exp(fmin(b->log_upper, 700)) - weft__exp(fmin(b->log_lower, 700))
               : 0;
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

static bool narrow_enough(const weft__margin *margin, double gamma, double tolerance)
{
    double middle = margin->lower / 2 + margin->upper / 2;
    return !(tolerance > 0) || margin->upper - margin->lower <= tolerance * fmax(gamma, fabs(middle));
}

/* Narrows the bracket until it excludes `level`; +1 for margin >= level, -1 for
 * below.  A tie that rounding does not let decide goes by the best guess, and
 * where that is `level` itself by tie, +1 or -1. */
static int decide(weft_learner *learner, double level, int tie, bool *certified)
{
    for (;;) {
        weft__reading reading = reading_of(learner);
        int side = learner->form->compare(&reading, level);
        *certified = side != 0;
        if (side != 0)
            return side;
        if (!advance(learner)) {
            double guess = learner->form->margin(&reading).guess;
            return guess > level ? 1 : guess < level ? -1 : tie;
        }
    }
}

static weft__margin narrowed(weft_learner *learner, double tolerance)
{
    for (;;) {
        weft__reading reading = reading_of(learner);
        weft__margin margin = learner->form->margin(&reading);
        if (narrow_enough(&margin, learner->settings.gamma, tolerance) || !advance(learner))
            return margin;
    }
}

static double clip(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* The middle of the bracket; where that is only rounding wide, or a tie was
 * decided by it, the best guess. */
static double middle_of(const weft__margin *margin, bool certified)
{
    double middle = margin->lower / 2 + margin->upper / 2;
    bool closed = margin->upper - margin->lower <= 1e-12 * fmax(1, fabs(middle));
    return certified && !closed ? middle : clip(margin->guess, margin->lower, margin->upper);
}

/* The prediction that the bracket stands for now. */
static weft_prediction report(const weft_learner *learner, double threshold, weft__margin margin, int label,
                              bool certified)
{
    const weft__engine *engine = learner->engine;
    int products = (int)learner->pending.extra_products;
    for (int v = 0; v < learner->form->vectors; v++)
        products += engine->kind->bracket(engine, v)->products;
    double middle = middle_of(&margin, certified);
    return (weft_prediction){.label = label,
                             .threshold = threshold,
                             .margin = middle,
                             .lower = margin.lower,
                             .upper = margin.upper,
                             .probability = clip(0.5 + middle / (2 * learner->settings.gamma), 0, 1),
                             .products = products,
                             .certified = certified};
}

static weft_prediction conclude(weft_learner *learner, double threshold, double tolerance)
{
    bool certified = false;
    int label = decide(learner, threshold, 1, &certified);
    weft__margin margin = narrowed(learner, tolerance);
    return report(learner, threshold, margin, label, certified);
}

weft_status weft_learner_predict_at(weft_learner *learner, int64_t row, int64_t column, int64_t t,
                                    weft_prediction *prediction, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (t < 0)
        return weft__fail(error, WEFT_ARGUMENT, "the trial is %lld, expected at least 0", (long long)t);
    TRY(weft__learner_check(learner, row, column, error));
    TRY(begin(learner, row, column, error));
    *prediction = conclude(learner, threshold_of(learner, t), learner->settings.tolerance);
done:
    return status;
}

weft_status weft_learner_predict(weft_learner *learner, int64_t row, int64_t column,
                                 weft_prediction *prediction, weft_error *error)
{
    return weft_learner_predict_at(learner, row, column, learner->counters.t, prediction, error);
}

/* The sequence starts anew and is dropped, so that the bracket is the same
 * whatever was asked before, and what is asked next does not see this one. */
weft_status weft_learner_evaluate(weft_learner *learner, int64_t row, int64_t column, double tolerance,
                                  weft_prediction *prediction, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (!(tolerance >= 0) || !isfinite(tolerance))
        return weft__fail(error, WEFT_ARGUMENT, "tolerance is %g, expected a number >= 0", tolerance);
    TRY(weft__learner_check(learner, row, column, error));
    learner->pending.valid = false;
    TRY(begin(learner, row, column, error));
    *prediction = conclude(learner, 0, tolerance);
    learner->pending.valid = false;
done:
    return status;
}

/* Is y * margin < gamma?  A margin of exactly y gamma is not. */
static bool within_margin(weft_learner *learner, int label, bool *certified)
{
    return decide(learner, label * learner->settings.gamma, label, certified) != label;
}

/* Evidence fades: C becomes 2^(-1/half_life) C. */
static void fade(weft_learner *learner)
{
    double factor = weft__exp2(-1 / learner->settings.half_life);
    weft__compact_shrink(learner->compact, factor);
    weft__bound_shrink(&learner->bound, factor, learner->ground->dimensions);
    learner->revision++;
}

/* C learns the label; where the engine fails nothing has changed. */
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
    learner->ground->kind->tell(learner->ground,
                                &(weft__telling){p->pair, label, vectors, coefficient, p->start});
    learner->ground->kind->tighten(learner->ground, learner->counters.updates + 1, &p->bound);
    learner->revision++;
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

/* Looks at the margin as it is now and says what the label makes of it.  A late
 * trial keeps the prediction that was made. */
static weft_outcome judge(weft_learner *learner, const weft_late *trial, bool late)
{
    weft_outcome outcome = {.mistake = false};
    bool certified = false;
    int label = trial->label;
    int predicted = decide(learner, trial->prediction.threshold, 1, &certified);
    if (late)
        predicted = trial->prediction.label;
    outcome.mistake = label != 0 && predicted != label;
    outcome.certified = certified;
    if (label != 0 && learner->settings.updates == WEFT_MISTAKE_UPDATES)
        outcome.updated = outcome.mistake;
    else if (label != 0)
        outcome.updated = within_margin(learner, label, &outcome.certified);
    weft__margin margin = narrowed(learner, learner->settings.tolerance);
    outcome.prediction = report(learner, trial->prediction.threshold, margin, predicted, certified);
    if (late) {
        outcome.prediction.probability = trial->prediction.probability;
        outcome.prediction.products += trial->prediction.products;
    }
    if (label != 0)
        outcome.error_probability = error_probability(learner, &outcome.prediction, label);
    return outcome;
}

static weft_status end_trial(weft_learner *learner, const weft_late *trial, bool late, weft_outcome *outcome,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    int label = trial->label;
    if (label < -1 || label > 1)
        return weft__fail(error, WEFT_ARGUMENT, "the label is %d, expected -1, 0 or +1", label);
    TRY(weft__learner_check(learner, trial->row, trial->column, error));
    /* Everything that an update may need, before the margin is looked at: the
     * workspaces may move. */
    if (label != 0) {
        TRY(weft__learner_check_new(learner, trial->row, trial->column, error));
        TRY(weft__learner_reserve(learner, trial->row, trial->column, error));
    }
    TRY(begin(learner, trial->row, trial->column, error));
    weft_outcome result = judge(learner, trial, late);
    if (result.updated)
        TRY(update(learner, label, error));
    /* Whatever the engine knows more of this pair, the next trial starts as a
     * resumed run would. */
    learner->bound = learner->pending.bound;
    learner->pending.valid = false;
    if (label != 0 && learner->settings.half_life > 0)
        fade(learner);
    count(learner, &result, label != 0);
    if (outcome != NULL)
        *outcome = result;
done:
    return status;
}

weft_status weft_learner_learn(weft_learner *learner, int64_t row, int64_t column, int label,
                               weft_outcome *outcome, weft_error *error)
{
    weft_late trial = {.row = row, .column = column, .label = label};
    trial.prediction.threshold = threshold_of(learner, learner->counters.t);
    return end_trial(learner, &trial, false, outcome, error);
}

/* What is pending may be the prediction of a later trial, whose products are
 * not this one's. */
weft_status weft_learner_learn_late(weft_learner *learner, const weft_late *trial, weft_outcome *outcome,
                                    weft_error *error)
{
    const weft_prediction *made = &trial->prediction;
    if ((made->label != 1 && made->label != -1) || !isfinite(made->threshold) ||
        !(made->probability >= 0 && made->probability <= 1) || made->products < 0)
        return weft__fail(error, WEFT_ARGUMENT,
                          "the prediction has label %d, threshold %g and probability %g: expected one that "
                          "was made before",
                          made->label, made->threshold, made->probability);
    learner->pending.valid = false;
    return end_trial(learner, trial, true, outcome, error);
}
