/* SPDX-License-Identifier: MIT
 * A committee as the player of a run: its members over the views of the rosters. */
#include "cli/report/committee.h"

#include "cli/run/state.h"
#include "program/fail.h"

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
                                        .threads = options->threads};
    member_list list = {0};
    weft_status status = WEFT_OK;
    TRY(committee_list(run->rows, run->columns, &list, error));
    TRY(weft_committee_create(list.members, list.count, &settings, limits_memory(&options->from.limits),
                              &run->player, error));
    run->embed = options->embed;
    run->horizon = 0; /* nothing is tuned for one */
done:
    free(list.members);
    return status;
}

static void write_answer(const weft_answer *answer, FILE *out)
{
    fprintf(out, "%.17g,%.17g,%lld", answer->vote, answer->probability, (long long)answer->asked);
}

const run_ops committee_ops = {
    .columns = "vote,probability,awake",
    .write_answer = write_answer,
    .check_model = resume_check_committee,
    .resume = resume_committee,
    .prepare = committee_prepare,
    .begin = committee_begin,
    .tell_progress = committee_progress,
    .tell_settings = committee_settings,
    .tell_summary = committee_summary,
    .describe = json_describe_committee,
};
