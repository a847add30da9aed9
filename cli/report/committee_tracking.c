/* SPDX-License-Identifier: MIT
 * What is told of a committee that follows a truth that changes. */
#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/output.h"

#include <inttypes.h>

/* Those that are not born yet are the same as the eldest, which is believed in their places too. */
static double belief_in(const weft_tracking *tracking, int generation)
{
    double belief = tracking->belief[generation];
    for (int g = 1; g < WEFT_GENERATIONS && generation == 0; g++)
        belief += tracking->since[g] == 0 ? tracking->belief[g] : 0;
    return belief;
}

int committee_foremost(const weft_tracking *tracking)
{
    int best = 0;
    for (int g = 1; g < WEFT_GENERATIONS; g++)
        if (tracking->since[g] > 0 && belief_in(tracking, g) > belief_in(tracking, best))
            best = g;
    return best;
}

/* ---- For people ---- */

static void tell_alarms(const weft_tracking *tracking, int indent, FILE *out)
{
    fprintf(out, "%-*s", indent, "alarms");
    if (tracking->alarms == 0)
        fprintf(out, "none: no change of the truth was found\n");
    else if (tracking->last == 0)
        fprintf(out, "%" PRId64 ", before a merge\n", tracking->alarms);
    else
        fprintf(out, "%" PRId64 ", the last after labelled trial %" PRId64 "\n", tracking->alarms,
                tracking->last);
}

static void tell_generations(const weft_tracking *tracking, int indent, FILE *out)
{
    int best = committee_foremost(tracking);
    bool alone = true;
    for (int g = 1; g < WEFT_GENERATIONS; g++)
        alone &= tracking->since[g] == 0;
    fprintf(out, "%-*s", indent, "believed most");
    if (alone)
        fprintf(out, "the eldest generation, the only one so far\n");
    else if (best == 0)
        fprintf(out, "%.4f, the eldest generation, which has learnt all along\n", belief_in(tracking, best));
    else
        fprintf(out, "%.4f, the generation that began after labelled trial %" PRId64 "\n",
                belief_in(tracking, best), tracking->since[best]);
}

static void tell_saved(const weft_tracking *tracking, int64_t mistakes, int indent, FILE *out)
{
    int64_t saved = tracking->mistakes - mistakes;
    fprintf(out, "%-*s%" PRId64 " mistake%s, by the eldest generation alone: ", indent, "without tracking",
            tracking->mistakes, output_plural(tracking->mistakes));
    if (saved == 0)
        fprintf(out, "as many\n");
    else
        fprintf(out, "tracking %s %" PRId64 "\n", saved > 0 ? "saved" : "cost", saved > 0 ? saved : -saved);
}

void committee_tell_changes(const weft_tracking *tracking, int64_t mistakes, int indent, FILE *out)
{
    tell_alarms(tracking, indent, out);
    tell_generations(tracking, indent, out);
    tell_saved(tracking, mistakes, indent, out);
}

void committee_tell_eldest(const char *end, int indent, FILE *out)
{
    fprintf(out, "%-*smembers and side information are told of as the eldest generation has them%s\n", indent,
            "", end);
}

/* After a merge the counters tell of more than the guarantee speaks of. */
bool committee_tell_sequence(const weft_player *committee, int indent, FILE *out)
{
    weft_counters counters = weft_player_counters(committee);
    weft_tracking tracking = weft_committee_tracking(committee);
    int64_t trials = weft_committee_standing(committee, weft_player_member_count(committee)).trials;
    bool merged = trials < counters.trials;
    fprintf(out, "%-*s", indent, "guarantee");
    if (merged && trials == 0) {
        fprintf(out, "none yet: there was no trial since the merge\n");
        return false;
    }
    fprintf(out, "expected mistakes ");
    if (merged)
        fprintf(out, "in the last %" PRId64 " trial%s, those after a merge,", trials, output_plural(trials));
    else
        fprintf(out, "%.6g", counters.expected_mistakes);
    fprintf(out, " <= those of any sequence of generations\n");
    fprintf(out, "%-*sthat changes s times + %.6g + s * %.6g, whatever the labels are\n", indent, "",
            tracking.term, tracking.change);
    if (tracking.drift != 0)
        fprintf(out, "%-*slabels came late: and + their drift, %+.6g%s\n", indent, "", tracking.drift,
                committee_vacuous(tracking.term + tracking.drift, trials));
    return !merged;
}

void committee_explain_tracking(const weft_player *committee, int indent, FILE *out)
{
    weft_counters counters = weft_player_counters(committee);
    weft_tracking tracking = weft_committee_tracking(committee);
    if (!tracking.on)
        return;
    committee_tell_changes(&tracking, counters.mistakes, indent, out);
    bool all = committee_tell_sequence(committee, indent, out);
    if (all && weft_committee_settings_of(committee).randomised)
        fprintf(out, "%-*spredictions are drawn: %.6g is what they make on average\n", indent, "",
                counters.expected_mistakes);
    else if (all)
        fprintf(out,
                "%-*sa majority is wrong only where half of the weight is: %" PRId64
                " mistake%s <= 2 * %.6g\n",
                indent, "", counters.mistakes, output_plural(counters.mistakes), counters.expected_mistakes);
    committee_tell_eldest(":", indent, out);
}

/* ---- For programs ---- */

static json_t *describe_generations(const weft_tracking *tracking)
{
    json_t *list = json_array();
    int failed = list == NULL;
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        failed |= json_array_append_new(list, json_pack("{s:I, s:f}", "since", (json_int_t)tracking->since[g],
                                                        "belief", tracking->belief[g]));
    return json_whole(list, failed);
}

json_t *committee_tracking_json(const weft_tracking *tracking)
{
    json_t *object = json_pack(
        "{s:I, s:I, s:o, s:I, s:f, s:f}", "alarms", (json_int_t)tracking->alarms, "last_alarm",
        (json_int_t)tracking->last, "generations", describe_generations(tracking), "without_tracking",
        (json_int_t)tracking->mistakes, "term", tracking->term, "change", tracking->change);
    return json_whole(object, object == NULL ||
                                  (tracking->drift != 0 &&
                                   json_object_set_new(object, "drift", json_real(tracking->drift)) != 0));
}
