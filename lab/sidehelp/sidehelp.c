/* SPDX-License-Identifier: MIT
 * weft experiment sidehelp: can side information provably help?  Mistakes against the number of
 * rows, with and without. */
#include "lab/sidehelp/sidehelp.h"

#include "lab/experiments.h"
#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 10, QUICK_RUNS = 2 };
enum { COLUMNS = 32, LEAST_ROWS = 16, USUAL_SIZES = 8, QUICK_SIZES = 4 };

const char *sidehelp_side_name(sidehelp_side side)
{
    static const char *const names[] = {"nothing", "ideal graph", "partition kernel"};
    return names[side];
}

/* ---- The runs ---- */

static lab_task task_of(const sidehelp_given *given)
{
    /* A trial costs about a multiple of the rows that were learnt. */
    double rows = (double)given->rows;
    lab_task task = {.given = given, .cost = given->side == SIDEHELP_NOTHING ? rows * rows : 300 * rows};
    snprintf(task.key, sizeof task.key,
             "%s %s seed=%" PRIu64 " rows=%" PRId64 " columns=%" PRId64 " run=%" PRId64,
             sidehelp_side_name(given->side), given->adversary ? "adversary" : "random", given->seed,
             given->rows, given->columns, given->number);
    return task;
}

/* Every run of every cell, cell by cell, to be freed. */
static sidehelp_given *list_runs(const sidehelp_results *results)
{
    int64_t count = 0, cells = SIDEHELP_SIDES * 2 * results->sizes;
    sidehelp_given *list = new_array(cells * results->runs, sizeof *list);
    for (int64_t c = 0; c < cells; c++)
        for (int64_t r = 0; r < results->runs; r++)
            list[count++] = (sidehelp_given){
                .seed = results->request->seed,
                .rows = (int64_t)LEAST_ROWS << c % results->sizes,
                .columns = COLUMNS,
                .side = (sidehelp_side)(c / results->sizes / 2),
                .adversary = c / results->sizes % 2 == 1,
                .number = r,
            };
    return list;
}

static sidehelp_cell sum_up(const sidehelp_given *given, const double *answers, int64_t runs)
{
    return (sidehelp_cell){
        .given = *given,
        .mistakes = lab_mean_of(answers + SIDEHELP_MISTAKES, runs, SIDEHELP_ANSWERS),
        .first = lab_mean_of(answers + SIDEHELP_FIRST, runs, SIDEHELP_ANSWERS),
        .trials = lab_average(answers + SIDEHELP_TRIALS, runs, SIDEHELP_ANSWERS),
        .dimension = lab_average(answers + SIDEHELP_DIMENSION, runs, SIDEHELP_ANSWERS),
        .bound = lab_average(answers + SIDEHELP_BOUND, runs, SIDEHELP_ANSWERS),
        .uncertain = lab_average(answers + SIDEHELP_UNCERTAIN, runs, SIDEHELP_ANSWERS) * (double)runs,
    };
}

/* Plays what the journal does not have; *cells to be freed. */
static weft_status play(const sidehelp_results *results, sidehelp_cell **cells, weft_error *error)
{
    int64_t cell_count = SIDEHELP_SIDES * 2 * results->sizes, count = cell_count * results->runs;
    sidehelp_given *list = list_runs(results);
    lab_task *tasks = new_array(count, sizeof *tasks);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    for (int64_t t = 0; t < count; t++)
        tasks[t] = task_of(&list[t]);
    lab_plan plan = {"sidehelp", VERSION, sidehelp_work, SIDEHELP_ANSWERS, tasks, count};
    TRY(lab_work_perform(&plan, results->request, &answers, error));
    *cells = new_array(cell_count, sizeof **cells);
    for (int64_t c = 0; c < cell_count; c++) {
        int64_t first = c * results->runs;
        (*cells)[c] = sum_up(&list[first], answers + first * SIDEHELP_ANSWERS, results->runs);
    }
done:
    free(answers);
    free(tasks);
    free(list);
    return status;
}

/* ---- What they came to ---- */

const sidehelp_cell *sidehelp_cell_of(const sidehelp_results *results, sidehelp_side side, bool adversary,
                                      int64_t size)
{
    return &results->cells[((int64_t)side * 2 + adversary) * results->sizes + size];
}

