/* SPDX-License-Identifier: MIT
 * A stream: records of files that are read one after the other, and the events that they are. */
#ifndef WEFT_IO_STREAM_STREAM_H
#define WEFT_IO_STREAM_STREAM_H

#include "io/stream/fields.h"
#include "io/stream/labels.h"
#include "io/stream/readings.h"
#include "io/stream/times.h"

#include <sys/types.h>

/* Invariants: files before `next` are read; while `open`, `text` is the one before `next`, and `pending`
 * says that its current record is still to be delivered. */
struct weft_stream {
    weft_memory memory;
    weft__input input;
    weft_stream_options how;
    char **paths;
    int64_t count, next;
    off_t standard_start; /* where standard input was, if it can be read again */
    bool seekable, open, pending;
    bool unbegun; /* what could be read of the open file has told nothing of its fields */
    bool objects; /* the file is, or was, JSON lines */
    bool passed;  /* the last failure was about one record, behind which the next one begins */
    weft__text text;
    weft__readings readings;
    weft__fields fields;
    weft__contexts contexts;
    weft__labels labels;
    weft__times times;
    weft_stream_need need; /* of the last failure */
    char words[2][WEFT__LABEL_WORD];
};

/* The next record of the file that is open. */
weft_status weft__stream_read_record(weft_stream *stream, bool *more, weft_error *error);
/* WEFT_INPUT where the current record of delimited text has too few fields. */
weft_status weft__stream_refuse_short(const weft_stream *stream, weft_error *error);

/* WEFT_INPUT where it has fields for which the header has no names, and they say something. */
weft_status weft__stream_refuse_long(const weft_stream *stream, weft_error *error);

/* event.c: the current record. */
weft_status weft__stream_read_event(weft_stream *stream, weft_event *event, weft_error *error);

#endif
