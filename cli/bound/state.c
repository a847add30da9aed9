/* SPDX-License-Identifier: MIT
 *
 * Method     the library's formulas, each where its conditions hold, and turned round: from
 *            which T on, or up to which D, a bound would be below T/2
 * Algorithm  with e = D log(size) every bound is  b sqrt(T) + c,  so that  b sqrt(T) + c = T/2
 *            has the root  sqrt(T) = b + sqrt(b^2 + 2c);  in D likewise with s = sqrt(e)
 * Cost       O(1)
 * Reference  thm:base, thm:base_bef_alg, theorem1part1, lem:base */
#include "cli/bound/bound.h"
#include "src/base/elementary.h"
#include "weft_theory.h"

#include <math.h>
#include <stdio.h>

typedef enum statement_number { REGRET, SHARPER, HINGE, REALIZABLE, ESTIMATE } statement_number;

typedef struct statement_text {
    const char *kind, *source, *how, *formula;
    weft_updates updates;
} statement_text;

static const statement_text texts[BOUND_STATEMENTS] = {
    [REGRET] = {"regret", "thm:base, expected regret", "margin updates, drawn thresholds",
                "errors + 4 sqrt(2 D/gamma^2 log(size) T)", WEFT_MARGIN_UPDATES},
    [SHARPER] = {"regret_sharp", "thm:base_bef_alg, expected regret, sharper",
                 "margin updates, drawn thresholds",
                 "errors + (2/gamma) (sqrt(2 D log(size) T) + D log(size))", WEFT_MARGIN_UPDATES},
    [HINGE] = {"hinge", "theorem1part1, the hinge-loss lemma", "margin updates, --deterministic",
               "2 errors + (4/gamma) (sqrt(2 D log(size) T) + D log(size))", WEFT_MARGIN_UPDATES},
    [REALIZABLE] = {"realizable", "thm:base, realizable", "--updates mistakes", "3.6 D/gamma^2 log(size)",
                    WEFT_MISTAKE_UPDATES},
    [ESTIMATE] = {"estimate", "lem:base, realizable with any estimate D", "--updates mistakes",
                  "3.6/gamma^2 (dim (log(size) + log(dim/D)) + D - dim)", WEFT_MISTAKE_UPDATES},
};

/* What the formulas are made of. */
typedef struct inputs {
    weft_scale scale;
    double errors;
    int64_t wrong;    /* the same, which a double may not hold */
    double logarithm; /* of the size */
    double entropy;   /* D log(size) */
    double dim;       /* at which lem:base is largest: 1 or the quasi-dimension bound */
} inputs;

static inputs gather(const bound_problem *problem)
{
    const weft_measure *measure = &problem->measure;
    inputs in = {.scale = {problem->settings.dimension, problem->settings.gamma, measure->size,
                           problem->options->horizon},
                 .wrong = problem->options->errors > 0 ? problem->options->errors : 0,
                 .logarithm = weft__log((double)measure->size)};
    in.errors = (double)in.wrong;
    in.entropy = in.scale.dimension * in.logarithm;
    in.dim = weft_theory_estimate(in.scale, 1) > weft_theory_estimate(in.scale, measure->dimension)
                 ? 1
                 : measure->dimension;
    return in;
}

/* ---- The formulas ---- */

static double evaluate(statement_number number, const inputs *in)
{
    switch (number) {
    case REGRET:
        return in->errors + weft_theory_regret(in->scale);
    case SHARPER:
        return in->errors + weft_theory_regret_sharp(in->scale);
    case HINGE:
        return weft_theory_hinge(in->scale, in->wrong);
    case REALIZABLE:
        return weft_theory_realizable(in->scale);
    case ESTIMATE:
        return weft_theory_estimate(in->scale, in->dim);
    }
    return INFINITY;
}

static void fill_formula(statement_number number, const inputs *in, bound_statement *s)
{
    double d = in->scale.dimension, gamma = in->scale.gamma, l = in->logarithm, t = (double)in->scale.horizon;
    size_t room = sizeof s->filled;
    switch (number) {
    case REGRET:
        snprintf(s->filled, room, "%g + 4 sqrt(2 * %.6g / %.6g^2 * %.6g * %.15g)", in->errors, d, gamma, l,
                 t);
        break;
    case SHARPER:
        snprintf(s->filled, room, "%g + (2/%.6g) (sqrt(2 * %.6g * %.6g * %.15g) + %.6g * %.6g)", in->errors,
                 gamma, d, l, t, d, l);
        break;
    case HINGE:
        snprintf(s->filled, room, "2 * %g + (4/%.6g) (sqrt(2 * %.6g * %.6g * %.15g) + %.6g * %.6g)",
                 in->errors, gamma, d, l, t, d, l);
        break;
    case REALIZABLE:
        snprintf(s->filled, room, "3.6 * %.6g / %.6g^2 * %.6g", d, gamma, l);
        break;
    case ESTIMATE:
        snprintf(s->filled, room, "3.6 / %.6g^2 (%.6g (%.6g + log(%.6g/%.6g)) + %.6g - %.6g)", gamma, in->dim,
                 l, in->dim, d, d, in->dim);
        break;
    }
}

/* ---- Turned round ---- */

/* b sqrt(T) + c = T/2 */
static double solve_horizon(double b, double c)
{
    double root = b + sqrt(b * b + 2 * c);
    return root * root;
}

