/* SPDX-License-Identifier: MIT
 * What side information is worth to the committee: runs without some of it, beside the one with all.  The
 * test is that of weft run, which estimates the same from one run. */
#include "cli/compare/compare.h"
#include "src/base/elementary.h"

#include <math.h>

/* Of a committee its scores are probabilities. */
static double log_loss(const contestant *who, const metric_trial *trial, int64_t t)
{
    double p = who->scores[t];
    return -weft__log(trial->label > 0 ? p : 1 - p);
}

static ranking ranking_of(const contestant *who)
{
    return (ranking){.auc = who->figures.auc,
                     .average_precision = who->figures.average_precision,
                     .defined = !isnan(who->figures.auc)};
}

static worth_part compare_runs(const compare_state *state, const contestant *without, int told)
{
    const metric_course *course = &state->course;
    const contestant *with = state->committee;
    weft_paired lost = {0}, wrong = {0};
    for (int64_t t = 0; t < course->count; t++) {
        const metric_trial *trial = &course->trials[t];
        weft_paired_add(&lost, log_loss(with, trial, t), log_loss(without, trial, t));
        weft_paired_add(&wrong, with->wrong[0][t], without->wrong[0][t]);
    }
    int64_t negative = course->count - course->positive;
    weft_worth worth = {.members = state->members[without->knows].count,
                        .trials = course->count,
                        .log_loss = weft_paired_difference(&lost, told),
                        .mistakes = weft_paired_difference(&wrong, told)};
    worth.verdict =
        weft_verdict_of(&worth.log_loss, course->positive < negative ? course->positive : negative);
    return (worth_part){.worth = worth, .without = ranking_of(without)};
}

static const contestant *find_committee(const compare_state *state, int knows)
{
    for (int k = 0; k < state->count; k++)
        if (state->contestants[k].kind == BY_COMMITTEE && state->contestants[k].knows == knows)
            return &state->contestants[k];
    return NULL;
}

void compare_find_worth(compare_state *state)
{
    static const char *const names[WORTH_PARTS] = {"rows", "columns", "both"};
    bool one_set = state->course.one_set;
    int told = state->given == (KNOWS_ROWS | KNOWS_COLUMNS) ? WORTH_PARTS : 1;
    worth_list *list = &state->worth;
    if (state->committee == NULL)
        return;
    list->with = ranking_of(state->committee);
    list->trials = state->course.count;
    list->count = one_set ? 1 : WORTH_PARTS;
    for (int k = 0; k < list->count; k++) {
        int less = (k + 1) & state->given;
        if (less != 0)
            list->parts[k] = compare_runs(state, find_committee(state, state->given & ~less), told);
        list->parts[k].name = one_set ? "ids" : names[k];
    }
}
