/* SPDX-License-Identifier: MIT
 * The times of events: whether they are in order. */
#ifndef WEFT_IO_STREAM_TIMES_H
#define WEFT_IO_STREAM_TIMES_H

#include "io/text/text.h"

/* What a time is: a number in any unit, or seconds of a date of ISO 8601. */
typedef enum weft__time_kind { WEFT__NO_TIME, WEFT__TIME_NUMBER, WEFT__TIME_DATE } weft__time_kind;

/* {0}: nothing was read. */
typedef struct weft__times {
    weft__time_kind kind;
    double last;
    int64_t last_line;
    int64_t count, early, first_early; /* see weft_stream_facts */
    bool unread;                       /* one was no time: what nobody asked for is left alone from then on */
} weft__times;

/* A number; or 2026-11-19, with T or a blank and 13:30[:59[.5]] behind it, and then Z, +01:00, +0100 or +01.
 * WEFT__NO_TIME for all else. */
weft__time_kind weft__parse_time(const char *text, double *value);

/* The time of the current record.  `asked`: one that is none, or earlier than the one before, is
 * WEFT_INPUT, the latter with *early true; otherwise it is counted. */
weft_status weft__times_take(weft__times *times, const weft__text *text, int64_t field, bool asked,
                             bool *early, weft_error *error);

#endif