/* The T from which on the bound is below T/2, everything else as it is. */
static double find_horizon(statement_number number, const inputs *in, double value)
{
    double gamma = in->scale.gamma, e = in->entropy;
    switch (number) {
    case REGRET:
        return solve_horizon(4 / gamma * sqrt(2 * e), in->errors);
    case SHARPER:
        return solve_horizon(2 / gamma * sqrt(2 * e), in->errors + 2 / gamma * e);
    case HINGE:
        return solve_horizon(4 / gamma * sqrt(2 * e), 2 * in->errors + 4 / gamma * e);
    case REALIZABLE:
    case ESTIMATE:
        return 2 * value;
    }
    return 0;
}

/* sqrt(2T) s + s^2 = r, for s^2 = D log(size) */
static double solve_entropy(double t, double r)
{
    double s = (sqrt(2 * t + 4 * r) - sqrt(2 * t)) / 2;
    return r > 0 ? s * s : 0;
}

/* The largest D for which the bound is at most T/2; negative: there is none; 0: whatever D
 * is, it does not apply.  lem:base is thm:base where D is right. */
static double find_dimension(statement_number number, const inputs *in)
{
    double gamma = in->scale.gamma, t = (double)in->scale.horizon, e = in->errors, root = 0;
    switch (number) {
    case REGRET:
        root = gamma * fmax(0, t / 2 - e) / 4;
        root = root * root / (2 * t);
        break;
    case SHARPER:
        root = solve_entropy(t, gamma / 2 * (t / 2 - e));
        break;
    case HINGE:
        root = solve_entropy(t, gamma / 4 * (t / 2 - 2 * e));
        break;
    case REALIZABLE:
    case ESTIMATE:
        if (e > 0)
            return 0;
        root = t * gamma * gamma / 7.2;
        break;
    }
    return root / in->logarithm >= 1 ? root / in->logarithm : -1;
}

/* ---- Statements ---- */

static bound_verdict judge(double value, double trials)
{
    return value >= trials ? BOUND_VACUOUS : value > trials / 2 ? BOUND_COIN : BOUND_MEANINGFUL;
}

static const char too_short[] = "it needs T >= 2 D log(size), a longer horizon";

/* What the library says of such a run.  Deterministic predictions need nothing that drawn
 * ones do not but a long horizon, which find_obstacle asks for. */
static weft_bound ask(const bound_problem *problem, const inputs *in, weft_settings *settings)
{
    weft_course course = {.horizon = in->scale.horizon, .trials = in->scale.horizon, .errors = in->wrong};
    settings->eta = problem->options->eta;
    weft_theory_tune(&problem->measure, in->scale.horizon, settings, NULL);
    return weft_theory_judge(&problem->measure, settings, &course);
}

static const char *find_obstacle(statement_number number, const weft_bound *bound, const inputs *in,
                                 double value)
{
    if (bound->kind == WEFT_NO_BOUND)
        return bound->statement;
    if (number == REALIZABLE && bound->kind == WEFT_ESTIMATE)
        return "D is below the quasi-dimension bound: lem:base";
    if (isfinite(value))
        return NULL;
    bool needs_length = number == SHARPER || number == HINGE;
    return needs_length && (double)in->scale.horizon < 2 * in->entropy ? too_short : "its value is infinite";
}

static void state_one(const bound_problem *problem, const inputs *in, statement_number number,
                      bound_statement *s)
{
    const statement_text *text = &texts[number];
    const weft_measure *measure = &problem->measure;
    weft_settings settings = problem->settings;
    settings.updates = text->updates;
    weft_bound bound = ask(problem, in, &settings);
    double value = evaluate(number, in);
    *s = (bound_statement){.kind = text->kind,
                           .source = text->source,
                           .how = text->how,
                           .formula = text->formula,
                           .eta = settings.eta,
                           .value = INFINITY,
                           .obstacle = find_obstacle(number, &bound, in, value),
                           .verdict = BOUND_NONE};
    if (s->obstacle == NULL) {
        s->value = value;
        s->verdict = judge(value, (double)in->scale.horizon);
        fill_formula(number, in, s);
    }
    if (s->obstacle == NULL || s->obstacle == too_short)
        s->horizon = find_horizon(number, in, value);
    else if (measure->gamma > 0 && !isfinite(measure->dimension))
        s->dimension = find_dimension(number, in);
}

void bound_state(const bound_problem *problem, bound_statement statements[BOUND_STATEMENTS])
{
    inputs in = gather(problem);
    for (int k = 0; k < BOUND_STATEMENTS; k++)
        state_one(problem, &in, (statement_number)k, &statements[k]);
}

/* Two that are one formula with the same numbers differ by rounding: the first of them is the best. */
const bound_statement *bound_best(const bound_statement statements[BOUND_STATEMENTS])
{
    static const double less = 1 - 0x1p-40;
    const bound_statement *best = NULL;
    for (int k = 0; k < BOUND_STATEMENTS; k++)
        if (statements[k].obstacle == NULL && (best == NULL || statements[k].value < less * best->value))
            best = &statements[k];
    return best;
}

const char *bound_verdict_name(bound_verdict verdict)
{
    static const char *const names[] = {"meaningful", "coin", "vacuous", "none"};
    return names[verdict];
}
