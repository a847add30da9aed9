/* SPDX-License-Identifier: MIT
 * Lines of a file or of standard input, one at a time, within a limit. */
#ifndef WEFT_IO_LINES_H
#define WEFT_IO_LINES_H

#include "base/memory.h"
#include "base/status.h"

/* The options with every 0 replaced by its default, or WEFT_ARGUMENT. */
weft_status weft__file_options(const weft_file_options *given, weft_file_options *options, weft_error *error);

typedef struct weft__lines weft__lines;

/* Where bytes come from: fills at most `size` bytes and answers how many, 0 at
 * the end, -1 with errno set.  The seam for anything that is not a plain file. */
typedef int64_t weft__read(weft__lines *lines, char *bytes, int64_t size);

/* Invariants: buffer[begin..end) was read and not yet used; line holds `length`
 * bytes, none of them 0, and a terminating 0. */
struct weft__lines {
    weft_memory memory;
    char *path; /* as people should see it */
    int64_t limit;
    weft__read *read;
    int descriptor;
    char *buffer;
    int64_t begin, end;
    bool ended;
    char *line;
    int64_t length, capacity;
    int64_t number; /* of the line, from 1 */
};

/* Opens `path`, "-" for standard input.  On failure there is nothing to close. */
weft_status weft__lines_open(const char *path, const weft_file_options *options, weft__lines *lines,
                             weft_error *error);

/* The next line without its end (LF or CRLF) and, at the start of a file,
 * without a byte-order mark; *more is false when there is none.  With `join`
 * it is added to the current one after a newline. */
weft_status weft__lines_next(weft__lines *lines, bool join, bool *more, weft_error *error);

void weft__lines_close(weft__lines *lines);

/* How a path is named in messages. */
const char *weft__shown_path(const char *path);

#endif
