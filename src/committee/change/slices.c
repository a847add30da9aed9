/* SPDX-License-Identifier: MIT
 *
 * A copy of a committee that goes on learning meanwhile, for its readers (player/feed.h).
 *
 * Method  A slice is the states of some members, of all generations one after the other: as many as are
 *         written in a moment, at least one.  So members are copied after different labels.  Each label tells
 *         which members have learnt it, and how; a member that was copied before the last slice learns from
 *         that what it has missed, exactly as it did in the committee (ask.c).  What belongs to the committee
 *         itself is small, and is the last slice.
 *         When a generation is born the copy begins again: what the slices have is not all there any more.
 *         That is rare, but where it happens too often the rest is copied in one slice.
 * Cost    Holding the committee: the time to write one member.  On the thread of the follower: that of
 *         reading the members, and of what they have missed. */
#include "committee/committee.h"
#include "player/feed.h"

/* How often the copy begins again. */
enum { MOST_ATTEMPTS = 3 };

/* How a member has learnt a label. */
enum { NOT_TOLD, TOLD_NOW, TOLD_LATE };

typedef struct slice {
    unsigned char *bytes;
    size_t size;
    int64_t heard; /* lessons before it was written */
} slice;

/* Who the generations are. */
typedef struct lineage {
    bool there[2];
    int64_t born[2];
} lineage;

/* Slice g * count + k is member k of generation g; those of generations that are not there are empty. */
typedef struct committee_draft {
    weft__draft base;
    weft_memory memory;
    int64_t count;
    weft_member *list;
    lineage lineage;
    int attempts;
    int64_t next;
    slice *slices;
    slice whole; /* the state without its members */
} committee_draft;

static const weft__committee *generation(const weft__committee *committee, int64_t g)
{
    return g == 0 ? committee : committee->track != NULL ? committee->track->younger[g - 1] : NULL;
}

static int64_t slices_of(const committee_draft *draft)
{
    return WEFT_GENERATIONS * draft->count;
}

/* ---- Copying ---- */

static lineage lineage_of(const weft__committee *committee)
{
    lineage found = {{false, false}, {0, 0}};
    for (int g = 0; committee->track != NULL && g < 2; g++) {
        found.there[g] = committee->track->younger[g] != NULL;
        found.born[g] = committee->track->born[g];
    }
    return found;
}

static bool is_same(const lineage *a, const lineage *b)
{
    return a->there[0] == b->there[0] && a->there[1] == b->there[1] && a->born[0] == b->born[0] &&
           a->born[1] == b->born[1];
}

static void clear(committee_draft *draft)
{
    for (int64_t s = 0; s < slices_of(draft); s++) {
        weft__delete(&draft->memory, draft->slices[s].bytes);
        draft->slices[s] = (slice){0};
    }
    draft->next = 0;
}

static weft_status copy_member(committee_draft *draft, const weft_player *player, slice *to,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(player->ops->write(player, NULL, &to->size, error));
    TRY(weft__new(&draft->memory, (int64_t)to->size, 1, &to->bytes, error));
    TRY(player->ops->write(player, to->bytes, &to->size, error));
done:
    return status;
}

/* Members until the moment is over. */
static weft_status copy_members(committee_draft *draft, const weft__committee *committee, int64_t heard,
                                double moment, weft_error *error)
{
    weft_status status = WEFT_OK;
    double end = weft__clock() + moment;
    bool all = draft->attempts > MOST_ATTEMPTS;
    do {
        slice *to = &draft->slices[draft->next];
        const weft__committee *of = generation(committee, draft->next / draft->count);
        to->heard = heard;
        if (of != NULL)
            TRY(copy_member(draft, of->members[draft->next % draft->count].player, to, error));
        draft->next++;
    } while (draft->next < slices_of(draft) && (all || weft__clock() < end));
done:
    return status;
}

static weft_status copy_whole(committee_draft *draft, const weft__committee *committee, int64_t heard,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    slice *to = &draft->whole;
    to->heard = heard;
    TRY(weft__committee_write_bare(committee, NULL, &to->size, error));
    TRY(weft__new(&draft->memory, (int64_t)to->size, 1, &to->bytes, error));
    TRY(weft__committee_write_bare(committee, to->bytes, &to->size, error));
done:
    return status;
}

static weft_status more(weft__draft *base, const weft_player *player, int64_t heard, double moment,
                        bool *whole, weft_error *error)
{
    weft_status status = WEFT_OK;
    committee_draft *draft = (committee_draft *)base;
    const weft__committee *committee = weft__committee_in(player);
    lineage now = lineage_of(committee);
    if (!is_same(&now, &draft->lineage)) {
        clear(draft);
        draft->lineage = now;
        draft->attempts++;
    }
    if (draft->next < slices_of(draft))
        TRY(copy_members(draft, committee, heard, moment, error));
    *whole = draft->next == slices_of(draft);
    if (*whole)
        status = copy_whole(draft, committee, heard, error);
done:
    *whole = *whole && status == WEFT_OK;
    return status;
}

