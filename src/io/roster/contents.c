/* SPDX-License-Identifier: MIT
 * Files of one id a line, and edge lists. */
#include "io/roster/market.h"

#include <math.h>
#include <string.h>

weft_status weft__contents_reserve(const weft_memory *memory, void *array, size_t size, int64_t needed,
                                   int64_t *capacity, weft_error *error)
{
    if (needed <= *capacity)
        return WEFT_OK;
    int64_t grown = weft__grown(*capacity, needed);
    weft_status status = weft__resize(memory, array, *capacity, grown, size, error);
    if (status == WEFT_OK)
        *capacity = grown;
    return status;
}

weft_status weft__contents_id(const weft__text *text, int64_t field, const weft__input *input, weft_ids *ids,
                              int64_t *number, weft_error *error)
{
    const char *name = text->fields[field].text;
    if (*name == 0)
        return weft__text_fail(text, field, error, "found nothing, expected an id");
    if (name[strspn(name, " \t")] == 0)
        return weft__text_fail(text, field, error, "found blanks alone, expected an id");
    if (weft_ids_count(ids) >= input->limits.id_limit && weft_ids_find(ids, name) < 0)
        return weft__fail(error, WEFT_CAPACITY, "%s:%lld: found id %s, but there is room for only %lld ids",
                          text->lines.path, (long long)text->number, weft__shown_briefly(name).text,
                          (long long)input->limits.id_limit);
    return weft_ids_add(ids, name, number, error);
}

weft_status weft__contents_new_id(const weft__text *text, int64_t field, const weft__input *input,
                                  weft_ids *ids, int64_t *number, weft_error *error)
{
    int64_t before = weft_ids_count(ids);
    weft_status status = weft__contents_id(text, field, input, ids, number, error);
    if (status == WEFT_OK && weft_ids_count(ids) == before)
        return weft__text_fail(text, field, error, "found id %s a second time, expected every id once",
                               weft__shown_briefly(text->fields[field].text).text);
    return status;
}

static weft_status refuse_field_count(const weft__text *text, int64_t least, int64_t most,
                                      const char *expected, weft_error *error)
{
    if (text->count >= least && text->count <= most)
        return WEFT_OK;
    return weft__text_fail(text, -1, error, "found %lld field%s, expected %s", (long long)text->count,
                           text->count == 1 ? "" : "s", expected);
}

static weft_status read_classes(weft__text *text, const weft__input *input, weft_ids *ids,
                                weft__contents *contents, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t number = 0, class = 0;
    TRY(weft_ids_create(input->limits.memory, &contents->class_names, error));
    for (;;) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        TRY(refuse_field_count(text, 2, 2, "2: an id and its class", error));
        TRY(weft__contents_new_id(text, 0, input, ids, &number, error));
        TRY(weft_ids_add(contents->class_names, text->fields[1].text, &class, error));
        TRY(weft__contents_reserve(&text->lines.memory, &contents->class_of, sizeof *contents->class_of,
                                   number + 1, &contents->capacity, error));
        contents->class_of[number] = class;
    }
    contents->classes = weft_ids_count(contents->class_names);
done:
    return status;
}

/* Four arrays of one length: all are resized before the capacity changes.  Large ones grow by an eighth, and
 * are copied only where the allocator has to: twice as much of all four would take longer than a caller may
 * have to wait who wants to stop. */
static weft_status reserve_edge(const weft__text *text, weft__contents *contents, weft_error *error)
{
    const weft_memory *memory = &text->lines.memory;
    enum { LARGE = 1 << 20 };
    weft_status status = WEFT_OK;
    int64_t old = contents->capacity;
    int64_t grown = old < LARGE ? weft__grown(old, contents->edges + 1) : old + old / 8;
    if (contents->edges < old)
        return WEFT_OK;
    TRY(weft__extend(memory, &contents->from, old, grown, sizeof *contents->from, error));
    TRY(weft__extend(memory, &contents->to, old, grown, sizeof *contents->to, error));
    TRY(weft__extend(memory, &contents->weight, old, grown, sizeof *contents->weight, error));
    TRY(weft__extend(memory, &contents->line, old, grown, sizeof *contents->line, error));
    contents->capacity = grown;
done:
    return status;
}

weft_status weft__contents_edge(const weft__text *text, weft__contents *contents, int64_t from, int64_t to,
                                double weight, weft_error *error)
{
    weft_status status = reserve_edge(text, contents, error);
    if (status != WEFT_OK)
        return status;
    int64_t edge = contents->edges++;
    contents->from[edge] = from;
    contents->to[edge] = to;
    contents->weight[edge] = weight;
    contents->line[edge] = text->number;
    return WEFT_OK;
}

