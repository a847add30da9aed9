/* SPDX-License-Identifier: MIT */
#include "cli/run/committee.h"
#include "cli/run/state.h"

#include <math.h>

static json_t *describe_standing(const weft_standing *standing)
{
    json_t *object =
        json_pack("{s:o, s:b, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "name", json_name(standing->name), "awake",
                  (int)standing->is_awake, "since", (json_int_t)standing->since, "trials",
                  (json_int_t)standing->trials, "mistakes", (json_int_t)standing->mistakes, "regret",
                  json_real_or_null(standing->regret), "term", json_real_or_null(standing->term), "weight",
                  json_real_or_null(standing->weight), "share", json_real_or_null(standing->share));
    int failed = standing->in_reserve && json_object_set_new(object, "reserve", json_true()) != 0;
    if (standing->drift != 0)
        failed |= json_object_set_new(object, "drift", json_real(standing->drift));
    return json_whole(object, failed);
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

static json_t *describe_counts(const run_state *run)
{
    const run_facts *facts = &run->facts;
    const ranking *ranked = &facts->ranked;
    return json_pack("{s:I, s:I, s:o, s:f, s:f, s:s, s:o, s:o}", "trials", (json_int_t)facts->counters.trials,
                     "mistakes", (json_int_t)facts->counters.mistakes, "mistake_rate",
                     json_real_or_null(facts->error), "expected_mistakes", facts->counters.expected_mistakes,
                     "seconds", run->seconds, "engine", "committee", "auc",
                     json_real_or_null(ranked->defined ? ranked->auc : NAN), "average_precision",
                     json_real_or_null(ranked->defined ? ranked->average_precision : NAN));
}

static json_t *describe_relation(const run_state *run)
{
    return json_pack("{s:s, s:I}", "kind", run->columns == NULL ? "one set" : "two sides", "common_ids",
                     (json_int_t)run->facts.common_ids);
}

json_t *committee_describe(const run_state *run)
{
    const weft_player *committee = run->player;
    const run_facts *facts = &run->facts;
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
    failed |= json_object_set_new(object, "guarantee", committee_guarantee_json(&facts->guarantee));
    if (settings.tracking)
        failed |= json_object_set_new(object, "tracking", committee_tracking_json(&facts->tracking));
    failed |= json_object_set_new(object, "worth", committee_worth_json(&facts->worth));
    failed |= json_object_set_new(object, "calibration_error", json_real_or_null(facts->calibration));
    return json_whole(object, failed);
}
