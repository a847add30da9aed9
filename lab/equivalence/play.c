/* SPDX-License-Identifier: MIT
 * One run of `equivalence`: several methods over one stream, or one method with another R. */
#include "lab/equivalence/equivalence.h"

#include "lab/problem/play.h"
#include "program/fail.h"
#include "weft_theory.h"

#include <math.h>

/* ---- Methods against each other ---- */

/* Notes how far `other` is from `first`, in 3 answers. */
static void compare(const weft_answer *first, const weft_answer *other, double *apart)
{
    double scale = fmax(1, fabs(first->margin));
    apart[0] += first->label != other->label;
    apart[1] += first->updated != other->updated;
    apart[2] = fmax(apart[2], fabs(first->margin - other->margin) / scale);
}

/* The mark that is due after trial t of `trials`, or -1. */
static int mark_after(int64_t t, int64_t trials)
{
    for (int mark = 0; mark < EQUIVALENCE_MARKS; mark++)
        if (t == trials >> (EQUIVALENCE_MARKS - 1 - mark))
            return mark;
    return -1;
}

typedef struct comparison {
    equivalence_method *const *methods;
    int64_t trials;
    double *answer;
} comparison;

/* The other methods play the trial that the first one has played. */
static weft_status compare_trial(void *user, int64_t t, const lab_trial *trial, const weft_answer *first,
                                 weft_error *error)
{
    const comparison *c = user;
    double *answer = c->answer;
    weft_answer other;
    weft_status status = WEFT_OK;
    for (int v = 1; v < EQUIVALENCE_METHODS; v++)
        if (c->methods[v] != NULL) {
            TRY(equivalence_method_play(c->methods[v], trial, &other, error));
            compare(first, &other, answer + EQUIVALENCE_APART + 3 * (ptrdiff_t)(v - 1));
        }
    answer[EQUIVALENCE_MISTAKES] += first->mistake;
    answer[EQUIVALENCE_UPDATES] += first->updated;
    int mark = mark_after(t + 1, c->trials);
    if (mark >= 0)
        answer[EQUIVALENCE_COURSE + mark] = answer[EQUIVALENCE_APART + 2];
done:
    return status;
}

/* The numbers of the first method are the ids, all of which it knows beforehand. */
static weft_status play_methods(const equivalence_problem *problem, equivalence_method *const *methods,
                                double *answer, weft_error *error)
{
    const lab_stream *stream = &problem->stream;
    comparison c = {methods, stream->count, answer};
    const lab_hooks hooks = {.user = &c, .after = compare_trial};
    int64_t uncertified = 0;
    weft_status status = lab_play_trials(equivalence_method_learner(methods[EQUIVALENCE_TRANSDUCTIVE]),
                                         stream, 0, stream->count, &hooks, &uncertified, error);
    answer[EQUIVALENCE_UNCERTIFIED] = (double)uncertified;
    return status;
}

static weft_status compare_methods(const equivalence_problem *problem, double *answer, weft_error *error)
{
    equivalence_method *methods[EQUIVALENCE_METHODS] = {NULL};
    bool all = problem->run->word_by_word;
    weft_status status = WEFT_OK;
    for (int v = 0; v < EQUIVALENCE_METHODS; v++)
        if (all || v < EQUIVALENCE_ALGORITHM_1)
            TRY(equivalence_method_create((equivalence_method_name)v, problem, &methods[v], error));
        else
            for (int k = 0; k < 3; k++)
                answer[EQUIVALENCE_APART + 3 * (v - 1) + k] = -1;
    answer[EQUIVALENCE_DIMENSION] = problem->settings.dimension;
    answer[EQUIVALENCE_BOUND] = -1;
    TRY(play_methods(problem, methods, answer, error));
done:
    for (int v = 0; v < EQUIVALENCE_METHODS; v++)
        equivalence_method_free(methods[v]);
    return status;
}

/* ---- Another R ---- */

static weft_status make_side(const equivalence_problem *problem, int which, weft_side **side,
                             weft_error *error)
{
    const equivalence_run *run = problem->run;
    weft_side_options options = {.radius = problem->radius[which] * run->spread};
    weft_features features = {problem->n, problem->dimension, problem->points[which], run->kernel,
                              problem->parameter};
    return weft_side_from_features(&features, &options, side, error);
}

/* The learner tuned by theory for the R that it has: D_circ is proportional to R. */
static weft_status play_with_radius(const equivalence_problem *problem, double *answer, weft_error *error)
{
    weft_side *rows = NULL, *columns = NULL;
    weft_settings settings = {.updates = problem->run->updates, .seed = problem->run->seed};
    weft_truth truth = {.row_class = problem->blocks.row_class, .column_class = problem->blocks.column_class};
    weft_course course = {problem->stream.count, problem->stream.count, problem->stream.turned, false};
    weft_measure measure;
    lab_score score;
    weft_status status = WEFT_OK;
    TRY(make_side(problem, 0, &rows, error));
    TRY(make_side(problem, 1, &columns, error));
    TRY(weft_theory_measure(rows, columns, &truth, &settings, &measure, error));
    weft_theory_tune(&measure, course.horizon, &settings, NULL);
    TRY(lab_play(rows, columns, &settings, &problem->stream, &score, error));
    answer[EQUIVALENCE_MISTAKES] = (double)score.counters.mistakes;
    answer[EQUIVALENCE_UPDATES] = (double)score.counters.updates;
    answer[EQUIVALENCE_DIMENSION] = settings.dimension;
    answer[EQUIVALENCE_BOUND] = weft_theory_judge(&measure, &settings, &course).value;
done:
    weft_side_free(rows);
    weft_side_free(columns);
    return status;
}

weft_status equivalence_play(const void *given, double *answer, weft_error *error)
{
    const equivalence_run *run = given;
    equivalence_problem problem;
    weft_status status = equivalence_problem_draw(run, &problem, error);
    if (status != WEFT_OK)
        return status;
    for (int k = 0; k < EQUIVALENCE_ANSWERS; k++)
        answer[k] = 0;
    answer[EQUIVALENCE_TRIALS] = (double)problem.stream.count;
    status = run->spread > 0 ? play_with_radius(&problem, answer, error)
                             : compare_methods(&problem, answer, error);
    equivalence_problem_free(&problem);
    return status;
}
