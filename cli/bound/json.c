/* SPDX-License-Identifier: MIT */
#include "cli/bound/bound.h"

#include "cli/command/json_text.h"
#include "cli/command/words.h"
#include "weft_files.h"
#include "weft_theory.h"

#include <math.h>

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *describe_kernel(const bound_side *side)
{
    const weft_side *kernel = side->roster != NULL ? weft_roster_side(side->roster) : NULL;
    return json_pack("{s:s, s:I, s:o, s:o}", "kind", kernel != NULL ? weft_side_kind(kernel) : "boxes",
                     "count", (json_int_t)side->room, "radius",
                     json_real_if(kernel != NULL, kernel != NULL ? weft_side_radius(kernel) : 0),
                     "resistance_radius", json_real_if(side->resistance > 0, side->resistance));
}

static json_t *describe_side(const bound_side *side, bool shares)
{
    json_t *object = describe_kernel(side);
    const weft_side_term *term = &side->term;
    bool known = side->measured;
    int64_t classes = known ? term->classes : side->truth.classes;
    int failed = json_object_set_new(object, "classes", json_integer_if(classes > 0, classes));
    failed |= json_object_set_new(object, "cut", json_real_if(known && term->cut >= 0, term->cut / 2));
    if (!shares)
        return json_whole(object, failed);
    failed |= json_object_set_new(object, "trace", json_real_if(known, term->trace));
    failed |= json_object_set_new(object, "general", json_real_if(known, term->general));
    failed |= json_object_set_new(object, "laplacian", json_real_if(known, term->laplacian));
    failed |= json_object_set_new(object, "sharp", json_real_if(known, term->sharp));
    return json_whole(object, failed);
}

static json_t *describe_statement(const bound_problem *problem, const bound_statement *s)
{
    bool applies = s->obstacle == NULL, tuned = problem->measure.gamma > 0;
    double trials = (double)problem->options->horizon;
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "kind", s->kind,
                     "source", s->source, "how", s->how, "formula", s->formula, "filled",
                     text_or_null(s->filled), "eta",
                     json_real_if(tuned && isfinite(problem->measure.dimension), s->eta), "value",
                     json_real_if(applies, s->value), "rate", json_real_if(applies, s->value / trials),
                     "verdict", bound_verdict_name(s->verdict), "obstacle", text_or_null(s->obstacle),
                     "from_horizon", json_real_if(s->horizon > 0, ceil(s->horizon)), "below_dimension",
                     json_real_if(s->dimension > 0, s->dimension));
}

static json_t *describe_statements(const bound_problem *problem, const bound_statement *statements)
{
    json_t *list = json_array();
    int failed = 0;
    for (int k = 0; k < BOUND_STATEMENTS; k++)
        failed |= json_array_append_new(list, describe_statement(problem, &statements[k]));
    return json_whole(list, failed);
}

static json_t *describe(const bound_problem *problem, const bound_statement *statements)
{
    const weft_measure *measure = &problem->measure;
    const bound_statement *best = bound_best(statements);
    bool gamma = measure->gamma > 0, dimension = isfinite(measure->dimension);
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "form",
                  form_words[problem->one_set ? WEFT_ONE_SET : WEFT_PAPER], "size", (json_int_t)measure->size,
                  "horizon", (json_int_t)problem->options->horizon, "errors",
                  (json_int_t)(problem->options->errors > 0 ? problem->options->errors : 0), "gamma",
                  json_real_if(gamma, problem->settings.gamma), "quasi_dimension",
                  json_real_or_null(measure->dimension), "dimension",
                  json_real_if(dimension, problem->settings.dimension));
    int failed = json_object_set_new(object, "assumed",
                                     json_boolean(problem->gamma_assumed || problem->dimension_assumed));
    failed |= json_object_set_new(object, problem->one_set ? "both" : "rows",
                                  describe_side(&problem->rows, !problem->one_set));
    if (!problem->one_set)
        failed |= json_object_set_new(object, "columns", describe_side(&problem->columns, true));
    failed |= json_object_set_new(object, "statements", describe_statements(problem, statements));
    failed |= json_object_set_new(object, "best", text_or_null(best != NULL ? best->kind : NULL));
    return json_whole(object, failed);
}

weft_status bound_json(const bound_problem *problem, const bound_statement statements[BOUND_STATEMENTS],
                       weft_error *error)
{
    return json_line(describe(problem, statements), stdout, error);
}
