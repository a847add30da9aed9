/* SPDX-License-Identifier: MIT
 *
 * Columns lie by id, so that every reader finds its ids in its own order.
 *
 * Cost       making: one column over the ids met; reading: one look-up for each id. */
#include "side/learnt/column_cache.h"

#include "base/clones.h"
#include "side/learnt/similarity.h"

#include <math.h>

void weft__column_cache_open(weft__column_cache *cache, const weft_side *side, const weft_memory *memory)
{
    *cache = (weft__column_cache){.side = side, .memory = *memory};
    for (int which = 0; which < 2; which++)
        cache->column[which].id = cache->column[which].other = -1;
}

void weft__column_cache_close(weft__column_cache *cache)
{
    void *owned[] = {cache->learnt,
                     cache->is_learnt,
                     cache->scale,
                     cache->list,
                     cache->work,
                     cache->column[0].value,
                     cache->column[1].value,
                     cache->column[0].similarity,
                     cache->column[1].similarity};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&cache->memory, owned[k]);
}

/* An array by id with room for more of them, which are not there yet. */
static weft_status widen(const weft__column_cache *cache, double **array, int64_t room, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__resize(&cache->memory, array, cache->size, room, sizeof **array, error));
    for (int64_t k = cache->size; k < room; k++)
        (*array)[k] = NAN;
done:
    return status;
}

static weft_status make_room(weft__column_cache *cache, int64_t room, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &cache->memory;
    int64_t count = cache->learnt_count;
    TRY(weft__resize(memory, &cache->learnt, count, room + 1, sizeof *cache->learnt, error));
    TRY(weft__resize(memory, &cache->scale, count, room, sizeof *cache->scale, error));
    TRY(weft__resize(memory, &cache->list, 0, room + 1, sizeof *cache->list, error));
    if (cache->side->blur > 0)
        TRY(weft__resize(memory, &cache->work, 0, cache->side->ops->vectors * room, sizeof *cache->work,
                         error));
    TRY(weft__resize(memory, &cache->is_learnt, cache->size, room, sizeof *cache->is_learnt, error));
    for (int which = 0; which < 2; which++) {
        TRY(widen(cache, &cache->column[which].value, room, error));
        TRY(widen(cache, &cache->column[which].similarity, room, error));
    }
    cache->size = room;
done:
    return status;
}

/* Meets all ids that the side lists, unless that was done. */
static void add_all_learnt(weft__column_cache *cache)
{
    int64_t count = cache->side->count;
    if (!cache->whole || cache->listed == count)
        return;
    for (int64_t id = cache->listed; id < count; id++)
        weft__column_cache_add_learnt(cache, id);
    cache->listed = count;
    cache->whole_count = cache->learnt_count;
}

weft_status weft__column_cache_reserve(weft__column_cache *cache, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = cache->side->count;
    for (int which = 0; which < 2; which++)
        if (weft__side_has(cache->side, pair[which]) && pair[which] >= count)
            count = pair[which] + 1;
    /* As many as there are at first, then doubling: ids may come one by one. */
    if (count > cache->size)
        TRY(make_room(cache, cache->size == 0 ? count : weft__grown(cache->size, count), error));
    add_all_learnt(cache);
done:
    return status;
}

void weft__column_cache_add_learnt(weft__column_cache *cache, int64_t id)
{
    if (id >= cache->size || cache->is_learnt[id])
        return;
    cache->is_learnt[id] = true;
    cache->scale[cache->learnt_count] = weft__similarity_scale(cache->side, id);
    cache->learnt[cache->learnt_count++] = id;
}

void weft__column_cache_make(weft__column_cache *cache, int which, int64_t id, int64_t other)
{
    const weft_side *side = cache->side;
    weft__column_cache_column *c = &cache->column[which];
    bool fresh = c->id != id, across = side->blur > 0 && id < other && (fresh || c->other != other);
    if (fresh)
        *c = (weft__column_cache_column){
            .id = id, .other = -1, .value = c->value, .similarity = c->similarity};
    const int64_t *ids = cache->learnt + c->filled;
    int64_t count = cache->learnt_count - c->filled;
    cache->learnt[cache->learnt_count] = other;
    if (count + across == 0)
        return;
    side->ops->column(side, id, ids, count + across, cache->list, cache->work);
    for (int64_t k = 0; k < count; k++)
        c->value[ids[k]] = cache->list[k];
    if (cache->similarities)
        weft__similarities(side, weft__similarity_scale(side, id), cache->scale + c->filled, count,
                           cache->list);
    for (int64_t k = 0; k < count && cache->similarities; k++)
        c->similarity[ids[k]] = cache->list[k];
    if (across) {
        c->other = other;
        c->across = cache->list[count];
    }
    c->filled = cache->learnt_count;
    /* A few ids more are no column, unless each of them takes a solve. */
    cache->made += fresh || side->blur > 0;
}

/* ---- Reading ---- */

static const weft__column_cache_column *find(const weft__column_cache *cache, int64_t id)
{
    for (int which = 0; which < 2; which++)
        if (cache->column[which].id == id)
            return &cache->column[which];
    return NULL;
}

/* Takes down that a column was asked for, and whether it was there. */
static bool answer(weft__column_cache *cache, bool found)
{
    atomic_fetch_add_explicit(&cache->asked, 1, memory_order_relaxed);
    if (!found)
        atomic_fetch_add_explicit(&cache->lacking, 1, memory_order_relaxed);
    return found;
}

/* out[k] = from[ids[k]] of `size` that there are; false where one of them is not there. */
CLONED static bool copy_present(const double *restrict from, int64_t size, const int64_t *restrict ids,
                                int64_t count, double *restrict out)
{
    int64_t lacking = 0;
    for (int64_t k = 0; k < count; k++) {
        double value = ids[k] < size ? from[ids[k]] : NAN;
        lacking += isnan(value) ? 1 : 0;
        out[k] = value;
    }
    return lacking == 0;
}

bool weft__column_cache_read(weft__column_cache *cache, int64_t id, const int64_t *ids, int64_t count,
                             double *out)
{
    if (cache == NULL)
        return false;
    const weft__column_cache_column *c = find(cache, id);
    return answer(cache, c != NULL && copy_present(c->value, cache->size, ids, count, out));
}

bool weft__column_cache_read_similarity(weft__column_cache *cache, int64_t id, const int64_t *ids,
                                        int64_t count, double *out)
{
    if (cache == NULL)
        return false;
    const weft__column_cache_column *c = find(cache, id);
    return answer(cache, c != NULL && copy_present(c->similarity, cache->size, ids, count, out));
}

const double *weft__column_cache_similarities(weft__column_cache *cache, int64_t id)
{
    if (cache == NULL)
        return NULL;
    const weft__column_cache_column *c = find(cache, id);
    bool found = c != NULL && cache->similarities && cache->listed == cache->side->count &&
                 c->filled >= cache->whole_count;
    answer(cache, found);
    return found ? c->similarity : NULL;
}

bool weft__column_cache_read_entry(weft__column_cache *cache, int64_t i, int64_t j, double *entry)
{
    if (cache == NULL)
        return false;
    const weft__column_cache_column *c = find(cache, i < j ? i : j);
    bool found = c != NULL && c->other == (i < j ? j : i);
    if (found)
        *entry = c->across;
    return answer(cache, found);
}
