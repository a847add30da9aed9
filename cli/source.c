/* SPDX-License-Identifier: MIT */
#include "source.h"

#include "program/fail.h"

#include <stdlib.h>

enum { KEY_ROWS = 1024, KEY_COLUMNS, KEY_BOTH };

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What is known:", 1},
    {"rows", KEY_ROWS, "SPEC", 0, "side information of the rows", 0},
    {"columns", KEY_COLUMNS, "SPEC", 0, "side information of the columns", 0},
    {"both", KEY_BOTH, "SPEC", 0, "rows and columns are one set of ids; +1 means that two belong together",
     0},
    {0},
};

static void check(struct argp_state *state, const source_options *source)
{
    bool one_lacks = source->rows == NULL || source->columns == NULL;
    if (source->stream_count == 0 && !source->streamless)
        argp_error(state, "a STREAM is needed");
    if (source->stream_count > 0 && source->streamless)
        argp_error(state, "found '%s', expected options only", weft_show(source->streams[0]).text);
    if (source->both != NULL && (source->rows != NULL || source->columns != NULL))
        argp_error(state, "--both stands in place of --rows and --columns");
    if (source->both == NULL && one_lacks && !source->known)
        argp_error(state, "--rows SPEC and --columns SPEC, or --both SPEC, are needed (SPEC may be none)");
}

static error_t take(int key, char *text, struct argp_state *state)
{
    source_options *source = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &source->limits;
        return 0;
    case KEY_ROWS:
        source->rows = text;
        return 0;
    case KEY_COLUMNS:
        source->columns = text;
        return 0;
    case KEY_BOTH:
        source->both = text;
        return 0;
    case ARGP_KEY_ARG:
        source->streams[source->stream_count++] = text;
        return 0;
    case ARGP_KEY_END:
        check(state, source);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void source_parse(const command_line *line, int count, char **arguments, source_options *source)
{
    static const struct argp_child children[] = {{&limits_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {.options = table, .parser = take, .children = children};
    source->streams = calloc((size_t)count, sizeof *source->streams);
    if (source->streams == NULL)
        exit(1);
    command_parse(line, &parser, count, arguments, source);
}

void source_free(source_options *source)
{
    free(source->streams);
    source->streams = NULL;
}

void source_name_files(const source_options *source, paths_list *files)
{
    for (int64_t k = 0; k < source->stream_count; k++)
        paths_read(files, "STREAM", source->streams[k]);
    paths_read_spec(files, "--rows", source->rows);
    paths_read_spec(files, "--columns", source->columns);
    paths_read_spec(files, "--both", source->both);
}

static weft_status open_roster(const char *option, const char *spec, const weft_file_options *files,
                               weft_roster **roster, weft_error *error)
{
    weft_status status = weft_roster_open(spec, files, roster, error);
    if (status != WEFT_ARGUMENT)
        return status;
    weft_error inner = *error;
    return fail(error, status, "%s %.200s: %.250s", option, spec, inner.message);
}

weft_status source_open_rosters(const source_options *source, const source_needs *needs, weft_roster **rows,
                                weft_roster **columns, weft_error *error)
{
    weft_file_options files = limits_files(&source->limits, needs->row_capacity);
    files.keep = needs->keep;
    files.views = needs->views;
    if (source->both != NULL)
        return open_roster("--both", source->both, &files, rows, error);
    weft_status status = open_roster("--rows", source->rows, &files, rows, error);
    if (status != WEFT_OK)
        return status;
    files.id_limit = limits_files(&source->limits, needs->column_capacity).id_limit;
    return open_roster("--columns", source->columns, &files, columns, error);
}

weft_status source_check_size(int64_t ids, weft_error *error)
{
    if (ids >= 3)
        return WEFT_OK;
    return fail(error, WEFT_INPUT, "found %lld ids, expected at least 3 (--capacity leaves room for more)",
                (long long)ids);
}
