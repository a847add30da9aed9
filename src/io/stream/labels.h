/* SPDX-License-Identifier: MIT
 * The labels of a stream, from the words that files have for them. */
#ifndef WEFT_IO_STREAM_LABELS_H
#define WEFT_IO_STREAM_LABELS_H

#include "io/text/text.h"
#include "weft_files.h"

typedef struct weft__labels {
    const weft_stream_options *how;
    weft_language expected; /* by an earlier stream, */
    weft_language says;     /* and what is known of it by now */
    int64_t line;           /* where it was first seen, 0: before this stream, and the file (kept) */
    const char *file;
    int case_of;           /* of words: how many capitals, 0, 1 (the first letter) or 2 (all) */
    weft_stream_need need; /* why the last label failed */
} weft__labels;

/* What is understood as a label without being asked about, for messages. */
extern const char weft__labels_known[];

/* From the beginning, after an earlier stream that spoke as is `expected`. */
void weft__labels_begin(weft__labels *labels);

/* The word for -1 or +1, where labels are words and it is known, else NULL.  `room` has space for one. */
enum { WEFT__LABEL_WORD = WEFT_LABEL_LIMIT };
const char *weft__labels_word(const weft__labels *labels, int label, char room[WEFT__LABEL_WORD]);

/* Whether a field could be a label: for first lines, which may be headers. */
bool weft__labels_may_be(const weft__labels *labels, const char *field);

/* -1, 0 (none) or +1 of a field of the current record of `file` (kept); WEFT_INPUT where it is no label, or
 * one of another pair. */
weft_status weft__labels_read(weft__labels *labels, const weft__text *text, int64_t field, const char *file,
                              int *label, weft_error *error);

#endif
