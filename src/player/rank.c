/* SPDX-License-Identifier: MIT
 *
 * A ranking: what is asked for is filled in, and the kind is asked.  Where it has no way of its own, by brute
 * force: every candidate is evaluated, and the best so far are kept in a heap with the worst of them on top.
 * Cost: one evaluation a candidate, and memory for as many as are asked for. */
#include "player/best.h"
#include "player/turn.h"

#include <stdlib.h>

typedef weft__placed placed;

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

weft_status weft__best_create(int64_t most, const weft_memory *memory, weft__best *best, weft_error *error)
{
    *best = (weft__best){.most = most};
    return weft__new(memory, most, sizeof *best->heap, &best->heap, error);
}

void weft__best_free(weft__best *best, const weft_memory *memory)
{
    weft__delete(memory, best->heap);
}

void weft__best_add(weft__best *best, int64_t id, const weft_answer *answer)
{
    placed found = {{id, *answer}, best->seen++};
    if (best->count < best->most) {
        best->heap[best->count] = found;
        rise(best->heap, best->count++);
    } else if (best->most > 0 && by_falling_score(&found, &best->heap[0]) < 0) {
        best->heap[0] = found;
        sink(best->heap, best->most);
    }
}

int64_t weft__best_list(weft__best *best, weft_ranked *ranked)
{
    qsort(best->heap, (size_t)best->count, sizeof *best->heap, by_falling_score);
    for (int64_t k = 0; k < best->count; k++)
        ranked[k] = best->heap[k].ranked;
    return best->count;
}

weft_status weft__rank_by_evaluating(weft_player *player, const weft_query *query, weft__progress *progress,
                                     weft_ranked *ranked, int64_t *found, weft_error *error)
{
    int64_t count = query->candidate_count;
    weft__best best = {0};
    weft_status status = WEFT_OK;
    TRY(weft__best_create(query->most < count ? query->most : count, &player->memory, &best, error));
    weft__progress_begin(progress, "ranking", 0);
    for (int64_t k = 0; k < count; k++) {
        int64_t id = query->candidates[k];
        const int64_t pair[2] = {query->column ? id : query->id, query->column ? query->id : id};
        weft_answer answer;
        TRY(player->ops->evaluate(player, pair, query->tolerance, &answer, error));
        weft__best_add(&best, id, &answer);
        weft__progress_expect(progress, (double)k / (double)count);
        if (weft__progress_heard(progress))
            TRY(weft__progress_step(progress, weft__player_work(player, &answer), error));
    }
    *found = weft__best_list(&best, ranked);
done:
    weft__best_free(&best, &player->memory);
    return status;
}

/* ---- Public ---- */

static weft_status check_query(const weft_query *query, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(query);
    if (query->most < 1 || query->candidate_count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "%s is %lld, expected at least %d",
                          query->most < 1 ? "most" : "candidate_count",
                          (long long)(query->most < 1 ? query->most : query->candidate_count),
                          query->most < 1);
    if (query->candidate_count > 0)
        TRY(weft__need(query->candidates, "candidates", error));
    TRY(weft__check_tolerance(query->tolerance, false, error));
done:
    return status;
}

/* The ids that have names; without any, those that are listed. */
static int64_t count_ids(const weft_player *player, int which)
{
    if (player->home != NULL)
        return player->home->count(player->home, which);
    return weft_side_count(which == WEFT_ROWS ? player->rows : player->columns);
}

/* The query with its defaults: every id of the other side, and a tolerance. */
static weft_status fill_query(const weft_player *player, const weft_query *query, weft_query *asked,
                              int64_t **all, weft_error *error)
{
    static const double tolerance = 0.02;
    weft_status status = WEFT_OK;
    NEED(query);
    *asked = *query;
    if (asked->tolerance == 0)
        asked->tolerance = tolerance;
    if (asked->candidates != NULL || asked->candidate_count != 0)
        return WEFT_OK;
    int64_t count = count_ids(player, query->column || player->columns == NULL ? WEFT_ROWS : WEFT_COLUMNS);
    TRY(weft__new(&player->memory, count, sizeof **all, all, error));
    for (int64_t k = 0; k < count; k++)
        (*all)[k] = k;
    asked->candidates = *all;
    asked->candidate_count = count;
done:
    return status;
}

weft_status weft_player_rank(weft_player *player, const weft_query *query, weft_ranked *ranked,
                             int64_t *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_query asked = {0};
    int64_t *all = NULL;
    NEED(player);
    TRY(fill_query(player, query, &asked, &all, error));
    TRY(check_query(&asked, error));
    NEED(ranked);
    NEED(found);
    TRY(weft__need_sides(player, error));
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "ranking", 0);
    weft__feed_hold(player);
    status = (player->ops->rank != NULL ? player->ops->rank : weft__rank_by_evaluating)(
        player, &asked, &progress, ranked, found, error);
    weft__feed_let_go(player);
done:
    if (player != NULL)
        weft__delete(&player->memory, all);
    return status;
}
