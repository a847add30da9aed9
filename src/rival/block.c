/* SPDX-License-Identifier: MIT */
#include "rival/block.h"

#include <string.h>

weft__block weft__block_of(int place, int64_t id, const weft_memory *memory)
{
    return (weft__block){.memory = *memory, .place = place, .id = id};
}

void weft__block_free(weft__block *block)
{
    for (int k = 0; k < block->alike_count; k++) {
        weft__delete(&block->memory, block->traits[k].start);
        weft__delete(&block->memory, block->traits[k].list);
    }
    for (int k = 0; k < block->kept_count; k++)
        weft__delete(&block->memory, block->kept[k].bytes);
    *block = weft__block_of(block->place, block->id, &block->memory);
}

void weft__block_turn(weft__block *block, const int64_t *ids, int64_t count)
{
    block->ids = ids;
    block->count = count;
    block->turn++;
}

/* ---- Traits ---- */

int weft__block_alike(weft__block *block, const weft__traits *traits)
{
    for (int k = 0; k < block->alike_count; k++)
        if (weft__traits_agree(block->traits[k].by, traits))
            return k;
    if (block->alike_count == WEFT__BLOCK_ALIKE)
        return -1;
    block->traits[block->alike_count].by = traits;
    return block->alike_count++;
}

static weft_status append(weft__block *block, weft__block_traits *into, int64_t at, const weft__traits *from,
                          weft_error *error)
{
    weft_status status = WEFT_OK;
    if (at + from->count > into->capacity) {
        int64_t capacity = weft__grown(into->capacity, at + from->count);
        TRY(weft__resize(&block->memory, &into->list, at, capacity, sizeof *into->list, error));
        into->capacity = capacity;
    }
    if (from->count > 0)
        memcpy(into->list + at, from->list, (size_t)from->count * sizeof *into->list);
done:
    return status;
}

weft_status weft__block_find_traits(weft__block *block, weft__traits *traits, int alike,
                                    const weft__block_traits **found, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__block_traits *into = &block->traits[alike];
    *found = into;
    if (into->turn == block->turn)
        return WEFT_OK;
    if (into->start == NULL)
        TRY(weft__new(&block->memory, WEFT__BLOCK + 1, sizeof *into->start, &into->start, error));
    for (int64_t b = 0; b < block->count; b++) {
        TRY(weft__traits_find(traits, block->ids[b], error));
        TRY(append(block, into, into->start[b], traits, error));
        into->start[b + 1] = into->start[b] + traits->count;
    }
    into->turn = block->turn;
done:
    return status;
}

/* ---- What else is kept ---- */

static bool is_key(const weft__block_key *a, const weft__block_key *b)
{
    return a->what == b->what && a->alike[0] == b->alike[0] && a->alike[1] == b->alike[1] &&
           a->seed == b->seed && a->number == b->number;
}

static weft__block_kept *find_kept(weft__block *block, const weft__block_key *key)
{
    for (int k = 0; k < block->kept_count; k++)
        if (is_key(&block->kept[k].key, key))
            return &block->kept[k];
    if (block->kept_count == WEFT__BLOCK_KEPT)
        return NULL;
    weft__block_kept *kept = &block->kept[block->kept_count++];
    *kept = (weft__block_kept){.key = *key};
    return kept;
}

weft_status weft__block_keep(weft__block *block, const weft__block_key *key, int64_t size, void *bytes,
                             bool *fresh, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__block_kept *kept = find_kept(block, key);
    if (kept == NULL) {
        memset(bytes, 0, sizeof kept->bytes);
        return WEFT_OK;
    }
    *fresh = kept->turn != block->turn;
    if (*fresh && size > kept->size) {
        weft__delete(&block->memory, kept->bytes);
        kept->bytes = NULL;
        kept->size = 0;
        TRY(weft__new(&block->memory, size, 1, &kept->bytes, error));
        kept->size = size;
    }
    kept->turn = block->turn;
    memcpy(bytes, &kept->bytes, sizeof kept->bytes);
done:
    return status;
}
