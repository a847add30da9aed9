/* SPDX-License-Identifier: MIT */
#include "io/text/sources.h"

#include <string.h>

static void free_item(weft__source_file *item, const weft_memory *memory)
{
    if (item == NULL)
        return;
    weft__delete(memory, item->path);
    weft__delete(memory, item->bytes);
    weft__digester_free(item->digester, memory);
    weft__delete(memory, item);
}

void weft__sources_free(weft__sources *sources)
{
    for (int64_t k = 0; k < sources->count; k++)
        free_item(sources->items[k], &sources->memory);
    if (sources->items != NULL)
        weft__delete(&sources->memory, sources->items);
    *sources = (weft__sources){.memory = sources->memory};
}

static weft_status reserve_item(weft__sources *sources, weft_error *error)
{
    if (sources->count < sources->capacity)
        return WEFT_OK;
    int64_t grown = weft__grown(sources->capacity, sources->count + 1);
    weft_status status = weft__resize(&sources->memory, &sources->items, sources->capacity, grown,
                                      sizeof(weft__source_file *), error);
    if (status == WEFT_OK)
        sources->capacity = grown;
    return status;
}

weft_status weft__sources_begin(weft__sources *sources, const char *path, weft__source_file **item,
                                weft_error *error)
{
    const weft_memory *memory = &sources->memory;
    weft__source_file *made = NULL;
    weft_status status = WEFT_OK;
    TRY(reserve_item(sources, error));
    TRY(weft__new(memory, 1, sizeof *made, &made, error));
    TRY(weft__new_text(memory, path, &made->path, error));
    TRY(weft__digester_create(memory, &made->digester, error));
    made->digest = weft__digester_value(made->digester);
    if (sources->keep)
        TRY(weft__new(memory, 0, 1, &made->bytes, error));
    sources->items[sources->count++] = made;
    *item = made;
    made = NULL;
done:
    free_item(made, memory);
    return status;
}

static weft_status keep_bytes(const weft__sources *sources, weft__source_file *item, const void *bytes,
                              int64_t count, weft_error *error)
{
    int64_t needed = item->size + count;
    if (needed > item->capacity) {
        int64_t grown = weft__grown(item->capacity, needed);
        weft_status status = weft__resize(&sources->memory, &item->bytes, item->capacity, grown, 1, error);
        if (status != WEFT_OK)
            return status;
        item->capacity = grown;
    }
    memcpy(item->bytes + item->size, bytes, (size_t)count);
    return WEFT_OK;
}

weft_status weft__sources_add(weft__sources *sources, weft__source_file *item, const void *bytes,
                              int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count == 0)
        return WEFT_OK;
    if (item->bytes != NULL)
        TRY(keep_bytes(sources, item, bytes, count, error));
    weft__digester_add(item->digester, bytes, (size_t)count);
    item->digest = weft__digester_value(item->digester);
    item->size += count;
done:
    return status;
}

weft_status weft__sources_take(weft__sources *sources, const char *path, const weft__source_file **item,
                               weft_error *error)
{
    int64_t next = sources->next;
    if (next >= sources->count || strcmp(sources->items[next]->path, path) != 0 ||
        sources->items[next]->bytes == NULL)
        return weft__fail(error, WEFT_MODEL, "the model has no contents of %s", path);
    *item = sources->items[next];
    sources->next++;
    return WEFT_OK;
}
