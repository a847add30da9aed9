/* SPDX-License-Identifier: MIT
 * What is known of the event that is asked about next. */
#include "player/feed.h"
#include "player/turn.h"

weft_status weft_player_set_context(weft_player *player, const uint64_t *digests, int64_t count,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    TRY(weft__context_take(&player->context, digests, count, error));
done:
    return status;
}

weft_status weft_reader_set_context(weft_reader *reader, const uint64_t *digests, int64_t count,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(reader);
    TRY(weft__context_take(&reader->context, digests, count, error));
done:
    return status;
}
