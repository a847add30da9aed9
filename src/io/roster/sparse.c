/* SPDX-License-Identifier: MIT
 *
 * Features as libsvm writes them: `id index:value index:value ...`, indices from
 * 1, increasing within a line; what is not listed is 0, and the largest index of
 * the file is the dimension.  Entries are gathered as they come and spread out
 * at the end, when the dimension is known:
 *
 *     index, value   [ 2:0.5 7:1 | 1:3 | | ... ]     entry by entry
 *     start          [ 0, 2, 3, 3, ... ]             the first entry of each id   */
#include "io/roster/contents.h"

#include <math.h>
#include <string.h>

typedef struct sparse {
    const weft_memory *memory;
    const weft__spec *spec;
    int64_t *index, index_capacity;
    double *value;
    int64_t value_capacity;
    int64_t *start, start_capacity;
    int64_t count, dimension;
} sparse;

bool weft__is_sparse(const weft__text *text)
{
    const char *end = "";
    int64_t index = 0;
    return text->count >= 2 && weft__parse_index(text->fields[1].text, &index, &end) && *end == ':';
}

static weft_status reserve_entry(sparse *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__contents_reserve(s->memory, &s->index, sizeof *s->index, s->count + 1, &s->index_capacity,
                               error));
    TRY(weft__contents_reserve(s->memory, &s->value, sizeof *s->value, s->count + 1, &s->value_capacity,
                               error));
done:
    return status;
}

/* Cuts `index:value`. */
static weft_status parse_entry(const weft__text *text, int64_t field, int64_t *index, double *value,
                               weft_error *error)
{
    const char *found = text->fields[field].text, *end = "";
    if (!weft__parse_index(found, index, &end) || *end != ':' || !weft__parse_number(end + 1, value))
        return weft__text_fail(text, field, error,
                               "found %s, expected index:value, such as 3:0.5, as on the first line",
                               weft__shown_briefly(found).text);
    return WEFT_OK;
}

static weft_status take_entry(const weft__text *text, int64_t field, int64_t before, sparse *s,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t index = 0;
    double value = 0;
    TRY(parse_entry(text, field, &index, &value, error));
    if (index == 0)
        TRY(weft__text_fail(text, field, error, "found index 0, expected indices from 1"));
    if (index <= before)
        TRY(weft__text_fail(text, field, error, "found index %lld after %lld, expected a larger one",
                            (long long)index, (long long)before));
    if (index > text->field_limit)
        TRY(weft__text_fail(text, field, error, "found index %lld, expected at most %lld (limit: max-fields)",
                            (long long)index, (long long)text->field_limit));
    if (s->spec->kernel == WEFT_MIN && fabs(value) > s->spec->range)
        TRY(weft__text_fail(text, field, error, "found %.17g, expected a number from %g to %g (range=)",
                            value, -s->spec->range, s->spec->range));
    TRY(reserve_entry(s, error));
    s->index[s->count] = index;
    s->value[s->count++] = value;
    s->dimension = index > s->dimension ? index : s->dimension;
done:
    return status;
}

static weft_status take_line(const weft__text *text, const weft__input *input, weft_ids *ids, sparse *s,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t number = 0;
    TRY(weft__contents_new_id(text, 0, input, ids, &number, error));
    TRY(weft__contents_reserve(s->memory, &s->start, sizeof *s->start, number + 1, &s->start_capacity,
                               error));
    s->start[number] = s->count;
    for (int64_t k = 1; k < text->count; k++)
        TRY(take_entry(text, k, k > 1 ? s->index[s->count - 1] : 0, s, error));
done:
    return status;
}

static weft_status spread(const sparse *s, int64_t rows, weft__contents *contents, weft_error *error)
{
    int64_t size = 0;
    weft_status status = WEFT_OK;
    TRY(weft__checked_product(rows, s->dimension, &size, error));
    TRY(weft__new(s->memory, size, sizeof *contents->values, &contents->values, error));
    contents->capacity = size;
    contents->dimension = s->dimension;
    for (int64_t i = 0; i < rows; i++) {
        int64_t end = i + 1 < rows ? s->start[i + 1] : s->count;
        for (int64_t k = s->start[i]; k < end; k++)
            contents->values[i * s->dimension + s->index[k] - 1] = s->value[k];
    }
done:
    return status;
}

weft_status weft__sparse_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                              weft_ids *ids, weft__contents *contents, weft_error *error)
{
    sparse s = {.memory = &text->lines.memory, .spec = spec};
    weft_status status = WEFT_OK;
    bool more = true;
    for (;;) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        TRY(take_line(text, input, ids, &s, error));
    }
    TRY(spread(&s, weft_ids_count(ids), contents, error));
done:
    weft__delete(s.memory, s.index);
    weft__delete(s.memory, s.value);
    weft__delete(s.memory, s.start);
    return status;
}