/* ---- What was told ---- */

static void put_generation(weft__encoder *w, const weft__committee *committee)
{
    const weft__question *q = &committee->question;
    weft__put_integer(w, q->late);
    for (int64_t k = 0; k < committee->count; k++) {
        bool late = q->taught_late && q->awake[k];
        weft__put_integer(w, !q->learnt[k] ? NOT_TOLD : late ? TOLD_LATE : TOLD_NOW);
        weft__put_integer(w, q->said[k].label);
        weft__put_integer(w, q->said[k].products);
    }
}

void weft__committee_put_told(const weft_player *player, weft__encoder *w)
{
    const weft__committee *committee = weft__committee_in(player);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        if (generation(committee, g) != NULL)
            put_generation(w, generation(committee, g));
}

/* Generations before this one. */
static int64_t place_of(const committee_draft *draft, int64_t g)
{
    return g == 0 ? 0 : g == 1 ? 1 : 1 + draft->lineage.there[0];
}

/* Member k of generation g learns what it has missed. */
static weft_status catch_up(const committee_draft *draft, int64_t s, const weft__lesson *lesson,
                            weft_player *player, weft_error *error)
{
    int64_t g = s / draft->count, k = s % draft->count, row = 1 + 3 * draft->count;
    const weft__news *news = &lesson->news;
    weft_answer learnt;
    weft__decoder r = {lesson->bytes + news->size, lesson->told, false};
    weft__get_bytes(&r, 8 * row * place_of(draft, g));
    bool late = weft__get_integer(&r) != 0;
    weft__get_bytes(&r, 8 * 3 * k);
    int64_t how = weft__get_integer(&r);
    weft_answer said = {.label = (int)weft__get_integer(&r), .probability = 0.5};
    said.products = (int)weft__get_integer(&r);
    if (how == NOT_TOLD)
        return WEFT_OK;
    const int64_t *pair = news->pair;
    if (how == TOLD_NOW)
        return player->ops->learn(player, pair, news->label, &learnt, error);
    weft__late then = {.pair = {pair[0], pair[1]},
                       .label = news->label,
                       .labels = late ? -1 : player->ops->counters(player).t,
                       .answer = said};
    return player->ops->learn_late(player, &then, &learnt, error);
}

/* ---- Joining ---- */

static weft_status read_member(const committee_draft *draft, int64_t s, const weft__lesson *lessons,
                               weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    const slice *from = &draft->slices[s];
    int64_t heard = 0;
    TRY(weft__member_read(&draft->list[s % draft->count], from->bytes, from->size,
                          (weft__making){&draft->memory, NULL}, player, error));
    for (const weft__lesson *l = lessons; l != NULL && heard < draft->whole.heard; l = l->next, heard++)
        if (heard >= from->heard)
            TRY(catch_up(draft, s, l, *player, error));
done:
    return status;
}

static weft_status join(weft__draft *base, const weft__lesson *lessons, weft_player **copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    committee_draft *draft = (committee_draft *)base;
    weft_player **players = NULL;
    weft__committee *made = NULL;
    int64_t count = slices_of(draft);
    TRY(weft__new(&draft->memory, count, sizeof(weft_player *), &players, error));
    for (int64_t s = 0; s < count; s++)
        if (draft->slices[s].bytes != NULL)
            TRY(read_member(draft, s, lessons, &players[s], error));
    weft__committee_bytes from = {
        .buffer = draft->whole.bytes, .size = draft->whole.size, .players = players};
    TRY(weft__committee_read_from(draft->list, draft->count, &from, (weft__making){&draft->memory, NULL},
                                  &made, error));
    *copy = &made->player;
done:
    for (int64_t s = 0; players != NULL && s < count; s++)
        weft_player_free(players[s]);
    weft__delete(&draft->memory, players);
    return status;
}

static void release(weft__draft *base)
{
    committee_draft *draft = (committee_draft *)base;
    weft_memory memory = draft->memory;
    if (draft->slices != NULL)
        clear(draft);
    weft__delete(&memory, draft->slices);
    weft__delete(&memory, draft->whole.bytes);
    weft__delete(&memory, draft->list);
    weft__delete(&memory, draft);
}

weft_status weft__committee_draft(const weft_player *player, weft__draft **draft, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__committee *committee = weft__committee_in(player);
    committee_draft *self = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *self, &self, error));
    self->base = (weft__draft){more, join, release};
    self->memory = player->memory;
    self->count = committee->count;
    self->lineage = lineage_of(committee);
    TRY(weft__committee_given(committee, &self->list, error));
    TRY(weft__new(&player->memory, slices_of(self), sizeof *self->slices, &self->slices, error));
    *draft = &self->base;
    self = NULL;
done:
    if (self != NULL)
        release(&self->base);
    return status;
}
