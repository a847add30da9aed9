/* SPDX-License-Identifier: MIT
 *
 * Logistic regression on a pair of ids: with their biases alone; hashed with ids, traits and all products; or
 * crossed, the same with no more than some products and smaller first steps.
 *
 * Method     f = sum of weight times value over the features of the pair; a gradient
 *            step of the logistic loss for each, with a rate for every weight.
 * Algorithm  bias     the constant is weight 0; the rows and columns have the odd and
 *                     even ones from there (one set: both the same, 1 + id)
 *            hashed   what pair_features.c lists; a first step is the rate, whatever the gradient
 *            crossed  the same, of products no more than so many; squared gradients count from
 *                     FIRST_SQUARES on, so that what was met once says little
 * Cost       O(features) a trial: pair_features.c */
#include "rival/logistic.h"

/* By measurement; docs/rivals.md. */
static const double FIRST_SQUARES = 0.3;

static weft_status create(weft__rival *rival, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    self->weights = (weft__weights){.memory = rival->player.memory,
                                    .first_squares = weft__logistic_is_crossed(rival) ? FIRST_SQUARES : 0};
    self->features = weft__pair_features_empty(&rival->player.memory);
    if (weft__logistic_is_hashed(rival))
        TRY(weft__pair_features_create(&self->features, rival, weft__logistic_is_crossed(rival), error));
done:
    return status;
}

static void release(weft__rival *rival)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft__weights_free(&self->weights);
    weft__pair_features_free(&self->features);
}

static weft_status list_biases(weft__logistic *self, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    bool one_set = self->base.player.columns == NULL;
    TRY(weft__pair_features_reserve(&self->features, 3, error));
    weft__feature *list = self->features.list;
    list[0] = (weft__feature){0, 1};
    list[1] = (weft__feature){one_set ? 1 + pair[0] : 1 + 2 * pair[0], 1};
    list[2] = (weft__feature){one_set ? 1 + pair[1] : 2 + 2 * pair[1], 1};
    self->features.count = 3;
done:
    return status;
}

static weft_status list_features(weft__logistic *self, const int64_t pair[2], weft_error *error)
{
    return weft__logistic_is_hashed(&self->base)
               ? weft__pair_features_list(&self->features, &self->base, pair, error)
               : list_biases(self, pair, error);
}

/* ---- Predicting and learning ---- */

weft_status weft__logistic_score(weft__rival *rival, const int64_t pair[2], double *score, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    TRY(list_features(self, pair, error));
    *score = weft__weights_dot(&self->weights, self->features.list, self->features.count);
done:
    return status;
}

/* The features are still those of the pair. */
static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    double f = rival->answer.score;
    (void)pair;
    TRY(weft__weights_reserve(&self->weights, self->features.list, self->features.count, error));
    /* -d/df log(1 + exp(-y f)) = y sigma(-y f) */
    double g = label * weft__sigmoid(-label * f);
    weft__weights_learn(&self->weights, self->features.list, self->features.count, g, rival->settings.rate);
done:
    return status;
}

/* ---- State: the scales of the traits, then the weights ---- */

static void write(const weft__rival *rival, weft__encoder *writer)
{
    const weft__logistic *self = (const weft__logistic *)rival;
    if (weft__logistic_is_hashed(rival))
        weft__pair_features_write(&self->features, writer);
    weft__weights_write(&self->weights, writer);
}

/* As many biases as the sides can have ids: 1, and one or two for each. */
static int64_t most_biases(const weft__rival *rival)
{
    int64_t rows = weft__side_most(rival->player.rows), columns = weft__side_most(weft__rival_side(rival, 1));
    int64_t most = rows > columns ? rows : columns, times = rival->player.columns == NULL ? 1 : 2;
    return most > (INT64_MAX - 1) / times ? INT64_MAX : 1 + times * most;
}

