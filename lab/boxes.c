/* SPDX-License-Identifier: MIT
 * weft experiment boxes: the inductive setting under the min kernel, against the number of boxes,
 * their separation and the dimension. */
#include "lab/boxes.h"

#include "lab/experiments.h"
#include "lab/memory.h"
#include "lab/place.h"
#include "lab/series.h"
#include "lab/work.h"
#include "program/fail.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 10, QUICK_RUNS = 2 };
enum { USUAL_COUNT = 512, USUAL_TRIALS = 65536, QUICK_COUNT = 64, QUICK_TRIALS = 2048 };

/* ---- What is varied ---- */

typedef enum boxes_variable { VARY_BOTH, VARY_COLUMNS, VARY_SEPARATION, VARY_DIMENSION } boxes_variable;

/* The separation must be below the width of a cell, 2 r / g with g^d >= k: 16/8 on the line (16/16
 * for 16 boxes of columns), 16/5 on the plane. */
typedef struct boxes_design {
    const char *name;
    boxes_variable variable;
    boxes_given fixed; /* but for seed, counts and number */
    double values[8];
    int usual, quick; /* how many of them */
} boxes_design;

static const boxes_design designs[BOXES_SWEEPS] = {
    [BOXES_LINE] = {"k = l; d = 1",
                    VARY_BOTH,
                    {.dimension = 1, .range = 8, .separation = 1.6},
                    {2, 4, 8, 3, 5, 6},
                    6,
                    3},
    [BOXES_SQUARE] =
        {"k = l; d = 2", VARY_BOTH, {.dimension = 2, .range = 8, .separation = 2.4}, {4, 9, 16, 25}, 4, 2},
    [BOXES_BLIND] = {"k = l; nothing known",
                     VARY_BOTH,
                     {.dimension = 1, .range = 8, .separation = 1.6, .blind = true},
                     {2, 4, 8},
                     3,
                     3},
    [BOXES_COLUMNS] = {"l; k = 8; d = 1",
                       VARY_COLUMNS,
                       {.k = 8, .dimension = 1, .range = 8, .separation = 0.8},
                       {4, 8, 16, 12},
                       4,
                       3},
    [BOXES_LINE_APART] = {"separation; k = l = 4; d = 1",
                          VARY_SEPARATION,
                          {.k = 4, .l = 4, .dimension = 1, .range = 8},
                          {0.4, 0.8, 1.6, 3.2, 0.2, 0.1},
                          6,
                          3},
    [BOXES_PLANE_APART] = {"separation; k = l = 4; d = 2",
                           VARY_SEPARATION,
                           {.k = 4, .l = 4, .dimension = 2, .range = 8},
                           {0.4, 0.8, 1.6, 3.2, 0.2, 0.1},
                           6,
                           3},
    [BOXES_DEEPER] = {"d; k = l = 4",
                      VARY_DIMENSION,
                      {.k = 4, .l = 4, .range = 8, .separation = 1.6},
                      {1, 2, 3, 4, 5},
                      5,
                      3},
};

