/* SPDX-License-Identifier: MIT
 * Pairs, with a label, a count or neither, from files that are read one after the other. */
#define _POSIX_C_SOURCE 200809L

#include "io/stream/stream.h"
#include "io/stream/language.h"
#include "io/text/hints.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is not there is found before the others are read. */
static weft_status look_at_path(weft_stream *stream, const char *path, weft_error *error)
{
    struct stat facts = {0};
    if (path == NULL)
        return weft__need(path, "a path", error);
    bool standard = strcmp(path, "-") == 0;
    int failed = standard ? fstat(STDIN_FILENO, &facts) : stat(path, &facts);
    if (failed != 0 || S_ISDIR(facts.st_mode))
        return weft__fail(error, WEFT_FILE, "%s: cannot be opened: %s", weft__shown_path(path),
                          strerror(failed != 0 ? errno : EISDIR));
    if (standard)
        stream->standard_start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    stream->seekable = stream->seekable && S_ISREG(facts.st_mode);
    weft_status status = weft__new_text(&stream->memory, path, &stream->paths[stream->count], error);
    stream->count += status == WEFT_OK;
    return status;
}

weft_status weft_stream_open(const char *const *paths, int64_t count, const weft_file_options *options,
                             weft_stream **stream, weft_error *error)
{
    return weft_stream_open_as(WEFT_LABELLED, paths, count, options, stream, error);
}

weft_status weft_stream_open_as(weft_stream_kind kind, const char *const *paths, int64_t count,
                                const weft_file_options *options, weft_stream **stream, weft_error *error)
{
    return weft_stream_open_with(&(weft_stream_options){.kind = kind}, paths, count, options, stream, error);
}

weft_status weft_stream_open_with(const weft_stream_options *how, const char *const *paths, int64_t count,
                                  const weft_file_options *options, weft_stream **stream, weft_error *error)
{
    weft_stream *made = NULL;
    weft__input filled = {0};
    weft_status status = WEFT_OK;
    NEED(how);
    NEED(paths);
    NEED(stream);
    if ((int)how->kind < WEFT_LABELLED || how->kind > WEFT_IDS)
        return weft__fail(error, WEFT_ARGUMENT, "the kind is %d, not a weft_stream_kind", (int)how->kind);
    if (how->positive != NULL && how->rated)
        return weft__fail(error, WEFT_ARGUMENT, "labels are words or numbers, not both");
    TRY(weft__language_check_options(how, error));
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "a stream needs at least one file");
    TRY(weft__input_begin(options, &filled, error));
    weft_memory memory = weft__memory_or_default(filled.limits.memory);
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    *made = (weft_stream){.memory = memory, .input = filled, .how = *how, .seekable = true};
    made->input.limits.memory = &made->memory;
    made->readings.first.memory = made->readings.again.memory = memory;
    made->fields = (weft__fields){.memory = memory, .how = &made->how, .contexts = &made->contexts};
    made->contexts = (weft__contexts){.memory = memory};
    made->labels = (weft__labels){.how = &made->how};
    weft__labels_begin(&made->labels);
    TRY(weft__new(&memory, count, sizeof *made->paths, &made->paths, error));
    for (int64_t k = 0; k < count; k++)
        TRY(look_at_path(made, paths[k], error));
    *stream = made;
    made = NULL;
done:
    weft_stream_free(made);
    return status;
}

static void close_file(weft_stream *stream)
{
    if (stream->open)
        weft__text_close(&stream->text);
    stream->open = stream->pending = false;
}

void weft_stream_free(weft_stream *stream)
{
    if (stream == NULL)
        return;
    weft_memory memory = stream->memory;
    close_file(stream);
    weft__readings_free(&stream->readings);
    weft__fields_free(&stream->fields);
    weft__contexts_free(&stream->contexts);
    for (int64_t k = 0; k < stream->count; k++)
        weft__delete(&memory, stream->paths[k]);
    weft__delete(&memory, stream->paths);
    weft__delete(&memory, stream);
}

