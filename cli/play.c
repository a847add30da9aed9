/* SPDX-License-Identifier: MIT
 * The trials: predict, learn, count. */
#define _POSIX_C_SOURCE 200809L

#include "fail.h"
#include "interrupt.h"
#include "state.h"

#include <time.h>

bool run_ranks(const run_state *run)
{
    return run->settings.tolerance > 0;
}

/* The number of an id that must also be within the capacity, which a pipe may
 * exceed without --capacity. */
static weft_status find_number(weft_roster *roster, const char *name, const weft_event *event,
                               int64_t capacity, int64_t *number, weft_error *error)
{
    weft_status status = weft_roster_admit(roster, name, event, number, error);
    if (status == WEFT_OK && *number >= capacity)
        return fail(error, WEFT_CAPACITY, "%s:%lld: found id '%.48s', but there is room for only %lld ids",
                    event->file, (long long)event->line, name, (long long)capacity);
    return status;
}

static weft_status find_pair(run_state *run, const weft_event *event, int64_t *row, int64_t *column,
                             weft_error *error)
{
    const weft_settings *settings = &run->settings;
    weft_roster *columns = run->columns != NULL ? run->columns : run->rows;
    int64_t column_capacity = run->columns != NULL ? settings->columns : settings->rows;
    weft_status status = WEFT_OK;
    TRY(find_number(run->rows, event->row, event, settings->rows, row, error));
    TRY(find_number(columns, event->column, event, column_capacity, column, error));
done:
    return status;
}

static weft_status count_label(run_state *run, const int64_t pair[2], int label, double margin,
                               weft_error *error)
{
    const int64_t *rows = run->row_truth.class_of;
    const int64_t *columns = run->columns != NULL ? run->column_truth.class_of : rows;
    run->positive += label > 0;
    if (run_ranks(run) && !scores_add(&run->scores, margin, label))
        return fail(error, WEFT_MEMORY, "out of memory");
    if (run->comparator == NULL)
        return WEFT_OK;
    return weft_comparator_add(run->comparator, rows[pair[0]], columns[pair[1]], label, error);
}

static weft_status play_event(run_state *run, const weft_event *event, weft_error *error)
{
    weft_prediction prediction = {0};
    weft_outcome outcome = {0};
    int64_t pair[2] = {0, 0};
    weft_status status = WEFT_OK;
    TRY(find_pair(run, event, &pair[0], &pair[1], error));
    TRY(weft_learner_predict(run->learner, pair[0], pair[1], &prediction, error));
    TRY(weft_learner_learn(run->learner, pair[0], pair[1], event->label, &outcome, error));
    if (event->label != 0)
        TRY(count_label(run, pair, event->label, outcome.prediction.margin, error));
    if (run->predictions != NULL)
        TRY(predictions_write(run->predictions, weft_learner_counters(run->learner).t, event, &outcome,
                              error));
    if (event->label != 0)
        report_progress(run, false);
done:
    return status;
}

static double now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

weft_status run_play(run_state *run, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    double start = now();
    while (!interrupt_came()) {
        status = weft_stream_next(run->stream, &event, &more, error);
        if (status != WEFT_OK && interrupt_came())
            status = WEFT_OK; /* a read that waited was broken off */
        else if (status == WEFT_OK && more)
            TRY(play_event(run, &event, error));
        else
            break;
    }
    run->interrupted = interrupt_came() && more;
    if (status == WEFT_OK && run->predictions != NULL)
        TRY(predictions_commit(run->predictions, error));
done:
    run->seconds = now() - start;
    return status;
}

weft_bound run_bound(const run_state *run)
{
    weft_counters counters = weft_learner_counters(run->learner);
    bool communities = run->columns == NULL;
    weft_course course = {
        .horizon = run->horizon > 0 ? run->horizon : counters.trials,
        .trials = counters.trials,
        .errors = run->comparator != NULL ? weft_comparator_errors(run->comparator, communities) : -1,
    };
    return weft_theory_judge(&run->measure, &run->settings, &course);
}
