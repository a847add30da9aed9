/* SPDX-License-Identifier: MIT
 * A committee once more, slowly and in extended precision, over what its members have said: hedging by
 * cumulative losses, the stacks as Kalman filters, and who rests.  Include cmocka's headers before.
 *
 * Choices between two that are as good as equal are left to the library. */
#ifndef WEFT_TESTS_COUNCIL_H
#define WEFT_TESTS_COUNCIL_H

#include "committee/committee.h"
#include "learner/learner.h"
#include "rival/perceptron.h"
#include "support/panel.h"

#include <math.h>

enum { COUNCIL_STACKS = 4, COUNCIL_MOST = PANEL_MEMBERS + COUNCIL_STACKS };

/* Over some of the members, and a constant behind them. */
typedef struct council_stack {
    int64_t count; /* that it hears; 0: there is none */
    int64_t member[PANEL_MEMBERS];
    long double mean[COUNCIL_MOST], covariance[COUNCIL_MOST][COUNCIL_MOST];
    int64_t mistakes, only_it, only_first; /* of the two, this one and the first stack, one is wrong */
} council_stack;

/* Invariants: experts `count` and beyond are the stacks: of all, and without rows, columns and both. */
typedef struct council {
    const panel *p;
    int64_t count;
    bool awake[COUNCIL_MOST];
    int vote[COUNCIL_MOST];
    long double score[COUNCIL_MOST];
    /* Hedging: one that sleeps loses what the council loses. */
    long double lost[COUNCIL_MOST], own, gap;
    council_stack stack[COUNCIL_STACKS];
    /* Resting. */
    int64_t labels[2], checkpoints, most_learners, until[COUNCIL_MOST], trials[COUNCIL_MOST],
        paid[COUNCIL_MOST];
    int64_t dropped[COUNCIL_MOST]; /* the trial at which it was put to rest */
    long double work[COUNCIL_MOST], promise[COUNCIL_MOST];
    int64_t returns, rests;
} council;

/* Those that see neither of the sides `without`: nobody, where no member sees one of them either. */
static inline void council_seat(const panel *p, int without, council_stack *s)
{
    int seen = 0;
    for (int64_t k = 0; k < p->count; k++) {
        seen |= p->members[k].uses & without;
        if ((p->members[k].uses & without) == 0)
            s->member[s->count++] = k;
    }
    if (seen != without)
        s->count = 0;
    for (int64_t i = 0; i <= s->count && s->count > 0; i++) {
        s->mean[i] = i < s->count ? 1.0L / (long double)s->count : 0;
        s->covariance[i][i] = i < s->count ? 4.0L / (long double)s->count : 4;
    }
}

static inline void council_open(const panel *p, council *c)
{
    memset(c, 0, sizeof *c);
    c->p = p;
    c->count = p->count;
    for (int64_t k = 0; k < c->count; k++)
        c->awake[k] = true;
    for (int i = 0; i < COUNCIL_STACKS; i++) {
        council_seat(p, i, &c->stack[i]);
        c->awake[c->count + i] = c->stack[i].count > 0;
    }
}

/* ---- The stacks ---- */

static inline long double council_score(const council *c, const council_stack *s, int64_t i)
{
    return i < s->count ? c->score[s->member[i]] : 1;
}

static inline long double council_probability(const council *c, const council_stack *s)
{
    long double x = 0;
    for (int64_t i = 0; i <= s->count; i++)
        x += s->mean[i] * council_score(c, s, i);
    return 1 / (1 + expl(-fminl(fmaxl(x, -15), 15)));
}

/* S -= scale g g', with the allowance for rounding that stack.c speaks of. */
static inline void council_narrow(council_stack *s, const long double *g, long double scale)
{
    long double padded = (long double)((s->count + 1 + 7) / 8 * 8);
    for (int64_t i = 0; i <= s->count; i++) {
        long double own = s->covariance[i][i];
        for (int64_t j = 0; j <= s->count; j++)
            s->covariance[i][j] -= scale * g[i] * g[j];
        s->covariance[i][i] = fmaxl(s->covariance[i][i], 0) + 0x1p-49L * padded * own;
    }
}

