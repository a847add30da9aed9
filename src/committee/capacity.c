/* SPDX-License-Identifier: MIT
 * Room for ids: that of the learners, which all have the same.  Over one set of ids there are learners that
 * take it for rows and for columns. */
#include "committee/capacity.h"

#include "committee/committee.h"

/* The room for columns that goes with this one. */
static int64_t columns_of(const weft__committee *committee, const weft_player *member, int64_t rows,
                          int64_t columns)
{
    if (member->columns == NULL)
        return 0;
    return committee->player.columns == NULL ? rows : columns;
}

/* Whether a member has room of its own. */
static bool has_room(const weft__committee *committee, int64_t k)
{
    return committee->members[k].player->ops->enlarge != NULL;
}

static const weft_player *find_first(const weft__committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++)
        if (has_room(committee, k))
            return committee->members[k].player;
    return NULL;
}

bool weft__committee_room(const weft__committee *committee, int64_t room[2])
{
    const weft_player *first = find_first(committee);
    int64_t all[2] = {0, 0}, own[2] = {0, 0};
    if (first == NULL)
        return false;
    first->ops->room(first, all);
    if (committee->player.columns == NULL)
        all[1] = 0;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft_player *member = committee->members[k].player;
        if (!has_room(committee, k))
            continue;
        member->ops->room(member, own);
        if (own[0] != all[0] || own[1] != columns_of(committee, member, all[0], all[1]))
            return false;
    }
    room[0] = all[0];
    room[1] = all[1];
    return true;
}

/* Of one generation. */
static void enlarge(weft__committee *committee, int64_t rows, int64_t columns)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft__seat *member = &committee->members[k];
        if (!has_room(committee, k))
            continue;
        member->player->ops->enlarge(member->player, rows,
                                     columns_of(committee, member->player, rows, columns));
        member->given.learner = weft_learner_settings(member->player);
    }
    committee->question.valid = false;
}

void weft__committee_enlarge(weft__committee *committee, int64_t rows, int64_t columns)
{
    enlarge(committee, rows, columns);
    for (int g = 0; committee->track != NULL && g < 2; g++)
        if (committee->track->younger[g] != NULL)
            enlarge(committee->track->younger[g], rows, columns);
}
