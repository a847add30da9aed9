/* SPDX-License-Identifier: MIT
 *
 * Square tables.  The corner above the row ids may hold anything or, between
 * blanks, be missing; the second line tells which:
 *
 *     corner  a   b            a   b
 *        a   1.0 0.5      a   1.0 0.5
 *        b   0.5 1.0      b   0.5 1.0                                        */
#include "io/roster/contents.h"

#include <string.h>

/* The header is needed twice: its fields are copied before the next line. */
static weft_status copy_header(const weft__text *text, const weft_memory *memory, weft__text *header,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__text copy = {.number = text->number, .delimiter = text->delimiter};
    int64_t length = text->lines.length + 1;
    TRY(weft__new(memory, length, 1, &copy.lines.line, error));
    TRY(weft__new(memory, text->count, sizeof *copy.fields, &copy.fields, error));
    memcpy(copy.lines.line, text->lines.line, (size_t)length);
    for (int64_t k = 0; k < text->count; k++) {
        copy.fields[k] = text->fields[k];
        copy.fields[k].text = copy.lines.line + (text->fields[k].text - text->lines.line);
    }
    copy.count = text->count;
    copy.lines.path = text->lines.path;
    *header = copy;
    copy = (weft__text){0};
done:
    weft__delete(memory, copy.fields);
    weft__delete(memory, copy.lines.line);
    return status;
}

/* The ids of the header, without the corner if the rows have one field more
 * than it has ids. */
static weft_status add_header_ids(const weft__text *header, int64_t row_fields, const weft__input *input,
                                  weft_ids *ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t number = 0, corner = header->count - (row_fields - 1);
    if (row_fields < 2 || corner < 0 || corner > 1)
        return weft__text_fail(header, -1, error,
                               "found %lld fields, but %lld on the next line: expected a corner and the ids, "
                               "then lines of an id and as many values",
                               (long long)header->count, (long long)row_fields);
    for (int64_t k = corner; k < header->count; k++)
        TRY(weft__contents_new_id(header, k, input, ids, &number, error));
done:
    return status;
}

static weft_status read_row(const weft__text *text, int64_t row, const weft_ids *ids,
                            weft__contents *contents, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = weft_ids_count(ids);
    if (row >= n)
        return weft__text_fail(text, -1, error, "found row %lld, expected only as many as columns, %lld",
                               (long long)row + 1, (long long)n);
    if (text->count != n + 1)
        return weft__text_fail(text, -1, error, "found %lld fields, expected an id and %lld values",
                               (long long)text->count, (long long)n);
    if (strcmp(text->fields[0].text, weft_ids_name(ids, row)) != 0)
        return weft__text_fail(text, 0, error, "found id %s, expected %s as in the first row",
                               weft__shown_briefly(text->fields[0].text).text,
                               weft__shown_briefly(weft_ids_name(ids, row)).text);
    TRY(weft__contents_reserve(&text->lines.memory, &contents->values, sizeof *contents->values,
                               (row + 1) * n, &contents->capacity, error));
    for (int64_t k = 0; k < n; k++)
        TRY(weft__text_number(text, k + 1, &contents->values[row * n + k], error));
done:
    return status;
}

weft_status weft__square_read(weft__text *text, const weft__input *input, weft_ids *ids,
                              weft__contents *contents, weft_error *error)
{
    const weft_memory *memory = &text->lines.memory;
    weft__text header = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t rows = 0;
    TRY(weft__text_next(text, &more, error));
    if (!more)
        return WEFT_OK;
    TRY(copy_header(text, memory, &header, error));
    TRY(weft__text_next(text, &more, error));
    if (!more)
        TRY(weft__text_fail(&header, -1, error, "found no line after the ids, expected one for every id"));
    TRY(add_header_ids(&header, text->count, input, ids, error));
    for (; more; rows++) {
        TRY(read_row(text, rows, ids, contents, error));
        TRY(weft__text_next(text, &more, error));
    }
    contents->dimension = weft_ids_count(ids);
    if (rows < contents->dimension)
        TRY(weft__fail(error, WEFT_INPUT, "%s: found %lld rows, expected as many as columns, %lld",
                       text->lines.path, (long long)rows, (long long)contents->dimension));
done:
    weft__delete(memory, header.fields);
    weft__delete(memory, header.lines.line);
    return status;
}
