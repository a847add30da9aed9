/* SPDX-License-Identifier: MIT
 * Lines of a file or of standard input, one at a time, within a limit. */
#ifndef WEFT_IO_TEXT_LINES_H
#define WEFT_IO_TEXT_LINES_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/text/sources.h"

/* How files are read. */
typedef struct weft__input {
    weft_file_options limits; /* with every 0 replaced by its default */
    weft__sources *sources;   /* takes down what is read, or has it in place of the files; NULL: neither */
} weft__input;

/* From the options of the user, NULL meaning {0}; WEFT_ARGUMENT where nothing could be read with them. */
weft_status weft__input_begin(const weft_file_options *given, weft__input *input, weft_error *error);

/* Of the ids of one side, where no other limit is given: none, for memory ends first. */
static const int64_t WEFT__ID_LIMIT = WEFT__MOST_COUNT;

typedef struct weft__lines weft__lines;
typedef struct weft__gzip weft__gzip;

/* Where bytes come from: fills at most `size` bytes and tells how many, 0 at the
 * end.  The seam for anything that is not a plain file. */
typedef weft_status weft__read(weft__lines *lines, char *bytes, int64_t size, int64_t *got,
                               weft_error *error);

/* Invariants: buffer[begin..end) was read and not yet used; line holds `length`
 * bytes, none of them 0, and a terminating 0. */
struct weft__lines {
    weft_memory memory;
    char *path; /* as people should see it */
    int64_t limit;
    int64_t byte_limit; /* of what gzip makes */
    weft__read *read;
    int descriptor;
    weft__gzip *gzip;                /* NULL: the file is plain */
    bool begun;                      /* its first bytes told whether it is */
    weft__sources *sources;          /* takes down what is read, or NULL */
    weft__source_file *noted;        /* where */
    const weft__source_file *stored; /* is read in place of a file, or NULL */
    int64_t stored_at;
    char *buffer;
    int64_t begin, end;
    bool ended;
    char *line;
    int64_t length, capacity;
    bool too_long;  /* the last call failed because of `limit`, */
    bool cut;       /* and what is left of the line is to be passed over */
    bool spoilt;    /* it failed because of this line alone, behind which the next one begins */
    bool returned;  /* its end was CRLF */
    int64_t number; /* of the line, from 1 */
    weft__progress progress;
    int64_t untold; /* bytes that were read since it was asked whether to go on */
};

/* Opens `path`, "-" for standard input.  On failure there is nothing to close. */
weft_status weft__lines_open(const char *path, const weft__input *input, weft__lines *lines,
                             weft_error *error);

/* The next line without its end (LF or CRLF) and, at the start of a file,
 * without a byte-order mark; *more is false when there is none.  With `join`
 * it is added to the current one, whose end is put back between them.  WEFT_INTERRUPTED, after which it may
 * be called again: no byte is lost. */
weft_status weft__lines_next(weft__lines *lines, bool join, bool *more, weft_error *error);

/* Whether a line is in the buffer, or the descriptor has something: bytes, or its end. */
bool weft__lines_ready(const weft__lines *lines);

void weft__lines_close(weft__lines *lines);

/* How a path is named in messages. */
const char *weft__shown_path(const char *path);

#endif
