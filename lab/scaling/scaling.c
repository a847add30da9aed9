/* SPDX-License-Identifier: MIT
 * weft experiment scaling: time a trial against n, and the paper's table in days. */
#include "lab/scaling/scaling.h"

#include "lab/experiments.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, MOST_SIZES = 16 };

const double scaling_noise[SCALING_LEVELS] = {0, 0.125, 0.5};

static const int64_t USUAL_SIZES[] = {20, 40, 60, 100, 140, 200, 300, 400}, QUICK_SIZES[] = {20, 30, 40, 60};

/* Beyond this size updates are counted at the noise level that is timed alone: whole streams there
 * take half a minute each. */
enum { MOST_COUNTED = 200 };

/* Enough for a stable median, and about a second: an update is O(n^3). */
static int64_t updates_at(int64_t n)
{
    enum { LEAST = 9, MOST = 101 };
    double affordable = 4e8 / ((double)n * (double)n * (double)n);
    return affordable < LEAST ? LEAST : affordable > MOST ? MOST : (int64_t)affordable;
}

typedef struct plan {
    scaling_run given[MOST_SIZES * SCALING_LEVELS];
    lab_task tasks[MOST_SIZES * SCALING_LEVELS];
    int64_t count;
} plan;

static void add(plan *p, int64_t n, int level, uint64_t seed)
{
    scaling_run *run = &p->given[p->count];
    lab_task *task = &p->tasks[p->count++];
    *run = (scaling_run){.n = n, .beta = scaling_noise[level], .seed = seed};
    run->updates = level == SCALING_TIMED ? updates_at(n) : 0;
    snprintf(task->key, sizeof task->key, "seed=%" PRIu64 " n=%" PRId64 " beta=%g updates=%" PRId64, seed, n,
             run->beta, run->updates);
    task->given = run;
    task->cost = (double)(n * n) * (double)(n + 100);
}

/* Times are of runs that have the machine to themselves, as far as this program goes: one job. */
static weft_status play(const int64_t *sizes, int count, const lab_request *request, plan *p,
                        double **answers, weft_error *error)
{
    lab_request alone = *request;
    alone.jobs = 1;
    for (int s = 0; s < count; s++)
        for (int level = 0; level < SCALING_LEVELS; level++)
            if (level == SCALING_TIMED || sizes[s] <= MOST_COUNTED)
                add(p, sizes[s], level, request->seed);
    lab_plan work = {"scaling", VERSION, scaling_play, SCALING_ANSWERS, p->tasks, p->count};
    return lab_work_perform(&work, &alone, answers, error);
}

static void collect(const plan *p, const double *answers, scaling_result *size)
{
    for (int level = 0; level < SCALING_LEVELS; level++)
        size->share[level] = -1;
    for (int64_t t = 0; t < p->count; t++)
        for (int level = 0; level < SCALING_LEVELS; level++) {
            const double *answer = answers + t * SCALING_ANSWERS;
            if (p->given[t].n != size->n || p->given[t].beta != scaling_noise[level])
                continue;
            size->share[level] = answer[SCALING_UPDATES];
            if (level != SCALING_TIMED)
                continue;
            size->krylov = answer[SCALING_KRYLOV];
            size->update = answer[SCALING_UPDATE];
            size->idle = answer[SCALING_IDLE];
            size->products = answer[SCALING_PRODUCTS];
            memcpy(size->krylov_quartile, answer + SCALING_KRYLOV_LOW, sizeof size->krylov_quartile);
            memcpy(size->update_quartile, answer + SCALING_UPDATE_LOW, sizeof size->update_quartile);
        }
}

static weft_status run(const lab_request *request, weft_error *error)
{
    const int64_t *sizes = request->quick ? QUICK_SIZES : USUAL_SIZES;
    int count =
        request->quick ? sizeof QUICK_SIZES / sizeof *QUICK_SIZES : sizeof USUAL_SIZES / sizeof *USUAL_SIZES;
    scaling_result results[MOST_SIZES];
    plan *p = new_array(1, sizeof *p);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    TRY(play(sizes, count, request, p, &answers, error));
    for (int s = 0; s < count; s++) {
        results[s] = (scaling_result){.n = sizes[s]};
        collect(p, answers, &results[s]);
    }
    scaling_results everything = {request, results, count};
    TRY(scaling_report(&everything, error));
done:
    free(answers);
    free(p);
    return status;
}

const lab_experiment lab_scaling = {.name = "scaling",
                                    .purpose =
                                        "time a trial against n; the paper's table in days of its method",
                                    .timed = true,
                                    .run = run};
