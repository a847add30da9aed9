/* SPDX-License-Identifier: MIT
 *
 * The score of a perceptron whose ids are in classes, or alone, on both sides: what perceptron.c adds up over
 * the ids that were learnt, by rival/class_sums.h. */
#include "rival/perceptron.h"

/* Id k of a pair. */
static weft__classed id_of(const weft__perceptron *self, int k, int64_t id)
{
    const weft__touched *touched = &self->touched[weft__perceptron_set(&self->base, k)];
    return weft__classed_id(touched->side, id, weft__touched_slot(touched, id));
}

/* The sums of the lines, weighted: 1 for the id itself and `others` for the others of its class. */
static double weigh(const weft__perceptron *self, int k, weft__classed id, double others)
{
    const weft__touched *touched = &self->touched[weft__perceptron_set(&self->base, k)];
    double own = id.slot >= 0 ? touched->sum[id.slot] : 0;
    return (1 - others) * own + others * weft__class_sum(&self->classes, k, id);
}

/* d'z and d'z^2 */
static double linear(const weft__perceptron *self, int k, weft__classed id)
{
    return weigh(self, k, id, id.alike);
}

static double squared(const weft__perceptron *self, int k, weft__classed id)
{
    return weigh(self, k, id, id.alike * id.alike);
}

/* z'Sw */
static double bilinear(const weft__perceptron *self, weft__classed a, weft__classed b)
{
    return weft__class_bilinear(&self->classes, &self->lines[0], a, b);
}

static double score_two(const weft__perceptron *self, weft__classed a, weft__classed b)
{
    switch (self->base.settings.kind) {
    case WEFT_RIVAL_SUM:
        return (linear(self, 0, a) + linear(self, 1, b)) / 2;
    case WEFT_RIVAL_PRODUCT:
        return bilinear(self, a, b);
    default:
        return (squared(self, 0, a) + squared(self, 1, b) + 2 * bilinear(self, a, b)) / 4;
    }
}

/* d'(zw) for two different ids: of a class, a for each of the two and a^2 for the others. */
static double overlap(const weft__perceptron *self, weft__classed a, weft__classed b)
{
    const double *sum = self->touched[0].sum;
    double own = (a.slot >= 0 ? sum[a.slot] : 0) + (b.slot >= 0 ? sum[b.slot] : 0),
           square = a.alike * a.alike;
    if (a.class_of < 0 || a.class_of != b.class_of)
        return 0;
    return (a.alike - square) * own + square * weft__class_sum(&self->classes, 0, a);
}

static double score_one(const weft__perceptron *self, bool same, weft__classed a, weft__classed b)
{
    if (self->base.settings.kind == WEFT_RIVAL_SUM)
        return (linear(self, 0, a) + linear(self, 0, b)) / 4;
    double across = bilinear(self, a, b);
    if (self->base.settings.kind == WEFT_RIVAL_PRODUCT)
        return across / 2;
    double both = same ? squared(self, 0, a) : overlap(self, a, b);
    return (squared(self, 0, a) + squared(self, 0, b) + 2 * both + bilinear(self, a, a) +
            bilinear(self, b, b) + 2 * across) /
           16;
}

double weft__perceptron_class_score(const weft__perceptron *self, const int64_t pair[2])
{
    weft__classed a = id_of(self, 0, pair[0]), b = id_of(self, 1, pair[1]);
    return self->base.player.columns == NULL ? score_one(self, pair[0] == pair[1], a, b)
                                             : score_two(self, a, b);
}

/* ---- Learning ---- */

static void list_pair(const weft__perceptron *self, const int64_t pair[2], const int64_t slot[2],
                      weft__classed found[2])
{
    for (int k = 0; k < 2; k++)
        found[k] =
            weft__classed_id(self->touched[weft__perceptron_set(&self->base, k)].side, pair[k], slot[k]);
}

weft_status weft__perceptron_reserve_classes(weft__perceptron *self, const int64_t pair[2],
                                             const int64_t slot[2], weft_error *error)
{
    weft__classed ids[2];
    list_pair(self, pair, slot, ids);
    return weft__class_sums_reserve(&self->classes, ids, error);
}

void weft__perceptron_add_classes(weft__perceptron *self, const int64_t pair[2], const int64_t slot[2],
                                  double count)
{
    weft__classed ids[2];
    list_pair(self, pair, slot, ids);
    weft__class_sums_add(&self->classes, ids, count);
}

/* Of S every coefficient, of a symmetric one those that stand for the pair. */
static weft_status sum_pairs(weft__perceptron *self, weft_error *error)
{
    weft_status status = WEFT_OK;
    int second = weft__perceptron_set(&self->base, 1);
    for (int64_t s = 0; s < self->touched[0].count; s++)
        for (int64_t k = 0; k < self->lines[0].lines[s].count; k++) {
            weft__coefficient c = self->lines[0].lines[s].entries[k];
            int64_t slot[2] = {s, c.place};
            int64_t pair[2] = {self->touched[0].ids[s], self->touched[second].ids[c.place]};
            if (second == 0 && s > c.place)
                continue;
            TRY(weft__perceptron_reserve_classes(self, pair, slot, error));
            weft__perceptron_add_classes(self, pair, slot,
                                         second == 0 && s == c.place ? c.value / 2 : c.value);
        }
done:
    return status;
}

static weft_status sum_lines(weft__perceptron *self, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int k = 0; k < 2; k++)
        for (int64_t s = 0; s < self->touched[k].count; s++)
            TRY(weft__class_sums_put(&self->classes, k,
                                     weft__classed_id(self->touched[k].side, self->touched[k].ids[s], s),
                                     self->touched[k].sum[s], error));
done:
    return status;
}

weft_status weft__perceptron_sum_classes(weft__perceptron *self, weft_error *error)
{
    if (!self->classed)
        return WEFT_OK;
    weft__class_sums_free(&self->classes);
    return self->classes.pairs ? sum_pairs(self, error) : sum_lines(self, error);
}
