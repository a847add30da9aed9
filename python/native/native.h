/* SPDX-License-Identifier: MIT
 * What the Python package does in C beside the calls of the library: loops over many things. */
#ifndef WEFT_PYTHON_NATIVE_H
#define WEFT_PYTHON_NATIVE_H

#include "weft_files.h"

/* Events of a stream, in arrays of the caller with room for `room` of them. */
typedef struct weftpy_lines {
    int64_t room, count;
    int64_t *rows, *columns; /* numbers among the names that were met */
    signed char *labels;
    uint64_t *contexts; /* context_count digests of each */
    int64_t context_count;
} weftpy_lines;

/* The next events, as many as there is room for; fewer at the end.  One set of ids: column_names is that of
 * the rows. */
weft_status weftpy_read(weft_stream *stream, weft_ids *row_names, weft_ids *column_names, weftpy_lines *lines,
                        weft_error *error);

/* The names of numbers 0, 1, ..., owned by `ids`. */
void weftpy_names(const weft_ids *ids, const char **names);

#endif