const char *boxes_sweep_name(boxes_sweep sweep)
{
    return designs[sweep].name;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The values of a sweep that are asked for, smallest first; returns how many. */
static int choose_values(const boxes_design *design, bool quick, double values[8])
{
    int count = quick ? design->quick : design->usual;
    for (int v = 0; v < count; v++)
        values[v] = design->values[v];
    qsort(values, (size_t)count, sizeof *values, compare_values);
    return count;
}

static boxes_given give(const boxes_design *design, const lab_request *request, double x)
{
    boxes_given given = design->fixed;
    given.seed = request->seed;
    given.count = request->quick ? QUICK_COUNT : USUAL_COUNT;
    given.trials = request->quick ? QUICK_TRIALS : USUAL_TRIALS;
    switch (design->variable) {
    case VARY_BOTH:
        given.k = given.l = (int64_t)x;
        break;
    case VARY_COLUMNS:
        given.l = (int64_t)x;
        break;
    case VARY_SEPARATION:
        given.separation = x;
        break;
    case VARY_DIMENSION:
        given.dimension = (int64_t)x;
        break;
    }
    return given;
}

/* ---- The runs ---- */

/* The cells of all sweeps, still without results, to be freed. */
static boxes_cell *list_cells(boxes_results *results)
{
    boxes_cell *cells = lab_new(BOXES_SWEEPS * 8, sizeof *cells);
    int64_t count = 0;
    for (int s = 0; s < BOXES_SWEEPS; s++) {
        double values[8];
        int number = choose_values(&designs[s], results->request->quick, values);
        results->first[s] = count;
        for (int v = 0; v < number; v++, count++) {
            const boxes_given given = give(&designs[s], results->request, values[v]);
            cells[count] = (boxes_cell){.given = given, .x = values[v]};
            cells[count].promise = given.blind
                                       ? 0
                                       : weft_theory_boxes(given.k, given.dimension, given.separation) +
                                             weft_theory_boxes(given.l, given.dimension, given.separation);
        }
    }
    results->first[BOXES_SWEEPS] = count;
    return cells;
}

static lab_task task_of(boxes_sweep sweep, const boxes_given *given)
{
    double blocks = (double)(given->k * given->l);
    lab_task task = {.given = given, .cost = (double)given->trials * (1 + sqrt(blocks))};
    snprintf(task.key, sizeof task.key,
             "%s; seed=%" PRIu64 " ids=%" PRId64 " trials=%" PRId64 " k=%" PRId64 " l=%" PRId64 " d=%" PRId64
             " s=%g run=%" PRId64,
             boxes_sweep_name(sweep), given->seed, given->count, given->trials, given->k, given->l,
             given->dimension, given->separation, given->number);
    return task;
}

static double mean_of(const double *answers, int64_t runs, int which)
{
    return lab_mean_of(answers + which, runs, BOXES_ANSWERS).mean;
}

static void sum_up(boxes_cell *cell, const double *answers, int64_t runs)
{
    cell->mistakes = lab_mean_of(answers + BOXES_MISTAKES, runs, BOXES_ANSWERS);
    cell->late_wrong = mean_of(answers, runs, BOXES_LATE_WRONG) / mean_of(answers, runs, BOXES_LATE_FIRST);
    cell->trace = lab_mean_of(answers + BOXES_TRACE, runs, BOXES_ANSWERS);
    cell->general = lab_mean_of(answers + BOXES_GENERAL, runs, BOXES_ANSWERS);
    cell->dimension = lab_mean_of(answers + BOXES_DIMENSION, runs, BOXES_ANSWERS);
    cell->bound = mean_of(answers, runs, BOXES_BOUND);
    cell->uncertain = mean_of(answers, runs, BOXES_UNCERTAIN) * (double)runs;
    cell->different = mean_of(answers, runs, BOXES_DIFFERENT) * (double)runs;
}

/* Every run of every cell, cell by cell, to be freed.  The first run on the line is also played
 * with all points known in advance. */
static boxes_given *list_runs(const boxes_results *results, boxes_cell *cells)
{
    boxes_given *list = lab_new(results->first[BOXES_SWEEPS] * results->runs, sizeof *list);
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++)
        for (int64_t r = 0; r < results->runs; r++) {
            boxes_given *given = &list[c * results->runs + r];
            *given = cells[c].given;
            given->number = r;
            given->twice = r == 0 && c < results->first[BOXES_BLIND];
            cells[c].compared += given->twice ? (double)given->trials : 0;
        }
    return list;
}

/* Plays what the journal does not have. */
static weft_status play(const boxes_results *results, boxes_cell *cells, weft_error *error)
{
    int64_t count = results->first[BOXES_SWEEPS] * results->runs, t = 0;
    boxes_given *list = list_runs(results, cells);
    lab_task *tasks = lab_new(count, sizeof *tasks);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    for (int s = 0; s < BOXES_SWEEPS; s++)
        for (; t < results->first[s + 1] * results->runs; t++)
            tasks[t] = task_of((boxes_sweep)s, &list[t]);
    lab_plan plan = {"boxes", VERSION, boxes_work, BOXES_ANSWERS, tasks, count};
    TRY(lab_work_perform(&plan, results->request, &answers, error));
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++)
        sum_up(&cells[c], answers + c * results->runs * BOXES_ANSWERS, results->runs);
done:
    free(answers);
    free(tasks);
    free(list);
    return status;
}

/* ---- What they came to ---- */

/* As powers of x; of the dimension as powers of exp(x), so that exp(exponent) is the factor of a
 * further dimension. */
static boxes_growth fit_sweep(const boxes_results *results, int sweep)
{
    lab_series mistakes = {0}, trace = {0}, general = {0}, dimension = {0};
    for (int64_t c = results->first[sweep]; c < results->first[sweep + 1]; c++) {
        const boxes_cell *cell = &results->cells[c];
        double x = sweep == BOXES_DEEPER ? exp(cell->x) : cell->x;
        lab_series_add_mean(&mistakes, x, &cell->mistakes);
        lab_series_add_mean(&trace, x, &cell->trace);
        lab_series_add_mean(&general, x, &cell->general);
        lab_series_add_mean(&dimension, x, &cell->dimension);
    }
    return (boxes_growth){lab_series_fit(&mistakes), lab_series_fit(&trace), lab_series_fit(&general),
                          lab_series_fit(&dimension)};
}

