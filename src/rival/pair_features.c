/* SPDX-License-Identifier: MIT
 *
 * Method     Every feature has a name, a 64-bit hash of which the lowest bits are the index of its weight;
 *            the name of a product is a hash of the sum of its factors' names.  Where products are bounded an
 *            id with many traits keeps those of the largest size, of equal ones the first.
 *            A value of the context stands alone and beside every name of either id; all values together,
 *            the joint context, alone and beside both ids themselves.  Of ids with many names the first
 *            ones are crossed, so that no event has more than WEFT__CONTEXT_CROSSES of all that.
 * Cost       O((1 + traits of i)(1 + traits of j)) a pair, at most WEFT__CROSSES where they are bounded, and
 *            what the traits cost; with a context as many again.
 * Reference  Weinberger, Dasgupta, Langford, Smola and Attenberg, Feature hashing for large scale multitask
 *            learning, ICML 2009. */
#include "rival/pair_features.h"

#include "learner/rank/top_k.h"
#include "rival/hash.h"

#include <math.h>

weft__pair_features weft__pair_features_empty(const weft_memory *memory)
{
    weft__pair_features features = {.memory = *memory};
    features.traits[0].memory = features.traits[1].memory = *memory;
    return features;
}

weft_status weft__pair_features_create(weft__pair_features *features, const weft__rival *rival, bool bounded,
                                       weft_error *error)
{
    weft_status status = WEFT_OK;
    features->bounded = bounded;
    for (int which = 0; which < (rival->player.columns != NULL ? 2 : 1); which++)
        TRY(weft__traits_create(&features->traits[which], weft__rival_side(rival, which),
                                bounded ? WEFT__SCALE_SPREAD : WEFT__SCALE_RANGE, &features->memory, error));
done:
    return status;
}

void weft__pair_features_free(weft__pair_features *features)
{
    for (int which = 0; which < 2; which++) {
        weft__traits_free(&features->traits[which]);
        weft__delete(&features->memory, features->names[which]);
    }
    weft__delete(&features->memory, features->list);
}

weft_status weft__pair_features_reserve(weft__pair_features *features, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count > features->capacity) {
        int64_t capacity = weft__grown(features->capacity, count);
        TRY(weft__resize(&features->memory, &features->list, 0, capacity, sizeof *features->list, error));
        features->capacity = capacity;
    }
done:
    return status;
}

/* ---- The names of an id ---- */

int64_t weft__traits_kept(int64_t own, int64_t other)
{
    int64_t beside = other < WEFT__CROSSED_TRAITS ? other : WEFT__CROSSED_TRAITS;
    int64_t most = WEFT__CROSSES / (1 + beside) - 1;
    return own < most ? own : most;
}

_Static_assert((WEFT__CROSSED_TRAITS + 1) * (WEFT__CROSSED_TRAITS + 1) <= (int)WEFT__CROSSES,
               "two ids that keep these have room for their products");

/* The least size of the traits that are kept, and how many of that size. */
static double least_kept(const weft__traits *traits, int64_t kept, int64_t *of_least)
{
    double sizes[WEFT__CROSSES];
    weft__top_k largest = {.at = sizes, .most = kept};
    for (int64_t k = 0; k < traits->count; k++)
        weft__top_k_add(&largest, fabs(traits->list[k].value));
    double least = weft__top_k_least(&largest);
    *of_least = 0;
    for (int64_t k = 0; k < largest.count; k++)
        *of_least += sizes[k] == least;
    return least;
}

static weft_status reserve_names(weft__pair_features *features, int which, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count > features->name_capacity[which]) {
        int64_t capacity = weft__grown(features->name_capacity[which], count);
        TRY(weft__resize(&features->memory, &features->names[which], 0, capacity, sizeof(weft__name), error));
        features->name_capacity[which] = capacity;
    }
done:
    return status;
}

static weft__traits *traits_of(weft__pair_features *features, const weft__rival *rival, int which)
{
    return &features->traits[rival->player.columns == NULL ? 0 : which];
}

/* The id, then at most `kept` of its traits in their order. */
static weft_status list_names(weft__pair_features *features, const weft__rival *rival, int which, int64_t id,
                              int64_t kept, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool column = which == 1 && rival->player.columns != NULL;
    weft__space space = column ? WEFT__SPACE_COLUMN : WEFT__SPACE_ROW;
    weft__space trait_space = column ? WEFT__SPACE_COLUMN_TRAIT : WEFT__SPACE_ROW_TRAIT;
    weft__traits *traits = traits_of(features, rival, which);
    uint64_t seed = rival->settings.seed;
    int64_t count = 0, of_least = 0;
    TRY(weft__traits_find(traits, id, error));
    TRY(reserve_names(features, which, 1 + (kept < traits->count ? kept : traits->count), error));
    double least = kept < traits->count ? least_kept(traits, kept, &of_least) : 0;
    weft__name *names = features->names[which];
    names[count++] = (weft__name){weft__hash_key(seed, space, id), 1};
    for (int64_t k = 0; k < traits->count; k++) {
        const weft__trait *trait = &traits->list[k];
        double size = fabs(trait->value);
        if (size > least || (size == least && of_least-- > 0))
            names[count++] = (weft__name){weft__hash_key(seed, trait_space, trait->number), trait->value};
    }
    features->name_count[which] = count;
done:
    return status;
}

