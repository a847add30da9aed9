/* SPDX-License-Identifier: MIT
 * weft forget: a model without the evidence of one id. */
#include "cli/model/model.h"
#include "program/fail.h"
#include "program/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct forget_options {
    model_place place;
    const char *row, *column; /* one of them */
    const char *out;
} forget_options;

static const char one_needed[] = "expected one of --row ID and --column ID";

static const option_row option_rows[] = {
    {"--row", "ID", "the row to forget; of one set of ids, the id", TAKES_TEXT(forget_options, row)},
    {"--column", "ID", "the column to forget", TAKES_TEXT(forget_options, column)},
    {"--model", "OUT", "the model to write; may be MODEL itself",
     TAKES_FILE(forget_options, out, FILE_MODEL_WRITTEN)},
    {0},
};

static const option_rule rules[] = {
    MODEL_NEEDED,
    CLASH("--row", "--column", one_needed),
    NEEDED("--row --column", one_needed),
    NEEDED("--model", "--model OUT is needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Writes a model without the evidence of one id.\v"
    "All counts of the id's pairs are taken out, so that no prediction depends on its labels through them "
    "any more.  Not undone: what they did to later decisions whether to learn from other pairs.  The "
    "counters and the id itself stay.  Training again without the id undoes everything.  In a committee all "
    "learners forget; rivals, whose weights cannot be taken apart, start anew, and learn the last labels "
    "again "
    "that the model keeps (16384 at most), but for those of the id; standings stay.\n\n"
    "Example:\n"
    "  weft forget votes.weft --row smith --model votes.weft\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 the id is not known, 4 a model that is damaged or does not fit, "
    "130 interrupted, 1 anything else.";

/* What is to go: pairs, and the sum of their absolute counts, of all learners. */
typedef struct share {
    int64_t pairs, weight;
    int64_t learners, rivals;
} share;

static void add_share(const weft_player *learner, const bool side[2], int64_t id, share *found)
{
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        bool mine = (side[0] && entry.row == id) || (side[1] && entry.column == id);
        found->pairs += mine;
        found->weight += mine ? llabs(entry.count) : 0;
    }
}

/* The members that have played; of one learner itself. */
static share measure_share(const weft_model *model, bool row, int64_t id)
{
    bool one_set = model->columns == NULL;
    const bool side[2] = {row || one_set, !row || one_set};
    share found = {0, 0, 0, 0};
    for (int64_t k = 0; k < weft_player_member_count(model->player); k++) {
        const weft_player *member = weft_player_member(model->player, k);
        bool learner = weft_player_kind(member) == WEFT_LEARNER;
        if (weft_committee_standing(model->player, k).in_reserve)
            continue;
        found.learners += learner;
        found.rivals += !learner;
        add_share(member, side, id, &found);
    }
    return found;
}

static void tell(const forget_options *options, bool committee, share found)
{
    char whose[160] = "";
    if (committee)
        snprintf(whose, sizeof whose,
                 " of %" PRId64 " learners, and %" PRId64 " rivals start anew from the labels "
                 "that are kept (16384 at most)",
                 found.learners, found.rivals);
    fprintf(
        stderr,
        "weft: %s '%s': %" PRId64 " pair%s with %" PRId64
        " count%s were taken out of the evidence%s; what they did to later decisions whether to learn from "
        "other pairs is not undone, and the counters and the id itself stay\n",
        options->row != NULL ? "row" : "column",
        weft_show(options->row != NULL ? options->row : options->column).text, found.pairs,
        output_plural(found.pairs), found.weight, output_plural(found.weight), whose);
}

static weft_status forget(const forget_options *options, weft_model *model, weft_error *error)
{
    bool row = options->row != NULL;
    int64_t id = 0;
    weft_status status = WEFT_OK;
    TRY(model_open(options->place.model, &options->place, NULL, model, error));
    TRY(model_need_pairs(options->place.model, model, "forgetting", error));
    TRY(model_find(&options->place, model, row ? "--row" : "--column", row ? 0 : 1,
                   row ? options->row : options->column, &id, error));
    share found = measure_share(model, row, id);
    TRY(weft_player_forget(model->player, row ? WEFT_ROWS : WEFT_COLUMNS, id, error));
    TRY(weft_model_write(options->out, model, error));
    tell(options, weft_player_kind(model->player) == WEFT_COMMITTEE, found);
done:
    return status;
}

static weft_status work(model_place *place, weft_error *error)
{
    weft_model model = {0};
    weft_status status = forget((const forget_options *)place, &model, error);
    weft_model_close(&model);
    return status;
}

int forget_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "MODEL --row ID --model OUT\n"
                                                   "MODEL --column ID --model OUT",
                                      .documentation = documentation,
                                      .expected = "one MODEL"};
    forget_options options = {0};
    return model_run(&line, work, count, arguments, &options.place);
}
