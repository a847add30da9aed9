/* SPDX-License-Identifier: MIT */
#include "cli/input/source.h"

#include "program/fail.h"
#include "weft_files.h"

#include <string.h>

static const char sides_needed[] =
    "--rows SPEC and --columns SPEC, or --both SPEC, are needed (SPEC may be none)";

static const option_row side_rows[] = {
    HEADING("What is known:"),
    {"--rows", "SPEC", "side information of the rows; several kinds of it: the option several times",
     TAKES_SPECS(source_options, rows)},
    {"--columns", "SPEC", "the same of the columns", TAKES_SPECS(source_options, columns)},
    {"--both", "SPEC",
     "the same where rows and columns are one set of ids; +1 means that two belong together",
     TAKES_SPECS(source_options, both), .implies = "--rows --columns"},
    {0},
};

static const option_rule side_rules[] = {
    CLASH("--both", "--rows --columns", "--both stands in place of --rows and --columns"),
    NEEDED("--rows", sides_needed),
    NEEDED("--columns", sides_needed),
    {0},
};

const option_table sides_table = {side_rows, side_rules, .group = 1, .next = &limits_table};

static const option_row stream_rows[] = {
    {"STREAM", NULL, NULL, TAKES_FILES(source_options, streams, stream_count, FILE_READ)},
    HEADING("What the fields of a stream are called, where that is not clear, and what its labels say:"),
    {"--row", "NAME", "the field of the row, in the header or in JSON lines",
     TAKES_TEXT(source_options, how.fields[WEFT_FIELD_ROW])},
    {"--column", "NAME", "the field of the column",
     TAKES_TEXT(source_options, how.fields[WEFT_FIELD_COLUMN])},
    {"--label", "NAME", "the field of the label", TAKES_TEXT(source_options, how.fields[WEFT_FIELD_THIRD])},
    {"--time", "NAME",
     "the field of the time, a number or a date of ISO 8601: an event before the one of the line above is an "
     "error",
     TAKES_TEXT(source_options, how.fields[WEFT_FIELD_TIME])},
    {"--id", "NAME", "the field of an id of the event, by which its label is told later",
     TAKES_TEXT(source_options, how.fields[WEFT_FIELD_ID])},
    {"--context", "NAME,NAME,...",
     "fields that say something about the event alone, such as the device or the hour: words, of which a "
     "committee makes use (8 at most)",
     TAKES_CONTEXT(source_options, context)},
    {"--positive", "WORD", "labels are two words, of which this one is +1",
     TAKES_TEXT(source_options, how.positive)},
    {"--threshold", "X", "labels are numbers, of which those from X on are +1",
     TAKES_WITHIN(source_options, how.threshold, -1e300, 1e300), MARKS_GIVEN(source_options, how.rated)},
    {0},
};

static const option_rule stream_rules[] = {
    NEEDED("STREAM", "a STREAM is needed"),
    CLASH("--positive", "--threshold", "--positive is for labels that are words, --threshold for numbers"),
    {0},
};

const option_table stream_table = {stream_rows, stream_rules, .group = 4, .next = &sides_table};

/* Side information where the name of a field is expected: --row for --rows. */
static weft_status check_names(const source_options *source, weft_error *error)
{
    static const char *const kinds[] = {"classes:", "graph:", "kernel:", "matrix:", "features:", "table:"};
    for (int k = WEFT_FIELD_ROW; k <= WEFT_FIELD_COLUMN; k++)
        for (size_t j = 0; source->how.fields[k] != NULL && j < sizeof kinds / sizeof *kinds; j++)
            if (strncmp(source->how.fields[k], kinds[j], strlen(kinds[j])) == 0)
                return fail(error, WEFT_ARGUMENT,
                            "--%s %.200s: found side information, expected the name of a field (%s takes it)",
                            k == WEFT_FIELD_ROW ? "row" : "column", source->how.fields[k],
                            k == WEFT_FIELD_ROW ? "--rows" : "--columns");
    return WEFT_OK;
}

weft_status source_open_stream(const source_options *source, weft_stream **stream, weft_error *error)
{
    weft_file_options files = limits_files(&source->limits, 0);
    weft_status status = WEFT_OK;
    weft_stream *made = NULL;
    TRY(check_names(source, error));
    TRY(weft_stream_open_with(&source->how, source->streams, source->stream_count, &files, &made, error));
    TRY(weft_stream_set_context(made, &source->context, error));
    *stream = made;
    made = NULL;
done:
    weft_stream_free(made);
    return status;
}

