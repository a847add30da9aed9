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

#include "lab/problem/ideal.h"
#include "lab/problem/problem.h"
#include "lab/runs/memory.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "weft_theory.h"

#include <stdlib.h>

/* ---- The problem ---- */

typedef struct sidehelp_problem {
    int64_t *row_class, *column_class; /* two classes of rows, one of columns */
    int *sign;                         /* of each group, 0 before it is known */
    bool *met;                         /* whether an entry of the row was seen */
    int64_t *order;                    /* entry row * columns + column of each trial */
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

static weft_status draw_problem(const sidehelp_given *given, sidehelp_problem *problem, weft_error *error)
{
    lab_random classes = lab_random_begin(given->seed, "sidehelp classes", given->rows, given->number);
    lab_random order = lab_random_begin(given->seed, "sidehelp order", given->rows, given->number);
    weft_status status = WEFT_OK;
    problem->row_class = lab_classes(given->rows, 2, LAB_RESAMPLED, &classes);
    problem->column_class = lab_new(given->columns, sizeof *problem->column_class);
    problem->sign = lab_new(given->rows, sizeof *problem->sign);
    problem->met = lab_new(given->rows, sizeof *problem->met);
    problem->order = lab_permutation(&order, given->rows * given->columns);
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
    free(problem->order);
    weft_side_free(problem->rows);
    weft_side_free(problem->columns);
}

/* ---- The run ---- */

static weft_status play_trial(const sidehelp_given *given, sidehelp_problem *problem, weft_player *learner,
                              int64_t t, double *answer, weft_error *error)
{
    int64_t row = problem->order[t] / given->columns, column = problem->order[t] % given->columns;
    int *sign = &problem->sign[group_of(given, problem, row)];
    weft_answer prediction;
    weft_answer outcome;
    weft_status status = WEFT_OK;
    TRY(weft_player_predict(learner, row, column, &prediction, error));
    if (*sign == 0)
        *sign = -prediction.label;
    TRY(weft_player_learn(learner, row, column, *sign, &outcome, error));
    answer[SIDEHELP_FIRST] += !problem->met[row] && outcome.mistake;
    problem->met[row] = true;
    answer[SIDEHELP_UNCERTAIN] += !outcome.update_certified || !outcome.certified;
    if (interrupt_came())
        TRY(fail(error, WEFT_FILE, "interrupted"));
done:
    return status;
}

static weft_status play(const sidehelp_given *given, sidehelp_problem *problem, double *answer,
                        weft_error *error)
{
    int64_t trials = given->rows * given->columns;
    weft_settings settings = {.updates = WEFT_MISTAKE_UPDATES};
    weft_truth truth = {.row_class = problem->row_class, .column_class = problem->column_class};
    weft_course course = {.horizon = trials, .trials = trials};
    weft_measure measure;
    weft_player *learner = NULL;
    weft_status status = WEFT_OK;
    TRY(weft_theory_measure(problem->rows, problem->columns, &truth, &settings, &measure, error));
    weft_theory_tune(&measure, trials, &settings, NULL);
    TRY(weft_learner_create(problem->rows, problem->columns, &settings, NULL, &learner, error));
    answer[SIDEHELP_FIRST] = answer[SIDEHELP_UNCERTAIN] = 0;
    for (int64_t t = 0; t < trials; t++)
        TRY(play_trial(given, problem, learner, t, answer, error));
    answer[SIDEHELP_TRIALS] = (double)trials;
    answer[SIDEHELP_MISTAKES] = (double)weft_player_counters(learner).mistakes;
    answer[SIDEHELP_DIMENSION] = settings.dimension;
    answer[SIDEHELP_BOUND] = weft_theory_judge(&measure, &settings, &course).value;
done:
    weft_player_free(learner);
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
