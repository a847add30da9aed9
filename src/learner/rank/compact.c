/* SPDX-License-Identifier: MIT
 *
 * The candidates of the largest margins with one id, in the compact engine: one pass.
 *
 * Method: with F = exp(A), x the features of the id and z those of a candidate, in units of
 * exp(top) (spectrum.h),
 *
 *     q = x'Fx + 2 s x'Fz + z'Bz,    margin = s (exp(c) q - 1),  c = log kappa + top
 *
 * with s = +1 (paper) or -1 (one set of ids); balanced: q = 2 x'Fz, margin = exp(c) q.  F x is
 * one vector for all candidates.  B = sum mu_k u_k u_k', mu falling, so that after r projections
 *
 *     sum + mu_min rest <= z'Bz <= sum + mu_{r+1} rest,
 *     sum = sum_{k <= r} mu_k (u_k'z)^2,   rest = |z|^2 - sum_{k <= r} (u_k'z)^2
 *
 * and a candidate is skipped as soon as its margin is sure not to exceed the least of the `most`
 * largest by more than half a tie: those stand before it among the candidates, so that a tie is
 * theirs.  Candidates that share their features are skipped by that too.  What is left is few;
 * where rounding leaves its brackets wider than the tolerance each is evaluated by itself.
 *
 * Rounding: |error of q| <= error (|x| + |z|)^2 (spectrum.c), and some units of c in the exponent.
 *
 * Cost: the features and d_side multiplications a candidate, 16 d_side more for every 16 projections;
 * memory for what is left alone.  Few candidates do not pay for decompositions: each is evaluated. */
#include "base/elementary.h"
#include "learner/rank/ranker.h"
#include "learner/rank/ranking.h"
#include "side/map/map.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The room for those that are left, at first. */
enum { FIRST_ROOM = 1024 };

/* A query on its way. */
typedef struct quest {
    weft__ranking ranking;
    weft__spectrum *spectrum;
    const weft__chart *chart; /* of the candidates' side; NULL: there are no decompositions */
    int own, other;           /* the side of the id and that of the candidates */
    const weft_side *side;    /* the latter */
    double sign, c;
    bool balanced;
    double form, norm;                  /* x'Fx and |x| */
    double *memory;                     /* of the vectors that follow */
    double *x, *image;                  /* F x, over all coordinates */
    double *g, *phi, *z, *twin, *along; /* F x over those of the candidates; features; u_k'z */
    double bar;                         /* q that a candidate must pass */
    double floor;                       /* the margin that `bar` was made from */
    weft__candidate *left;
    int64_t count, room;
    weft__progress *progress; /* NULL: nobody */
} quest;

/* Bounds of q. */
typedef struct range {
    double low, high;
} range;

static double largest_log(void)
{
    return weft__log(WEFT_MARGIN_LIMIT);
}

/* ---- From q to margins and back ---- */

/* exp(c) |q|, within the limit; `slack` moves the logarithm by what rounding may have done to it. */
static double amount(const quest *q, double value, double slack)
{
    if (value == 0)
        return 0;
    double exponent = q->c + weft__log(fabs(value)) + slack * DBL_EPSILON * (8 + fabs(q->c));
    return exponent < largest_log() ? weft__exp(exponent) : WEFT_MARGIN_LIMIT;
}

/* The margin, rounded down (`way` -1) or up (+1). */
static double margin_of(const quest *q, double value, int way)
{
    if (q->balanced)
        return value > 0 ? amount(q, value, way) : -amount(q, value, -way);
    return q->sign > 0 ? amount(q, value, way) - 1 : 1 - amount(q, value, -way);
}

static void read_margin(const quest *q, const range *r, weft__candidate *s)
{
    bool turned = q->sign < 0;
    s->lower = margin_of(q, turned ? r->high : r->low, -1);
    s->upper = margin_of(q, turned ? r->low : r->high, 1);
}

/* exp(-c) p for p >= 0; for p > 0 not 0 either, so that 0 does not reach what is too small to write. */
static double level_of(const quest *q, double p)
{
    return p == 0 ? 0 : fmax(weft__exp(weft__log(p) - q->c), DBL_MIN);
}

/* The q of a margin; what is beyond the limits of margins is beyond all q. */
static double value_of(const quest *q, double margin)
{
    if (q->sign < 0)
        return margin >= 1 ? -INFINITY : level_of(q, 1 - margin);
    if (margin >= WEFT_MARGIN_LIMIT)
        return INFINITY;
    if (q->balanced)
        return margin < 0 ? -level_of(q, -margin) : level_of(q, margin);
    return margin <= -1 ? -INFINITY : weft__exp(weft__log1p(margin) - q->c);
}

/* Whoever comes from now on stands after those that `sure` knows. */
static void raise_bar(quest *q)
{
    double least = weft__top_k_least(&q->ranking.sure);
    if (least == q->floor)
        return;
    q->floor = least;
    q->bar = value_of(q, least + weft__ranking_allowance(&q->ranking, least) / 2);
}

