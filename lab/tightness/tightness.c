/* SPDX-License-Identifier: MIT
 * weft experiment tightness: k l mistakes can be forced, and not many more happen. */
#include "lab/tightness/tightness.h"

#include "lab/experiments.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 10, QUICK_RUNS = 3, SIZE = 120, QUICK_SIZE = 40, MOST_CELLS = 64 };

typedef struct cells {
    tightness_cell cell[MOST_CELLS];
    int64_t count;
} cells;

static void add(cells *all, int64_t n, int64_t k, int64_t l)
{
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++)
        if (all->count < MOST_CELLS)
            all->cell[all->count++] = (tightness_cell){(lab_ideal)ideal, n, k, l};
}

static void choose_cells(cells *all, bool quick)
{
    static const int64_t unequal[][2] = {{2, 6}, {2, 12}, {3, 9}, {4, 8}, {4, 12}, {6, 12}};
    int64_t n = quick ? QUICK_SIZE : SIZE;
    for (int64_t k = 2; k <= (quick ? 5 : 12); k++)
        add(all, n, k, k);
    for (int u = 0; u < (quick ? 1 : 6); u++)
        add(all, n, unequal[u][0], unequal[u][1]);
}

static weft_status play(const cells *all, const lab_request *request, int64_t runs, double **answers,
                        weft_error *error)
{
    int64_t count = all->count * runs;
    tightness_run *given = new_array(count, sizeof *given);
    lab_task *tasks = new_array(count, sizeof *tasks);
    for (int64_t t = 0; t < count; t++) {
        const tightness_cell *cell = &all->cell[t / runs];
        given[t] = (tightness_run){*cell, request->seed, t % runs};
        snprintf(tasks[t].key, sizeof tasks[t].key,
                 "%s seed=%" PRIu64 " n=%" PRId64 " k=%" PRId64 " l=%" PRId64 " run=%" PRId64,
                 lab_ideal_name(cell->ideal), request->seed, cell->n, cell->k, cell->l, t % runs);
        tasks[t].given = &given[t];
        tasks[t].cost = (double)(cell->k * cell->l) + 50;
    }
    lab_plan plan = {"tightness", VERSION, tightness_play, TIGHTNESS_ANSWERS, tasks, count};
    weft_status status = lab_work_perform(&plan, request, answers, error);
    free(given);
    free(tasks);
    return status;
}

static tightness_result summarise(const tightness_cell *cell, const double *answers, int64_t runs)
{
    tightness_result result = {.cell = *cell};
    result.forced = lab_mean_of(answers + TIGHTNESS_FORCED, runs, TIGHTNESS_ANSWERS);
    result.total = lab_mean_of(answers + TIGHTNESS_TOTAL, runs, TIGHTNESS_ANSWERS);
    result.dimension = lab_average(answers + TIGHTNESS_DIMENSION, runs, TIGHTNESS_ANSWERS);
    result.bound = lab_average(answers + TIGHTNESS_BOUND, runs, TIGHTNESS_ANSWERS);
    for (int64_t r = 0; r < runs; r++) {
        const double *answer = answers + r * TIGHTNESS_ANSWERS;
        result.escaped += answer[TIGHTNESS_FORCED] < (double)(cell->k * cell->l);
        result.violated += answer[TIGHTNESS_TOTAL] > answer[TIGHTNESS_BOUND];
    }
    return result;
}

static weft_status run(const lab_request *request, weft_error *error)
{
    int64_t runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    cells all = {.count = 0};
    tightness_result results[MOST_CELLS];
    double *answers = NULL;
    weft_status status = WEFT_OK;
    choose_cells(&all, request->quick);
    TRY(play(&all, request, runs, &answers, error));
    for (int64_t c = 0; c < all.count; c++)
        results[c] = summarise(&all.cell[c], answers + c * runs * TIGHTNESS_ANSWERS, runs);
    tightness_results everything = {request, results, all.count, runs};
    TRY(tightness_report(&everything, error));
done:
    free(answers);
    return status;
}

const lab_experiment lab_tightness = {
    .name = "tightness", .purpose = "an adversary forces k l mistakes; how many more there are", .run = run};