static void fit(sidehelp_results *results)
{
    for (int side = 0; side < SIDEHELP_SIDES; side++)
        for (int adversary = 0; adversary < 2; adversary++) {
            lab_series series = {0};
            for (int64_t s = 0; s < results->sizes; s++) {
                const sidehelp_cell *cell = sidehelp_cell_of(results, (sidehelp_side)side, adversary == 1, s);
                lab_series_add_mean(&series, (double)cell->given.rows, &cell->mistakes);
            }
            results->growth[side][adversary] = lab_series_fit(&series);
        }
}

static void write_cell(FILE *out, const sidehelp_cell *cell)
{
    fprintf(out, "%s,%s,%" PRId64 ",%" PRId64 ",%.17g,%" PRId64, sidehelp_side_name(cell->given.side),
            cell->given.adversary ? "adversary" : "random", cell->given.rows, cell->given.columns,
            cell->trials, cell->mistakes.count);
    fprintf(out, ",%.6g,%.6g,%.6g,%.6g,%.6g,%d,%.17g\n", cell->mistakes.mean, cell->mistakes.deviation,
            cell->first.mean, cell->dimension, cell->bound, cell->bound >= cell->trials, cell->uncertain);
}

static void write_lines(FILE *out, const void *what)
{
    const sidehelp_results *results = what;
    for (int64_t c = 0; c < SIDEHELP_SIDES * 2 * results->sizes; c++)
        write_cell(out, &results->cells[c]);
}

static const lab_table table = {
    "sidehelp",
    "side,labels,rows,columns,trials,runs,mistakes,sd,first_mistakes,dimension,bound,vacuous,uncertified",
    write_lines};

/* The least number of rows at which the bound with that side information is below the m mistakes
 * that anybody can be forced to without; 0: never here. */
static int64_t proved_from(const sidehelp_results *results, sidehelp_side side)
{
    for (int64_t s = 0; s < results->sizes; s++) {
        const sidehelp_cell *cell = sidehelp_cell_of(results, side, true, s);
        if (cell->bound < (double)cell->given.rows)
            return cell->given.rows;
    }
    return 0;
}

char *sidehelp_sentence(const sidehelp_results *results)
{
    int64_t last = results->sizes - 1;
    const sidehelp_cell *bare = sidehelp_cell_of(results, SIDEHELP_NOTHING, true, last);
    const sidehelp_cell *graph = sidehelp_cell_of(results, SIDEHELP_GRAPH, true, last);
    const sidehelp_cell *partition = sidehelp_cell_of(results, SIDEHELP_PARTITION, true, last);
    int64_t from = proved_from(results, SIDEHELP_PARTITION);
    char *proof = from > 0 ? new_text("  Already at m = %" PRId64 " the bound with the partition kernel is "
                                      "below the m mistakes that anybody without can be forced to make: "
                                      "side information provably helps.",
                                      from)
                           : new_text("%s", "");
    char *sentence = new_text(
        "Rows that are all +1 or all -1, against an adversary: without side information %.0f mistakes at "
        "m = %" PRId64 " rows (%.0f of them on the first entry of a row), growing as m^%s; with the ideal "
        "graph %.1f, m^%s, bound %.0f; with the partition kernel %.1f, m^%s, bound %.0f.%s",
        bare->mistakes.mean, bare->given.rows, bare->first.mean,
        lab_exponent(&results->growth[SIDEHELP_NOTHING][1], 2).text, graph->mistakes.mean,
        lab_exponent(&results->growth[SIDEHELP_GRAPH][1], 2).text, graph->bound, partition->mistakes.mean,
        lab_exponent(&results->growth[SIDEHELP_PARTITION][1], 2).text, partition->bound, proof);
    free(proof);
    return sentence;
}

static weft_status run(const lab_request *request, weft_error *error)
{
    sidehelp_results results = {.request = request, .sizes = request->quick ? QUICK_SIZES : USUAL_SIZES};
    sidehelp_cell *cells = NULL;
    weft_status status = WEFT_OK;
    results.runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    TRY(play(&results, &cells, error));
    results.cells = cells;
    fit(&results);
    TRY(lab_table_write(&table, request, &results, error));
    TRY(sidehelp_report(&results, error));
    char *sentence = sidehelp_sentence(&results);
    printf("%s\n", sentence);
    free(sentence);
done:
    free(cells);
    return status;
}

const lab_experiment lab_sidehelp = {
    .name = "sidehelp", .purpose = "rows all +1 or all -1: m mistakes without, a few with", .run = run};
