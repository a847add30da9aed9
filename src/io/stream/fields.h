/* SPDX-License-Identifier: MIT
 * Which field of a record is what: by names, in a header or in JSON, else by place. */
#ifndef WEFT_IO_STREAM_FIELDS_H
#define WEFT_IO_STREAM_FIELDS_H

#include "io/stream/contexts.h"
#include "weft_files.h"

typedef struct weft__fields {
    weft_memory memory;
    const weft_stream_options *how;
    weft__contexts *contexts;          /* which take the names that they have first */
    char *named[WEFT_STREAM_FIELDS];   /* the name that was taken in this file; NULL: none */
    int64_t place[WEFT_STREAM_FIELDS]; /* in the current record; -1: there is none */
    int64_t header;                    /* how many names the header has; 0: there is none */
    bool positives;                    /* every record is a +1 where no name is that of a label */
    weft_stream_need need;             /* of the last call that failed */
} weft__fields;

/* How many fields a kind needs, and their names. */
int weft__fields_needed(weft_stream_kind kind);
const char *weft__fields_word(weft_stream_kind kind, weft_stream_field field);
const char *weft__fields_shown(weft_stream_kind kind); /* "row, column, label" */

/* Name f of a record: that of an object, or the text of a header; and all of them, as many as fit a
 * message. */
const char *weft__fields_name(const weft__text *text, int64_t f);
typedef struct weft__name_list {
    char text[160];
} weft__name_list;
weft__name_list weft__fields_list(const weft__text *text);

/* Whether the text is usual as the name of an id: `id', one for a row or a column, or an end of an edge. */
bool weft__fields_is_name(const char *text);

/* Whether every line must have the field: the kind needs it, or it was asked for. */
bool weft__fields_must_have(const weft__fields *fields, int field);

/* Whether names tell row and column, none of them is that of the label, and every record is a +1. */
static inline bool weft__fields_lack_label(const weft__fields *fields)
{
    return fields->positives && fields->named[WEFT_FIELD_ROW] != NULL &&
           fields->named[WEFT_FIELD_THIRD] == NULL;
}

/* Forgets the names of the file before: fields stand in their places. */
void weft__fields_begin(weft__fields *fields);
void weft__fields_free(weft__fields *fields);

/* The first record of delimited text: whether it is a header, and then which field is which.  `data`: it
 * could be a line of data.  WEFT_INPUT for a header that leaves that unclear, and for one that is neither. */
weft_status weft__fields_header(weft__fields *fields, const weft__text *text, bool data, bool *header,
                                weft_error *error);

/* Any record of JSON lines: finds its fields.  What was taken first in a file keeps its name there. */
weft_status weft__fields_object(weft__fields *fields, const weft__text *text, weft_error *error);

#endif
