/* SPDX-License-Identifier: MIT
 * Hybrid factorisation: what ids and contexts are made of, and their sums. */
#include "rival/hybrid.h"

#include <math.h>

weft_status weft__hybrid_make_sums(const weft__hybrid *self, weft__described *end, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &self->base.player.memory;
    if (end->sum == NULL)
        TRY(weft__new(memory, self->ids[0].width, sizeof(float), &end->sum, error));
    if (end->gradient == NULL)
        TRY(weft__new(memory, self->ids[0].width, sizeof(float), &end->gradient, error));
done:
    return status;
}

weft_status weft__hybrid_reserve_parts(weft__hybrid *self, weft__described *end, int64_t count,
                                       weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &self->base.player.memory;
    int64_t capacity = weft__grown(end->capacity, count), size = 0;
    if (count <= end->capacity)
        return WEFT_OK;
    TRY(weft__checked_product(capacity, self->ids[0].width, &size, error));
    TRY(weft__resize(memory, &end->parts, 0, capacity, sizeof *end->parts, error));
    TRY(weft__resize(memory, &end->fresh, 0, size, sizeof *end->fresh, error));
    end->capacity = capacity;
done:
    return status;
}

static void add_part(weft__described *end, const weft__vectors *vectors, int64_t line, double weight)
{
    float *fresh = end->fresh + end->count * vectors->width;
    /* The lines that are there are this rival's own, to be learnt. */
    end->parts[end->count++] =
        (weft__part){(float *)weft__vectors_values(vectors, line, fresh), (float)weight};
}

weft__vectors *weft__hybrid_trait(weft__hybrid *self, int set, const weft__trait *trait)
{
    return trait->is_id ? &self->ids[set] : &self->trait_vectors[set];
}

/* The parts have weights of length 1 together. */
weft_status weft__hybrid_describe(weft__hybrid *self, int which, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    int set = weft__hybrid_set(&self->base, which);
    weft__traits *traits = &self->traits[set];
    weft__described *end = &self->end[which];
    double square = 1;
    TRY(weft__traits_find(traits, id, error));
    TRY(weft__hybrid_reserve_parts(self, end, 1 + traits->count, error));
    for (int64_t k = 0; k < traits->count; k++)
        square += traits->list[k].value * traits->list[k].value;
    double scale = 1 / sqrt(square);
    end->count = 0;
    add_part(end, &self->ids[set], id, scale);
    for (int64_t k = 0; k < traits->count; k++)
        add_part(end, weft__hybrid_trait(self, set, &traits->list[k]), traits->list[k].number,
                 scale * traits->list[k].value);
    weft__parts_sum(end->parts, end->count, self->ids[0].width, end->sum);
done:
    return status;
}

int64_t weft__hybrid_context_line(uint64_t value)
{
    return (int64_t)(weft__hash(value) % WEFT__CONTEXT_LINES);
}

weft_status weft__hybrid_surround(weft__hybrid *self, const weft__context *context, weft_error *error)
{
    weft_status status = WEFT_OK;
    uint64_t values[WEFT_CONTEXT_LIMIT + 1];
    int count = weft__context_values(context, values);
    weft__described *around = &self->around;
    around->count = 0;
    if (count == 0)
        return WEFT_OK;
    TRY(weft__hybrid_make_sums(self, around, error));
    TRY(weft__hybrid_reserve_parts(self, around, count, error));
    for (int k = 0; k < count; k++)
        add_part(around, &self->context_vectors, weft__hybrid_context_line(values[k]), 1 / sqrt(count));
    weft__parts_sum(around->parts, around->count, self->ids[0].width, around->sum);
done:
    return status;
}

weft_status weft__hybrid_describe_event(weft__hybrid *self, const int64_t pair[2],
                                        const weft__context *context, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2; which++)
        TRY(weft__hybrid_describe(self, which, pair[which], error));
    TRY(weft__hybrid_surround(self, context, error));
done:
    return status;
}

static weft_status make_context_lines(weft__hybrid *self, const weft__context *context, weft__make_line *make,
                                      weft_error *error)
{
    weft_status status = WEFT_OK;
    uint64_t values[WEFT_CONTEXT_LIMIT + 1];
    int count = weft__context_values(context, values);
    if (count == 0)
        return WEFT_OK;
    TRY(weft__hybrid_make_sums(self, &self->around, error));
    TRY(weft__hybrid_reserve_parts(self, &self->around, count, error));
    for (int k = 0; k < count; k++)
        TRY(make(&self->context_vectors, weft__hybrid_context_line(values[k]), error));
done:
    return status;
}

weft_status weft__hybrid_make_lines(weft__hybrid *self, const weft__lesson *lesson, weft__make_line *make,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    const int64_t *pair = lesson->event.pair;
    TRY(make_context_lines(self, &lesson->context, make, error));
    for (int which = 0; which < 2; which++) {
        int set = weft__hybrid_set(&self->base, which);
        weft__traits *traits = &self->traits[set];
        TRY(weft__traits_find(traits, pair[which], error));
        TRY(weft__hybrid_reserve_parts(self, &self->end[which], 1 + traits->count, error));
        TRY(make(&self->ids[set], pair[which], error));
        for (int64_t k = 0; k < traits->count; k++)
            TRY(make(weft__hybrid_trait(self, set, &traits->list[k]), traits->list[k].number, error));
    }
done:
    return status;
}
