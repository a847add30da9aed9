/* SPDX-License-Identifier: MIT */
#include "cli/command/commands.h"
#include "cli/command/long_call.h"
#include "cli/run/state.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/output.h"

#include <stdio.h>

static void write_answer(const weft_answer *answer, FILE *out)
{
    fprintf(out, "%.17g,%.17g,%.17g,%d,%.17g", answer->margin, answer->lower, answer->upper,
            answer->updated ? 1 : 0, answer->probability);
}

const run_ops learner_ops = {
    .in_theory = true,
    .columns = "margin,lower,upper,updated,probability",
    .write_answer = write_answer,
    .check_model = resume_check_learner,
    .resume = resume_learner,
    .prepare = run_prepare,
    .begin = run_begin,
    .tell_progress = report_progress,
    .tell_settings = report_settings,
    .tell_summary = report_summary,
    .describe = json_describe_learner,
};

/* What became of the model where a line of the stream is wrong. */
static void tell_model(const run_state *run)
{
    const char *model = run->options->model;
    int64_t labels = run->player != NULL ? weft_player_counters(run->player).trials - run->begin.trials : 0;
    if (!run->broken || model == NULL)
        return;
    if (run->kept)
        fprintf(stderr, "; %s has what stood before it (labels learnt in this run: %lld)", model,
                (long long)labels);
    else
        fprintf(stderr, "; %s was not written", model);
}

/* Where there is no room, names the option that gives it; where a committee filled the memory, the one that
 * takes less. */
static void tell_error(const run_state *run, const weft_error *error, bool committee_grew)
{
    const run_options *options = run->options;
    bool single = run->ops->in_theory, listed = options->from.limits.ids > 0 && options->row_capacity == 0;
    fprintf(stderr, "weft: %s%s", error->message,
            committee_grew                   ? ", --single takes less"
            : error->status != WEFT_CAPACITY ? ""
            : listed || !single              ? " (--max-ids gives more room)"
                                             : " (--capacity gives more room)");
    tell_model(run);
    putc('\n', stderr);
}

static weft_status play_stream(const run_options *options, run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    options_name_files(options, &run->files);
    TRY(paths_check(&run->files, error));
    if (options->profile)
        profile_begin(&run->clock);
    TRY(run_open(options, run, error));
    if (options->profile)
        TRY(weft_player_set_profile(run->player, true, error));
    long_call_clear();
    /* From here on a signal ends the play alone: what was learnt is saved, however long that takes. */
    TRY(weft_player_set_progress(run->player, NULL, error));
    if (!options->quiet)
        run->facts.player = player_facts_of(run->player, run->columns == NULL);
    run->ops->tell_settings(run);
    status = run_play(run, error);
    TRY(run_end_play(run, status, error));
    if (!options->quiet || options->json || options->picture_count > 0)
        TRY(run_gather(run, error));
    run->ops->tell_summary(run);
    if (!options->quiet)
        profile_tell(&run->facts.profile, stderr);
    if (options->json)
        TRY(json_write(run, error));
    TRY(committee_draw(run, error));
done:
    return status;
}

int run_command(int count, char **arguments)
{
    run_options options = {0};
    run_state run = {.options = &options};
    weft_error error = {0};
    options_parse(count, arguments, &options);
    run.ops = options.player.committee ? &committee_ops : &learner_ops;
    long_call_watch(!options.quiet);
    weft_status played = play_stream(&options, &run, &error);
    weft_status status = limits_explain(&options.from.limits, played, &error);
    long_call_clear();
    /* A model that is not there for this reason is worth a word. */
    bool unread = status == WEFT_WRITE && options.model == NULL && output_unread();
    if (status != WEFT_OK && !unread)
        tell_error(&run, &error, status != played && run.player != NULL && !run.ops->in_theory);
    bool interrupted = run.interrupted || (status != WEFT_OK && interrupt_came());
    int code = interrupted ? EXIT_INTERRUPTED : unread ? EXIT_UNREAD : weft_status_exit(status);
    run_close(&run);
    options_free(&options);
    return code;
}