static inline void council_regress(const council *c, council_stack *s, int label)
{
    long double p = council_probability(c, s), v = fmaxl(p * (1 - p), 1e-4L), g[COUNCIL_MOST] = {0}, sum = 0;
    for (int64_t i = 0; i <= s->count; i++)
        for (int64_t j = 0; j <= s->count; j++)
            g[i] += s->covariance[i][j] * council_score(c, s, j);
    for (int64_t i = 0; i <= s->count; i++)
        sum += council_score(c, s, i) * g[i];
    for (int64_t i = 0; i <= s->count; i++)
        s->mean[i] += ((label > 0) - p) / (1 + v * sum) * g[i];
    council_narrow(s, g, v / (1 + v * sum));
}

/* All of them, and what they got wrong. */
static inline void council_learn(council *c, int label)
{
    bool first = c->vote[c->count] == label;
    for (int i = 0; i < COUNCIL_STACKS; i++) {
        council_stack *s = &c->stack[i];
        bool right = c->vote[c->count + i] == label;
        if (s->count == 0)
            continue;
        s->mistakes += !right;
        s->only_it += !right && first;
        s->only_first += right && !first;
        council_regress(c, s, label);
    }
}

/* As if the weight at this place were known to be 0; then it has this variance. */
static inline void council_strike(council_stack *s, int64_t at, long double variance)
{
    long double g[COUNCIL_MOST], own = s->covariance[at][at], mean = s->mean[at];
    for (int64_t i = 0; i <= s->count; i++)
        g[i] = s->covariance[i][at];
    if (own > 0) {
        for (int64_t i = 0; i <= s->count; i++)
            s->mean[i] -= mean / own * g[i];
        council_narrow(s, g, 1 / own);
    }
    for (int64_t i = 0; i <= s->count; i++)
        s->covariance[i][at] = s->covariance[at][i] = 0;
    s->mean[at] = 0;
    s->covariance[at][at] = variance;
}

/* Member k is nobody's any more, or is new to everybody. */
static inline void council_forget(council *c, int64_t k, bool is_new)
{
    for (int i = 0; i < COUNCIL_STACKS; i++)
        for (int64_t at = 0; at < c->stack[i].count; at++)
            if (c->stack[i].member[at] == k)
                council_strike(&c->stack[i], at, is_new ? 4.0L / (long double)c->stack[i].count : 0);
}

static inline long double council_wald(const council *c, int64_t k)
{
    const council_stack *s = &c->stack[0];
    return s->covariance[k][k] > 0 ? s->mean[k] * s->mean[k] / s->covariance[k][k] : 0;
}

/* ---- Hedging ---- */

static inline long double council_prior(const council *c, int64_t k)
{
    return k < c->count ? 0.25L / (long double)c->count : k == c->count ? 0.5L : 0.25L / 3;
}

static inline int64_t council_experts(const council *c)
{
    return c->count + COUNCIL_STACKS;
}

static inline long double council_rate(const council *c)
{
    return logl(fmaxl(4 * (long double)c->count, 12)) / fmaxl(c->gap, 0x1p-20L);
}

/* prior exp(-eta lost), scaled to sum 1, of all or of those awake. */
static inline void council_weigh(const council *c, bool all, long double *weight)
{
    long double eta = council_rate(c), top = -INFINITY, sum = 0;
    for (int64_t k = 0; k < council_experts(c); k++)
        if (all || c->awake[k])
            top = fmaxl(top, logl(council_prior(c, k)) - eta * c->lost[k]);
    for (int64_t k = 0; k < council_experts(c); k++) {
        weight[k] = all || c->awake[k] ? expl(logl(council_prior(c, k)) - eta * c->lost[k] - top) : 0;
        sum += weight[k];
    }
    for (int64_t k = 0; k < council_experts(c); k++)
        weight[k] /= sum;
}

