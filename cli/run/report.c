/* SPDX-License-Identifier: MIT
 * What people read, on standard error: what was chosen and why, the progressive
 * table in the shape of Vowpal Wabbit's, and the summary. */
#include "cli/command/words.h"
#include "cli/input/fields.h"
#include "cli/report/side.h"
#include "cli/run/negatives.h"
#include "weft_theory.h"

#include <inttypes.h>
#include <stdio.h>

static void tell_number(const char *name, double value, const char *reason)
{
    fprintf(stderr, "%-11s%.6g (%s)\n", name, value, reason);
}

static void tell_horizon(const run_state *run)
{
    if (run->resumed && run->horizon > 0)
        tell_number("horizon", (double)run->horizon, "the model's");
    else if (run->options->horizon > 0)
        tell_number("horizon", (double)run->horizon, "given");
    else if (run->scanned && !run->resumed)
        tell_number("horizon", (double)run->horizon,
                    run->negatives.count > 0 ? "the labelled lines of the stream, and what is drawn"
                                             : "the labelled lines of the stream");
    else
        fprintf(stderr, "%-11s%s\n", "horizon", "unknown (the stream is read once)");
}

static const char *reason_of(const run_state *run, bool given)
{
    return run->resumed ? "the model's" : given ? "given" : "default";
}

static void tell_resumed(const run_state *run)
{
    const weft_settings *settings = &run->settings;
    fprintf(stderr, "%-11s%s, after %" PRId64 " trial%s: counts go on from there\n", "resumed",
            weft_show(run->options->resume).text, run->begin.t, output_plural(run->begin.t));
    if (run->enlarged)
        fprintf(stderr, "%-11sroom for %" PRId64 " ids in all: kappa is now %.6g, so margins change\n",
                "capacity", settings->rows + settings->columns,
                settings->dimension / (double)(settings->rows + settings->columns));
}

void report_head(const run_state *run)
{
    fprintf(stderr, "weft %s\n", weft_version());
    if (run->resumed)
        tell_resumed(run);
    side_tell_both(run->rows, run->columns);
    if (run->understood != NULL)
        fputs(run->understood, stderr);
    if (run->scanned)
        negatives_notice(run);
    negatives_settings(run);
}

static void tell_engine(const run_state *run)
{
    const weft_settings *settings = &run->settings;
    fprintf(stderr, "%-11s%s (%s)\n", "engine", engine_name(settings->engine), run->engine.reason);
    if (settings->engine != WEFT_COMPACT)
        return;
    int64_t rows = weft_side_dimension(weft_roster_side(run->rows));
    if (run->columns == NULL)
        fprintf(stderr, "%-11s%" PRId64 "\n", "features", rows);
    else
        fprintf(stderr, "%-11s%" PRId64 " of a row, %" PRId64 " of a column\n", "features", rows,
                weft_side_dimension(weft_roster_side(run->columns)));
    if (settings->half_life > 0)
        fprintf(stderr, "%-11s%.6g trial%s (%s): old evidence decays, which the theorems do not cover\n",
                "half-life", settings->half_life, settings->half_life == 1 ? "" : "s",
                run->resumed ? "the model's" : "given");
}

void report_settings(const run_state *run)
{
    const run_options *options = run->options;
    const weft_settings *settings = &run->settings;
    if (options->quiet)
        return;
    report_head(run);
    fprintf(stderr, "%-11sone (%s)\n", "learner", run->resumed ? "the model's" : options->player.reason);
    fprintf(stderr, "%-11s%s (%s)\n", "form", form_phrase(settings->form),
            options->from.both != NULL && !run->resumed ? "--both" : reason_of(run, options->form_given));
    fprintf(stderr, "%-11s%s (%s)\n", "updates", updates_words[settings->updates],
            reason_of(run, options->updates_given));
    tell_number("eta", settings->eta, run->reasons.eta);
    tell_number("gamma", settings->gamma, run->reasons.gamma);
    tell_number("dimension", settings->dimension, run->reasons.dimension);
    tell_horizon(run);
    if (options->delay > 0)
        tell_number("delay", (double)options->delay, "given: labels arrive that many lines late");
    fprintf(stderr, "%-11s%" PRIu64 " (%s)\n", "seed", settings->seed, reason_of(run, options->seed_given));
    tell_engine(run);
}

/* ---- The table ---- */

double report_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void tell_row(const weft_counters *before, const weft_counters *now, bool first, weft_bound bound)
{
    int64_t trials = now->trials - before->trials, mistakes = now->mistakes - before->mistakes;
    char limit[32] = "-";
    if (first)
        fprintf(stderr, "\n%10s %10s %9s %9s %10s %9s\n%10s %10s %9s %9s %10s %9s %10s\n", "", "", "average",
                "since", "", "products", "trials", "mistakes", "error", "last", "updates", "a trial",
                "bound");
    if (bound.kind != WEFT_NO_BOUND)
        snprintf(limit, sizeof limit, "%.6g", bound.value);
    fprintf(stderr, "%10" PRId64 " %10" PRId64 " %9.6f %9.6f %10" PRId64 " %9.2f %10s\n", now->trials,
            now->mistakes, report_ratio((double)now->mistakes, (double)now->trials),
            report_ratio((double)mistakes, (double)trials), now->updates,
            report_ratio((double)now->products, (double)now->trials), limit);
}

