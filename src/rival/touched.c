/* SPDX-License-Identifier: MIT */
#include "rival/touched.h"

#include "side/learnt/similarity.h"

void weft__touched_free(weft__touched *touched)
{
    weft__delete(&touched->memory, touched->ids);
    weft__slots_free(&touched->slots);
    weft__delete(&touched->memory, touched->scale);
    weft__delete(&touched->memory, touched->sum);
    weft__delete(&touched->memory, touched->work);
    *touched = (weft__touched){.side = touched->side,
                               .memory = touched->memory,
                               .slots.memory = touched->memory,
                               .cache = touched->cache};
}

int64_t weft__touched_slot(const weft__touched *touched, int64_t id)
{
    return weft__slots_find(&touched->slots, id);
}

weft_status weft__touched_reserve(weft__touched *touched, int64_t more, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &touched->memory;
    if (touched->count + more > touched->capacity) {
        int64_t capacity = weft__grown(touched->capacity, touched->count + more);
        TRY(weft__resize(memory, &touched->ids, touched->count, capacity, sizeof(int64_t), error));
        TRY(weft__resize(memory, &touched->scale, touched->count, capacity, sizeof(double), error));
        TRY(weft__resize(memory, &touched->sum, touched->count, capacity, sizeof(double), error));
        touched->capacity = capacity;
    }
    TRY(weft__slots_reserve(&touched->slots, more, id, error));
    int64_t work = touched->side->blur > 0 ? weft__side_work(touched->side) : 0;
    if (work > touched->work_size) {
        TRY(weft__resize(memory, &touched->work, 0, work, sizeof *touched->work, error));
        touched->work_size = work;
    }
done:
    return status;
}

int64_t weft__touched_touch(weft__touched *touched, int64_t id)
{
    int64_t slot = weft__touched_slot(touched, id);
    if (slot >= 0)
        return slot;
    slot = weft__slots_add(&touched->slots, id);
    touched->count = touched->slots.count;
    touched->ids[slot] = id;
    touched->scale[slot] = weft__similarity_scale(touched->side, id);
    touched->sum[slot] = 0;
    return slot;
}

weft_status weft__touched_renumber(weft__touched *touched, const int64_t *ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__slots fresh = {.memory = touched->memory};
    for (int64_t s = 0; s < touched->count; s++)
        TRY(weft__slots_place(&fresh, ids[s], s, error));
    for (int64_t s = 0; s < touched->count; s++) {
        touched->ids[s] = ids[s];
        touched->scale[s] = weft__similarity_scale(touched->side, ids[s]);
    }
    weft__slots old = touched->slots;
    touched->slots = fresh;
    fresh = old;
done:
    weft__slots_free(&fresh);
    return status;
}

static void make_similarity(const weft__touched *touched, int64_t id, double *u)
{
    const weft_side *side = touched->side;
    side->ops->column(side, id, touched->ids, touched->count, u, touched->work);
    weft__similarities(side, weft__similarity_scale(side, id), touched->scale, touched->count, u);
}

void weft__touched_similarity(const weft__touched *touched, int64_t id, double *u)
{
    if (touched->count == 0)
        return;
    if (!weft__column_cache_read_similarity(touched->cache, id, touched->ids, touched->count, u))
        make_similarity(touched, id, u);
    int64_t own = weft__touched_slot(touched, id);
    if (own >= 0)
        u[own] = 1;
}
