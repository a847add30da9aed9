/* SPDX-License-Identifier: MIT
 * The trials: predict, learn, count. */
#define _POSIX_C_SOURCE 200809L

#include "cli/run/state.h"
#include "program/fail.h"
#include "program/interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool run_ranks(const run_state *run)
{
    return !run->ops->in_theory || run->settings.tolerance > 0;
}

/* An id must also be within the capacity, which a pipe may exceed without
 * --capacity. */
static weft_status check_number(int64_t number, int64_t capacity, const char *name, const weft_event *event,
                                weft_error *error)
{
    if (number < capacity)
        return WEFT_OK;
    return fail(error, WEFT_CAPACITY, "%s:%lld: found id '%.48s', but there is room for only %lld ids",
                event->file, (long long)event->line, name, (long long)capacity);
}

/* No id whose name is hashed is held against the capacity, and a committee has none. */
static int64_t room_of(const weft_roster *roster, int64_t capacity)
{
    return weft_roster_report(roster).hashed || capacity == 0 ? INT64_MAX : capacity;
}

/* Ids of a line without a label get no numbers of a committee, whose state is that of the labels; but a graph
 * that they are to join must know them before it is made. */
weft_status run_admit(run_state *run, const weft_event *event, int64_t pair[2], weft_error *error)
{
    bool alone = weft_roster_report(run->rows).alone && weft_roster_report(run_columns(run)).alone;
    if (event->label == 0 && alone && !run->ops->in_theory)
        return weft_roster_find_pair(run->rows, run->columns, event, pair, error);
    return weft_roster_admit_pair(run->rows, run->columns, event, pair, error);
}

/* A file was read before, and its ids have numbers; but who has not come yet is asked as a pipe would ask:
 * as the next one. */
static void hide_who_comes(run_state *run, const weft_event *event, int64_t pair[2])
{
    bool one_set = run->columns == NULL, same = strcmp(event->row, event->column) == 0;
    int64_t *met[2] = {&run->met[0], &run->met[one_set ? 0 : 1]};
    bool strange = pair[0] >= *met[0];
    if (event->label != 0) {
        for (int k = 0; k < 2; k++)
            *met[k] = pair[k] >= *met[k] ? pair[k] + 1 : *met[k];
        return;
    }
    if (pair[1] >= *met[1])
        pair[1] = *met[1] + (one_set && strange && !same);
    if (strange)
        pair[0] = *met[0];
}

static weft_status find_pair(run_state *run, const weft_event *event, int64_t *row, int64_t *column,
                             weft_error *error)
{
    const weft_settings *settings = &run->settings;
    int64_t column_capacity = run->columns != NULL ? settings->columns : settings->rows;
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(run_admit(run, event, pair, error));
    if (!run->ops->in_theory)
        hide_who_comes(run, event, pair);
    TRY(check_number(pair[0], room_of(run->rows, settings->rows), event->row, event, error));
    TRY(check_number(pair[1], room_of(run_columns(run), column_capacity), event->column, event, error));
    *row = pair[0];
    *column = pair[1];
done:
    return status;
}

/* Takes the label of a pair, and the answer that was given, into the counts of the run. */
static weft_status count(run_state *run, const int64_t pair[2], int label, const weft_answer *answer,
                         weft_error *error)
{
    const int64_t *rows = run->row_truth.class_of;
    const int64_t *columns = run->columns != NULL ? run->column_truth.class_of : rows;
    run->positive += label > 0;
    reliability_add(&run->reliability, answer->probability, label);
    if (run_ranks(run))
        score_groups_add(&run->scores, answer->score, label);
    if (run->comparator == NULL)
        return WEFT_OK;
    return weft_comparator_add(run->comparator, rows[pair[0]], columns[pair[1]], label, error);
}

static weft_status write_prediction(run_state *run, const weft_event *event, const weft_answer *answer,
                                    weft_error *error)
{
    FILE *out = output_stream(run->predictions);
    predictions_write(run->predictions, answer->t + 1, event, answer);
    run->ops->write_answer(answer, out);
    putc('\n', out);
    return output_check(run->predictions, error);
}

/* What becomes of a trial that has ended: counts, its line, a row of the table. */
static weft_status take_down(run_state *run, const int64_t pair[2], const weft_event *event,
                             const weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (event->label != 0)
        TRY(count(run, pair, event->label, answer, error));
    if (run->predictions != NULL)
        TRY(write_prediction(run, event, answer, error));
    if (event->label != 0) {
        run->ops->tell_progress(run, false);
        TRY(run_checkpoint(run, error));
    }
    profile_lap(&run->clock, PROFILE_WRITING);
done:
    return status;
}

/* ---- --delay N: a line is answered, and then the label of the line N before it arrives ---- */

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

/* The label that waits longest arrives.  What is taken down is the answer as it was given, not the margin
 * that its label found: that has seen the labels between. */
static weft_status learn_waiting(run_state *run, weft_error *error)
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
    TRY(take_down(run, (const int64_t[]){open.row, open.column}, &event, &open.answer, error));
done:
    return status;
}

