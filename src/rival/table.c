/* SPDX-License-Identifier: MIT
 *
 * Method  Lines in order of first learning, in chunks: growth takes a chunk more, and never twice the memory.
 * Cost    A line an id that was learnt, and what slots.c says. */
#include "rival/table.h"

enum { CHUNK = WEFT__TABLE_CHUNK };

weft__table weft__table_of(int64_t line_bytes, const weft_memory *memory)
{
    return (weft__table){.memory = *memory, .line_bytes = line_bytes, .slots.memory = *memory};
}

void weft__table_free(weft__table *table)
{
    for (int64_t k = 0; k < table->chunk_count; k++)
        weft__delete(&table->memory, table->chunks[k]);
    weft__delete(&table->memory, table->chunks);
    weft__slots_free(&table->slots);
    *table = weft__table_of(table->line_bytes, &table->memory);
}

/* The first chunk doubles until it is whole. */
static weft_status grow_first(weft__table *table, int64_t lines, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t capacity = weft__grown(table->capacity, lines < CHUNK ? lines : CHUNK), old = 0, size = 0;
    TRY(weft__checked_product(table->capacity, table->line_bytes, &old, error));
    TRY(weft__checked_product(capacity, table->line_bytes, &size, error));
    TRY(weft__resize(&table->memory, &table->chunks[0], old, size, 1, error));
    table->capacity = capacity;
done:
    return status;
}

static weft_status add_chunk(weft__table *table, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t chunk = table->capacity / CHUNK, size = 0;
    TRY(weft__checked_product(CHUNK, table->line_bytes, &size, error));
    TRY(weft__new(&table->memory, size, 1, &table->chunks[chunk], error));
    table->capacity += CHUNK;
done:
    return status;
}

static weft_status make_room(weft__table *table, int64_t lines, weft_error *error)
{
    weft_status status = WEFT_OK;
    while (lines > table->capacity) {
        int64_t chunks = table->capacity / CHUNK + 1;
        if (chunks > table->chunk_count) {
            int64_t count = weft__grown(table->chunk_count, chunks);
            TRY(weft__resize(&table->memory, &table->chunks, table->chunk_count, count, sizeof *table->chunks,
                             error));
            table->chunk_count = count;
        }
        TRY(table->capacity < CHUNK ? grow_first(table, lines, error) : add_chunk(table, error));
    }
done:
    return status;
}

weft_status weft__table_reserve(weft__table *table, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (weft__slots_find(&table->slots, id) >= 0)
        return WEFT_OK;
    TRY(weft__slots_reserve(&table->slots, table->wanted + 1, id, error));
    TRY(make_room(table, table->slots.count + table->wanted + 1, error));
    table->wanted++;
done:
    return status;
}

void *weft__table_add(weft__table *table, int64_t id)
{
    table->wanted = 0;
    return weft__table_at(table, weft__slots_add(&table->slots, id));
}

double weft__table_bytes(const weft__table *table)
{
    return (double)table->slots.count * (double)(table->line_bytes + (int64_t)sizeof(int32_t));
}

weft_status weft__table_renumber(weft__table *table, int which, const weft__numbers *numbers,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__slots *old = &table->slots;
    weft__slots fresh = {.memory = table->memory};
    int64_t number = 0;
    for (int64_t id = weft__slots_next(old, 0); id >= 0; id = weft__slots_next(old, id + 1)) {
        TRY(weft__renumbered(numbers, which, id, &number, error));
        TRY(weft__slots_place(&fresh, number, weft__slots_find(old, id), error));
    }
    weft__slots kept = table->slots;
    table->slots = fresh;
    fresh = kept;
done:
    weft__slots_free(&fresh);
    return status;
}
