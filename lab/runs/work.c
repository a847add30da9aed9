/* SPDX-License-Identifier: MIT
 *
 * Workers take the costliest task that is left, so that none of them is alone at the
 * end with a long one.  One lock guards what they share; a run never needs it. */
#define _POSIX_C_SOURCE 200809L

#include "lab/runs/work.h"

#include "lab/report/frame.h"
#include "lab/runs/journal.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct workshop {
    const lab_plan *plan;
    lab_journal *journal;
    double *answers;
    int64_t *order; /* tasks to be done, the costliest first */
    int64_t left;   /* how many of them there are */

    pthread_mutex_t lock;
    pthread_cond_t moved; /* a run has ended */
    int64_t next, finished;
    double cost, cost_done; /* of the tasks to be done */
    int running;            /* workers */
    weft_status status;     /* the first failure */
    weft_error error;
} workshop;

/* ---- Workers ---- */

static void note(workshop *shop, weft_status status, const weft_error *error)
{
    if (shop->status != WEFT_OK || status == WEFT_OK)
        return;
    shop->status = status;
    shop->error = *error;
}

/* The next task, or -1. */
static int64_t take(workshop *shop)
{
    bool more = shop->status == WEFT_OK && !interrupt_came() && shop->next < shop->left;
    return more ? shop->order[shop->next++] : -1;
}

static weft_status check_finite(const lab_plan *plan, const char *key, const double *answer,
                                weft_error *error)
{
    for (int a = 0; a < plan->answers; a++)
        if (!isfinite(answer[a]))
            return fail(error, WEFT_INTERNAL, "%s: number %d of the answer is not finite", key, a + 1);
    return WEFT_OK;
}

static void *serve(void *given)
{
    workshop *shop = given;
    const lab_plan *plan = shop->plan;
    double answer[LAB_MOST_VALUES];
    pthread_mutex_lock(&shop->lock);
    for (int64_t k = take(shop); k >= 0; k = take(shop)) {
        const lab_task *task = &plan->tasks[k];
        weft_error error = {0};
        pthread_mutex_unlock(&shop->lock);
        weft_status status = plan->work(task->given, answer, &error);
        if (status == WEFT_OK)
            status = check_finite(plan, task->key, answer, &error);
        pthread_mutex_lock(&shop->lock);
        if (status == WEFT_OK)
            status = lab_journal_add(shop->journal, task->key, answer, &error);
        note(shop, status, &error);
        if (status == WEFT_OK) {
            memcpy(shop->answers + k * plan->answers, answer, (size_t)plan->answers * sizeof *answer);
            shop->finished++;
            shop->cost_done += task->cost;
        }
        pthread_cond_signal(&shop->moved);
    }
    shop->running--;
    pthread_cond_signal(&shop->moved);
    pthread_mutex_unlock(&shop->lock);
    return NULL;
}

/* ---- Progress ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void say_duration(double seconds)
{
    if (seconds < 99.5)
        fprintf(stderr, "%.0f s", seconds);
    else if (seconds < 99.5 * 60)
        fprintf(stderr, "%.0f min", seconds / 60);
    else
        fprintf(stderr, "%.1f h", seconds / 3600);
}

/* On a terminal one line that changes, elsewhere a line now and then. */
static void show_progress(const workshop *shop, double elapsed, bool terminal)
{
    double share = shop->cost > 0 ? shop->cost_done / shop->cost : 1;
    fprintf(stderr, "%s%s: %" PRId64 " of %" PRId64 " runs, %.0f %% of the work, ", terminal ? "\r" : "",
            shop->plan->name, shop->finished + shop->plan->count - shop->left, shop->plan->count,
            100 * share);
    say_duration(elapsed);
    if (share > 0 && share < 1) {
        fputs(", about ", stderr);
        say_duration(elapsed * (1 - share) / share);
        fputs(" left", stderr);
    }
    fputs(terminal ? "   " : "\n", stderr);
}

/* Until every worker has left. */
static void watch(workshop *shop, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    double start = now(), shown = 0, gap = terminal ? 0.5 : 2;
    while (shop->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&shop->moved, &shop->lock, &until);
        double elapsed = now() - start;
        if (quiet || elapsed - shown < gap)
            continue;
        show_progress(shop, elapsed, terminal);
        shown = elapsed;
        gap = terminal ? 0.5 : fmin(2 * gap, 60);
    }
    if (!quiet && shop->left > 0) {
        show_progress(shop, now() - start, terminal);
        if (terminal)
            fputc('\n', stderr);
    }
}

/* ---- The whole ---- */

typedef struct ranked {
    double cost;
    int64_t task;
} ranked;

static int costlier_first(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost > q->cost ? -1 : 1;
    return (p->task > q->task) - (p->task < q->task);
}

/* Fills in what the journal has, and lists what it has not. */
static void consult_journal(workshop *shop)
{
    const lab_plan *plan = shop->plan;
    ranked *left = new_array(plan->count, sizeof *left);
    for (int64_t k = 0; k < plan->count; k++) {
        if (lab_journal_find(shop->journal, plan->tasks[k].key, shop->answers + k * plan->answers))
            continue;
        left[shop->left++] = (ranked){plan->tasks[k].cost, k};
        shop->cost += plan->tasks[k].cost;
    }
    qsort(left, (size_t)shop->left, sizeof *left, costlier_first);
    shop->order = new_array(shop->left, sizeof *shop->order);
    for (int64_t k = 0; k < shop->left; k++)
        shop->order[k] = left[k].task;
    free(left);
}

static weft_status employ(workshop *shop, int jobs, bool quiet, weft_error *error)
{
    pthread_t *workers = new_array(jobs, sizeof *workers);
    int hired = 0;
    pthread_mutex_init(&shop->lock, NULL);
    pthread_cond_init(&shop->moved, NULL);
    pthread_mutex_lock(&shop->lock);
    for (; hired < jobs && hired < shop->left; hired++) {
        if (pthread_create(&workers[hired], NULL, serve, shop) != 0)
            break;
        shop->running++;
    }
    if (hired == 0 && shop->left > 0)
        note(shop, fail(error, WEFT_MEMORY, "no thread can be made"), error);
    watch(shop, quiet);
    pthread_mutex_unlock(&shop->lock);
    for (int k = 0; k < hired; k++)
        pthread_join(workers[k], NULL);
    pthread_cond_destroy(&shop->moved);
    pthread_mutex_destroy(&shop->lock);
    free(workers);
    if (shop->status == WEFT_OK && shop->finished < shop->left)
        return fail(error, WEFT_INTERRUPTED, "interrupted");
    if (shop->status != WEFT_OK)
        *error = shop->error;
    return shop->status;
}

weft_status lab_work_perform(const lab_plan *plan, const lab_request *request, double **answers,
                             weft_error *error)
{
    workshop shop = {.plan = plan};
    lab_journal_owner owner = {.name = plan->name, .version = plan->version, .answers = plan->answers};
    char *path = lab_place_file(request->out, plan->name, ".journal");
    weft_status status = WEFT_OK;
    shop.answers = new_array(plan->count * plan->answers, sizeof *shop.answers);
    TRY(lab_place_make(request->out, error));
    TRY(lab_journal_open(path, &owner, &shop.journal, error));
    consult_journal(&shop);
    TRY(employ(&shop, request->jobs, request->quiet, error));
    *answers = shop.answers;
    shop.answers = NULL;
done:
    lab_journal_close(shop.journal);
    free(shop.answers);
    free(shop.order);
    free(path);
    return status;
}
