/* SPDX-License-Identifier: MIT */
#include "cli/bound/bound.h"

#include "cli/command/json_text.h"
#include "cli/command/words.h"
#include "weft_theory.h"

#include <math.h>

/* What is not known, or infinite, is null. */
static json_t *real_or_null(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *count_or_null(int64_t count)
{
    return count > 0 ? json_integer(count) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *describe_kernel(const bound_side *side)
{
    const weft_side *kernel = side->roster != NULL ? weft_roster_side(side->roster) : NULL;
    return json_pack("{s:s, s:I, s:o, s:o}", "kind", kernel != NULL ? weft_side_kind(kernel) : "boxes",
                     "count", (json_int_t)side->room, "radius",
                     real_or_null(kernel != NULL, kernel != NULL ? weft_side_radius(kernel) : 0),
                     "resistance_radius", real_or_null(side->resistance > 0, side->resistance));
}

static json_t *describe_side(const bound_side *side, bool shares)
{
    json_t *object = describe_kernel(side);
    const weft_side_term *term = &side->term;
    bool known = side->measured;
    int failed =
        json_object_set_new(object, "classes", count_or_null(known ? term->classes : side->truth.classes));
    failed |= json_object_set_new(object, "cut", real_or_null(known && term->cut >= 0, term->cut / 2));
    if (!shares)
        return json_whole(object, failed);
    failed |= json_object_set_new(object, "trace", real_or_null(known, term->trace));
    failed |= json_object_set_new(object, "general", real_or_null(known, term->general));
    failed |= json_object_set_new(object, "laplacian", real_or_null(known, term->laplacian));
    failed |= json_object_set_new(object, "sharp", real_or_null(known, term->sharp));
    return json_whole(object, failed);
}

static json_t *describe_statement(const bound_problem *problem, const bound_statement *s)
{
    bool applies = s->obstacle == NULL, tuned = problem->measure.gamma > 0;
    double trials = (double)problem->options->horizon;
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "kind", s->kind,
                     "source", s->source, "how", s->how, "formula", s->formula, "filled",
                     text_or_null(s->filled), "eta",
                     real_or_null(tuned && isfinite(problem->measure.dimension), s->eta), "value",
                     real_or_null(applies, s->value), "rate", real_or_null(applies, s->value / trials),
                     "verdict", bound_verdict_name(s->verdict), "obstacle", text_or_null(s->obstacle),
                     "from_horizon", real_or_null(s->horizon > 0, ceil(s->horizon)), "below_dimension",
                     real_or_null(s->dimension > 0, s->dimension));
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
                  real_or_null(gamma, problem->settings.gamma), "quasi_dimension",
                  real_or_null(true, measure->dimension), "dimension",
                  real_or_null(dimension, problem->settings.dimension));
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
