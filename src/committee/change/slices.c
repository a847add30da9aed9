/* SPDX-License-Identifier: MIT
 *
 * A copy of a committee that goes on learning meanwhile, for its readers (player/feed.h).
 *
 * Method  A slice is some pieces of members (player/pieces.h), of all generations one after the other: as
 *         many as are written in a moment, at least one.  Every label tells what it has changed in each
 *         member.  What belongs to the committee itself and the rests of the members are small, and are the
 *         last slice.
 *         When a generation is born, or a member gives its memory back, the copy begins again: what the
 *         slices have is not all there any more.
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

/* Who the generations are, and members of all of them that have given their memory back. */
typedef struct lineage {
    bool there[2];
    int64_t born[2], emptied;
} lineage;

/* members[g * count + k] is member k of generation g; those of generations that are not there are empty. */
typedef struct committee_copy {
    weft__staged_copy base;
    weft_memory memory;
    int64_t count;
    double room; /* as the committee has it */
    weft_member *list;
    lineage lineage;
    int attempts;
    bool begun;
    int64_t from, heard; /* labels before the first slice, and before the last */
    int64_t next;        /* the member that is being copied */
    weft__pieces *members;
    unsigned char *bare; /* the state without its members */
    size_t bare_size;
} committee_copy;

static const weft__committee *generation(const weft__committee *committee, int64_t g)
{
    return g == 0 ? committee : committee->track != NULL ? committee->track->younger[g - 1] : NULL;
}

static int64_t members_of(const committee_copy *staged)
{
    return WEFT_GENERATIONS * staged->count;
}

/* Member number s of the copy; NULL: its generation is not there. */
static const weft_player *player_of(const committee_copy *staged, const weft__committee *committee, int64_t s)
{
    const weft__committee *of = generation(committee, s / staged->count);
    return of != NULL ? of->members[s % staged->count].player : NULL;
}

/* ---- Copying ---- */

static lineage lineage_of(const weft__committee *committee)
{
    lineage found = {{false, false}, {0, 0}, committee->emptied};
    for (int g = 0; committee->track != NULL && g < 2; g++) {
        found.there[g] = committee->track->younger[g] != NULL;
        found.born[g] = committee->track->born[g];
        found.emptied += found.there[g] ? committee->track->younger[g]->emptied : 0;
    }
    return found;
}

static bool is_same(const lineage *a, const lineage *b)
{
    return a->there[0] == b->there[0] && a->there[1] == b->there[1] && a->born[0] == b->born[0] &&
           a->born[1] == b->born[1] && a->emptied == b->emptied;
}

static void clear(committee_copy *staged)
{
    for (int64_t s = 0; s < members_of(staged); s++)
        weft__pieces_free(&staged->members[s]);
    staged->next = 0;
}

/* Pieces until the moment is over. */
static weft_status copy_members(committee_copy *staged, const weft__committee *committee,
                                const weft__slice *slice, weft_error *error)
{
    weft_status status = WEFT_OK;
    double end = weft__clock() + slice->moment;
    bool at_once = staged->attempts > MOST_ATTEMPTS;
    while (staged->next < members_of(staged)) {
        const weft_player *player = player_of(staged, committee, staged->next);
        weft__pieces *pieces = &staged->members[staged->next];
        if (player != NULL)
            TRY(weft__pieces_more(pieces, player, slice->bytes, error));
        staged->next += player == NULL || pieces->all;
        if (player != NULL && !at_once && weft__clock() >= end)
            break;
    }
done:
    return status;
}

/* The last slice. */
static weft_status copy_rest(committee_copy *staged, const weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t s = 0; s < members_of(staged); s++)
        if (player_of(staged, committee, s) != NULL)
            TRY(weft__pieces_end(&staged->members[s], player_of(staged, committee, s), error));
    staged->room = committee->room;
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
    lineage now = lineage_of(committee);
    if (!is_same(&now, &staged->lineage)) {
        clear(staged);
        staged->lineage = now;
        staged->begun = false;
        staged->attempts++;
    }
    staged->from = staged->begun ? staged->from : slice->heard;
    staged->begun = true;
    TRY(copy_members(staged, committee, slice, error));
    if (staged->next == members_of(staged)) {
        staged->heard = slice->heard;
        TRY(copy_rest(staged, committee, error));
        *whole = true;
    }