/* What is lost, and the mixability gap h + log(sum of w exp(-eta loss)) / eta. */
static inline long double council_hedge(council *c, int label)
{
    long double w[COUNCIL_MOST], h = 0, eta = council_rate(c), top = -INFINITY, sum = 0;
    council_weigh(c, false, w);
    for (int64_t k = 0; k < council_experts(c); k++)
        h += c->awake[k] && c->vote[k] != label ? w[k] : 0;
    council_weigh(c, true, w);
    long double loss[COUNCIL_MOST];
    for (int64_t k = 0; k < council_experts(c); k++) {
        loss[k] = c->awake[k] ? c->vote[k] != label : h;
        if (w[k] > 0)
            top = fmaxl(top, logl(w[k]) - eta * loss[k]);
    }
    for (int64_t k = 0; k < council_experts(c); k++) {
        sum += w[k] > 0 ? expl(logl(w[k]) - eta * loss[k] - top) : 0;
        c->lost[k] += loss[k];
    }
    c->gap += fmaxl(h + (logl(sum) + top) / eta, 0);
    c->own += h;
    return h;
}

/* ---- Resting ---- */

static inline bool council_is_learner(const council *c, int64_t k)
{
    return !c->p->members[k].is_rival;
}

static inline bool council_may_rest(const council *c, int64_t k)
{
    int64_t plain = 0, best = -1;
    for (int64_t i = 0; i < c->count; i++) {
        plain += c->awake[i] && council_is_learner(c, i) && c->p->members[i].plain;
        if (c->awake[i] && (best < 0 || c->lost[i] < c->lost[best] - 1e-9L))
            best = i;
    }
    bool last = council_is_learner(c, k) && c->p->members[k].plain && plain == 1;
    return c->awake[k] && k != best && !last;
}

static inline bool council_close(long double a, long double b)
{
    return fabsl(a - b) <= 1e-5L * fmaxl(fabsl(a), fabsl(b)) + 1e-12L;
}

/* The library has put k to rest after this trial; it may have woken it at once. */
static inline bool council_gone(const weft_player *lib, int64_t k)
{
    return !weft__committee_in(lib)->awake[k] ||
           (weft__committee_in(lib)->members[k].until > 0 &&
            weft__committee_in(lib)->members[k].since == weft__committee_in(lib)->counters.trials);
}

/* The next to go, or -1: the least Wald statistic, of rivals for the price. */
static inline int64_t council_least(const council *c, bool learners, const weft_player *lib)
{
    long double value[COUNCIL_MOST];
    int64_t least = -1;
    for (int64_t k = 0; k < c->count; k++) {
        if (council_is_learner(c, k) != learners || !council_may_rest(c, k))
            continue;
        value[k] = council_wald(c, k) / (learners ? 1 : fmaxl(c->work[k], 1));
        if (least < 0 || value[k] < value[least])
            least = k;
    }
    for (int64_t k = 0; k < c->count && least >= 0 && !council_gone(lib, least); k++)
        if (council_is_learner(c, k) == learners && council_may_rest(c, k) && council_gone(lib, k) &&
            council_close(value[k], value[least]))
            return k;
    return least;
}

static inline void council_drop(council *c, int64_t k)
{
    long double wald = council_wald(c, k);
    c->promise[k] = c->until[k] > 0 ? fminl(wald, c->promise[k]) : wald;
    c->until[k] = 0;
    c->awake[k] = false;
    c->dropped[k] = c->labels[0] + c->labels[1];
    c->rests++;
    council_forget(c, k, false);
}

static inline int64_t council_learners(const council *c)
{
    int64_t learners = 0;
    for (int64_t k = 0; k < c->count; k++)
        learners += c->awake[k] && council_is_learner(c, k);
    return learners;
}

static inline long double council_work(const council *c, bool learners)
{
    long double sum = 0;
    for (int64_t k = 0; k < c->count; k++)
        sum += c->awake[k] && council_is_learner(c, k) == learners ? c->work[k] : 0;
    return sum;
}

static inline void council_thin_learners(council *c, const weft_player *lib)
{
    int64_t k;
    while (council_learners(c) > c->most_learners && (k = council_least(c, true, lib)) >= 0)
        council_drop(c, k);
}

static inline void council_thin_rivals(council *c, const weft_player *lib)
{
    int64_t k, learners = council_learners(c);
    long double most = learners > 0 ? council_work(c, true) / (long double)learners : INFINITY;
    while (council_work(c, false) > most && (k = council_least(c, false, lib)) >= 0)
        council_drop(c, k);
}

