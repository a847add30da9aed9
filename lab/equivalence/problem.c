/* SPDX-License-Identifier: MIT
 *
 * Method     Three boxes in [-2,2]^2 for either side, one a class; the points of a class lie in its
 *            box, every label is that of its block, one in ten turned over with margin updates.
 * Algorithm  M = K^-1 as the kernel of a matrix is made.
 * Cost       O(n^2) entries of the kernel, O(n^3) for the inverse.
 * Reference  Herbster, Pasteris and Tse, section 5 and Proposition 1 (eq:alg).
 */
#include "lab/equivalence/equivalence.h"

#include "lab/problem/box.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"
#include "weft_theory.h"

#include <math.h>
#include <stdlib.h>

enum { CLASSES = 3, DIMENSION = 2 };

static const double RANGE = 2, SEPARATION = 0.5, LABEL_NOISE = 0.1;

/* epsilon, width and r; the first two keep the kernels of a hundred points well away from
 * singular, so that M is known to many digits. */
static const double PARAMETER[EQUIVALENCE_KERNELS] = {0.5, 0.1, 2};

const char *equivalence_kernel_name(weft_kernel kernel)
{
    static const char *const names[] = {"linear", "Gaussian", "min"};
    return names[kernel];
}

static double product(const double *x, const double *t)
{
    double sum = 0;
    for (int a = 0; a < DIMENSION; a++)
        sum += x[a] * t[a];
    return sum;
}

static double squared_distance(const double *x, const double *t)
{
    double sum = 0;
    for (int a = 0; a < DIMENSION; a++)
        sum += (x[a] - t[a]) * (x[a] - t[a]);
    return sum;
}

/* s(x) = (r-1) x / (2r) + (r+1)/2 */
static double shifted(double x, double r)
{
    return (r - 1) * x / (2 * r) + (r + 1) / 2;
}

static double least_product(const double *x, const double *t, double r)
{
    double value = 1;
    for (int a = 0; a < DIMENSION; a++)
        value *= fmin(shifted(x[a], r), shifted(t[a], r));
    return value;
}

double equivalence_kernel(const equivalence_problem *problem, int side, int64_t i, int64_t j)
{
    const double *x = problem->points[side] + i * DIMENSION, *t = problem->points[side] + j * DIMENSION;
    double p = problem->parameter, apart = squared_distance(x, t);
    if (problem->run->kernel == WEFT_LINEAR)
        return product(x, t) + (apart == 0 ? p : 0);
    return problem->run->kernel == WEFT_GAUSSIAN ? weft__exp(-apart / (2 * p * p)) : least_product(x, t, p);
}

static double largest_diagonal(const equivalence_problem *problem, int side)
{
    double largest = 0;
    for (int64_t i = 0; i < problem->n; i++)
        largest = fmax(largest, equivalence_kernel(problem, side, i, i));
    return largest;
}

static weft_status draw_points(equivalence_problem *problem, int side, weft_error *error)
{
    const equivalence_run *run = problem->run;
    const int64_t *class_of = side == 0 ? problem->blocks.row_class : problem->blocks.column_class;
    lab_random random = lab_random_begin(run->seed, "equivalence points", 2 * run->n + side, run->number);
    lab_boxes boxes = {0};
    weft_status status = lab_boxes_draw(CLASSES, DIMENSION, RANGE, SEPARATION, &random, &boxes, error);
    if (status != WEFT_OK)
        return status;
    problem->points[side] = lab_boxes_points(&boxes, run->n, class_of, &random);
    problem->radius[side] = largest_diagonal(problem, side);
    lab_boxes_free(&boxes);
    return WEFT_OK;
}

/* Nothing is known of the classes: gamma = 1/3, and D is half of m + n, with which no margin is 0 by
 * construction.  Margins are made as narrow as double precision allows, to be compared. */
static weft_settings choose_settings(const equivalence_run *run)
{
    int64_t trials = run->n * run->n;
    weft_settings settings = weft_settings_default(run->n, run->n, trials);
    settings.dimension /= run->tie ? 1 : 2;
    weft_scale scale = {settings.dimension, settings.gamma, 2 * run->n, trials};
    settings.updates = run->updates;
    settings.eta = run->updates == WEFT_MISTAKE_UPDATES ? settings.gamma : weft_theory_eta(scale);
    settings.tolerance = 1e-12;
    settings.precision = WEFT_DOUBLE;
    settings.seed = run->seed;
    return settings;
}

weft_status equivalence_problem_draw(const equivalence_run *run, equivalence_problem *problem,
                                     weft_error *error)
{
    lab_random matrix = lab_random_begin(run->seed, "equivalence matrix", run->n, run->number);
    lab_random order = lab_random_begin(run->seed, "equivalence stream", run->n, run->number);
    double noise = run->updates == WEFT_MARGIN_UPDATES ? LABEL_NOISE : 0;
    equivalence_problem drawn = {.run = run, .n = run->n, .dimension = DIMENSION};
    weft_status status = WEFT_OK;
    drawn.parameter = PARAMETER[run->kernel];
    drawn.blocks = lab_blocks_draw(run->n, run->n, CLASSES, CLASSES, LAB_EQUAL, &matrix);
    drawn.stream = lab_stream_all(&drawn.blocks, noise, &order);
    drawn.settings = choose_settings(run);
    TRY(draw_points(&drawn, 0, error));
    TRY(draw_points(&drawn, 1, error));
    *problem = drawn;
done:
    if (status != WEFT_OK)
        equivalence_problem_free(&drawn);
    return status;
}

void equivalence_problem_free(equivalence_problem *problem)
{
    lab_blocks_free(&problem->blocks);
    lab_stream_free(&problem->stream);
    free(problem->points[0]);
    free(problem->points[1]);
    *problem = (equivalence_problem){0};
}

weft_status equivalence_matrix(const equivalence_problem *problem, int side, double **matrix,
                               weft_error *error)
{
    int64_t n = problem->n;
    double *m = new_array(n * n, sizeof *m);
    weft_side *inverse = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            m[i * n + j] = m[j * n + i] = equivalence_kernel(problem, side, i, j);
    weft_status status = weft_side_from_matrix(n, m, NULL, &inverse, error);
    if (status != WEFT_OK) {
        free(m);
        return status;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            m[i * n + j] = weft_side_entry(inverse, i, j);
    weft_side_free(inverse);
    *matrix = m;
    return WEFT_OK;
}
