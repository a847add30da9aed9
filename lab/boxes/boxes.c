/* SPDX-License-Identifier: MIT
 * weft experiment boxes: the inductive setting under the min kernel, against the number of boxes,
 * their separation and the dimension. */
#include "lab/boxes/boxes.h"

#include "lab/experiments.h"
#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"
#include "weft_theory.h"

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
    boxes_cell *cells = new_array(BOXES_SWEEPS * 8, sizeof *cells);
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

static void sum_up(boxes_cell *cell, const double *answers, int64_t runs)
{
    cell->mistakes = lab_mean_of(answers + BOXES_MISTAKES, runs, BOXES_ANSWERS);
    cell->late_wrong = lab_average(answers + BOXES_LATE_WRONG, runs, BOXES_ANSWERS) /
                       lab_average(answers + BOXES_LATE_FIRST, runs, BOXES_ANSWERS);
    cell->trace = lab_mean_of(answers + BOXES_TRACE, runs, BOXES_ANSWERS);
    for (int64_t r = 0; r < runs; r++) {
        double trace = answers[r * BOXES_ANSWERS + BOXES_TRACE];
        lab_range_add(&cell->traces, trace);
        cell->kept += trace <= cell->promise;
    }
    cell->general = lab_mean_of(answers + BOXES_GENERAL, runs, BOXES_ANSWERS);
    cell->dimension = lab_mean_of(answers + BOXES_DIMENSION, runs, BOXES_ANSWERS);
    cell->bound = lab_average(answers + BOXES_BOUND, runs, BOXES_ANSWERS);
    cell->uncertain = lab_average(answers + BOXES_UNCERTAIN, runs, BOXES_ANSWERS) * (double)runs;
    cell->different = lab_average(answers + BOXES_DIFFERENT, runs, BOXES_ANSWERS) * (double)runs;
}

/* Every run of every cell, cell by cell, to be freed.  The first run on the line is also played
 * with all points known in advance. */
static boxes_given *list_runs(const boxes_results *results, boxes_cell *cells)
{
    boxes_given *list = new_array(results->first[BOXES_SWEEPS] * results->runs, sizeof *list);
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
    lab_task *tasks = new_array(count, sizeof *tasks);
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
        double x = sweep == BOXES_DEEPER ? weft__exp(cell->x) : cell->x;
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
    fprintf(out, ",%.6g,%.6g,%.6g,%d,%.17g,%.17g,%.17g,%.6g,%.6g,%.6g\n", cell->general.mean,
            cell->dimension.mean, cell->bound, cell->bound >= (double)given->trials, cell->uncertain,
            cell->compared, cell->different, cell->trace.deviation, cell->general.deviation,
            cell->dimension.deviation);
}

static void write_lines(FILE *out, const void *what)
{
    const boxes_results *results = what;
    for (int s = 0; s < BOXES_SWEEPS; s++)
        for (int64_t c = results->first[s]; c < results->first[s + 1]; c++)
            write_cell(out, boxes_sweep_name((boxes_sweep)s), &results->cells[c]);
}

static const lab_table table = {
    "boxes",
    "sweep,k,l,d,range,separation,ids,trials,runs,mistakes,sd,late_wrong,trace,trace_promise,paper_dimension,"
    "dimension,bound,vacuous,uncertified,compared,different,trace_sd,paper_dimension_sd,dimension_sd",
    write_lines};

boxes_verdict boxes_judge(const boxes_results *results)
{
    boxes_verdict v = {.cells = 0};
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++) {
        const boxes_cell *cell = &results->cells[c];
        v.compared += cell->compared;
        v.different += cell->different;
        if (cell->given.blind)
            continue;
        v.cells++;
        v.biting += cell->bound < (double)cell->given.trials;
        v.runs += results->runs;
        v.kept += cell->kept;
        lab_range_add(&v.promised, cell->promise / cell->traces.largest);
        lab_range_add(&v.promised, cell->promise / cell->traces.least);
    }
    return v;
}

char *boxes_sentence(const boxes_results *results)
{
    const boxes_growth *line = &results->growth[BOXES_LINE], *square = &results->growth[BOXES_SQUARE];
    const boxes_cell *seen = &results->cells[results->first[BOXES_LINE + 1] - 1];
    const boxes_cell *unseen = &results->cells[results->first[BOXES_BLIND + 1] - 1];
    boxes_verdict v = boxes_judge(results);
    return new_text(
        "Points in k boxes a side, min kernel, rows and columns arriving during the stream: mistakes grow "
        "as k^%s on the line and k^%s on the plane (k^2 can be forced, the paper's bound has k^3); the "
        "paper's quasi-dimension bound, measured, as k^%s and k^%s, a sharper one that can be proved too as "
        "k^%s and k^%s.  tr(R'K^-1R) of both sides together is at most (k + l) (4/delta*)^d in %" PRId64
        " of %" PRId64 " runs: that is %.1f times as large or more.  The mistake bound bites in %" PRId64
        " of %" PRId64 " cells.  First pairs of two newcomers in the second half, k = %" PRId64
        ": %.1f %% wrong, without their points %.1f %%.  With all points known in advance the "
        "decisions of %.0f of %.0f trials are different.",
        lab_exponent(&line->mistakes, 2).text, lab_exponent(&square->mistakes, 2).text,
        lab_exponent(&line->general, 2).text, lab_exponent(&square->general, 2).text,
        lab_exponent(&line->dimension, 2).text, lab_exponent(&square->dimension, 2).text, v.kept, v.runs,
        v.promised.least, v.biting, v.cells, seen->given.k, 100 * seen->late_wrong, 100 * unseen->late_wrong,
        v.different, v.compared);
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
    TRY(lab_table_write(&table, request, &results, error));
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
