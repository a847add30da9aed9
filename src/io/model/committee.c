/* SPDX-License-Identifier: MIT
 *
 * Making the committee of a model again: the members are those that weft_committee_members lists over the
 * views of the rosters, as they were when it was made, so only their states are stored. */
#include "io/model/model.h"

#include "committee/committee.h"

/* More than a side has. */
enum { VIEWS = WEFT__VIEWS + 1 };

static weft_views views_of(const weft_roster *roster, weft_view list[VIEWS])
{
    weft_views views = {.list = list, .count = weft_roster_view_count(roster)};
    for (int64_t k = 0; k < views.count; k++)
        list[k] = weft_roster_view(roster, k);
    return views;
}

static weft_status list_members(const weft_model *model, const weft_memory *memory, weft_member **members,
                                int64_t *count, weft_error *error)
{
    weft_view lists[2][VIEWS];
    weft_views rows = views_of(model->rows, lists[0]), columns = {0}, *second = NULL;
    weft_status status = WEFT_OK;
    if (model->columns != NULL) {
        columns = views_of(model->columns, lists[1]);
        second = &columns;
    }
    TRY(weft_committee_members(&rows, second, NULL, count, error));
    TRY(weft__new(memory, *count, sizeof **members, members, error));
    TRY(weft_committee_members(&rows, second, *members, count, error));
done:
    return status;
}

weft_status weft__model_found(weft_model *model, const weft_committee_settings *settings,
                              const weft_memory *memory, weft_error *error)
{
    weft_member *members = NULL;
    int64_t count = 0;
    weft_status status = WEFT_OK;
    TRY(list_members(model, memory, &members, &count, error));
    TRY(weft_committee_create(members, count, settings, memory, &model->player, error));
done:
    weft__delete(memory, members);
    return status;
}

weft_status weft__model_committee(const weft__stored *stored, const weft_model *model, weft_player **player,
                                  weft_error *error)
{
    weft_member *members = NULL;
    weft__committee *made = NULL;
    int64_t count = 0;
    weft_status status = WEFT_OK;
    TRY(list_members(model, &stored->memory, &members, &count, error));
    weft__progress progress = weft__progress_of(&stored->progress);
    weft__progress_begin(&progress, "putting what was learnt in place", 0);
    TRY(weft__committee_restore(members, count, stored->state, stored->state_size,
                                (weft__making){&stored->memory, &progress}, &made, error));
    *player = &made->player;
done:
    weft__delete(&stored->memory, members);
    return status;
}
