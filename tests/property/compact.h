/* SPDX-License-Identifier: MIT
 * Random sides with feature maps, and a judge of the compact engine that shares nothing with
 * it but phi and psi of an id (weft_side_features).  In extended precision,
 *
 *     x = [ phi_i / sqrt(2 R_M) ; psi_j / sqrt(2 R_N) ]      one set: (phi_i - phi_j) / sqrt(4 R)
 *     A = sum over the updated trials of eta y x x' 2^(-age / half_life)
 *     margin = kappa x'exp(A)x - 1                           one set: 1 - kappa x'exp(A)x, y turned round
 *     balanced: y (phi psi' + psi phi'),  margin = 2 kappa phi'exp(A)psi
 *
 * with exp(A/2) x by the Taylor series of A / 2s, applied s times (s > |A| / 2), and x'exp(A)x the
 * square of its length.  What trial s taught has the age t - s in trial t, counting labelled ones.
 *
 * With a floor, A is projected after every 8 d updates by a decomposition of its own.  What the engine
 * stores then is rounded to a grid and A by definition: it must be the projection up to that, and the
 * judge goes on from it. */
#ifndef WEFT_TESTS_PROPERTY_COMPACT_H
#define WEFT_TESTS_PROPERTY_COMPACT_H

#include "support/test.h"

#include <float.h>

#include "support/known.h"
#include "support/naive.h"
#include "support/stored.h"

/* ---- a side with a map ---- */

enum { MAPPED_POOL = 9 };

typedef struct mapped {
    known what;
    weft_map map;
    weft_side *side;
    int64_t count; /* ids that can be asked for */
    bool endless;  /* and then these: */
    int64_t pool[MAPPED_POOL];
} mapped;

static inline int64_t mapped_id(const mapped *it, int64_t k)
{
    return it->endless ? it->pool[k] : k;
}

/* R of the kernel, or of that whose differences are taken: R = 2 R_L of a PDLaplacian is half constant. */
static inline double mapped_radius(const mapped *it, bool differences)
{
    double radius = weft_side_radius(it->side);
    return differences && it->what.constant > 0 ? radius / 2 : radius;
}

/* Coordinates of each sort, none where the map is exact by itself. */
static inline void mapped_draw_map(dice *d, int64_t most, mapped *it)
{
    const known *what = &it->what;
    it->map = (weft_map){.seed = dice_bits(d)};
    bool exact = (what->kind == KNOWN_CLASSES || what->kind == KNOWN_LINEAR) && what->parameter == 0;
    if (exact)
        return;
    if (what->kind == KNOWN_NONE || what->kind == KNOWN_CLASSES || what->kind == KNOWN_LINEAR) {
        it->map.hash = 1 + dice_below(d, most);
        return;
    }
    if (what->kind == KNOWN_GAUSSIAN && dice_chance(d, 0.6))
        it->map.fourier = 2 * (1 + dice_below(d, (most + 1) / 2));
    else
        it->map.eigen = 1 + dice_below(d, what->listed);
    it->map.hash = dice_chance(d, 0.5) ? 1 + dice_below(d, most) : 0;
}

static inline void mapped_demand(weft_status status, const weft_error *error, const mapped *it)
{
    if (status != WEFT_OK)
        fail_msg("%s, fourier %lld eigen %lld hash %lld: %s", known_name(it->what.kind),
                 (long long)it->map.fourier, (long long)it->map.eigen, (long long)it->map.hash,
                 error->message);
}

static inline void mapped_make(dice *d, mapped *it)
{
    weft_error error = {0};
    it->endless = it->what.kind == KNOWN_NONE && dice_chance(d, 0.5);
    it->what.options.endless = it->endless;
    it->what.options.map = it->map.hash + it->map.eigen + it->map.fourier > 0 ? &it->map : NULL;
    it->what.listed = it->endless ? 0 : it->what.count;
    mapped_demand(known_side(&it->what, &it->side, &error), &error, it);
    it->count = it->endless ? MAPPED_POOL : it->what.count;
    for (int k = 0; k < MAPPED_POOL; k++) {
        int64_t shift = 1 + dice_below(d, 60);
        it->pool[k] = k == 0 ? INT64_MAX : k == 1 ? 0 : (int64_t)(dice_bits(d) >> shift);
    }
    if (it->endless || it->map.hash == 0 || dice_chance(d, 0.5))
        return;
    mapped_demand(weft_side_append(it->side, &(weft_item){.alone = true}, &error), &error, it);
    it->count++;
}

