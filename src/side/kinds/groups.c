/* SPDX-License-Identifier: MIT
 *
 * A hash table with open addressing: slot[h] is 1 + the first id of the group whose vector hashes there,
 * or 0.  A hash only says where to look; equal is what compares equal, coordinate by coordinate.
 *
 * Invariant: slots is a power of two, at least twice the number of groups, so that a search always ends
 * at an empty slot. */
#include "side/kinds/groups.h"

#include "base/hash.h"

#include <string.h>

static bool are_equal(weft__rows rows, int64_t i, int64_t j)
{
    const double *x = rows.values + i * rows.dimension, *t = rows.values + j * rows.dimension;
    for (int64_t k = 0; k < rows.dimension; k++)
        if (x[k] != t[k])
            return false;
    return true;
}

/* The slot of the group of `id`, or the empty one where it belongs. */
static int64_t find_slot(const int64_t *slot, int64_t slots, weft__rows rows, int64_t id)
{
    uint64_t hash = weft__hash_vector(rows.values + id * rows.dimension, rows.dimension);
    int64_t at = (int64_t)(hash & (uint64_t)(slots - 1));
    while (slot[at] != 0 && !are_equal(rows, slot[at] - 1, id))
        at = (at + 1) & (slots - 1);
    return at;
}

static weft_status enlarge_table(weft__groups *groups, weft__rows rows, const weft_memory *memory,
                                 weft_error *error)
{
    int64_t *slot = NULL;
    weft_status status = WEFT_OK;
    int64_t slots = groups->slots == 0 ? 32 : 2 * groups->slots;
    TRY(weft__new(memory, slots, sizeof *slot, &slot, error));
    for (int64_t i = 0; i < groups->ids; i++)
        if (groups->of[i] == i)
            slot[find_slot(slot, slots, rows, i)] = i + 1;
    weft__delete(memory, groups->slot);
    groups->slot = slot;
    groups->slots = slots;
done:
    return status;
}

weft_status weft__groups_reserve(weft__groups *groups, weft__rows rows, int64_t ids,
                                 const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (ids > groups->capacity) {
        /* As many as there are at first, then doubling. */
        int64_t capacity = groups->capacity == 0 ? ids : weft__grown(groups->capacity, ids);
        TRY(weft__resize(memory, &groups->of, groups->capacity, capacity, sizeof *groups->of, error));
        groups->capacity = capacity;
    }
    if (2 * (groups->count + 1) > groups->slots)
        TRY(enlarge_table(groups, rows, memory, error));
done:
    return status;
}

void weft__groups_add(weft__groups *groups, weft__rows rows, bool has_vector)
{
    int64_t id = groups->ids++;
    groups->of[id] = WEFT__NO_GROUP;
    if (!has_vector)
        return;
    int64_t *slot = &groups->slot[find_slot(groups->slot, groups->slots, rows, id)];
    if (*slot == 0) {
        *slot = id + 1;
        groups->count++;
    }
    groups->of[id] = *slot - 1;
    groups->repeated += groups->of[id] != id;
}

void weft__groups_release(weft__groups *groups, const weft_memory *memory)
{
    weft__delete(memory, groups->of);
    weft__delete(memory, groups->slot);
}
