/* SPDX-License-Identifier: MIT
 *
 * A player with all that it needs: the rosters of its rows and columns live in its home, so that it can be
 * asked by name, saved, and freed as one object.  A model is the same as a file (model.h). */
#include "io/model/model.h"

#include "committee/committee.h"

/* What messages call a model that has no file. */
static const char in_memory[] = "the model in memory";

/* Invariant: model.player is the player that has this home; model.rows and model.columns are owned. */
typedef struct roster_home {
    weft__home base;
    weft_memory memory;
    weft_model model;
    weft__roster_mark mark[2]; /* of rows and columns, before names were last matched */
} roster_home;

static void release_home(weft__home *home)
{
    roster_home *self = (roster_home *)home;
    weft_memory memory = self->memory;
    weft_roster_free(self->model.columns);
    weft_roster_free(self->model.rows);
    weft__delete(&memory, self);
}

static int64_t count_names(const weft__home *home, int which)
{
    const weft_model *model = &((const roster_home *)home)->model;
    bool rows = which == WEFT_ROWS || model->columns == NULL;
    return weft_ids_count(weft_roster_ids(rows ? model->rows : model->columns));
}

static weft_roster *roster_of(const weft__home *home, int which)
{
    const weft_model *model = &((const roster_home *)home)->model;
    return which == WEFT_ROWS ? model->rows : model->columns;
}

static weft_status match_names(weft__home *home, const weft__home *other, int which, int64_t *numbers,
                               weft_error *error)
{
    roster_home *self = (roster_home *)home;
    weft_roster *here = roster_of(home, which), *there = roster_of(other, which);
    const char *name = self->model.columns == NULL ? "ids" : which == WEFT_ROWS ? "rows" : "columns";
    static const char *const owners[2] = {"one", "the other"};
    const weft_ids *ids = weft_roster_ids(there);
    weft_status status = WEFT_OK;
    self->mark[which != WEFT_ROWS] = weft__roster_mark_of(here);
    TRY(weft_roster_check_alike(here, there, name, owners, error));
    if (!weft__context_fields_equal(&self->model.context, &((const roster_home *)other)->model.context))
        return weft__fail(error, WEFT_ARGUMENT, "the contexts of the events have other fields");
    for (int64_t i = 0; i < weft_ids_count(ids); i++)
        TRY(weft__roster_admit_again(here, weft_ids_name(ids, i), &numbers[i], error));
done:
    return status;
}

static void return_names(weft__home *home, int which)
{
    weft__roster_return(roster_of(home, which), &((roster_home *)home)->mark[which != WEFT_ROWS]);
}

static weft_status clone_home(const weft__home *home, const weft_player *player, weft_player **copy,
                              weft_error *error);

/* The home of a player, or NULL. */
static const roster_home *home_of(const weft_player *player)
{
    return player != NULL ? (const roster_home *)(const void *)player->home : NULL;
}

/* The player of the model moves in; the model is then empty. */
static weft_status move_in(weft_model *model, weft_error *error)
{
    weft_memory memory = model->player->memory;
    roster_home *home = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&memory, 1, sizeof *home, &home, error));
    *home = (roster_home){.base = {release_home, clone_home, count_names, match_names, return_names},
                          .memory = memory,
                          .model = *model};
    model->player->home = &home->base;
    model->rows->owned = true;
    if (model->columns != NULL)
        model->columns->owned = true;
    home->model.disturbed = false; /* the player knows */
    *model = (weft_model){0};
done:
    return status;
}

weft_model *weft__home_model(const weft_player *player)
{
    return player != NULL && player->home != NULL ? &((roster_home *)(void *)player->home)->model : NULL;
}

weft_status weft__need_home(const weft_player *player, weft_error *error)
{
    weft_status status = weft__need(player, "player", error);
    if (status == WEFT_OK && player->home == NULL)
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "the player knows no names: weft_player_create and weft_player_open make one that does");
    return status;
}

/* ---- Made anew ---- */

static weft_status make_side(weft_roster *roster, const char *name, weft_error *error)
{
    if (roster->facts.mapped || roster->facts.hashed)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "%s: a committee plays kernels, found a SPEC with map= or names=", name);
    if (roster->side != NULL && weft_roster_view_count(roster) > 0)
        return WEFT_OK;
    if (roster->side != NULL)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the side information is made already, without views",
                          name);
    roster->options.views = true;
    return weft_roster_build(roster, error);
}

