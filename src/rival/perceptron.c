/* SPDX-License-Identifier: MIT
 *
 * Margin perceptrons over pairs of ids.
 *
 * Method     f(i,j) = sum_s y_s k((i,j), (i_s,j_s)) over the trials with an update; an
 *            update iff y f <= margin.  With the cosines u of the two kernels k is
 *            their mean, their product, or the square of their mean, and a little more:
 *            a constant, as a bias.
 * Algorithm  Let z = u(i,.) and w = u(j,.) over the ids that were learnt, S the matrix
 *            of the sums of the labels of each pair, d and e its row and column sums.
 *            Two sides:
 *                sum (d'z + e'w) / 2,   product z'Sw,   square (d'z^2 + e'w^2 + 2 z'Sw) / 4
 *            One set, S symmetric with its diagonal doubled, v = z + w:
 *                sum d'v / 4,           product z'Sw/2, square (d'v^2 + v'Sv) / 16
 *            z'Sw goes over the lines of the rows with z != 0, or over those of the
 *            columns with w != 0, whichever are shorter.
 *            Where ids are in classes, or nothing is known of them, all that is said by a few sums
 *            (rival/class_sums.h).
 * Cost       O(ids learnt) a trial for the sum, else with these lines; with classes a few look-ups.
 * Reference  Freund and Schapire, Large margin classification using the perceptron
 *            algorithm, Machine Learning 37 (1999); for pairs: Basilico and Hofmann,
 *            Unifying collaborative and content-based filtering, ICML 2004. */
#include "rival/perceptron.h"

#include <math.h>

/* The constant of the kernels, by measurement: without it a product is blind to what
 * all pairs have in common (docs/rivals.md). */
static const double BIAS = 0.01;

/* Sums of cosines that should be equal differ by rounding, which must decide nothing. */
static const double TIE = 1e-9;

int weft__perceptron_set(const weft__rival *rival, int which)
{
    return rival->player.columns == NULL ? 0 : which;
}

static weft_status create(weft__rival *rival, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    (void)error;
    for (int which = 0; which < 2; which++) {
        self->touched[which].side = weft__rival_side(rival, which);
        self->touched[which].memory = self->touched[which].slots.memory = rival->player.memory;
        self->lines[which].memory = rival->player.memory;
    }
    self->classed = weft__is_classed(rival->player.rows) && weft__is_classed(weft__rival_side(rival, 1));
    self->classes = (weft__class_sums){.memory = rival->player.memory,
                                       .one_set = rival->player.columns == NULL,
                                       .pairs = rival->settings.kind != WEFT_RIVAL_SUM};
    return WEFT_OK;
}

static void release(weft__rival *rival)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    for (int which = 0; which < 2; which++) {
        weft__touched_free(&self->touched[which]);
        weft__lines_free(&self->lines[which]);
        weft__delete(&rival->player.memory, self->u[which]);
    }
    weft__class_sums_free(&self->classes);
}

/* ---- The score ---- */

static int64_t lines_length(const weft__lines *lines, const double *x, int64_t count)
{
    int64_t length = 0;
    for (int64_t s = 0; s < count; s++)
        length += x[s] != 0 ? lines->lines[s].count : 0;
    return length;
}

/* x'Sy by the lines of S. */
static double by_lines(const weft__lines *lines, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t s = 0; s < count; s++)
        if (x[s] != 0)
            sum += x[s] * weft__line_dot(&lines->lines[s], y);
    return sum;
}

/* z'Sw */
static double bilinear(weft__perceptron *self, const double *z, const double *w)
{
    int second = weft__perceptron_set(&self->base, 1);
    const weft__lines *rows = &self->lines[0], *columns = &self->lines[second];
    int64_t m = self->touched[0].count, n = self->touched[second].count;
    int64_t down = lines_length(rows, z, m), across = lines_length(columns, w, n);
    self->visited = down <= across ? down : across;
    return down <= across ? by_lines(rows, z, w, m) : by_lines(columns, w, z, n);
}

/* d'x, or d'x^2. */
static double linear(const weft__touched *touched, const double *x, bool squared)
{
    double sum = 0;
    for (int64_t s = 0; s < touched->count; s++)
        sum += touched->sum[s] * (squared ? x[s] * x[s] : x[s]);
    return sum;
}

