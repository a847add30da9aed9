/* SPDX-License-Identifier: MIT
 * A committee as the player of a run: its members over the views of the rosters, and its trials. */
#include "committee.h"

#include "program/fail.h"
#include "state.h"

#include <stdlib.h>

/* ---- Before the first trial ---- */

static weft_status check_roster(const char *option, const weft_roster *roster, weft_error *error)
{
    weft_roster_facts facts = weft_roster_report(roster);
    if (!facts.mapped && !facts.hashed)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT,
                "%s %.200s: a committee plays kernels, and no finite features yet: leave out map=%s", option,
                weft_roster_spec(roster), facts.hashed ? " and names=hashed" : "");
}

static weft_status committee_prepare(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_roster(run->columns == NULL ? "--both" : "--rows", run->rows, error));
    if (run->columns != NULL)
        TRY(check_roster("--columns", run->columns, error));
done:
    return status;
}

static weft_status committee_begin(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    weft_committee_settings settings = {.randomised = options->randomised,
                                        .seed = options->seed,
                                        .restless = options->restless,
                                        .tracking = options->track,
                                        .threads = options->threads};
    member_list list = {0};
    weft_status status = WEFT_OK;
    run_make_room(run);
    TRY(source_check_size(run->settings.rows + run->settings.columns, error));
    const int64_t capacity[2] = {run->settings.rows, run->settings.columns};
    TRY(committee_list(run->rows, run->columns, capacity, &list, error));
    TRY(weft_committee_create(list.members, list.count, &settings, limits_memory(&options->from.limits),
                              &run->committee.committee, error));
    run->embed = options->embed;
    run->horizon = 0; /* nothing is tuned for one */
done:
    free(list.members);
    return status;
}

static int64_t committee_time(const run_state *run)
{
    return weft_committee_counters_of(run->committee.committee).t;
}

/* ---- Trials ---- */

static weft_status take_down(run_state *run, const int64_t pair[2], const weft_event *event,
                             const weft_verdict *verdict, weft_error *error)
{
    committee_run *committee = &run->committee;
    weft_status status = WEFT_OK;
    if (event->label != 0) {
        TRY(run_count(run, pair, event->label, verdict->probability, error));
        reliability_add(&committee->reliability, verdict->probability, event->label);
    }
    if (run->predictions != NULL)
        TRY(predictions_write_verdict(run->predictions, committee_time(run), event, verdict, error));
    if (event->label != 0)
        committee_progress(run, false);
    TRY(run_checkpoint(run, error));
done:
    return status;
}

static weft_status committee_play(run_state *run, const int64_t pair[2], const weft_event *event,
                                  weft_error *error)
{
    weft_committee *committee = run->committee.committee;
    weft_verdict verdict = {0};
    weft_status status = WEFT_OK;
    TRY(weft_committee_predict(committee, pair[0], pair[1], &verdict, error));
    TRY(weft_committee_learn(committee, pair[0], pair[1], event->label, NULL, error));
    TRY(take_down(run, pair, event, &verdict, error));
done:
    return status;
}

const run_player committee_player = {
    .columns = "vote,probability,awake",
    .prepare = committee_prepare,
    .begin = committee_begin,
    .play = committee_play,
    .time = committee_time,
    .tell_settings = committee_settings,
    .tell_summary = committee_summary,
    .describe = committee_describe,
};
