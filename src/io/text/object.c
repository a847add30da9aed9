/* SPDX-License-Identifier: MIT
 *
 * Records of JSON lines: one object a line, cut in place into fields that have names.
 *
 * The grammar is RFC 8259, strictly: what a parser of JSON refuses is refused here.  A string is unescaped
 * where it stands, which never makes it longer.  A number stays the text that was written; it and a word
 * are moved one byte to the left, over the colon or blank that stands before every value, which leaves a
 * byte for the terminating 0.  A value inside another one is checked and left alone: whoever asks for its
 * field says what is expected.
 *
 * Cost: O(length of the line), no memory but for the list of fields. */
#include "base/show.h"
#include "io/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 }; /* objects and lists inside each other: far beyond what events have */

__attribute__((format(printf, 4, 5))) static weft_status fail_at(const weft__text *text, const char *at,
                                                                 weft_error *error, const char *format, ...)
{
    char facts[256];
    va_list list;
    va_start(list, format);
    vsnprintf(facts, sizeof facts, format, list);
    va_end(list);
    return weft__fail(error, WEFT_INPUT, "%s:%lld:%lld: %s", text->lines.path, (long long)text->number,
                      (long long)(at - text->lines.line) + 1, facts);
}

/* What stands at `c`, for messages. */
static weft__shown_text shown_at(const char *c)
{
    char one[8] = "";
    size_t length = 1;
    uint32_t point = 0;
    if (*c == 0)
        return (weft__shown_text){"the end of the line"};
    if (!weft__decode(c, &length, &point))
        length = 1;
    memcpy(one, c, length);
    return weft__shown_briefly(one);
}

/* The end of a line inside an object is one that stands on several lines. */
static weft_status refuse(const weft__text *text, const char *at, const char *expected, weft_error *error)
{
    return fail_at(text, at, error, "found %s, expected %s%s", shown_at(at).text, expected,
                   *at == 0 ? ": an object stands on one line" : "");
}

static char *skip_blanks(char *c)
{
    return c + strspn(c, " \t\r\n");
}

/* ---- Strings ---- */

static bool read_hexadecimal(const char *c, uint32_t *value)
{
    *value = 0;
    for (int k = 0; k < 4; k++) {
        char d = c[k];
        bool digit = d >= '0' && d <= '9', small = d >= 'a' && d <= 'f', large = d >= 'A' && d <= 'F';
        if (!digit && !small && !large)
            return false;
        *value = 16 * *value + (uint32_t)(digit ? d - '0' : small ? d - 'a' + 10 : d - 'A' + 10);
    }
    return true;
}

/* Writes a character as UTF-8; the byte behind it. */
static char *encode(uint32_t point, char *to)
{
    if (point < 0x80) {
        *to++ = (char)point;
    } else if (point < 0x800) {
        *to++ = (char)(0xC0 | point >> 6);
        *to++ = (char)(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        *to++ = (char)(0xE0 | point >> 12);
        *to++ = (char)(0x80 | (point >> 6 & 0x3F));
        *to++ = (char)(0x80 | (point & 0x3F));
    } else {
        *to++ = (char)(0xF0 | point >> 18);
        *to++ = (char)(0x80 | (point >> 12 & 0x3F));
        *to++ = (char)(0x80 | (point >> 6 & 0x3F));
        *to++ = (char)(0x80 | (point & 0x3F));
    }
    return to;
}

/* \uXXXX at *c, or two of them that are one character. */
static weft_status read_code(const weft__text *text, char **c, char **to, weft_error *error)
{
    char *start = *c;
    uint32_t point = 0, second = 0;
    if (!read_hexadecimal(start + 2, &point))
        return fail_at(text, start, error, "found \\u without four hexadecimal digits behind it");
    *c += 6;
    if (point == 0)
        return fail_at(text, start, error, "found a zero byte (\\u0000), expected text");
    if (point >= 0xD800 && point < 0xDC00 && (*c)[0] == '\\' && (*c)[1] == 'u' &&
        read_hexadecimal(*c + 2, &second) && second >= 0xDC00 && second < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (second - 0xDC00);
        *c += 6;
    }
    if (point >= 0xD800 && point < 0xE000)
        return fail_at(text, start, error, "found half of a surrogate pair, expected both halves");
    *to = encode(point, *to);
    return WEFT_OK;
}

static weft_status read_escape(const weft__text *text, char **c, char **to, weft_error *error)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char letter = (*c)[1];
    const char *found = letter != 0 ? strchr(letters, letter) : NULL;
    if (letter == 'u')
        return read_code(text, c, to, error);
    if (found == NULL)
        return fail_at(text, *c, error, "found a backslash before %s, expected one of \"\\/bfnrtu",
                       shown_at(*c + 1).text);
    *(*to)++ = meant[found - letters];
    *c += 2;
    return WEFT_OK;
}

/* Unescapes in place the string whose quote is at *c; leaves *c behind the closing one. */
static weft_status read_string(const weft__text *text, char **c, char **string, weft_error *error)
{
    weft_status status = WEFT_OK;
    char *start = *c, *from = start + 1, *to = from;
    while (*from != '"') {
        size_t length = 1;
        uint32_t point = 0;
        if (*from == 0)
            return fail_at(text, start, error, "found a quote that is never closed, expected another \"");
        if (*from == '\\') {
            TRY(read_escape(text, &from, &to, error));
            continue;
        }
        if ((unsigned char)*from < ' ')
            return fail_at(text, from, error, "found %s in a string, expected it to be escaped",
                           shown_at(from).text);
        if (!weft__decode(from, &length, &point))
            return fail_at(text, from, error, "found a byte that is no UTF-8, expected UTF-8");
        memmove(to, from, length);
        from += length;
        to += length;
    }
    *to = 0;
    *string = start + 1;
    *c = from + 1;
done:
    return status;
}

