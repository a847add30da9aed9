/* SPDX-License-Identifier: MIT
 *
 * A copy of a player whose kind knows no slices: its state is written in one go, which is quick, and read on
 * another thread, which is not.  And how a player learns what another one has told. */
#include "player/feed.h"

typedef struct state_draft {
    weft__draft base;
    weft_memory memory;
    const weft_side *rows, *columns;
    const weft__player_ops *ops;
    unsigned char *bytes;
    size_t size;
} state_draft;

static weft_status more(weft__draft *draft, const weft_player *player, int64_t heard, double moment,
                        bool *whole, weft_error *error)
{
    weft_status status = WEFT_OK;
    state_draft *self = (state_draft *)draft;
    (void)heard;
    (void)moment;
    TRY(player->ops->write(player, NULL, &self->size, error));
    TRY(weft__new(&self->memory, (int64_t)self->size, 1, &self->bytes, error));
    TRY(player->ops->write(player, self->bytes, &self->size, error));
    *whole = true;
done:
    return status;
}

/* Nothing was told between the first slice and the last, which are one. */
static weft_status join(weft__draft *draft, const weft__lesson *lessons, weft_player **copy,
                        weft_error *error)
{
    state_draft *self = (state_draft *)draft;
    (void)lessons;
    return self->ops->read(self->rows, self->columns, self->bytes, self->size, &self->memory, copy, error);
}

static void release(weft__draft *draft)
{
    state_draft *self = (state_draft *)draft;
    weft_memory memory = self->memory;
    weft__delete(&memory, self->bytes);
    weft__delete(&memory, self);
}

weft_status weft__draft_of_state(const weft_player *player, weft__draft **draft, weft_error *error)
{
    weft_status status = WEFT_OK;
    state_draft *self = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *self, &self, error));
    *self = (state_draft){.base = {more, join, release},
                          .memory = player->memory,
                          .rows = player->rows,
                          .columns = player->columns,
                          .ops = player->ops};
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
