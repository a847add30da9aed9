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

/* A trial, and what is drawn for it. */
typedef struct moment {
    int64_t t;
    double threshold;
} moment;

static double threshold_of(const weft__learner *learner, int64_t t)
{
    const weft_settings *s = &learner->settings;
    return draws(s) ? s->gamma * (2 * weft__uniform(s->seed, (uint64_t)t) - 1) : 0;
}

static weft__reading reading_of(const weft__learner *learner)
{
    const weft__spectral_engine *engine = learner->engine;
    weft__reading reading = {.log_kappa = learner->log_kappa, .s = learner->pending.embedding.s};
    for (int v = 0; v < learner->form->vectors; v++)
        reading.bracket[v] = engine->ops->bracket(engine, v);
    return reading;
}

static void begin_sequences(weft__learner *learner)
{
    double b = weft__spectral_bound_value(&learner->pending.bound);
    for (int v = 0; v < learner->form->vectors; v++)
        learner->engine->ops->begin(learner->engine, v, &learner->pending.start[v], b);
}

/* Turns to (row, column), unless that is what the engine is working on. */
static weft_status begin(weft__learner *learner, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__pending *p = &learner->pending;
    weft__backend *backend = learner->backend;
    double square[2];
    if (p->valid && p->pair[0] == row && p->pair[1] == column)
        return WEFT_OK;
    p->valid = false;
    TRY(weft__learner_admit(learner, (const int64_t[]){row, column}, error));
    *p = (weft__pending){.pair = {row, column}, .bound = learner->bound, .threshold = NAN};
    backend->ops->squares(backend, p->pair, square);
    p->embedding = learner->form->embed(square[0], square[1]);
    for (int v = 0; v < learner->form->vectors; v++)
        p->start[v] = backend->ops->embed(backend, p->pair, p->embedding.value[v], learner->image[v]);
    begin_sequences(learner);
    p->valid = true;
done:
    return status;
}

/* A bound that a Ritz value contradicts is computed anew, once a trial; the
 * learner takes it over when it learns. */
