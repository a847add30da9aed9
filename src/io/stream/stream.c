/* SPDX-License-Identifier: MIT Pairs, with a label, a count or neither, from files that are read one after
 * the other. */
#define _POSIX_C_SOURCE 200809L

#include "io/stream/label_style.h"
#include "io/stream/readings.h"
#include "io/text/hints.h"
#include "io/text/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROW, COLUMN, THIRD, PLACES };

/* What a line holds, by kind of stream. */
typedef struct layout {
    const char *names[PLACES];
    int places;
    const char *shown;
} layout;

static const layout layouts[] = {
    [WEFT_LABELLED] = {{"row", "column", "label"}, 3, "row, column, label"},
    [WEFT_PAIRS] = {{"row", "column", NULL}, 2, "row, column"},
    [WEFT_COUNTS] = {{"row", "column", "count"}, 3, "row, column, count"},
    [WEFT_IDS] = {{"id", NULL, NULL}, 1, "id"},
};

/* Invariants: files before `next` are read; while `open`, `text` is the one before `next`, and `pending`
 * says that its current record is still to be delivered. */
struct weft_stream {
    weft_memory memory;
    weft__input input;
    weft_stream_kind kind;
    const layout *layout;
    char **paths;
    int64_t count, next;
    off_t standard_start; /* where standard input was, if it can be read again */
    bool seekable, open, pending;
    int64_t doubtful; /* line of a header in this file whose third field is a number; else 0 */
    bool unnamed;     /* this file has a header that does not say which field is which */
    weft__text text;
    weft__readings readings;
    int64_t places[PLACES];     /* fields of row, column and the third in this file */
    weft__label_style language; /* of the labels */
};

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
    weft_stream *made = NULL;
    weft__input filled = {0};
    weft_status status = WEFT_OK;
    NEED(paths);
    NEED(stream);
    if ((int)kind < WEFT_LABELLED || kind > WEFT_IDS)
        return weft__fail(error, WEFT_ARGUMENT, "the kind is %d, not a weft_stream_kind", (int)kind);
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "a stream needs at least one file");
    TRY(weft__input_begin(options, &filled, error));
    weft_memory memory = weft__memory_or_default(filled.limits.memory);
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    *made = (weft_stream){.memory = memory, .input = filled, .kind = kind, .seekable = true};
    made->layout = &layouts[kind];
    made->input.limits.memory = &made->memory;
    made->readings.first.memory = made->readings.again.memory = memory;
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

int64_t weft_stream_doubtful_header(const weft_stream *stream)
{
    return stream != NULL ? stream->doubtful : 0;
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
    weft_stream_expect(stream, stream->language.expected);
    return WEFT_OK;
}

void weft_stream_expect(weft_stream *stream, weft_labels labels)
{
    if (stream != NULL)
        weft__label_style_expect(&stream->language, labels);
}

weft_labels weft_stream_labels(const weft_stream *stream)
{
    return stream != NULL ? weft__label_style_seen(&stream->language) : WEFT_LABELS_UNKNOWN;
}

/* An empty label cannot be written between blanks: there it is a missing field. */
static bool may_lack(const weft_stream *stream, int64_t place)
{
    return stream->kind == WEFT_LABELLED && stream->text.delimiter == ' ' && place >= 2;
}

static const char *third_field(const weft_stream *stream)
{
    int64_t place = stream->places[THIRD];
    bool missing = place == stream->text.count && may_lack(stream, place);
    return missing ? "" : stream->text.fields[place].text;
}

static bool has_places(const weft_stream *stream)
{
    for (int k = 0; k < stream->layout->places; k++) {
        bool lacks = k == THIRD && may_lack(stream, stream->places[k]);
        if (stream->places[k] >= stream->text.count + (lacks ? 1 : 0))
            return false;
    }
    return true;
}

static weft_status refuse_misplaced(const weft_stream *stream, const int64_t named[PLACES], weft_error *error)
{
    const char *const *names = stream->layout->names;
    const char *lacking = names[named[ROW] < 0 ? ROW : named[COLUMN] < 0 ? COLUMN : THIRD];
    for (int k = 0; k < PLACES; k++)
        if (named[k] >= 0 && named[k] != k)
            return weft__text_fail(
                &stream->text, named[k], error,
                "found '%s' as field %lld of a header without '%s', expected row, column and %s", names[k],
                (long long)named[k] + 1, lacking, names[THIRD]);
    return WEFT_OK;
}

/* Takes the places from the header, if it names them all. */
static weft_status find_named_places(weft_stream *stream, weft_error *error)
{
    const weft__text *text = &stream->text;
    const layout *shape = stream->layout;
    int64_t named[PLACES] = {-1, -1, -1};
    int found = 0;
    for (int64_t f = 0; f < text->count; f++)
        for (int k = 0; k < PLACES && shape->names[k] != NULL; k++) {
            if (strcmp(text->fields[f].text, shape->names[k]) != 0)
                continue;
            if (named[k] >= 0)
                return weft__text_fail(text, f, error, "found '%s' twice in the header, expected it once",
                                       shape->names[k]);
            named[k] = f;
            found++;
        }
    if (found < shape->places)
        return refuse_misplaced(stream, named, error);
    memcpy(stream->places, named, sizeof named);
    return WEFT_OK;
}

