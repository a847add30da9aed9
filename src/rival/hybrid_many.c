/* SPDX-License-Identifier: MIT
 *
 * Method  The scores of one id with many candidates.  The sum of its own parts is made once.  What candidates
 *         are made of, with which weights, and the first values of lines that nobody has learnt follow from
 *         the candidates and the seed: all hybrid factorisations of a committee have them in common
 *         (block.h).  So a candidate takes a look at a line for each of its parts, their sum and a product.
 * Cost    O(parts of the candidates k). */
#include "rival/block.h"
#include "rival/hybrid.h"

#include <math.h>

/* Candidate b has the parts start[b] .. start[b + 1), the first of which is itself. */
typedef struct shared {
    int64_t *start, *line; /* of a part: the number of its id or trait */
    float *weight;
    float *first; /* `width` values of a part that has no line, where they were made */
    bool *has_first;
    bool *is_id; /* the number is that of an id, and not of a trait */
} shared;

/* Lays the arrays out, one after the other, from `bytes` on; answers what they take. */
static int64_t lay_out(shared *s, unsigned char *bytes, int64_t count, int64_t parts, int64_t width)
{
    int64_t numbers = 8 * (count + 1 + parts), values = 4 * parts * (1 + width);
    if (bytes != NULL)
        *s = (shared){.start = (int64_t *)(void *)bytes,
                      .line = (int64_t *)(void *)bytes + count + 1,
                      .weight = (float *)(void *)(bytes + numbers),
                      .first = (float *)(void *)(bytes + numbers) + parts,
                      .has_first = (bool *)(bytes + numbers + values),
                      .is_id = (bool *)(bytes + numbers + values) + parts};
    return numbers + values + 2 * parts;
}

/* As weft__hybrid_describe does. */
static void fill_in(shared *s, const weft__block *block, const weft__block_traits *traits)
{
    int64_t part = 0;
    for (int64_t b = 0; b < block->count; b++) {
        double square = 1;
        for (int64_t k = traits->start[b]; k < traits->start[b + 1]; k++)
            square += traits->list[k].value * traits->list[k].value;
        double scale = 1 / sqrt(square);
        s->start[b] = part;
        s->line[part] = block->ids[b];
        s->is_id[part] = true;
        s->weight[part++] = (float)scale;
        for (int64_t k = traits->start[b]; k < traits->start[b + 1]; k++) {
            s->line[part] = traits->list[k].number;
            s->is_id[part] = traits->list[k].is_id;
            s->weight[part++] = (float)(scale * traits->list[k].value);
        }
    }
    s->start[block->count] = part;
    for (int64_t p = 0; p < part; p++)
        s->has_first[p] = false;
}

static weft_status find_shared(weft__hybrid *self, weft__block *block, int set, shared *s, bool *found,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__block_traits *traits = NULL;
    weft__block_key key = {.what = &weft__rival_hybrid,
                           .alike = {weft__block_alike(block, &self->traits[set]), set},
                           .seed = self->base.settings.seed,
                           .number = self->base.settings.factors};
    unsigned char *bytes = NULL;
    bool fresh = false;
    *found = false;
    if (key.alike[0] < 0)
        return WEFT_OK;
    TRY(weft__block_find_traits(block, &self->traits[set], key.alike[0], &traits, error));
    int64_t parts = block->count + traits->start[block->count];
    int64_t size = lay_out(s, NULL, block->count, parts, self->ids[0].width);
    TRY(weft__block_keep(block, &key, size, &bytes, &fresh, error));
    if (bytes == NULL)
        return WEFT_OK;
    lay_out(s, bytes, block->count, parts, self->ids[0].width);
    if (fresh)
        fill_in(s, block, traits);
    *found = true;
done:
    return status;
}

/* The values of part p, of an id or of a trait. */
static const float *values_of(const weft__vectors *vectors, shared *s, int64_t p)
{
    const float *line = weft__table_line(&vectors->table, s->line[p]);
    if (line != NULL)
        return line;
    float *first = s->first + p * vectors->width;
    if (!s->has_first[p])
        weft__vectors_first(vectors, s->line[p], first);
    s->has_first[p] = true;
    return first;
}

/* The parts of candidate b as this one has learnt them. */
static void collect_parts(weft__hybrid *self, int set, shared *s, int64_t b, weft__part *parts)
{
    for (int64_t p = s->start[b]; p < s->start[b + 1]; p++) {
        const weft__vectors *vectors = s->is_id[p] ? &self->ids[set] : &self->trait_vectors[set];
        *parts++ = (weft__part){(float *)values_of(vectors, s, p), s->weight[p]};
    }
}

static weft_status score_alone(weft__hybrid *self, const weft__block *block, double *score, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t b = 0; b < block->count; b++) {
        TRY(weft__hybrid_describe(self, block->place, block->ids[b], error));
        score[b] = weft__hybrid_score_sums(self);
    }
done:
    return status;
}

weft_status weft__hybrid_score_many(weft__rival *rival, weft__block *block, double *score, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    int place = block->place, set = rival->player.columns == NULL ? 0 : place;
    weft__described *end = &self->end[place];
    shared s = {0};
    bool found = false;
    TRY(weft__hybrid_describe(self, 1 - place, block->id, error));
    TRY(weft__hybrid_surround(self, &rival->player.context, error));
    TRY(find_shared(self, block, set, &s, &found, error));
    if (!found)
        return score_alone(self, block, score, error);
    for (int64_t b = 0; b < block->count; b++)
        weft__table_fetch(&self->ids[set].table, block->ids[b]);
    for (int64_t b = 0; b < block->count; b++) {
        int64_t parts = s.start[b + 1] - s.start[b];
        TRY(weft__hybrid_reserve_parts(self, end, parts, error));
        collect_parts(self, set, &s, b, end->parts);
        weft__parts_sum(end->parts, parts, self->ids[0].width, end->sum);
        score[b] = weft__hybrid_score_sums(self);
    }
done:
    return status;
}
