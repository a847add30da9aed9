/* SPDX-License-Identifier: MIT
 *
 * A field of the context is found by its name alone: no place is usual for it.  Its values are words, known
 * by their digests; numbers are taken as they are written. */
#include "io/stream/contexts.h"

#include "base/context.h"
#include "base/hash.h"
#include "io/stream/stream.h"

#include <string.h>

void weft__contexts_free(weft__contexts *contexts)
{
    for (int k = 0; k < WEFT_CONTEXT_LIMIT; k++)
        weft__delete(&contexts->memory, contexts->values[k].list);
}

bool weft__contexts_have(const weft__contexts *contexts, const char *name)
{
    for (int64_t k = 0; k < contexts->fields.count; k++)
        if (strcmp(contexts->fields.name[k], name) == 0)
            return true;
    return false;
}

/* ---- Where they are ---- */

static weft_status find_one(weft__contexts *contexts, const weft__text *text, int64_t k, weft_error *error)
{
    const char *name = contexts->fields.name[k];
    bool object = text->delimiter == '{';
    contexts->place[k] = -1;
    for (int64_t f = 0; f < text->count; f++) {
        if (strcmp(weft__fields_name(text, f), name) != 0)
            continue;
        if (contexts->place[k] >= 0)
            return weft__text_fail(text, f, error, "found %s twice in %s, expected it once",
                                   weft__shown_briefly(name).text, object ? "an object" : "the header");
        contexts->place[k] = f;
    }
    if (contexts->place[k] < 0 && !object)
        return weft__text_fail(text, -1, error,
                               "found %s in the first line, expected a header with %s, of the context",
                               weft__fields_list(text).text, weft__shown_briefly(name).text);
    return WEFT_OK;
}

static const char *const words[WEFT_STREAM_FIELDS] = {"row", "column", "label", "time", "id"};

static weft_status refuse_taken(const weft__contexts *contexts, const weft__text *text, int64_t k, int field,
                                weft_error *error)
{
    return weft__text_fail(text, contexts->place[k], error,
                           "found %s, which is the %s, as context, expected a field beside it: %s",
                           weft__shown_briefly(contexts->fields.name[k]).text, words[field],
                           weft__fields_list(text).text);
}

weft_status weft__contexts_find(weft__contexts *contexts, const weft__text *text,
                                const int64_t taken[WEFT_STREAM_FIELDS], weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < contexts->fields.count; k++) {
        TRY(find_one(contexts, text, k, error));
        for (int field = 0; field < WEFT_STREAM_FIELDS; field++)
            if (contexts->place[k] >= 0 && contexts->place[k] == taken[field])
                return refuse_taken(contexts, text, k, field, error);
    }
done:
    return status;
}

weft_status weft__contexts_without(const weft__contexts *contexts, const weft__text *text, weft_error *error)
{
    if (contexts->fields.count == 0)
        return WEFT_OK;
    return weft__text_fail(text, -1, error,
                           "found %s in the first line, expected a header that names row, column and %s: "
                           "without one no field is known as context",
                           weft__fields_list(text).text, weft__shown_briefly(contexts->fields.name[0]).text);
}

/* ---- What they say ---- */

weft_status weft__contexts_read(const weft__contexts *contexts, const weft__text *text, int64_t k,
                                uint64_t *digest, weft_error *error)
{
    const char *name = contexts->fields.name[k];
    int64_t place = contexts->place[k];
    *digest = 0;
    if (place < 0 || place >= text->count)
        return WEFT_OK;
    if (text->fields[place].type == WEFT__NESTED)
        return weft__text_fail(text, place, error,
                               "found an object or a list as %s, of the context, expected a single value",
                               weft__shown_briefly(name).text);
    *digest = weft_context_digest(name, text->fields[place].text);
    return WEFT_OK;
}

/* The place of the digest, or the empty one where it belongs. */
static uint64_t *find_value(const weft__values *values, uint64_t digest)
{
    uint64_t mask = (uint64_t)values->room - 1, at = weft__hash(digest) & mask;
    while (values->list[at] != 0 && values->list[at] != digest)
        at = (at + 1) & mask;
    return &values->list[at];
}

static weft_status grow(const weft_memory *memory, weft__values *values, weft_error *error)
{
    enum { FIRST = 64 };
    weft_status status = WEFT_OK;
    weft__values larger = {.count = values->count, .room = values->room > 0 ? 2 * values->room : FIRST};
    TRY(weft__new(memory, larger.room, sizeof *larger.list, &larger.list, error));
    for (int64_t i = 0; i < values->room; i++)
        if (values->list[i] != 0)
            *find_value(&larger, values->list[i]) = values->list[i];
    weft__delete(memory, values->list);
    *values = larger;
done:
    return status;
}

weft_status weft__contexts_count(weft__contexts *contexts, int64_t k, uint64_t digest, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__values *values = &contexts->values[k];
    if (digest == 0 || values->count == WEFT_STREAM_VALUES)
        return WEFT_OK;
    if (2 * values->count >= values->room)
        TRY(grow(&contexts->memory, values, error));
    uint64_t *place = find_value(values, digest);
    values->count += *place == 0;
    *place = digest;
done:
    return status;
}

/* ---- Public ---- */

weft_status weft_stream_set_context(weft_stream *stream, const weft_context_fields *fields, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(stream);
    NEED(fields);
    TRY(weft__context_check_fields(fields, error));
    if (stream->next > 0)
        return weft__fail(error, WEFT_ARGUMENT, "the stream has begun: its context is set before");
    if (fields->count > 0 && stream->how.kind != WEFT_LABELLED && stream->how.kind != WEFT_PAIRS)
        return weft__fail(error, WEFT_ARGUMENT, "counts and lists of ids have no context");
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        for (int64_t j = 0; j < fields->count; j++)
            if (stream->how.fields[k] != NULL && strcmp(stream->how.fields[k], fields->name[j]) == 0)
                return weft__fail(error, WEFT_ARGUMENT, "the field '%s' is the %s, and cannot be context too",
                                  fields->name[j], words[k]);
    stream->contexts.fields = *fields;
done:
    return status;
}

weft_context_fields weft_stream_context(const weft_stream *stream)
{
    return stream != NULL ? stream->contexts.fields : (weft_context_fields){.count = 0};
}

int64_t weft_stream_context_values(const weft_stream *stream, int64_t k)
{
    bool there = stream != NULL && k >= 0 && k < stream->contexts.fields.count;
    return there ? stream->contexts.values[k].count : 0;
}

/* A field may say nothing, so it has a value more in what they say together. */
int64_t weft_stream_contexts(const weft_stream *stream)
{
    int64_t fields = stream != NULL ? stream->contexts.fields.count : 0, sum = 0;
    double together = fields > 1;
    for (int64_t k = 0; k < fields; k++) {
        int64_t count = stream->contexts.values[k].count;
        if (count == WEFT_STREAM_VALUES)
            return 0;
        sum += count;
        together *= (double)count + 1;
    }
    return together < 0x1p40 ? sum + (int64_t)together : 0;
}