static bool is_beaten(const quest *q, const range *r)
{
    return q->sign > 0 ? r->high <= q->bar : r->low >= q->bar;
}

/* ---- The id that is asked for ---- */

/* out = scaled features, zero past them; returns their squared norm. */
static double load(const quest *q, int side, int64_t id, double *out)
{
    const weft__compact *compact = q->spectrum->learner->compact;
    int64_t width = weft__padded(compact->side[side]->map.dimension);
    weft__map_features(compact->side[side], id, q->phi);
    weft__scale_vector(width, compact->scale[side], q->phi, out);
    return weft__dot(width, out, out);
}

static weft_status take_room(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__compact *compact = q->spectrum->learner->compact;
    int64_t n = compact->backend.operators.n, width = n + WEFT__LANES;
    TRY(weft__new(&q->spectrum->memory, 7 * width, sizeof(double), &q->memory, error));
    TRY(weft__new(&q->spectrum->memory, FIRST_ROOM, sizeof *q->left, &q->left, error));
    q->room = FIRST_ROOM;
    double **vectors[] = {&q->x, &q->image, &q->g, &q->phi, &q->z, &q->twin, &q->along};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = q->memory + (int64_t)k * width;
done:
    return status;
}

/* x'Fx, and F x where the candidates are. */
static void act(quest *q)
{
    const weft__compact *compact = q->spectrum->learner->compact;
    int64_t own = compact->side[q->own]->map.dimension, other = compact->side[q->other]->map.dimension;
    q->norm = sqrt(load(q, q->own, q->ranking.query->id, q->z));
    memcpy(q->x + weft__spectrum_first(q->spectrum, q->own), q->z, (size_t)own * sizeof *q->x);
    q->form = weft__spectrum_act(q->spectrum, q->x, q->image);
    memcpy(q->g, q->image + weft__spectrum_first(q->spectrum, q->other), (size_t)other * sizeof *q->g);
    /* What is past the features of one side must be zero for those of the other. */
    memset(q->phi, 0, (size_t)own * sizeof *q->phi);
    q->chart = weft__spectrum_chart(q->spectrum, q->other);
    q->c = q->spectrum->learner->log_kappa + q->spectrum->top;
}

/* ---- One candidate ---- */

/* Projects until the candidate is beaten or nothing is left to project on. */
static bool survives(quest *q, double base, double error, double square, range *r)
{
    const weft__chart *chart = q->chart;
    double sum = 0, rest = square;
    for (int64_t b = 0;; b++) {
        const double *mu = chart->mu + b * WEFT__LANES;
        r->low = fmax(base + sum + chart->least * rest - error, 0);
        r->high = fmax(base + sum + *mu * rest + error, 0);
        if (is_beaten(q, r))
            return false;
        if (b == chart->blocks)
            return true;
        weft__project(chart->size, chart->vector + b * WEFT__LANES * chart->width, q->z, q->along);
        sum += weft__weighted_square(WEFT__LANES, mu, q->along);
        rest = fmax(rest - weft__dot(WEFT__LANES, q->along, q->along), 0);
        q->spectrum->effort.blocks++;
    }
}

/* False where the candidate was skipped. */
static bool examine(quest *q, weft__candidate *s)
{
    double square = load(q, q->other, s->id, q->z), cross = 2 * weft__dot(q->chart->width, q->g, q->z);
    double both = q->norm + sqrt(square), error = q->spectrum->error * both * both;
    range r = {cross - error, cross + error};
    if (weft__ranking_is_self(&q->ranking, s->id)) {
        s->lower = s->upper = 1;
        return true;
    }
    if (q->balanced ? is_beaten(q, &r) : !survives(q, q->form + q->sign * cross, error, square, &r))
        return false;
    read_margin(q, &r, s);
    return true;
}

/* ---- Those that are left ---- */

static void drop_hopeless(quest *q)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < q->count; k++)
        if (!weft__ranking_hopeless(&q->ranking, &q->left[k]))
            q->left[kept++] = q->left[k];
    q->count = kept;
}

static weft_status keep(quest *q, const weft__candidate *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (q->count == q->room) {
        drop_hopeless(q);
        if (q->count > q->room / 2) {
            TRY(weft__resize(&q->spectrum->memory, &q->left, q->count, 2 * q->room, sizeof *q->left, error));
            q->room *= 2;
        }
    }
    q->left[q->count++] = *s;
done:
    return status;
}

/* In the order of the candidates, which raise_bar relies upon. */
static weft_status pass(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_query *query = q->ranking.query;
    double d = (double)q->side->map.dimension, examining = q->balanced ? 2 * d : d * d / 2;
    weft__progress_begin(q->progress, "ranking", examining * (double)query->candidate_count);
    for (int64_t k = 0; k < query->candidate_count; k++) {
        weft__candidate s = {query->candidates[k], k, -WEFT_MARGIN_LIMIT, WEFT_MARGIN_LIMIT};
        TRY(weft__progress_step(q->progress, examining, error));
        if (q->chart != NULL && !examine(q, &s)) {
            q->spectrum->effort.skipped++;
            continue;
        }
        TRY(keep(q, &s, error));
        weft__top_k_add(&q->ranking.sure, s.lower);
        raise_bar(q);
    }
    drop_hopeless(q);
done:
    return status;
}

