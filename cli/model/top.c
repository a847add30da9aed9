/* SPDX-License-Identifier: MIT
 * weft top: the largest margins of a row or a column under a model.
 *
 * The diagonal is read or written
 * before any id is let in, for it belongs to the model as it is on the disk. */
#include "cli/command/long_call.h"
#include "cli/model/candidates.h"
#include "cli/model/model.h"
#include "cli/model/warmth.h"
#include "cli/report/committee.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/new.h"
#include "program/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct top_options {
    model_place place;
    bool column, seen, keep;
    const char **names; /* of what is asked for */
    int64_t name_count;
    const char **excluded;
    int64_t excluded_count;
    const char *candidates; /* NULL: all */
    const char *context;    /* its values, or NULL */
    const char *out;
    int64_t most;
    double tolerance; /* 0: not given */
} top_options;

static const option_row option_rows[] = {
    {"--row", "ID", "rank the columns of this row; may be repeated",
     TAKES_TEXTS(top_options, names, name_count)},
    {"--column", "ID", "rank the rows of this column; may be repeated",
     TAKES_TEXTS(top_options, names, name_count), MARKS_GIVEN(top_options, column)},
    {"--count", "N", "how many to list (10)", TAKES_COUNT(top_options, most, 1), .letter = 'n'},
    {"--candidates", "FILE", "rank only these ids, one a line (all that the model knows)",
     TAKES_FILE(top_options, candidates, FILE_READ)},
    {"--exclude-seen", NULL, "leave out the pairs that weft evidence lists", TAKES_FLAG(top_options, seen)},
    {"--exclude", "PAIRS", "leave out the pairs of this file, such as the stream itself; may be repeated",
     TAKES_FILES(top_options, excluded, excluded_count, FILE_READ)},
    MODEL_CONTEXT(top_options, context),
    {"--tolerance", "X",
     "how narrow the bracket of a margin must be, as a share of max(gamma, margin) (1e-6)",
     TAKES_POSITIVE(top_options, tolerance)},
    {"--keep", NULL, "write what the next ranking can use to MODEL.diagonal", TAKES_FLAG(top_options, keep)},
    {"--out", "OUT.csv", "write there instead of to standard output",
     TAKES_FILE(top_options, out, FILE_WRITTEN)},
    {0},
};

