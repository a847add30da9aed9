/* SPDX-License-Identifier: MIT
 *
 * A ranking by brute force: every candidate is evaluated, then they are sorted.  Cost: one evaluation a
 * candidate. */
#include "player/player.h"

#include <stdlib.h>

/* An answer and the place that its id had, for equals. */
typedef struct placed {
    weft_ranked ranked;
    int64_t place;
} placed;

static int by_falling_score(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    double mine = a->ranked.answer.score, other = b->ranked.answer.score;
    if (mine != other)
        return mine > other ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static weft_status evaluate(weft_player *player, const weft_query *query, int64_t k, placed *found,
                            weft_error *error)
{
    int64_t id = query->candidates[k];
    const int64_t pair[2] = {query->column ? id : query->id, query->column ? query->id : id};
    found->place = k;
    found->ranked.id = id;
    return player->ops->evaluate(player, pair, query->tolerance, &found->ranked.answer, error);
}

weft_status weft__rank_by_evaluating(weft_player *player, const weft_query *query, weft__progress *progress,
                                     weft_ranked *ranked, int64_t *found, weft_error *error)
{
    int64_t count = query->candidate_count, most = query->most < count ? query->most : count;
    placed *all = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&player->memory, count, sizeof *all, &all, error));
    weft__progress_begin(progress, "ranking", 0);
    for (int64_t k = 0; k < count; k++) {
        TRY(evaluate(player, query, k, &all[k], error));
        weft__progress_expect(progress, (double)k / (double)count);
        if (weft__progress_heard(progress))
            TRY(weft__progress_step(progress, weft__player_work(player, &all[k].ranked.answer), error));
    }
    qsort(all, (size_t)count, sizeof *all, by_falling_score);
    for (int64_t k = 0; k < most; k++)
        ranked[k] = all[k].ranked;
    *found = most;
done:
    weft__delete(&player->memory, all);
    return status;
}
