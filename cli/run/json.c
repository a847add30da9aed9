/* SPDX-License-Identifier: MIT */
#include "cli/command/json_text.h"
#include "cli/command/words.h"
#include "cli/report/side.h"
#include "cli/run/negatives.h"

static json_t *describe_parameters(const run_state *run)
{
    const weft_settings *settings = &run->settings;
    json_t *horizon = json_integer_if(run->horizon > 0, run->horizon);
    json_t *object =
        json_pack("{s:s, s:f, s:f, s:f, s:s, s:o, s:I}", "form", form_words[settings->form], "eta",
                  settings->eta, "gamma", settings->gamma, "dimension", settings->dimension, "updates",
                  updates_words[settings->updates], "horizon", horizon, "seed", (json_int_t)settings->seed);
    if (settings->engine == WEFT_COMPACT) {
        json_object_set_new(object, "floor", json_real_if(settings->floor > 0, settings->floor));
        json_object_set_new(object, "half_life", json_real_if(settings->half_life > 0, settings->half_life));
    }
    return object;
}

static json_t *describe_bound(const run_state *run)
{
    weft_bound bound = run->facts.bound;
    /* No theorem of the paper speaks of a committee. */
    if (!run->ops->in_theory || bound.kind == WEFT_NO_BOUND)
        return json_null();
    return json_pack("{s:s, s:o, s:b}", "kind", weft_bound_kind_name(bound.kind), "value",
                     json_real_or_null(bound.value), "vacuous", (int)bound.vacuous);
}

json_t *json_describe_learner(const run_state *run)
{
    const player_facts *player = &run->facts.player;
    const weft_counters *counters = &player->counters;
    const ranking *ranked = &run->facts.ranked;
    double trials = (double)counters->trials;
    return json_pack(
        "{s:I, s:I, s:o, s:f, s:I, s:o, s:f, s:s, s:o, s:o, s:o}", "trials", (json_int_t)counters->trials,
        "mistakes", (json_int_t)counters->mistakes, "mistake_rate", json_real_or_null(player->error),
        "expected_mistakes", counters->expected_mistakes, "updates", (json_int_t)counters->updates,
        "products_per_trial", json_real_if(trials > 0, (double)counters->products / trials), "seconds",
        run->seconds, "engine", engine_name(run->settings.engine), "auc",
        json_real_if(ranked->defined, ranked->auc), "average_precision",
        json_real_if(ranked->defined, ranked->average_precision), "parameters", describe_parameters(run));
}

static json_t *describe_counts(const run_state *run)
{
    const player_facts *player = &run->facts.player;
    const ranking *ranked = &run->facts.ranked;
    return json_pack("{s:I, s:I, s:o, s:f, s:f, s:s, s:o, s:o}", "trials",
                     (json_int_t)player->counters.trials, "mistakes", (json_int_t)player->counters.mistakes,
                     "mistake_rate", json_real_or_null(player->error), "expected_mistakes",
                     player->counters.expected_mistakes, "seconds", run->seconds, "engine", "committee",
                     "auc", json_real_if(ranked->defined, ranked->auc), "average_precision",
                     json_real_if(ranked->defined, ranked->average_precision));
}

static json_t *describe_relation(const run_state *run)
{
    return json_pack("{s:s, s:I}", "kind", run->columns == NULL ? "one set" : "two sides", "common_ids",
                     (json_int_t)run->facts.common_ids);
}

json_t *json_describe_committee(const run_state *run)
{
    const weft_player *committee = run->player;
    const player_facts *player = &run->facts.player;
    const weft_committee_settings *rules = &player->rules;
    json_t *object = describe_counts(run);
    json_t *parameters =
        json_pack("{s:b, s:I}", "randomised", (int)rules->randomised, "seed", (json_int_t)rules->seed);
    int failed = object == NULL;
    if (rules->restless)
        failed |= json_object_set_new(parameters, "restless", json_true());
    failed |= json_object_set_new(object, "parameters", parameters);
    failed |= json_object_set_new(object, "relation", describe_relation(run));
    failed |= json_object_set_new(object, "members", committee_members_json(committee));
    failed |= json_object_set_new(object, "stack", committee_stack_json(committee));
    failed |= json_object_set_new(object, "guarantee", committee_guarantee_json(&player->guarantee));
    failed |= json_object_set_new(object, "worth", committee_worth_json(&player->worth));
    failed |= json_object_set_new(object, "calibration_error", json_real_or_null(run->facts.calibration));
    return json_whole(object, failed);
}

static json_t *describe(const run_state *run)
{
    json_t *object = run->ops->describe(run);
    int failed = object == NULL;
    failed |= side_add_both(object, run->rows, run->columns, run->settings.engine == WEFT_COMPACT);
    failed |= json_object_set_new(object, "bound", describe_bound(run));
    failed |= negatives_describe(run, object);
    if (weft_stream_context(run->stream).count > 0)
        failed |= json_object_set_new(object, "context", context_describe(run->stream));
    if (run->facts.profile.known)
        failed |= json_object_set_new(object, "profile", profile_json(&run->facts.profile));
    return json_whole(object, failed);
}

weft_status json_write(const run_state *run, weft_error *error)
{
    return json_print(describe(run), error);
}
