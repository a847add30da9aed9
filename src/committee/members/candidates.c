/* SPDX-License-Identifier: MIT
 *
 * Cost  8 bytes a member and candidate of a block, and what strangers.c says. */
#include "committee/members/candidates.h"

#include "committee/committee.h"
#include "rival/rival.h"

void weft__candidates_close(weft__committee *committee)
{
    weft__candidates *candidates = committee->candidates;
    if (candidates == NULL)
        return;
    committee->candidates = NULL;
    /* What was said of the last one is not kept. */
    weft__question_drop(&committee->question);
    weft__block_free(&candidates->block);
    weft__strangers_free(committee, &candidates->strangers);
    weft__delete(&committee->player.memory, candidates->odds);
    weft__delete(&committee->player.memory, candidates->at_once);
    weft__delete(&committee->player.memory, candidates);
}

weft_status weft__candidates_open(weft__committee *committee, int place, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &committee->player.memory;
    int64_t count = committee->count;
    TRY(weft__new(memory, 1, sizeof *committee->candidates, &committee->candidates, error));
    weft__candidates *made = committee->candidates;
    made->block = weft__block_of(place, id, memory);
    TRY(weft__new(memory, count * WEFT__BLOCK, sizeof *made->odds, &made->odds, error));
    TRY(weft__new(memory, count, sizeof *made->at_once, &made->at_once, error));
    TRY(weft__strangers_create(committee, place, &made->strangers, error));
    for (int64_t k = 0; k < count; k++)
        made->strangers.known[k] = made->at_once[k] = weft__rival_has_many(committee->members[k].player);
done:
    if (status != WEFT_OK)
        weft__candidates_close(committee);
    return status;
}

/* ---- Asking ---- */

weft_status weft__candidates_turn(weft__committee *committee, const int64_t *ids, int64_t count,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__candidates *candidates = committee->candidates;
    weft__block_turn(&candidates->block, ids, count);
    for (int64_t k = 0; k < committee->count; k++) {
        weft_player *player = committee->members[k].player;
        player->context = committee->player.context;
        if (committee->awake[k] && candidates->at_once[k])
            TRY(weft__rival_odds_many(player, &candidates->block, candidates->odds + k * WEFT__BLOCK, error));
    }
done:
    return status;
}

void weft__candidates_move(weft__committee *committee, int64_t at)
{
    committee->candidates->at = at;
    weft__question_drop(&committee->question);
}

bool weft__candidates_look(weft__committee *committee)
{
    weft__candidates *candidates = committee->candidates;
    if (!weft__strangers_look(committee, &candidates->strangers, candidates->at_once))
        return false;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k])
            weft__candidates_know(candidates, k, &committee->question.said[k]);
    return true;
}

bool weft__candidates_know(const weft__candidates *candidates, int64_t k, weft_answer *answer)
{
    double odds;
    if (candidates == NULL)
        return false;
    if (!weft__candidates_odds(candidates, k, &odds))
        return weft__strangers_answer(&candidates->strangers, k, answer);
    answer->label = odds >= 0 ? 1 : -1;
    return true;
}

void weft__candidates_keep(weft__candidates *candidates, int64_t k, const weft_answer *answer)
{
    if (candidates != NULL)
        weft__strangers_keep(&candidates->strangers, k, answer);
}

bool weft__candidates_odds(const weft__candidates *candidates, int64_t k, double *odds)
{
    if (candidates == NULL || !candidates->at_once[k])
        return false;
    *odds = candidates->odds[k * WEFT__BLOCK + candidates->at];
    return true;
}