static weft_status refuse_short_record(const weft_stream *stream, weft_error *error)
{
    if (has_places(stream))
        return WEFT_OK;
    int64_t needed = 0;
    for (int k = 0; k < stream->layout->places; k++)
        needed = stream->places[k] >= needed ? stream->places[k] + 1 : needed;
    return weft__text_fail(&stream->text, -1, error, "found %lld field%s, expected at least %lld (%s)%s",
                           (long long)stream->text.count, stream->text.count == 1 ? "" : "s",
                           (long long)needed, stream->layout->shown, weft__hint_fields(&stream->text).text);
}

static bool has_word(const weft__text *text, const char *word)
{
    for (int64_t f = 0; f < text->count; f++)
        if (strcmp(text->fields[f].text, word) == 0)
            return true;
    return false;
}

/* A first line whose third field is not what it must be in a line of data; of pairs, which have none, one
 * that says row and column. */
static bool is_header(const weft_stream *stream)
{
    int label = 0;
    int64_t count = 0;
    switch (stream->kind) {
    case WEFT_PAIRS:
        return has_word(&stream->text, "row") && has_word(&stream->text, "column");
    case WEFT_IDS:
        return false;
    case WEFT_COUNTS:
        return !weft__parse_count(third_field(stream), &count);
    default:
        return !weft__parse_label(third_field(stream), &label);
    }
}

/* The next record of the file.  One that has changed is told as that, whatever its record looks like. */
static weft_status read_record(weft_stream *stream, bool *more, weft_error *error)
{
    weft_status status = weft__text_next(&stream->text, more, error);
    weft_status changed = weft__readings_check(&stream->readings, &stream->text.lines, error);
    return changed != WEFT_OK ? changed : status;
}

/* Reads the first record of the file that was just opened: a header or not. */
static weft_status begin_file(weft_stream *stream, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = false;
    for (int k = 0; k < PLACES; k++)
        stream->places[k] = k;
    TRY(read_record(stream, &more, error));
    if (!more)
        return WEFT_OK;
    TRY(refuse_short_record(stream, error));
    stream->pending = !is_header(stream);
    stream->doubtful = 0;
    if (!stream->pending) {
        double number = 0;
        bool third = stream->kind == WEFT_LABELLED && weft__parse_number(third_field(stream), &number);
        stream->doubtful = third ? stream->text.number : 0;
        TRY(find_named_places(stream, error));
    }
    stream->unnamed = !stream->pending && !has_word(&stream->text, stream->layout->names[ROW]);
done:
    return status;
}

/* Moves to the next record of the stream, which may be in the next file. */
static weft_status next_record(weft_stream *stream, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    *more = false;
    if (stream->open && !stream->pending)
        TRY(read_record(stream, more, error));
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
        if (stream->kind == WEFT_IDS)
            stream->text.delimiter = '\n';
        TRY(begin_file(stream, error));
        if (!stream->pending)
            TRY(read_record(stream, more, error));
    }
    *more = true;
    stream->pending = false;
done:
    return status;
}

static weft_status read_label(weft_stream *stream, int *label, weft_error *error)
{
    const char *field = third_field(stream);
    int found = 0;
    if (!weft__parse_label(field, &found))
        return weft__text_fail(&stream->text, stream->places[THIRD], error,
                               "found %s, expected a label: -1, +1, 0, 1 or nothing%s",
                               weft__shown_briefly(field).text,
                               weft__hint_label(&stream->text, stream->unnamed, stream->doubtful).text);
    const char *file = weft__shown_path(stream->paths[stream->next - 1]);
    weft_status status =
        weft__label_style_take(&stream->language, found, &stream->text, stream->places[THIRD], file, error);
    *label = found == 2 ? 0 : found == 1 ? 1 : -1;
    return status;
}

static weft_status read_count(const weft_stream *stream, int64_t *count, weft_error *error)
{
    const char *field = third_field(stream);
    if (weft__parse_count(field, count))
        return WEFT_OK;
    return weft__text_fail(&stream->text, stream->places[THIRD], error,
                           "found %s, expected a count: a whole number from -2^53 to 2^53",
                           weft__shown_briefly(field).text);
}

static weft_status read_third(weft_stream *stream, weft_event *event, weft_error *error)
{
    switch (stream->kind) {
    case WEFT_PAIRS:
    case WEFT_IDS:
        return WEFT_OK;
    case WEFT_COUNTS:
        return read_count(stream, &event->count, error);
    default:
        return read_label(stream, &event->label, error);
    }
}

static weft_status read_id(const weft_stream *stream, int place, const char **id, weft_error *error)
{
    const char *field = stream->text.fields[stream->places[place]].text;
    if (*field == 0)
        return weft__text_fail(&stream->text, stream->places[place], error,
                               "found an empty %s, expected an id", stream->layout->names[place]);
    *id = field;
    return WEFT_OK;
}

weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool found = false;
    weft_event read = {.file = NULL};
    NEED(stream);
    NEED(event);
    NEED(more);
    TRY(next_record(stream, &found, error));
    if (found) {
        TRY(refuse_short_record(stream, error));
        TRY(read_third(stream, &read, error));
        TRY(read_id(stream, ROW, &read.row, error));
        if (stream->layout->places > COLUMN)
            TRY(read_id(stream, COLUMN, &read.column, error));
        read.file = stream->text.lines.path;
        read.line = stream->text.number;
        *event = read;
    }
    *more = found;
done:
    return status;
}