static bool mend_bound(weft__learner *learner)
{
    weft__pending *p = &learner->pending;
    bool wrong = false;
    for (int v = 0; v < learner->form->vectors; v++)
        wrong = wrong || learner->engine->ops->bracket(learner->engine, v)->contradiction;
    if (!wrong || p->redone)
        return false;
    p->redone = true;
    for (int v = 0; v < learner->form->vectors; v++)
        p->extra_products += learner->engine->ops->bracket(learner->engine, v)->products;
    p->bound = learner->backend->ops->bound(learner->backend, learner->form->raising, learner->work,
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
static bool advance(weft__learner *learner)
{
    weft__spectral_engine *engine = learner->engine;
    int first = 0;
    if (learner->form->vectors == 2 &&
        gap(engine->ops->bracket(engine, 1)) > gap(engine->ops->bracket(engine, 0)))
        first = 1;
    for (int i = 0; i < learner->form->vectors; i++) {
        bool gained = engine->ops->advance(engine, (first + i) % 2);
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
static int decide(weft__learner *learner, double level, int tie, bool *certified)
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

static weft__margin narrowed(weft__learner *learner, double tolerance)
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

double weft__learner_vote(const weft__learner *learner, int label, double probability)
{
    return draws(&learner->settings) ? probability : label > 0;
}

/* The prediction that the bracket stands for now, of trial `at->t`. */
static weft_answer report(const weft__learner *learner, const moment *at, weft__margin margin, int label,
                          bool certified)
{
    const weft__spectral_engine *engine = learner->engine;
    int products = (int)learner->pending.extra_products;
    for (int v = 0; v < learner->form->vectors; v++)
        products += engine->ops->bracket(engine, v)->products;
    double middle = middle_of(&margin, certified);
    double probability = clip(0.5 + middle / (2 * learner->settings.gamma), 0, 1);
    return (weft_answer){.label = label,
                         .probability = probability,
                         .score = middle,
                         .vote = weft__learner_vote(learner, label, probability),
                         .threshold = at->threshold,
                         .margin = middle,
                         .lower = margin.lower,
                         .upper = margin.upper,
                         .certified = certified,
                         .products = products,
                         .asked = 1,
                         .t = at->t};
}

static weft_answer conclude(weft__learner *learner, const moment *at, double tolerance)
{
    bool certified = false;
    int label = decide(learner, at->threshold, 1, &certified);
    weft__margin margin = narrowed(learner, tolerance);
    return report(learner, at, margin, label, certified);
}

weft_status weft__learner_predict(weft__learner *learner, const int64_t pair[2], int64_t t,
                                  weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    moment at = {t, threshold_of(learner, t)};
    TRY(weft__learner_check(learner, pair[0], pair[1], error));
    TRY(begin(learner, pair[0], pair[1], error));
    weft__pending *p = &learner->pending;
    p->threshold = isnan(p->threshold) || p->threshold == at.threshold ? at.threshold : INFINITY;
    *answer = conclude(learner, &at, learner->settings.tolerance);
done:
    return status;
}

/* The sequence starts anew and is dropped, so that the bracket is the same
 * whatever was asked before, and what is asked next does not see this one. */
weft_status weft__learner_evaluate(weft__learner *learner, const int64_t pair[2], double tolerance,
                                   weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    moment at = {learner->counters.t, 0};
    TRY(weft__learner_check(learner, pair[0], pair[1], error));
    learner->pending.valid = false;
    TRY(begin(learner, pair[0], pair[1], error));
    *answer = conclude(learner, &at, tolerance);
    learner->pending.valid = false;
done:
    return status;
}

/* Is y * margin < gamma?  A margin of exactly y gamma is not. */
static bool within_margin(weft__learner *learner, int label, bool *certified)
{
    return decide(learner, label * learner->settings.gamma, label, certified) != label;
}

/* Evidence fades: C becomes 2^(-1/half_life) C. */
static void fade(weft__learner *learner)
{
    double factor = weft__exp2(-1 / learner->settings.half_life);
    learner->backend->ops->shrink(learner->backend, factor);
    weft__spectral_bound_shrink(&learner->bound, factor, learner->backend->dimensions);
    learner->revision++;
}

/* C learns the label; where the engine fails nothing has changed. */
static weft_status update(weft__learner *learner, int label, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__pending *p = &learner->pending;
    weft__change change[2];
    double coefficient[2];
    int vectors = learner->form->vectors;
    for (int v = 0; v < vectors; v++) {
        coefficient[v] = learner->settings.eta * learner->form->coefficient(v, label, p->embedding.s);
        change[v] = (weft__change){coefficient[v], p->start[v].square,
                                   learner->engine->ops->bracket(learner->engine, v)};
    }
    TRY(learner->engine->ops->update(learner->engine, vectors, coefficient, error));
    if (learner->backend->ops->count_new != NULL)
        weft__spectral_bound_widen(&p->bound, learner->backend->ops->count_new(learner->backend, p->pair));
    weft__spectral_bound_update(&p->bound, change, vectors);
    learner->backend->ops->tell(learner->backend,
                                &(weft__telling){p->pair, label, vectors, coefficient, p->start});
    learner->backend->ops->tighten(learner->backend, learner->counters.updates + 1, &p->bound);
    learner->revision++;
done:
    return status;
}

static void count(weft__learner *learner, const weft_answer *answer)
{
    weft_counters *c = &learner->counters;
    c->t++;
    c->trials++;
    c->mistakes += answer->mistake;
    c->updates += answer->updated;
    c->products += answer->products;
    c->expected_mistakes += answer->error_probability;
}

/* What the label makes of the prediction `predicted`: an update or not. */
static bool wants_update(weft__learner *learner, int label, int predicted, bool *certified)
{
    if (learner->settings.updates == WEFT_MISTAKE_UPDATES)
        return predicted != label;
    return within_margin(learner, label, certified);
}

/* Whether labels have come since the answer was given. */
static bool is_late(const weft__learner *learner, const weft__late *trial)
{
    return trial->labels != learner->counters.t;
}

/* Looks at the margin as it is now and says what the label makes of it.  Where
 * that is not the one of the answer any more, the answer stays as it was given. */
static weft_answer judge(weft__learner *learner, const weft__late *trial)
{
    const weft_answer *made = &trial->answer;
    moment at = {made->t, made->threshold};
    bool certified = false;
    int label = trial->label;
    int predicted = decide(learner, at.threshold, 1, &certified);
    bool late = made->label != 0 && (is_late(learner, trial) || made->label != predicted);
    if (late)
        predicted = made->label;
    bool update_certified = certified;
    bool updated = wants_update(learner, label, predicted, &update_certified);
    weft__margin margin = narrowed(learner, learner->settings.tolerance);
    weft_answer answer = report(learner, &at, margin, predicted, certified);
    if (late) {
        answer.probability = made->probability;
        answer.vote = weft__learner_vote(learner, predicted, made->probability);
        answer.products += made->products;
    }
    answer.updated = updated;
    answer.update_certified = update_certified;
    answer.mistake = predicted != label;
    answer.error_probability = label > 0 ? 1 - answer.vote : answer.vote;
    return answer;
}

/* What is pending may have been narrowed for another trial, whose products are
 * not this one's. */
static void drop_other(weft__learner *learner, const weft__late *trial)
{
    weft__pending *p = &learner->pending;
    if (is_late(learner, trial) || (!isnan(p->threshold) && p->threshold != trial->answer.threshold))
        p->valid = false;
}

weft_status weft__learner_learn_late(weft__learner *learner, const weft__late *trial, weft_answer *answer,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t row = trial->pair[0], column = trial->pair[1];
    TRY(weft__learner_check(learner, row, column, error));
    /* Everything that an update may need, before the margin is looked at: the
     * workspaces may move. */
    TRY(weft__learner_check_new(learner, row, column, error));
    TRY(weft__learner_reserve(learner, row, column, error));
    drop_other(learner, trial);
    TRY(begin(learner, row, column, error));
    weft_answer result = judge(learner, trial);
    if (result.updated)
        TRY(update(learner, trial->label, error));
    /* Whatever the engine knows more of this pair, the next trial starts as a
     * resumed run would. */
    learner->bound = learner->pending.bound;
    learner->pending.valid = false;
    if (learner->settings.half_life > 0)
        fade(learner);
    count(learner, &result);
    *answer = result;
done:
    return status;
}

weft_status weft__learner_learn(weft__learner *learner, const int64_t pair[2], int label, weft_answer *answer,
                                weft_error *error)
{
    int64_t t = learner->counters.t;
    weft__late trial = {.pair = {pair[0], pair[1]},
                        .label = label,
                        .labels = t,
                        .answer = {.t = t, .threshold = threshold_of(learner, t)}};
    return weft__learner_learn_late(learner, &trial, answer, error);
}
