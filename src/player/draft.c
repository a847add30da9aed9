/* SPDX-License-Identifier: MIT
 *
 * A copy of a learner or a rival: a slice is some pieces of its state (pieces.h).  The player is made of them
 * on another thread, which takes longer than all slices.  And how a player learns what another one has
 * told. */
#include "player/feed.h"
#include "player/pieces.h"

typedef struct pieces_draft {
    weft__draft base;
    const weft_side *sides[2];
    const weft__player_ops *ops;
    weft__pieces pieces;
    int64_t heard; /* lessons before the last slice */
} pieces_draft;

static weft_status more(weft__draft *draft, const weft_player *player, const weft__slice *slice, bool *whole,
                        weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_draft *self = (pieces_draft *)draft;
    double end = weft__clock() + slice->moment;
    do {
        TRY(weft__pieces_more(&self->pieces, player, slice->bytes, error));
    } while (!self->pieces.all && weft__clock() < end);
    if (self->pieces.all) {
        TRY(weft__pieces_end(&self->pieces, player, error));
        self->heard = slice->heard;
        *whole = true;
    }
done:
    return status;
}

weft__decoder weft__lesson_told(const weft__lesson *lesson)
{
    return (weft__decoder){lesson->bytes + lesson->news.size, lesson->told, false};
}

static weft_status join(weft__draft *draft, const weft__lesson *lessons, weft_player **copy,
                        weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_draft *self = (pieces_draft *)draft;
    weft__decoder *list = NULL;
    const weft__pieces *pieces = &self->pieces;
    weft__decoder rest = {pieces->rest, pieces->rest_size, false};
    TRY(weft__pieces_list(pieces, self->heard, &list, error));
    int64_t count = pieces->count;
    for (const weft__lesson *l = lessons; l != NULL && count < pieces->count + self->heard; l = l->next)
        list[count++] = weft__lesson_told(l);
    TRY(self->ops->join(self->sides, list, count, rest, &pieces->memory, copy, error));
done:
    weft__delete(&pieces->memory, list);
    return status;
}

static void release(weft__draft *draft)
{
    pieces_draft *self = (pieces_draft *)draft;
    weft_memory memory = self->pieces.memory;
    weft__pieces_free(&self->pieces);
    weft__delete(&memory, self);
}

weft_status weft__draft_of_pieces(const weft_player *player, weft__draft **draft, weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_draft *self = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *self, &self, error));
    *self = (pieces_draft){.base = {more, join, release},
                           .sides = {player->rows, player->columns},
                           .ops = player->ops,
                           .pieces = {.memory = player->memory}};
    *draft = &self->base;
done:
    return status;
}

weft_status weft__lesson_learn(const weft__lesson *lesson, weft_player *player, weft_error *error)
{
    const weft__news *news = &lesson->news;
    switch (news->way) {
    case WEFT__BY_RECORD:
        return weft_player_learn_late(player, news->record, news->size, news->label, NULL, error);
    case WEFT__BY_PAIR_ANEW:
        return weft_player_learn_anew(player, news->pair[0], news->pair[1], news->label, NULL, error);
    case WEFT__BY_PAIR:
        break;
    }
    return weft_player_learn(player, news->pair[0], news->pair[1], news->label, NULL, error);
}