bool weft_stream_ready(const weft_stream *stream)
{
    return stream != NULL &&
           (stream->seekable || stream->pending || (stream->open && weft__lines_ready(&stream->text.lines)));
}

bool weft_stream_seekable(const weft_stream *stream)
{
    return stream != NULL && stream->seekable;
}

weft_status weft_stream_rewind(weft_stream *stream, weft_error *error)
{
    if (stream == NULL)
        return weft__need(stream, "stream", error);
    if (!stream->seekable)
        return weft__fail(error, WEFT_FILE,
                          "the stream is not made of regular files: it can be read only once");
    for (int64_t k = 0; k < stream->count; k++)
        if (strcmp(stream->paths[k], "-") == 0 && lseek(STDIN_FILENO, stream->standard_start, SEEK_SET) < 0)
            return weft__fail(error, WEFT_FILE, "standard input: cannot be read again: %s", strerror(errno));
    close_file(stream);
    weft__readings_rewind(&stream->readings);
    stream->next = 0;
    weft__labels_begin(&stream->labels);
    stream->times = (weft__times){0};
    return WEFT_OK;
}

void weft_stream_expect_positives(weft_stream *stream)
{
    if (stream != NULL && stream->how.kind == WEFT_LABELLED)
        stream->fields.positives = true;
}

weft_stream_facts weft_stream_report(weft_stream *stream)
{
    if (stream == NULL)
        return (weft_stream_facts){.named = false};
    weft_stream_facts facts = {.objects = stream->objects,
                               .timed = stream->times.unread ? 0 : stream->times.count,
                               .early = stream->times.early,
                               .first_early = stream->times.first_early,
                               .need = stream->need,
                               .passed = stream->passed,
                               .swallowed = stream->passed && stream->text.swallowed};
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++) {
        facts.fields[k] = stream->fields.named[k];
        facts.named = facts.named || facts.fields[k] != NULL;
    }
    for (int k = 0; k < 2; k++)
        facts.words[k] = weft__labels_word(&stream->labels, 2 * k - 1, stream->words[k]);
    return facts;
}

/* ---- Records ---- */

/* An empty label cannot be written between blanks: there it is a missing field. */
static bool may_lack(const weft_stream *stream, int64_t place)
{
    return stream->how.kind == WEFT_LABELLED && stream->text.delimiter == ' ' && place >= 2 &&
           place == stream->text.count;
}

static bool has_places(const weft_stream *stream)
{
    const int64_t *place = stream->fields.place;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (weft__fields_must_have(&stream->fields, k) && place[k] >= stream->text.count &&
            !(k == WEFT_FIELD_THIRD && may_lack(stream, place[k])))
            return false;
    return true;
}

weft_status weft__stream_refuse_short(const weft_stream *stream, weft_error *error)
{
    if (has_places(stream))
        return WEFT_OK;
    int64_t needed = 0;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        needed = weft__fields_must_have(&stream->fields, k) && stream->fields.place[k] >= needed
                     ? stream->fields.place[k] + 1
                     : needed;
    return weft__text_fail(&stream->text, -1, error, "found %lld field%s, expected at least %lld (%s)%s",
                           (long long)stream->text.count, stream->text.count == 1 ? "" : "s",
                           (long long)needed, weft__fields_shown(stream->how.kind),
                           weft__hint_fields(&stream->text).text);
}

/* An unquoted comma in an id moves all fields behind it: below a header that shows. */
weft_status weft__stream_refuse_long(const weft_stream *stream, weft_error *error)
{
    const weft__text *text = &stream->text;
    for (int64_t f = stream->fields.header; f < text->count && stream->fields.header > 0; f++)
        if (*text->fields[f].text != 0)
            return weft__text_fail(text, -1, error, "found %lld fields, expected %lld as in the header%s",
                                   (long long)text->count, (long long)stream->fields.header,
                                   text->delimiter == ',' ? " (a comma inside a field needs quotes)" : "");
    return WEFT_OK;
}