done:
    return status;
}

/* ---- What was told ---- */

/* Where what each member of the generations that are there has changed ends, from the end of that table on;
 * then what they have changed. */
static int64_t count_told(const weft__committee *committee)
{
    int64_t count = 0;
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        count += generation(committee, g) != NULL ? committee->count : 0;
    return count;
}

void weft__committee_put_told(const weft_player *player, const int64_t pair[2], weft__encoder *w)
{
    const weft__committee *committee = weft__committee_in(player);
    weft__encoder ends = *w;
    size_t start = w->size + 8 * (size_t)count_told(committee);
    w->size = start;
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        const weft__committee *of = generation(committee, g);
        for (int64_t k = 0; of != NULL && k < of->count; k++) {
            const weft_player *member = of->members[k].player;
            if (of->question.learnt[k])
                member->ops->put_changed(member, pair, w);
            weft__put_integer(&ends, (int64_t)(w->size - start));
        }
    }
}

/* What member s of the copy has changed. */
static weft__decoder told_of(const committee_copy *staged, int64_t s, const weft__kept_label *kept)
{
    int64_t g = s / staged->count, before = g == 0 ? 0 : g == 1 ? 1 : 1 + staged->lineage.there[0];
    int64_t all = staged->count * (1 + staged->lineage.there[0] + staged->lineage.there[1]);
    int64_t place = before * staged->count + s % staged->count, start = 0;
    weft__decoder r = weft__kept_label_told(kept), ends = r;
    weft__get_bytes(&ends, 8 * (place > 0 ? place - 1 : 0));
    if (place > 0)
        start = weft__get_integer(&ends);
    int64_t end = weft__get_integer(&ends);
    weft__get_bytes(&r, 8 * all + start);
    r.left = (size_t)(end - start);
    return r;
}

/* ---- Joining ---- */

static weft_status join_member(const committee_copy *staged, int64_t s, const weft__kept_label *labels,
                               weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__pieces *pieces = &staged->members[s];
    weft__decoder *list = NULL, rest = {pieces->rest, pieces->rest_size, false};
    int64_t count = pieces->count, heard = 0;
    TRY(weft__pieces_list(pieces, staged->heard - staged->from, &list, error));
    for (const weft__kept_label *l = labels; l != NULL && heard < staged->heard; l = l->next, heard++)
        if (heard >= staged->from)
            list[count++] = told_of(staged, s, l);
    TRY(weft__member_join(&staged->list[s % staged->count], list, count, rest, &staged->memory, player,
                          error));
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
    int64_t count = members_of(staged);
    TRY(weft__new(&staged->memory, count, sizeof(weft_player *), &players, error));
    for (int64_t s = 0; s < count; s++)
        if (staged->members[s].rest != NULL)
            TRY(join_member(staged, s, labels, &players[s], error));
    weft__committee_bytes from = {.buffer = staged->bare, .size = staged->bare_size, .players = players};
    TRY(weft__committee_read_from(staged->list, staged->count, &from, (weft__making){&staged->memory, NULL},
                                  &made, error));
    made->room = staged->room;
    *copy = &made->player;
done:
    for (int64_t s = 0; players != NULL && s < count; s++)
        weft_player_free(players[s]);
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
    self->lineage = lineage_of(committee);
    TRY(weft__committee_given(committee, &self->list, error));
    TRY(weft__new(&player->memory, members_of(self), sizeof *self->members, &self->members, error));
    for (int64_t s = 0; s < members_of(self); s++)
        self->members[s].memory = player->memory;
    *staged = &self->base;
    self = NULL;
done:
    if (self != NULL)
        release(&self->base);
    return status;
}
