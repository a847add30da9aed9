/* SPDX-License-Identifier: MIT
 *
 * Method     a (2,1)-biclustered matrix: every row is all +1 or all -1.  All entries once, in random
 *            order, realizable, mistake updates.
 * Algorithm  rows come in groups that must be alike: without side information every row is a group
 *            of its own, with it there are two.  A group gets its sign when it is met first: at
 *            random, or from the adversary, who turns the prediction over.  Either way the matrix
 *            is of the class, and what is known of it is true.
 * Cost       O(rows^3) for the Laplacian, then rows x columns trials
 * Reference  section 4.1, "Can side information provably help?" */
#include "lab/sidehelp/sidehelp.h"

#include "lab/problem/graph.h"
#include "lab/problem/play.h"
#include "lab/problem/problem.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_theory.h"

#include <stdlib.h>

/* ---- The problem ---- */

typedef struct sidehelp_problem {
    int64_t *row_class, *column_class; /* two classes of rows, one of columns */
    int *sign;                         /* of each group, 0 before it is known */
    bool *met;                         /* whether an entry of the row was seen */
    lab_stream stream;                 /* without labels */
    weft_side *rows, *columns;
} sidehelp_problem;

static weft_status make_side(const sidehelp_given *given, int64_t count, int64_t k, const int64_t *class_of,
                             weft_side **side, weft_error *error)
{
    if (given->side == SIDEHELP_NOTHING)
        return weft_side_none(count, NULL, side, error);
    return lab_ideal_side(given->side == SIDEHELP_GRAPH ? LAB_CLIQUES : LAB_PARTITION, count, k, class_of,
                          side, error);
}

/* The group of a row: those of a group are known to be alike. */
static int64_t group_of(const sidehelp_given *given, const sidehelp_problem *problem, int64_t row)
{
    return given->side == SIDEHELP_NOTHING ? row : problem->row_class[row];
}

/* Without an adversary the sign of a row is that of its class, whatever is known. */
static void sign_classes(const sidehelp_given *given, sidehelp_problem *problem)
{
    for (int64_t i = 0; i < given->rows; i++)
        problem->sign[group_of(given, problem, i)] = problem->row_class[i] == 0 ? 1 : -1;
}

/* Every entry once. */
static lab_stream draw_stream(const sidehelp_given *given, lab_random *random)
{
    lab_stream stream = {.count = given->rows * given->columns};
    int64_t *order = lab_permutation(random, stream.count);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t t = 0; t < stream.count; t++)
        stream.trials[t] = (lab_trial){order[t] / given->columns, order[t] % given->columns, 0};
    free(order);
    return stream;
}

static weft_status draw_problem(const sidehelp_given *given, sidehelp_problem *problem, weft_error *error)
{
    lab_random classes = lab_random_begin(given->seed, "sidehelp classes", given->rows, given->number);
    lab_random order = lab_random_begin(given->seed, "sidehelp order", given->rows, given->number);
    weft_status status = WEFT_OK;
    problem->row_class = lab_classes(given->rows, 2, LAB_RESAMPLED, &classes);
    problem->column_class = new_array(given->columns, sizeof *problem->column_class);
    problem->sign = new_array(given->rows, sizeof *problem->sign);
    problem->met = new_array(given->rows, sizeof *problem->met);
    problem->stream = draw_stream(given, &order);
    if (!given->adversary)
        sign_classes(given, problem);
    TRY(make_side(given, given->rows, 2, problem->row_class, &problem->rows, error));
    TRY(make_side(given, given->columns, 1, problem->column_class, &problem->columns, error));
done:
    return status;
}

static void free_problem(sidehelp_problem *problem)
{
    free(problem->row_class);
    free(problem->column_class);
    free(problem->sign);
    free(problem->met);
    lab_stream_free(&problem->stream);
    weft_side_free(problem->rows);
    weft_side_free(problem->columns);
}

/* ---- The run ---- */

typedef struct game {
    const sidehelp_given *given;
    sidehelp_problem *problem;
    weft_player *learner;
    double first; /* mistakes on the first entry of a row */
} game;

/* The sign of the group; one that is not known yet is the opposite of the prediction. */
static weft_status choose_label(void *user, int64_t t, lab_trial *trial, weft_error *error)
{
    game *g = user;
    int *sign = &g->problem->sign[group_of(g->given, g->problem, trial->row)];
    weft_answer prediction;
    weft_status status = WEFT_OK;
    (void)t;
    if (*sign == 0) {
        TRY(weft_player_predict(g->learner, trial->row, trial->column, &prediction, error));
        *sign = -prediction.label;
    }
    trial->label = *sign;
done:
    return status;
}

static weft_status count_first(void *user, int64_t t, const lab_trial *trial, const weft_answer *answer,
                               weft_error *error)
{
    game *g = user;
    (void)t;
    (void)error;
    g->first += !g->problem->met[trial->row] && answer->mistake;
    g->problem->met[trial->row] = true;
    return WEFT_OK;
}

static weft_status play(const sidehelp_given *given, sidehelp_problem *problem, double *answer,
                        weft_error *error)
{
    int64_t trials = problem->stream.count, uncertified = 0;
    weft_settings settings = {.updates = WEFT_MISTAKE_UPDATES};
    weft_truth truth = {.row_class = problem->row_class, .column_class = problem->column_class};
    weft_course course = {.horizon = trials, .trials = trials};
    weft_measure measure;
    game g = {.given = given, .problem = problem};
    const lab_hooks hooks = {&g, choose_label, count_first};
    weft_status status = WEFT_OK;
    TRY(weft_theory_measure(problem->rows, problem->columns, &truth, &settings, &measure, error));
    weft_theory_tune(&measure, trials, &settings, NULL);
    TRY(weft_learner_create(problem->rows, problem->columns, &settings, NULL, &g.learner, error));
    TRY(lab_play_trials(g.learner, &problem->stream, 0, trials, &hooks, &uncertified, error));
    answer[SIDEHELP_FIRST] = g.first;
    answer[SIDEHELP_UNCERTAIN] = (double)uncertified;
    answer[SIDEHELP_TRIALS] = (double)trials;
    answer[SIDEHELP_MISTAKES] = (double)weft_player_counters(g.learner).mistakes;
    answer[SIDEHELP_DIMENSION] = settings.dimension;
    answer[SIDEHELP_BOUND] = weft_theory_judge(&measure, &settings, &course).value;
done:
    weft_player_free(g.learner);
    return status;
}

weft_status sidehelp_work(const void *what, double *answer, weft_error *error)
{
    const sidehelp_given *given = what;
    sidehelp_problem problem = {0};
    weft_status status = WEFT_OK;
    TRY(draw_problem(given, &problem, error));
    TRY(play(given, &problem, answer, error));
done:
    free_problem(&problem);
    return status;
}
