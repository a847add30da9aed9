/* SPDX-License-Identifier: MIT */
#include "committee/change/kept_events.h"

#include "rival/hybrid.h"

const weft__replay *weft__kept_events(const weft__committee *committee)
{
    const weft__replay *most = NULL;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__replay *kept = weft__hybrid_replay(committee->members[k].player);
        if (kept != NULL && (most == NULL || weft__replay_kept(kept) > weft__replay_kept(most)))
            most = kept;
    }
    return most;
}

static weft_status learn_event(weft_player *player, const weft__relearning *what, int64_t k,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer answer = {0};
    const weft__event *event = weft__replay_event(what->events, k);
    const weft__numbers *numbers = what->numbers;
    int64_t pair[2] = {event->pair[0], event->pair[1]};
    for (int which = 0; which < 2 && numbers != NULL; which++)
        TRY(weft__renumbered(numbers, which, pair[which], &pair[which], error));
    player->context = weft__replay_context(what->events, k);
    TRY(player->ops->learn(player, pair, event->label, &answer, error));
done:
    return status;
}

weft_status weft__learn_kept_events(weft_player *player, const weft__relearning *what, double price,
                                    int64_t *learnt, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = 0;
    for (int64_t k = 0; what->events != NULL && k < weft__replay_kept(what->events); k++) {
        const weft__event *event = weft__replay_event(what->events, k);
        if (what->wanted != NULL && !what->wanted(event, what->context))
            continue;
        TRY(learn_event(player, what, k, error));
        TRY(weft__progress_step(what->progress, price, error));
        count++;
    }
    *learnt = count;
done:
    return status;
}
