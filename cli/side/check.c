/* SPDX-License-Identifier: MIT
 * weft check: reads everything that a run would read, learns nothing, and says
 * what was found. */
#include "cli/command/commands.h"
#include "cli/command/long_call.h"
#include "cli/input/engine.h"
#include "cli/input/memory.h"
#include "cli/side/findings.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_row option_rows[] = {
    HEADING("What to write:"),
    {"--json", NULL, "what was found as one JSON object on standard output", TAKES_FLAG(check_options, json)},
    {0},
};

static const option_table table = {option_rows, NULL, .group = 2, .next = &stream_table};

static const char documentation[] =
    "Reads a stream and its side information as weft run would, learns nothing, and says on standard output "
    "what was found: ids, labels, repeated pairs, ids without side information, radius, eigenvalues, "
    "components.\v"
    "SPEC is what weft run takes (weft run --help).\n\n"
    "Example:\n"
    "  weft check votes.csv --rows kernel:alike.mtx,ids=names.txt --columns none\n\n"
    "Exit status: 0 all is well, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static const command_line line = {.table = &table,
                                  .arguments = "STREAM... --rows SPEC --columns SPEC\n"
                                               "STREAM... --both SPEC",
                                  .documentation = documentation};

/* ---- Reading ---- */

static weft_status open_files(const check_options *options, findings *found, weft_error *error)
{
    const source_options *from = &options->from;
    static const source_needs needs = {.views = true}; /* as weft run has it */
    weft_status status = source_open_stream(from, &found->stream, error);
    return status != WEFT_OK ? status
                             : source_open_rosters(from, &needs, &found->rows, &found->columns, error);
}

static void keep_pair(findings *found, const int64_t pair[2], int label)
{
    found->pairs = new_room(found->pairs, found->lines, &found->capacity, sizeof *found->pairs);
    /* Of one set of ids (i, j) and (j, i) are one pair. */
    bool turn = found->columns == NULL && pair[0] > pair[1];
    found->pairs[found->lines++] = (told_pair){pair[turn], pair[!turn], label};
    found->labels[label + 1]++;
}

static weft_status read_stream(findings *found, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t pair[2] = {0, 0};
    for (;;) {
        TRY(source_next(found->stream, &event, &more, error));
        if (!more)
            break;
        TRY(weft_roster_admit_pair(found->rows, found->columns, &event, pair, error));
        keep_pair(found, pair, event.label);
    }
done:
    return status;
}

/* What weft run would refuse before its first trial. */
static weft_status check_size(const check_options *options, const findings *found, weft_error *error)
{
    int64_t size = findings_ids(found->rows);
    if (found->columns != NULL)
        size += findings_ids(found->columns);
    if (found->lines == 0)
        return fail(error, WEFT_INPUT, "%s: found no lines, expected row, column, label",
                    options->from.streams[0]);
    return source_check_size(size, error);
}

static weft_status check(const check_options *options, findings *found, weft_error *error)
{
    engine_choice engine = {0};
    weft_status status = WEFT_OK;
    TRY(command_check_files(&line, options, error));
    TRY(open_files(options, found, error));
    TRY(engine_choose(&engine, found->rows, found->columns, error));
    TRY(read_stream(found, error));
    TRY(memory_announce(&(memory_plan){.limits = &options->from.limits,
                                       .rows = found->rows,
                                       .columns = found->columns,
                                       .player = {.trials = found->lines},
                                       .quiet = options->json},
                        error));
    TRY(weft_roster_build(found->rows, error));
    if (found->columns != NULL)
        TRY(weft_roster_build(found->columns, error));
    TRY(engine_check(&engine, found->rows, found->columns, error));
    TRY(check_size(options, found, error));
    TRY(findings_count(found, error));
    long_call_clear();
    TRY(options->json ? findings_json(options, found, error) : findings_tell(options, found, error));
done:
    return status;
}

int check_command(int count, char **arguments)
{
    check_options options = {0};
    findings found = {0};
    weft_error error = {0};
    command_parse(&line, count, arguments, &options);
    long_call_watch(!options.json);
    int code = limits_finish(&options.from.limits, check(&options, &found, &error), MORE_IDS, &error);
    findings_free(&found);
    command_free(&line, &options);
    return code;
}
