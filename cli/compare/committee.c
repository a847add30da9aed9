/* SPDX-License-Identifier: MIT
 * The committee, which weft run plays by default: whether it can play, and how it does beside the best in
 * hindsight of rivals and of weft.  Those chose a rate, a form and a kind after the last label; the committee
 * chose nothing, so that a ratio below 1 is more than fair, and one above 1 the price of not knowing. */
#include "cli/command/json_text.h"
#include "cli/compare/compare.h"
#include "program/fail.h"
#include "weft_files.h"

#include <math.h>

/* With everything that is given, and with less of it. */
static weft_status list_all(compare_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_roster *const rosters[2] = {state->rows, state->columns};
    state->given = source_is_blank(weft_roster_side(state->rows)) ? 0 : KNOWS_ROWS;
    if (state->columns != NULL && !source_is_blank(weft_roster_side(state->columns)))
        state->given |= KNOWS_COLUMNS;
    for (int knows = 0; knows <= (KNOWS_ROWS | KNOWS_COLUMNS); knows++) {
        const weft_side *none[2] = {(state->given & ~knows & KNOWS_ROWS) != 0 ? state->no_rows : NULL,
                                    (state->given & ~knows & KNOWS_COLUMNS) != 0 ? state->no_columns : NULL};
        if ((knows & ~state->given) == 0)
            TRY(committee_list_without(rosters, none, &state->members[knows], error));
    }
done:
    return status;
}

weft_status compare_list_members(compare_state *state, weft_error *error)
{
    if (state->options->no_committee)
        return WEFT_OK;
    if (weft_roster_report(state->rows).mapped ||
        (state->columns != NULL && weft_roster_report(state->columns).mapped)) {
        state->no_committee = "not played: it takes kernels, and a SPEC has map=";
        return WEFT_OK;
    }
    return list_all(state, error);
}

/* ---- The best in hindsight ---- */

static int64_t count_mistakes(const compare_state *state, const bool *wrong)
{
    int64_t mistakes = 0;
    for (int64_t t = 0; t < state->course.count; t++)
        mistakes += wrong[t];
    return mistakes;
}

static best_run find_best(const compare_state *state, int group)
{
    best_run best = {.who = NULL};
    for (int k = 0; k < state->count; k++) {
        const contestant *who = &state->contestants[k];
        for (int rate = 0; rate < who->rate_count && compare_belongs(who, group); rate++) {
            int64_t mistakes = count_mistakes(state, who->wrong[rate]);
            if (best.who == NULL || mistakes < best.mistakes)
                best = (best_run){who, rate, mistakes};
        }
    }
    return best;
}

/* NaN where the other made none. */
static double ratio(const contestant *committee, const best_run *other)
{
    return other->mistakes > 0 ? (double)committee->figures.mistakes / (double)other->mistakes : NAN;
}

/* ---- In words ---- */

static void append_best(compare_state *state, const char *name, const best_run *other)
{
    int64_t mistakes = state->committee->figures.mistakes;
    rate_text rate = compare_rate(other->who, other->rate);
    compare_append(state->committee_sentence, "%s the best %s (",
                   mistakes < other->mistakes   ? "fewer than"
                   : mistakes > other->mistakes ? "more than"
                                                : "as many as",
                   name);
    if (other->mistakes > 0)
        compare_append(state->committee_sentence, "%.3f times ", ratio(state->committee, other));
    compare_append(state->committee_sentence, "the %lld of %s%s%s)", (long long)other->mistakes,
                   other->who->name, rate.text[0] != 0 ? " at " : "", rate.text);
}

/* Where not the error decides who is best, mistakes alone would hide what was asked for. */
static void append_measure(compare_state *state)
{
    compare_measure measure = state->options->best;
    int runs = 0;
    double value = compare_value(measure, &state->committee->figures);
    if (measure == BY_ERROR || !isfinite(value))
        return;
    compare_append(state->committee_sentence,
                   "; its %s is %.4f, that of the best rival %.4f and of the best weft setting %.4f",
                   measure == BY_AUC ? "AUC" : "average precision", value,
                   compare_value(measure, &compare_best(state, RIVALS, &runs)->figures),
                   compare_value(measure, &compare_best(state, KNOWS_ANYTHING, &runs)->figures));
}

void compare_tell_committee(compare_state *state)
{
    for (int k = 0; k < state->count; k++)
        if (state->contestants[k].kind == BY_COMMITTEE && state->contestants[k].knows == state->given)
            state->committee = &state->contestants[k];
    if (state->committee == NULL)
        return;
    state->best_rival = find_best(state, RIVALS);
    state->best_weft = find_best(state, KNOWS_ANYTHING);
    compare_append(
        state->committee_sentence, "The committee, which weft run plays by default, makes %lld mistake%s, ",
        (long long)state->committee->figures.mistakes, state->committee->figures.mistakes == 1 ? "" : "s");
    append_best(state, "rival", &state->best_rival);
    compare_append(state->committee_sentence, " and ");
    append_best(state, "weft setting", &state->best_weft);
    compare_append(state->committee_sentence, ", each at its best rate in hindsight");
    append_measure(state);
    compare_append(state->committee_sentence, ".");
}

/* ---- For programs ---- */

static json_t *describe_best(const contestant *committee, const best_run *other)
{
    double times = ratio(committee, other);
    return json_pack("{s:s, s:o, s:I, s:o}", "name", other->who->name, "rate",
                     other->who->knob[0] != 0 ? json_real(other->who->rates[other->rate]) : json_null(),
                     "mistakes", (json_int_t)other->mistakes, "ratio", json_real_or_null(times));
}

json_t *compare_committee_json(const compare_state *state)
{
    const contestant *committee = state->committee;
    if (committee == NULL)
        return json_null();
    return json_pack("{s:I, s:o, s:o, s:s}", "mistakes", (json_int_t)committee->figures.mistakes, "rival",
                     describe_best(committee, &state->best_rival), "weft",
                     describe_best(committee, &state->best_weft), "sentence", state->committee_sentence);
}
