/* SPDX-License-Identifier: MIT
 * Labels that come after their answers: N lines later (--delay N), or in a line of their own. */
#include "cli/run/late.h"

#include "cli/run/negatives.h"

#include "program/fail.h"

#include <stdlib.h>
#include <string.h>

/* ---- What waits ---- */

/* What waits is the record of the answer (nothing where there is no label), and behind it the label, as one
 * byte, and both names. */
static weft_status write_note(run_state *run, const weft_event *event, size_t *size, weft_error *error)
{
    size_t row = strlen(event->row) + 1, column = strlen(event->column) + 1;
    size_t needed = run->record_size + 1 + row + column;
    if (needed > run->note_size) {
        unsigned char *larger = realloc(run->note, 2 * needed);
        if (larger == NULL)
            return fail(error, WEFT_MEMORY, "out of memory");
        memset(larger, 0, 2 * needed);
        run->note = larger;
        run->note_size = 2 * needed;
    }
    unsigned char *at = run->note + run->record_size;
    *at++ = (unsigned char)(event->label + 1);
    memcpy(at, event->row, row);
    memcpy(at + row, event->column, column);
    *size = needed;
    return WEFT_OK;
}

static weft_event read_note(const run_state *run, const weft_open_answer *open)
{
    const unsigned char *at = (const unsigned char *)open->record + run->record_size;
    const char *row = (const char *)at + 1;
    return (weft_event){.label = *at - 1, .row = row, .column = row + strlen(row) + 1};
}

/* Sizes are those of this player, which has its members by now. */
static weft_status begin_waiting(run_state *run, int64_t limit, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (run->waiting != NULL)
        return WEFT_OK;
    TRY(weft_player_record(run->player, 0, 0, 0, NULL, &run->record_size, error));
    TRY(weft_waiting_create(limit, limits_memory(&run->options->from.limits), &run->waiting, error));
done:
    return status;
}

/* ---- --delay N: a line is answered, and then the label of the line N before it arrives ---- */

/* The label that waits longest arrives.  What is taken down is the answer as it was given, not the margin
 * that its label found: that has seen the labels between. */
weft_status late_learn(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_open_answer open;
    weft_answer learnt = {0};
    if (!weft_waiting_take(run->waiting, &open))
        return WEFT_OK;
    weft_event event = read_note(run, &open);
    if (event.label != 0) {
        TRY(weft_player_learn_late(run->player, open.record, run->record_size, event.label, &learnt, error));
        profile_lap(&run->clock, PROFILE_LEARNING);
        run->open--;
    }
    open.answer.updated = learnt.updated;
    TRY(run_take_down(run, (const int64_t[]){open.row, open.column}, &event, &open.answer, error));
done:
    return status;
}

weft_status late_play(run_state *run, const int64_t pair[2], const weft_event *event, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_open_answer open = {.row = pair[0], .column = pair[1]};
    int64_t t = weft_player_counters(run->player).t + run->open;
    TRY(begin_waiting(run, run->options->delay + (run->options->delay < INT64_MAX), error));
    TRY(weft_player_predict_at(run->player, pair[0], pair[1], t, &open.answer, error));
    TRY(write_note(run, event, &open.size, error));
    if (event->label != 0)
        TRY(weft_player_record(run->player, pair[0], pair[1], t, run->note, &run->record_size, error));
    profile_lap(&run->clock, PROFILE_ASKING);
    open.record = run->note;
    TRY(weft_waiting_add(run->waiting, &open, error));
    run->open += event->label != 0;
    if (weft_waiting_count(run->waiting) > run->options->delay)
        TRY(late_learn(run, error));
done:
    return status;
}

/* ---- A line without a label is answered and stays open; a later line with one is its label ---- */

/* Room for `size` bytes. */
static weft_status reserve_key(run_state *run, size_t size, weft_error *error)
{
    if (size <= run->key_size)
        return WEFT_OK;
    char *larger = realloc(run->key, 2 * size);
    if (larger == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    run->key = larger;
    run->key_size = 2 * size;
    return WEFT_OK;
}

/* What an answer is found by: the id of the event, else both names, of one set of ids in either order.
 * Names, for an id may have no number yet when it is asked for. */
static weft_status make_key(run_state *run, const weft_event *event, weft_error *error)
{
    enum { DIGITS = 24 };
    const char *first = event->row, *second = event->column;
    weft_status status = WEFT_OK;
    if (event->id != NULL) {
        TRY(reserve_key(run, strlen(event->id) + 2, error));
        snprintf(run->key, run->key_size, "i%s", event->id);
        goto done;
    }
    if (run->columns == NULL && strcmp(first, second) > 0) {
        first = event->column;
        second = event->row;
    }
    TRY(reserve_key(run, strlen(first) + strlen(second) + DIGITS, error));
    snprintf(run->key, run->key_size, "p%zu %s%s", strlen(first), first, second);
done:
    return status;
}

weft_status late_open(run_state *run, const int64_t pair[2], const weft_event *event,
                      const weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_open_answer open = {.row = pair[0], .column = pair[1], .answer = *answer};
    int64_t t = weft_player_counters(run->player).t;
    if (event->label != 0 || run->options->open == 0)
        return WEFT_OK;
    TRY(begin_waiting(run, run->options->open, error));
    TRY(make_key(run, event, error));
    TRY(write_note(run, event, &open.size, error));
    TRY(weft_player_record(run->player, pair[0], pair[1], t, run->note, &run->record_size, error));
    open.id = run->key;
    open.record = run->note;
    TRY(weft_waiting_add(run->waiting, &open, error));
done:
    return status;
}

/* An id stands for one pair. */
static weft_status check_asked(const weft_event *asked, const weft_event *event, weft_error *error)
{
    if (event->id == NULL ||
        (strcmp(asked->row, event->row) == 0 && strcmp(asked->column, event->column) == 0))
        return WEFT_OK;
    return fail(error, WEFT_INPUT,
                "%s:%lld: found a label for the id '%.48s' with '%.48s', '%.48s', expected "
                "'%.48s', '%.48s', which were asked for",
                event->file, (long long)event->line, event->id, event->row, event->column, asked->row,
                asked->column);
}

weft_status late_close(run_state *run, const int64_t pair[2], const weft_event *event, bool *closed,
                       weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_open_answer open;
    weft_answer learnt = {0};
    *closed = false;
    if (event->label == 0 || weft_waiting_count(run->waiting) == 0)
        return WEFT_OK;
    TRY(make_key(run, event, error));
    if (!weft_waiting_take_id(run->waiting, run->key, &open))
        return WEFT_OK;
    weft_event asked = read_note(run, &open);
    TRY(check_asked(&asked, event, error));
    memcpy(run->note, open.record, run->record_size);
    TRY(weft_record_set_pair(run->note, run->record_size, pair[0], pair[1], error));
    open.answer.t = weft_player_counters(run->player).t;
    if (run->negatives.count > 0)
        TRY(negatives_learn_late(run, pair, run->note, &learnt, error));
    else
        TRY(weft_player_learn_late(run->player, run->note, run->record_size, event->label, &learnt, error));
    profile_lap(&run->clock, PROFILE_LEARNING);
    open.answer.updated = learnt.updated;
    run->late++;
    TRY(run_take_down(run, pair, event, &open.answer, error));
    *closed = true;
done:
    return status;
}
