/* SPDX-License-Identifier: MIT */
#include "cli/model/model.h"

#include "cli/command/long_call.h"
#include "program/fail.h"

#include <stdio.h>

static const option_row option_rows[] = {
    HEADING("Where side information is, if not where the model says:"),
    {"MODEL", NULL, NULL, TAKES_FILE(model_place, model, FILE_MODEL_READ)},
    {"--rows", "SPEC", "the SPEC of the model with the files in another place",
     TAKES_SPECS(model_place, rows)},
    {"--columns", "SPEC", "the same for the columns", TAKES_SPECS(model_place, columns)},
    {"--both", "SPEC", "the same for a model of one set of ids", TAKES_SPECS(model_place, both)},
    {0},
};

static const option_rule rules[] = {
    CLASH("--both", "--rows --columns", "--both stands in place of --rows and --columns"),
    {0},
};

const option_table model_table = {option_rows, rules, .group = 3, .next = &limits_table};

int model_run(const command_line *line, model_work *work, int count, char **arguments, model_place *place)
{
    weft_error error = {0};
    paths_list files = {0};
    command_parse(line, count, arguments, place);
    long_call_watch(true);
    place->files = &files;
    command_name_files(line, place, &files);
    weft_status status = paths_check(&files, &error);
    status = status == WEFT_OK ? work(place, &error) : status;
    int code = limits_finish(&place->limits, status, "", &error);
    paths_free(&files);
    command_free(line, place);
    return code;
}

/* The options that do not suit the form of the model. */
static weft_status check_form(const char *path, const model_place *place, const weft_model *model,
                              weft_error *error)
{
    bool one_set = model->columns == NULL;
    if (place->both != NULL && !one_set)
        return fail(error, WEFT_ARGUMENT, "--both: %s has rows and columns, expected --rows and --columns",
                    path);
    if ((place->rows != NULL || place->columns != NULL) && one_set)
        return fail(error, WEFT_ARGUMENT, "%s: %s has one set of ids, expected --both",
                    place->rows != NULL ? "--rows" : "--columns", path);
    return WEFT_OK;
}

static bool is_empty(const model_place *place)
{
    return place->rows == NULL && place->columns == NULL && place->both == NULL;
}

static void name_sources(const weft_roster *roster, paths_list *files)
{
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++)
        paths_read_again(files, "the side information", weft_roster_source(roster, k).path);
}

weft_status model_check_sides(const weft_model *model, paths_list *files, weft_error *error)
{
    if (model->embed)
        return WEFT_OK;
    name_sources(model->rows, files);
    if (model->columns != NULL)
        name_sources(model->columns, files);
    return paths_check(files, error);
}

/* weft_model_open, and none of the side files may be one that is written. */
static weft_status open_checked(const char *path, const model_place *place, const weft_model_options *options,
                                weft_model *model, weft_error *error)
{
    weft_model opened = {0};
    weft_status status = WEFT_OK;
    TRY(weft_model_open(path, options, &opened, error));
    long_call_clear();
    if (place->files != NULL)
        TRY(model_check_sides(&opened, place->files, error));
    *model = opened;
    opened = (weft_model){0};
done:
    weft_model_close(&opened);
    return status;
}

weft_status model_look(const char *path, const model_place *place, weft_model *model, weft_error *error)
{
    weft_model_options look = {.look = true,
                               .files = limits_files(&place->limits, 0),
                               .rows = place->both != NULL ? place->both : place->rows,
                               .columns = place->columns};
    weft_roster_options roster = limits_roster(&place->limits);
    look.files.roster = &roster;
    return open_checked(path, place, &look, model, error);
}

weft_status model_read_facts(const char *path, const model_place *place, weft_model_facts *facts,
                             weft_error *error)
{
    weft_file_options files = limits_files(&place->limits, 0);
    weft_roster_options roster = limits_roster(&place->limits);
    files.roster = &roster;
    weft_status status = weft_model_read_facts(path, &files, facts, error);
    long_call_clear();
    return status;
}

weft_status model_open(const char *path, const model_place *place, const weft_model_options *options,
                       weft_model *model, weft_error *error)
{
    weft_model_options how = options != NULL ? *options : (weft_model_options){.look = false};
    weft_roster_options roster = limits_roster(&place->limits);
    weft_model_facts first = {.members = 0};
    weft_status status = WEFT_OK;
    if (!is_empty(place)) {
        TRY(model_read_facts(path, place, &first, error));
        TRY(check_form(path, place, &first.model, error));
    }
    how.files = limits_files(&place->limits, 0);
    how.files.roster = &roster;
    how.rows = place->both != NULL ? place->both : place->rows;
    how.columns = place->columns;
    TRY(open_checked(path, place, &how, model, error));
done:
    weft_model_close(&first.model);
    return status;
}

