/* SPDX-License-Identifier: MIT
 * Delimited text: records of fields, with the place of each for messages. */
#ifndef WEFT_IO_TEXT_TEXT_H
#define WEFT_IO_TEXT_TEXT_H

#include "io/text/lines.h"

/* What a field is in JSON; in delimited text all are text. */
typedef enum weft__value_type {
    WEFT__TEXT,
    WEFT__NUMBER,  /* as it was written */
    WEFT__BOOLEAN, /* true or false */
    WEFT__NULL,    /* empty */
    WEFT__NESTED   /* an object or a list: empty */
} weft__value_type;

typedef struct weft__field {
    char *text;       /* inside the line, unquoted */
    const char *name; /* in JSON; else NULL */
    int64_t column;   /* of its first byte, from 1 */
    weft__value_type type;
} weft__field;

typedef struct weft__text {
    weft__lines lines;
    int64_t field_limit;
    char delimiter; /* tab, comma, ' ' for any run of blanks and tabs, a newline for whole lines, '{' for
                       JSON lines, 0 before the first record */
    bool objects;   /* a first byte { means JSON lines: an object a line, whose fields have names */
    char comment;   /* begins a line that is skipped */
    bool held;      /* the current record is to come once more */
    bool whole;     /* all its lines were read: what fails now is about it alone, */
    bool swallowed; /* but it goes to the end of the file, for want of a quote */
    weft__field *fields;
    int64_t count, capacity;
    int64_t number; /* of the line on which the record begins */
} weft__text;

/* On failure there is nothing to close. */
weft_status weft__text_open(const char *path, const weft__input *input, weft__text *text, weft_error *error);

/* The next record, at least one field (of an object: any number); comments and empty lines are skipped. */
weft_status weft__text_next(weft__text *text, bool *more, weft_error *error);

/* Cuts the current line, which must be an object of JSON. */
weft_status weft__text_cut_object(weft__text *text, weft_error *error);
/* One field more of the current record. */
weft_status weft__text_add_field(weft__text *text, const weft__field *field, weft_error *error);

/* The same record will be the next one too: to look at it and let others read. */
void weft__text_hold(weft__text *text);

void weft__text_close(weft__text *text);

/* WEFT_INPUT with `file:line:column: ` before the facts; field -1 for the whole
 * record. */
__attribute__((format(printf, 4, 5))) weft_status weft__text_fail(const weft__text *text, int64_t field,
                                                                  weft_error *error, const char *format, ...);

/* *value = the field as a finite number, in the notation of C whatever the
 * locale; blanks around it are allowed. */
weft_status weft__text_number(const weft__text *text, int64_t field, double *value, weft_error *error);

/* The same for any string: false if it is not a finite number. */
bool weft__parse_number(const char *string, double *value);
/* Whether programs write this where a number lacks, or is not finite: NA, NaN, null, inf, ... in any case. */
bool weft__is_missing(const char *cell);
/* A whole number that double precision holds. */
bool weft__parse_count(const char *field, int64_t *count);
/* Digits alone, below 2^62; the end of them is left in *end. */
bool weft__parse_index(const char *string, int64_t *value, const char **end);

/* The string in quotes, as weft_show would, cut to what fits a message. */
enum { WEFT__SHOWN = 54 };
typedef struct weft__shown_text {
    char text[WEFT__SHOWN];
} weft__shown_text;
weft__shown_text weft__shown_briefly(const char *string);

#endif
