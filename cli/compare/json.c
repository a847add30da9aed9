/* SPDX-License-Identifier: MIT
 * The result for programs, one object on one line of standard output. */
#include "cli/command/json_text.h"
#include "cli/command/words.h"
#include "cli/compare/compare.h"
#include "cli/report/side.h"

static json_t *describe_figures(const metric_figures *figures)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "mistakes",
                     (json_int_t)figures->mistakes, "error", json_real_or_null(figures->error), "last_half",
                     json_real_or_null(figures->late_error), "auc", json_real_or_null(figures->auc),
                     "average_precision", json_real_or_null(figures->average_precision), "ndcg_10",
                     json_real_or_null(figures->ndcg), "recall_10", json_real_or_null(figures->recall),
                     "cold_rows", json_real_or_null(figures->cold_rows), "cold_columns",
                     json_real_or_null(figures->cold_columns));
}

/* Every rate, with the measure that the best was chosen by (an error with its own
 * sign again). */
static json_t *describe_rates(const compare_state *state, const contestant *who)
{
    double sign = state->options->best == BY_ERROR ? -1 : 1;
    json_t *rates = json_array();
    int failed = rates == NULL;
    for (int k = 0; k < who->rate_count && who->knob[0] != 0; k++) {
        json_t *rate =
            json_pack("{s:f, s:o}", "rate", who->rates[k], "value", json_real_or_null(sign * who->value[k]));
        if (rate != NULL && who->kind == BY_WEFT)
            failed |= json_object_set_new(rate, "eta", json_real(who->learning_rate[k]));
        failed |= json_array_append_new(rates, rate);
    }
    return json_whole(rates, failed);
}

static const char *known_sides(const compare_state *state, const contestant *who)
{
    static const char *const words[] = {"none", "rows", "columns", "rows and columns"};
    if (who->kind != BY_WEFT && who->kind != BY_COMMITTEE)
        return NULL;
    return state->course.one_set && who->knows != 0 ? "both" : words[who->knows];
}

static json_t *describe_contestant(const compare_state *state, const contestant *who)
{
    static const char *const kinds[] = {"weft", "rival", "committee", "hindsight", "hindsight", "following"};
    const char *form = who->kind == BY_WEFT ? form_words[who->form] : NULL;
    bool chosen = who->knob[0] != 0, timed = who->kind <= BY_COMMITTEE;
    json_t *object = json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s?, s:o, s:o}", "name", who->name, "kind", kinds[who->kind], "form", form,
        "knows", known_sides(state, who), "knob", chosen ? who->knob : NULL, "best",
        chosen ? json_real(who->rates[who->best]) : json_null(), "rates", describe_rates(state, who));
    json_t *figures = describe_figures(&who->figures);
    int failed = object == NULL || figures == NULL;
    if (failed == 0)
        failed = json_object_update(object, figures);
    if (failed == 0 && who->kind == BY_WEFT)
        failed = json_object_set_new(object, "shuffled", json_boolean(who->shuffled));
    if (failed == 0 && who->kind == BY_COMMITTEE)
        failed = json_object_set_new(object, "default", json_boolean(who == state->committee));
    if (failed == 0 && timed && !state->options->no_times)
        failed = json_object_set_new(object, "microseconds",
                                     json_real(1e6 * who->seconds / (double)state->course.count));
    json_decref(figures);
    return json_whole(object, failed);
}

static json_t *describe_comparison(const comparison *pair, const char *const words[3])
{
    const paired_test *test = &pair->test;
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:i}", "verdict", words[test->word + 1], "first",
                     pair->first->name, "second", pair->second->name, "gain", test->gain, "z", test->z, "p",
                     test->p, "corrected_for", test->looked);
}

static json_t *describe_verdict(const compare_state *state, const verdict *about)
{
    static const char *const words[] = {"hurts", "no difference", "helps"};
    static const char *const sides[] = {"", "rows", "columns", "rows and columns"};
    json_t *object = describe_comparison(&about->without, words);
    const char *side = state->course.one_set ? "both" : sides[about->knows];
    int failed = json_object_set_new(object, "about", json_string(side)) |
                 json_object_set_new(object, "shuffled", json_string(about->shuffled->name));
    return json_whole(object, failed);
}

static int add_verdicts(const compare_state *state, json_t *object)
{
    static const char *const words[] = {"worse", "no difference", "better"};
    json_t *verdicts = json_array();
    int failed = json_object_set_new(object, "verdicts", verdicts);
    for (int k = 0; k < state->verdict_count && failed == 0; k++)
        failed |= json_array_append_new(verdicts, describe_verdict(state, &state->verdicts[k]));
    failed |= json_object_set_new(object, "rival", describe_comparison(&state->rival, words));
    return failed | json_object_set_new(object, "sentence", json_string(state->sentence));
}

static int add_contestants(const compare_state *state, json_t *object)
{
    json_t *contestants = json_array();
    int failed = json_object_set_new(object, "contestants", contestants);
    for (int k = 0; k < state->count && failed == 0; k++)
        failed |= json_array_append_new(contestants, describe_contestant(state, &state->contestants[k]));
    return failed;
}

static json_t *describe(const compare_state *state)
{
    json_t *object =
        json_pack("{s:I, s:I, s:s, s:s}", "trials", (json_int_t)state->course.count, "positive",
                  (json_int_t)state->course.positive, "best_by", compare_measure_words[state->options->best],
                  "engine", engine_name(state->engine.engine));
    int failed = object == NULL;
    failed |= side_add_both(object, state->rows, state->columns, false);
    if (failed == 0)
        failed =
            add_contestants(state, object) | add_verdicts(state, object) |
            json_object_set_new(object, "committee", compare_committee_json(state)) |
            json_object_set_new(object, "worth",
                                state->committee != NULL ? committee_worth_json(&state->worth) : json_null());
    if (failed == 0 && state->no_committee != NULL)
        failed = json_object_set_new(object, "no_committee", json_string(state->no_committee));
    if (failed == 0 && !state->options->no_times)
        failed = json_object_set_new(object, "seconds", json_real(state->seconds));
    return json_whole(object, failed);
}

weft_status compare_json(const compare_state *state, weft_error *error)
{
    return json_print(describe(state), error);
}
