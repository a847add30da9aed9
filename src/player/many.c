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
#include "player/turn.h"

#include <math.h>

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

static weft_status make_copy(const weft_player *player, weft__progress *progress, weft_player **copy,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_player *made = NULL;
    TRY(player->ops->clone(player, progress, &made, error));
    TRY(weft_player_set_threads(made, 1, error));
    *copy = made;
    made = NULL;
done:
    weft_player_free(made);
    return status;
}

/* As many as there are threads. */
static weft_status make_copies(weft_player *player, int threads, weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (player->copies != NULL && player->copies->count == threads)
        return WEFT_OK;
    weft__progress_begin(progress, "copying a player", 0);
    weft__drop_copies(player);
    TRY(weft__new(&player->memory, 1, sizeof *player->copies, &player->copies, error));
    weft__copies *copies = player->copies;
    copies->player[0] = player;
    TRY(weft__new(&player->memory, threads, sizeof *copies->errors, &copies->errors, error));
    for (copies->count = 1; copies->count < threads; copies->count++)
        TRY(make_copy(player, progress, &copies->player[copies->count], error));
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
    int64_t first, count; /* of the pairs that are asked for in this round: [first, count) */
    const int64_t *pairs; /* row and column of each */
    double tolerance;
    weft_answer *answers;
    weft_error *errors;                /* of each player */
    int64_t failed[WEFT_THREAD_LIMIT]; /* the first pair that player k could not answer, or `count` */
} batch;

/* Player k answers pairs first + k, first + k + players, ... */
static void answer_share(void *self, int64_t k)
{
    batch *b = self;
    weft_player *player = b->player[k];
    int64_t i = b->first + k;
    player->context = b->player[0]->context;
    while (i < b->count && player->ops->evaluate(player, b->pairs + 2 * i, b->tolerance, &b->answers[i],
                                                 &b->errors[k]) == WEFT_OK)
        i += b->players;
    b->failed[k] = i < b->count ? i : b->count;
}

/* Fails as the first pair does that was not answered. */
static weft_status answer_round(batch *b, weft__thread_pool *pool, weft_error *error)
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

double weft__player_work(const weft_player *player, const weft_answer *answer)
{
    enum { LEAST = 1000, MEMBER_PRODUCTS = 8 };
    int64_t members = weft_player_member_count(player), seen = weft_player_counters(player).trials;
    if (player->ops->price != NULL)
        return LEAST + player->ops->price(player, answer->products, seen);
    double all = 0;
    for (int64_t k = 0; k < members; k++) {
        const weft_player *member = weft_player_member(player, k);
        all += LEAST + member->ops->price(member, MEMBER_PRODUCTS, seen);
    }
    return all * (double)answer->asked / (double)members;
}

/* Where somebody is to be told, in rounds of about that much work for each player.  How long they are follows
 * from what the answers of the one before took. */
static weft_status answer_all(batch *b, weft__thread_pool *pool, weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t all = b->count, round = b->players;
    bool heard = weft__progress_heard(progress);
    weft__progress_begin(progress, "predicting", 0);
    for (b->first = 0; b->first < all; b->first = b->count) {
        double work = 0;
        b->count = heard && b->first + round < all ? b->first + round : all;
        TRY(answer_round(b, pool, error));
        for (int64_t i = b->first; i < b->count && heard; i++)
            work += weft__player_work(b->player[0], &b->answers[i]);
        weft__progress_expect(progress, (double)b->first / (double)all);
        TRY(weft__progress_step(progress, work / b->players, error));
        double each = work / (double)(b->count - b->first);
        round = b->players * (int64_t)fmin(fmax(progress->to.every / fmax(each, 1), 1), 1 << 20);
    }
done:
    return status;
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
    weft__progress progress = weft__progress_of(&player->progress);
    b.tolerance = tolerance;
    b.errors = &own;
    if (threads > 1 && count > 1) {
        TRY(make_copies(player, threads, &progress, error));
        b.player = player->copies->player;
        b.errors = player->copies->errors;
        b.players = threads < count ? threads : (int)count;
        pool = player->copies->pool;
    }
    weft__feed_hold(player);
    status = answer_all(&b, pool, &progress, error);
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
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "learning", 0);
    while (k < count) {
        weft_answer answer = {0};
        TRY(weft_player_learn(player, pairs[2 * k], pairs[2 * k + 1], labels[k], &answer, error));
        if (answers != NULL)
            answers[k] = answer;
        k++;
        weft__progress_expect(&progress, (double)k / (double)count);
        if (k < count && weft__progress_heard(&progress))
            TRY(weft__progress_step(&progress, weft__player_work(player, &answer), error));
    }
done:
    if (learnt != NULL)
        *learnt = k;
    return status;
}
