/* SPDX-License-Identifier: MIT
 * A committee once more, slowly and in extended precision, over what its members have said: hedging by
 * cumulative losses, the stacks as Kalman filters, accounts, and who rests.  Include cmocka's headers before.
 *
 * Choices between two that are as good as equal are left to the library. */
#ifndef WEFT_TESTS_COUNCIL_H
#define WEFT_TESTS_COUNCIL_H

#include "committee/committee.h"
#include "learner/learner.h"
#include "support/panel.h"

#include <math.h>

/* The account that a member begins with, what a trial of those may cost together that cannot pay, and the
 * price of a dear member. */
#define COUNCIL_ACCOUNT 1e8L       /* of a member; */
#define COUNCIL_ACCOUNT_PLAIN 1e9L /* of one whose price grows and that knows nothing */
#define COUNCIL_BUDGET 1.5e4L
#define COUNCIL_DEAR 6e3L

enum { COUNCIL_STACKS = 4, COUNCIL_MOST = PANEL_MEMBERS + COUNCIL_STACKS };

typedef struct council_filter {
    long double mean[COUNCIL_MOST], covariance[COUNCIL_MOST][COUNCIL_MOST];
} council_filter;

/* Over some of the members, and a constant behind them. */
typedef struct council_stack {
    int64_t count;  /* that it may hear; 0: there is none */
    int64_t voices; /* of them those that play from the first trial on; at least 1 */
    int64_t member[PANEL_MEMBERS];
    council_filter filter[2]; /* weights that stay, and weights that move */
    long double belief;       /* in the latter */
    int64_t labels;
    int64_t mistakes;
    /* Trials; mistakes and log loss of the first stack and of its own. */
    int64_t told, wrong[2];
    long double lost[2];
    long double loss; /* of the last trial */
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
    int64_t labels[2], checkpoints, seen[COUNCIL_MOST], products[COUNCIL_MOST];
    int64_t played[COUNCIL_MOST];                        /* trials since it began */
    long double price[COUNCIL_MOST], left[COUNCIL_MOST]; /* left: in its account */
    int64_t wakes, rests, dear_rests;
    int64_t spared; /* rests while one that costs more stayed, since it can pay; */
    int64_t calm;   /* trials that cost more than the budget while those that share it do not */
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
    for (int64_t i = 0; i < s->count; i++)
        s->voices += p->members[s->member[i]].beyond == 0;
    for (int f = 0; f < 2; f++) {
        for (int64_t i = 0; i < s->count; i++) {
            bool heard = p->members[s->member[i]].beyond == 0;
            s->filter[f].mean[i] = heard ? 1.0L / (long double)s->voices : 0;
            s->filter[f].covariance[i][i] = heard ? 4.0L / (long double)s->voices : 0;
        }
        s->filter[f].covariance[s->count][s->count] = 4;
    }
    s->belief = 0.5L;
    s->voices = s->voices > 0 ? s->voices : 1;
}

static inline long double council_account_of(const weft_member *member)
{
    static const weft_rival_kind dearer[] = {WEFT_RIVAL_SUM, WEFT_RIVAL_PRODUCT, WEFT_RIVAL_SQUARE};
    bool grows = !member->is_rival;
    for (int i = 0; i < 3; i++)
        grows = grows || member->rival.kind == dearer[i];
    return grows && member->plain ? COUNCIL_ACCOUNT_PLAIN : COUNCIL_ACCOUNT;
}

