/* SPDX-License-Identifier: MIT
 * The trials: predict, learn, count. */
#define _POSIX_C_SOURCE 200809L

#include "cli/run/late.h"
#include "cli/run/negatives.h"
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

/* What the committee would have said without some side information; beside drawn labels it spoke last of
 * these. */
static void count_without(run_state *run, int label)
{
    for (int i = 0; i < WORTH_PARTS && !run->ops->in_theory && run->negatives.count == 0; i++) {
        double probability = weft_committee_probability_without(run->player, WEFT_ROWS + i);
        if (!isnan(probability))
            score_groups_add(&run->without[i], probability, label);
    }
}

weft_status run_count(run_state *run, const int64_t pair[2], int label, const weft_answer *answer,
                      weft_error *error)
{
    const int64_t *rows = run->row_truth.class_of;
    const int64_t *columns = run->columns != NULL ? run->column_truth.class_of : rows;
    run->positive += label > 0;
    reliability_add(&run->reliability, answer->probability, label);
    if (run_ranks(run))
        score_groups_add(&run->scores, answer->score, label);
    count_without(run, label);
    if (run->comparator == NULL)
        return WEFT_OK;
    return weft_comparator_add(run->comparator, rows[pair[0]], columns[pair[1]], label, error);
}

/* What the input itself says for -1 and +1 is known at the first line, or not told at all: a pipe cannot be
 * asked about the lines behind. */
static void begin_predictions(run_state *run)
{
    if (run->begun)
        return;
    run->begun = true;
    run->answers = weft_stream_report(run->stream).words[1] != NULL;
    predictions_begin(run->predictions, run->ops->columns, run->answers);
}

static weft_status write_prediction(run_state *run, const weft_event *event, const weft_answer *answer,
                                    weft_error *error)
{
    FILE *out = output_stream(run->predictions);
    weft_answer told = negatives_correct(run, answer);
    begin_predictions(run);
    predictions_write(run->predictions, told.t + 1, event, &told);
    run->ops->write_answer(&told, out);
    if (run->answers)
        predictions_write_answer(run->predictions, weft_stream_report(run->stream).words[answer->label > 0]);
    putc('\n', out);
    return output_check(run->predictions, error);
}

/* What becomes of a trial that has ended: counts, its line, a row of the table. */
weft_status run_take_down(run_state *run, const int64_t pair[2], const weft_event *event,
                          const weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (event->label != 0)
        TRY(run_count(run, pair, event->label, answer, error));
    if (run->predictions != NULL)
        TRY(write_prediction(run, event, answer, error));
    if (event->label != 0) {
        TRY(negatives_take_down(run, error));
        run->ops->tell_progress(run, false);
        TRY(run_checkpoint(run, error));
    }
    profile_lap(&run->clock, PROFILE_WRITING);
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
    bool closed = false;
    if (run->options->delay > 0)
        return tell_line(late_play(run, pair, event, error), event, error);
    TRY(late_close(run, pair, event, &closed, error));
    if (closed)
        goto done;
    TRY(tell_line(weft_player_predict(run->player, pair[0], pair[1], &answer, error), event, error));
    TRY(late_open(run, pair, event, &answer, error));
    profile_lap(&run->clock, PROFILE_ASKING);
    if (event->label != 0 && run->negatives.count > 0)
        TRY(negatives_learn(run, pair, &answer, error));
    else
        TRY(weft_player_learn(run->player, pair[0], pair[1], event->label, &answer, error));
    profile_lap(&run->clock, event->label != 0 ? PROFILE_LEARNING : PROFILE_ASKING);
    TRY(run_take_down(run, pair, event, &answer, error));
done:
    return status;
}

static weft_status play_event(run_state *run, const weft_event *event, weft_error *error)
{
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    if (!run->scanned)
        TRY(negatives_meet(run, event, error));
    TRY(find_pair(run, event, &pair[0], &pair[1], error));
    profile_lap(&run->clock, PROFILE_STREAM);
    TRY(weft_player_set_context(run->player, event->context, event->context_count, error));
    TRY(play_pair(run, pair, event, error));
    run->played++;
    run->alike += strcmp(event->row, event->column) == 0;
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

/* Whoever waits for an answer before the next line is written has it. */
static weft_status flush(const run_state *run, weft_error *error)
{
    bool waits = run->predictions != NULL && !weft_stream_ready(run->stream);
    return waits ? output_flush(run->predictions, error) : WEFT_OK;
}

weft_status run_play(run_state *run, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    run->start = seconds_now();
    begin_progress(run);
    profile_lap(&run->clock, PROFILE_OTHER);
    while (!interrupt_came()) {
        status = source_next(run->stream, &event, &more, error);
        if (status != WEFT_OK && interrupt_came()) {
            status = WEFT_OK; /* a read that waited was broken off */
            break;
        }
        run->broken = status != WEFT_OK;
        if (status != WEFT_OK || !more)
            break;
        status = play_event(run, &event, error);
        run->broken = status == WEFT_INPUT || status == WEFT_UNKNOWN_ID;
        TRY(status);
        TRY(flush(run, error));
        progress_step(&run->progress, run->played);
    }
    run->interrupted = interrupt_came() && more;
done:
    return status;
}

/* The model is last of all: it says that everything up to its t has been told. */
static weft_status end_play(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    while (run->options->delay > 0 && weft_waiting_count(run->waiting) > 0)
        TRY(late_learn(run, error));
    if (run->predictions != NULL) {
        begin_predictions(run);
        TRY(output_commit(run->predictions, error));
    }
    TRY(run_save(run, error));
done:
    return status;
}

/* A file is mended and read again.  A pipe cannot be: what stood before the line that is wrong is kept, if it
 * was not the first. */
weft_status run_end_play(run_state *run, weft_status played, weft_error *error)
{
    weft_status status = played;
    bool keep = run->broken && !run->scanned && run->played > 0;
    if (played == WEFT_OK || keep) {
        weft_error other = {0};
        weft_status ended = end_play(run, &other);
        run->kept = keep && ended == WEFT_OK;
        if (ended != WEFT_OK) {
            status = ended;
            *error = other;
        }
    }
    profile_lap(&run->clock, PROFILE_WRITING);
    progress_clear(&run->progress);
    run->seconds = seconds_now() - run->start;
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
        .disturbed = run->options->delay > 0 || run->late > 0 || run->drawn > 0 || run->disturbed,
    };
    return weft_theory_judge(&run->measure, &run->settings, &course);
}
