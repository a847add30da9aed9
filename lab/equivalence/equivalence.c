/* SPDX-License-Identifier: MIT
 * weft experiment equivalence: the transductive and the inductive algorithm are one (Proposition 1). */
#include "lab/equivalence/equivalence.h"

#include "lab/experiments.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 8, QUICK_RUNS = 2, MOST_CELLS = 96, SMALL = 14 };

const char *equivalence_updates_name(weft_updates updates)
{
    return updates == WEFT_MISTAKE_UPDATES ? "mistake" : "margin";
}

/* ---- What is run ---- */

typedef struct cells {
    equivalence_run run[MOST_CELLS];
    int64_t count;
} cells;

static void add(cells *all, equivalence_run run)
{
    if (all->count < MOST_CELLS)
        all->run[all->count++] = run;
}

/* One kernel with one rule of updating: methods at several sizes, then one method with larger R. */
static void add_kernel(cells *all, equivalence_run run, bool quick)
{
    static const int64_t sizes[] = {SMALL, 40, 80};
    for (int s = 0; s < (quick ? 2 : 3); s++) {
        run.n = quick ? sizes[s] / 2 + 3 : sizes[s];
        run.word_by_word = s == 0;
        add(all, run);
    }
    run.n = quick ? SMALL : 40;
    run.word_by_word = false;
    for (run.spread = 1; run.spread <= (quick ? 4 : 16); run.spread *= 2)
        add(all, run);
}

static void choose_cells(cells *all, const lab_request *request)
{
    for (int kernel = 0; kernel < EQUIVALENCE_KERNELS; kernel++)
        for (int updates = 0; updates <= WEFT_MISTAKE_UPDATES; updates++)
            add_kernel(all,
                       (equivalence_run){.kernel = (weft_kernel)kernel,
                                         .updates = (weft_updates)updates,
                                         .seed = request->seed},
                       request->quick);
    add(all, (equivalence_run){.kernel = WEFT_GAUSSIAN,
                               .updates = WEFT_MISTAKE_UPDATES,
                               .n = SMALL,
                               .word_by_word = true,
                               .tie = true,
                               .seed = request->seed});
}

/* ---- The runs ---- */

static weft_status play(const cells *all, const lab_request *request, int64_t runs, double **answers,
                        weft_error *error)
{
    int64_t count = all->count * runs;
    equivalence_run *given = new_array(count, sizeof *given);
    lab_task *tasks = new_array(count, sizeof *tasks);
    for (int64_t t = 0; t < count; t++) {
        equivalence_run *run = &given[t];
        *run = all->run[t / runs];
        run->number = t % runs;
        snprintf(tasks[t].key, sizeof tasks[t].key,
                 "%s %s seed=%" PRIu64 " n=%" PRId64 " words=%d tie=%d spread=%g run=%" PRId64,
                 equivalence_kernel_name(run->kernel), equivalence_updates_name(run->updates), run->seed,
                 run->n, run->word_by_word, run->tie, run->spread, run->number);
        tasks[t].given = run;
        tasks[t].cost = (double)(run->n * run->n) * (run->spread > 0 ? 1 : run->word_by_word ? 100 : 10);
    }
    lab_plan plan = {"equivalence", VERSION, equivalence_play, EQUIVALENCE_ANSWERS, tasks, count};
    weft_status status = lab_work_perform(&plan, request, answers, error);
    free(given);
    free(tasks);
    return status;
}

static void add_run(equivalence_result *result, const double *answer)
{
    result->trials += answer[EQUIVALENCE_TRIALS];
    result->uncertified += (int64_t)answer[EQUIVALENCE_UNCERTIFIED];
    for (int v = 1; v < EQUIVALENCE_METHODS; v++) {
        const double *apart = answer + EQUIVALENCE_APART + 3 * (ptrdiff_t)(v - 1);
        equivalence_apart *sum = &result->apart[v];
        sum->predictions += (int64_t)apart[0];
        sum->updates += (int64_t)apart[1];
        sum->margin = fmax(sum->margin, apart[2]);
    }
    for (int mark = 0; mark < EQUIVALENCE_MARKS; mark++)
        result->course[mark] = fmax(result->course[mark], answer[EQUIVALENCE_COURSE + mark]);
}

static equivalence_result summarise(const equivalence_run *run, const double *answers, int64_t runs)
{
    equivalence_result result = {.run = *run};
    result.mistakes = lab_mean_of(answers + EQUIVALENCE_MISTAKES, runs, EQUIVALENCE_ANSWERS);
    result.dimension = lab_average(answers + EQUIVALENCE_DIMENSION, runs, EQUIVALENCE_ANSWERS);
    result.bound = lab_average(answers + EQUIVALENCE_BOUND, runs, EQUIVALENCE_ANSWERS);
    for (int64_t r = 0; r < runs; r++)
        add_run(&result, answers + r * EQUIVALENCE_ANSWERS);
    return result;
}

/* Runs of the same number are the same problem, so that what R does is seen beside how hard it is. */
static lab_mean ratio_of(const double *answers, const double *first, int64_t runs)
{
    double *ratio = new_array(runs, sizeof *ratio);
    for (int64_t r = 0; r < runs; r++)
        ratio[r] = fmax(1, answers[r * EQUIVALENCE_ANSWERS + EQUIVALENCE_MISTAKES]) /
                   fmax(1, first[r * EQUIVALENCE_ANSWERS + EQUIVALENCE_MISTAKES]);
    lab_mean mean = lab_mean_of(ratio, runs, 1);
    free(ratio);
    return mean;
}

static weft_status run(const lab_request *request, weft_error *error)
{
    int64_t runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    cells *all = new_array(1, sizeof *all);
    equivalence_result *results = new_array(MOST_CELLS, sizeof *results);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    choose_cells(all, request);
    TRY(play(all, request, runs, &answers, error));
    for (int64_t c = 0, least = 0; c < all->count; c++) {
        const double *of_cell = answers + c * runs * EQUIVALENCE_ANSWERS;
        least = all->run[c].spread <= 1 ? c : least;
        results[c] = summarise(&all->run[c], of_cell, runs);
        results[c].ratio = ratio_of(of_cell, answers + least * runs * EQUIVALENCE_ANSWERS, runs);
    }
    equivalence_results everything = {request, results, all->count, runs};
    TRY(equivalence_report(&everything, error));
done:
    free(answers);
    free(results);
    free(all);
    return status;
}

const lab_experiment lab_equivalence = {.name = "equivalence",
                                        .purpose =
                                            "knowing all ids beforehand changes nothing (Proposition 1)",
                                        .run = run};
