/* SPDX-License-Identifier: MIT */
#include "cli/report/committee.h"

#include "program/fail.h"
#include "program/new.h"
#include "weft_files.h"

#include <stdlib.h>

/* The views of a roster; *list is the caller's to free. */
static void gather_views(const weft_roster *roster, weft_view **list, weft_views *views)
{
    int64_t count = weft_roster_view_count(roster);
    *list = new_array(count, sizeof **list);
    for (int64_t k = 0; k < count; k++)
        (*list)[k] = weft_roster_view(roster, k);
    *views = (weft_views){.list = *list, .count = count};
}

static weft_status choose_members(const weft_views *rows, const weft_views *columns, member_list *list,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_committee_members(rows, columns, NULL, &list->count, error));
    list->members = new_array(list->count, sizeof *list->members);
    TRY(weft_committee_members(rows, columns, list->members, &list->count, error));
done:
    return status;
}

weft_status committee_list_without(const weft_roster *const rosters[2], const weft_side *const none[2],
                                   member_list *list, weft_error *error)
{
    weft_view *lists[2] = {NULL, NULL}, blank[2];
    weft_views views[2] = {{0}, {0}};
    for (int k = 0; k < 2 && rosters[k] != NULL; k++) {
        blank[k] = (weft_view){.kind = WEFT_VIEW_NONE, .side = none[k]};
        if (none[k] != NULL)
            views[k] = (weft_views){.list = &blank[k], .count = 1};
        else
            gather_views(rosters[k], &lists[k], &views[k]);
    }
    weft_status status = choose_members(&views[0], rosters[1] != NULL ? &views[1] : NULL, list, error);
    free(lists[1]);
    free(lists[0]);
    return status;
}

weft_status committee_list(const weft_roster *rows, const weft_roster *columns, member_list *list,
                           weft_error *error)
{
    const weft_roster *const rosters[2] = {rows, columns};
    const weft_side *const none[2] = {NULL, NULL};
    return committee_list_without(rosters, none, list, error);
}

int64_t committee_learners(const weft_player *committee)
{
    int64_t learners = 0;
    for (int64_t k = 0; k < weft_player_member_count(committee); k++)
        learners += weft_player_kind(weft_player_member(committee, k)) == WEFT_LEARNER &&
                    !weft_committee_standing(committee, k).in_reserve;
    return learners;
}

int64_t committee_players(const weft_player *committee)
{
    int64_t players = 0;
    for (int64_t k = 0; k < weft_player_member_count(committee); k++)
        players += !weft_committee_standing(committee, k).in_reserve;
    return players;
}

int64_t committee_leader(const weft_player *committee)
{
    const weft_player *leader = weft_committee_leader(committee);
    for (int64_t k = 0; leader != NULL && k < weft_player_member_count(committee); k++)
        if (weft_player_member(committee, k) == leader)
            return k;
    return -1;
}
