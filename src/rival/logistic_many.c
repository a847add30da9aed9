/* SPDX-License-Identifier: MIT
 *
 * Method  The features of a pair follow from its ids and the seed: members that give them the same names have
 *         one list for all candidates of a block (block.h).  The first features of each are the same, and so
 *         is their sum.
 * Cost    A weight for each of the other features. */
#include "rival/logistic.h"

#include <string.h>

static int set_of(const weft__rival *rival, int which)
{
    return rival->player.columns == NULL ? 0 : which;
}

static weft_status score_candidate(weft__rival *rival, const weft__block *block, int64_t b, double *out,
                                   weft_error *error)
{
    int64_t pair[2] = {block->id, block->id}, ordered[2];
    pair[block->place] = block->ids[b];
    weft__rival_order(rival, pair, ordered);
    return weft__logistic_score(rival, ordered, out, error);
}

/* The features of the first `count` candidates: those of number b end at end[b], and the first `leading` of
 * each are the same. */
typedef struct listed {
    int64_t leading, count, end[WEFT__BLOCK];
    weft__feature features[];
} listed;

/* A list ends before the candidate with which it would have more. */
enum { LISTED = 1 << 17 };

/* The constant, and where candidates are the columns the row and what is known of it; but how much of that is
 * kept depends on the column where products are bounded. */
static int64_t count_leading(const weft__logistic *self, const weft__block *block)
{
    bool row_stays = block->place == 1 && self->base.player.columns != NULL;
    bool all_stays = weft__logistic_is_hashed(&self->base) && !self->features.bounded;
    return !row_stays ? 1 : all_stays ? 1 + self->features.name_count[0] : 2;
}

static weft_status list_many(weft__rival *rival, const weft__block *block, listed *list, weft_error *error)
{
    const weft__logistic *self = (const weft__logistic *)rival;
    weft_status status = WEFT_OK;
    int64_t at = 0;
    for (list->count = 0; list->count < block->count; list->count++) {
        double ignored = 0;
        TRY(score_candidate(rival, block, list->count, &ignored, error));
        const weft__pair_features *of = &self->features;
        if (at + of->count > LISTED)
            break;
        memcpy(list->features + at, of->list, (size_t)of->count * sizeof *of->list);
        list->end[list->count] = at += of->count;
    }
    list->leading = count_leading(self, block);
done:
    return status;
}

/* The list that all have in common that give features the same names; NULL: too many are kept. */
static weft_status find_list(weft__rival *rival, weft__block *block, listed **list, weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    bool hashed = weft__logistic_is_hashed(rival), fresh = false;
    int64_t size = (int64_t)sizeof **list + LISTED * (int64_t)sizeof(weft__feature);
    weft__block_key key = {.what = &weft__rival_logistic, .alike = {-1, -1}};
    *list = NULL;
    if (hashed) {
        key.seed = rival->settings.seed;
        key.number = 2 * rival->settings.bits + self->features.bounded;
        for (int which = 0; which < 2; which++)
            key.alike[which] = weft__block_alike(block, &self->features.traits[set_of(rival, which)]);
        if (key.alike[0] < 0 || key.alike[1] < 0)
            return WEFT_OK;
    }
    TRY(weft__block_keep(block, &key, size, list, &fresh, error));
    if (*list != NULL && fresh)
        TRY(list_many(rival, block, *list, error));
done:
    return status;
}

weft_status weft__logistic_score_many(weft__rival *rival, weft__block *block, double *score,
                                      weft_error *error)
{
    weft__logistic *self = (weft__logistic *)rival;
    weft_status status = WEFT_OK;
    listed *list = NULL;
    TRY(find_list(rival, block, &list, error));
    int64_t listed_count = list != NULL ? list->count : 0, at = 0;
    double first = listed_count > 0 ? weft__weights_dot(&self->weights, list->features, list->leading) : 0;
    for (int64_t b = 0; b < listed_count; at = list->end[b++])
        score[b] = weft__weights_dot_more(&self->weights, list->features + at + list->leading,
                                          list->end[b] - at - list->leading, first);
    for (int64_t b = listed_count; b < block->count; b++)
        TRY(score_candidate(rival, block, b, &score[b], error));
done:
    return status;
}
