/* SPDX-License-Identifier: MIT */
#include "cli/command/words.h"
#include "cli/model/model.h"
#include "cli/run/state.h"
#include "program/fail.h"
#include "weft_theory.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *real_or_null(bool known, double value)
{
    return json_real_or_null(known ? value : NAN);
}

static json_t *describe_parameters(const run_state *run)
{
    const weft_settings *settings = &run->settings;
    json_t *horizon = run->horizon > 0 ? json_integer(run->horizon) : json_null();
    json_t *object =
        json_pack("{s:s, s:f, s:f, s:f, s:s, s:o, s:I}", "form", form_words[settings->form], "eta",
                  settings->eta, "gamma", settings->gamma, "dimension", settings->dimension, "updates",
                  updates_words[settings->updates], "horizon", horizon, "seed", (json_int_t)settings->seed);
    if (settings->engine == WEFT_COMPACT) {
        json_object_set_new(object, "floor", real_or_null(settings->floor > 0, settings->floor));
        json_object_set_new(object, "half_life", real_or_null(settings->half_life > 0, settings->half_life));
    }
    return object;
}

/* With the compact engine also the coordinates of the features. */
static json_t *describe_side(const run_state *run, const weft_roster *roster)
{
    const weft_side *side = weft_roster_side(roster);
    json_t *count = weft_roster_report(roster).hashed ? json_null() : json_integer(weft_side_count(side));
    json_t *object = json_pack("{s:s, s:o, s:f}", "kind", weft_side_kind(side), "count", count, "radius",
                               weft_side_radius(side));
    if (run->settings.engine == WEFT_COMPACT)
        json_object_set_new(object, "features", json_integer(weft_side_dimension(side)));
    return object;
}

static json_t *describe_bound(const run_state *run)
{
    weft_bound bound = run->facts.bound;
    /* No theorem of the paper speaks of a committee. */
    if (!run->kind->in_theory || bound.kind == WEFT_NO_BOUND)
        return json_null();
    return json_pack("{s:s, s:o, s:b}", "kind", weft_bound_kind_name(bound.kind), "value",
                     json_real_or_null(bound.value), "vacuous", (int)bound.vacuous);
}

json_t *json_describe(const run_state *run)
{
    const weft_counters *counters = &run->facts.counters;
    const ranking *ranked = &run->facts.ranked;
    double trials = (double)counters->trials;
    return json_pack(
        "{s:I, s:I, s:o, s:f, s:I, s:o, s:f, s:s, s:o, s:o, s:o}", "trials", (json_int_t)counters->trials,
        "mistakes", (json_int_t)counters->mistakes, "mistake_rate", json_real_or_null(run->facts.error),
        "expected_mistakes", counters->expected_mistakes, "updates", (json_int_t)counters->updates,
        "products_per_trial", real_or_null(trials > 0, (double)counters->products / trials), "seconds",
        run->seconds, "engine", engine_name(run->settings.engine), "auc",
        real_or_null(ranked->defined, ranked->auc), "average_precision",
        real_or_null(ranked->defined, ranked->average_precision), "parameters", describe_parameters(run));
}

static json_t *describe(const run_state *run)
{
    json_t *object = run->kind->describe(run);
    int failed = object == NULL;
    if (run->columns == NULL) {
        failed |= json_object_set_new(object, "both", describe_side(run, run->rows));
    } else {
        failed |= json_object_set_new(object, "rows", describe_side(run, run->rows));
        failed |= json_object_set_new(object, "columns", describe_side(run, run->columns));
    }
    failed |= json_object_set_new(object, "bound", describe_bound(run));
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

weft_status json_write(const run_state *run, weft_error *error)
{
    json_t *object = describe(run);
    if (object == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    int failed = json_dumpf(object, stdout, JSON_REAL_PRECISION(17));
    json_decref(object);
    if (failed != 0 || putchar('\n') == EOF || fflush(stdout) != 0)
        return fail(error, WEFT_WRITE, "standard output: cannot be written: %s", strerror(errno));
    return WEFT_OK;
}
