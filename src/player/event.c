/* SPDX-License-Identifier: MIT
 *
 * An event of a stream of positives alone, with what is drawn beside it.
 *
 * Method  All are asked before any is learnt, as if their labels came together, and learnt in an order in
 *         which the event has a place by chance.  Learnt one after the other as they are asked, labels would
 *         come in a pattern, +1 and then N times -1 of the same row: how a row stood would say which label is
 *         next, a committee would learn that, and believe a probability that means nothing once the pattern
 *         ends.
 * Cost    That of the trials, and a record of each. */
#include "player/player.h"
#include "player/turn.h"

#include <string.h>

/* Invariant: of `count` labels number k is of pair k and record k; number 0 is the event. */
typedef struct labels {
    int64_t count;
    int64_t *pairs;
    size_t size; /* of a record */
    unsigned char *records;
    weft_answer *answers; /* to what is learnt; number 0 has none here */
} labels;

static void free_labels(const weft_player *player, labels *all)
{
    weft__delete(&player->memory, all->pairs);
    weft__delete(&player->memory, all->records);
    weft__delete(&player->memory, all->answers);
}

static weft_status make_room(const weft_player *player, const weft_negatives *how, labels *all,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&player->memory, 2 * (1 + how->count), sizeof *all->pairs, &all->pairs, error));
    TRY(weft__new(&player->memory, 1 + how->count, sizeof *all->answers, &all->answers, error));
    TRY(weft__new(&player->memory, 1 + how->count, all->size, &all->records, error));
done:
    return status;
}

/* Asks about what is drawn; the record of the event is there. */
static weft_status ask(weft_player *player, const weft_negatives *how, int64_t t, labels *all,
                       weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t drawn = 0;
    TRY(weft_negatives_draw(how, t, all->pairs, all->pairs + 2, &drawn, error));
    all->count = 1 + drawn;
    for (int64_t k = 1; k < all->count; k++) {
        const int64_t *pair = all->pairs + 2 * k;
        TRY(weft_player_record(player, pair[0], pair[1], t + k, all->records + (size_t)k * all->size,
                               &all->size, error));
    }
done:
    return status;
}

static weft_status learn(weft_player *player, labels *all, int64_t k, weft_error *error)
{
    return weft_player_learn_late(player, all->records + (size_t)k * all->size, all->size, k == 0 ? 1 : -1,
                                  &all->answers[k], error);
}

/* The event is learnt behind the first `before` of what was drawn. */
static weft_status learn_all(weft_player *player, labels *all, int64_t before, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 1; k <= before; k++)
        TRY(learn(player, all, k, error));
    for (int64_t k = 0; k < all->count; k = k == 0 ? before + 1 : k + 1)
        TRY(learn(player, all, k, error));
done:
    return status;
}

static void hand_out(const labels *all, weft_answer *answer, weft_drawn *drawn)
{
    if (answer != NULL)
        *answer = all->answers[0];
    if (drawn == NULL)
        return;
    drawn->count = all->count - 1;
    for (int64_t k = 1; k < all->count; k++) {
        drawn->pairs[2 * (k - 1)] = all->pairs[2 * k];
        drawn->pairs[2 * (k - 1) + 1] = all->pairs[2 * k + 1];
        drawn->answers[k - 1] = all->answers[k];
    }
}

static weft_status check(const weft_player *player, const weft_negatives *how, const weft_drawn *drawn,
                         weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    TRY(weft__check_negatives(how, error));
    if (drawn != NULL && how->count > 0) {
        TRY(weft__need(drawn->pairs, "drawn->pairs", error));
        TRY(weft__need(drawn->answers, "drawn->answers", error));
    }
done:
    return status;
}

/* `record` NULL: the event is asked now. */
static weft_status learn_event(weft_player *player, const weft_negatives *how, const int64_t pair[2],
                               const void *record, weft_answer *answer, weft_drawn *drawn, weft_error *error)
{
    weft_status status = WEFT_OK;
    labels all = {0};
    int64_t t = weft__player_event(player);
    TRY(weft_player_record(player, pair[0], pair[1], t, NULL, &all.size, error));
    TRY(make_room(player, how, &all, error));
    all.pairs[0] = pair[0];
    all.pairs[1] = pair[1];
    if (record != NULL)
        memcpy(all.records, record, all.size);
    else
        TRY(weft_player_record(player, pair[0], pair[1], t, all.records, &all.size, error));
    TRY(ask(player, how, t, &all, error));
    TRY(learn_all(player, &all, weft__negatives_before(how, t, all.count - 1), error));
    hand_out(&all, answer, drawn);
done:
    free_labels(player, &all);
    return status;
}

weft_status weft_player_learn_event(weft_player *player, const weft_negatives *how, const int64_t pair[2],
                                    weft_answer *answer, weft_drawn *drawn, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check(player, how, drawn, error));
    NEED(pair);
    TRY(learn_event(player, how, pair, NULL, answer, drawn, error));
done:
    return status;
}

weft_status weft_player_learn_event_late(weft_player *player, const weft_negatives *how, const void *record,
                                         size_t size, weft_answer *answer, weft_drawn *drawn,
                                         weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t pair[2] = {0, 0};
    weft__context context, next;
    TRY(check(player, how, drawn, error));
    NEED(record);
    TRY(weft__record_question(player, record, size, pair, &context, error));
    /* What is drawn beside it has its context. */
    next = player->context;
    player->context = context;
    status = learn_event(player, how, pair, record, answer, drawn, error);
    player->context = next;
done:
    return status;
}
