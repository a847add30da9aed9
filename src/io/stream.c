/* SPDX-License-Identifier: MIT
 * Labelled pairs from files that are read one after the other. */
#define _POSIX_C_SOURCE 200809L

#include "io/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROW, COLUMN, LABEL, PLACES };

static const char *const place_names[PLACES] = {"row", "column", "label"};

/* Invariants: files before `next` are read; while `open`, `text` is the one
 * before `next`, and `pending` says that its current record is still to be
 * delivered. */
struct weft_stream {
    weft_memory memory;
    weft_file_options options;
    char **paths;
    int64_t count, next;
    off_t standard_start; /* where standard input was, if it can be read again */
    bool seekable;
    bool open, pending;
    weft__text text;
    int64_t places[PLACES]; /* fields of row, column, label in this file */
    struct {
        const char *file;
        int64_t line; /* 0: not seen */
    } first[2];       /* where the first -1 and the first 0 stood: only one may occur */
};

static weft_status copy_path(weft_stream *stream, const char *path, weft_error *error)
{
    char **copy = &stream->paths[stream->count];
    weft_status status = weft__new(&stream->memory, (int64_t)strlen(path) + 1, 1, copy, error);
    if (status == WEFT_OK) {
        memcpy(*copy, path, strlen(path) + 1);
        stream->count++;
    }
    return status;
}

/* A file that is not there is found before the others are read. */
static weft_status look_at_path(weft_stream *stream, const char *path, weft_error *error)
{
    struct stat facts = {0};
    bool standard = strcmp(path, "-") == 0;
    if ((standard ? fstat(STDIN_FILENO, &facts) : stat(path, &facts)) != 0)
        return weft__fail(error, WEFT_FILE, "%s: cannot be opened: %s", weft__shown_path(path),
                          strerror(errno));
    if (standard)
        stream->standard_start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    stream->seekable = stream->seekable && S_ISREG(facts.st_mode);
    return copy_path(stream, path, error);
}

weft_status weft_stream_open(const char *const *paths, int64_t count, const weft_file_options *options,
                             weft_stream **stream, weft_error *error)
{
    weft_stream *made = NULL;
    weft_file_options filled = {0};
    weft_status status = WEFT_OK;
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "a stream needs at least one file");
    TRY(weft__file_options(options, &filled, error));
    weft_memory memory = weft__memory(filled.memory);
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    made->memory = memory;
    made->options = filled;
    made->options.memory = &made->memory;
    made->seekable = true;
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
    for (int64_t k = 0; k < stream->count; k++)
        weft__delete(&memory, stream->paths[k]);
    weft__delete(&memory, stream->paths);
    weft__delete(&memory, stream);
}

bool weft_stream_seekable(const weft_stream *stream)
{
    return stream->seekable;
}

weft_status weft_stream_rewind(weft_stream *stream, weft_error *error)
{
    if (!stream->seekable)
        return weft__fail(error, WEFT_FILE,
                          "the stream is not made of regular files: it can be read only once");
    for (int64_t k = 0; k < stream->count; k++)
        if (strcmp(stream->paths[k], "-") == 0 && lseek(STDIN_FILENO, stream->standard_start, SEEK_SET) < 0)
            return weft__fail(error, WEFT_FILE, "standard input: cannot be read again: %s", strerror(errno));
    close_file(stream);
    stream->next = 0;
    stream->first[0].line = stream->first[1].line = 0;
    return WEFT_OK;
}

/* The label in a field: -1, 0 or 1, or 2 where it is empty; false for others. */
static bool parse_label(const char *field, int *label)
{
    static const struct {
        const char *text;
        int label;
    } labels[] = {{"-1", -1}, {"0", 0}, {"1", 1}, {"+1", 1}, {"", 2}};
    const char *start = field + strspn(field, " \t");
    size_t length = strcspn(start, " \t");
    if (start[length + strspn(start + length, " \t")] != 0)
        return false;
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        if (strlen(labels[k].text) == length && strncmp(start, labels[k].text, length) == 0) {
            *label = labels[k].label;
            return true;
        }
    return false;
}

/* An empty label cannot be written between blanks: there it is a missing field. */
static const char *label_field(const weft__text *text, int64_t place)
{
    bool missing = text->delimiter == ' ' && place == text->count && place >= 2;
    return missing ? "" : text->fields[place].text;
}

static bool has_places(const weft__text *text, const int64_t places[PLACES])
{
    for (int k = 0; k < PLACES; k++) {
        bool may_lack = k == LABEL && text->delimiter == ' ' && places[k] >= 2;
        if (places[k] >= text->count + (may_lack ? 1 : 0))
            return false;
    }
    return true;
}