static inline void council_wake(council *c, const weft_player *lib)
{
    int64_t best = -1, trials = c->labels[0] + c->labels[1];
    for (int64_t k = 0; k < c->count; k++)
        if (!c->awake[k] && council_is_learner(c, k) && c->promise[k] > 0 && c->dropped[k] < trials &&
            (best < 0 || c->promise[k] > c->promise[best]))
            best = k;
    for (int64_t k = 0; k < c->count && best >= 0 && !weft__committee_in(lib)->awake[best]; k++)
        if (!c->awake[k] && c->dropped[k] < trials && weft__committee_in(lib)->awake[k] &&
            council_close(c->promise[k], c->promise[best]))
            best = k;
    if (best < 0)
        return;
    c->promise[best] /= 4;
    c->until[best] = trials + trials / 8;
    c->awake[best] = true;
    c->returns++;
    council_forget(c, best, true);
}

static inline bool council_due(const council *c)
{
    int64_t trials = c->labels[0] + c->labels[1];
    int64_t rare = c->labels[0] < c->labels[1] ? c->labels[0] : c->labels[1];
    long double mistakes = (long double)c->stack[0].mistakes;
    bool skilled = mistakes + 3 * sqrtl(mistakes) < (long double)rare;
    return (skilled && 2 * rare >= INT64_C(1024) << c->checkpoints) || trials >= INT64_C(4096)
                                                                                     << c->checkpoints;
}

/* All that are due at once are one. */
static inline void council_checkpoint(council *c, const weft_player *lib)
{
    int64_t half = (council_learners(c) + 1) / 2;
    for (c->checkpoints++; council_due(c); c->checkpoints++)
        continue;
    c->most_learners = half > 3 ? half : 3;
    council_thin_learners(c, lib);
    council_thin_rivals(c, lib);
    memset(c->work, 0, sizeof c->work);
    memset(c->until, 0, sizeof c->until);
    council_wake(c, lib);
}

static inline void council_rest(council *c, const weft_player *lib)
{
    int64_t trials = c->labels[0] + c->labels[1];
    for (int64_t k = 0; k < c->count; k++)
        if (c->awake[k] && c->until[k] > 0 && trials >= c->until[k]) {
            council_thin_learners(c, lib);
            memset(c->until, 0, sizeof c->until);
        }
    if (council_due(c))
        council_checkpoint(c, lib);
}

/* ---- Work ---- */

/* 1,000 + 4 a pair + 16 an id, and the triangle of a kernel without structure, a product. */
static inline long double council_learner_price(council *c, const weft_player *learner, int64_t k)
{
    int64_t products = weft_player_counters(learner).products, fresh = products - c->paid[k];
    long double size = 1000 + 4 * (long double)weft_player_evidence_count(learner);
    for (int which = 0; which < (learner->columns != NULL ? 2 : 1); which++) {
        const weft__working_set *view = &weft__learner_in(learner)->space->view[which];
        long double ids = (long double)view->count;
        size += 16 * ids + (view->side->ops->product != NULL ? 0 : ids * ids / 2);
    }
    c->paid[k] = products;
    return (long double)fresh * size;
}

static inline long double council_rival_price(const council *c, const weft_player *rival, int64_t k)
{
    weft_rival_kind kind = weft_rival_settings_of(rival).kind;
    const weft__perceptron *self = (const weft__perceptron *)rival;
    if (kind < WEFT_RIVAL_SUM)
        return kind == WEFT_RIVAL_LOGISTIC ? 1000 : kind == WEFT_RIVAL_FACTORS ? 200 : 50;
    int64_t a = self->touched[0].count, b = c->p->one_set ? a : self->touched[1].count;
    int64_t pairs = kind == WEFT_RIVAL_SUM ? 0 : a * b < c->trials[k] ? a * b : c->trials[k];
    return (long double)(8 * (a + b) + 4 * pairs);
}

static inline void council_pay(council *c, const weft_player *lib)
{
    for (int64_t k = 0; k < c->count; k++) {
        if (!c->awake[k])
            continue;
        c->trials[k]++;
        c->work[k] += council_is_learner(c, k) ? council_learner_price(c, weft_player_member(lib, k), k)
                                               : council_rival_price(c, weft_player_member(lib, k), k);
    }
}

#endif
