/* SPDX-License-Identifier: MIT
 *
 * Taking one id out of a committee.
 *
 * Method     Learners take its evidence out.  The weights of rivals cannot be taken apart: they start anew,
 *            and those awake learn the last events again that a hybrid factorisation keeps
 *            (rival/replay.h), but for those of the id.  So what they know then depends on what remains
 *            alone.  Beyond these events, or without such a member, they have forgotten everything else.
 * Cost       That of learning as many events. */
#include "committee/change/kept_events.h"
#include "committee/change/replacement.h"

/* Which sides of a member have the id that is to go. */
typedef struct target {
    int64_t id;
    bool row, column;
    weft__progress *progress;
} target;

/* ---- What remains ---- */

static bool remains(const weft__event *event, const void *context)
{
    const target *what = context;
    return !(what->row && event->pair[0] == what->id) && !(what->column && event->pair[1] == what->id);
}

/* ---- Members ---- */

static weft_status forget_id(const weft_player *player, const target *what, weft_player **without,
                             weft_error *error)
{
    weft__progress *progress = what->progress;
    weft_status status = WEFT_OK;
    weft_player *copy = NULL;
    TRY(player->ops->clone(player, progress, &copy, error));
    if (what->row)
        TRY(copy->ops->forget(copy, WEFT_ROWS, what->id, progress, error));
    if (what->column && player->columns != NULL)
        TRY(copy->ops->forget(copy, WEFT_COLUMNS, what->id, progress, error));
    *without = copy;
    copy = NULL;
done:
    weft_player_free(copy);
    return status;
}

static weft_status start_anew(const weft_player *player, const target *what, weft_player **fresh,
                              weft_error *error)
{
    const weft_side *side = what->row ? player->rows : player->columns;
    if (!weft__side_has(side, what->id))
        return weft__fail_at(error, WEFT_UNKNOWN_ID, what->id, -1, "%s %lld is not known: there are %lld",
                             what->row ? "row" : "column", (long long)what->id, (long long)side->count);
    return player->ops->sibling(player, fresh, error);
}

static bool begins_anew(const weft__member_state *member)
{
    return member->player->ops->forget == NULL;
}

/* What the members are to know; *learnt are the labels of those that begin anew. */
static weft_status without(const weft__committee *committee, const target *what, weft_player ***made,
                           int64_t *learnt, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player **list = NULL;
    int64_t count = committee->count;
    weft__relearning kept = {weft__kept_events(committee), NULL, remains, what, what->progress};
    TRY(weft__new(&committee->player.memory, count, sizeof(weft_player *), &list, error));
    weft__progress_begin(what->progress, "the last labels once more", 0);
    for (int64_t k = 0; k < count; k++) {
        const weft__member_state *member = &committee->members[k];
        bool anew = begins_anew(member);
        TRY((anew ? start_anew : forget_id)(member->player, what, &list[k], error));
        if (anew && committee->awake[k])
            TRY(weft__learn_kept_events(list[k], &kept, member->price, learnt, error));
    }
    *made = list;
    list = NULL;
done:
    weft__replacements_free(&committee->player.memory, list, count);
    return status;
}

/* A rival that has learnt the last labels means by its scores what it meant before. */
static void take_over(weft__committee *committee, weft_player **list, int64_t learnt)
{
    weft__replacements_exchange(committee, list);
    for (int64_t k = 0; k < committee->count; k++)
        if (begins_anew(&committee->members[k]))
            committee->members[k].seen = committee->awake[k] ? learnt : 0;
    weft__committee_reset_standing(committee, begins_anew, learnt > 0);
}

static weft_status forget(weft__committee *committee, const target *what, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player **list = NULL;
    int64_t learnt = 0;
    TRY(without(committee, what, &list, &learnt, error));
    take_over(committee, list, learnt);
done:
    weft__replacements_free(&committee->player.memory, list, committee->count);
    return status;
}

weft_status weft__committee_forget(weft__committee *committee, int which, int64_t id,
                                   weft__progress *progress, weft_error *error)
{
    bool one_set = committee->player.columns == NULL;
    target what = {id, one_set || which == WEFT_ROWS, one_set || which == WEFT_COLUMNS, progress};
    weft_status status = forget(committee, &what, error);
    committee->epoch += status == WEFT_OK;
    return status;
}
