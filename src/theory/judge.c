/* SPDX-License-Identifier: MIT
 *
 * Which statement, if any, covers a run: every condition of it is checked here,
 * in the order in which the paper states them. */
#include <math.h>

#include "weft_theory.h"

const char *weft_bound_kind_name(weft_bound_kind kind)
{
    static const char *const names[] = {"none", "regret", "hinge", "realizable", "estimate"};
    bool known = (int)kind >= 0 && (int)kind <= WEFT_ESTIMATE;
    return known ? names[kind] : "unknown";
}

/* Equal and not above, where both were computed by slightly different roads. */
static const double slack = 1e-9;

/* exp(-32), relative, is below that. */
static const double LEAST_FLOOR = 32;

static bool is_equal(double a, double b)
{
    return fabs(a - b) <= slack * fabs(b);
}

static bool is_at_most(double a, double b)
{
    return a <= b * (1 + slack);
}

static weft_bound refuse(const char *why)
{
    return (weft_bound){.kind = WEFT_NO_BOUND, .value = INFINITY, .statement = why};
}

static weft_bound promise(weft_bound_kind kind, double value, const weft_course *course,
                          const char *statement)
{
    return (weft_bound){
        .kind = kind,
        .value = value,
        .vacuous = value >= (double)course->trials,
        .coin = value > (double)course->trials / 2,
        .statement = statement,
    };
}

/* What all statements need, or NULL. */
static const char *find_obstacle(const weft_measure *measure, const weft_settings *settings,
                                 const weft_course *course)
{
    if (settings->form == WEFT_BALANCED && measure->form != WEFT_ONE_SET)
        return "no bound has been proved for the balanced form";
    if (settings->half_life > 0)
        return "evidence decays (half-life), and the theorems speak of evidence that stays";
    if (settings->floor > 0 && settings->floor < LEAST_FLOOR)
        return "the floor is below 32: the theorems hold with larger constants, which are not computed";
    if (course->disturbed)
        return "labels came late, or evidence was merged or forgotten";
    if (measure->gamma <= 0)
        return "the classes of rows and columns are not known";
    if (!isfinite(measure->dimension))
        return "the quasi-dimension is not known, or the side information cannot tell the classes apart";
    if (course->errors < 0)
        return "the errors of the best comparator are not known";
    if (!is_at_most(settings->gamma, measure->gamma))
        return "gamma is above what the classes permit";
    return NULL;
}

/* thm:base, realizable, or lem:base where D is an underestimate. */
static weft_bound judge_mistakes(const weft_measure *measure, const weft_scale *scale, double eta,
                                 const weft_course *course)
{
    if (course->errors > 0)
        return refuse("mistake updates have a bound only where some comparator makes no error");
    if (!is_equal(eta, scale->gamma))
        return refuse("mistake updates have a bound only for eta = gamma");
    if (is_at_most(measure->dimension, scale->dimension))
        return promise(WEFT_REALIZABLE, weft_theory_realizable(*scale), course,
                       "thm:base, realizable: 3.6 D/gamma^2 log(m+n)");
    return promise(WEFT_ESTIMATE, weft_theory_estimate_within(*scale, measure->dimension), course,
                   "lem:base: D is below the quasi-dimension bound");
}

/* thm:base or, where T is long enough for it, thm:base_bef_alg. */
static weft_bound promise_regret(const weft_scale *scale, const weft_course *course)
{
    double plain = weft_theory_regret(*scale), sharp = weft_theory_regret_sharp(*scale);
    double errors = (double)course->errors;
    if (sharp < plain)
        return promise(WEFT_REGRET, errors + sharp, course,
                       "thm:base_bef_alg: errors + (2/gamma) (sqrt(2 D log(m+n) T) + D log(m+n))");
    return promise(WEFT_REGRET, errors + plain, course,
                   "thm:base, regret: errors + 4 sqrt(2 D/gamma^2 log(m+n) T)");
}

static weft_bound judge_margins(const weft_measure *measure, const weft_settings *settings,
                                const weft_scale *scale, const weft_course *course)
{
    if (!is_at_most(measure->dimension, scale->dimension))
        return refuse("D is below the quasi-dimension bound");
    if (!is_equal(settings->eta, weft_theory_eta(*scale)))
        return refuse("margin updates have a bound only for eta = sqrt(D log(m+n) / (2T))");
    /* Fewer trials than planned are covered: go on with pairs that the
     * comparator gets right, and only the expected mistakes can grow. */
    if (course->trials > course->horizon)
        return refuse("there were more trials than the horizon for which eta was chosen");
    /* With gamma < 1 the comparator of one set has margin 1, not gamma, and
     * pays more than a hinge loss of 2 for an error. */
    if (measure->form == WEFT_ONE_SET && !is_equal(scale->gamma, 1) && course->errors > 0)
        return refuse("one set of ids with errors of the comparator has a bound only for gamma = 1");
    if (!settings->deterministic)
        return promise_regret(scale, course);
    if (!isfinite(weft_theory_regret_sharp(*scale)))
        return refuse("deterministic predictions have a bound only for T >= 2 D log(m+n)");
    return promise(WEFT_HINGE, weft_theory_hinge(*scale, course->errors), course,
                   "theorem1part1: 2 errors + (4/gamma) (sqrt(2 D log(m+n) T) + D log(m+n))");
}

weft_bound weft_theory_judge(const weft_measure *measure, const weft_settings *settings,
                             const weft_course *course)
{
    if (measure == NULL || settings == NULL || course == NULL)
        return refuse("nothing to judge");
    weft_scale scale = {settings->dimension, settings->gamma, measure->size, course->horizon};
    const char *obstacle = find_obstacle(measure, settings, course);
    if (obstacle != NULL)
        return refuse(obstacle);
    if (settings->updates == WEFT_MISTAKE_UPDATES)
        return judge_mistakes(measure, &scale, settings->eta, course);
    return judge_margins(measure, settings, &scale, course);
}
