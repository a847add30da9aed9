/* SPDX-License-Identifier: MIT
 *
 * A copy of a committee that goes on learning meanwhile, for its readers (player/feed.h).
 *
 * Method  A slice is some pieces of members (player/pieces.h): as many as are written in a moment, at least
 *         one.  Every label tells what it has changed in each member.  What belongs to the committee itself
 *         and the rests of the members are small, and are the last slice.
 *         When a member gives its memory back, the copy begins again: what the slices have is not all there
 *         any more.
 *         That is rare, but where it happens too often the rest is copied in one slice.
 * Cost    Holding the committee: a moment and one piece, some ten kilobytes, however large a member is; at
 *         the end what is small.  A label that is learnt meanwhile also writes what it has changed.  On the
 *         thread of the follower: making the members. */
#include "base/monitor.h"
#include "committee/committee.h"
#include "player/pieces.h"
#include "player/staged_copy.h"

/* How often the copy begins again. */
enum { MOST_ATTEMPTS = 3 };

typedef struct committee_copy {
    weft__staged_copy base;
    weft_memory memory;
    int64_t count;
    double room, hold; /* as the committee has them */
    weft_member *list;
    int64_t emptied; /* members that had given their memory back when it began */
    int attempts;
    bool begun;
    int64_t from, heard; /* labels before the first slice, and before the last */
    int64_t next;        /* the member that is being copied */
    weft__pieces *members;
    unsigned char *bare; /* the state without its members */
    size_t bare_size;
} committee_copy;

/* ---- Copying ---- */

static void clear(committee_copy *staged)
{
    for (int64_t k = 0; k < staged->count; k++)
        weft__pieces_free(&staged->members[k]);
    staged->next = 0;
}

/* Pieces until the moment is over. */
static weft_status copy_members(committee_copy *staged, const weft__committee *committee,
                                const weft__slice *slice, weft_error *error)
{
    weft_status status = WEFT_OK;
    double end = weft__clock() + slice->moment;
    bool at_once = staged->attempts > MOST_ATTEMPTS;
    while (staged->next < staged->count) {
        weft__pieces *pieces = &staged->members[staged->next];
        TRY(weft__pieces_more(pieces, committee->members[staged->next].player, slice->bytes, error));
        staged->next += pieces->all;
        if (!at_once && weft__clock() >= end)
            break;
    }
done:
    return status;
}

/* The last slice. */
static weft_status copy_rest(committee_copy *staged, const weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < staged->count; k++)
        TRY(weft__pieces_end(&staged->members[k], committee->members[k].player, error));
    staged->room = committee->room;
    staged->hold = committee->hold;
    TRY(weft__committee_write_bare(committee, NULL, &staged->bare_size, error));
    TRY(weft__new(&staged->memory, (int64_t)staged->bare_size, 1, &staged->bare, error));
    TRY(weft__committee_write_bare(committee, staged->bare, &staged->bare_size, error));
done:
    return status;
}

static weft_status copy_slice(weft__staged_copy *base, const weft_player *player, const weft__slice *slice,
                              bool *whole, weft_error *error)
{
    weft_status status = WEFT_OK;
    committee_copy *staged = (committee_copy *)base;
    const weft__committee *committee = weft__committee_in(player);
    if (committee->emptied != staged->emptied) {
        clear(staged);
        staged->emptied = committee->emptied;
        staged->begun = false;
        staged->attempts++;
    }
    staged->from = staged->begun ? staged->from : slice->heard;
    staged->begun = true;
    TRY(copy_members(staged, committee, slice, error));
    if (staged->next == staged->count) {
        staged->heard = slice->heard;
        TRY(copy_rest(staged, committee, error));
        *whole = true;
    }
done:
    return status;
}

/* ---- What was told ---- */

