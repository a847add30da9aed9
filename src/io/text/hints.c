/* SPDX-License-Identifier: MIT */
#include "io/text/hints.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\r\n";

/* The name without blanks around it. */
static const char *trim(const char *name, size_t *length)
{
    const char *start = name + strspn(name, blanks);
    size_t size = strlen(start);
    while (size > 0 && strchr(blanks, start[size - 1]) != NULL)
        size--;
    *length = size;
    return start;
}

static bool same_trimmed(const char *a, const char *b, bool any_case)
{
    size_t a_length = 0, b_length = 0;
    const char *a_start = trim(a, &a_length), *b_start = trim(b, &b_length);
    if (a_length != b_length)
        return false;
    return any_case ? strncasecmp(a_start, b_start, a_length) == 0 : memcmp(a_start, b_start, a_length) == 0;
}

/* The first listed id that differs in blanks only, else in case too, else -1. */
static int64_t find_alike(const weft_ids *ids, int64_t listed, const char *name, bool any_case)
{
    for (int64_t k = 0; k < listed; k++)
        if (same_trimmed(weft_ids_name(ids, k), name, any_case))
            return k;
    return -1;
}

/* One letter too many, too few or wrong, or two changed round: what is left
 * behind the letters that agree says which.  Short names and those with digits are
 * near to many others. */
static bool is_misspelt(const char *a, const char *b)
{
    enum { SHORT = 4 };
    size_t agree = 0;
    if (strlen(a) < SHORT || strpbrk(a, "0123456789") != NULL || strpbrk(b, "0123456789") != NULL)
        return false;
    while (a[agree] != 0 && a[agree] == b[agree])
        agree++;
    a += agree;
    b += agree;
    if (*a == 0 || *b == 0)
        return strlen(a) + strlen(b) == 1;
    bool turned = a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0;
    return turned || strcmp(a + 1, b + 1) == 0 || strcmp(a + 1, b) == 0 || strcmp(a, b + 1) == 0;
}

static int64_t find_misspelt(const weft_ids *ids, int64_t listed, const char *name)
{
    for (int64_t k = 0; k < listed; k++)
        if (is_misspelt(weft_ids_name(ids, k), name))
            return k;
    return -1;
}

static bool is_number(const char *name, int64_t *number)
{
    const char *end = "";
    return weft__parse_index(name, number, &end) && *end == 0;
}

/* Whether the listed ids are exactly first, first + 1, ..., in any order: they
 * are distinct, so that it suffices that each is one of these. */
static bool counts_from(const weft_ids *ids, int64_t listed, int64_t first)
{
    int64_t number = 0;
    for (int64_t k = 0; k < listed; k++)
        if (!is_number(weft_ids_name(ids, k), &number) || number < first || number >= first + listed)
            return false;
    return listed > 0;
}

weft__hint weft__hint_id(const weft_ids *ids, int64_t listed, const char *name)
{
    weft__hint hint = {""};
    int64_t number = -1;
    int64_t blank = find_alike(ids, listed, name, false);
    int64_t alike = blank >= 0 ? blank : find_alike(ids, listed, name, true);
    int64_t misspelt = alike >= 0 ? -1 : find_misspelt(ids, listed, name);
    if (alike >= 0)
        snprintf(hint.text, sizeof hint.text, ": it lists %s, which differs in %s only",
                 weft__shown_briefly(weft_ids_name(ids, alike)).text,
                 blank >= 0 ? "blanks around it" : "upper and lower case");
    else if (misspelt >= 0)
        snprintf(hint.text, sizeof hint.text, ": it lists %s, is that the same?",
                 weft__shown_briefly(weft_ids_name(ids, misspelt)).text);
    else if (!is_number(name, &number))
        return hint;
    else if (number == listed && counts_from(ids, listed, 0))
        snprintf(hint.text, sizeof hint.text, ": its ids count from 0, do these count from 1?");
    else if (number == 0 && counts_from(ids, listed, 1))
        snprintf(hint.text, sizeof hint.text, ": its ids count from 1, do these count from 0?");
    return hint;
}

/* ---- Fields ---- */

weft__hint weft__hint_fields(const weft__text *text)
{
    weft__hint hint = {""};
    static const struct {
        char sign;
        const char *name;
    } others[] = {{';', "semicolons"}, {'|', "vertical bars"}};
    for (int64_t f = 0; f < text->count; f++)
        for (size_t k = 0; k < sizeof others / sizeof *others && hint.text[0] == 0; k++)
            if (strchr(text->fields[f].text, others[k].sign) != NULL)
                snprintf(hint.text, sizeof hint.text,
                         ": the line has %s, but tabs, commas or blanks stand between fields",
                         others[k].name);
    return hint;
}

bool weft__has_commas(const char *cell)
{
    const char *comma = strchr(cell, ',');
    double value = 0;
    char copy[64];
    size_t length = 0;
    if (comma == NULL || strlen(cell) >= sizeof copy)
        return false;
    for (const char *c = cell; *c != 0; c++)
        if (*c != ',')
            copy[length++] = *c;
    copy[length] = 0;
    return comma[1] >= '0' && comma[1] <= '9' && weft__parse_number(copy, &value);
}

weft__hint weft__hint_number(const char *cell)
{
    weft__hint hint = {""};
    if (weft__has_commas(cell))
        snprintf(hint.text, sizeof hint.text, ": numbers have a decimal point and no commas");
    return hint;
}
