/* SPDX-License-Identifier: MIT
 *
 * The candidates of the largest margins with one id.
 *
 * Method: with F = K exp(CK), s = +1 (paper) or -1 (one set of ids)
 *
 *     margin = s (kappa (F_ii + 2 s F_ij + F_jj) - 1),    balanced: 2 kappa F_ij
 *
 * One whole Lanczos sequence on e_i brackets F_ii and gives x = exp(CK) e_i, hence
 * F_ij = K(j,.) x for every candidate: an entry of K x where j carries evidence, one
 * column of the kernel where it does not.  F_jj is kept, or bracketed: candidates come
 * in the order of a guess, and each is narrowed until it falls below the least margin
 * that is sure to be in the answer, or is narrow enough.
 * Cost: the sequence, O(n) a candidate without evidence, and a few products for every
 * candidate that is not kept. */
#include "base/elementary.h"
#include "base/vector.h"
#include "learner/rank/ranker.h"
#include "learner/rank/ranking.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Single precision is worth a try from this tolerance on. */
static const double SWIFT = 1e-4;

typedef struct candidate {
    weft__candidate at;
    double cross, cross_error; /* F_ij */
    double guess;
} candidate;

/* A query on its way. */
typedef struct quest {
    weft__ranking ranking;
    weft__ranker *ranker;
    const weft_query *query;
    int own, other; /* the side of the id and that of the candidates */
    double kappa, sign, gamma;
    bool balanced;
    double own_lower, own_upper; /* F_ii */
    double x_outside, x_error, spread, unit;
    bool beyond; /* F_ij is too large to be worked with */
    candidate *candidates;
    weft__candidate *left; /* those that may be in the answer */
    int64_t left_count;
    weft__progress *progress; /* NULL: nobody */
    double work;              /* multiplications of half a step */
} quest;

/* Beyond this exp is not a number to work with: what is known is then one-sided. */
static const double LARGEST_LOG = 690;

/* exp, never too large and never too small. */
static double floor_of(double logarithm)
{
    return weft__exp(fmin(logarithm, LARGEST_LOG));
}

static double ceiling_of(double logarithm)
{
    return logarithm > LARGEST_LOG ? INFINITY : weft__exp(logarithm);
}

/* ---- The action on e_i ---- */

/* Both parts that are the id's own take an eighth of the tolerance. */
static bool precise_enough(const quest *q, const weft__bracket *bracket)
{
    double share = q->query->tolerance * q->gamma / 8;
    double width = floor_of(bracket->log_upper) - floor_of(bracket->log_lower);
    /* K_jj <= 1 */
    bool crossed = 4 * q->kappa * q->ranker->action.error * floor_of(q->ranker->action.shift) <= share;
    return crossed && (q->balanced || q->kappa * width <= share);
}

static bool worth_a_look(const weft__sequence *s)
{
    int k = s->t.k;
    return !s->kernel_next && (k <= 16 || k % (k / 8) == 0);
}

static weft_status act(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *ranker = q->ranker;
    weft__sequence *s = &ranker->whole;
    bool more = true, enough = false;
    weft__start start = weft__snapshot_embed(&ranker->snapshot, q->own, q->query->id);
    weft__sequence_begin(s, &ranker->snapshot.operators, &start, ranker->snapshot.b);
    while (more && !enough) {
        TRY(weft__snapshot_advance(&ranker->snapshot, s, &start, &more, error));
        TRY(weft__progress_step(q->progress, q->work, error));
        if (!more || worth_a_look(s)) {
            TRY(weft__action_evaluate(&ranker->action, s, error));
            enough = precise_enough(q, &s->bracket);
        }
    }
    q->own_lower = floor_of(s->bracket.log_lower);
    q->own_upper = ceiling_of(s->bracket.log_upper);
done:
    return status;
}

/* Where K is not known entry by entry: |K(j,.) x| is wrong by about u sqrt(S_j S_x), S_j <= blur K_jj. */
static double blur_spread(const quest *q)
{
    weft__ranker *ranker = q->ranker;
    const weft__operators *o = &ranker->snapshot.operators;
    double blur = weft__snapshot_view(&ranker->snapshot, q->other)->side->blur;
    if (blur == 0)
        return 0;
    return 8 * DBL_EPSILON * sqrt(blur * fabs(o->kernel(o->self, false, ranker->x, ranker->work)));
}

