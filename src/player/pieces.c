/* SPDX-License-Identifier: MIT */
#include "player/pieces.h"

void weft__pieces_free(weft__pieces *pieces)
{
    for (weft__piece *piece = pieces->first, *next; piece != NULL; piece = next) {
        next = piece->next;
        weft__delete(&pieces->memory, piece->bytes);
        weft__delete(&pieces->memory, piece);
    }
    weft__delete(&pieces->memory, pieces->rest);
    *pieces = (weft__pieces){.memory = pieces->memory};
}

weft_status weft__pieces_more(weft__pieces *pieces, const weft_player *player, size_t bytes,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &pieces->memory;
    weft__piece *piece = NULL;
    int64_t at[2] = {pieces->at[0], pieces->at[1]};
    weft__encoder counting = {NULL, 0};
    bool all = !player->ops->put_entries(player, at, bytes, &counting);
    if (counting.size > 0) {
        TRY(weft__new(memory, 1, sizeof *piece, &piece, error));
        TRY(weft__new(memory, (int64_t)counting.size, 1, &piece->bytes, error));
        piece->size = counting.size;
        weft__encoder writing = {piece->bytes, 0};
        player->ops->put_entries(player, pieces->at, bytes, &writing);
        *(pieces->last != NULL ? &pieces->last->next : &pieces->first) = piece;
        pieces->last = piece;
        pieces->count++;
        piece = NULL;
    }
    pieces->at[0] = at[0];
    pieces->at[1] = at[1];
    pieces->all = all;
done:
    weft__delete(memory, piece);
    return status;
}

weft_status weft__pieces_end(weft__pieces *pieces, const weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__encoder counting = {NULL, 0};
    player->ops->put_rest(player, &counting);
    TRY(weft__new(&pieces->memory, (int64_t)counting.size, 1, &pieces->rest, error));
    weft__encoder writing = {pieces->rest, 0};
    player->ops->put_rest(player, &writing);
    pieces->rest_size = counting.size;
done:
    return status;
}

weft_status weft__pieces_list(const weft__pieces *pieces, int64_t told, weft__decoder **list,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t k = 0;
    TRY(weft__new(&pieces->memory, pieces->count + told, sizeof **list, list, error));
    for (const weft__piece *piece = pieces->first; piece != NULL; piece = piece->next)
        (*list)[k++] = (weft__decoder){piece->bytes, piece->size, false};
done:
    return status;
}
