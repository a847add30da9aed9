/* SPDX-License-Identifier: MIT
 * weft experiment bounds: the theorems where they bite. */
#include "lab/bounds/bounds.h"

#include "lab/experiments.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 10, QUICK_RUNS = 3, MOST_CELLS = 400 };

const char *bounds_statement_name(bounds_statement statement)
{
    static const char *const names[] = {"regret", "hinge", "realizable", "estimate"};
    return names[statement];
}

const char *bounds_part_name(bounds_part part)
{
    static const char *const names[] = {"horizon", "growth", "one set"};
    return names[part];
}

/* ---- What is run ---- */

typedef struct cells {
    bounds_cell cell[MOST_CELLS];
    int64_t count;
} cells;

static void add(cells *all, bounds_cell cell)
{
    if (all->count < MOST_CELLS)
        all->cell[all->count++] = cell;
}

/* k = l = 2 with the partition kernel: every statement, over n and T. */
static void add_horizons(cells *all, bool quick)
{
    static const int64_t sizes[] = {20, 80, 320};
    static const double LABEL_NOISE = 0.1;
    int64_t longest = quick ? 2048 : 32768;
    for (int s = 0; s < (quick ? 1 : 3); s++)
        for (int statement = 0; statement < BOUNDS_STATEMENTS; statement++)
            for (int64_t trials = 128; trials <= longest; trials *= 2) {
                bounds_cell cell = {.statement = (bounds_statement)statement,
                                    .n = sizes[s],
                                    .k = 2,
                                    .l = 2,
                                    .trials = trials};
                add(all, cell);
                cell.noise = LABEL_NOISE;
                if (statement == BOUNDS_REGRET || statement == BOUNDS_HINGE)
                    add(all, cell);
            }
}

/* Long enough that hardly a mistake is left to be made. */
enum { SIZE = 120, QUICK_SIZE = 48, PASSES = 2 };

static void add_growth(cells *all, bool quick, int64_t k, int64_t l)
{
    int64_t n = quick ? QUICK_SIZE : SIZE;
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++) {
        bounds_cell cell = {.part = BOUNDS_GROWTH,
                            .statement = BOUNDS_REALIZABLE,
                            .ideal = (lab_ideal)ideal,
                            .n = n,
                            .k = k,
                            .l = l,
                            .trials = PASSES * n * n};
        add(all, cell);
        cell.part = BOUNDS_ONE_SET;
        if (k == l)
            add(all, cell);
    }
}

static void choose_cells(cells *all, bool quick)
{
    static const int64_t unequal[][2] = {{2, 4},  {2, 8}, {2, 12}, {3, 6}, {3, 9},
                                         {3, 12}, {4, 8}, {4, 12}, {6, 9}, {6, 12}};
    add_horizons(all, quick);
    for (int64_t k = 2; k <= (quick ? 5 : 12); k++)
        add_growth(all, quick, k, k);
    for (int u = 0; u < (quick ? 1 : 10); u++)
        add_growth(all, quick, unequal[u][0], unequal[u][1]);
}

/* ---- The runs ---- */

static void write_key(const bounds_run *run, char key[120])
{
    const bounds_cell *c = &run->cell;
    snprintf(key, 120,
             "%s %s %s seed=%" PRIu64 " n=%" PRId64 " k=%" PRId64 " l=%" PRId64 " T=%" PRId64
             " noise=%g run=%" PRId64,
             bounds_part_name(c->part), bounds_statement_name(c->statement), lab_ideal_name(c->ideal),
             run->seed, c->n, c->k, c->l, c->trials, c->noise, run->number);
}

/* Margin updates leave more evidence behind than mistake updates, and with it more to multiply. */
static double cost_of(const bounds_cell *cell)
{
    bool mistakes = cell->statement == BOUNDS_REALIZABLE || cell->statement == BOUNDS_ESTIMATE;
    return (double)cell->trials * (mistakes ? 1 : 5);
}

static weft_status play(const cells *all, const lab_request *request, int64_t runs, double **answers,
                        weft_error *error)
{
    int64_t count = all->count * runs;
    bounds_run *given = new_array(count, sizeof *given);
    lab_task *tasks = new_array(count, sizeof *tasks);
    for (int64_t k = 0; k < count; k++) {
        given[k] = (bounds_run){all->cell[k / runs], request->seed, k % runs};
        write_key(&given[k], tasks[k].key);
        tasks[k].given = &given[k];
        tasks[k].cost = cost_of(&given[k].cell);
    }
    lab_plan plan = {"bounds", VERSION, bounds_play, BOUNDS_ANSWERS, tasks, count};
    weft_status status = lab_work_perform(&plan, request, answers, error);
    free(given);
    free(tasks);
    return status;
}

/* The regret theorem speaks of expectations over the learner's draws, which a run knows exactly:
 * whether it updates does not depend on them. */
static bounds_result summarise(const bounds_cell *cell, const double *answers, int64_t runs)
{
    int counted = cell->statement == BOUNDS_REGRET ? BOUNDS_EXPECTED : BOUNDS_MISTAKES;
    bounds_result result = {.cell = *cell, .mistakes = lab_mean_of(answers + counted, runs, BOUNDS_ANSWERS)};
    result.errors = lab_average(answers + BOUNDS_ERRORS, runs, BOUNDS_ANSWERS);
    result.dimension = lab_average(answers + BOUNDS_DIMENSION, runs, BOUNDS_ANSWERS);
    result.gamma = lab_average(answers + BOUNDS_GAMMA, runs, BOUNDS_ANSWERS);
    result.bound = lab_average(answers + BOUNDS_BOUND, runs, BOUNDS_ANSWERS);
    result.plain = lab_average(answers + BOUNDS_PLAIN, runs, BOUNDS_ANSWERS);
    for (int64_t r = 0; r < runs; r++) {
        const double *answer = answers + r * BOUNDS_ANSWERS;
        result.violated += answer[BOUNDS_BOUND] >= 0 && answer[counted] > answer[BOUNDS_BOUND];
        result.uncertified += (int64_t)answer[BOUNDS_UNCERTIFIED];
        if (answer[BOUNDS_BOUND] < 0)
            result.bound = -1;
    }
    return result;
}

static weft_status run(const lab_request *request, weft_error *error)
{
    int64_t runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    cells *all = new_array(1, sizeof *all);
    bounds_result *results = NULL;
    double *answers = NULL;
    weft_status status = WEFT_OK;
    choose_cells(all, request->quick);
    TRY(play(all, request, runs, &answers, error));
    results = new_array(all->count, sizeof *results);
    for (int64_t c = 0; c < all->count; c++)
        results[c] = summarise(&all->cell[c], answers + c * runs * BOUNDS_ANSWERS, runs);
    bounds_results everything = {request, results, all->count, runs};
    TRY(bounds_report(&everything, error));
done:
    free(results);
    free(answers);
    free(all);
    return status;
}

const lab_experiment lab_bounds = {
    .name = "bounds", .purpose = "the theorems where they bite, and the growth with k l", .run = run};
