/* SPDX-License-Identifier: MIT
 * What the side information is worth, for people and as JSON. */
#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>

worth_list committee_worth(const weft_player *committee, bool sides)
{
    weft_worth rows = weft_committee_worth(committee, WEFT_ROWS);
    int64_t trials = weft_player_counters(committee).trials;
    if (!sides)
        return (worth_list){.parts = {{.name = "ids", .worth = rows}}, .count = 1, .trials = trials};
    weft_worth columns = weft_committee_worth(committee, WEFT_COLUMNS);
    weft_worth both = weft_committee_worth(committee, WEFT_BOTH);
    return (worth_list){.parts = {{.name = "rows", .worth = rows},
                                  {.name = "columns", .worth = columns},
                                  {.name = "both", .worth = both}},
                        .count = 3,
                        .trials = trials};
}

/* ---- In words ---- */

/* Rounded, and never -0. */
static double whole(double value)
{
    return round(value) + 0.0;
}

/* A trial, and never -0.0000. */
static double mean(const weft_worth *worth, double sum)
{
    const double digits = 1e4;
    return round(sum / fmax((double)worth->trials, 1) * digits) / digits + 0.0;
}

/* Of so many trials; where it speaks of less of them it says so. */
static void tell_log_loss(const worth_part *part, int64_t trials, FILE *out)
{
    const weft_worth *worth = &part->worth;
    const weft_difference *lost = &worth->log_loss;
    double low = mean(worth, lost->low), high = mean(worth, lost->high);
    fprintf(out, "%s: ", part->name);
    if (worth->verdict == WEFT_HELPS)
        fprintf(out, "helps, saves %.4f to %.4f", low, high);
    else if (worth->verdict == WEFT_UNCLEAR)
        fprintf(out, "cannot tell yet, saves %.4f to %.4f", low, high);
    else if (lost->high < 0)
        fprintf(out, "saves at most nothing, costs %.4f to %.4f", mean(worth, -lost->high),
                mean(worth, -lost->low));
    else
        fprintf(out, "saves at most %.4f", high);
    fprintf(out, " of log loss a trial (%.4f, %.4f without", mean(worth, lost->with),
            mean(worth, lost->without));
    if (worth->trials < trials)
        fprintf(out, "; in %" PRId64 " trials", worth->trials);
    fprintf(out, ")%s\n", worth->verdict == WEFT_AT_MOST ? ": it can be left out" : "");
}

static void tell_others(const worth_part *part, const ranking *with, int indent, FILE *out)
{
    const weft_difference *wrong = &part->worth.mistakes;
    fprintf(out, "%-*s  without: %.0f mistake%s (%+.0f, 95 %%: %+.0f to %+.0f)", indent, "", wrong->without,
            output_plural((int64_t)wrong->without), whole(wrong->saved), whole(wrong->low),
            whole(wrong->high));
    if (part->without.defined && with->defined)
        fprintf(out, ", AUC %.3f (%+.3f), average precision %.3f (%+.3f)", part->without.auc,
                part->without.auc - with->auc, part->without.average_precision,
                part->without.average_precision - with->average_precision);
    fprintf(out, "\n");
}

/* Both are one of them where of the other nothing is known. */
static bool is_told(const worth_list *list, int64_t part)
{
    enum { ROWS, COLUMNS, BOTH };
    bool known = list->parts[part].worth.members > 0;
    return part != BOTH
               ? known
               : known && list->parts[ROWS].worth.members > 0 && list->parts[COLUMNS].worth.members > 0;
}

void committee_tell_worth(const worth_list *list, int indent, FILE *out)
{
    const char *name = "side information";
    for (int64_t i = 0; i < list->count; i++) {
        if (!is_told(list, i))
            continue;
        fprintf(out, "%-*s", indent, name);
        tell_log_loss(&list->parts[i], list->trials, out);
        tell_others(&list->parts[i], &list->with, indent, out);
        name = "";
    }
}

/* ---- For programs ---- */

/* `trials`: of which these are the sums; 1 for a sum. */
static json_t *describe_difference(const weft_difference *lost, double trials)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "with", lost->with / trials, "without",
                     lost->without / trials, "saved", lost->saved / trials, "low", lost->low / trials, "high",
                     lost->high / trials);
}

static json_t *describe_ranks(bool defined, double with, double without)
{
    return defined ? json_pack("{s:f, s:f}", "with", with, "without", without) : json_null();
}

static json_t *describe(const worth_list *list, const worth_part *part)
{
    const weft_worth *worth = &part->worth;
    const ranking *with = &list->with, *without = &part->without;
    bool defined = with->defined && without->defined;
    if (worth->members == 0)
        return json_null();
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "verdict", weft_verdict_name(worth->verdict), "trials",
                     (json_int_t)worth->trials, "log_loss",
                     describe_difference(&worth->log_loss, fmax((double)worth->trials, 1)), "mistakes",
                     describe_difference(&worth->mistakes, 1), "auc",
                     describe_ranks(defined, with->auc, without->auc), "average_precision",
                     describe_ranks(defined, with->average_precision, without->average_precision));
}

json_t *committee_worth_json(const worth_list *list)
{
    json_t *object = json_object();
    int failed = object == NULL;
    for (int64_t i = 0; i < list->count; i++)
        failed |= json_object_set_new(object, list->parts[i].name, describe(list, &list->parts[i]));
    return json_whole(object, failed);
}