/* ---- Values ---- */

static const char *skip_digits(const char *c)
{
    return c + strspn(c, "0123456789");
}

/* The length of the number at `c` in the notation of JSON; 0: there is none. */
static size_t number_length(const char *c)
{
    const char *at = c + (*c == '-');
    const char *end = *at == '0' ? at + 1 : skip_digits(at);
    if (end == at)
        return 0;
    if (*end == '.') {
        const char *digits = skip_digits(end + 1);
        if (digits == end + 1)
            return 0;
        end = digits;
    }
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '-' || end[1] == '+');
        end = skip_digits(exponent);
        if (end == exponent)
            return 0;
    }
    return (size_t)(end - c);
}

static weft__value_type word_at(const char *c, size_t *length)
{
    static const struct {
        const char *word;
        weft__value_type type;
    } words[] = {{"true", WEFT__BOOLEAN}, {"false", WEFT__BOOLEAN}, {"null", WEFT__NULL}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        *length = strlen(words[k].word);
        if (strncmp(c, words[k].word, *length) == 0)
            return words[k].type;
    }
    *length = number_length(c);
    return *length > 0 ? WEFT__NUMBER : WEFT__TEXT;
}

static weft_status read_value(const weft__text *text, char **c, int depth, weft__field *field,
                              weft_error *error);

/* The name of a member and the colon behind it. */
static weft_status read_name(const weft__text *text, char **c, char **name, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (**c != '"')
        return refuse(text, *c, "the name of a field, in quotes", error);
    TRY(read_string(text, c, name, error));
    *c = skip_blanks(*c);
    if (**c != ':')
        return refuse(text, *c, "a colon behind the name of a field", error);
    *c = skip_blanks(*c + 1);
done:
    return status;
}

/* Behind a value: *more where a comma says that another one comes. */
static weft_status read_end(const weft__text *text, char **c, char closing, bool *more, weft_error *error)
{
    *c = skip_blanks(*c);
    if (**c != ',' && **c != closing)
        return refuse(text, *c, closing == '}' ? "',' or '}'" : "',' or ']'", error);
    *more = **c == ',';
    *c = skip_blanks(*c + 1);
    return WEFT_OK;
}

/* An object or a list inside another one. */
static weft_status check_nested(const weft__text *text, char **c, int depth, weft_error *error)
{
    weft_status status = WEFT_OK;
    char closing = **c == '{' ? '}' : ']', *name = NULL;
    bool more = true;
    if (depth >= DEEPEST)
        return fail_at(text, *c, error, "found more than %d values inside each other, expected fewer",
                       DEEPEST);
    *c = skip_blanks(*c + 1);
    if (**c == closing) {
        ++*c;
        return WEFT_OK;
    }
    while (more) {
        if (closing == '}')
            TRY(read_name(text, c, &name, error));
        TRY(read_value(text, c, depth + 1, NULL, error));
        TRY(read_end(text, c, closing, &more, error));
    }
done:
    return status;
}

/* Takes the value at *c into *field, NULL inside another value. */
static weft_status read_value(const weft__text *text, char **c, int depth, weft__field *field,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    char *start = *c, *string = "";
    size_t length = 0;
    weft__value_type type = WEFT__TEXT;
    if (*start == '"') {
        TRY(read_string(text, c, &string, error));
    } else if (*start == '{' || *start == '[') {
        type = WEFT__NESTED;
        TRY(check_nested(text, c, depth, error));
    } else {
        type = word_at(start, &length);
        if (type == WEFT__TEXT)
            return refuse(text, start, "a value: a string, a number, true, false or null", error);
        *c = start + length;
        string = start - 1;
        if (field != NULL) {
            memmove(string, start, length);
            string[type == WEFT__NULL ? 0 : length] = 0;
        }
    }
    if (field != NULL) {
        field->text = string;
        field->column = start - text->lines.line + 1;
        field->type = type;
    }
done:
    return status;
}

weft_status weft__text_cut_object(weft__text *text, weft_error *error)
{
    weft_status status = WEFT_OK;
    char *c = skip_blanks(text->lines.line), *name = NULL;
    bool more = true;
    text->count = 0;
    if (*c != '{')
        return fail_at(text, c, error, "found %s, expected an object of JSON, as in the first line",
                       shown_at(c).text);
    c = skip_blanks(c + 1);
    if (*c == '}') {
        more = false;
        c = skip_blanks(c + 1);
    }
    while (more) {
        weft__field field = {0};
        TRY(read_name(text, &c, &name, error));
        TRY(read_value(text, &c, 1, &field, error));
        TRY(weft__text_add_field(text, &field, error));
        text->fields[text->count - 1].name = name;
        TRY(read_end(text, &c, '}', &more, error));
    }
    if (*c != 0)
        return fail_at(text, c, error, "found %s behind the object, expected the end of the line",
                       shown_at(c).text);
done:
    return status;
}