static double score_two(weft__perceptron *self)
{
    const double *z = self->u[0], *w = self->u[1];
    weft_rival_kind kind = self->base.settings.kind;
    if (kind == WEFT_RIVAL_PRODUCT)
        return bilinear(self, z, w);
    bool square = kind == WEFT_RIVAL_SQUARE;
    double sums = linear(&self->touched[0], z, square) + linear(&self->touched[1], w, square);
    return square ? (sums + 2 * bilinear(self, z, w)) / 4 : sums / 2;
}

static double score_one(weft__perceptron *self)
{
    double *z = self->u[0];
    const double *w = self->u[1];
    weft_rival_kind kind = self->base.settings.kind;
    if (kind == WEFT_RIVAL_PRODUCT)
        return bilinear(self, z, w) / 2;
    for (int64_t s = 0; s < self->touched[0].count; s++)
        z[s] += w[s];
    if (kind == WEFT_RIVAL_SUM)
        return linear(&self->touched[0], z, false) / 4;
    return (linear(&self->touched[0], z, true) + bilinear(self, z, z)) / 16;
}

static double score_by_kernel(weft__perceptron *self, const int64_t pair[2])
{
    for (int which = 0; which < 2; which++)
        weft__touched_similarity(&self->touched[weft__perceptron_set(&self->base, which)], pair[which],
                                 self->u[which]);
    return self->base.player.columns == NULL ? score_one(self) : score_two(self);
}

static weft_status score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    (void)error;
    if (!self->pending || self->pair[0] != pair[0] || self->pair[1] != pair[1]) {
        double f = BIAS * self->total +
                   (self->classed ? weft__perceptron_class_score(self, pair) : score_by_kernel(self, pair));
        self->score = fabs(f) < TIE ? 0 : f;
        self->pair[0] = pair[0];
        self->pair[1] = pair[1];
        self->pending = true;
    }
    *out = self->score;
    return WEFT_OK;
}

/* ---- Learning ---- */

weft_status weft__perceptron_fit(weft__perceptron *self, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2; which++) {
        int64_t capacity = self->touched[weft__perceptron_set(&self->base, which)].capacity;
        if (self->classed || capacity <= self->u_capacity[which])
            continue;
        TRY(weft__resize(&self->base.player.memory, &self->u[which], 0, capacity, sizeof(double), error));
        self->u_capacity[which] = capacity;
    }
done:
    return status;
}

/* The slots that the pair has or will have. */
static void foresee_slots(const weft__perceptron *self, const int64_t pair[2], int64_t slot[2])
{
    bool one_set = self->base.player.columns == NULL;
    for (int which = 0; which < 2; which++) {
        const weft__touched *touched = &self->touched[weft__perceptron_set(&self->base, which)];
        slot[which] = weft__touched_slot(touched, pair[which]);
        bool second = one_set && which == 1 && slot[0] == touched->count;
        if (slot[which] < 0)
            slot[which] = second && pair[0] != pair[1] ? touched->count + 1 : touched->count;
    }
}

weft_status weft__perceptron_reserve(weft__perceptron *self, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t slot[2];
    for (int which = 0; which < 2; which++) {
        int set = weft__perceptron_set(&self->base, which);
        TRY(weft__touched_reserve(&self->touched[set], 2, pair[which], error));
    }
    TRY(weft__perceptron_fit(self, error));
    foresee_slots(self, pair, slot);
    for (int which = 0; which < 2 && self->base.settings.kind != WEFT_RIVAL_SUM; which++) {
        int set = weft__perceptron_set(&self->base, which);
        TRY(weft__lines_reserve(&self->lines[set], slot[which] + 1, slot[which], error));
    }
    if (self->classed)
        TRY(weft__perceptron_reserve_classes(self, pair, slot, error));
done:
    return status;
}

