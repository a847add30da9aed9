/* SPDX-License-Identifier: MIT
 * 0/1 and -1/+1 are two languages of labels; a stream speaks one. */
#ifndef WEFT_IO_STREAM_LABEL_STYLE_H
#define WEFT_IO_STREAM_LABEL_STYLE_H

#include "io/text/text.h"
#include "weft_files.h"

/* {0}: nothing was said. */
typedef struct weft__label_style {
    struct {
        const char *file;
        int64_t line; /* 0: not seen; negative: before this stream */
    } first[2];       /* where the first -1 and the first 0 stood: only one may occur */
    weft_labels expected;
} weft__label_style;

/* From the beginning, after an earlier stream that spoke `labels`. */
void weft__label_style_expect(weft__label_style *language, weft_labels labels);
weft_labels weft__label_style_seen(const weft__label_style *language);

/* A label as weft__parse_label gives it, in a field of the current record of `file`
 * (kept); WEFT_INPUT where it is of the other language. */
weft_status weft__label_style_take(weft__label_style *language, int label, const weft__text *text,
                                   int64_t field, const char *file, weft_error *error);

#endif
