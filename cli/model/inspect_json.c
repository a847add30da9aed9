/* SPDX-License-Identifier: MIT
 * The facts of a model as one JSON object. */
#include "cli/model/inspect.h"

#include "cli/command/json_text.h"
#include "cli/command/words.h"
#include "cli/input/engine.h"
#include "cli/input/spec.h"
#include "cli/model/model.h"

#include <jansson.h>

static json_t *describe_sources(const inspection *seen, const weft_roster *roster)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++) {
        weft_source source = weft_roster_source(roster, k);
        json_array_append_new(list,
                              json_pack("{s:o, s:I, s:s, s:b}", "path", json_name(source.path), "size",
                                        (json_int_t)source.size, "digest", inspect_digest(source.digest).text,
                                        "embedded", (int)seen->model.embed));
    }
    return list;
}

static json_t *describe_side(const inspection *seen, const weft_roster *roster)
{
    json_t *radius = seen->sides ? json_real(weft_side_radius(weft_roster_side(roster))) : json_null();
    json_t *count = weft_roster_report(roster).hashed ? json_null()
                                                      : json_integer(weft_ids_count(weft_roster_ids(roster)));
    int64_t parts = weft_roster_part_count(roster);
    const char *kind = parts > 1 ? "sum" : spec_kind(weft_roster_spec(roster)).text;
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", kind, "spec", json_name(weft_roster_spec(roster)),
                  "count", count, "radius", radius, "files", describe_sources(seen, roster));
    json_t *specs = parts > 1 ? json_array() : NULL;
    for (int64_t k = 0; specs != NULL && k < parts; k++)
        json_array_append_new(specs, json_name(weft_roster_spec(weft_roster_part(roster, k))));
    if (specs != NULL)
        json_object_set_new(object, "parts", specs);
    if (seen->compact)
        json_object_set_new(object, "features", json_integer(weft_side_dimension(weft_roster_side(roster))));
    return object;
}

static json_t *capacity_json(const inspection *seen)
{
    const int64_t *room = seen->facts.room;
    return seen->model.columns == NULL ? json_pack("[I]", (json_int_t)room[0])
                                       : json_pack("[I, I]", (json_int_t)room[0], (json_int_t)room[1]);
}

json_t *inspect_learner_settings(const inspection *seen)
{
    const weft_settings *s = &seen->facts.settings;
    int64_t horizon = seen->model.horizon;
    json_t *object =
        json_pack("{s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:I, s:b, s:s, s:s, s:o}", "form", form_words[s->form],
                  "updates", updates_words[s->updates], "eta", s->eta, "gamma", s->gamma, "dimension",
                  s->dimension, "horizon", json_integer_if(horizon > 0, horizon), "capacity",
                  capacity_json(seen), "seed", (json_int_t)s->seed, "deterministic", (int)s->deterministic,
                  "engine", engine_name(s->engine), "precision", precision_words[s->precision], "tolerance",
                  json_real_if(s->tolerance > 0, s->tolerance));
    if (seen->compact) {
        json_object_set_new(object, "floor", json_real_if(s->floor > 0, s->floor));
        json_object_set_new(object, "half_life", json_real_if(s->half_life > 0, s->half_life));
    }
    return object;
}

json_t *inspect_learner_counters(const inspection *seen)
{
    const weft_counters *c = &seen->facts.counters;
    return json_pack("{s:I, s:I, s:I, s:f, s:I, s:I}", "t", (json_int_t)c->t, "trials", (json_int_t)c->trials,
                     "mistakes", (json_int_t)c->mistakes, "expected_mistakes", c->expected_mistakes,
                     "updates", (json_int_t)c->updates, "products", (json_int_t)c->products);
}

static json_t *describe_pairs(const inspection *seen)
{
    const weft_ids *rows = weft_roster_ids(seen->model.rows);
    const weft_ids *columns = weft_roster_ids(model_columns(&seen->model));
    json_t *list = json_array();
    for (int64_t k = 0; k < seen->evidence.heaviest_count; k++) {
        weft_evidence_entry entry = seen->evidence.heaviest[k];
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:I}", "row", json_name(weft_ids_name(rows, entry.row)),
                                        "column", json_name(weft_ids_name(columns, entry.column)), "count",
                                        (json_int_t)entry.count));
    }
    return list;
}

static json_t *describe_ids(const inspection *seen, int side)
{
    const weft_roster *roster = side == 0 ? seen->model.rows : seen->model.columns;
    json_t *list = json_array();
    for (int64_t k = 0; k < seen->evidence.ids_count[side]; k++) {
        const id_weight *id = &seen->evidence.ids[side][k];
        json_array_append_new(list,
                              json_pack("{s:o, s:I, s:I}", "id",
                                        json_name(weft_ids_name(weft_roster_ids(roster), id->id)), "weight",
                                        (json_int_t)id->weight, "pairs", (json_int_t)id->pairs));
    }
    return list;
}

static json_t *describe_evidence(const inspection *seen)
{
    const summary *e = &seen->evidence;
    bool one_set = seen->model.columns == NULL;
    if (seen->leader == NULL)
        return json_null();
    if (seen->compact)
        return json_pack("{s:n, s:f}", "pairs", "spectral_bound", weft_learner_spectral_bound(seen->leader));
    json_t *object =
        json_pack("{s:I, s:I, s:I, s:I, s:f, s:o, s:o}", "pairs", (json_int_t)e->pairs, "nonzero",
                  (json_int_t)e->nonzero, "weight", (json_int_t)e->weight, "sum", (json_int_t)e->balance,
                  "spectral_bound", weft_learner_spectral_bound(seen->leader), "heaviest_pairs",
                  describe_pairs(seen), one_set ? "heaviest_ids" : "heaviest_rows", describe_ids(seen, 0));
    if (object != NULL && !one_set)
        json_object_set_new(object, "heaviest_columns", describe_ids(seen, 1));
    return object;
}

static json_t *describe_negatives(const weft_negatives *how)
{
    return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)how->count, "seed", (json_int_t)how->seed, "ids",
                     (json_int_t)how->ids);
}

static json_t *describe_context(const weft_context_fields *fields)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < fields->count; k++)
        json_array_append_new(list, json_name(fields->name[k]));
    return list;
}

static json_t *describe(const inspection *seen)
{
    bool one_set = seen->model.columns == NULL;
    json_t *object = json_object();
    int failed =
        json_object_set_new(object, one_set ? "both" : "rows", describe_side(seen, seen->model.rows));
    if (!one_set)
        failed |= json_object_set_new(object, "columns", describe_side(seen, seen->model.columns));
    failed |= json_object_set_new(object, "settings", seen->ops->settings(seen));
    failed |=
        json_object_set_new(object, "labels", json_string(weft_language_show(&seen->model.language).text));
    failed |= json_object_set_new(object, "counters", seen->ops->counters(seen));
    failed |= json_object_set_new(object, "disturbed", json_boolean(seen->model.disturbed));
    if (seen->model.negatives.count > 0)
        failed |= json_object_set_new(object, "negatives", describe_negatives(&seen->model.negatives));
    if (seen->model.context.count > 0)
        failed |= json_object_set_new(object, "context", describe_context(&seen->model.context));
    failed |= seen->ops->add_rest(seen, object);
    failed |= json_object_set_new(object, "evidence", describe_evidence(seen));
    return json_whole(object, failed);
}

weft_status inspect_json(const inspection *seen, FILE *out, weft_error *error)
{
    return json_line(describe(seen), out, error);
}
