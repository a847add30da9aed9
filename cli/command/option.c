/* SPDX-License-Identifier: MIT */
#include "cli/command/option.h"

#include "cli/command/parse.h"
#include "figure/figure.h"
#include "weft_advanced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_text(struct argp_state *state, const option_row *row, const char *text)
{
    if (row->file == FILE_PICTURE && !figure_kind_known(text))
        argp_error(state, "%s: found '%s', expected a name that ends in .svg or .png", row->name,
                   weft_show(text).text);
    if (row->file == FILE_FOLDER && *text == 0)
        argp_error(state, "%s: found '', expected a directory", row->name);
    if (row->type == OPTION_SPECS && *text == 0)
        argp_error(state, "%s: found '', expected side information such as table:FILE, or none", row->name);
}

static void add_text(struct argp_state *state, const char *text, int most, const char ***texts,
                     int64_t *count)
{
    if (*texts == NULL)
        *texts = calloc((size_t)most, sizeof **texts);
    if (*texts == NULL)
        argp_failure(state, 1, 0, "out of memory");
    else
        (*texts)[(*count)++] = text;
}

/* Behind those that were given before. */
static void add_spec(struct argp_state *state, const char *spec, char **specs)
{
    size_t before = *specs != NULL ? strlen(*specs) : 0, size = before + strlen(spec) + sizeof ",+";
    char *joined = malloc(size);
    if (joined == NULL) {
        argp_failure(state, 1, 0, "out of memory");
        return;
    }
    snprintf(joined, size, "%s%s%s", before > 0 ? *specs : "", before > 0 ? ",+" : "", spec);
    free(*specs);
    *specs = joined;
}

static double parse_number(struct argp_state *state, const option_row *row, const char *text)
{
    if (strcmp(text, "none") == 0 && strstr(row->argument, "|none") != NULL)
        return 0;
    return row->type == OPTION_POSITIVE ? parse_positive(state, row->name, text, row->least, row->most)
                                        : parse_within(state, row->name, text, row->least, row->most);
}

static void take_count(struct argp_state *state, const option_row *row, const char *text, void *place)
{
    int64_t count = parse_count(state, row->name, text, (int64_t)row->least, (int64_t)row->most);
    if (row->size == sizeof(int))
        *(int *)place = (int)count;
    else
        *(int64_t *)place = count;
}

void option_take(struct argp_state *state, const option_row *row, const char *text, int most, void *options)
{
    void *place = (char *)options + row->to, *second = (char *)options + row->second;
    if (row->given > 0)
        *(bool *)((char *)options + row->given) = true;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)place = true;
        break;
    case OPTION_TEXT:
        check_text(state, row, text);
        *(const char **)place = text;
        break;
    case OPTION_TEXTS:
        check_text(state, row, text);
        add_text(state, text, most, place, second);
        break;
    case OPTION_SPECS:
        check_text(state, row, text);
        add_spec(state, text, place);
        break;
    case OPTION_COUNT:
        take_count(state, row, text, place);
        break;
    case OPTION_SIZE:
        *(int64_t *)place = parse_size(state, row->name, text, (int64_t)row->least);
        break;
    case OPTION_POSITIVE:
    case OPTION_WITHIN:
        *(double *)place = parse_number(state, row, text);
        break;
    case OPTION_WORD:
        *(int *)place = parse_word(state, row->name, text, row->words, (int)row->most);
        break;
    case OPTION_CAPACITY:
        parse_capacity(state, row->name, text, place, second);
        break;
    case OPTION_OTHER:
        row->set(state, row, text, options);
        break;
    default: /* no row that can be given */
        break;
    }
}
