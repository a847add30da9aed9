/* SPDX-License-Identifier: MIT
 * Numbers and strings as files hold and messages show them. */
#include "io/text/text.h"

#include "base/show.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* strtod() reads the decimal point of the locale, so that is what it gets, in
 * a copy: the locale of the process is not touched. */
static bool convert(const char *digits, size_t length, double *value)
{
    enum { LONGEST = 512 };
    char copy[LONGEST];
    const char *point = localeconv()->decimal_point;
    const char *dot = memchr(digits, '.', length);
    size_t before = dot != NULL ? (size_t)(dot - digits) : length;
    size_t wide = dot != NULL ? strlen(point) : 0;
    size_t after = dot != NULL ? length - before - 1 : 0;
    if (before + wide + after >= sizeof copy)
        return false;
    memcpy(copy, digits, before);
    memcpy(copy + before, point, wide);
    memcpy(copy + before + wide, digits + length - after, after);
    copy[before + wide + after] = 0;
    char *end = NULL;
    *value = strtod(copy, &end);
    return *end == 0;
}

/* Digits and at most one point, as most numbers are: so few of them that both they and the power of ten are
 * exact, and the quotient is rounded once, which is what strtod() gives.  NULL: it is something else. */
static const char *read_short(const char *c, double *value)
{
    enum { EXACT = 15 };
    static const double powers[EXACT + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool negative = *c == '-';
    int64_t digits = 0, count = 0, behind = 0;
    c += *c == '-' || *c == '+';
    for (; *c >= '0' && *c <= '9' && count < EXACT; c++, count++)
        digits = 10 * digits + (*c - '0');
    if (*c == '.')
        for (c++; *c >= '0' && *c <= '9' && count < EXACT; c++, count++, behind++)
            digits = 10 * digits + (*c - '0');
    if (count == 0 || (*c != 0 && *c != ' ' && *c != '\t'))
        return NULL;
    *value = (double)digits / powers[behind];
    *value = negative ? -*value : *value;
    return c;
}

bool weft__parse_number(const char *string, double *value)
{
    const char *start = string + strspn(string, " \t");
    double brief = 0;
    const char *end = read_short(start, &brief);
    if (end != NULL && end[strspn(end, " \t")] == 0) {
        *value = brief;
        return true;
    }
    size_t length = strspn(start, "0123456789+-.eE"); /* no hexadecimal, inf or nan */
    double number = 0;
    if (length == 0 || start[length + strspn(start + length, " \t")] != 0)
        return false;
    if (!convert(start, length, &number) || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool weft__is_missing(const char *cell)
{
    static const char *const words[] = {"na",  "n/a",  "#n/a", "nan",      "-nan",     "null",
                                        "nil", "none", "\\n",  "?",        "-",        ".",
                                        "inf", "-inf", "+inf", "infinity", "-infinity"};
    if (strchr("nNiI#\\?.+-", *cell) == NULL) /* as most words */
        return false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasecmp(cell, words[k]) == 0)
            return true;
    return false;
}

bool weft__parse_index(const char *string, int64_t *value, const char **end)
{
    static const int64_t largest = INT64_C(1) << 62;
    int64_t number = 0;
    const char *c = string;
    for (; *c >= '0' && *c <= '9'; c++) {
        int digit = *c - '0';
        if (number > (largest - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    if (c == string)
        return false;
    *value = number;
    *end = c;
    return true;
}

bool weft__parse_count(const char *field, int64_t *count)
{
    static const double largest = 9007199254740992.0; /* 2^53 */
    double value = 0;
    if (!weft__parse_number(field, &value) || fabs(value) > largest || value != floor(value))
        return false;
    *count = (int64_t)value;
    return true;
}

weft__shown_text weft__shown_briefly(const char *string)
{
    weft__shown_text shown = {"'"};
    weft__show_into(string, sizeof shown.text - 2, shown.text + 1);
    memcpy(shown.text + strlen(shown.text), "'", 2);
    return shown;
}