/* 0 for 0, else how often it can be halved until it is 0. */
static int count_bits(int64_t number)
{
    int bits = 0;
    for (; number > 0; number /= 2)
        bits++;
    return bits;
}

/* At every power of two, or behind it where an event is several trials. */
bool report_due(int64_t trials, int64_t told, bool last)
{
    return last ? trials > told : count_bits(trials) > count_bits(told);
}

void report_progress(run_state *run, bool last)
{
    weft_counters now = weft_player_counters(run->player);
    if (!report_due(now.trials, run->told.trials, last) || run->options->quiet)
        return;
    progress_clear(&run->progress);
    tell_row(&run->told, &now, run->told.trials == run->begin.trials, run_bound(run));
    run->told = now;
}

/* ---- The summary ---- */

/* After a model was resumed the counts are those of all trials, but not what is compared with them. */
static void tell_constant(const run_state *run)
{
    const run_facts *facts = &run->facts;
    fprintf(stderr, "%-18s", "doing nothing");
    if (facts->labelled == 0)
        fprintf(stderr, "not known: no label came in this run\n");
    else
        fprintf(stderr, "%.4g %%, always saying %+d%s\n", 100 * facts->constant_error, facts->constant,
                run->resumed ? " in this run" : "");
}

bool report_error(const run_state *run)
{
    const weft_counters *counters = &run->facts.player.counters;
    fprintf(stderr, "\n%-18s", "error");
    if (counters->trials == 0)
        fprintf(stderr, "not known: no label came");
    else
        fprintf(stderr, "%.4g %%: %" PRId64 " mistake%s in %" PRId64 " trial%s (%.6g expected)",
                100 * run->facts.player.error, counters->mistakes, output_plural(counters->mistakes),
                counters->trials, output_plural(counters->trials), counters->expected_mistakes);
    fprintf(stderr, "%s\n", run->interrupted ? ", interrupted" : "");
    if (run->interrupted && run->options->model != NULL) {
        int64_t lines = run->played;
        fprintf(stderr, "%-18s--resume %s, with what follows the first %" PRId64 " line%s of data\n",
                "to go on", weft_show(run->options->model).text, lines, output_plural(lines));
    }
    if (counters->trials > 0)
        tell_constant(run);
    return counters->trials > 0;
}

static void tell_ranking(const run_state *run)
{
    const run_facts *facts = &run->facts;
    fprintf(stderr, "%-18s", "ranking");
    if (!run_ranks(run))
        fprintf(stderr, "not known: --tolerance none does not compute margins\n");
    else if (facts->labelled == 0)
        fprintf(stderr, "not known: no label came in this run\n");
    else if (!facts->ranked.defined)
        fprintf(stderr, "not defined: only one label occurred\n");
    else
        fprintf(stderr, "AUC %.4f, average precision %.4f\n", facts->ranked.auc,
                facts->ranked.average_precision);
}

static void tell_bound(const weft_bound *bound)
{
    if (bound->kind == WEFT_NO_BOUND) {
        fprintf(stderr, "%-18snone: %s\n", "bound", bound->statement);
        return;
    }
    fprintf(stderr, "%-18s%.6g %smistakes (%s)%s\n", "bound", bound->value,
            bound->kind == WEFT_REGRET ? "expected " : "", bound->statement,
            bound->vacuous ? ", vacuous: not below the number of trials"
            : bound->coin  ? ", no better than a coin"
                           : "");
}

void report_stream(const run_state *run)
{
    negatives_summary(run);
    if (!run->scanned)
        stream_tell(run->stream, &run->options->from.how, stderr);
    if (!run->scanned && !run->noticed)
        negatives_notice(run);
    if (run->late == 0)
        return;
    int64_t dropped = weft_waiting_dropped(run->waiting);
    fprintf(stderr,
            "%-17s %" PRId64 " came for answers that had been given; %" PRId64 " answer%s still open\n",
            "late labels", run->late, weft_waiting_count(run->waiting),
            weft_waiting_count(run->waiting) == 1 ? " is" : "s are");
    if (dropped > 0)
        fprintf(stderr, "%-17s %" PRId64 " answer%s given up for newer ones (--open N keeps more)\n", "",
                dropped, dropped == 1 ? " was" : "s were");
}

void report_summary(run_state *run)
{
    if (run->options->quiet)
        return;
    report_progress(run, true);
    if (report_error(run))
        tell_ranking(run);
    report_stream(run);
    tell_bound(&run->facts.bound);
}
