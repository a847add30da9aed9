/* SPDX-License-Identifier: MIT
 *
 * Dates become seconds since 1970 by the calendar of Gregory, without leap seconds; what has no zone is taken
 * as UTC, so that the order of local times is that of their digits. */
#include "io/stream/times.h"

#include <string.h>

/* `count` digits at *c, which is left behind them. */
static bool read_digits(const char **c, int count, int *value)
{
    *value = 0;
    for (int k = 0; k < count; k++, ++*c) {
        if (**c < '0' || **c > '9')
            return false;
        *value = 10 * *value + (**c - '0');
    }
    return true;
}

static bool read_sign(const char **c, char sign)
{
    bool there = **c == sign;
    *c += there;
    return there;
}

/* Days from 1970-01-01: years begin in March, so that a leap day is the last of its year; 400 of them have
 * 146,097 days, and the 153 days of five months from March on come again. */
static int64_t days_of(int year, int month, int day)
{
    enum { DAYS_OF_ERA = 146097, DAYS_TO_1970 = 719468 };
    int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - 400 * era;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * DAYS_OF_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - DAYS_TO_1970;
}

static bool is_day(int year, int month, int day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

/* 13:30, 13:30:59 or 13:30:59.5 at *c, as seconds. */
static bool read_clock(const char **c, double *seconds)
{
    int hour = 0, minute = 0, second = 0;
    double fraction = 0, unit = 0.1;
    if (!read_digits(c, 2, &hour) || !read_sign(c, ':') || !read_digits(c, 2, &minute))
        return false;
    if (read_sign(c, ':')) {
        if (!read_digits(c, 2, &second))
            return false;
        if (read_sign(c, '.') || read_sign(c, ',')) {
            if (**c < '0' || **c > '9')
                return false;
            for (; **c >= '0' && **c <= '9'; ++*c, unit /= 10)
                fraction += unit * (**c - '0');
        }
    }
    *seconds = 3600.0 * hour + 60.0 * minute + second + fraction;
    return hour <= 24 && minute < 60 && second <= 60;
}

/* Z, +01:00, +0100 or +01 at *c, or nothing; what is to be added to have UTC. */
static bool read_zone(const char **c, double *seconds)
{
    int hour = 0, minute = 0;
    *seconds = 0;
    if (**c == 0 || read_sign(c, 'Z') || read_sign(c, 'z'))
        return true;
    double sign = **c == '-' ? 1 : -1;
    if ((!read_sign(c, '+') && !read_sign(c, '-')) || !read_digits(c, 2, &hour))
        return false;
    if (**c != 0) {
        read_sign(c, ':');
        if (!read_digits(c, 2, &minute))
            return false;
    }
    *seconds = sign * (3600.0 * hour + 60.0 * minute);
    return hour < 24 && minute < 60;
}

static bool parse_date(const char *c, double *value)
{
    int year = 0, month = 0, day = 0;
    double clock = 0, zone = 0;
    if (!read_digits(&c, 4, &year) || !read_sign(&c, '-') || !read_digits(&c, 2, &month) ||
        !read_sign(&c, '-') || !read_digits(&c, 2, &day) || !is_day(year, month, day))
        return false;
    if (read_sign(&c, 'T') || read_sign(&c, 't') || read_sign(&c, ' '))
        if (!read_clock(&c, &clock) || !read_zone(&c, &zone))
            return false;
    *value = 86400.0 * (double)days_of(year, month, day) + clock + zone;
    return *c == 0;
}

weft__time_kind weft__parse_time(const char *text, double *value)
{
    if (weft__parse_number(text, value))
        return WEFT__TIME_NUMBER;
    return parse_date(text, value) ? WEFT__TIME_DATE : WEFT__NO_TIME;
}

static weft_status refuse_time(weft__times *times, const weft__text *text, int64_t field, bool asked,
                               weft_error *error)
{
    times->unread = true;
    if (!asked)
        return WEFT_OK;
    return weft__text_fail(text, field, error, "found %s, expected a time: %s",
                           weft__shown_briefly(text->fields[field].text).text,
                           times->kind == WEFT__TIME_NUMBER ? "a number as in the lines before"
                           : times->kind == WEFT__TIME_DATE
                               ? "a date as in the lines before, such as 2026-11-19T13:30:59Z"
                               : "a number, or a date as 2026-11-19T13:30:59Z");
}

weft_status weft__times_take(weft__times *times, const weft__text *text, int64_t field, bool asked,
                             bool *early, weft_error *error)
{
    double value = 0;
    *early = false;
    if (!asked && (times->unread || *text->fields[field].text == 0))
        return WEFT_OK;
    weft__time_kind kind = weft__parse_time(text->fields[field].text, &value);
    if (kind == WEFT__NO_TIME || (times->kind != WEFT__NO_TIME && kind != times->kind))
        return refuse_time(times, text, field, asked, error);
    *early = times->kind != WEFT__NO_TIME && value < times->last;
    if (*early && asked)
        return weft__text_fail(
            text, field, error,
            "found time %s, which is before that of line %lld, expected events in the order "
            "of their times",
            weft__shown_briefly(text->fields[field].text).text, (long long)times->last_line);
    if (*early && times->early++ == 0)
        times->first_early = text->number;
    times->count++;
    times->kind = kind;
    times->last = value;
    times->last_line = text->number;
    return WEFT_OK;
}