static const option_rule rules[] = {
    MODEL_NEEDED,
    CLASH("--row", "--column", "--row and --column cannot be mixed"),
    NEEDED("--row --column", "--row ID or --column ID is needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Ranks the columns of a row, or the rows of a column, by their margins under a model, which stays as it "
    "is.\v"
    "The answer is CSV: rank,row,column,margin,lower,upper,probability,known; a block with ranks from 1 for "
    "each id that is asked for.  It is what sorting the margins of weft predict gives; margins that agree "
    "within the tolerance are in the order of their ids, byte for byte.  `known' is that of weft predict.  "
    "Of one set of ids --row and --column mean the same, and an id is not ranked for itself.\n\n"
    "--exclude-seen leaves out what was ever learnt from.  That is less than what was ever told: with margin "
    "updates a label that was right by a margin is not learnt from, and leaves no trace in the model.  "
    "--exclude with the stream itself leaves out all that was told.\n\n"
    "--keep computes the diagonal of all ids once and writes it beside the model; later rankings find it by "
    "themselves and are many times faster.  It is ignored once the model has changed.\n\n"
    "A committee is asked for every candidate, and ranks by its probability: the answer is "
    "rank,row,column,vote,probability,known.  What any of its learners has learnt from is seen, until all "
    "rest.  There is "
    "neither --tolerance nor anything to keep.\n\n"
    "Example:\n"
    "  weft top votes.weft --row smith -n 5 --exclude votes.csv\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 a model or a diagonal that is damaged or does not "
    "fit, 130 interrupted, 1 anything else.";

/* The ranking of one id. */
typedef struct listing {
    weft_ranked *ranked;
    int64_t found;
} listing;

typedef struct top_state {
    const top_options *options;
    weft_model model;
    warmth known;
    candidates list;
    int64_t *asked;   /* the ids that are asked for */
    int64_t stranger; /* the number of whoever is asked for and nobody has met; -1: names have none */
    int64_t *chosen;  /* candidates of the id at hand */
    listing *answers; /* one for each of these */
    output *out;
} top_state;

/* ---- The diagonal ---- */

/* What has no diagonal, or NULL. */
static const char *lacks_diagonal(const weft_player *player)
{
    weft_settings settings = weft_learner_settings(player);
    return weft_player_kind(player) != WEFT_LEARNER ? "a committee"
           : settings.engine == WEFT_COMPACT        ? "the compact engine"
           : settings.form == WEFT_BALANCED         ? "the balanced form"
                                                    : NULL;
}

static weft_status find_diagonal(top_state *state, weft_error *error)
{
    const char *path = state->options->place.model;
    weft_player *player = state->model.player;
    const char *lacking = lacks_diagonal(player);
    bool found = false;
    weft_status status = WEFT_OK;
    if (lacking != NULL && state->options->keep)
        fprintf(stderr, "weft: %s has no diagonal: there is nothing to keep\n", lacking);
    if (lacking != NULL)
        return WEFT_OK;
    TRY(weft_diagonal_read(path, player, &found, error));
    if (found || !state->options->keep)
        return WEFT_OK;
    TRY(weft_diagonal_write(path, player, error));
    fprintf(stderr, "weft: %s.diagonal keeps the diagonal of %" PRId64 " ids\n", weft_show(path).text,
            weft_learner_kept_diagonal(player));
done:
    return status;
}

/* ---- Who is asked for, and who is ranked ---- */

static weft_status find_id(const top_state *state, const char *name, int64_t *id, weft_error *error)
{
    bool column = state->options->column;
    weft_error why = {0};
    weft_status status = model_admit_one(&state->model, column ? 1 : 0, name, NULL, id, &why);
    return status == WEFT_OK ? status
                             : fail(error, status, "%s: %s", column ? "--column" : "--row", why.message);
}

/* An id that is asked for and new comes in after the list of all, for it is no
 * candidate, and before the pairs that are left out, which may name it. */
static weft_status find_ids(top_state *state, weft_error *error)
{
    const top_options *options = state->options;
    weft_file_options files = limits_files(&options->place.limits, 0);
    candidates *list = &state->list;
    weft_status status = WEFT_OK;
    *list = (candidates){.model = &state->model, .column = options->column};
    TRY(options->candidates != NULL ? candidates_read(list, options->candidates, &files, error)
                                    : candidates_all(list, error));
    const weft_roster *own = options->column ? model_columns(&state->model) : state->model.rows;
    state->stranger =
        model_hashed(&state->model, options->column ? 1 : 0) ? -1 : weft_ids_count(weft_roster_ids(own));
    state->asked = new_array(options->name_count, sizeof *state->asked);
    for (int64_t k = 0; k < options->name_count; k++)
        TRY(find_id(state, options->names[k], &state->asked[k], error));
done:
    return status;
}

static weft_status leave_out(top_state *state, weft_error *error)
{
    const top_options *options = state->options;
    weft_file_options files = limits_files(&options->place.limits, 0);
    candidates *list = &state->list;
    weft_status status = WEFT_OK;
    if (options->seen)
        candidates_leave_seen(list);
    if (options->excluded_count > 0)
        TRY(candidates_leave_pairs(list, options->excluded, options->excluded_count, &files, error));
    candidates_settle(list);
    state->chosen = new_array(list->count, sizeof *state->chosen);
    state->answers = new_array(options->name_count, sizeof *state->answers);
done:
    return status;
}

/* ---- The answer ---- */

static void write_ranked(const top_state *state, int64_t k, int64_t rank)
{
    const weft_ranked *ranked = &state->answers[k].ranked[rank - 1];
    bool column = state->options->column;
    int64_t id = state->asked[k], found = ranked->id;
    int64_t pair[2] = {column ? found : id, column ? id : found};
    const char *own = state->options->names[k], *other = candidates_name(&state->list, found);
    FILE *out = output_stream(state->out);
    fprintf(out, "%" PRId64 ",", rank);
    output_id(out, column ? other : own);
    putc(',', out);
    output_id(out, column ? own : other);
    model_write_answer(&state->model, &ranked->answer, out);
    fprintf(out, ",%s/%s\n", warmth_of(&state->known, 0, pair[0]), warmth_of(&state->known, 1, pair[1]));
}

static weft_status rank(top_state *state, int64_t k, weft_error *error)
{
    const top_options *options = state->options;
    double tolerance = options->tolerance > 0 ? options->tolerance : 1e-6;
    int64_t id = state->asked[k], count = candidates_of(&state->list, id, state->chosen);
    /* Those that nobody has met are alike, as weft predict has it: what is known of them is not to depend on
     * how many of them are asked for. */
    bool stranger = state->stranger >= 0 && id > state->stranger;
    weft_query query = {.column = options->column,
                        .id = stranger ? state->stranger : id,
                        .candidates = state->chosen,
                        .candidate_count = count,
                        .most = options->most < count || count == 0 ? options->most : count,
                        .tolerance = tolerance};
    listing *a = &state->answers[k];
    a->ranked = new_array(count > 0 ? query.most : 1, sizeof *a->ranked);
    return weft_player_rank(state->model.player, &query, a->ranked, &a->found, error);
}

static weft_status write_all(top_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(output_open(state->options->out, &state->out, error));
    fprintf(output_stream(state->out), "rank,row,column%s,known\n", model_answer_columns(&state->model));
    for (int64_t k = 0; k < state->options->name_count; k++)
        for (int64_t r = 1; r <= state->answers[k].found; r++)
            write_ranked(state, k, r);
    TRY(output_commit(state->out, error));
done:
    return status;
}

/* Learners keep the pairs; where all of them rest, later ones are not known. */
static weft_status need_all_pairs(const char *path, const weft_model *model, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(model_need_pairs(path, model, "--exclude-seen", error));
    int64_t leader = weft_player_kind(model->player) == WEFT_COMMITTEE ? committee_leader(model->player) : -1;
    weft_standing learner =
        leader < 0 ? (weft_standing){.is_awake = true} : weft_committee_standing(model->player, leader);
    if (!learner.is_awake)
        status = fail(error, WEFT_ARGUMENT,
                      "%s: --exclude-seen: the learners, which keep the pairs, rest since trial %" PRId64
                      "; expected the stream itself, with --exclude",
                      path, learner.since);
done:
    return status;
}

/* Nothing is written before everything is known. */
static weft_status rank_all(const top_options *options, top_state *state, weft_error *error)
{
    const model_place *place = &options->place;
    weft_status status = WEFT_OK;
    state->options = options;
    TRY(model_open(place->model, place, NULL, &state->model, error));
    TRY(model_set_context(&state->model, options->context, error));
    if (options->seen)
        TRY(need_all_pairs(place->model, &state->model, error));
    if (options->tolerance > 0)
        TRY(model_need_margins(place->model, &state->model, "--tolerance", error));
    warmth_find(&state->model, &state->known);
    TRY(find_diagonal(state, error));
    TRY(find_ids(state, error));
    TRY(leave_out(state, error));
    for (int64_t k = 0; k < options->name_count; k++) {
        TRY(rank(state, k, error));
        if (interrupt_came())
            TRY(fail(error, WEFT_INTERRUPTED, "interrupted"));
    }
    long_call_clear();
    TRY(write_all(state, error));
done:
    return status;
}

/* ---- The command ---- */

static weft_status work(model_place *place, weft_error *error)
{
    top_state state = {0};
    weft_status status = rank_all((const top_options *)place, &state, error);
    output_free(state.out);
    candidates_free(&state.list);
    free(state.asked);
    free(state.chosen);
    for (int64_t k = 0; state.answers != NULL && k < state.options->name_count; k++)
        free(state.answers[k].ranked);
    free(state.answers);
    warmth_free(&state.known);
    weft_model_close(&state.model);
    return status;
}

/* The diagonal beside the model. */
static void name_files(const void *given, paths_list *files)
{
    const top_options *options = given;
    char diagonal[4096];
    snprintf(diagonal, sizeof diagonal, "%s.diagonal", options->place.model);
    if (options->keep)
        paths_write(files, "--keep", diagonal);
    else
        paths_read(files, "the diagonal", diagonal);
}

int top_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "MODEL --row ID\n"
                                                   "MODEL --column ID",
                                      .documentation = documentation,
                                      .expected = "one MODEL",
                                      .name_files = name_files};
    top_options options = {.out = "-", .most = 10};
    return model_run(&line, work, count, arguments, &options.place);
}