void weft__perceptron_add(weft__perceptron *self, const int64_t pair[2], double count)
{
    int64_t slot[2];
    for (int which = 0; which < 2; which++) {
        weft__touched *touched = &self->touched[weft__perceptron_set(&self->base, which)];
        slot[which] = weft__touched_touch(touched, pair[which]);
        touched->sum[slot[which]] += count;
    }
    for (int which = 0; which < 2 && self->base.settings.kind != WEFT_RIVAL_SUM; which++)
        weft__lines_add(&self->lines[weft__perceptron_set(&self->base, which)], slot[which], slot[1 - which],
                        count);
    if (self->classed)
        weft__perceptron_add_classes(self, pair, slot, count);
    self->total += count;
    self->pending = false;
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    weft_status status = WEFT_OK;
    double f = 0;
    TRY(score(rival, pair, &f, error));
    if (label * f <= rival->settings.rate + TIE) {
        TRY(weft__perceptron_reserve(self, pair, error));
        weft__perceptron_add(self, pair, label);
    }
done:
    return status;
}

/* A similarity with every id learnt, or what finds a column of these, and the coefficients, which are
 * scattered; or a few sums. */
static double price(const weft__rival *rival, int64_t seen)
{
    enum { ID = 4, COEFFICIENT = 8, SUMS = 300 };
    const weft__perceptron *self = (const weft__perceptron *)rival;
    int64_t ids = self->touched[0].count + self->touched[weft__perceptron_set(rival, 1)].count;
    double columns = weft__rival_side(rival, 0)->solve_work + weft__rival_side(rival, 1)->solve_work;
    (void)seen;
    if (self->classed)
        return SUMS;
    return (double)(ID * ids + COEFFICIENT * self->visited) + columns;
}

/* Of slots, and of coefficients with the room that a short line has. */
enum { SLOT = 40, LINE = 24, SHORT = 256, ENTRY = 24 };

static double bytes_by_class(const weft__perceptron *self, int set)
{
    const weft__class_sums *sums = &self->classes;
    double lines = sums->mixed[set].entries > 0 ? (double)self->touched[set].count : 0;
    return (LINE + SHORT) * lines + ENTRY * (double)(sums->mixed[set].entries + sums->both.entries) +
           8 * (double)sums->classes[set];
}

static double bytes(const weft__rival *rival)
{
    const weft__perceptron *self = (const weft__perceptron *)rival;
    double sum = 0;
    for (int set = 0; set < 2; set++)
        sum +=
            SLOT * (double)self->touched[set].count +
            (rival->settings.kind == WEFT_RIVAL_SUM ? 0 : (LINE + SHORT) * (double)self->touched[set].count) +
            ENTRY * (double)self->lines[set].entries + bytes_by_class(self, set);
    return sum;
}

static void empty(weft__rival *rival)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    for (int set = 0; set < 2; set++) {
        weft__touched_free(&self->touched[set]);
        weft__lines_free(&self->lines[set]);
        weft__delete(&rival->player.memory, self->u[set]);
        self->u[set] = NULL;
        self->u_capacity[set] = 0;
    }
    weft__class_sums_free(&self->classes);
    self->total = 0;
    self->pending = false;
}

static bool share(weft__rival *rival, int which, weft__column_cache *cache)
{
    weft__touched *touched = &((weft__perceptron *)rival)->touched[weft__perceptron_set(rival, which)];
    if (((weft__perceptron *)rival)->classed)
        return false;
    touched->cache = cache;
    cache->similarities = true;
    for (int64_t s = 0; s < touched->count; s++)
        weft__column_cache_add_learnt(cache, touched->ids[s]);
    return true;
}

static bool is_stranger(const weft__rival *rival, int which, int64_t id)
{
    const weft__perceptron *self = (const weft__perceptron *)rival;
    return weft__touched_slot(&self->touched[weft__perceptron_set(rival, which)], id) < 0;
}

static const weft__slots *met(const weft__rival *rival, int which)
{
    return &((const weft__perceptron *)rival)->touched[weft__perceptron_set(rival, which)].slots;
}

const weft__rival_ops weft__rival_perceptron = {
    .size = sizeof(weft__perceptron),
    .create = create,
    .score = score,
    .probability = weft__sigmoid,
    .learn = learn,
    .write = weft__perceptron_write,
    .read = weft__perceptron_read,
    .put_entries = weft__perceptron_put_entries,
    .put_changed = weft__perceptron_put_changed,
    .put_rest = weft__perceptron_put_rest,
    .take = weft__perceptron_take,
    .take_rest = weft__perceptron_take_rest,
    .renumber = weft__perceptron_renumber,
    .release = release,
    .price = price,
    .bytes = bytes,
    .empty = empty,
    .share = share,
    .is_stranger = is_stranger,
    .met = met,
};