/* Sizes are those of this player, which has its members by now. */
static weft_status begin_waiting(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t delay = run->options->delay, limit = delay < INT64_MAX ? delay + 1 : delay;
    if (run->waiting != NULL)
        return WEFT_OK;
    TRY(weft_player_record(run->player, 0, 0, 0, NULL, &run->record_size, error));
    TRY(weft_waiting_create(limit, limits_memory(&run->options->from.limits), &run->waiting, error));
done:
    return status;
}

static weft_status play_late(run_state *run, const int64_t pair[2], const weft_event *event,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_open_answer open = {.row = pair[0], .column = pair[1]};
    int64_t t = weft_player_counters(run->player).t + run->open;
    TRY(begin_waiting(run, error));
    TRY(weft_player_predict_at(run->player, pair[0], pair[1], t, &open.answer, error));
    TRY(write_note(run, event, &open.size, error));
    if (event->label != 0)
        TRY(weft_player_record(run->player, pair[0], pair[1], t, run->note, &run->record_size, error));
    profile_lap(&run->clock, PROFILE_ASKING);
    open.record = run->note;
    TRY(weft_waiting_add(run->waiting, &open, error));
    run->open += event->label != 0;
    if (weft_waiting_count(run->waiting) > run->options->delay)
        TRY(learn_waiting(run, error));
done:
    return status;
}

/* An id that a feature map has no room for is known by its line. */
static weft_status tell_line(weft_status status, const weft_event *event, weft_error *error)
{
    if (status != WEFT_UNSUPPORTED)
        return status;
    weft_error inner = *error;
    return fail(error, status, "%s:%lld: found '%.48s', '%.48s': %.300s", event->file, (long long)event->line,
                event->row, event->column, inner.message);
}

static weft_status play_pair(run_state *run, const int64_t pair[2], const weft_event *event,
                             weft_error *error)
{
    weft_answer answer = {0};
    weft_status status = WEFT_OK;
    if (run->options->delay > 0)
        return tell_line(play_late(run, pair, event, error), event, error);
    TRY(tell_line(weft_player_predict(run->player, pair[0], pair[1], &answer, error), event, error));
    profile_lap(&run->clock, PROFILE_ASKING);
    TRY(weft_player_learn(run->player, pair[0], pair[1], event->label, &answer, error));
    profile_lap(&run->clock, event->label != 0 ? PROFILE_LEARNING : PROFILE_ASKING);
    TRY(take_down(run, pair, event, &answer, error));
done:
    return status;
}

static weft_status play_event(run_state *run, const weft_event *event, weft_error *error)
{
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(find_pair(run, event, &pair[0], &pair[1], error));
    profile_lap(&run->clock, PROFILE_STREAM);
    TRY(play_pair(run, pair, event, error));
    run->played++;
done:
    return status;
}

/* Predictions that go to the same terminal leave no room for the line. */
static void begin_progress(run_state *run)
{
    const run_options *options = run->options;
    bool shared =
        options->predictions != NULL && strcmp(options->predictions, "-") == 0 && isatty(STDOUT_FILENO);
    progress_begin(&run->progress, !options->quiet && !shared, run->lines);
}

weft_status run_play(run_state *run, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    double start = seconds_now();
    begin_progress(run);
    profile_lap(&run->clock, PROFILE_OTHER);
    while (!interrupt_came()) {
        status = weft_stream_next(run->stream, &event, &more, error);
        if (status != WEFT_OK && interrupt_came())
            status = WEFT_OK; /* a read that waited was broken off */
        else if (status == WEFT_OK && more)
            TRY(play_event(run, &event, error));
        else
            break;
        progress_step(&run->progress, run->played);
    }
    run->interrupted = interrupt_came() && more;
    while (status == WEFT_OK && weft_waiting_count(run->waiting) > 0)
        TRY(learn_waiting(run, error));
    if (status == WEFT_OK && run->predictions != NULL)
        TRY(output_commit(run->predictions, error));
    /* Last of all: a model says that everything up to its t has been told. */
    if (status == WEFT_OK)
        TRY(run_save(run, error));
    profile_lap(&run->clock, PROFILE_WRITING);
done:
    progress_clear(&run->progress);
    run->seconds = seconds_now() - start;
    return status;
}

/* The theorems hold for the kernel <phi_i, phi_j> of the feature maps, but D is that of the kernel itself. */
static const char map_obstacle[] =
    "the theorems hold for the kernel that map= makes, whose quasi-dimension is not known";

weft_bound run_bound(const run_state *run)
{
    if (engine_approximates(run->settings.engine, run->rows, run->columns) && run->settings.half_life == 0)
        return (weft_bound){.kind = WEFT_NO_BOUND, .value = INFINITY, .statement = map_obstacle};
    weft_counters counters = weft_player_counters(run->player);
    bool communities = run->columns == NULL;
    weft_course course = {
        .horizon = run->horizon > 0 ? run->horizon : counters.trials,
        .trials = counters.trials,
        .errors = run->comparator != NULL ? weft_comparator_errors(run->comparator, communities) : -1,
        .disturbed = run->options->delay > 0 || run->disturbed,
    };
    return weft_theory_judge(&run->measure, &run->settings, &course);
}
