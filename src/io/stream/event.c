/* SPDX-License-Identifier: MIT
 * The event that a record is. */
#include "io/stream/stream.h"
#include "io/text/hints.h"

#include <string.h>

/* The place of a field whose value can be used; -1 where the record has none. */
static weft_status find_value(const weft_stream *stream, int field, int64_t *place, weft_error *error)
{
    const weft__text *text = &stream->text;
    *place = stream->fields.place[field];
    if (*place >= text->count)
        *place = -1;
    if (*place < 0 || text->delimiter != '{')
        return WEFT_OK;
    weft__value_type type = text->fields[*place].type;
    const char *word = weft__fields_word(stream->how.kind, (weft_stream_field)field);
    if (type == WEFT__NESTED)
        return weft__text_fail(text, *place, error,
                               "found an object or a list as %s, expected a single value", word);
    if (type == WEFT__BOOLEAN && field != WEFT_FIELD_THIRD)
        return weft__text_fail(text, *place, error, "found %s as %s, expected a string or a number",
                               text->fields[*place].text, word);
    return WEFT_OK;
}

/* A word that is no label is told with the others that stand in its place further down: who has to say
 * which is positive wants to see them.  What is read for that is not given again. */
static void name_words(weft_stream *stream, int64_t place, weft_error *error)
{
    enum { FARTHEST = 1000, MOST = 3 };
    weft__text *text = &stream->text;
    weft__shown_text words[MOST] = {weft__shown_briefly(text->fields[place].text)};
    int64_t line = text->number, column = text->fields[place].column;
    int count = 1;
    bool more = true;
    for (int k = 0;
         k < FARTHEST && count < MOST && weft__stream_read_record(stream, &more, NULL) == WEFT_OK && more;
         k++) {
        if (text->delimiter == '{' && weft__fields_object(&stream->fields, text, NULL) != WEFT_OK)
            break;
        place = stream->fields.place[WEFT_FIELD_THIRD];
        if (place < 0 || place >= text->count || *text->fields[place].text == 0)
            continue;
        weft__shown_text word = weft__shown_briefly(text->fields[place].text);
        bool known = false;
        for (int w = 0; w < count; w++)
            known = known || strcmp(words[w].text, word.text) == 0;
        if (!known)
            words[count++] = word;
    }
    stream->passed = false;
    if (count > 1)
        weft__fail(error, WEFT_INPUT, "%s:%lld:%lld: found the words %s%s%s%s%s, expected labels: %s",
                   text->lines.path, (long long)line, (long long)column, words[0].text,
                   count > 2 ? ", " : " and ", words[1].text, count > 2 ? " and " : "",
                   count > 2 ? words[2].text : "", weft__labels_known);
}

static weft_status read_label(weft_stream *stream, int64_t place, int *label, weft_error *error)
{
    const char *file = weft__shown_path(stream->paths[stream->next - 1]);
    weft_status status = weft__labels_read(&stream->labels, &stream->text, place, file, label, error);
    stream->need = stream->labels.need;
    if (stream->need == WEFT_NEEDS_POSITIVE && stream->seekable &&
        weft__hint_fields(&stream->text).text[0] == 0)
        name_words(stream, place, error);
    return status;
}

static weft_status read_count(const weft_stream *stream, int64_t place, int64_t *count, weft_error *error)
{
    const char *field = stream->text.fields[place].text;
    if (weft__parse_count(field, count))
        return WEFT_OK;
    return weft__text_fail(&stream->text, place, error,
                           "found %s, expected a count: a whole number from -2^53 to 2^53",
                           weft__shown_briefly(field).text);
}

static weft_status read_third(weft_stream *stream, weft_event *event, weft_error *error)
{
    int64_t place = -1;
    weft_status status = WEFT_OK;
    if (stream->how.kind == WEFT_PAIRS || stream->how.kind == WEFT_IDS)
        return WEFT_OK;
    TRY(find_value(stream, WEFT_FIELD_THIRD, &place, error));
    if (place < 0 && weft__fields_lack_label(&stream->fields))
        event->label = 1;
    if (place >= 0)
        TRY(stream->how.kind == WEFT_COUNTS ? read_count(stream, place, &event->count, error)
                                            : read_label(stream, place, &event->label, error));
done:
    return status;
}

