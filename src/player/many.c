/* SPDX-License-Identifier: MIT
 *
 * Many pairs in one call.
 *
 * Method  A player answers one pair at a time, for it has a workspace, so each thread but the first asks a
 *         copy.  Copies are kept until the player changes: a program that asks again and again makes them
 *         once.  An answer depends on the state and the pair alone (weft_player_evaluate), so it does not
 *         matter which copy is asked, and the number of threads changes no bit.
 * Cost    That of the answers, and a copy of the state for each thread after the first.  Threads take
 *         pairs by turns. */
#include "base/thread_pool.h"
#include "player/feed.h"

struct weft__copies {
    weft__thread_pool *pool;
    int count; /* of players that can be asked at once, the original among them */
    weft_player *player[WEFT_THREAD_LIMIT];
    weft_error *errors; /* one a player: what its share of a batch failed with */
};

void weft__drop_copies(weft_player *player)
{
    weft__copies *copies = player->copies;
    if (copies == NULL)
        return;
    player->copies = NULL;
    weft__thread_pool_free(copies->pool);
    for (int k = 1; k < copies->count; k++)
        weft_player_free(copies->player[k]);
    weft__delete(&player->memory, copies->errors);
    weft__delete(&player->memory, copies);
}

static weft_status make_copy(const weft_player *player, weft_player **copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player *made = NULL;
    TRY(player->ops->clone(player, &made, error));
    TRY(weft_player_set_threads(made, 1, error));
    *copy = made;
    made = NULL;
done:
    weft_player_free(made);
    return status;
}

/* As many as there are threads. */
static weft_status make_copies(weft_player *player, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (player->copies != NULL && player->copies->count == threads)
        return WEFT_OK;
    weft__drop_copies(player);
    TRY(weft__new(&player->memory, 1, sizeof *player->copies, &player->copies, error));
    weft__copies *copies = player->copies;
    copies->player[0] = player;
    TRY(weft__new(&player->memory, threads, sizeof *copies->errors, &copies->errors, error));
    for (copies->count = 1; copies->count < threads; copies->count++)
        TRY(make_copy(player, &copies->player[copies->count], error));
    TRY(weft__thread_pool_create(threads, &player->memory, &copies->pool, error));
done:
    if (status != WEFT_OK)
        weft__drop_copies(player);
    return status;
}

/* ---- Asking ---- */

typedef struct batch {
    weft_player *const *player;
    int players;
    int64_t count;
    const int64_t *pairs; /* row and column of each */
    double tolerance;
    weft_answer *answers;
    weft_error *errors;                /* of each player */
    int64_t failed[WEFT_THREAD_LIMIT]; /* the first pair that player k could not answer, or `count` */
} batch;

/* Player k answers pairs k, k + players, ... */
static void answer_share(void *self, int64_t k)
{
    batch *b = self;
    weft_player *player = b->player[k];
    int64_t i = k;
    while (i < b->count && player->ops->evaluate(player, b->pairs + 2 * i, b->tolerance, &b->answers[i],
                                                 &b->errors[k]) == WEFT_OK)
        i += b->players;
    b->failed[k] = i < b->count ? i : b->count;
}

/* Fails as the first pair does that was not answered. */
static weft_status answer_all(batch *b, weft__thread_pool *pool, weft_error *error)
{
    int first = 0;
    weft__thread_pool_run(pool, b->players, answer_share, b);
    for (int k = 1; k < b->players; k++)
        first = b->failed[k] < b->failed[first] ? k : first;
    if (b->failed[first] == b->count)
        return WEFT_OK;
    if (error != NULL)
        *error = b->errors[first];
    return b->errors[first].status;
}

static weft_status check_batch(const weft_player *player, int64_t count, const int64_t *pairs,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    if (count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected at least 0", (long long)count);
    if (count > 0)
        NEED(pairs);
done:
    return status;
}

weft_status weft_player_predict_many(weft_player *player, int64_t count, const int64_t *pairs,
                                     double tolerance, int threads, weft_answer *answers, weft_error *error)
{
    weft_error own = {0};
    batch b = {.player = &player, .players = 1, .count = count, .pairs = pairs, .answers = answers};
    weft__thread_pool *pool = NULL;
    weft_status status = WEFT_OK;
    TRY(check_batch(player, count, pairs, error));
    TRY(weft__need_sides(player, error));
    TRY(weft__check_threads(threads, error));
    TRY(weft__check_tolerance(tolerance, true, error));
    if (count > 0)
        NEED(answers);
    b.tolerance = tolerance;
    b.errors = &own;
    if (threads > 1 && count > 1) {
        TRY(make_copies(player, threads, error));
        b.player = player->copies->player;
        b.errors = player->copies->errors;
        b.players = threads < count ? threads : (int)count;
        pool = player->copies->pool;
    }
    weft__feed_hold(player);
    status = answer_all(&b, pool, error);
    weft__feed_let_go(player);
done:
    return status;
}

weft_status weft_player_learn_many(weft_player *player, int64_t count, const int64_t *pairs,
                                   const int *labels, weft_answer *answers, int64_t *learnt,
                                   weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t k = 0;
    TRY(check_batch(player, count, pairs, error));
    if (count > 0)
        NEED(labels);
    for (; k < count; k++)
        TRY(weft_player_learn(player, pairs[2 * k], pairs[2 * k + 1], labels[k],
                              answers != NULL ? &answers[k] : NULL, error));
done:
    if (learnt != NULL)
        *learnt = k;
    return status;
}
