/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "io/text/gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16, LEAST_LINE = 80, LEAST_FIELDS = 3 };

static int64_t limit_or(int64_t given, int64_t otherwise)
{
    return given == 0 ? otherwise : given;
}

weft_status weft__input_begin(const weft_file_options *given, weft__input *input, weft_error *error)
{
    weft_file_options filled = {0};
    if (given != NULL)
        filled = *given;
    filled.line_limit = limit_or(filled.line_limit, INT64_C(1) << 24);
    filled.field_limit = limit_or(filled.field_limit, INT64_C(1) << 20);
    filled.id_limit = limit_or(filled.id_limit, WEFT__ID_LIMIT);
    filled.byte_limit = limit_or(filled.byte_limit, INT64_C(1) << 34);
    if (filled.line_limit < LEAST_LINE || filled.field_limit < LEAST_FIELDS || filled.id_limit < 1 ||
        filled.byte_limit < 1)
        return weft__fail(error, WEFT_ARGUMENT, "a limit on files is too small to read anything");
    *input = (weft__input){.limits = filled};
    return WEFT_OK;
}

const char *weft__shown_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static weft_status read_descriptor(weft__lines *lines, char *bytes, int64_t size, int64_t *got,
                                   weft_error *error)
{
    ssize_t count = read(lines->descriptor, bytes, (size_t)size);
    if (count < 0)
        return lines->number == 0
                   ? weft__fail(error, WEFT_FILE, "%s: cannot be read: %s", lines->path, strerror(errno))
                   : weft__fail(error, WEFT_FILE, "%s: cannot be read after line %lld: %s", lines->path,
                                (long long)lines->number, strerror(errno));
    *got = count;
    return WEFT_OK;
}