/* ---- The features of a pair ---- */

static void add_feature(weft__pair_features *features, uint64_t mask, uint64_t key, double value)
{
    features->list[features->count++] = (weft__feature){(int64_t)(key & mask), value};
}

static void list_products(weft__pair_features *features, const weft__rival *rival)
{
    uint64_t mask = (UINT64_C(1) << rival->settings.bits) - 1;
    const weft__name *rows = features->names[0], *columns = features->names[1];
    features->count = 0;
    add_feature(features, mask, weft__hash_key(rival->settings.seed, WEFT__SPACE_CONSTANT, 0), 1);
    for (int which = 0; which < 2; which++)
        for (int64_t k = 0; k < features->name_count[which]; k++)
            add_feature(features, mask, features->names[which][k].key, features->names[which][k].value);
    for (int64_t a = 0; a < features->name_count[0]; a++)
        for (int64_t b = 0; b < features->name_count[1]; b++)
            add_feature(features, mask, weft__hash_pair(rows[a].key, columns[b].key),
                        rows[a].value * columns[b].value);
}

/* ---- The context ---- */

/* How many names of either id stand beside every one of so many values. */
static int64_t names_crossed(const weft__pair_features *features, int which, int64_t values)
{
    int64_t most = ((WEFT__CONTEXT_CROSSES - 3) / values - 1) / 2;
    return features->name_count[which] < most ? features->name_count[which] : most;
}

/* A value alone, and beside the first `crossed` names of either id. */
static void list_value(weft__pair_features *features, const weft__rival *rival, uint64_t value,
                       const int64_t crossed[2])
{
    uint64_t mask = (UINT64_C(1) << rival->settings.bits) - 1;
    uint64_t key = weft__hash_key(rival->settings.seed, WEFT__SPACE_CONTEXT, (int64_t)value);
    add_feature(features, mask, key, 1);
    for (int which = 0; which < 2; which++)
        for (int64_t k = 0; k < crossed[which]; k++) {
            const weft__name *name = &features->names[which][k];
            add_feature(features, mask, weft__hash_pair(key, name->key), name->value);
        }
}

/* One set of ids: an id with itself is crossed twice, as its names stand twice. */
static void list_context(weft__pair_features *features, const weft__rival *rival)
{
    uint64_t values[WEFT_CONTEXT_LIMIT + 1];
    int count = features->bounded ? weft__context_values(&rival->player.context, values) : 0;
    int alone = count > 1 ? count - 1 : count;
    if (count == 0)
        return;
    const int64_t names[2] = {names_crossed(features, 0, alone), names_crossed(features, 1, alone)};
    const int64_t ids[2] = {1, 1};
    for (int k = 0; k < alone; k++)
        list_value(features, rival, values[k], names);
    if (count > 1)
        list_value(features, rival, values[count - 1], ids);
}

/* Of how many traits of either id products are made. */
static weft_status find_kept(weft__pair_features *features, const weft__rival *rival, const int64_t pair[2],
                             int64_t kept[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t has[2];
    kept[0] = kept[1] = INT64_MAX;
    if (!features->bounded)
        return WEFT_OK;
    for (int which = 0; which < 2; which++) {
        weft__traits *traits = traits_of(features, rival, which);
        TRY(weft__traits_find(traits, pair[which], error));
        has[which] = traits->count;
    }
    for (int which = 0; which < 2; which++)
        kept[which] = weft__traits_kept(has[which], has[1 - which]);
done:
    return status;
}

weft_status weft__pair_features_list(weft__pair_features *features, const weft__rival *rival,
                                     const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t kept[2], products = 0;
    const int64_t *count = features->name_count;
    TRY(find_kept(features, rival, pair, kept, error));
    for (int which = 0; which < 2; which++)
        TRY(list_names(features, rival, which, pair[which], kept[which], error));
    TRY(weft__checked_product(1 + count[0], 1 + count[1], &products, error));
    if (features->bounded && weft__context_known(&rival->player.context))
        products += WEFT__CONTEXT_CROSSES;
    TRY(weft__pair_features_reserve(features, products, error));
    list_products(features, rival);
    list_context(features, rival);
done:
    return status;
}

/* ---- Scales, and similarities that were found already ---- */

void weft__pair_features_write(const weft__pair_features *features, weft__encoder *writer)
{
    for (int which = 0; which < 2; which++)
        weft__traits_write(&features->traits[which], writer);
}

weft_status weft__pair_features_read(weft__pair_features *features, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2; which++)
        TRY(weft__traits_read(&features->traits[which], reader, error));
done:
    return status;
}

/* The nearest by a kernel are among all ids. */
bool weft__pair_features_share(weft__pair_features *features, int which, weft__column_cache *cache)
{
    bool wanted = weft__traits_move(cache->side);
    if (wanted) {
        features->traits[which].cache = cache;
        cache->similarities = cache->whole = true;
    }
    return wanted;
}
