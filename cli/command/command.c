/* SPDX-License-Identifier: MIT */
#include "cli/command/command.h"

#include "cli/command/usage.h"
#include "weft_advanced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A command line while it is read. */
typedef struct parsing {
    const command_line *line;
    void *options;
    int count;                           /* of all words */
    const option_row *rows[OPTION_MOST]; /* those of shared tables first */
    bool given[OPTION_MOST];
    struct argp_option shown[OPTION_MOST + 1]; /* the same for argp, without arguments; all zero at the end */
    int row_count, shown_count;
    char words[OPTION_MOST][64]; /* the values of options that take words, for --help */
} parsing;

/* ---- Rows ---- */

enum { FIRST_KEY = 256 };

static bool is_option(const option_row *row)
{
    return row->name != NULL && row->name[0] == '-';
}

/* "paper|balanced" */
static const char *join_words(const option_row *row, char *joined, size_t size)
{
    size_t length = 0;
    for (int k = 0; row->words[k] != NULL && (row->most == 0 || k < row->most) && length < size; k++)
        length += (size_t)snprintf(joined + length, size - length, "%s%s", k == 0 ? "" : "|", row->words[k]);
    return joined;
}

static void add_row(parsing *now, const option_row *row, int group)
{
    int k = now->row_count++;
    if (k >= OPTION_MOST)
        abort();
    now->rows[k] = row;
    if (row->type != OPTION_HEADING && !is_option(row))
        return;
    bool worded = row->argument == NULL && row->words != NULL;
    now->shown[now->shown_count++] = (struct argp_option){
        .name = row->name != NULL ? row->name + 2 : NULL,
        .key = row->name == NULL  ? 0
               : row->letter != 0 ? row->letter
                                  : FIRST_KEY + k,
        .arg = worded ? join_words(row, now->words[k], sizeof now->words[k]) : row->argument,
        .doc = row->help,
        .group = group,
    };
}

static void add_table(parsing *now, const option_table *table)
{
    int group = table->group;
    if (table->next != NULL)
        add_table(now, table->next);
    for (const option_row *row = table->rows; row != NULL && row->type != OPTION_END; row++) {
        group += row->type == OPTION_HEADING && row != table->rows;
        add_row(now, row, group);
    }
}

/* The row of a name of so many letters.  A list that has another is a mistake of this program. */
static int find_row(const parsing *now, const char *name, size_t length)
{
    for (int k = 0; k < now->row_count; k++) {
        const char *found = now->rows[k]->name;
        if (found != NULL && strncmp(found, name, length) == 0 && found[length] == 0)
            return k;
    }
    fprintf(stderr, "weft: a table names %.*s, which is no option\n", (int)length, name);
    abort();
}

/* ---- What was given ---- */

/* Whether the option was given and implies the name of so many letters. */
static bool implies(const parsing *now, int k, const char *name, size_t length)
{
    const char *list = now->given[k] ? now->rows[k]->implies : NULL;
    while (list != NULL && *list != 0) {
        size_t word = strcspn(list, " ");
        if (word == length && strncmp(list, name, length) == 0)
            return true;
        list += word + strspn(list + word, " ");
    }
    return false;
}

static const char *first_implying(const parsing *now, const char *name, size_t length)
{
    for (int k = 0; k < now->row_count; k++)
        if (implies(now, k, name, length))
            return now->rows[k]->name;
    return NULL;
}

/* The first of the list that was given or, where `implied` is asked for, implied; else NULL. */
static const char *first_given(const parsing *now, const char *list, bool implied)
{
    const char *first = NULL;
    while (list != NULL && *list != 0) {
        size_t length = strcspn(list, " ");
        bool any = *list == '>';
        int k = find_row(now, list + any, length - any);
        const char *found = !any && now->given[k] ? now->rows[k]->name : NULL;
        if (any || (implied && found == NULL))
            found = first_implying(now, now->rows[k]->name, length - any);
        first = first != NULL ? first : found;
        list += length + strspn(list + length, " ");
    }
    return first;
}

bool command_given(const struct argp_state *state, const char *name)
{
    const parsing *now = state->input;
    return now->given[find_row(now, name, strlen(name))];
}

const char *command_implying(const struct argp_state *state, const char *name)
{
    return first_implying(state->input, name, strlen(name));
}