static weft_status read_id(const weft_stream *stream, int field, const char **id, weft_error *error)
{
    int64_t place = -1;
    weft_status status = find_value(stream, field, &place, error);
    if (status != WEFT_OK || (place < 0 && field == WEFT_FIELD_ID))
        return status;
    const char *text = stream->text.fields[place].text;
    if (*text == 0 && field != WEFT_FIELD_ID)
        return weft__text_fail(&stream->text, place, error, "found an empty %s, expected an id",
                               weft__fields_word(stream->how.kind, (weft_stream_field)field));
    if (text[strspn(text, " \t")] == 0 && field != WEFT_FIELD_ID)
        return weft__text_fail(&stream->text, place, error, "found blanks alone as %s, expected an id",
                               weft__fields_word(stream->how.kind, (weft_stream_field)field));
    *id = *text != 0 ? text : NULL;
    return WEFT_OK;
}

static weft_status read_context(weft_stream *stream, weft_event *event, weft_error *error)
{
    const weft__contexts *contexts = &stream->contexts;
    weft_status status = WEFT_OK;
    event->context_count = contexts->fields.count;
    for (int64_t k = 0; k < contexts->fields.count; k++) {
        TRY(weft__contexts_read(contexts, &stream->text, k, &event->context[k], error));
        TRY(weft__contexts_count(&stream->contexts, k, event->context[k], error));
    }
done:
    return status;
}

static weft_status read_time(weft_stream *stream, weft_error *error)
{
    int64_t place = -1;
    bool asked = stream->how.fields[WEFT_FIELD_TIME] != NULL, early = false;
    weft_status status = WEFT_OK;
    if (stream->fields.place[WEFT_FIELD_TIME] < 0)
        return WEFT_OK;
    TRY(find_value(stream, WEFT_FIELD_TIME, &place, error));
    if (place >= 0)
        TRY(weft__times_take(&stream->times, &stream->text, place, asked, &early, error));
done:
    if (early)
        stream->need = WEFT_NEEDS_NO_ORDER;
    return status;
}

/* Names where data is expected: files with headers that were joined. */
static weft_status refuse_header(const weft_stream *stream, weft_error *error)
{
    const weft__fields *fields = &stream->fields;
    const weft__text *text = &stream->text;
    if (fields->header == 0)
        return WEFT_OK;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (fields->named[k] != NULL && (fields->place[k] >= text->count ||
                                         strcmp(text->fields[fields->place[k]].text, fields->named[k]) != 0))
            return WEFT_OK;
    return weft__text_fail(text, -1, error,
                           "found the names of the header again: %s; is it a second header, of files that "
                           "were joined? Then take it away",
                           weft__fields_list(text).text);
}

weft_status weft__stream_read_event(weft_stream *stream, weft_event *event, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (stream->text.delimiter == '{') {
        TRY(weft__fields_object(&stream->fields, &stream->text, error));
    } else {
        TRY(weft__stream_refuse_short(stream, error));
        TRY(weft__stream_refuse_long(stream, error));
        TRY(refuse_header(stream, error));
    }
    TRY(read_third(stream, event, error));
    TRY(read_id(stream, WEFT_FIELD_ROW, &event->row, error));
    if (weft__fields_needed(stream->how.kind) > WEFT_FIELD_COLUMN)
        TRY(read_id(stream, WEFT_FIELD_COLUMN, &event->column, error));
    TRY(read_id(stream, WEFT_FIELD_ID, &event->id, error));
    TRY(read_time(stream, error));
    TRY(read_context(stream, event, error));
    event->file = stream->text.lines.path;
    event->line = stream->text.number;
done:
    return status;
}
