/* SPDX-License-Identifier: MIT
 * 0/1 and -1/+1 are two languages of labels; a stream speaks one. */
#ifndef WEFT_IO_LANGUAGE_H
#define WEFT_IO_LANGUAGE_H

#include "io/text.h"

/* {0}: nothing was said. */
typedef struct weft__language {
    struct {
        const char *file;
        int64_t line; /* 0: not seen; negative: before this stream */
    } first[2];       /* where the first -1 and the first 0 stood: only one may occur */
    weft_labels expected;
} weft__language;

/* From the beginning, after an earlier stream that spoke `labels`. */
void weft__language_expect(weft__language *language, weft_labels labels);
weft_labels weft__language_seen(const weft__language *language);

/* A label as weft__parse_label gives it, in a field of the current record of `file`
 * (kept); WEFT_INPUT where it is of the other language. */
weft_status weft__language_take(weft__language *language, int label, const weft__text *text, int64_t field,
                                const char *file, weft_error *error);

#endif
