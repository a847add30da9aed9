/* SPDX-License-Identifier: MIT
 *
 * Events in memory, by name.
 *
 * Method  What weft run does with a line: an id is let in with the first label that it has, just before that
 *         is learnt, so that a player knows the ids of the labels it has learnt, in their order, and no
 *         others.  Where learning fails the names of this event are taken back. */
#include "io/model/model.h"
#include "player/player.h"

static weft_status check_place(int64_t place, int64_t count, const char *what, int64_t k, weft_error *error)
{
    if (place >= 0 && place < count)
        return WEFT_OK;
    return weft__fail_at(error, WEFT_ARGUMENT, k, -1,
                         "event %lld has %s %lld, expected a place among %lld names", (long long)k, what,
                         (long long)place, (long long)count);
}

static weft_status names_of(const weft_events *events, int64_t k, bool one_set, const char *names[2],
                            weft_error *error)
{
    const char *const *column_names = one_set ? events->row_names : events->column_names;
    int64_t column_count = one_set ? events->row_count : events->column_count;
    weft_status status = WEFT_OK;
    TRY(check_place(events->rows[k], events->row_count, "row", k, error));
    TRY(check_place(events->columns[k], column_count, "column", k, error));
    names[0] = events->row_names[events->rows[k]];
    names[1] = column_names[events->columns[k]];
done:
    return status;
}

static weft_status learn_named(weft_player *player, weft_model *model, const char *const names[2], int label,
                               weft_answer *answer, weft_error *error)
{
    weft_roster *columns = model->columns != NULL ? model->columns : model->rows;
    weft__roster_mark marks[2] = {weft__roster_mark_of(model->rows), weft__roster_mark_of(columns)};
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(weft_player_pair(player, names[0], names[1], pair, error));
    TRY(weft_player_learn(player, pair[0], pair[1], label, answer, error));
done:
    if (status != WEFT_OK) {
        weft__roster_return(model->rows, &marks[0]);
        weft__roster_return(columns, &marks[1]);
    }
    return status;
}

static weft_status play_one(weft_player *player, const weft_events *events, int64_t k, weft_answer *answer,
                            weft_error *error)
{
    weft_model *model = weft__home_model(player);
    const char *names[2] = {NULL, NULL};
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(names_of(events, k, model->columns == NULL, names, error));
    if (events->context_count > 0)
        TRY(weft_player_set_context(player, events->contexts + k * events->context_count,
                                    events->context_count, error));
    if (events->labels[k] != 0) {
        TRY(learn_named(player, model, names, events->labels[k], answer, error));
    } else {
        TRY(weft_player_find(player, names[0], names[1], pair, error));
        TRY(weft_player_predict(player, pair[0], pair[1], answer, error));
    }
done:
    return status;
}

static weft_status check_events(const weft_player *player, const weft_events *events, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(events);
    TRY(weft__need_home(player, error));
    if (events->count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected at least 0",
                          (long long)events->count);
    if (events->count == 0)
        return WEFT_OK;
    NEED(events->rows);
    NEED(events->columns);
    NEED(events->labels);
    NEED(events->row_names);
    if (weft__home_model(player)->columns != NULL)
        NEED(events->column_names);
    if (events->context_count > 0)
        NEED(events->contexts);
done:
    return status;
}

weft_status weft_player_play(weft_player *player, const weft_events *events, weft_answer *answers,
                             int64_t *played, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t k = 0;
    bool has_context = false;
    TRY(check_events(player, events, error));
    has_context = events->context_count > 0;
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "playing events", 0);
    while (k < events->count) {
        weft_answer answer = {0};
        TRY(play_one(player, events, k, &answer, error));
        if (answers != NULL)
            answers[k] = answer;
        k++;
        weft__progress_expect(&progress, (double)k / (double)events->count);
        if (k < events->count && weft__progress_heard(&progress))
            TRY(weft__progress_step(&progress, weft__player_work(player, &answer), error));
    }
done:
    if (has_context)
        weft_player_set_context(player, NULL, 0, NULL);
    if (played != NULL)
        *played = k;
    return status;
}