static weft_status open_descriptor(const char *path, int *descriptor, weft_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    *descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (*descriptor < 0)
        return weft__fail(error, WEFT_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    return WEFT_OK;
}

static weft_status read_stored(weft__lines *lines, char *bytes, int64_t size, int64_t *got, weft_error *error)
{
    (void)error;
    int64_t left = lines->stored->size - lines->stored_at;
    int64_t count = left < size ? left : size;
    if (count > 0)
        memcpy(bytes, lines->stored->bytes + lines->stored_at, (size_t)count);
    lines->stored_at += count;
    *got = count;
    return WEFT_OK;
}

/* A file, or what a model has stored of it, which was unpacked before. */
static weft_status open_source(const char *path, weft__sources *sources, weft__lines *lines,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    if (sources != NULL && sources->stored) {
        TRY(weft__sources_take(sources, path, &lines->stored, error));
        lines->read = read_stored;
        lines->begun = true;
        goto done;
    }
    TRY(open_descriptor(path, &lines->descriptor, error));
    lines->sources = sources;
    if (sources != NULL)
        TRY(weft__sources_begin(sources, path, &lines->noted, error));
done:
    return status;
}

static weft_status note_source(weft__lines *lines, weft_error *error)
{
    if (lines->sources == NULL)
        return WEFT_OK;
    return weft__sources_add(lines->sources, lines->noted, lines->buffer, lines->end, error);
}

weft_status weft__lines_open(const char *path, const weft__input *input, weft__lines *lines,
                             weft_error *error)
{
    weft__lines opened = {
        .memory = weft__memory_or_default(input->limits.memory), .descriptor = -1, .read = read_descriptor};
    weft_status status = WEFT_OK;
    const char *shown = weft__shown_path(path);
    opened.progress = weft__progress_of(&input->limits.progress);
    weft__progress_begin(&opened.progress, "reading a file", 0);
    opened.limit = input->limits.line_limit;
    opened.byte_limit = input->limits.byte_limit;
    TRY(open_source(path, input->sources, &opened, error));
    TRY(weft__new_text(&opened.memory, shown, &opened.path, error));
    TRY(weft__new(&opened.memory, BUFFER_SIZE, 1, &opened.buffer, error));
    *lines = opened;
done:
    if (status != WEFT_OK)
        weft__lines_close(&opened);
    return status;
}

bool weft__lines_ready(const weft__lines *lines)
{
    struct pollfd source = {.fd = lines->descriptor, .events = POLLIN};
    int64_t waiting = lines->end - lines->begin;
    return lines->ended || (waiting > 0 && memchr(lines->buffer + lines->begin, '\n', (size_t)waiting)) ||
           poll(&source, 1, 0) != 0;
}

void weft__lines_close(weft__lines *lines)
{
    if (lines->descriptor > STDIN_FILENO)
        close(lines->descriptor);
    weft__gzip_free(lines->gzip);
    weft__delete(&lines->memory, lines->path);
    weft__delete(&lines->memory, lines->buffer);
    weft__delete(&lines->memory, lines->line);
    *lines = (weft__lines){.descriptor = -1};
}

/* The first bytes tell whether the file is plain.  A pipe may hand out a single
 * one; no text begins with that of gzip, so then the second is worth waiting for. */
static weft_status begin(weft__lines *lines, weft_error *error)
{
    enum { FIRST_OF_GZIP = 0x1F };
    weft_status status = WEFT_OK;
    int64_t size = 0, got = 0;
    TRY(lines->read(lines, lines->buffer, BUFFER_SIZE, &size, error));
    if (size == 1 && lines->buffer[0] == FIRST_OF_GZIP) {
        TRY(lines->read(lines, lines->buffer + 1, BUFFER_SIZE - 1, &got, error));
        size += got;
    }
    if (weft__is_gzip(lines->buffer, size)) {
        TRY(weft__gzip_begin(lines, lines->buffer, size, error));
        TRY(lines->read(lines, lines->buffer, BUFFER_SIZE, &size, error));
    }
    lines->end = lines->untold = size;
    lines->ended = size == 0;
    lines->begun = true;
    TRY(note_source(lines, error));
done:
    return status;
}

/* Fills an empty buffer; at the end of the file it stays empty. */
static weft_status refill(weft__lines *lines, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t got = 0;
    if (!lines->begun)
        return begin(lines, error);
    if (lines->begin < lines->end || lines->ended)
        return WEFT_OK;
    TRY(lines->read(lines, lines->buffer, BUFFER_SIZE, &got, error));
    lines->begin = 0;
    lines->end = got;
    lines->untold += got;
    lines->ended = got == 0;
    TRY(note_source(lines, error));
done:
    return status;
}

static weft_status refuse_long_line(weft__lines *lines, int64_t length, weft_error *error)
{
    lines->too_long = length > lines->limit;
    if (!lines->too_long)
        return WEFT_OK;
    return weft__fail(
        error, WEFT_INPUT,
        "%s:%lld: found a line of more than %lld bytes, expected a shorter one (limit: max-line)",
        lines->path, (long long)lines->number, (long long)lines->limit);
}

/* Makes room for `more` bytes and the terminating 0. */
static weft_status reserve(weft__lines *lines, int64_t more, weft_error *error)
{
    enum { LINE_END = 2 }; /* CRLF does not count */
    int64_t needed = lines->length + more + 1;
    lines->cut = refuse_long_line(lines, lines->length + more - LINE_END, error) != WEFT_OK;
    if (lines->cut)
        return WEFT_INPUT;
    if (needed <= lines->capacity)
        return WEFT_OK;
    int64_t capacity = weft__grown(lines->capacity, needed);
    weft_status status = weft__resize(&lines->memory, &lines->line, lines->capacity, capacity, 1, error);
    if (status == WEFT_OK)
        lines->capacity = capacity;
    return status;
}

/* Moves bytes from the buffer to the line, up to and with a newline. */
static weft_status take(weft__lines *lines, bool *complete, weft_error *error)
{
    const char *from = lines->buffer + lines->begin;
    int64_t available = lines->end - lines->begin;
    const char *newline = memchr(from, '\n', (size_t)available);
    int64_t length = newline != NULL ? newline - from + 1 : available;
    weft_status status = reserve(lines, length, error);
    if (status != WEFT_OK)
        return status;
    memcpy(lines->line + lines->length, from, (size_t)length);
    lines->length += length;
    lines->begin += length;
    *complete = newline != NULL;
    return WEFT_OK;
}

static void drop_line_end(weft__lines *lines, int64_t start)
{
    lines->returned = false;
    if (lines->length > start && lines->line[lines->length - 1] == '\n') {
        lines->length--;
        lines->returned = lines->length > start && lines->line[lines->length - 1] == '\r';
        lines->length -= lines->returned;
    }
    lines->line[lines->length] = 0;
}

/* Puts back the end that was dropped: there is room for it. */
static void put_back_line_end(weft__lines *lines)
{
    if (lines->returned)
        lines->line[lines->length++] = '\r';
    lines->line[lines->length++] = '\n';
}

static void drop_byte_order_mark(weft__lines *lines)
{
    enum { MARK = 3 };
    if (lines->number == 1 && lines->length >= MARK && memcmp(lines->line, "\xEF\xBB\xBF", MARK) == 0) {
        memmove(lines->line, lines->line + MARK, (size_t)(lines->length - MARK) + 1);
        lines->length -= MARK;
    }
}

static bool has_zero(const weft__lines *lines)
{
    return memchr(lines->line, 0, (size_t)lines->length) != NULL;
}

static weft_status refuse_zero_bytes(const weft__lines *lines, int64_t start, weft_error *error)
{
    const char *zero = memchr(lines->line + start, 0, (size_t)(lines->length - start));
    if (zero == NULL)
        return WEFT_OK;
    if (lines->number == 1 &&
        (memcmp(lines->line, "\xFF\xFE", 2) == 0 || memcmp(lines->line, "\xFE\xFF", 2) == 0))
        return weft__fail(error, WEFT_INPUT, "%s:1: found text in UTF-16, expected UTF-8", lines->path);
    return weft__fail(error, WEFT_INPUT, "%s:%lld:%lld: found a zero byte, expected text", lines->path,
                      (long long)lines->number, (long long)(zero - lines->line - start) + 1);
}

/* Between two lines that belong to different records, so that nothing is lost where it stops. */
static weft_status ask(weft__lines *lines, weft_error *error)
{
    enum { WORK_OF_BYTE = 32 };
    double work = WORK_OF_BYTE * (double)lines->untold;
    weft_status status = weft__progress_step(&lines->progress, work, error);
    lines->untold = 0;
    lines->progress.stopped = false;
    return status;
}

/* The rest of a line that was too long. */
static weft_status pass_over(weft__lines *lines, weft_error *error)
{
    weft_status status = WEFT_OK;
    while (lines->cut && !lines->ended) {
        const char *from = lines->buffer + lines->begin;
        const char *newline = memchr(from, '\n', (size_t)(lines->end - lines->begin));
        lines->begin = newline != NULL ? newline + 1 - lines->buffer : lines->end;
        lines->cut = newline == NULL;
        TRY(refill(lines, error));
    }
    lines->cut = false;
done:
    return status;
}

weft_status weft__lines_next(weft__lines *lines, bool join, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool complete = false, whole = false;
    lines->too_long = lines->spoilt = false;
    if (!join && lines->untold > 0)
        TRY(ask(lines, error));
    TRY(refill(lines, error));
    TRY(pass_over(lines, error));
    *more = !lines->ended;
    if (lines->ended)
        goto done;
    lines->number++;
    if (!join)
        lines->length = 0;
    else
        put_back_line_end(lines);
    int64_t start = lines->length;
    while (!complete && !lines->ended) {
        TRY(take(lines, &complete, error));
        if (!complete)
            TRY(refill(lines, error));
    }
    whole = true;
    drop_line_end(lines, start);
    TRY(refuse_long_line(lines, lines->length, error));
    TRY(refuse_zero_bytes(lines, start, error));
    if (!join)
        drop_byte_order_mark(lines);
done:
    lines->spoilt = status == WEFT_INPUT && !join && (lines->too_long || (whole && has_zero(lines)));
    return status;
}