static weft_status check_rosters(const weft_roster *rows, const weft_roster *columns, weft_error *error)
{
    if (rows == columns)
        return weft__fail(error, WEFT_ARGUMENT,
                          "rows and columns are one roster: columns is NULL for one set of ids");
    if (rows->owned || (columns != NULL && columns->owned))
        return weft__fail(error, WEFT_ARGUMENT, "the roster of the %s belongs to another player or roster",
                          rows->owned ? "rows" : "columns");
    return WEFT_OK;
}

weft_status weft_player_create(weft_roster *rows, weft_roster *columns, const weft_player_options *options,
                               weft_player **player, weft_error *error)
{
    static const weft_player_options defaults = {0};
    const weft_player_options *how = options != NULL ? options : &defaults;
    weft_committee_settings settings = {
        .randomised = how->randomised, .seed = how->seed != 0 ? how->seed : 1, .threads = how->threads};
    weft_model model = {.rows = rows, .columns = columns};
    weft_status status = WEFT_OK;
    NEED(rows);
    NEED(player);
    TRY(check_rosters(rows, columns, error));
    TRY(make_side(rows, columns == NULL ? "ids" : "rows", error));
    if (columns != NULL)
        TRY(make_side(columns, "columns", error));
    TRY(weft__model_found(&model, &settings, &rows->memory, error));
    weft_player *made = model.player;
    made->progress = rows->input.limits.progress;
    status = move_in(&model, error);
    if (status == WEFT_OK)
        *player = made;
    else
        weft_player_free(made);
done:
    return status;
}

/* ---- Names ---- */

weft_status weft_player_pair(weft_player *player, const char *row, const char *column, int64_t pair[2],
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(row);
    NEED(column);
    NEED(pair);
    TRY(weft__need_home(player, error));
    const weft_model *model = &home_of(player)->model;
    const weft_event event = {.row = row, .column = column};
    TRY(weft_roster_admit_pair(model->rows, model->columns, &event, pair, error));
done:
    return status;
}

weft_status weft_player_find(const weft_player *player, const char *row, const char *column, int64_t pair[2],
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(row);
    NEED(column);
    NEED(pair);
    TRY(weft__need_home(player, error));
    const weft_model *model = &home_of(player)->model;
    const weft_event event = {.row = row, .column = column};
    TRY(weft_roster_find_pair(model->rows, model->columns, &event, pair, error));
done:
    return status;
}

const weft_roster *weft_player_roster(const weft_player *player, int which)
{
    const roster_home *home = home_of(player);
    if (home == NULL || (which != WEFT_ROWS && which != WEFT_COLUMNS))
        return NULL;
    return which == WEFT_ROWS || home->model.columns == NULL ? home->model.rows : home->model.columns;
}

const char *weft_player_name(const weft_player *player, int which, int64_t id)
{
    const weft_roster *roster = weft_player_roster(player, which);
    return roster != NULL ? weft_ids_name(weft_roster_ids(roster), id) : NULL;
}

/* ---- Files ---- */

/* Whether all that a roster has read was kept; side information that was in memory always is. */
static bool is_kept(const weft_roster *roster)
{
    for (int64_t k = 0; roster != NULL && k < weft_roster_source_count(roster); k++)
        if (weft_roster_source(roster, k).kept == NULL)
            return false;
    return true;
}

/* Whether there are no files to read it from again. */
static bool is_of_memory(const weft_roster *roster)
{
    return roster != NULL && roster->sources.stored;
}

/* The model of a player; what is in memory goes into it. */
static weft_model named_model_of(const weft_player *player)
{
    weft_model model = home_of(player)->model;
    model.embed = model.embed || is_of_memory(model.rows) || is_of_memory(model.columns);
    return model;
}

/* What was kept too. */
static weft_model model_of(const weft_player *player)
{
    weft_model model = named_model_of(player);
    model.embed = model.embed || (is_kept(model.rows) && is_kept(model.columns));
    return model;
}

static weft_status save(const weft_player *player, const char *path, bool named, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(path);
    TRY(weft__need_home(player, error));
    const weft_model model = named ? named_model_of(player) : model_of(player);
    TRY(weft_model_write(path, &model, error));
done:
    return status;
}

weft_status weft_player_save(const weft_player *player, const char *path, weft_error *error)
{
    return save(player, path, false, error);
}

