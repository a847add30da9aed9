/* SPDX-License-Identifier: MIT
 *
 * Side information that has grown.
 *
 * Method     What was learnt is read again, as it is from a model, over sides that are made of the grown
 *            files; so a player that grows in memory and a model that is opened after its files have grown
 *            are one thing.  Numbers of ids and of traits stay, hence what was learnt under them.  Bounds
 *            that follow from kernels are found anew.
 * Cost       That of opening a model, but for the side that has not grown. */
#include "io/model/model.h"

#include "io/roster/growth/growth.h"
#include "player/player.h"
#include "player/turn.h"

#include <string.h>

weft_status weft__model_grow_side(weft_roster *roster, weft__known_ids *known, bool changed,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__roster_arrange(roster, known, error));
    TRY(weft__roster_settle(roster, error));
    roster->grew = changed && weft__growth_is_new(roster);
done:
    return status;
}

bool weft__model_grew(const weft_model *model)
{
    return model->rows->grew || (model->columns != NULL && model->columns->grew);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Capacities are enlarged to the ids that are known now. */
static void make_room(weft_model *model)
{
    weft_player *player = model->player;
    int64_t room[2] = {0, 0};
    weft_player_room(player, &room[0], &room[1]);
    if (room[0] == 0)
        return;
    int64_t rows = larger(room[0], weft_ids_count(model->rows->ids));
    int64_t columns = model->columns != NULL ? larger(room[1], weft_ids_count(model->columns->ids)) : 0;
    player->ops->enlarge(player, rows, columns);
    weft__roster_limit(model->rows, rows);
    if (model->columns != NULL)
        weft__roster_limit(model->columns, columns);
}

void weft__model_rebase(weft_model *model)
{
    weft_player *player = model->player;
    if (!weft__model_grew(model))
        return;
    make_room(model);
    if (player->ops->rebase != NULL)
        player->ops->rebase(player);
    /* Theory knows kernels that stay. */
    player->disturbed = player->disturbed || player->ops->kind == WEFT_LEARNER;
    model->rows->grew = false;
    if (model->columns != NULL)
        model->columns->grew = false;
}

/* ---- In memory ---- */

static bool specs_agree(const weft_roster *a, const weft_roster *b)
{
    bool agree = weft__spec_agrees(&a->spec, &b->spec) && a->part_count == b->part_count;
    for (int64_t k = 0; agree && k < a->part_count; k++)
        agree = specs_agree(a->parts[k], b->parts[k]);
    return agree;
}

static weft_status check_alike(const weft_roster *old, const weft_roster *given, weft_error *error)
{
    if (given->owned)
        return weft__fail(error, WEFT_ARGUMENT, "the roster belongs to a player");
    if (!specs_agree(old, given))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "found %.150s, which contradicts the player: expected %.150s, with other files at most",
            given->text, old->text);
    if (!weft__can_grow(old) || !old->settled.known)
        return weft__fail(error, WEFT_UNSUPPORTED, "%.150s: it %s, so that it cannot grow", old->text,
                          old->facts.mapped ? "is played through a map of what was known at first"
                                            : "lists no ids");
    return WEFT_OK;
}

static weft_status make_roster(const weft_roster *old, const weft_roster *given, weft_roster **roster,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__known_ids known = {0};
    weft_roster *made = NULL;
    TRY(weft__growth_read(given, old, &made, error));
    TRY(weft__growth_known(old, &known, error));
    TRY(weft__model_grow_side(made, &known, true, error));
    TRY(weft__roster_make(made, error));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    weft__growth_known_free(&known);
    return status;
}

/* The state of the player over the rosters of the model, as another player. */
static weft_status read_again(const weft_player *player, weft_model *model, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__stored stored = {.memory = player->memory,
                           .progress = player->progress,
                           .committee = player->ops->kind == WEFT_COMMITTEE};
    unsigned char *bytes = NULL;
    TRY(weft_player_write(player, NULL, &stored.state_size, error));
    TRY(weft__new(&player->memory, (int64_t)stored.state_size, 1, &bytes, error));
    TRY(weft_player_write(player, bytes, &stored.state_size, error));
    stored.state = bytes;
    TRY(weft__model_read_state(&stored, model, error));
done:
    weft__delete(&player->memory, bytes);
    return status;
}

/* What kinds exchange is not what belongs to this object. */
static void move_over(weft_player *player, weft_player *made)
{
    const weft_player own = *player;
    player->ops->exchange(player, made);
    made->home = NULL;
    made->feed = NULL;
    made->profile = NULL;
    made->copies = NULL;
    bool disturbed = own.disturbed || player->disturbed;
    player->home = own.home;
    player->feed = own.feed;
    player->profile = own.profile;
    player->copies = own.copies;
    player->progress = own.progress;
    player->learnt = own.learnt;
    player->context = own.context;
    player->disturbed = disturbed;
}

/* The player keeps its address. */
static weft_status grow(weft_model *model, int which, const weft_roster *given, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_roster **place = which == WEFT_ROWS || model->columns == NULL ? &model->rows : &model->columns;
    weft_roster *old = *place, *made = NULL;
    weft_model fresh = *model;
    fresh.player = NULL;
    TRY(check_alike(old, given, error));
    if (!weft__growth_differ(old, given))
        goto done;
    TRY(make_roster(old, given, &made, error));
    *(place == &model->rows ? &fresh.rows : &fresh.columns) = made;
    TRY(read_again(model->player, &fresh, error));
    TRY(weft_player_set_threads(fresh.player, weft__model_threads(model->player), error));
    weft__drop_copies(model->player);
    move_over(model->player, fresh.player);
    weft__roster_let_in(made);
    made->owned = true;
    *place = made;
    made = NULL;
    weft_player_free(fresh.player);
    weft_roster_free(old);
    return WEFT_OK;
done:
    weft_player_free(fresh.player);
    weft_roster_free(made);
    return status;
}

weft_status weft_player_grow(weft_player *player, int which, weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(roster);
    TRY(weft__need_home(player, error));
    if (which != WEFT_ROWS && which != WEFT_COLUMNS)
        return weft__fail(error, WEFT_ARGUMENT, "which is %d, expected WEFT_ROWS or WEFT_COLUMNS", which);
    TRY(weft__need_sides(player, error));
    if (weft__feed_has_readers(player))
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "the player has readers, which look at its side information: free them first");
    TRY(grow(weft__home_model(player), which, roster, error));
    weft_roster_free(roster);
done:
    return status;
}

/* ---- Copies ---- */

static weft_status check_copy(const weft_roster *roster, const weft_roster *copy, weft_error *error)
{
    bool same = true;
    for (int64_t k = 0; same && k < weft_roster_source_count(roster); k++) {
        weft_source a = weft_roster_source(roster, k), b = weft_roster_source(copy, k);
        same = a.size == b.size && memcmp(a.digest, b.digest, sizeof a.digest) == 0;
    }
    if (same)
        return WEFT_OK;
    return weft__fail(error, WEFT_MODEL,
                      "%.150s: found another digest of a file than when the player was made, expected the "
                      "same: a copy reads its files again (weft_player_grow takes in what is new)",
                      roster->text);
}

weft_status weft__model_check_copy(const weft_model *model, const weft_model *copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_copy(model->rows, copy->rows, error));
    TRY(check_copy(model->columns, copy->columns, error));
done:
    return status;
}
