/* SPDX-License-Identifier: MIT
 * The state of a rival in pieces (player/pieces.h): what the kinds have in common. */
#include "rival/rival.h"

bool weft__rival_put_entries(const weft_player *player, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const weft__rival *rival = weft__rival_in(player);
    return rival->ops->put_entries(rival, at, bytes, writer);
}

void weft__rival_put_changed(const weft_player *player, const int64_t pair[2], weft__encoder *writer)
{
    const weft__rival *rival = weft__rival_in(player);
    int64_t ordered[2];
    weft__rival_order(rival, pair, ordered);
    rival->ops->put_changed(rival, ordered, writer);
}

void weft__rival_put_rest(const weft_player *player, weft__encoder *writer)
{
    const weft__rival *rival = weft__rival_in(player);
    weft__rival_put_head(rival, writer);
    rival->ops->put_rest(rival, writer);
}

weft_status weft__rival_join(const weft_side *const sides[2], const weft__decoder *entries, int64_t count,
                             weft__decoder rest, const weft_memory *memory, weft_player **player,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *made = NULL;
    TRY(weft__rival_from_head(sides[0], sides[1], &rest, memory, &made, error));
    for (int64_t i = 0; i < count; i++) {
        weft__decoder reader = entries[i];
        TRY(made->ops->take(made, &reader, error));
    }
    TRY(made->ops->take_rest(made, &rest, error));
    *player = &made->player;
    made = NULL;
done:
    weft__rival_free(made);
    return status;
}