/* Any kind, with at most `most` coordinates of each sort that can be chosen.  *it must stay where it is. */
static inline void mapped_draw(dice *d, int64_t most, mapped *it)
{
    int64_t count = 3 + dice_below(d, 7);
    known_kind kind = (known_kind)dice_below(d, KNOWN_KINDS);
    *it = (mapped){0};
    known_draw(d, kind, count, count, &it->what);
    mapped_draw_map(d, most, it);
    mapped_make(d, it);
}

static inline void mapped_release(mapped *it)
{
    weft_side_free(it->side);
    known_release(&it->what);
}

static inline void mapped_describe(const mapped *it, size_t size, char *text)
{
    snprintf(text, size, "%s%s %lld ids, eigen %lld fourier %lld hash %lld (path %d)",
             it->endless ? "endless " : "", known_name(it->what.kind), (long long)it->count,
             (long long)it->map.eigen, (long long)it->map.fourier, (long long)it->map.hash,
             (int)it->what.path);
}

/* ---- the judge ---- */

typedef struct verdict {
    long double margin, scale; /* no intermediate sum was larger than scale */
} verdict;

typedef struct referee {
    weft_form form;
    const mapped *rows, *columns;
    int64_t first, d; /* coordinates of the rows, of all */
    long double eta, kappa, fade;
    double floor;
    int64_t updates, holds;
    long double *a;
    long double *u, *v, *x, *y, *term, *next, *top; /* vectors */
    double *features;
} referee;

static inline referee referee_create(const mapped *rows, const mapped *columns, const weft_settings *settings)
{
    bool one_set = settings->form == WEFT_ONE_SET;
    referee r = {.form = settings->form, .rows = rows, .columns = one_set ? rows : columns};
    int64_t own = weft_side_dimension(rows->side);
    r.first = one_set ? 0 : own;
    r.d = one_set ? own : own + weft_side_dimension(columns->side);
    r.eta = settings->eta;
    r.kappa =
        (long double)settings->dimension / (long double)(settings->rows + (one_set ? 0 : settings->columns));
    r.floor = settings->floor;
    r.fade = settings->half_life > 0 ? exp2l(-1 / (long double)settings->half_life) : 1;
    r.a = naive_new(r.d * r.d + 7 * r.d, sizeof *r.a);
    long double **vectors[] = {&r.u, &r.v, &r.x, &r.y, &r.term, &r.next, &r.top};
    for (int k = 0; k < 7; k++)
        *vectors[k] = r.a + r.d * (r.d + k);
    for (int64_t k = 0; k < r.d; k++)
        r.top[k] = 1 + 0.3L * sinl((long double)k);
    r.features = naive_new(r.d, sizeof *r.features);
    return r;
}

static inline void referee_release(referee *r)
{
    free(r->a);
    free(r->features);
}

/* phi / sqrt(scale R) into `into`, from `offset` on. */
static inline void referee_read(referee *r, const mapped *side, int64_t id, int64_t offset, long double *into)
{
    weft_error error = {0};
    bool one_set = r->form == WEFT_ONE_SET;
    mapped_demand(weft_side_features(side->side, mapped_id(side, id), r->features, &error), &error, side);
    long double unit = sqrtl((one_set ? 4 : 2) * (long double)mapped_radius(side, one_set));
    memset(into, 0, (size_t)r->d * sizeof *into);
    for (int64_t k = 0; k < weft_side_dimension(side->side); k++)
        into[offset + k] = r->features[k] / unit;
}

/* u and v become phi and psi of the pair, x their sum (one set: difference). */
static inline void referee_place(referee *r, int64_t i, int64_t j)
{
    referee_read(r, r->rows, i, 0, r->u);
    referee_read(r, r->columns, j, r->first, r->v);
    for (int64_t k = 0; k < r->d; k++)
        r->x[k] = r->form == WEFT_ONE_SET ? r->u[k] - r->v[k] : r->u[k] + r->v[k];
}