/* Products that an evaluation takes, about. */
enum { WORK_OF_ANSWER = 8 };

/* What was evaluated last: before and after. */
typedef struct evaluation {
    weft__candidate before, after;
} evaluation;

/* Equal features have equal brackets before, and stand next to each other. */
static bool is_twin(quest *q, const evaluation *last, const weft__candidate *s)
{
    size_t size = (size_t)q->side->map.dimension * sizeof(double);
    if (s->lower != last->before.lower || s->upper != last->before.upper)
        return false;
    weft__map_features(q->side, last->before.id, q->twin);
    weft__map_features(q->side, s->id, q->phi);
    return memcmp(q->twin, q->phi, size) == 0;
}

static weft_status narrow(quest *q, evaluation *last, weft__candidate *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__candidate before = *s;
    if (is_twin(q, last, s)) {
        s->lower = last->after.lower;
        s->upper = last->after.upper;
        return WEFT_OK;
    }
    TRY(weft__ranking_evaluate(&q->ranking, s, error));
    TRY(weft__progress_step(q->progress, WORK_OF_ANSWER * weft__learner_product_work(q->ranking.learner),
                            error));
    q->spectrum->effort.evaluated++;
    last->before = before;
    last->after = *s;
done:
    return status;
}

/* The most promising first: the sooner the best are known, the sooner others are left out. */
static weft_status refine(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    evaluation last = {.before = {.lower = NAN}};
    int64_t kept = 0;
    q->ranking.sure.count = 0;
    qsort(q->left, (size_t)q->count, sizeof *q->left, weft__candidate_compare);
    for (int64_t k = 0; k < q->count; k++) {
        weft__candidate s = q->left[k];
        if (!weft__ranking_hopeless(&q->ranking, &s) && !weft__ranking_narrow(&q->ranking, &s))
            TRY(narrow(q, &last, &s, error));
        if (weft__ranking_hopeless(&q->ranking, &s))
            continue;
        weft__top_k_add(&q->ranking.sure, s.lower);
        q->left[kept++] = s;
    }
    q->count = kept;
done:
    return status;
}

/* ---- The query ---- */

static weft_status check_features(const quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_query *query = q->ranking.query;
    const weft__backend *backend = q->spectrum->learner->backend;
    int64_t pair[2];
    for (int64_t k = 0; k < query->candidate_count; k++) {
        weft__ranking_pair(&q->ranking, query->candidates[k], pair);
        TRY(backend->ops->check(backend, pair, error));
    }
done:
    return status;
}

/* About as many candidates as a decomposition costs evaluations. */
static bool pays(const quest *q)
{
    return weft__spectrum_current(q->spectrum) ||
           2 * q->ranking.query->candidate_count >= q->spectrum->learner->compact->d;
}

static quest begin(weft__spectrum *spectrum, const weft_query *query)
{
    weft__learner *learner = spectrum->learner;
    weft_form form = learner->settings.form;
    double sign = form == WEFT_ONE_SET ? -1 : 1;
    return (quest){.ranking = {.learner = learner, .query = query},
                   .spectrum = spectrum,
                   .own = query->column ? 1 : 0,
                   .other = query->column ? 0 : 1,
                   .side = learner->compact->side[query->column ? 0 : 1],
                   .sign = sign,
                   .balanced = form == WEFT_BALANCED,
                   .floor = -INFINITY,
                   .bar = -sign * INFINITY};
}

static weft_status prepare(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_query *query = q->ranking.query;
    TRY(weft__ranking_open(&q->ranking, error));
    TRY(check_features(q, error));
    TRY(take_room(q, error));
    q->spectrum->effort = (weft__effort){.candidates = query->candidate_count};
    if (pays(q))
        TRY(weft__spectrum_fit(q->spectrum, q->other, !q->balanced, q->progress, error));
    if (weft__spectrum_current(q->spectrum))
        act(q);
    /* As everywhere: what was pending is no longer. */
    q->ranking.learner->pending.valid = false;
done:
    return status;
}

weft_status weft__rank_compact(weft__spectrum *spectrum, const weft_query *query, weft__progress *progress,
                               weft_ranked *ranked, int64_t *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    quest q = begin(spectrum, query);
    q.progress = progress;
    TRY(prepare(&q, error));
    TRY(pass(&q, error));
    TRY(refine(&q, error));
    weft__ranking_answer(&q.ranking, q.left, q.count, ranked, found);
done:
    weft__delete(&spectrum->memory, q.memory);
    weft__delete(&spectrum->memory, q.left);
    weft__ranking_close(&q.ranking);
    return status;
}