static inline void council_open(const panel *p, council *c)
{
    memset(c, 0, sizeof *c);
    c->p = p;
    c->count = p->count;
    for (int64_t k = 0; k < c->count; k++) {
        c->awake[k] = p->members[k].beyond == 0;
        c->left[k] = council_account_of(&p->members[k]);
    }
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

static inline long double council_filtered(const council *c, const council_stack *s, int f)
{
    long double x = 0;
    for (int64_t i = 0; i <= s->count; i++)
        x += s->filter[f].mean[i] * council_score(c, s, i);
    return 1 / (1 + expl(-fminl(fmaxl(x, -15), 15)));
}

static inline long double council_probability(const council *c, const council_stack *s)
{
    return (1 - s->belief) * council_filtered(c, s, 0) + s->belief * council_filtered(c, s, 1);
}

/* S -= scale g g', with the allowance for rounding that stack.c speaks of. */
static inline void council_narrow(const council_stack *s, council_filter *f, const long double *g,
                                  long double scale)
{
    long double padded = (long double)((s->count + 1 + 7) / 8 * 8);
    for (int64_t i = 0; i <= s->count; i++) {
        long double own = f->covariance[i][i];
        for (int64_t j = 0; j <= s->count; j++)
            f->covariance[i][j] -= scale * g[i] * g[j];
        f->covariance[i][i] = fmaxl(f->covariance[i][i], 0) + 0x1p-49L * padded * own;
    }
}

static inline void council_filter_label(const council *c, const council_stack *s, council_filter *f,
                                        long double p, int label)
{
    long double v = fmaxl(p * (1 - p), 1e-4L), g[COUNCIL_MOST] = {0}, sum = 0;
    for (int64_t i = 0; i <= s->count; i++)
        for (int64_t j = 0; j <= s->count; j++)
            g[i] += f->covariance[i][j] * council_score(c, s, j);
    for (int64_t i = 0; i <= s->count; i++)
        sum += council_score(c, s, i) * g[i];
    for (int64_t i = 0; i <= s->count; i++)
        f->mean[i] += ((label > 0) - p) / (1 + v * sum) * g[i];
    council_narrow(s, f, g, v / (1 + v * sum));
}

/* Variances of moving weights grow by a five-thousandth of the first ones, and never above these. */
static inline void council_move(council_stack *s)
{
    for (int64_t i = 0; i <= s->count; i++) {
        long double *own = &s->filter[1].covariance[i][i];
        long double first = i < s->count ? 4.0L / (long double)s->voices : 4;
        if (*own > 0 && *own < first)
            *own = fminl(*own + 2e-4L * first, first);
    }
}

static inline void council_regress(const council *c, council_stack *s, int label)
{
    long double p[2], likely[2], share = 1.0L / (long double)(++s->labels + 1);
    for (int f = 0; f < 2; f++) {
        p[f] = council_filtered(c, s, f);
        likely[f] = label > 0 ? p[f] : 1 - p[f];
    }
    long double moves = s->belief * likely[1], all = (1 - s->belief) * likely[0] + moves;
    s->belief = (1 - share) * moves / all + share / 2;
    s->loss = -logl(all);
    council_move(s);
    for (int f = 0; f < 2; f++)
        council_filter_label(c, s, &s->filter[f], p[f], label);
}

/* All of them, and what they got wrong. */
static inline void council_learn(council *c, int label)
{
    const council_stack *first = &c->stack[0];
    for (int i = 0; i < COUNCIL_STACKS; i++) {
        council_stack *s = &c->stack[i];
        if (s->count == 0)
            continue;
        s->mistakes += c->vote[c->count + i] != label;
        council_regress(c, s, label);
        s->told++;
        s->wrong[0] += c->vote[c->count] != label;
        s->wrong[1] += c->vote[c->count + i] != label;
        s->lost[0] += first->loss;
        s->lost[1] += s->loss;
    }
}

/* As if the weight at this place were known to be 0; then it has this variance. */
static inline void council_strike(const council_stack *s, council_filter *f, int64_t at, long double variance)
{
    long double g[COUNCIL_MOST], own = f->covariance[at][at], mean = f->mean[at];
    for (int64_t i = 0; i <= s->count; i++)
        g[i] = f->covariance[i][at];
    if (own > 0) {
        for (int64_t i = 0; i <= s->count; i++)
            f->mean[i] -= mean / own * g[i];
        council_narrow(s, f, g, 1 / own);
    }
    for (int64_t i = 0; i <= s->count; i++)
        f->covariance[i][at] = f->covariance[at][i] = 0;
    f->mean[at] = 0;
    f->covariance[at][at] = variance;
}

/* Member k is nobody's any more, or is new to everybody. */
static inline void council_forget(council *c, int64_t k, bool is_new)
{
    for (int i = 0; i < COUNCIL_STACKS; i++) {
        council_stack *s = &c->stack[i];
        for (int64_t at = 0; at < s->count; at++)
            for (int f = 0; f < 2 && s->member[at] == k; f++)
                council_strike(s, &s->filter[f], at, is_new ? 4.0L / (long double)s->voices : 0);
    }
}

static inline long double council_wald(const council *c, int64_t k)
{
    const council_filter *f = &c->stack[0].filter[0];
    return f->covariance[k][k] > 0 ? f->mean[k] * f->mean[k] / f->covariance[k][k] : 0;
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

static inline int64_t council_trials(const council *c)
{
    return c->labels[0] + c->labels[1];
}

/* Learns from pairs alone: a learner or a hybrid over sides of which nothing is known. */
static inline bool council_is_plain(const council *c, int64_t k)
{
    const weft_member *member = &c->p->members[k];
    bool learns_pairs = !member->is_rival || member->rival.kind == WEFT_RIVAL_HYBRID;
    return learns_pairs && member->plain;
}

/* The best standing of those awake, of equals the first. */
static inline int64_t council_best(const council *c)
{
    int64_t best = -1;
    for (int64_t k = 0; k < c->count; k++)
        if (c->awake[k] && (best < 0 || c->lost[k] < c->lost[best] - 1e-9L))
            best = k;
    return best;
}

/* What is left of its account would do for the trials that it has played once more, at its price of now. */
static inline bool council_can_pay(const council *c, int64_t k)
{
    return c->left[k] - (long double)c->played[k] * c->price[k] >= 0;
}

/* What protects it: it can pay, it is the best and not dear, the last plain one, or the last of all. */
static inline bool council_may_rest(const council *c, int64_t k)
{
    int64_t others = 0, plain_others = 0;
    for (int64_t i = 0; i < c->count; i++)
        if (i != k && c->awake[i]) {
            others++;
            plain_others += council_is_plain(c, i);
        }
    if (!c->awake[k] || others == 0 || council_can_pay(c, k) || (council_is_plain(c, k) && plain_others == 0))
        return false;
    return k != council_best(c) || c->price[k] > COUNCIL_DEAR;
}

static inline bool council_close(long double a, long double b)
{
    return fabsl(a - b) <= 1e-5L * fmaxl(fabsl(a), fabsl(b)) + 1e-12L;
}

/* How much one multiplication of it is missed. */
static inline long double council_value(const council *c, int64_t k)
{
    return (1 + council_wald(c, k)) / fmaxl(c->price[k], 1);
}

/* The next to go, or -1.  Of two as good as equal the library's. */
static inline int64_t council_least(const council *c, const weft_player *lib)
{
    const bool *awake = weft__committee_in(lib)->awake;
    int64_t least = -1;
    bool may[COUNCIL_MOST];
    for (int64_t k = 0; k < c->count; k++) {
        may[k] = council_may_rest(c, k);
        if (may[k] && (least < 0 || council_value(c, k) < council_value(c, least)))
            least = k;
    }
    for (int64_t k = 0; k < c->count && least >= 0 && awake[least]; k++)
        if (may[k] && !awake[k] && council_close(council_value(c, k), council_value(c, least)))
            return k;
    return least;
}

/* What a trial costs of those awake; or of those of them that share the budget. */
static inline long double council_work(const council *c, bool shared)
{
    long double sum = 0;
    for (int64_t k = 0; k < c->count; k++)
        sum += c->awake[k] && !(shared && council_can_pay(c, k)) ? c->price[k] : 0;
    return sum;
}

static inline void council_thin(council *c, const weft_player *lib)
{
    c->calm += council_work(c, false) > COUNCIL_BUDGET && council_work(c, true) <= COUNCIL_BUDGET;
    while (council_work(c, true) > COUNCIL_BUDGET) {
        int64_t k = council_least(c, lib), dearer = 0;
        if (k < 0)
            return;
        for (int64_t i = 0; i < c->count; i++)
            dearer += c->awake[i] && council_can_pay(c, i) && c->price[i] > c->price[k];
        c->spared += dearer > 0;
        c->dear_rests += c->price[k] > COUNCIL_DEAR;
        c->awake[k] = false;
        c->rests++;
        council_forget(c, k, false);
    }
}

static inline bool council_due(const council *c)
{
    int64_t rare = c->labels[0] < c->labels[1] ? c->labels[0] : c->labels[1];
    long double mistakes = (long double)c->stack[0].mistakes;
    bool skilled = mistakes + 3 * sqrtl(mistakes) < (long double)rare;
    return (skilled && 2 * rare >= INT64_C(1024) << c->checkpoints) ||
           council_trials(c) >= INT64_C(4096) << c->checkpoints;
}

/* Those of the reserve begin whose edge leads: by its standing, or by a weight that the stack is sure of. */
static inline void council_checkpoint(council *c, const weft_player *lib)
{
    const bool *awake = weft__committee_in(lib)->awake;
    int64_t best = council_best(c), most = -1;
    for (int64_t k = 0; k < c->count; k++)
        if (c->awake[k] && c->stack[0].filter[0].mean[k] > 0 &&
            (most < 0 || council_wald(c, k) > council_wald(c, most)))
            most = k;
    for (c->checkpoints++; council_due(c); c->checkpoints++)
        continue;
    for (int64_t k = 0; k < c->count; k++) {
        int64_t edge = c->p->members[k].beyond - 1;
        if (edge < 0 || c->awake[k] || c->seen[k] > 0)
            continue;
        bool close = most >= 0 && c->awake[edge] && c->stack[0].filter[0].mean[edge] > 0 &&
                     council_close(council_wald(c, edge), council_wald(c, most));
        if (edge != best && edge != most && !(close && awake[k]))
            continue;
        c->awake[k] = true;
        c->played[k] = 0;
        c->wakes++;
        council_forget(c, k, true);
    }
}

static inline void council_rest(council *c, const weft_player *lib)
{
    for (int64_t k = 0; k < c->count; k++) {
        c->left[k] -= c->awake[k] ? c->price[k] : 0;
        c->played[k] += c->awake[k];
    }
    council_thin(c, lib);
    if (council_due(c))
        council_checkpoint(c, lib);
}

/* ---- Prices ---- */

/* 1,000 + 4 a pair + 16 an id, and the triangle of a kernel without structure, a product. */
static inline long double council_learner_price(council *c, const weft_player *learner, int64_t k)
{
    int64_t products = weft_player_counters(learner).products, fresh = products - c->products[k];
    long double size = 1000 + 4 * (long double)weft_player_evidence_count(learner);
    for (int which = 0; which < (learner->columns != NULL ? 2 : 1); which++) {
        const weft__working_set *view = &weft__learner_in(learner)->space->view[which];
        long double ids = (long double)view->count;
        size += 16 * ids + (view->side->ops->product != NULL ? 0 : ids * ids / 2);
    }
    c->products[k] = products;
    return (long double)fresh * size;
}

/* Of those whose price depends on what the pair has met, as they say themselves: their own tests check it. */
static inline long double council_rival_price(const weft_player *rival, int64_t seen)
{
    switch (weft_rival_settings_of(rival).kind) {
    case WEFT_RIVAL_CONSTANT:
    case WEFT_RIVAL_ROW_MAJORITY:
    case WEFT_RIVAL_COLUMN_MAJORITY:
        return 50;
    case WEFT_RIVAL_BIAS:
        return 300;
    case WEFT_RIVAL_FACTORS:
        return 800;
    default:
        return (long double)rival->ops->price(rival, 0, seen);
    }
}

/* A running mean: the first price, then a 32nd of what is new. */
static inline void council_price(council *c, const weft_player *lib)
{
    for (int64_t k = 0; k < c->count; k++) {
        const weft_player *player = weft_player_member(lib, k);
        if (!c->awake[k])
            continue;
        c->seen[k]++;
        long double now = c->p->members[k].is_rival ? council_rival_price(player, c->seen[k])
                                                    : council_learner_price(c, player, k);
        c->price[k] += (now - c->price[k]) / (c->seen[k] == 1 ? 1 : 32);
    }
}

#endif