/* x = exp(CK) e_i and f = K x + (what lies outside) K e_i, in units of exp(shift). */
static void apply(quest *q)
{
    weft__ranker *ranker = q->ranker;
    const weft__action *action = &ranker->action;
    const weft__sequence *s = &ranker->whole;
    int64_t n = ranker->snapshot.operators.n;
    q->x_outside = weft__action_vector(action, s, ranker->x);
    for (int64_t i = 0; i < n; i++)
        ranker->f[i] = 0;
    for (int j = 0; j < action->k; j++)
        weft__add(n, action->coefficient[j], s->p + j * s->capacity, ranker->f);
    q->unit = floor_of(action->shift);
    q->beyond = action->shift > LARGEST_LOG;
    q->x_error = action->error;
    /* Rounding of a product by K, as in spectral/sequence.c. */
    q->spread = 8 * DBL_EPSILON * sqrt((double)n / WEFT__LANES + 1) *
                sqrt(weft__weighted_square(n, ranker->snapshot.operators.diagonal, ranker->x));
    q->spread += blur_spread(q);
}

/* K(j,.) x, `column` being what is kept of K(j,.). */
static double against(const quest *q, int64_t id, const double *column)
{
    weft__ranker *ranker = q->ranker;
    if (column != NULL)
        return weft__dot(ranker->stride[weft__ranker_shelf(ranker, q->other)], column,
                         ranker->x + weft__snapshot_offset(&ranker->snapshot, q->other));
    weft__snapshot_column(&ranker->snapshot, q->other, id, ranker->work);
    return weft__dot(ranker->snapshot.operators.n, ranker->work, ranker->x);
}

/* F_ij */
static weft_status cross(const quest *q, int64_t id, double *value, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *ranker = q->ranker;
    int64_t place = weft__snapshot_place(&ranker->snapshot, q->other, id);
    const double *column = NULL;
    if (place >= 0) {
        *value = ranker->f[place];
        return WEFT_OK;
    }
    TRY(weft__ranker_column(ranker, q->other, id, &column, error));
    *value = against(q, id, column);
    if (ranker->snapshot.learner->player.columns == NULL && q->x_outside != 0) {
        double entry = weft__working_set_entry(weft__snapshot_view(&ranker->snapshot, 0), id, q->query->id);
        *value += q->x_outside * (entry + ranker->snapshot.constant);
    }
done:
    return status;
}

/* ---- One candidate ---- */

static double clamp(double margin)
{
    return fmin(fmax(margin, -WEFT_MARGIN_LIMIT), WEFT_MARGIN_LIMIT);
}

/* The bracket of the margin from those of F_ii, F_ij and F_jj. */
static void read_margin(const quest *q, candidate *c)
{
    if (q->balanced) {
        c->at.lower = clamp(2 * q->kappa * (c->cross - c->cross_error));
        c->at.upper = clamp(2 * q->kappa * (c->cross + c->cross_error));
        return;
    }
    const weft__ranker *ranker = q->ranker;
    const weft__entry *entry = &ranker->kept[weft__ranker_shelf(ranker, q->other)][c->at.id];
    double middle = 2 * q->sign * c->cross, width = 2 * c->cross_error;
    double low = q->kappa * (q->own_lower + middle - width + floor_of(entry->lower));
    double high = q->kappa * (q->own_upper + middle + width + ceiling_of(entry->upper));
    low = fmax(low, 0);
    high = fmax(high, low);
    c->at.lower = clamp(q->sign > 0 ? low - 1 : 1 - high);
    c->at.upper = clamp(q->sign > 0 ? high - 1 : 1 - low);
}

static weft_status introduce(const quest *q, candidate *c, weft_error *error)
{
    weft_status status = WEFT_OK;
    double square = weft__snapshot_diagonal(&q->ranker->snapshot, q->other, c->at.id), value = 0;
    TRY(cross(q, c->at.id, &value, error));
    c->cross = q->beyond ? 0 : q->unit * value;
    c->cross_error = q->beyond ? INFINITY : q->unit * (q->x_error + q->spread) * sqrt(square);
    c->guess = q->balanced ? c->cross : c->cross + q->sign * square / 2;
    read_margin(q, c);
    if (weft__ranking_is_self(&q->ranking, c->at.id))
        c->at.lower = c->at.upper = 1;
done:
    return status;
}

