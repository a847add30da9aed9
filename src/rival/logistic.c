/* SPDX-License-Identifier: MIT
 *
 * Logistic regression on a pair of ids: with their biases alone, or hashed with ids,
 * traits and all products.
 *
 * Method     f = sum of weight times value over the features of the pair; a gradient
 *            step of the logistic loss for each, with a rate for every weight.
 * Algorithm  bias     the constant is weight 0; the rows and columns have the odd and
 *                     even ones from there (one set: both the same, 1 + id)
 *            hashed   every feature has a name, a 64-bit hash of which the lowest bits
 *                     are its weight; the name of a product is that of its factors' sum
 * Cost       O((1 + traits of i)(1 + traits of j)) a trial, and what the traits cost.
 * Reference  Weinberger, Dasgupta, Langford, Smola and Attenberg, Feature hashing for
 *            large scale multitask learning, ICML 2009. */
#include "rival/logistic.h"

#include "rival/hash.h"

static weft_status create(weft__rival *rival, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    self->weights.memory = rival->player.memory;
    self->traits[0].memory = self->traits[1].memory = rival->player.memory;
    for (int which = 0; which < 2 && weft__logistic_is_hashed(rival); which++)
        if (which == 0 || rival->player.columns != NULL)
            TRY(weft__traits_create(&self->traits[which], weft__rival_side(rival, which),
                                    &rival->player.memory, error));
done:
    return status;
}

static void release(weft__rival *rival)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft__weights_free(&self->weights);
    for (int which = 0; which < 2; which++) {
        weft__traits_free(&self->traits[which]);
        weft__delete(&rival->player.memory, self->names[which]);
    }
    weft__delete(&rival->player.memory, self->features);
}

/* ---- The features of a pair ---- */

static weft_status reserve_features(weft__logistic *self, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count > self->feature_capacity) {
        int64_t capacity = weft__grown(self->feature_capacity, count);
        TRY(weft__resize(&self->base.player.memory, &self->features, 0, capacity, sizeof *self->features,
                         error));
        self->feature_capacity = capacity;
    }
done:
    return status;
}

static weft_status list_biases(weft__logistic *self, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    bool one_set = self->base.player.columns == NULL;
    TRY(reserve_features(self, 3, error));
    self->features[0] = (weft__feature){0, 1};
    self->features[1] = (weft__feature){one_set ? 1 + pair[0] : 1 + 2 * pair[0], 1};
    self->features[2] = (weft__feature){one_set ? 1 + pair[1] : 2 + 2 * pair[1], 1};
    self->feature_count = 3;
done:
    return status;
}

/* The id, then its traits. */
static weft_status list_names(weft__logistic *self, int which, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool column = which == 1 && self->base.player.columns != NULL;
    uint64_t seed = self->base.settings.seed;
    weft__traits *traits = &self->traits[column];
    TRY(weft__traits_find(traits, id, error));
    if (1 + traits->count > self->name_capacity[which]) {
        int64_t capacity = weft__grown(self->name_capacity[which], 1 + traits->count);
        TRY(weft__resize(&self->base.player.memory, &self->names[which], 0, capacity, sizeof(weft__name),
                         error));
        self->name_capacity[which] = capacity;
    }
    weft__name *names = self->names[which];
    names[0] = (weft__name){weft__hash_key(seed, column ? WEFT__SPACE_COLUMN : WEFT__SPACE_ROW, id), 1};
    for (int64_t k = 0; k < traits->count; k++)
        names[1 + k] =
            (weft__name){weft__hash_key(seed, column ? WEFT__SPACE_COLUMN_TRAIT : WEFT__SPACE_ROW_TRAIT,
                                        traits->list[k].number),
                         traits->list[k].value};
    self->name_count[which] = 1 + traits->count;
done:
    return status;
}

static void add_feature(weft__logistic *self, uint64_t key, double value)
{
    uint64_t mask = (UINT64_C(1) << self->base.settings.bits) - 1;
    self->features[self->feature_count++] = (weft__feature){(int64_t)(key & mask), value};
}

static weft_status list_products(weft__logistic *self, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t products = 0;
    TRY(list_names(self, 0, pair[0], error));
    TRY(list_names(self, 1, pair[1], error));
    const int64_t *count = self->name_count;
    TRY(weft__checked_product(1 + count[0], 1 + count[1], &products, error));
    TRY(reserve_features(self, products, error));
    self->feature_count = 0;
    add_feature(self, weft__hash_key(self->base.settings.seed, WEFT__SPACE_CONSTANT, 0), 1);
    for (int which = 0; which < 2; which++)
        for (int64_t k = 0; k < count[which]; k++)
            add_feature(self, self->names[which][k].key, self->names[which][k].value);
    for (int64_t a = 0; a < count[0]; a++)
        for (int64_t b = 0; b < count[1]; b++)
            add_feature(self, weft__hash_pair(self->names[0][a].key, self->names[1][b].key),
                        self->names[0][a].value * self->names[1][b].value);
done:
    return status;
}

static weft_status list_features(weft__logistic *self, const int64_t pair[2], weft_error *error)
{
    return weft__logistic_is_hashed(&self->base) ? list_products(self, pair, error)
                                                 : list_biases(self, pair, error);
}

/* ---- Predicting and learning ---- */

weft_status weft__logistic_score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    TRY(list_features(self, pair, error));
    *out = weft__weights_dot(&self->weights, self->features, self->feature_count);
done:
    return status;
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    double f = 0;
    TRY(weft__logistic_score(rival, pair, &f, error));
    TRY(weft__weights_reserve(&self->weights, self->features, self->feature_count, error));
    /* -d/df log(1 + exp(-y f)) = y sigma(-y f) */
    double g = label * weft__sigmoid(-label * f);
    weft__weights_learn(&self->weights, self->features, self->feature_count, g, rival->settings.rate);
done:
    return status;
}

/* ---- State: the scales of the traits, then the weights ---- */

static void write(const weft__rival *rival, weft__encoder *writer)
{
    const weft__logistic *self = (const weft__logistic *)rival;
    for (int which = 0; which < 2 && weft__logistic_is_hashed(rival); which++)
        weft__traits_write(&self->traits[which], writer);
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
    for (int which = 0; which < 2 && weft__logistic_is_hashed(rival); which++)
        TRY(weft__traits_read(&self->traits[which], reader, error));
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
    for (int64_t k = 0; k < self->feature_count; k++)
        weft__weights_put_one(&self->weights, self->features[k].index, writer);
}

static void put_rest(const weft__rival *rival, weft__encoder *writer)
{
    for (int which = 0; which < 2 && weft__logistic_is_hashed(rival); which++)
        weft__traits_write(&((const weft__logistic *)rival)->traits[which], writer);
}

static weft_status take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    return weft__weights_take(&((weft__logistic *)rival)->weights, reader, error);
}

static weft_status take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2 && weft__logistic_is_hashed(rival); which++)
        TRY(weft__traits_read(&((weft__logistic *)rival)->traits[which], reader, error));
done:
    return status;
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
    return weft__logistic_is_hashed(rival) ? 500 + 12 * (double)((const weft__logistic *)rival)->feature_count
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
    self->feature_count = 0;
}

/* The nearest by a kernel are among all ids. */
static bool share(weft__rival *rival, int which, weft__column_cache *cache)
{
    bool wanted = weft__logistic_is_hashed(rival) && weft__traits_move(cache->side);
    if (wanted) {
        ((weft__logistic *)rival)->traits[which].cache = cache;
        cache->similarities = cache->whole = true;
    }
    return wanted;
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