/* Whether the first record of delimited text could be data: it has what is needed, and the third field says
 * what it must say in a line of data. */
static bool may_be_data(const weft_stream *stream)
{
    int64_t count = 0;
    if (!has_places(stream) || stream->text.count <= WEFT_FIELD_THIRD)
        return true;
    const char *third = stream->text.fields[WEFT_FIELD_THIRD].text;
    return stream->how.kind == WEFT_LABELLED ? weft__labels_may_be(&stream->labels, third)
           : stream->how.kind == WEFT_COUNTS ? weft__parse_count(third, &count)
                                             : true;
}

/* A file that has changed is told as that, whatever its record looks like. */
weft_status weft__stream_read_record(weft_stream *stream, bool *more, weft_error *error)
{
    weft_status status = weft__text_next(&stream->text, more, error);
    weft_status changed = weft__readings_check(&stream->readings, &stream->text.lines, error);
    stream->passed = changed == WEFT_OK && stream->text.whole;
    return changed != WEFT_OK ? changed : status;
}

/* Reads the first record of the file that was just opened: a header or not.  One that cannot be read, or has
 * too few fields, tells nothing, and the next one is the first; behind one that may be a header, but is no
 * clear one, nothing is known of the lines. */
static weft_status begin_file(weft_stream *stream, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = false, header = false;
    weft__fields_begin(&stream->fields);
    stream->unbegun = true;
    TRY(weft__stream_read_record(stream, &more, error));
    stream->objects = more && stream->text.delimiter == '{';
    if (more && !stream->objects) {
        status = weft__fields_header(&stream->fields, &stream->text, may_be_data(stream), &header, error);
        stream->passed = stream->passed && status == WEFT_OK;
        TRY(status);
        if (!header)
            TRY(weft__stream_refuse_short(stream, error));
    }
    stream->pending = more && !header;
    stream->unbegun = false;
done:
    if (status != WEFT_OK && stream->text.delimiter != '{')
        stream->text.delimiter = stream->how.kind == WEFT_IDS ? '\n' : 0;
    else
        stream->unbegun = false;
    return status;
}

/* Moves to the next record of the stream, which may be in the next file. */
static weft_status next_record(weft_stream *stream, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    *more = false;
    if (stream->open && stream->unbegun)
        TRY(begin_file(stream, error));
    if (stream->open && !stream->pending)
        TRY(weft__stream_read_record(stream, more, error));
    while (!*more && !stream->pending) {
        close_file(stream);
        if (stream->next == stream->count) {
            weft__readings_end(&stream->readings);
            return WEFT_OK;
        }
        stream->input.sources = stream->seekable ? weft__readings_current(&stream->readings) : NULL;
        TRY(weft__text_open(stream->paths[stream->next], &stream->input, &stream->text, error));
        stream->open = true;
        stream->next++;
        stream->text.objects = stream->how.kind != WEFT_IDS;
        if (stream->how.kind == WEFT_IDS)
            stream->text.delimiter = '\n';
        TRY(begin_file(stream, error));
        if (!stream->pending)
            TRY(weft__stream_read_record(stream, more, error));
    }
    *more = true;
    stream->pending = false;
done:
    return status;
}

weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool found = false;
    weft_event read = {.file = NULL};
    NEED(stream);
    NEED(event);
    NEED(more);
    stream->need = WEFT_NEEDS_NOTHING;
    stream->fields.need = WEFT_NEEDS_NOTHING;
    stream->passed = false;
    TRY(next_record(stream, &found, error));
    if (found) {
        stream->passed = true;
        TRY(weft__stream_read_event(stream, &read, error));
        *event = read;
    }
    *more = found;
done:
    if (stream != NULL && stream->fields.need != WEFT_NEEDS_NOTHING)
        stream->need = stream->fields.need;
    return status;
}