/* A number; on the first line what is none is likely a name of its column. */
static weft_status number_or_header(const weft__text *text, int64_t field, const char *way_out, double *value,
                                    weft_error *error)
{
    const char *found = text->fields[field].text;
    if (text->number > 1 || weft__parse_number(found, value))
        return weft__text_number(text, field, value, error);
    return weft__text_fail(text, field, error,
                           "found %s, expected a finite number: is the first line a header? (%s)",
                           weft__shown_briefly(found).text, way_out);
}

static weft_status read_weight(const weft__text *text, double *weight, weft_error *error)
{
    *weight = 1;
    if (text->count < 3)
        return WEFT_OK;
    weft_status status = number_or_header(text, 2, "edges begin on it", weight, error);
    if (status == WEFT_OK && *weight <= 0)
        return weft__text_fail(text, 2, error, "found weight %g, expected a positive one", *weight);
    return status;
}

static weft_status read_graph(weft__text *text, const weft__input *input, weft_ids *ids,
                              weft__contents *contents, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t from = 0, to = 0;
    double weight = 1;
    for (;;) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        TRY(refuse_field_count(text, 2, 3, "2 or 3: an id, an id and a weight", error));
        TRY(weft__contents_id(text, 0, input, ids, &from, error));
        TRY(weft__contents_id(text, 1, input, ids, &to, error));
        TRY(read_weight(text, &weight, error));
        TRY(weft__contents_edge(text, contents, from, to, weight, error));
    }
done:
    return status;
}

/* The min kernel lives on [-r,r]^d; a point outside is found where it stands. */
static weft_status read_feature(const weft__text *text, int64_t field, const weft__spec *spec, double *value,
                                weft_error *error)
{
    weft_status status = number_or_header(text, field, "table:FILE reads one", value, error);
    if (status == WEFT_OK && spec->kernel == WEFT_MIN && fabs(*value) > spec->range)
        return weft__text_fail(text, field, error, "found %.17g, expected a number from %g to %g (range=)",
                               *value, -spec->range, spec->range);
    return status;
}

static weft_status read_features(weft__text *text, const weft__spec *spec, const weft__input *input,
                                 weft_ids *ids, weft__contents *contents, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t number = 0;
    for (;;) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        if (contents->dimension == 0)
            contents->dimension = text->count - 1;
        if (text->count < 2 || text->count - 1 != contents->dimension)
            return weft__text_fail(text, -1, error, "found %lld values after the id, expected %lld",
                                   (long long)text->count - 1,
                                   (long long)(contents->dimension > 0 ? contents->dimension : 1));
        TRY(weft__contents_new_id(text, 0, input, ids, &number, error));
        TRY(weft__contents_reserve(&text->lines.memory, &contents->values, sizeof *contents->values,
                                   (number + 1) * contents->dimension, &contents->capacity, error));
        double *row = contents->values + number * contents->dimension;
        for (int64_t k = 0; k < contents->dimension; k++)
            TRY(read_feature(text, k + 1, spec, &row[k], error));
    }
done:
    return status;
}

/* Features without a kernel, once they are read: a table of numbers. */
static weft_status settle_features(weft__contents *contents, int64_t count, const weft_memory *memory,
                                   weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__columns_from_values(contents->values, count, contents->dimension, memory, &contents->columns,
                                  error));
    weft__delete(memory, contents->values);
    contents->values = NULL;
done:
    return status;
}

/* What is made of the columns needs all of them. */
weft_status weft__contents_settle(weft__contents *contents, const weft__spec *spec, weft__seniority rows,
                                  int64_t count, const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (!weft__spec_is_table(spec))
        return WEFT_OK;
    if (spec->source == WEFT__FEATURES)
        TRY(settle_features(contents, count, memory, error));
    TRY(weft__columns_settle(&contents->columns, weft__shown_path(spec->path), rows, &contents->table,
                             &contents->clipped, error));
done:
    return status;
}

static weft_status read_kind(weft__text *text, const weft__spec *spec, const weft__input *input,
                             weft_ids *ids, weft__contents *contents, weft_error *error)
{
    switch (spec->source) {
    case WEFT__CLASSES:
        return read_classes(text, input, ids, contents, error);
    case WEFT__GRAPH:
        return read_graph(text, input, ids, contents, error);
    case WEFT__FEATURES:
        return weft__is_sparse(text) ? weft__sparse_read(text, spec, input, ids, contents, error)
                                     : read_features(text, spec, input, ids, contents, error);
    case WEFT__KERNEL:
    case WEFT__MATRIX:
        return weft__square_read(text, input, ids, contents, error);
    case WEFT__TABLE:
        return weft__columns_read(text, spec, input, ids, &contents->columns, error);
    case WEFT__NONE:
    case WEFT__SEVERAL: /* whose parts are read one by one */
        break;
    }
    return WEFT_OK;
}