weft_status source_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error)
{
    static const char first_line[] =
        "say --row NAME --column NAME --label NAME where it is a header, --positive "
        "WORD or --threshold X where labels are other words or numbers";
    static const char *const typed[] = {
        [WEFT_NEEDS_NOTHING] = NULL,
        [WEFT_NEEDS_FIELDS] = "say --row NAME --column NAME --label NAME",
        [WEFT_NEEDS_LABELS] = first_line,
        [WEFT_NEEDS_POSITIVE] = "if these are words for labels, say --positive WORD",
        [WEFT_NEEDS_THRESHOLD] = "if these are ratings, say --threshold X",
        [WEFT_NEEDS_NO_ORDER] = "sort them, or leave out --time",
        [WEFT_NEEDS_LABEL] =
            "say --label NAME; where every line is a yes, weft run --negatives 4 needs no label",
    };
    weft_status status = weft_stream_next(stream, event, more, error);
    const char *advice = status == WEFT_OK ? NULL : typed[weft_stream_report(stream).need];
    if (advice == NULL)
        return status;
    weft_error inner = *error;
    return fail(error, status, "%s (%s)", inner.message, advice);
}

static weft_status open_roster(const char *option, const char *spec, const weft_file_options *files,
                               weft_roster **roster, weft_error *error)
{
    weft_status status = weft_roster_open(spec, files, roster, error);
    if (status != WEFT_ARGUMENT && status != WEFT_FILE)
        return status;
    weft_error inner = *error;
    if (status == WEFT_FILE)
        return fail(error, status, "%s (%s)", inner.message, option);
    return fail(error, status, "%s %.200s: %.250s", option, spec, inner.message);
}

weft_status source_open_rosters(const source_options *source, const source_needs *needs, weft_roster **rows,
                                weft_roster **columns, weft_error *error)
{
    weft_file_options files = limits_files(&source->limits, needs->row_capacity);
    weft_roster_options how = limits_roster(&source->limits);
    how.keep = needs->keep;
    how.views = needs->views;
    files.roster = &how;
    if (source->both != NULL)
        return open_roster("--both", source->both, &files, rows, error);
    weft_status status = open_roster("--rows", source->rows, &files, rows, error);
    if (status != WEFT_OK)
        return status;
    files.id_limit = limits_files(&source->limits, needs->column_capacity).id_limit;
    return open_roster("--columns", source->columns, &files, columns, error);
}

bool source_is_blank(const weft_side *side)
{
    return strcmp(weft_side_kind(side), "none") == 0 || weft_side_graph(side).no_kernel;
}

weft_status source_check_size(int64_t ids, weft_error *error)
{
    if (ids >= 3)
        return WEFT_OK;
    return fail(error, WEFT_INPUT, "found %lld ids, expected at least 3 (--capacity leaves room for more)",
                (long long)ids);
}

/* The first id of a file that the other side has; NULL: none. */
static const char *find_elsewhere(const weft_roster *roster, const weft_roster *other)
{
    for (int64_t k = 0; k < weft_roster_report(roster).listed; k++) {
        const char *name = weft_ids_name(weft_roster_ids(roster), k);
        if (weft_ids_find(weft_roster_ids(other), name) >= 0)
            return name;
    }
    return NULL;
}

static weft_status check_part_met(const char *option, const weft_roster *part, const weft_roster *other,
                                  weft_error *error)
{
    weft_roster_facts facts = weft_roster_report(part);
    const char *listed = facts.listed > 0 && facts.met == 0 ? find_elsewhere(part, other) : NULL;
    const char *found = weft_ids_name(weft_roster_ids(part), facts.listed);
    if (listed == NULL)
        return WEFT_OK;
    if (found == NULL)
        return fail(error, WEFT_INPUT,
                    "%s %.200s: lists none of the ids of the stream, but such as %.60s, which the other side "
                    "has: are rows and columns swapped?",
                    option, weft_roster_spec(part), weft_show(listed).text);
    return fail(
        error, WEFT_INPUT,
        "%s %.200s: lists none of the ids of the stream: found %.60s, expected such as %.60s, which the "
        "other side has: are rows and columns swapped?",
        option, weft_roster_spec(part), weft_show(found).text, weft_show(listed).text);
}

/* Side information that lists none of the ids of the stream is that of the other side, where that has them;
 * else it may speak of ids that are still to come.  Of several kinds each is asked for itself. */
static weft_status check_met(const char *option, const weft_roster *whole, const weft_roster *other,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; other != NULL && k < weft_roster_part_count(whole) && status == WEFT_OK; k++)
        status = check_part_met(option, weft_roster_part(whole, k), other, error);
    return status;
}

weft_status source_check_met(const weft_roster *rows, const weft_roster *columns, weft_error *error)
{
    weft_status status = check_met(columns == NULL ? "--both" : "--rows", rows, columns, error);
    if (status == WEFT_OK && columns != NULL)
        status = check_met("--columns", columns, rows, error);
    return status;
}