weft_roster *model_columns(const weft_model *model)
{
    return model->columns != NULL ? model->columns : model->rows;
}

int64_t model_capacity(const weft_model *model, int side)
{
    int64_t room[2] = {0, 0};
    weft_player_room(model->player, &room[0], &room[1]);
    return room[model->columns == NULL ? 0 : side];
}

/* Where there is no room, says how to make some. */
static weft_status advise(weft_status status, const weft_error *why, weft_error *error)
{
    static const char more_room[] = " (weft run --resume with --capacity gives more room)";
    if (status == WEFT_OK)
        return status;
    return fail(error, status, "%s%s", why->message, status == WEFT_CAPACITY ? more_room : "");
}

weft_status model_admit(const weft_model *model, const weft_event *event, int64_t pair[2], weft_error *error)
{
    weft_error why = {0};
    return advise(weft_roster_admit_pair(model->rows, model->columns, event, pair, &why), &why, error);
}

weft_status model_find_pair(const weft_model *model, const weft_event *event, int64_t pair[2],
                            weft_error *error)
{
    weft_error why = {0};
    return advise(weft_roster_find_pair(model->rows, model->columns, event, pair, &why), &why, error);
}

weft_status model_admit_one(const weft_model *model, int side, const char *name, const weft_event *event,
                            int64_t *id, weft_error *error)
{
    weft_roster *roster = side == 0 ? model->rows : model_columns(model);
    weft_error why = {0};
    return advise(weft_roster_admit(roster, name, event, id, &why), &why, error);
}

weft_status model_set_context(const weft_model *model, const char *values, weft_error *error)
{
    uint64_t digests[WEFT_CONTEXT_LIMIT];
    weft_status status = WEFT_OK;
    TRY(context_read_values(values, &model->context, digests, error));
    TRY(weft_player_set_context(model->player, digests, model->context.count, error));
done:
    return status;
}

bool model_is_compact(const weft_model *model)
{
    return weft_learner_settings(model->player).engine == WEFT_COMPACT;
}

weft_status model_need_pairs(const char *path, const weft_model *model, const char *what, weft_error *error)
{
    if (!model_is_compact(model))
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT,
                "%s: %s needs the pairs that were learnt, and the compact engine keeps no pairs", path, what);
}

weft_status model_need_margins(const char *path, const weft_model *model, const char *what, weft_error *error)
{
    if (model_has_margins(model))
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT,
                "%s: %s is for the margins of one learner, but this is a committee's model", path, what);
}

bool model_has_margins(const weft_model *model)
{
    return weft_player_kind(model->player) == WEFT_LEARNER;
}

const char *model_answer_columns(const weft_model *model)
{
    return model_has_margins(model) ? ",margin,lower,upper,probability" : ",vote,probability";
}

void model_write_answer(const weft_model *model, const weft_answer *answer, FILE *out)
{
    if (model_has_margins(model))
        fprintf(out, ",%.17g,%.17g,%.17g", answer->margin, answer->lower, answer->upper);
    else
        fprintf(out, ",%.17g", answer->vote);
    fprintf(out, ",%.17g", weft_negatives_probability(&model->negatives, answer->probability));
}

bool model_hashed(const weft_model *model, int side)
{
    return weft_roster_report(side == 0 ? model->rows : model_columns(model)).hashed;
}

int64_t model_number(const weft_model *model, int side, const char *name)
{
    weft_roster *roster = side == 0 ? model->rows : model_columns(model);
    int64_t number = -1;
    if (!weft_roster_report(roster).hashed)
        return weft_ids_find(weft_roster_ids(roster), name);
    return weft_roster_admit(roster, name, NULL, &number, NULL) == WEFT_OK ? number : -1;
}

weft_status model_find(const model_place *place, const weft_model *model, const char *option, int side,
                       const char *name, int64_t *id, weft_error *error)
{
    static const char *const names[2] = {"row", "column"};
    const weft_ids *ids = weft_roster_ids(side == 0 ? model->rows : model_columns(model));
    int64_t found = weft_ids_find(ids, name);
    if (found < 0)
        return fail(error, WEFT_UNKNOWN_ID, "%s: found '%.48s', expected one of the %lld %ss of %s", option,
                    name, (long long)weft_ids_count(ids), model->columns == NULL ? "id" : names[side],
                    place->model);
    *id = found;
    return WEFT_OK;
}
