/* SPDX-License-Identifier: MIT */
#include "cli/model/warmth.h"

#include "cli/model/model.h"
#include "program/new.h"

#include <stdlib.h>

void warmth_find(const weft_model *model, warmth *known)
{
    const weft_roster *rosters[2] = {model->rows, model_columns(model)};
    known->compact = model_is_compact(model);
    for (int side = 0; side < 2; side++) {
        known->hashed[side] = model_hashed(model, side);
        known->count[side] = weft_ids_count(weft_roster_ids(rosters[side]));
        known->warm[side] = new_array(known->count[side], sizeof(bool));
        weft_player_met(model->player, side == 0 ? WEFT_ROWS : WEFT_COLUMNS, known->count[side],
                        known->warm[side]);
    }
}

void warmth_free(warmth *known)
{
    free(known->warm[0]);
    free(known->warm[1]);
}

const char *warmth_of(const warmth *known, int side, int64_t id)
{
    if (known->hashed[side])
        return "hashed";
    if (id >= known->count[side])
        return "new";
    if (known->compact)
        return "listed";
    return known->warm[side][id] ? "warm" : "cold";
}
