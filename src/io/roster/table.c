/* SPDX-License-Identifier: MIT
 * Features from a file, for whoever wants the vectors rather than a kernel. */
#include "io/roster/contents.h"

#include <string.h>

struct weft_table {
    weft_memory memory;
    weft_ids *ids;
    weft__contents contents;
};

weft_status weft_table_read(const char *path, const weft_file_options *options, weft_table **table,
                            weft_error *error)
{
    weft__input input = {0};
    weft_table *made = NULL;
    weft__spec spec = {.source = WEFT__FEATURES, .kernel = WEFT_LINEAR};
    weft_memory memory = weft__memory_or_default(options != NULL ? options->memory : NULL);
    weft_status status = WEFT_OK;
    NEED(path);
    NEED(table);
    TRY(weft__input_begin(options, &input, error));
    TRY(weft__new_text(&memory, path, &spec.path, error));
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    made->memory = memory;
    TRY(weft_ids_create(&memory, &made->ids, error));
    TRY(weft__contents_read(&spec, &input, made->ids, &made->contents, error));
    *table = made;
    made = NULL;
done:
    weft_table_free(made);
    weft__spec_free(&spec, &memory);
    return status;
}

const weft_ids *weft_table_ids(const weft_table *table)
{
    return table != NULL ? table->ids : NULL;
}

weft_features weft_table_features(const weft_table *table)
{
    if (table == NULL)
        return (weft_features){0};
    return (weft_features){.count = weft_ids_count(table->ids),
                           .dimension = table->contents.dimension,
                           .values = table->contents.values,
                           .kernel = WEFT_LINEAR};
}

void weft_table_free(weft_table *table)
{
    if (table == NULL)
        return;
    weft_memory memory = table->memory;
    weft_ids_free(table->ids);
    weft__contents_free(&table->contents, &memory);
    weft__delete(&memory, table);
}
