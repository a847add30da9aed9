/* SPDX-License-Identifier: MIT
 *
 * A record is one line, or several when a quoted field holds a newline.  It is
 * first completed (an automaton that remembers where it was, so that the work
 * stays linear in the length of the record), then cut in place. */
#include "io/text/text.h"

#include "io/text/hints.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

weft_status weft__text_open(const char *path, const weft__input *input, weft__text *text, weft_error *error)
{
    weft__text opened = {.field_limit = input->limits.field_limit, .comment = '#'};
    weft_status status = weft__lines_open(path, input, &opened.lines, error);
    if (status == WEFT_OK)
        *text = opened;
    return status;
}

void weft__text_close(weft__text *text)
{
    weft__delete(&text->lines.memory, text->fields);
    weft__lines_close(&text->lines);
    *text = (weft__text){.lines = text->lines};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_field(const weft__text *text, char c)
{
    return text->delimiter == ' ' ? is_blank(c) : c == text->delimiter;
}

/* The delimiter of a first line, by what stands outside quotes. */
static char find_delimiter(const char *line)
{
    bool start = true, quoted = false, comma = false;
    for (const char *c = line; *c != 0; c++) {
        if (quoted) {
            if (*c == '"' && c[1] == '"')
                c++;
            else
                quoted = *c != '"';
            continue;
        }
        if (*c == '\t')
            return '\t';
        comma = comma || *c == ',';
        quoted = start && *c == '"';
        start = *c == ',' || *c == ' ';
    }
    return comma ? ',' : ' ';
}

/* A comment, or nothing at all.  Where blanks are not part of ids, a comment
 * may be indented. */
static bool is_skipped(const weft__text *text)
{
    const char *c = text->lines.line;
    if (text->delimiter == 0 || text->delimiter == ' ' || text->delimiter == '{')
        c += strspn(c, " \t");
    return *c == 0 || *c == text->comment;
}

typedef enum place { FIELD_START, PLAIN, QUOTED, AFTER_QUOTE } place;

/* Whether the record, looked at from *at on, ends inside quotes. */
static bool ends_inside_quotes(const weft__text *text, int64_t *at, place *state)
{
    const char *line = text->lines.line;
    for (; line[*at] != 0; ++*at) {
        char c = line[*at];
        if (*state == QUOTED) {
            if (c == '"')
                *state = AFTER_QUOTE;
        } else if (*state == AFTER_QUOTE && c == '"') {
            *state = QUOTED;
        } else if (ends_field(text, c)) {
            *state = FIELD_START;
        } else {
            *state = *state == FIELD_START && c == '"' ? QUOTED : PLAIN;
        }
    }
    return *state == QUOTED;
}

static weft_status complete_record(weft__text *text, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t at = 0;
    place state = FIELD_START;
    bool more = true;
    if (strchr(text->lines.line, '"') == NULL)
        return WEFT_OK;
    while (ends_inside_quotes(text, &at, &state)) {
        status = weft__lines_next(&text->lines, true, &more, error);
        if (status != WEFT_OK && text->lines.too_long)
            return weft__text_fail(text, -1, error,
                                   "found a quote that is not closed within %lld bytes, expected another \" "
                                   "(limit: max-line)",
                                   (long long)text->lines.limit);
        TRY(status);
        if (!more) {
            text->whole = text->swallowed = true;
            return weft__text_fail(text, -1, error,
                                   "found a quote that is never closed, expected another \"");
        }
    }
done:
    return status;
}

weft_status weft__text_add_field(weft__text *text, const weft__field *field, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (text->count >= text->field_limit)
        return weft__text_fail(text, -1, error,
                               "found more than %lld fields, expected fewer (limit: max-fields)",
                               (long long)text->field_limit);
    if (text->count >= text->capacity) {
        int64_t capacity = weft__grown(text->capacity, text->count + 1);
        TRY(weft__resize(&text->lines.memory, &text->fields, text->capacity, capacity, sizeof *text->fields,
                         error));
        text->capacity = capacity;
    }
    text->fields[text->count++] = *field;
done:
    return status;
}

/* Unquotes in place the field that begins at the quote *c; leaves *c behind the
 * closing one.  The record is complete, so there is one. */
static void unquote(char **c)
{
    char *from = *c + 1;
    char *to = *c;
    for (;; from++) {
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    *c = from;
    *to = 0;
}

/* Outside quotes a carriage return is part of the end of a line; where no LF follows there are
 * none of the lines that are expected. */
static weft_status refuse_return(const weft__text *text, int64_t field, const char *c, weft_error *error)
{
    if (*c != '\r')
        return WEFT_OK;
    return weft__text_fail(
        text, field, error,
        "found a carriage return (CR) without a line feed behind it, expected lines that end "
        "in LF or CRLF (CR alone ends the lines of old Macintosh files; in an id it needs "
        "quotes)");
}

/* Takes the field at *c; *c becomes the start of the next or NULL at the end. */
static weft_status cut_field(weft__text *text, char **c, weft_error *error)
{
    char *from = *c;
    weft_status status = WEFT_OK;
    TRY(weft__text_add_field(text, &(weft__field){.text = from, .column = from - text->lines.line + 1},
                             error));
    if (*from == '"') {
        unquote(c);
        TRY(refuse_return(text, text->count - 1, *c, error));
        if (**c != 0 && !ends_field(text, **c))
            return weft__text_fail(text, text->count - 1, error,
                                   "found '%c' after a closing quote, expected a delimiter", **c);
    } else {
        while (**c != 0 && **c != '\r' && !ends_field(text, **c))
            ++*c;
        TRY(refuse_return(text, text->count - 1, *c, error));
    }
    bool last = **c == 0;
    **c = 0;
    *c = last ? NULL : *c + 1;
done:
    return status;
}

static char *skip_blanks(const weft__text *text, char *c)
{
    if (c == NULL || text->delimiter != ' ')
        return c;
    c += strspn(c, " \t");
    return *c == 0 ? NULL : c;
}

static weft_status cut_record(weft__text *text, weft_error *error)
{
    weft_status status = WEFT_OK;
    text->count = 0;
    char *c = skip_blanks(text, text->lines.line);
    while (c != NULL) {
        TRY(cut_field(text, &c, error));
        c = skip_blanks(text, c);
    }
done:
    return status;
}

/* The first line of a file of JSON, which is delimited text too, but would be told as a bad one. */
static weft_status refuse_json(const weft__text *text, weft_error *error)
{
    static const char blanks[] = " \t";
    const char *first = text->lines.line + strspn(text->lines.line, blanks);
    const char *second = *first == 0 ? first : first + 1 + strspn(first + 1, blanks);
    if (*first == '[' && strchr("[{", *second) != NULL)
        return weft__text_fail(text, -1, error, "found a list of JSON, expected %s",
                               text->objects ? "JSON lines: an object a line, and nothing around them"
                                             : "delimited text");
    if (*first == '{' && *second == '"' && !text->objects)
        return weft__text_fail(text, -1, error, "found JSON, expected delimited text");
    return WEFT_OK;
}

void weft__text_hold(weft__text *text)
{
    text->held = true;
}

weft_status weft__text_next(weft__text *text, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool skipped = false;
    if (text->held) {
        text->held = false;
        *more = true;
        return WEFT_OK;
    }
    text->whole = text->swallowed = false;
    do {
        status = weft__lines_next(&text->lines, false, more, error);
        text->whole = text->lines.spoilt;
        TRY(status);
        text->whole = false;
        text->count = 0;
        if (!*more)
            return WEFT_OK;
        text->number = text->lines.number;
        skipped = is_skipped(text);
        if (skipped) /* a comment would hide the lines behind it */
            TRY(refuse_return(text, -1, text->lines.line + strcspn(text->lines.line, "\r"), error));
    } while (skipped);
    if (text->delimiter == 0 && text->objects && text->lines.line[strspn(text->lines.line, " \t")] == '{')
        text->delimiter = '{';
    if (text->delimiter == '{') {
        text->whole = true;
        return weft__text_cut_object(text, error);
    }
    if (text->delimiter == 0) {
        TRY(refuse_json(text, error));
        /* Quotes around a newline may hide the delimiter of the first record. */
        text->delimiter = find_delimiter(text->lines.line);
        if (text->delimiter == ' ')
            TRY(complete_record(text, error));
        text->delimiter = find_delimiter(text->lines.line);
    }
    TRY(complete_record(text, error));
    text->whole = true;
    TRY(cut_record(text, error));
done:
    return status;
}

weft_status weft__text_fail(const weft__text *text, int64_t field, weft_error *error, const char *format, ...)
{
    char facts[256];
    va_list list;
    va_start(list, format);
    vsnprintf(facts, sizeof facts, format, list);
    va_end(list);
    if (field < 0 || field >= text->count)
        return weft__fail(error, WEFT_INPUT, "%s:%lld: %s", text->lines.path, (long long)text->number, facts);
    return weft__fail(error, WEFT_INPUT, "%s:%lld:%lld: %s", text->lines.path, (long long)text->number,
                      (long long)text->fields[field].column, facts);
}

weft_status weft__text_number(const weft__text *text, int64_t field, double *value, weft_error *error)
{
    if (weft__parse_number(text->fields[field].text, value))
        return WEFT_OK;
    return weft__text_fail(text, field, error, "found %s, expected a finite number%s",
                           weft__shown_briefly(text->fields[field].text).text,
                           weft__hint_number(text->fields[field].text).text);
}