static void check_rules(struct argp_state *state, const option_rule *rules)
{
    const parsing *now = state->input;
    for (const option_rule *rule = rules; rule != NULL && rule->message != NULL; rule++) {
        const char *when = first_given(now, rule->when, false), *with = first_given(now, rule->with, false);
        bool lacks = first_given(now, rule->without, true) == NULL;
        if ((rule->when == NULL || when != NULL) && (rule->with == NULL || with != NULL) && lacks)
            argp_error(state, rule->message, when, with);
    }
}

static void check_all(struct argp_state *state)
{
    const parsing *now = state->input;
    const command_line *line = now->line;
    for (int k = 0; k < now->row_count; k++)
        first_given(now, now->rows[k]->implies, false); /* there are all that it names */
    for (const option_table *table = line->table->next; table != NULL; table = table->next)
        check_rules(state, table->rules);
    check_rules(state, line->table->rules);
    if (line->check != NULL)
        line->check(state, now->options);
}

/* ---- The command line ---- */

static void take_row(struct argp_state *state, int k, const char *text)
{
    parsing *now = state->input;
    now->given[k] = true;
    option_take(state, now->rows[k], text, now->count, now->options);
}

static void take_argument(struct argp_state *state, const char *text)
{
    parsing *now = state->input;
    for (int k = 0; k < now->row_count; k++) {
        const option_row *row = now->rows[k];
        bool room = !now->given[k] || row->type == OPTION_TEXTS;
        if (row->type != OPTION_HEADING && !is_option(row) && room) {
            take_row(state, k, text);
            return;
        }
    }
    argp_error(state, "found '%s', expected %s", weft_show(text).text, now->line->expected);
}

static error_t take(int key, char *text, struct argp_state *state)
{
    const parsing *now = state->input;
    if (key == ARGP_KEY_ARG) {
        take_argument(state, text);
        return 0;
    }
    if (key == ARGP_KEY_END) {
        check_all(state);
        return 0;
    }
    for (int k = 0; k < now->row_count; k++)
        if (is_option(now->rows[k]) && (key == FIRST_KEY + k || (key > 0 && key == now->rows[k]->letter))) {
            take_row(state, k, text);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

void command_parse(const command_line *line, int count, char **arguments, void *options)
{
    parsing now = {.line = line, .options = options, .count = count};
    add_table(&now, line->table);
    const struct argp parser = {.options = now.shown,
                                .parser = take,
                                .args_doc = line->arguments,
                                .doc = line->documentation,
                                .help_filter = line->filter_help};
    usage_parse(&parser, count, arguments, &now);
}

void command_free(const command_line *line, void *options)
{
    for (const option_table *table = line->table; table != NULL; table = table->next)
        for (const option_row *row = table->rows; row != NULL && row->type != OPTION_END; row++) {
            void **taken = (void *)((char *)options + row->to);
            if (row->type != OPTION_TEXTS && row->type != OPTION_SPECS)
                continue;
            free(*taken);
            *taken = NULL;
        }
}

/* ---- Files ---- */

static void name_file(const option_row *row, const char *path, paths_list *files)
{
    switch (row->file) {
    case FILE_READ:
        paths_read(files, row->name, path);
        break;
    case FILE_WRITTEN:
    case FILE_PICTURE:
        paths_write(files, row->name, path);
        break;
    case FILE_MODEL_READ:
        paths_read_model(files, row->name, path);
        break;
    case FILE_MODEL_WRITTEN:
        paths_write_model(files, row->name, path);
        break;
    case FILE_OF_SPEC:
        paths_read_spec(files, row->name, path);
        break;
    default:
        break;
    }
}

static void name_table(const option_table *table, const void *options, paths_list *files)
{
    if (table->next != NULL)
        name_table(table->next, options, files);
    for (const option_row *row = table->rows; row != NULL && row->type != OPTION_END; row++) {
        const void *place = (const char *)options + row->to, *second = (const char *)options + row->second;
        if (row->type == OPTION_TEXT || row->type == OPTION_SPECS)
            name_file(row, *(const char *const *)place, files);
        for (int64_t k = 0; row->type == OPTION_TEXTS && k < *(const int64_t *)second; k++)
            name_file(row, (*(const char *const *const *)place)[k], files);
    }
}

void command_name_files(const command_line *line, const void *options, paths_list *files)
{
    name_table(line->table, options, files);
    if (line->name_files != NULL)
        line->name_files(options, files);
}

weft_status command_check_files(const command_line *line, const void *options, weft_error *error)
{
    paths_list files = {0};
    command_name_files(line, options, &files);
    weft_status status = paths_check(&files, error);
    paths_free(&files);
    return status;
}
