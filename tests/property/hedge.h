/* SPDX-License-Identifier: MIT
 *
 * A weighted forecaster and what is added up beside it.  At every trial, for every expert: what the
 * forecaster has lost beyond the expert, while that was awake, is at most the term; the term is at most what
 * the theory says of it; the weights are weights. */
#ifndef WEFT_TESTS_PROPERTY_HEDGE_H
#define WEFT_TESTS_PROPERTY_HEDGE_H

#include "unit/test_core_support.h"

#include "committee/vote/hedge.h"
#include "support/dice.h"

enum { MOST = 100 };

typedef struct scene {
    weft__hedge hedge;
    double prior[MOST], loss[MOST], surprise;
    bool awake[MOST];
    long double behind[MOST], variance; /* variance: of the losses under the weights, all trials */
    long double answered[MOST],
        drift[MOST]; /* late: by the weights of the answer, and less those at the loss */
    int64_t t;
    char where[64];
} scene;

/* In order: alike; one has half; each half of the one before; random over 20 powers of ten. */
static inline void draw_priors(int64_t count, int kind, dice *d, double *prior)
{
    for (int64_t i = 0; i < count; i++) {
        prior[i] = kind == 2 ? ldexp(1, -(int)i) : kind == 3 ? dice_log_between(d, 1e-20, 1) : 1;
        if (kind == 1 && i == count - 1 && i > 0)
            prior[i] = (double)i;
    }
}

static inline void open_scene(scene *s, int64_t count, int priors, dice *d)
{
    weft_error error = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    *s = (scene){0};
    draw_priors(count, priors, d, s->prior);
    assert_int_equal(weft__hedge_create(&memory, count, s->prior, &s->hedge, &error), WEFT_OK);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += s->prior[i];
    s->surprise = 1;
    for (int64_t i = 0; i < count; i++)
        s->surprise = fmax(s->surprise, log(sum / s->prior[i]));
}

static inline void close_scene(scene *s)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__hedge_release(&s->hedge, &memory);
}

static inline void check_weights(scene *s)
{
    double sum = 0;
    for (int64_t i = 0; i < s->hedge.count; i++) {
        double w = s->hedge.weight[i];
        if (!(w >= 0 && w <= 1 && (s->awake[i] || w == 0)))
            fail_msg("%s, trial %d: weight %g of expert %d", s->where, (int)s->t, w, (int)i);
        sum += w;
    }
    assert_near(sum, 1, 1e-12);
}

/* What the guarantee rests on: log(sum of prior exp(eta regret)) / eta <= Delta at the rate to come.  The
 * two are equal as long as no rate has fallen, that is while Delta <= 2^-20: there it shows whether rounding
 * is allowed for. */
static inline void check_potential(scene *s)
{
    long double eta = (long double)s->surprise / fmaxl((long double)s->hedge.gap, 0x1p-20L), all = 0, sum = 0;
    long double top = -INFINITY;
    for (int64_t i = 0; i < s->hedge.count; i++) {
        top = fmaxl(top, eta * s->behind[i]);
        all += (long double)s->prior[i];
    }
    for (int64_t i = 0; i < s->hedge.count; i++)
        sum += (long double)s->prior[i] / all * expl(eta * s->behind[i] - top);
    long double level = (top + logl(sum)) / eta;
    if (!(level <= (long double)s->hedge.gap))
        fail_msg("%s, trial %d: %.17Lg, gap %.17g", s->where, (int)s->t, level, s->hedge.gap);
}

/* The guarantee, and its size: Delta <= sqrt(C variance) + 2/3 C + 1, the term at most twice that. */
static inline void check_terms(scene *s)
{
    double most = sqrt(s->surprise * (double)s->variance) + 2 / 3.0 * s->surprise + 1 + 1e-6;
    for (int64_t i = 0; i < s->hedge.count; i++) {
        double term = weft__hedge_term(&s->hedge, i);
        if (!(s->behind[i] <= (long double)term && s->hedge.regret[i] <= term))
            fail_msg("%s, trial %d, expert %d: regret %.17Lg, term %.17g", s->where, (int)s->t, (int)i,
                     s->behind[i], term);
        if (!(term <= 2 * most))
            fail_msg("%s, trial %d, expert %d: term %g, theory %g", s->where, (int)s->t, (int)i, term,
                     2 * most);
    }
}

/* Weighed before, losses filled in: learns, and checks everything. */
static inline double learn(scene *s)
{
    double weight[MOST];
    memcpy(weight, s->hedge.weight, sizeof(double) * (size_t)s->hedge.count);
    double gap = s->hedge.gap, h = weft__hedge_learn(&s->hedge, s->awake, s->loss);
    assert_true(h >= 0 && h <= 1 && s->hedge.gap >= gap);
    for (int64_t i = 0; i < s->hedge.count; i++)
        if (s->awake[i]) {
            double gain = h - s->loss[i];
            s->behind[i] += (long double)h - (long double)s->loss[i];
            s->variance += (long double)(weight[i] * gain * gain);
        }
    s->t++;
    check_terms(s);
    check_potential(s);
    return h;
}

#endif