static void write_cell(FILE *out, const char *sweep, const boxes_cell *cell)
{
    const boxes_given *given = &cell->given;
    fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.17g,%.17g,%" PRId64 ",%" PRId64 ",%" PRId64, sweep,
            given->k, given->l, given->dimension, given->range, given->separation, given->count,
            given->trials, cell->mistakes.count);
    fprintf(out, ",%.6g,%.6g,%.6g,%.6g,", cell->mistakes.mean, cell->mistakes.deviation, cell->late_wrong,
            cell->trace.mean);
    if (!given->blind)
        fprintf(out, "%.6g", cell->promise);
    fprintf(out, ",%.6g,%.6g,%.6g,%d,%.17g,%.17g,%.17g\n", cell->general.mean, cell->dimension.mean,
            cell->bound, cell->bound >= (double)given->trials, cell->uncertain, cell->compared,
            cell->different);
}

static weft_status write_csv(const boxes_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "boxes", ".csv");
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &file, error));
    FILE *out = output_stream(file);
    fprintf(out, "sweep,k,l,d,range,separation,ids,trials,runs,mistakes,sd,late_wrong,trace,trace_promise,"
                 "paper_dimension,dimension,bound,vacuous,uncertified,compared,different\n");
    for (int s = 0; s < BOXES_SWEEPS; s++)
        for (int64_t c = results->first[s]; c < results->first[s + 1]; c++)
            write_cell(out, boxes_sweep_name((boxes_sweep)s), &results->cells[c]);
    TRY(output_commit(file, error));
done:
    output_free(file);
    free(path);
    return status;
}

char *boxes_sentence(const boxes_results *results)
{
    const boxes_growth *line = &results->growth[BOXES_LINE], *square = &results->growth[BOXES_SQUARE];
    const boxes_cell *seen = &results->cells[results->first[BOXES_LINE + 1] - 1];
    const boxes_cell *unseen = &results->cells[results->first[BOXES_BLIND + 1] - 1];
    double least = INFINITY, compared = 0, different = 0;
    int64_t biting = 0, sided = 0;
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++) {
        const boxes_cell *cell = &results->cells[c];
        least = cell->given.blind ? least : fmin(least, cell->promise / cell->trace.mean);
        sided += !cell->given.blind;
        biting += !cell->given.blind && cell->bound < (double)cell->given.trials;
        compared += cell->compared;
        different += cell->different;
    }
    return lab_text(
        "Points in k boxes a side, min kernel, rows and columns arriving during the stream: mistakes grow "
        "like k^%.2f (+- %.2f) on the line and k^%.2f (+- %.2f) on the plane (k^2 can be forced, the "
        "paper's bound has k^3); the paper's quasi-dimension bound, measured, like k^%.2f (+- %.2f) and "
        "k^%.2f (+- %.2f), a sharper one that can be proved too like k^%.2f and k^%.2f.  tr(R'K^-1R) is "
        "everywhere below k (4/delta*)^d, by a factor of %.1f or more; the mistake bound bites in %" PRId64
        " of %" PRId64 " cells.  First pairs of two newcomers in the second half, k = %" PRId64
        ": %.0f %% wrong, without their points %.0f %%.  With all points known in advance %.0f of %.0f "
        "decisions are different.",
        line->mistakes.exponent, line->mistakes.error, square->mistakes.exponent, square->mistakes.error,
        line->general.exponent, line->general.error, square->general.exponent, square->general.error,
        line->dimension.exponent, square->dimension.exponent, least, biting, sided, seen->given.k,
        100 * seen->late_wrong, 100 * unseen->late_wrong, different, compared);
}

static weft_status run(const lab_request *request, weft_error *error)
{
    boxes_results results = {.request = request};
    weft_status status = WEFT_OK;
    results.runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    boxes_cell *cells = list_cells(&results);
    TRY(play(&results, cells, error));
    results.cells = cells;
    for (int s = 0; s < BOXES_SWEEPS; s++)
        results.growth[s] = fit_sweep(&results, s);
    TRY(write_csv(&results, error));
    TRY(boxes_report(&results, error));
    char *sentence = boxes_sentence(&results);
    printf("%s\n", sentence);
    free(sentence);
done:
    free(cells);
    return status;
}

const lab_experiment lab_boxes_experiment = {
    .name = "boxes",
    .purpose = "new rows and columns are points in boxes: the inductive setting",
    .run = run};
