/* SPDX-License-Identifier: MIT
 * weft evidence: what a model was told, as CSV, out and in. */
#include "cli/model/model.h"
#include "cli/report/committee.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct evidence_options {
    model_place place;
    const char *out;     /* NULL: standard output */
    const char *import;  /* NULL: export */
    const char *written; /* the model of an import */
} evidence_options;

static const char import_needs[] = "--import FILE and --model OUT belong together";

static const option_row option_rows[] = {
    {"--import", "FILE", "add the counts of FILE to those of MODEL; - is standard input",
     TAKES_FILE(evidence_options, import, FILE_READ)},
    {"--out", "OUT.csv", "export there instead of to standard output",
     TAKES_FILE(evidence_options, out, FILE_WRITTEN)},
    {"--model", "OUT", "the model that --import writes; may be MODEL itself",
     TAKES_FILE(evidence_options, written, FILE_MODEL_WRITTEN)},
    {0},
};

static const option_rule rules[] = {
    MODEL_NEEDED,
    NEEDS("--import", "--model", import_needs),
    NEEDS("--model", "--import", import_needs),
    CLASH("--import", "--out", "--out is for an export, --import writes --model"),
    NEEDS("--rows --columns --both", "--import",
          "an export does not read side information: leave out --rows, --columns and --both"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Writes the evidence of a model as CSV, or adds evidence to it.\v"
    "The evidence is row,column,count: for every pair that was ever learnt the labels +1 less the labels -1 "
    "that were learnt, in order of first learning.  It is all that a model knows beside side information.  "
    "An import adds counts, as if they had been learnt; the counters do not change.  Of a committee the "
    "evidence of the learner awake with the largest share is written, or where all rest of the one that "
    "stood "
    "best, and its name told; there is no import.\n\n"
    "Examples:\n"
    "  weft evidence votes.weft --out evidence.csv\n"
    "  weft evidence votes.weft --import evidence.csv --model twice.weft\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 a model that is damaged or does not fit, 130 "
    "interrupted, 1 anything else.";

/* ---- Out ---- */

/* Of a committee that of the learner that leads, which is told. */
static weft_status tell_leader(const char *path, const weft_player *committee, weft_error *error)
{
    int64_t leader = committee_leader(committee);
    if (leader < 0)
        return fail(error, WEFT_ARGUMENT, "%s: the committee has only rivals: there is no evidence to export",
                    path);
    weft_standing standing = weft_committee_standing(committee, leader);
    fprintf(stderr, "weft: the evidence of one member, '%s', which %s", standing.name,
            standing.is_awake ? "has the largest share" : "rests, and stood best");
    if (!standing.is_awake)
        fprintf(stderr, " until trial %" PRId64 "\n", standing.since);
    else
        fprintf(stderr, ", %.4f\n", standing.coefficient);
    return WEFT_OK;
}

static void write_entries(const weft_model *model, FILE *out)
{
    const weft_ids *rows = weft_roster_ids(model->rows);
    const weft_ids *columns = weft_roster_ids(model_columns(model));
    fputs("row,column,count\n", out);
    for (int64_t k = 0; k < weft_player_evidence_count(model->player); k++) {
        weft_evidence_entry entry = weft_player_evidence(model->player, k);
        output_id(out, weft_ids_name(rows, entry.row));
        putc(',', out);
        output_id(out, weft_ids_name(columns, entry.column));
        fprintf(out, ",%" PRId64 "\n", entry.count);
    }
}

static weft_status export_evidence(const evidence_options *options, weft_model *model, weft_error *error)
{
    output *out = NULL;
    weft_status status = WEFT_OK;
    TRY(model_look(options->place.model, &options->place, model, error));
    TRY(model_need_pairs(options->place.model, model, "an export", error));
    if (weft_player_kind(model->player) == WEFT_COMMITTEE)
        TRY(tell_leader(options->place.model, model->player, error));
    TRY(output_open(options->out != NULL ? options->out : "-", &out, error));
    write_entries(model, output_stream(out));
    TRY(output_commit(out, error));
done:
    output_free(out);
    return status;
}

/* ---- In ---- */

typedef struct entry_list {
    weft_evidence_entry *items;
    int64_t count, capacity;
} entry_list;

static weft_status read_entries(const evidence_options *options, const weft_model *model, entry_list *list,
                                weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    weft_file_options files = limits_files(&options->place.limits, 0);
    TRY(weft_stream_open_as(WEFT_COUNTS, &options->import, 1, &files, &stream, error));
    for (;;) {
        int64_t pair[2] = {0, 0};
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        TRY(model_admit(model, &event, pair, error));
        list->items = new_room(list->items, list->count, &list->capacity, sizeof *list->items);
        list->items[list->count++] = (weft_evidence_entry){pair[0], pair[1], event.count};
    }
done:
    weft_stream_free(stream);
    return status;
}

/* A sum that is too large is told with the names of its pair. */
static weft_status add_entries(const weft_model *model, const char *path, const entry_list *list,
                               weft_error *error)
{
    weft_status status = weft_player_add_evidence(model->player, list->items, list->count, error);
    if (status != WEFT_ARGUMENT || error->at[0] < 0 || error->at[1] < 0)
        return status;
    return fail(error, WEFT_INPUT,
                "%s: found counts of '%.48s' and '%.48s' whose sum with those of the model is beyond 2^53",
                path, weft_ids_name(weft_roster_ids(model->rows), error->at[0]),
                weft_ids_name(weft_roster_ids(model_columns(model)), error->at[1]));
}

static weft_status import_evidence(const evidence_options *options, weft_model *model, weft_error *error)
{
    entry_list list = {0};
    weft_status status = WEFT_OK;
    TRY(model_open(options->place.model, &options->place, NULL, model, error));
    TRY(model_need_pairs(options->place.model, model, "an import", error));
    if (weft_player_kind(model->player) == WEFT_COMMITTEE)
        return fail(error, WEFT_ARGUMENT,
                    "%s: --import adds evidence to one learner, but this is a committee's model, with many",
                    options->place.model);
    int64_t before = weft_player_evidence_count(model->player);
    TRY(read_entries(options, model, &list, error));
    TRY(add_entries(model, options->import, &list, error));
    TRY(weft_model_write(options->written, model, error));
    fprintf(stderr,
            "weft: %" PRId64 " counts were added: %" PRId64 " pairs of evidence, %" PRId64
            " of them new; no bound holds for this model any more\n",
            list.count, weft_player_evidence_count(model->player),
            weft_player_evidence_count(model->player) - before);
done:
    free(list.items);
    return status;
}

static weft_status work(model_place *place, weft_error *error)
{
    const evidence_options *options = (const evidence_options *)place;
    weft_model model = {0};
    weft_status status = options->import != NULL ? import_evidence(options, &model, error)
                                                 : export_evidence(options, &model, error);
    weft_model_close(&model);
    return status;
}

int evidence_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "MODEL\n"
                                                   "MODEL --import FILE --model OUT",
                                      .documentation = documentation,
                                      .expected = "one MODEL"};
    evidence_options options = {0};
    return model_run(&line, work, count, arguments, &options.place);
}
