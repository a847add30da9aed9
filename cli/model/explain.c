/* SPDX-License-Identifier: MIT
 * weft explain: what a margin rests on.
 *
 * The library gives the influence of every pair that carries evidence; here they
 * are summed by row and by column, put in order and shown with the names that a
 * person knows. */
#include "cli/model/explain.h"

#include "cli/command/parse.h"
#include "cli/report/committee.h"
#include "program/fail.h"
#include "program/new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What --by takes: the kinds of two sides, and all of them. */
static const char *const by_words[] = {
    [SHARE_PAIR] = "pair", [SHARE_ROW] = "row", [SHARE_COLUMN] = "column", "all", NULL};

const char *explain_kind(share_kind kind)
{
    return kind == SHARE_ID ? "id" : by_words[kind];
}

static void set_kinds(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    int chosen = parse_word(state, row->name, text, row->words, 0);
    for (int kind = SHARE_PAIR; kind <= SHARE_COLUMN; kind++)
        ((explain_options *)options)->wanted[kind] = chosen == kind || chosen > SHARE_COLUMN;
}

static const option_row option_rows[] = {
    {"ROW", NULL, NULL, TAKES_TEXT(explain_options, row)},
    {"COLUMN", NULL, NULL, TAKES_TEXT(explain_options, column)},
    {"--count", "N", "how many pairs, rows and columns to list, each (10); 0: all",
     TAKES_COUNT(explain_options, most, 0), .letter = 'n'},
    {"--by", NULL, "what to list (all)", TAKES_OTHER(set_kinds), .words = by_words},
    {"--tolerance", "X", "how far derivatives may be off, as a share of the largest of them (1e-8)",
     TAKES_POSITIVE(explain_options, tolerance)},
    MODEL_CONTEXT(explain_options, context),
    {"--json", NULL, "one JSON object in place of CSV", TAKES_FLAG(explain_options, json)},
    {"--out", "FILE", "write there instead of to standard output",
     TAKES_FILE(explain_options, out, FILE_WRITTEN)},
    {"--picture", "FILE.svg|FILE.png", "what is listed, at most 500 bars, as a picture; may be repeated",
     TAKES_FILES(explain_options, pictures, picture_count, FILE_PICTURE)},
    {"--quiet", NULL, "no report on standard error", TAKES_FLAG(explain_options, quiet)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("COLUMN", "a MODEL, a ROW and a COLUMN are needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Tells what the margin of a pair rests on: the influence of every pair that carries evidence.\v"
    "The influence of a pair is its count times the derivative of the margin by that count, exact for the "
    "model as it is: to first order, what the margin would lose without the pair's evidence.  A row has the "
    "sum of its pairs, and so has a column; of one set of ids an id has the sum of all its pairs.\n\n"
    "The answer is CSV: by,row,column,count,derivative,influence; pairs, then rows, then columns, the "
    "largest influence of either sign first.  The same for people goes to standard error.\n\n"
    "Of a committee's model it is the margin of one member, the learner awake that has the largest share: "
    "its "
    "name and share, and what the committee itself says of the pair, are told beside it.\n\n"
    "Example:\n"
    "  weft explain votes.weft smith health -n 5 --picture why.svg\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 a model that is damaged or does not fit, 130 "
    "interrupted, 1 anything else.";

/* ---- Shares ---- */

static int compare_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? 0 : strcmp(a, b);
}

/* Largest first, whatever the sign; equal ones by their names. */
static int compare_shares(const void *a, const void *b)
{
    const share *x = a, *y = b;
    double larger = fabs(x->influence), smaller = fabs(y->influence);
    if (larger != smaller)
        return larger > smaller ? -1 : 1;
    int by_row = compare_text(x->row, y->row);
    return by_row != 0 ? by_row : compare_text(x->column, y->column);
}

static void settle_list(explanation *found, share_kind kind)
{
    share_list *list = &found->lists[kind];
    int64_t most = found->options->most;
    if (list->count > 0)
        qsort(list->shares, (size_t)list->count, sizeof *list->shares, compare_shares);
    list->shown = most > 0 && most < list->count ? most : list->count;
}

static void add_influence(share *sum, const weft_influence *part)
{
    sum->count += part->count;
    sum->derivative += part->derivative;
    sum->influence += part->influence;
}

static void list_pairs(explanation *found, const weft_influence *influences)
{
    const weft_ids *rows = weft_roster_ids(found->model.rows);
    const weft_ids *columns = weft_roster_ids(model_columns(&found->model));
    int64_t count = weft_player_evidence_count(found->model.player);
    found->lists[SHARE_PAIR].shares = new_array(count, sizeof(share));
    for (int64_t k = 0; k < count; k++) {
        share *pair = &found->lists[SHARE_PAIR].shares[found->lists[SHARE_PAIR].count++];
        *pair = (share){.kind = SHARE_PAIR,
                        .row = weft_ids_name(rows, influences[k].row),
                        .column = weft_ids_name(columns, influences[k].column)};
        add_influence(pair, &influences[k]);
    }
    settle_list(found, SHARE_PAIR);
}

/* Sums by row, by column, or by both ends of a pair; ids without a pair are left
 * out: a name is given to the others. */
static void list_ids(explanation *found, share_kind kind, const weft_influence *influences)
{
    const weft_ids *ids =
        weft_roster_ids(kind == SHARE_COLUMN ? model_columns(&found->model) : found->model.rows);
    share_list *list = &found->lists[kind];
    int64_t count = weft_ids_count(ids), kept = 0;
    list->shares = new_array(count, sizeof(share));
    for (int64_t k = 0; k < weft_player_evidence_count(found->model.player); k++) {
        int64_t ends[2] = {influences[k].row, influences[k].column};
        for (int end = kind == SHARE_COLUMN; end <= (kind != SHARE_ROW); end++) {
            share *sum = &list->shares[ends[end]];
            const char *name = weft_ids_name(ids, ends[end]);
            *(kind == SHARE_COLUMN ? &sum->column : &sum->row) = name;
            sum->kind = kind;
            add_influence(sum, &influences[k]);
        }
    }
    for (int64_t id = 0; id < count; id++)
        if (list->shares[id].row != NULL || list->shares[id].column != NULL)
            list->shares[kept++] = list->shares[id];
    list->count = kept;
    settle_list(found, kind);
}

static void list_shares(explanation *found, const weft_influence *influences)
{
    const bool *wanted = found->options->wanted;
    bool one_set = found->model.columns == NULL;
    if (wanted[SHARE_PAIR])
        list_pairs(found, influences);
    if (one_set && (wanted[SHARE_ROW] || wanted[SHARE_COLUMN]))
        list_ids(found, SHARE_ID, influences);
    for (int kind = SHARE_ROW; kind <= SHARE_COLUMN; kind++)
        if (!one_set && wanted[kind])
            list_ids(found, (share_kind)kind, influences);
}

/* ---- The command ---- */

/* Of a committee the margin of one member is explained, and its own answer told beside it. */
static weft_status look_at_leader(explanation *found, const int64_t pair[2], weft_error *error)
{
    weft_player *committee = found->model.player;
    int64_t leader = committee_leader(committee);
    if (leader < 0)
        return fail(error, WEFT_ARGUMENT, "%s: the committee has only rivals: there is no margin to explain",
                    found->options->place.model);
    found->of_member = true;
    found->leader = weft_committee_standing(committee, leader);
    return weft_player_evaluate(committee, pair[0], pair[1], found->options->tolerance, &found->answer,
                                error);
}

static weft_status find(explanation *found, weft_error *error)
{
    const explain_options *options = found->options;
    weft_event event = {.row = options->row, .column = options->column};
    weft_influence *influences = NULL;
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(model_open(options->place.model, &options->place, NULL, &found->model, error));
    TRY(model_need_pairs(options->place.model, &found->model, "an explanation", error));
    TRY(model_admit(&found->model, &event, pair, error));
    TRY(model_set_context(&found->model, options->context, error));
    weft_player *player = found->model.player;
    if (weft_player_kind(player) == WEFT_COMMITTEE)
        TRY(look_at_leader(found, pair, error));
    int64_t count = weft_player_evidence_count(player);
    influences = new_array(count, sizeof *influences);
    TRY(weft_player_explain(player, pair[0], pair[1], options->tolerance, &found->whole, influences, error));
    list_shares(found, influences);
done:
    free(influences);
    return status;
}

static weft_status write(const explanation *found, weft_error *error)
{
    output *out = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(found->options->out, &out, error));
    if (found->options->json)
        TRY(explain_json(found, output_stream(out), error));
    else
        explain_csv(found, output_stream(out));
    TRY(output_commit(out, error));
done:
    output_free(out);
    return status;
}

static weft_status work(model_place *place, weft_error *error)
{
    explanation found = {.options = (const explain_options *)place};
    weft_status status = WEFT_OK;
    TRY(find(&found, error));
    if (!found.options->quiet)
        explain_tell(&found);
    TRY(write(&found, error));
    TRY(explain_draw(&found, error));
done:
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        free(found.lists[kind].shares);
    weft_model_close(&found.model);
    return status;
}

int explain_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "MODEL ROW COLUMN",
                                      .documentation = documentation,
                                      .expected = "one MODEL, one ROW and one COLUMN"};
    explain_options options = {
        .out = "-", .most = 10, .tolerance = 1e-8, .wanted = {true, true, true, false}};
    return model_run(&line, work, count, arguments, &options.place);
}
