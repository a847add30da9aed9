/* SPDX-License-Identifier: MIT
 * weft forget: a model without the evidence of one id. */
#include "fail.h"
#include "interrupt.h"
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_ROW = 256, KEY_COLUMN, KEY_MODEL };

typedef struct forget_options {
    const char *model;
    const char *row, *column; /* one of them */
    const char *out;
    model_place place;
} forget_options;

static const struct argp_option table[] = {
    {"row", KEY_ROW, "ID", 0, "the row to forget; of one set of ids, the id", 2},
    {"column", KEY_COLUMN, "ID", 0, "the column to forget", 2},
    {"model", KEY_MODEL, "OUT", 0, "the model to write; may be MODEL itself", 2},
    {0},
};

static const char documentation[] =
    "Writes a model without the evidence of one id.\v"
    "All counts of the id's pairs are taken out, so that no prediction depends on its labels through them "
    "any more.  Not undone: what they did to later decisions whether to learn from other pairs.  The "
    "counters, and the name of the id, stay.  Training again without the id undoes everything.\n\n"
    "Example:\n"
    "  weft forget votes.weft --row smith --model votes.weft\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 the id is not known, 4 a model that is damaged or does not fit, "
    "1 anything else.";

static void check(struct argp_state *state, const forget_options *options)
{
    if (options->model == NULL)
        argp_error(state, "a MODEL is needed");
    if ((options->row == NULL) == (options->column == NULL))
        argp_error(state, "expected one of --row ID and --column ID");
    if (options->out == NULL)
        argp_error(state, "--model OUT is needed");
}

static error_t take(int key, char *text, struct argp_state *state)
{
    forget_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->place;
        return 0;
    case KEY_ROW:
        options->row = text;
        return 0;
    case KEY_COLUMN:
        options->column = text;
        return 0;
    case KEY_MODEL:
        options->out = text;
        return 0;
    case ARGP_KEY_ARG:
        if (options->model != NULL)
            argp_error(state, "found '%s', expected one MODEL", text);
        options->model = text;
        return 0;
    case ARGP_KEY_END:
        check(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What is to go: pairs, and the sum of their absolute counts. */
typedef struct share {
    int64_t pairs, weight;
} share;

static share measure_share(const weft_model *model, bool row, int64_t id)
{
    share found = {0, 0};
    for (int64_t k = 0; k < weft_learner_evidence_count(model->learner); k++) {
        weft_evidence_entry entry = weft_learner_evidence(model->learner, k);
        bool one_set = model->columns == NULL;
        bool mine = (entry.row == id && (row || one_set)) || (entry.column == id && (!row || one_set));
        found.pairs += mine;
        found.weight += mine ? llabs(entry.count) : 0;
    }
    return found;
}

static void tell(const forget_options *options, share found)
{
    fprintf(stderr,
            "weft: %s '%s': %" PRId64 " pairs with %" PRId64
            " counts were taken out of the evidence; what they did to later decisions whether to learn from "
            "other pairs is not undone, and the counters and the id itself stay\n",
            options->row != NULL ? "row" : "column", options->row != NULL ? options->row : options->column,
            found.pairs, found.weight);
}

static weft_status forget(const forget_options *options, weft_model *model, weft_error *error)
{
    bool row = options->row != NULL;
    const char *name = row ? options->row : options->column;
    weft_status status = WEFT_OK;
    TRY(model_open(options->model, &options->place, NULL, model, error));
    const weft_ids *ids = weft_roster_ids(row ? model->rows : model_columns(model));
    int64_t id = weft_ids_find(ids, name);
    if (id < 0)
        return fail(error, WEFT_UNKNOWN_ID, "--%s: found '%.48s', expected one of the %lld %ss of %s",
                    row ? "row" : "column", name, (long long)weft_ids_count(ids),
                    model->columns == NULL ? "id"
                    : row                  ? "row"
                                           : "column",
                    options->model);
    share found = measure_share(model, row, id);
    TRY(row ? weft_learner_forget_row(model->learner, id, error)
            : weft_learner_forget_column(model->learner, id, error));
    model->disturbed = true;
    TRY(weft_model_write(options->out, model, error));
    tell(options, found);
done:
    return status;
}

int forget_command(int count, char **arguments)
{
    static const struct argp_child children[] = {{&model_place_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {.options = table,
                                       .parser = take,
                                       .args_doc = "MODEL --row ID --model OUT\n"
                                                   "MODEL --column ID --model OUT",
                                       .doc = documentation,
                                       .children = children};
    forget_options options = {0};
    weft_model model = {0};
    weft_error error = {0};
    argp_err_exit_status = 2;
    argp_parse(&parser, count, arguments, 0, NULL, &options);
    interrupt_watch();
    int code = model_finish(&options.place, forget(&options, &model, &error), &error);
    weft_model_close(&model);
    return code;
}