/* The first record tells which of its formats a kind has before it. */
static weft_status read_format(weft__text *text, const weft__spec *spec, const weft__input *input,
                               weft_ids *ids, weft__contents *contents, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    TRY(weft__text_next(text, &more, error));
    if (!more)
        return WEFT_OK;
    if (weft__is_market(text))
        return weft__market_read(text, spec, input, ids, contents, error);
    if (spec->ids_path != NULL)
        return weft__text_fail(
            text, -1, error,
            "found no %%%%MatrixMarket banner, expected one where ids= is given: other files "
            "hold their ids");
    weft__text_hold(text);
    TRY(read_kind(text, spec, input, ids, contents, error));
done:
    return status;
}

weft_status weft__contents_read(const weft__spec *spec, const weft__input *input, weft_ids *ids,
                                weft__contents *contents, weft_error *error)
{
    weft__text text = {0};
    bool open = false;
    weft_status status = WEFT_OK;
    *contents = (weft__contents){0};
    TRY(weft__text_open(spec->path, input, &text, error));
    open = true;
    /* RFC 4180 has no comments: an id may begin with what is one elsewhere. */
    if (spec->source == WEFT__TABLE)
        text.comment = 0;
    TRY(read_format(&text, spec, input, ids, contents, error));
    if (weft_ids_count(ids) == 0)
        TRY(weft__fail(error, WEFT_INPUT, "%s: found no ids, expected at least one line", text.lines.path));
done:
    if (open)
        weft__text_close(&text);
    return status;
}

void weft__contents_free(weft__contents *contents, const weft_memory *memory)
{
    weft_ids_free(contents->class_names);
    weft__delete(memory, contents->class_of);
    weft__delete(memory, contents->values);
    weft__delete(memory, contents->from);
    weft__delete(memory, contents->to);
    weft__delete(memory, contents->weight);
    weft__delete(memory, contents->line);
    weft__columns_free(&contents->columns);
    weft__facts_table_free(&contents->table, memory);
    *contents = (weft__contents){0};
}

/* A class number by order of first use among `ids`, or -1. */
static weft_status number_classes(const weft__contents *contents, const weft_ids *listed, const weft_ids *ids,
                                  int64_t *class_of, const char *path, weft_error *error)
{
    for (int64_t k = 0; k < weft_ids_count(ids); k++) {
        const char *name = weft_ids_name(ids, k);
        int64_t at = weft_ids_find(listed, name);
        if (at < 0)
            return weft__fail(error, WEFT_INPUT, "%s: found no class of id %s, expected one", path,
                              weft__shown_briefly(name).text);
        class_of[k] = contents->class_of[at];
    }
    return WEFT_OK;
}

/* Numbers those classes that occur from 0 without gaps; `seen` is all zero. */
static int64_t close_gaps(int64_t *class_of, int64_t count, int64_t *seen)
{
    int64_t classes = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t *number = &seen[class_of[k]];
        if (*number == 0)
            *number = ++classes;
        class_of[k] = *number - 1;
    }
    return classes;
}

static weft_status check_pointers(const char *path, const weft_ids *ids, const int64_t *class_of,
                                  const int64_t *classes, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(path);
    NEED(ids);
    NEED(classes);
    if (weft_ids_count(ids) > 0)
        NEED(class_of);
done:
    return status;
}

weft_status weft_classes_read(const char *path, const weft_ids *ids, const weft_file_options *options,
                              int64_t *class_of, int64_t *classes, weft_error *error)
{
    weft__input input = {0};
    weft__contents contents = {0};
    weft_ids *listed = NULL;
    int64_t *found = NULL, *seen = NULL;
    weft__spec spec = {.source = WEFT__CLASSES};
    weft_status status = WEFT_OK;
    weft_memory memory = weft__memory_or_default(options != NULL ? options->memory : NULL);
    int64_t count = weft_ids_count(ids);
    TRY(check_pointers(path, ids, class_of, classes, error));
    TRY(weft__input_begin(options, &input, error));
    TRY(weft__new_text(&memory, path, &spec.path, error));
    TRY(weft_ids_create(&memory, &listed, error));
    TRY(weft__contents_read(&spec, &input, listed, &contents, error));
    TRY(weft__new(&memory, count, sizeof *found, &found, error));
    TRY(weft__new(&memory, contents.classes, sizeof *seen, &seen, error));
    TRY(number_classes(&contents, listed, ids, found, weft__shown_path(path), error));
    *classes = close_gaps(found, count, seen);
    memcpy(class_of, found, (size_t)count * sizeof *found);
done:
    weft__delete(&memory, seen);
    weft__delete(&memory, found);
    weft__contents_free(&contents, &memory);
    weft_ids_free(listed);
    weft__spec_free(&spec, &memory);
    return status;
}
