/* SPDX-License-Identifier: MIT */
#include "native.h"

weft_status weftpy_read(weft_stream *stream, weft_ids *row_names, weft_ids *column_names, weftpy_lines *lines,
                        weft_error *error)
{
    bool more = true;
    weft_event event;
    weft_status status = WEFT_OK;
    lines->count = 0;
    while (lines->count < lines->room) {
        int64_t k = lines->count;
        status = weft_stream_next(stream, &event, &more, error);
        if (status != WEFT_OK || !more)
            return status;
        status = weft_ids_add(row_names, event.row, &lines->rows[k], error);
        if (status == WEFT_OK)
            status = weft_ids_add(column_names, event.column, &lines->columns[k], error);
        if (status != WEFT_OK)
            return status;
        lines->labels[k] = (signed char)event.label;
        for (int64_t field = 0; field < lines->context_count; field++)
            lines->contexts[k * lines->context_count + field] = event.context[field];
        lines->count++;
    }
    return WEFT_OK;
}

void weftpy_names(const weft_ids *ids, const char **names)
{
    for (int64_t k = 0; k < weft_ids_count(ids); k++)
        names[k] = weft_ids_name(ids, k);
}
