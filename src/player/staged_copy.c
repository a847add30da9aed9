/* SPDX-License-Identifier: MIT
 *
 * A copy of a learner or a rival: a slice is some pieces of its state (pieces.h).  The player is made of them
 * on another thread, which takes longer than all slices.  And how a player learns what another one has
 * told. */
#include "player/staged_copy.h"

#include "base/monitor.h"
#include "player/pieces.h"

typedef struct pieces_copy {
    weft__staged_copy base;
    const weft_side *sides[2];
    const weft__player_ops *ops;
    weft__pieces pieces;
    int64_t heard; /* labels before the last slice */
} pieces_copy;

static weft_status copy_slice(weft__staged_copy *staged, const weft_player *player, const weft__slice *slice,
                              bool *whole, weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_copy *self = (pieces_copy *)staged;
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

weft__decoder weft__kept_label_told(const weft__kept_label *kept)
{
    return (weft__decoder){kept->bytes + kept->learnt.size, kept->told, false};
}

static weft_status join(weft__staged_copy *staged, const weft__kept_label *labels, weft_player **copy,
                        weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_copy *self = (pieces_copy *)staged;
    weft__decoder *list = NULL;
    const weft__pieces *pieces = &self->pieces;
    weft__decoder rest = {pieces->rest, pieces->rest_size, false};
    TRY(weft__pieces_list(pieces, self->heard, &list, error));
    int64_t count = pieces->count;
    for (const weft__kept_label *l = labels; l != NULL && count < pieces->count + self->heard; l = l->next)
        list[count++] = weft__kept_label_told(l);
    TRY(self->ops->join(self->sides, list, count, rest, &pieces->memory, copy, error));
done:
    weft__delete(&pieces->memory, list);
    return status;
}

static void release(weft__staged_copy *staged)
{
    pieces_copy *self = (pieces_copy *)staged;
    weft_memory memory = self->pieces.memory;
    weft__pieces_free(&self->pieces);
    weft__delete(&memory, self);
}

weft_status weft__staged_copy_of_pieces(const weft_player *player, weft__staged_copy **staged,
                                        weft_error *error)
{
    weft_status status = WEFT_OK;
    pieces_copy *self = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *self, &self, error));
    *self = (pieces_copy){.base = {copy_slice, join, release},
                          .sides = {player->rows, player->columns},
                          .ops = player->ops,
                          .pieces = {.memory = player->memory}};
    *staged = &self->base;
done:
    return status;
}

weft_status weft__kept_label_learn(const weft__kept_label *kept, weft_player *player, weft_error *error)
{
    const weft__label_event *learnt = &kept->learnt;
    player->context = learnt->context;
    switch (learnt->way) {
    case WEFT__BY_RECORD:
        return weft_player_learn_late(player, learnt->record, learnt->size, learnt->label, NULL, error);
    case WEFT__BY_PAIR_ANEW:
        return weft_player_learn_anew(player, learnt->pair[0], learnt->pair[1], learnt->label, NULL, error);
    case WEFT__BY_PAIR:
        break;
    }
    return weft_player_learn(player, learnt->pair[0], learnt->pair[1], learnt->label, NULL, error);
}
