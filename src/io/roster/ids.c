/* SPDX-License-Identifier: MIT
 *
 * Names in blocks that never move, numbers by open addressing:
 *
 *     slots   [ - | 2 | - | 0 | 1 | - | - | - ]   number + 1 at hash(name) or behind, 0 empty
 *     names   [ 0 -> "a" | 1 -> "b" | 2 -> "c" ]
 *     blocks  [ a\0b\0c\0 ......... ] -> older block -> ...
 *
 * Invariant: the number of slots is a power of two, more than twice the count. */
#include "base/memory.h"
#include "base/status.h"
#include "io/roster/roster.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 15, FEWEST_SLOTS = 64 };

typedef struct block {
    struct block *older;
    int64_t used, size;
    char bytes[];
} block;

struct weft_ids {
    weft_memory memory;
    int64_t count, capacity;
    const char **names;
    int64_t slot_count;
    int64_t *slots;
    block *newest;
};

weft_status weft_ids_create(const weft_memory *memory, weft_ids **ids, weft_error *error)
{
    weft_memory hook = weft__memory_or_default(memory);
    weft_ids *made = NULL;
    weft_status status = WEFT_OK;
    NEED(ids);
    TRY(weft__new(&hook, 1, sizeof *made, &made, error));
    made->memory = hook;
    TRY(weft__new(&hook, FEWEST_SLOTS, sizeof *made->slots, &made->slots, error));
    made->slot_count = FEWEST_SLOTS;
    *ids = made;
    made = NULL;
done:
    weft_ids_free(made);
    return status;
}

void weft_ids_free(weft_ids *ids)
{
    if (ids == NULL)
        return;
    weft_memory memory = ids->memory;
    while (ids->newest != NULL) {
        block *older = ids->newest->older;
        weft__delete(&memory, ids->newest);
        ids->newest = older;
    }
    weft__delete(&memory, ids->names);
    weft__delete(&memory, ids->slots);
    weft__delete(&memory, ids);
}

/* FNV-1a, then the mixing step of MurmurHash3, so that the low bits are good. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != 0; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ (hash >> 33);
}

/* The slot that holds `name`, or the empty one where it belongs. */
static int64_t slot_of(const weft_ids *ids, const char *name)
{
    uint64_t mask = (uint64_t)ids->slot_count - 1;
    uint64_t at = hash_of(name) & mask;
    while (ids->slots[at] != 0 && strcmp(ids->names[ids->slots[at] - 1], name) != 0)
        at = (at + 1) & mask;
    return (int64_t)at;
}

int64_t weft_ids_find(const weft_ids *ids, const char *name)
{
    return ids != NULL && name != NULL ? ids->slots[slot_of(ids, name)] - 1 : -1;
}

int64_t weft_ids_count(const weft_ids *ids)
{
    return ids != NULL ? ids->count : 0;
}

const char *weft_ids_name(const weft_ids *ids, int64_t number)
{
    return number >= 0 && number < weft_ids_count(ids) ? ids->names[number] : NULL;
}

static weft_status double_slots(weft_ids *ids, weft_error *error)
{
    int64_t *old = ids->slots, *fresh = NULL;
    weft_status status = weft__new(&ids->memory, 2 * ids->slot_count, sizeof *fresh, &fresh, error);
    if (status != WEFT_OK)
        return status;
    ids->slots = fresh;
    ids->slot_count *= 2;
    for (int64_t number = 0; number < ids->count; number++)
        ids->slots[slot_of(ids, ids->names[number])] = number + 1;
    weft__delete(&ids->memory, old);
    return WEFT_OK;
}

static weft_status reserve_name(weft_ids *ids, weft_error *error)
{
    if (ids->count < ids->capacity)
        return WEFT_OK;
    int64_t capacity = weft__grown(ids->capacity, ids->count + 1);
    weft_status status =
        weft__resize(&ids->memory, &ids->names, ids->capacity, capacity, sizeof *ids->names, error);
    if (status == WEFT_OK)
        ids->capacity = capacity;
    return status;
}

static weft_status reserve_bytes(weft_ids *ids, int64_t size, weft_error *error)
{
    if (ids->newest != NULL && ids->newest->size - ids->newest->used >= size)
        return WEFT_OK;
    int64_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    block *fresh = NULL;
    weft_status status = weft__new(&ids->memory, (int64_t)sizeof *fresh + room, 1, &fresh, error);
    if (status != WEFT_OK)
        return status;
    fresh->older = ids->newest;
    fresh->size = room;
    ids->newest = fresh;
    return WEFT_OK;
}

weft_status weft_ids_add(weft_ids *ids, const char *name, int64_t *number, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(ids);
    NEED(name);
    NEED(number);
    int64_t size = (int64_t)strlen(name) + 1, known = weft_ids_find(ids, name);
    if (known >= 0) {
        *number = known;
        return WEFT_OK;
    }
    if (2 * (ids->count + 1) >= ids->slot_count)
        TRY(double_slots(ids, error));
    TRY(reserve_name(ids, error));
    TRY(reserve_bytes(ids, size, error));
    char *copy = ids->newest->bytes + ids->newest->used;
    memcpy(copy, name, (size_t)size);
    ids->newest->used += size;
    ids->slots[slot_of(ids, name)] = ids->count + 1;
    ids->names[ids->count] = copy;
    *number = ids->count++;
done:
    return status;
}

/* Their bytes stay in the blocks until all are freed. */
void weft__ids_shorten(weft_ids *ids, int64_t count)
{
    if (count >= ids->count)
        return;
    ids->count = count;
    memset(ids->slots, 0, (size_t)ids->slot_count * sizeof *ids->slots);
    for (int64_t number = 0; number < count; number++)
        ids->slots[slot_of(ids, ids->names[number])] = number + 1;
}
