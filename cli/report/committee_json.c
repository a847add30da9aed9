/* SPDX-License-Identifier: MIT */
#include "cli/run/committee.h"
#include "cli/run/state.h"

#include <math.h>

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *describe_standing(const weft_standing *standing)
{
    json_t *object =
        json_pack("{s:o, s:b, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "name", json_name(standing->name), "awake",
                  (int)standing->is_awake, "since", (json_int_t)standing->since, "trials",
                  (json_int_t)standing->trials, "mistakes", (json_int_t)standing->mistakes, "regret",
                  real_or_null(standing->regret), "term", real_or_null(standing->term), "weight",
                  real_or_null(standing->weight), "share", real_or_null(standing->share));
    return json_whole(object,
                      standing->in_reserve && json_object_set_new(object, "reserve", json_true()) != 0);
}

json_t *committee_members_json(const weft_player *committee)
{
    json_t *list = json_array();
    int failed = list == NULL;
    for (int64_t k = 0; k < weft_player_member_count(committee); k++) {
        weft_standing standing = weft_committee_standing(committee, k);
        failed |= json_array_append_new(list, describe_standing(&standing));
    }
    return json_whole(list, failed);
}

json_t *committee_stack_json(const weft_player *committee)
{
    weft_standing stack = weft_committee_standing(committee, weft_player_member_count(committee));
    return describe_standing(&stack);
}

json_t *committee_guarantee_json(const weft_player *committee)
{
    weft_standing best = committee_best(committee);
    return json_pack("{s:f, s:o, s:I, s:o}", "expected_mistakes", committee_expected(committee, &best),
                     "best", json_name(best.name), "best_mistakes", (json_int_t)best.mistakes, "term",
                     real_or_null(best.term));
}

static json_t *describe_counts(run_state *run)
{
    weft_counters counters = weft_player_counters(run->player);
    ranking ranked = scores_rank(&run->scores);
    double trials = (double)counters.trials;
    return json_pack("{s:I, s:I, s:o, s:f, s:f, s:s, s:o, s:o}", "trials", (json_int_t)counters.trials,
                     "mistakes", (json_int_t)counters.mistakes, "mistake_rate",
                     real_or_null((double)counters.mistakes / trials), "expected_mistakes",
                     counters.expected_mistakes, "seconds", run->seconds, "engine", "committee", "auc",
                     real_or_null(ranked.defined ? ranked.auc : NAN), "average_precision",
                     real_or_null(ranked.defined ? ranked.average_precision : NAN));
}

static json_t *describe_relation(const run_state *run)
{
    return json_pack("{s:s, s:I}", "kind", run->columns == NULL ? "one set" : "two sides", "common_ids",
                     (json_int_t)committee_common(run));
}

json_t *committee_describe(run_state *run)
{
    const weft_player *committee = run->player;
    weft_committee_settings settings = weft_committee_settings_of(committee);
    json_t *object = describe_counts(run);
    json_t *parameters =
        json_pack("{s:b, s:I}", "randomised", (int)settings.randomised, "seed", (json_int_t)settings.seed);
    int failed = object == NULL;
    if (settings.restless)
        failed |= json_object_set_new(parameters, "restless", json_true());
    if (settings.tracking)
        failed |= json_object_set_new(parameters, "tracking", json_true());
    failed |= json_object_set_new(object, "parameters", parameters);
    failed |= json_object_set_new(object, "relation", describe_relation(run));
    failed |= json_object_set_new(object, "members", committee_members_json(committee));
    failed |= json_object_set_new(object, "stack", committee_stack_json(committee));
    failed |= json_object_set_new(object, "guarantee", committee_guarantee_json(committee));
    if (settings.tracking)
        failed |= json_object_set_new(object, "tracking", committee_tracking_json(committee));
    failed |= json_object_set_new(object, "worth", committee_worth_json(committee, run->columns != NULL));
    failed |=
        json_object_set_new(object, "calibration_error", real_or_null(reliability_error(&run->reliability)));
    return json_whole(object, failed);
}