static inline long double referee_norm(const referee *r)
{
    long double sum = 0;
    for (int64_t k = 0; k < r->d * r->d; k++)
        sum += r->a[k] * r->a[k];
    return sqrtl(sum);
}

static inline void referee_multiply(const referee *r, const long double *x, long double *y)
{
    for (int64_t i = 0; i < r->d; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < r->d; j++)
            y[i] += r->a[i * r->d + j] * x[j];
    }
}

static inline long double inner(int64_t n, const long double *a, const long double *b)
{
    long double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* x = exp(A / (2 steps)) x, |A / (2 steps)| <= 1 */
static inline void referee_step(referee *r, long double steps, long double *x)
{
    enum { TERMS = 24 }; /* 1/24! = 2e-24 */
    memcpy(r->term, x, (size_t)r->d * sizeof *x);
    for (int k = 1; k <= TERMS; k++) {
        referee_multiply(r, r->term, r->next);
        for (int64_t i = 0; i < r->d; i++)
            x[i] += r->term[i] = r->next[i] / (2 * steps * k);
    }
}

static inline void referee_exponential(referee *r, long double *x)
{
    int64_t steps = 1 + (int64_t)(referee_norm(r) / 2);
    for (int64_t k = 0; k < steps; k++)
        referee_step(r, (long double)steps, x);
}

static inline verdict referee_margin(referee *r, int64_t i, int64_t j)
{
    referee_place(r, i, j);
    if (r->form == WEFT_BALANCED) {
        referee_exponential(r, r->u);
        referee_exponential(r, r->v);
        long double size = inner(r->d, r->u, r->u) + inner(r->d, r->v, r->v);
        return (verdict){2 * r->kappa * inner(r->d, r->u, r->v), fmaxl(1, r->kappa * size)};
    }
    referee_exponential(r, r->x);
    long double q = r->kappa * inner(r->d, r->x, r->x);
    return (verdict){r->form == WEFT_ONE_SET ? 1 - q : q - 1, fmaxl(1, q)};
}

/* Frobenius: what is stored is 2^-21 an entry off the projection of an A that rounding has moved; a
 * projection moves nothing apart.  Where rounding decides whether to hold, the engine may. */
static inline void referee_hold(referee *r, const weft_player *learner)
{
    long double *was = naive_new(2 * r->d * r->d, sizeof *was), *got = was + r->d * r->d, off = 0;
    long double rounding = 1e-12L * (long double)(r->d + r->updates) * fmaxl(1, referee_norm(r));
    stored state = stored_state(learner);
    memcpy(was, r->a, (size_t)(r->d * r->d) * sizeof *was);
    stored_matrix(&state, r->d, got);
    long double below = -(long double)r->floor - 1 - stored_project(r->d, r->floor, r->a);
    for (int64_t k = 0; k < r->d * r->d; k++) {
        r->a[k] = below > 0 ? r->a[k] : was[k];
        off += (got[k] / r->fade - r->a[k]) * (got[k] / r->fade - r->a[k]);
    }
    if (!(sqrtl(off) <= (long double)r->d * 0x1p-21L + rounding) && fabsl(below) > rounding)
        fail_msg("update %lld, floor %g: least eigenvalue %Lg below, A is %Lg off", (long long)r->updates,
                 r->floor, below, sqrtl(off));
    for (int64_t k = 0; k < r->d * r->d && below > -rounding; k++)
        r->a[k] = got[k] / r->fade;
    r->holds += below > 0;
    free(was);
    free(state.bytes);
}

/* What a labelled trial, which the learner has just had, does to A: in the next one it is a trial old. */
static inline void referee_learn(referee *r, const weft_player *learner, int64_t i, int64_t j,
                                 int signed_step)
{
    enum { EVERY = 8 };
    long double step = r->eta * signed_step;
    referee_place(r, i, j);
    for (int64_t k = 0; k < r->d && signed_step != 0; k++)
        for (int64_t l = 0; l < r->d; l++)
            r->a[k * r->d + l] += r->form == WEFT_BALANCED  ? step * (r->u[k] * r->v[l] + r->v[k] * r->u[l])
                                  : r->form == WEFT_ONE_SET ? -step * r->x[k] * r->x[l]
                                                            : step * r->x[k] * r->x[l];
    r->updates += signed_step != 0;
    if (signed_step != 0 && r->floor > 0 && r->updates % (EVERY * r->d) == 0)
        referee_hold(r, learner);
    for (int64_t k = 0; k < r->d * r->d && r->fade != 1; k++)
        r->a[k] *= r->fade;
}

/* A number that lambda_max(A) is not below, and soon nearly is: power iteration with A + |A| I. */
static inline long double referee_top(referee *r)
{
    enum { ROUNDS = 4 };
    long double norm = referee_norm(r), quotient = 0;
    for (int k = 0; k < ROUNDS && norm > 0; k++) {
        referee_multiply(r, r->top, r->next);
        long double square = inner(r->d, r->top, r->top);
        quotient = inner(r->d, r->top, r->next) / square;
        for (int64_t i = 0; i < r->d; i++)
            r->top[i] = (r->next[i] + norm * r->top[i]) / (norm * sqrtl(square)) + 1e-25L;
    }
    return quotient;
}

/* lambda_max(A) itself, by Jacobi rotations. */
static inline long double referee_top_exactly(const referee *r)
{
    long double *work = naive_new(2 * r->d * r->d + r->d, sizeof *work), top = -INFINITY;
    memcpy(work, r->a, (size_t)(r->d * r->d) * sizeof *work);
    naive_eigen(r->d, work, work + 2 * r->d * r->d, work + r->d * r->d);
    for (int64_t k = 0; k < r->d; k++)
        top = fmaxl(top, work[2 * r->d * r->d + k]);
    free(work);
    return top;
}

/* ---- settings ---- */

/* Anything that is allowed; capacities for the ids that can be asked for. */
static inline weft_settings settings_draw(dice *d, const mapped *rows, const mapped *columns)
{
    static const double tolerances[] = {0, 0, 0.02, 1e-3, 1e-6};
    bool one_set = columns == NULL;
    weft_settings s = {.form = WEFT_ONE_SET, .engine = WEFT_COMPACT};
    if (!one_set)
        s.form = (weft_form)dice_below(d, 2);
    s.rows = rows->count + dice_below(d, 3);
    s.columns = one_set ? 0 : columns->count + dice_below(d, 3);
    s.updates = dice_chance(d, 0.6) ? WEFT_MARGIN_UPDATES : WEFT_MISTAKE_UPDATES;
    s.precision = dice_chance(d, 0.5) ? WEFT_MIXED : WEFT_DOUBLE;
    s.eta = dice_log_between(d, 0.01, 5);
    s.gamma = dice_chance(d, 0.15) ? 1 : 1 - dice_uniform(d);
    s.dimension = dice_log_between(d, 1, 4 * (double)(s.rows + s.columns));
    s.tolerance = tolerances[dice_below(d, (int64_t)(sizeof tolerances / sizeof *tolerances))];
    s.seed = dice_bits(d);
    s.deterministic = dice_chance(d, 0.4);
    s.half_life = dice_chance(d, 0.5) ? 0 : dice_log_between(d, 1, 1e6);
    if (s.half_life > 0 && dice_chance(d, 0.3))
        s.half_life = dice_chance(d, 0.5) ? 1 : dice_between(d, 0.05, 3);
    s.floor = dice_chance(d, 0.5) ? 0 : dice_log_between(d, 1, 64);
    return s;
}

/* Such that margins cannot be met, and eigenvalues fall below a floor that is there. */
static inline void settings_harden(dice *d, weft_settings *s)
{
    s->updates = WEFT_MARGIN_UPDATES;
    s->gamma = 1;
    s->eta = dice_log_between(d, 2, 10) * (s->form == WEFT_BALANCED ? 4 : 1);
    s->half_life = dice_chance(d, 0.5) ? 0 : dice_log_between(d, 100, 1e4);
    s->floor = dice_log_between(d, 1, 30);
}

#endif
