/* SPDX-License-Identifier: MIT */
#include "cli/model/warmth.h"

#include "cli/model/model.h"
#include "program/new.h"

#include <stdlib.h>

/* A rival has no evidence. */
static void warm_up(const weft_player *player, bool one_set, warmth *known)
{
    for (int64_t k = 0; k < weft_player_evidence_count(player); k++) {
        weft_evidence_entry entry = weft_player_evidence(player, k);
        if (entry.count == 0)
            continue;
        known->warm[0][entry.row] = known->warm[1][entry.column] = true;
        if (one_set)
            known->warm[1][entry.row] = known->warm[0][entry.column] = true;
    }
}

void warmth_find(const weft_model *model, warmth *known)
{
    const weft_roster *rosters[2] = {model->rows, model_columns(model)};
    known->compact = model_is_compact(model);
    for (int side = 0; side < 2; side++) {
        known->hashed[side] = model_hashed(model, side);
        known->count[side] = weft_ids_count(weft_roster_ids(rosters[side]));
        known->warm[side] = new_array(known->count[side], sizeof(bool));
    }
    for (int64_t k = 0; k < weft_player_member_count(model->player); k++)
        warm_up(weft_player_member(model->player, k), model->columns == NULL, known);
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