/* Where rounding of F_ij leaves too much, the pair by itself is sharper. */
static weft_status judge(quest *q, candidate *c, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *ranker = q->ranker;
    const weft__ranking *ranking = &q->ranking;
    bool exact = q->balanced || weft__ranking_is_self(ranking, c->at.id), begun = false, more = true;
    while (!exact && more && !weft__ranking_hopeless(ranking, &c->at) &&
           !weft__ranking_narrow(ranking, &c->at)) {
        if (!begun)
            weft__ranker_begin(ranker, q->other, c->at.id, q->query->tolerance >= SWIFT);
        begun = true;
        TRY(weft__ranker_advance(ranker, q->other, c->at.id, &more, error));
        TRY(weft__progress_step(q->progress, q->work, error));
        read_margin(q, c);
    }
    if (!weft__ranking_hopeless(ranking, &c->at) && !weft__ranking_narrow(ranking, &c->at))
        TRY(weft__ranking_evaluate(ranking, &c->at, error));
    if (!weft__ranking_hopeless(ranking, &c->at)) {
        weft__top_k_add(&q->ranking.sure, c->at.lower);
        q->left[q->left_count++] = c->at;
    }
done:
    return status;
}

static int by_falling_guess(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->guess != y->guess)
        return (x->guess < y->guess) - (x->guess > y->guess);
    return (x->at.order > y->at.order) - (x->at.order < y->at.order);
}

/* Multiplications of an entry of a column of the kernel, about. */
enum { WORK_OF_ENTRY = 32 };

static weft_status judge_all(quest *q, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = q->query->candidate_count, open = 0;
    double columns = WORK_OF_ENTRY * (double)q->ranker->snapshot.operators.n;
    for (int64_t k = 0; k < count; k++) {
        candidate *c = &q->candidates[k];
        c->at.id = q->query->candidates[k];
        c->at.order = k;
        TRY(introduce(q, c, error));
        TRY(weft__progress_step(q->progress, columns, error));
        open += !weft__ranking_narrow(&q->ranking, &c->at);
    }
    /* The sooner the best are known, the sooner others are left out. */
    if (open > 0)
        qsort(q->candidates, (size_t)count, sizeof *q->candidates, by_falling_guess);
    weft__progress_begin(q->progress, "ranking", 0);
    for (int64_t k = 0; k < count; k++) {
        TRY(judge(q, &q->candidates[k], error));
        weft__progress_expect(q->progress, (double)(k + 1) / (double)count);
    }
done:
    return status;
}

static quest begin(weft__ranker *ranker, const weft_query *query)
{
    const weft__learner *learner = ranker->snapshot.learner;
    weft_form form = learner->settings.form;
    return (quest){.ranking = {.learner = ranker->snapshot.learner, .query = query},
                   .ranker = ranker,
                   .query = query,
                   .own = query->column ? 1 : 0,
                   .other = query->column ? 0 : 1,
                   .kappa = weft__exp(learner->log_kappa),
                   .sign = form == WEFT_ONE_SET ? -1 : 1,
                   .gamma = learner->settings.gamma,
                   .balanced = form == WEFT_BALANCED};
}

static weft_status rank(weft__ranker *ranker, const weft_query *query, weft__progress *progress,
                        weft_ranked *ranked, int64_t *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    quest q = begin(ranker, query);
    q.progress = progress;
    q.work = weft__learner_product_work(ranker->snapshot.learner) / 2;
    int64_t count = query->candidate_count;
    TRY(weft__ranking_open(&q.ranking, error));
    TRY(weft__ranker_fit(ranker, error));
    TRY(weft__ranker_stock(ranker, q.other, query->candidates, count, error));
    TRY(weft__new(&ranker->memory, count, sizeof *q.candidates, &q.candidates, error));
    TRY(weft__new(&ranker->memory, count, sizeof *q.left, &q.left, error));
    TRY(act(&q, error));
    apply(&q);
    TRY(judge_all(&q, error));
    weft__ranking_answer(&q.ranking, q.left, q.left_count, ranked, found);
done:
    weft__delete(&ranker->memory, q.candidates);
    weft__delete(&ranker->memory, q.left);
    weft__ranking_close(&q.ranking);
    return status;
}

weft_status weft__ranker_rank(weft__ranker *ranker, const weft_query *query, weft__progress *progress,
                              weft_ranked *ranked, int64_t *found, weft_error *error)
{
    if (ranker->spectrum != NULL)
        return weft__rank_compact(ranker->spectrum, query, progress, ranked, found, error);
    return rank(ranker, query, progress, ranked, found, error);
}