/* Whether every bias that was learnt is that of an id: below, the smaller side ends. */
static bool are_biases_sound(const weft__logistic *self)
{
    const weft__rival *rival = &self->base;
    int64_t rows = weft__side_most(rival->player.rows), columns = weft__side_most(weft__rival_side(rival, 1));
    int64_t least = rows < columns ? rows : columns, index = 0;
    for (; rows != columns && weft__weights_next(&self->weights, &index) != NULL; index++)
        if (index % 2 == (rows < columns ? 1 : 0) && index > 2 * least)
            return false;
    return true;
}

static weft_status read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    if (weft__logistic_is_hashed(rival))
        TRY(weft__pair_features_read(&self->features, reader, error));
    int64_t most = weft__logistic_is_hashed(rival) ? INT64_C(1) << rival->settings.bits : most_biases(rival);
    TRY(weft__weights_read(&self->weights, most, reader, error));
    if (!weft__logistic_is_hashed(rival) && !are_biases_sound(self))
        return weft__rival_damaged(error, "a weight is that of an unknown id");
done:
    return status;
}

/* ---- In pieces: an entry is a weight; the rest, the scales of the traits ---- */

static bool put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    return weft__weights_put_some(&((const weft__logistic *)rival)->weights, &at[0], bytes, writer);
}

/* The features are still those of the label. */
static void put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer)
{
    const weft__logistic *self = (const weft__logistic *)rival;
    (void)pair;
    for (int64_t k = 0; k < self->features.count; k++)
        weft__weights_put_one(&self->weights, self->features.list[k].index, writer);
}

static void put_rest(const weft__rival *rival, weft__encoder *writer)
{
    if (weft__logistic_is_hashed(rival))
        weft__pair_features_write(&((const weft__logistic *)rival)->features, writer);
}

static weft_status take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    return weft__weights_take(&((weft__logistic *)rival)->weights, reader, error);
}

static weft_status take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    return weft__logistic_is_hashed(rival)
               ? weft__pair_features_read(&((weft__logistic *)rival)->features, reader, error)
               : WEFT_OK;
}

/* Of biases alone: hashed weights go by their numbers for good. */
static weft_status renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    const weft__weight *weight = NULL;
    weft__weights old = self->weights;
    bool one_set = rival->player.columns == NULL;
    self->weights = (weft__weights){.memory = old.memory};
    for (int64_t index = 0; (weight = weft__weights_next(&old, &index)) != NULL; index++) {
        int which = one_set || index % 2 == 1 ? 0 : 1;
        int64_t number = 0, place = 0;
        if (index > 0) {
            TRY(weft__renumbered(numbers, which, one_set ? index - 1 : (index - 1) / 2, &number, error));
            place = one_set ? 1 + number : 1 + which + 2 * number;
        }
        TRY(weft__weights_put(&self->weights, place, weight, error));
    }
done:
    weft__weights_free(&old);
    return status;
}

/* Of all products of some ten traits a side; or of three weights. */
static double price(const weft__rival *rival, int64_t seen)
{
    (void)seen;
    return weft__logistic_is_hashed(rival)
               ? 500 + 12 * (double)((const weft__logistic *)rival)->features.count
               : 300;
}

static double bytes(const weft__rival *rival)
{
    return (double)((const weft__logistic *)rival)->weights.learnt_count * (double)sizeof(weft__weight);
}

static void empty(weft__rival *rival)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft__weights_free(&self->weights);
    self->features.count = 0;
}

static bool share(weft__rival *rival, int which, weft__column_cache *cache)
{
    return weft__logistic_is_hashed(rival) &&
           weft__pair_features_share(&((weft__logistic *)rival)->features, which, cache);
}

const weft__rival_ops weft__rival_logistic = {
    .size = sizeof(weft__logistic),
    .create = create,
    .score = weft__logistic_score,
    .score_many = weft__logistic_score_many,
    .probability = weft__sigmoid,
    .learn = learn,
    .write = write,
    .read = read,
    .put_entries = put_entries,
    .put_changed = put_changed,
    .put_rest = put_rest,
    .take = take,
    .take_rest = take_rest,
    .renumber = renumber,
    .release = release,
    .price = price,
    .bytes = bytes,
    .empty = empty,
    .share = share,
};