weft_status weft_player_save_named(const weft_player *player, const char *path, weft_error *error)
{
    return save(player, path, true, error);
}

/* The player of a model that was opened moves into a home of its own; the model is then empty. */
static weft_status hand_out(weft_model *model, weft_player **player, weft_error *error)
{
    weft_player *made = model->player;
    weft_status status = move_in(model, error);
    if (status == WEFT_OK)
        *player = made;
    return status;
}

weft_status weft_player_open(const char *path, const weft_model_options *options, weft_player **player,
                             weft_error *error)
{
    weft_model model = {0};
    weft_status status = WEFT_OK;
    NEED(path);
    NEED(player);
    TRY(weft_model_open(path, options, &model, error));
    TRY(hand_out(&model, player, error));
done:
    weft_model_close(&model);
    return status;
}

/* ---- Bytes ---- */

weft_status weft_player_to_bytes(const weft_player *player, void *buffer, size_t *size, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(size);
    TRY(weft__need_home(player, error));
    const weft_model model = model_of(player);
    TRY(weft__model_check(in_memory, &model, error));
    size_t needed = weft__model_encode(&model, NULL);
    if (buffer != NULL && *size < needed)
        return weft__fail(error, WEFT_ARGUMENT, "size is %zu, expected at least %zu", *size, needed);
    *size = buffer != NULL ? weft__model_encode(&model, buffer) : needed;
done:
    return status;
}

weft_status weft_player_from_bytes(const void *bytes, size_t size, const weft_model_options *options,
                                   weft_player **player, weft_error *error)
{
    static const weft_model_options defaults = {0};
    weft_model model = {0};
    weft_status status = WEFT_OK;
    NEED(bytes);
    NEED(player);
    TRY(weft__model_rebuild(in_memory, bytes, size, options != NULL ? options : &defaults, &model, error));
    TRY(hand_out(&model, player, error));
done:
    weft_model_close(&model);
    return status;
}

weft_status weft_player_digest(const weft_player *player, uint64_t digest[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(digest);
    TRY(weft__need_home(player, error));
    TRY(weft_model_digest(&home_of(player)->model, digest, error));
done:
    return status;
}

/* ---- Copies ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How the rosters of a model were read; where the two differ, the larger limit. */
static weft_status find_options(const weft_model *model, weft_model_options *options, weft_error *error)
{
    const weft_roster *rows = model->rows, *columns = model->columns != NULL ? model->columns : rows;
    const weft_file_options *a = &rows->input.limits, *b = &columns->input.limits;
    if (rows->options.graph_budget != columns->options.graph_budget ||
        rows->options.kernel_budget != columns->options.kernel_budget)
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "rows and columns were made with different budgets, so that they are not made again");
    options->files = *a;
    options->files.line_limit = larger(a->line_limit, b->line_limit);
    options->files.field_limit = larger(a->field_limit, b->field_limit);
    options->files.id_limit = larger(a->id_limit, b->id_limit);
    options->files.byte_limit = larger(a->byte_limit, b->byte_limit);
    return WEFT_OK;
}

int weft__model_threads(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    return committee != NULL ? committee->settings.threads : weft_learner_settings(player).threads;
}

/* By way of the bytes of its model, so that there is no second way to side information.  One that was opened
 * only to look cannot be written: its copy borrows the sides. */
static weft_status clone_home(const weft__home *home, const weft_player *player, weft_player **copy,
                              weft_error *error)
{
    const roster_home *self = (const roster_home *)(const void *)home;
    weft_status status = WEFT_OK;
    weft_model_options options = {0};
    weft_player *made = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (self->model.read_only) {
        TRY(player->ops->clone(player, NULL, copy, error));
        (*copy)->looked_at = player->looked_at;
        return WEFT_OK;
    }
    TRY(find_options(&self->model, &options, error));
    TRY(weft_player_to_bytes(player, NULL, &size, error));
    TRY(weft__new(&self->memory, (int64_t)size, 1, &bytes, error));
    TRY(weft_player_to_bytes(player, bytes, &size, error));
    TRY(weft_player_from_bytes(bytes, size, &options, &made, error));
    TRY(weft__model_check_copy(&self->model, &home_of(made)->model, error));
    TRY(weft_player_set_threads(made, weft__model_threads(player), error));
    made->context = player->context;
    *copy = made;
    made = NULL;
done:
    weft__delete(&self->memory, bytes);
    weft_player_free(made);
    return status;
}
