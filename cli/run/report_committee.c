/* SPDX-License-Identifier: MIT
 * What people read of a committee, on standard error. */
#include "cli/run/state.h"

#include <inttypes.h>
#include <stdio.h>

enum { INDENT = 18, LINES = 10 };

void committee_settings(const run_state *run)
{
    const run_options *options = run->options;
    const player_facts *player = &run->facts.player;
    const weft_committee_settings *rules = &player->rules;
    bool resumed = run->resumed;
    if (options->quiet)
        return;
    report_head(run);
    fprintf(stderr, "%-11s%" PRId64 " members: %" PRId64 " learners, %" PRId64 " rivals (%s)\n", "committee",
            player->members, player->learners, player->members - player->learners,
            resumed ? "the model's" : options->player.reason);
    fprintf(stderr, "%-11s%s (%s)\n", "prediction",
            rules->randomised ? "drawn by weight" : "by majority of weight",
            resumed                  ? "the model's"
            : rules->randomised      ? "--randomised"
            : options->deterministic ? "--deterministic"
                                     : "default");
    if (rules->restless)
        fprintf(stderr, "%-11s%s (%s)\n", "resting", "none: every member plays every trial",
                resumed ? "the model's" : "--restless");
    if (options->delay > 0)
        fprintf(stderr, "%-11s%" PRId64 " (%s)\n", "delay", options->delay,
                "given: labels arrive that many lines late");
    if (rules->randomised)
        fprintf(stderr, "%-11s%" PRIu64 " (%s)\n", "seed", rules->seed,
                resumed               ? "the model's"
                : options->seed_given ? "given"
                                      : "default");
}

/* ---- The table ---- */

static void tell_row(const weft_counters *before, const weft_counters *now, bool first)
{
    int64_t trials = now->trials - before->trials, mistakes = now->mistakes - before->mistakes;
    if (first)
        fprintf(stderr, "\n%10s %10s %9s %9s %10s %7s\n%10s %10s %9s %9s %10s %7s\n", "", "", "average",
                "since", "expected", "members", "trials", "mistakes", "error", "last", "mistakes", "awake");
    fprintf(stderr, "%10" PRId64 " %10" PRId64 " %9.6f %9.6f %10.6g %7" PRId64 "\n", now->trials,
            now->mistakes, report_ratio((double)now->mistakes, (double)now->trials),
            report_ratio((double)mistakes, (double)trials), now->expected_mistakes, now->awake);
}

void committee_progress(run_state *run, bool last)
{
    weft_counters now = weft_player_counters(run->player);
    if (!report_due(now.trials, run->told.trials, last) || run->options->quiet)
        return;
    progress_clear(&run->progress);
    tell_row(&run->told, &now, run->told.trials == run->begin.trials);
    run->told = now;
}

/* ---- The summary ---- */

/* How sure the probabilities are: whether they are what they say, and how well they rank. */
static void tell_probabilities(const run_facts *facts)
{
    fprintf(stderr, "%-*s", INDENT, "probabilities");
    if (facts->labelled == 0) {
        fprintf(stderr, "not known: no label came in this run\n");
        return;
    }
    fprintf(stderr, "calibration error %.4f, ", facts->calibration);
    if (facts->ranked.defined)
        fprintf(stderr, "AUC %.4f, average precision %.4f\n", facts->ranked.auc,
                facts->ranked.average_precision);
    else
        fprintf(stderr, "no ranking: only one label occurred\n");
}

/* What is known of the committee once there was a label. */
static void tell_standing(const run_state *run)
{
    const player_facts *facts = &run->facts.player;
    committee_tell_worth(&facts->worth, INDENT, stderr);
    tell_probabilities(&run->facts);
    committee_tell_guarantee(&facts->guarantee, INDENT, stderr);
}

/* Numbers are often counted from 1 on both sides, of different things.  Of one set of things no pair is one
 * with itself, where some would be if rows and columns had nothing to do with each other. */
static bool may_be_one_set(const run_state *run, double rows, double columns)
{
    const double enough = 5;
    const run_facts *facts = &run->facts;
    double expected = (double)run->played * (double)facts->common_ids / (rows * columns);
    return 2 * facts->common_numbers <= facts->common_ids || (run->alike == 0 && expected >= enough);
}

static void tell_relation(const run_state *run)
{
    if (run->columns == NULL) {
        fprintf(stderr, "%-*sone set of ids: rows and columns are the same things\n", INDENT, "relation");
        return;
    }
    int64_t rows = weft_ids_count(weft_roster_ids(run->rows));
    int64_t columns = weft_ids_count(weft_roster_ids(run->columns)), common = run->facts.common_ids;
    /* A few may have the same name by chance. */
    if (common == 0 || 2 * common < (rows < columns ? rows : columns) ||
        !may_be_one_set(run, (double)rows, (double)columns))
        return;
    fprintf(stderr,
            "%-*stwo sides with %" PRId64 " id%s in common: if these are the same things, play them as\n",
            INDENT, "relation", common, output_plural(common));
    fprintf(stderr, "%-*sone set of ids, --both SPEC, which also plays the one-set form of the learner\n",
            INDENT, "");
}

void committee_summary(run_state *run)
{
    if (run->options->quiet)
        return;
    committee_progress(run, true);
    if (report_error(run))
        tell_standing(run);
    report_stream(run);
    tell_relation(run);
    if (!run->options->members)
        return;
    committee_tell_leaders(run->player, LINES, stderr);
    reliability_tell(&run->reliability);
}