/* Where what each member has changed ends, from the end of that table on; then what they have changed. */
void weft__committee_put_told(const weft_player *player, const int64_t pair[2], weft__encoder *w)
{
    const weft__committee *committee = weft__committee_in(player);
    weft__encoder ends = *w;
    size_t start = w->size + 8 * (size_t)committee->count;
    w->size = start;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft_player *member = committee->members[k].player;
        if (committee->question.learnt[k])
            member->ops->put_changed(member, pair, w);
        weft__put_integer(&ends, (int64_t)(w->size - start));
    }
}

/* What member k of the copy has changed. */
static weft__decoder told_of(const committee_copy *staged, int64_t k, const weft__kept_label *kept)
{
    int64_t start = 0;
    weft__decoder r = weft__kept_label_told(kept), ends = r;
    weft__get_bytes(&ends, 8 * (k > 0 ? k - 1 : 0));
    if (k > 0)
        start = weft__get_integer(&ends);
    int64_t end = weft__get_integer(&ends);
    weft__get_bytes(&r, 8 * staged->count + start);
    r.left = (size_t)(end - start);
    return r;
}

/* ---- Joining ---- */

static weft_status join_member(const committee_copy *staged, int64_t k, const weft__kept_label *labels,
                               weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__pieces *pieces = &staged->members[k];
    weft__decoder *list = NULL, rest = {pieces->rest, pieces->rest_size, false};
    int64_t count = pieces->count, heard = 0;
    TRY(weft__pieces_list(pieces, staged->heard - staged->from, &list, error));
    for (const weft__kept_label *l = labels; l != NULL && heard < staged->heard; l = l->next, heard++)
        if (heard >= staged->from)
            list[count++] = told_of(staged, k, l);
    TRY(weft__member_join(&staged->list[k], list, count, rest, &staged->memory, player, error));
done:
    weft__delete(&staged->memory, list);
    return status;
}

static weft_status join(weft__staged_copy *base, const weft__kept_label *labels, weft_player **copy,
                        weft_error *error)
{
    weft_status status = WEFT_OK;
    committee_copy *staged = (committee_copy *)base;
    weft_player **players = NULL;
    weft__committee *made = NULL;
    int64_t count = staged->count;
    TRY(weft__new(&staged->memory, count, sizeof(weft_player *), &players, error));
    for (int64_t k = 0; k < count; k++)
        TRY(join_member(staged, k, labels, &players[k], error));
    weft__committee_bytes from = {.buffer = staged->bare, .size = staged->bare_size, .players = players};
    TRY(weft__committee_read_from(staged->list, count, &from, (weft__making){&staged->memory, NULL}, &made,
                                  error));
    made->room = staged->room;
    made->hold = staged->hold;
    *copy = &made->player;
done:
    for (int64_t k = 0; players != NULL && k < count; k++)
        weft_player_free(players[k]);
    weft__delete(&staged->memory, players);
    return status;
}

static void release(weft__staged_copy *base)
{
    committee_copy *staged = (committee_copy *)base;
    weft_memory memory = staged->memory;
    if (staged->members != NULL)
        clear(staged);
    weft__delete(&memory, staged->members);
    weft__delete(&memory, staged->bare);
    weft__delete(&memory, staged->list);
    weft__delete(&memory, staged);
}

weft_status weft__committee_stage_copy(const weft_player *player, weft__staged_copy **staged,
                                       weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__committee *committee = weft__committee_in(player);
    committee_copy *self = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *self, &self, error));
    self->base = (weft__staged_copy){copy_slice, join, release};
    self->memory = player->memory;
    self->count = committee->count;
    self->emptied = committee->emptied;
    TRY(weft__committee_given(committee, &self->list, error));
    TRY(weft__new(&player->memory, self->count, sizeof *self->members, &self->members, error));
    for (int64_t k = 0; k < self->count; k++)
        self->members[k].memory = player->memory;
    *staged = &self->base;
    self = NULL;
done:
    if (self != NULL)
        release(&self->base);
    return status;
}
