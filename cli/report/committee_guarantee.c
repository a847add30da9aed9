/* SPDX-License-Identifier: MIT
 * What is guaranteed of a committee, for people and as JSON. */
#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/output.h"

#include <inttypes.h>

/* Of the members that were awake all along the one with the fewest mistakes, the first of equals.  Those have
 * as many trials as the stack: all. */
static weft_standing find_best(const weft_player *committee)
{
    int64_t count = weft_player_member_count(committee);
    weft_standing stack = weft_committee_standing(committee, count), best = stack;
    for (int64_t k = 0; k < count; k++) {
        weft_standing standing = weft_committee_standing(committee, k);
        if (standing.trials == stack.trials && (best.name == stack.name || standing.mistakes < best.mistakes))
            best = standing;
    }
    return best;
}

guarantee committee_guarantee(const weft_player *committee)
{
    weft_counters counters = weft_player_counters(committee);
    weft_standing best = find_best(committee);
    return (guarantee){.best = best,
                       .expected = counters.expected_mistakes,
                       .mistakes = counters.mistakes,
                       .drawn = weft_committee_settings_of(committee).randomised,
                       .late = best.drift != 0 || counters.anew > 0,
                       .anew = counters.anew};
}

const char *committee_vacuous(double bound, int64_t trials)
{
    return bound >= (double)trials       ? ", vacuous: not below the number of trials"
           : 2 * bound >= (double)trials ? ", no better than a coin"
                                         : "";
}

/* ---- For people ---- */

/* What late labels add to it. */
static void tell_drift(const guarantee *told, int indent, FILE *out)
{
    const weft_standing *best = &told->best;
    if (!told->late)
        return;
    double bound = (double)best->mistakes + best->term + best->drift;
    fprintf(out, "%-*slabels came late: with their drift %+.6g it is %.6g%s\n", indent, "", best->drift,
            bound, committee_vacuous(bound, best->trials));
    if (told->anew > 0)
        fprintf(out, "%-*s%" PRId64 " answer%s lost, and counted as the label found %s\n", indent, "",
                told->anew, told->anew == 1 ? " was" : "s were", told->anew == 1 ? "it" : "them");
}

void committee_tell_guarantee(const guarantee *told, int indent, FILE *out)
{
    const weft_standing *best = &told->best;
    fprintf(out,
            "%-*swhatever the labels: expected mistakes %.6g <= %" PRId64 " of the best member + %.6g%s\n",
            indent, "guarantee", told->expected, best->mistakes, best->term, told->late ? " + drift" : "");
    tell_drift(told, indent, out);
    fprintf(out, "%-*s('%s', always awake); ", indent, "", best->name);
    if (told->drawn)
        fprintf(out, "predictions are drawn, and make %.6g on average\n", told->expected);
    else
        fprintf(out, "a majority makes at most twice as many\n");
}

void committee_explain_guarantee(const guarantee *told, int indent, FILE *out)
{
    const weft_standing *best = &told->best;
    fprintf(out, "%-*sexpected mistakes %.6g <= %" PRId64 " of '%s' + %.6g%s, whatever the labels are:\n",
            indent, "guarantee", told->expected, best->mistakes, best->name, best->term,
            told->late ? " + drift" : "");
    tell_drift(told, indent, out);
    fprintf(out, "%-*sof those awake all along it has the fewest mistakes\n", indent, "");
    if (told->drawn)
        fprintf(out, "%-*spredictions are drawn: %.6g is what they make on average\n", indent, "",
                told->expected);
    else
        fprintf(out,
                "%-*sa majority is wrong only where half of the weight is: %" PRId64
                " mistake%s <= 2 * %.6g\n",
                indent, "", told->mistakes, output_plural(told->mistakes), told->expected);
}

/* ---- For programs ---- */

json_t *committee_guarantee_json(const guarantee *told)
{
    json_t *object = json_pack("{s:f, s:o, s:I, s:o}", "expected_mistakes", told->expected, "best",
                               json_name(told->best.name), "best_mistakes", (json_int_t)told->best.mistakes,
                               "term", json_real_or_null(told->best.term));
    int failed = object == NULL;
    if (told->late) {
        failed |= json_object_set_new(object, "drift", json_real(told->best.drift));
        failed |= json_object_set_new(object, "anew", json_integer((json_int_t)told->anew));
    }
    return json_whole(object, failed);
}