static weft_status find_named_places(weft_stream *stream, weft_error *error)
{
    const weft__text *text = &stream->text;
    int64_t named[PLACES] = {-1, -1, -1};
    int found = 0;
    for (int64_t f = 0; f < text->count; f++)
        for (int k = 0; k < PLACES; k++) {
            if (strcmp(text->fields[f].text, place_names[k]) != 0)
                continue;
            if (named[k] >= 0)
                return weft__text_fail(text, f, error, "found '%s' twice in the header, expected it once",
                                       place_names[k]);
            named[k] = f;
            found++;
        }
    for (int k = 0; k < PLACES; k++)
        if (found < PLACES && named[k] >= 0 && named[k] != k)
            return weft__text_fail(
                text, named[k], error,
                "found '%s' as field %lld of a header without %s, expected row, column and "
                "label",
                place_names[k], (long long)named[k] + 1,
                named[ROW] < 0      ? "'row'"
                : named[COLUMN] < 0 ? "'column'"
                                    : "'label'");
    if (found == PLACES)
        memcpy(stream->places, named, sizeof named);
    return WEFT_OK;
}

static weft_status refuse_short_record(const weft_stream *stream, weft_error *error)
{
    if (has_places(&stream->text, stream->places))
        return WEFT_OK;
    int64_t needed = 0;
    for (int k = 0; k < PLACES; k++)
        needed = stream->places[k] >= needed ? stream->places[k] + 1 : needed;
    return weft__text_fail(
        &stream->text, -1, error, "found %lld field%s, expected at least %lld (row, column, label)",
        (long long)stream->text.count, stream->text.count == 1 ? "" : "s", (long long)needed);
}

/* Reads the first record of the file that was just opened: a header or not. */
static weft_status begin_file(weft_stream *stream, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = false;
    int label = 0;
    for (int k = 0; k < PLACES; k++)
        stream->places[k] = k;
    TRY(weft__text_next(&stream->text, &more, error));
    if (!more)
        return WEFT_OK;
    TRY(refuse_short_record(stream, error));
    stream->pending = parse_label(label_field(&stream->text, LABEL), &label);
    if (!stream->pending)
        TRY(find_named_places(stream, error));
done:
    return status;
}

/* Moves to the next record of the stream, which may be in the next file. */
static weft_status next_record(weft_stream *stream, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    *more = false;
    if (stream->open && !stream->pending)
        TRY(weft__text_next(&stream->text, more, error));
    while (!*more && !stream->pending) {
        close_file(stream);
        if (stream->next == stream->count)
            return WEFT_OK;
        TRY(weft__text_open(stream->paths[stream->next], &stream->options, &stream->text, error));
        stream->open = true;
        stream->next++;
        TRY(begin_file(stream, error));
        if (!stream->pending)
            TRY(weft__text_next(&stream->text, more, error));
    }
    *more = true;
    stream->pending = false;
done:
    return status;
}

/* 0/1 and -1/+1 are two languages; a stream speaks one. */
static weft_status refuse_mixed_labels(weft_stream *stream, int label, weft_error *error)
{
    if (label != -1 && label != 0)
        return WEFT_OK;
    int mine = label + 1, other = 1 - mine;
    if (stream->first[mine].line == 0) {
        stream->first[mine].file = weft__shown_path(stream->paths[stream->next - 1]);
        stream->first[mine].line = stream->text.number;
    }
    if (stream->first[other].line == 0)
        return WEFT_OK;
    return weft__text_fail(&stream->text, stream->places[LABEL], error,
                           "found label %d, but line %lld of %s has %d: expected either -1/+1 or 0/1", label,
                           (long long)stream->first[other].line, stream->first[other].file, other - 1);
}

static weft_status read_label(weft_stream *stream, int *label, weft_error *error)
{
    const char *field = label_field(&stream->text, stream->places[LABEL]);
    int found = 0;
    if (!parse_label(field, &found))
        return weft__text_fail(&stream->text, stream->places[LABEL], error,
                               "found %s, expected a label: -1, +1, 0, 1 or nothing",
                               weft__shown(field).text);
    weft_status status = refuse_mixed_labels(stream, found, error);
    *label = found == 2 ? 0 : found == 1 ? 1 : -1;
    return status;
}

weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool found = false;
    int label = 0;
    TRY(next_record(stream, &found, error));
    if (found) {
        TRY(refuse_short_record(stream, error));
        TRY(read_label(stream, &label, error));
        const char *row = stream->text.fields[stream->places[ROW]].text;
        const char *column = stream->text.fields[stream->places[COLUMN]].text;
        if (*row == 0 || *column == 0)
            return weft__text_fail(&stream->text, stream->places[*row == 0 ? ROW : COLUMN], error,
                                   "found an empty %s, expected an id", *row == 0 ? "row" : "column");
        *event = (weft_event){row, column, label, stream->text.lines.path, stream->text.number};
    }
    *more = found;
done:
    return status;
}
