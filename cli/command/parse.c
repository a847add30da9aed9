/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/parse.h"

#include "weft_advanced.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static double parse_real(struct argp_state *state, const char *name, const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);
    bool decimal = text[strspn(text, "0123456789+-.eE")] == 0; /* as in files: no hexadecimal, inf or nan */
    if (end == text || *end != 0 || !decimal || !isfinite(value))
        argp_error(state, "%s: found '%s', expected a number", name, weft_show(text).text);
    return value;
}

double parse_positive(struct argp_state *state, const char *name, const char *text, double least, double most)
{
    double value = parse_real(state, name, text);
    if (!(value > 0))
        argp_error(state, "%s: found %s, expected a number above 0", name, text);
    if (value < least)
        argp_error(state, "%s: found %s, expected at least %g", name, text, least);
    if (most > 0 && value > most)
        argp_error(state, "%s: found %s, expected at most %g", name, text, most);
    return value;
}

double parse_within(struct argp_state *state, const char *name, const char *text, double least, double most)
{
    double value = parse_real(state, name, text);
    if (!(value >= least && value <= most))
        argp_error(state, "%s: found %s, expected %g to %g", name, text, least, most);
    /* Not -0, which would be written with its sign. */
    return value == 0 ? 0 : value;
}

int64_t parse_count(struct argp_state *state, const char *name, const char *text, int64_t least, int64_t most)
{
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != 0 || errno != 0 || value < least)
        argp_error(state, "%s: found '%s', expected a whole number of at least %lld", name,
                   weft_show(text).text, (long long)least);
    if (most > 0 && value > most)
        argp_error(state, "%s: found %s, expected at most %lld", name, text, (long long)most);
    return value;
}

/* The power of 1024 of a unit: K, KB or KiB, in either case, and so on; -1 for what is none. */
static int unit_power(const char *unit)
{
    static const char letters[] = "KMGT";
    if (*unit == 0)
        return 0;
    const char *letter = strchr(letters, toupper((unsigned char)*unit));
    bool spelt = unit[1] == 0 || strcasecmp(unit + 1, "B") == 0 || strcasecmp(unit + 1, "iB") == 0;
    return letter != NULL && spelt ? (int)(letter - letters) + 1 : -1;
}

int64_t parse_size(struct argp_state *state, const char *name, const char *text, int64_t least)
{
    char *end = NULL;
    int64_t size = 0;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    int power = end == text || errno != 0 ? -1 : unit_power(end);
    if (power < 0 || __builtin_mul_overflow((int64_t)value, INT64_C(1) << (10 * power), &size) ||
        size < least)
        argp_error(
            state,
            "%s: found '%s', expected a whole number of at least %lld and below 2^63, which K, M, G or T "
            "may follow (MB and MiB mean M, 1024 K)",
            name, weft_show(text).text, (long long)least);
    return size;
}

/* Sums and products of two capacities are computed in double precision, which holds numbers up to 2^53. */
static bool take_capacity(const char **text, int64_t *capacity)
{
    static const long long most = 1LL << 53;
    char *end = NULL;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    bool good = end != *text && errno == 0 && value >= 1 && value <= most;
    *text = end;
    *capacity = value;
    return good;
}

void parse_capacity(struct argp_state *state, const char *name, const char *text, int64_t *row_capacity,
                    int64_t *column_capacity)
{
    const char *rest = text;
    int64_t rows = 0, columns = 0;
    bool good = take_capacity(&rest, &rows);
    if (good && *rest == 'x') {
        rest++;
        good = take_capacity(&rest, &columns);
    }
    if (!good || *rest != 0)
        argp_error(state, "%s: found '%s', expected ROWSxCOLUMNS, such as 100x20, each at most 2^53", name,
                   weft_show(text).text);
    *row_capacity = rows;
    *column_capacity = columns;
}

void parse_capacity_check(struct argp_state *state, int64_t rows, int64_t columns, bool one_set)
{
    if (rows > 0 && one_set == (columns > 0))
        argp_error(state, "--capacity: expected %s", one_set ? "one number" : "ROWSxCOLUMNS");
}

int parse_word(struct argp_state *state, const char *name, const char *text, const char *const *words,
               int count)
{
    char expected[128] = "";
    for (int k = 0; words[k] != NULL && (count == 0 || k < count); k++) {
        bool last = words[k + 1] == NULL || k + 1 == count;
        size_t length = strlen(expected);
        if (strcmp(text, words[k]) == 0)
            return k;
        snprintf(expected + length, sizeof expected - length, "%s%s",
                 k == 0 ? ""
                 : last ? " or "
                        : ", ",
                 words[k]);
    }
    argp_error(state, "%s: found '%s', expected %s", name, weft_show(text).text, expected);
    return 0;
}
