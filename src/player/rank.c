/* SPDX-License-Identifier: MIT
 *
 * A ranking by brute force: every candidate is evaluated, and the best so far are kept in a heap with the
 * worst of them on top. Cost: one evaluation a candidate, and memory for as many as are asked for. */
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

/* Invariant: heap[k] is no better than heap[2k + 1] and heap[2k + 2]. */
static void sink(placed *heap, int64_t count)
{
    placed moving = heap[0];
    int64_t at = 0, below;
    while ((below = 2 * at + 1) < count) {
        below += below + 1 < count && by_falling_score(&heap[below + 1], &heap[below]) > 0;
        if (by_falling_score(&moving, &heap[below]) >= 0)
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = moving;
}

static void rise(placed *heap, int64_t at)
{
    placed moving = heap[at];
    for (; at > 0 && by_falling_score(&moving, &heap[(at - 1) / 2]) > 0; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moving;
}

/* Number k is among the `most` best so far, or not. */
static void take_in(placed *heap, int64_t k, int64_t most, const placed *found)
{
    if (k < most) {
        heap[k] = *found;
        rise(heap, k);
    } else if (most > 0 && by_falling_score(found, &heap[0]) < 0) {
        heap[0] = *found;
        sink(heap, most);
    }
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
    placed *best = NULL, next;
    weft_status status = WEFT_OK;
    TRY(weft__new(&player->memory, most, sizeof *best, &best, error));
    weft__progress_begin(progress, "ranking", 0);
    for (int64_t k = 0; k < count; k++) {
        TRY(evaluate(player, query, k, &next, error));
        take_in(best, k, most, &next);
        weft__progress_expect(progress, (double)k / (double)count);
        if (weft__progress_heard(progress))
            TRY(weft__progress_step(progress, weft__player_work(player, &next.ranked.answer), error));
    }
    qsort(best, (size_t)most, sizeof *best, by_falling_score);
    for (int64_t k = 0; k < most; k++)
        ranked[k] = best[k].ranked;
    *found = most;
done:
    weft__delete(&player->memory, best);
    return status;
}
