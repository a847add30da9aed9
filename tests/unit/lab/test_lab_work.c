/* SPDX-License-Identifier: MIT
 * Runs side by side: answers do not depend on jobs, order or interruptions, no run is
 * made twice, and a run that fails is reported. */
#define _DEFAULT_SOURCE /* mkdtemp, syscall */
#include "unit/test_core_support.h"

#include "lab/runs/work.h"
#include "program/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[32];
static char path[64];

/* In memory where that can be: bringing a line to a disk takes milliseconds. */
static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "/dev/shm/weft-work-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        snprintf(folder, sizeof folder, "/tmp/weft-work-XXXXXX");
        if (mkdtemp(folder) == NULL)
            return 1;
    }
    snprintf(path, sizeof path, "%s/sample.journal", folder);
    return 0;
}

static int remove_folder(void **state)
{
    unlink(path);
    return rmdir(folder);
}

/* ---- A disk that is full for a moment ---- */

/* How many more bytes there is room for; once a write has failed, for any number again. */
static atomic_long room = LONG_MAX;
static atomic_bool torn;

ssize_t write(int file, const void *bytes, size_t size)
{
    long left = atomic_load(&room);
    if (left == 0) {
        atomic_store(&room, LONG_MAX);
        atomic_store(&torn, true);
        errno = ENOSPC;
        return -1;
    }
    if (left == LONG_MAX)
        return syscall(SYS_write, file, bytes, size);
    ssize_t written = syscall(SYS_write, file, bytes, size < (size_t)left ? size : (size_t)left);
    atomic_fetch_sub(&room, written > 0 ? written : 0);
    return written;
}

/* ---- Work that remembers that it was done ---- */

enum { TASKS = 12, ANSWERS = 3 };

typedef enum mood { WELL, FAILS, INFINITE, NOT_A_NUMBER, INTERRUPTED, KILLED, OUTLASTS } mood;

typedef struct run {
    int number;
    mood mood;
} run;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls[TASKS], sequence[TASKS], called, at_once, most_at_once;
static bool expects_company; /* the first run waits, for a while, until it is not alone */

static void forget_calls(void)
{
    memset(calls, 0, sizeof calls);
    called = at_once = most_at_once = 0;
}

static void expected_answer(int number, double answer[ANSWERS])
{
    answer[0] = number / 3.0;
    answer[1] = -1e-200 * number;
    answer[2] = number;
}

static bool is_alone(void)
{
    pthread_mutex_lock(&lock);
    bool alone = most_at_once < 2;
    pthread_mutex_unlock(&lock);
    return alone;
}

static weft_status sample(const void *given, double *answer, weft_error *error)
{
    const run *own = given;
    pthread_mutex_lock(&lock);
    calls[own->number]++;
    if (called < TASKS)
        sequence[called] = own->number;
    called++;
    at_once++;
    most_at_once = at_once > most_at_once ? at_once : most_at_once;
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    for (int k = 0; k < 5000 && expects_company && is_alone(); k++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    pthread_mutex_lock(&lock);
    at_once--;
    pthread_mutex_unlock(&lock);
    expected_answer(own->number, answer);
    switch (own->mood) {
    case FAILS:
        error->status = WEFT_INPUT;
        snprintf(error->message, sizeof error->message, "run %d has no luck", own->number);
        return WEFT_INPUT;
    case INFINITE:
        answer[1] = INFINITY;
        break;
    case NOT_A_NUMBER:
        answer[2] = NAN;
        break;
    case INTERRUPTED:
        raise(SIGINT);
        break;
    case KILLED:
        raise(SIGKILL);
        break;
    case OUTLASTS:
        for (int k = 0; k < 10000 && !atomic_load(&torn); k++)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        break;
    case WELL:
        break;
    }
    return WEFT_OK;
}

typedef struct bench {
    run runs[TASKS];
    lab_task tasks[TASKS];
    lab_plan plan;
    lab_request request;
} bench;

/* `count` runs whose costs are in no order; the costliest is number 6. */
static bench *set_up(int count, int jobs)
{
    static bench made;
    made = (bench){.plan = {.name = "sample", .version = 1, .work = sample, .answers = ANSWERS},
                   .request = {.out = folder, .jobs = jobs, .quiet = true}};
    made.plan.tasks = made.tasks;
    made.plan.count = count;
    for (int k = 0; k < count; k++) {
        made.runs[k].number = k;
        made.tasks[k] = (lab_task){.given = &made.runs[k], .cost = 1 + (k * 5 + 5) % 12};
        snprintf(made.tasks[k].key, sizeof made.tasks[k].key, "seed=1 run=%d", k);
    }
    forget_calls();
    return &made;
}

static void perform(const bench *on)
{
    double *answers = NULL;
    weft_error error = {0};
    assert_int_equal(lab_work_perform(&on->plan, &on->request, &answers, &error), WEFT_OK);
    for (int k = 0; k < on->plan.count; k++) {
        double expected[ANSWERS];
        expected_answer(k, expected);
        assert_memory_equal(answers + (ptrdiff_t)k * ANSWERS, expected, sizeof expected);
    }
    free(answers);
}

static void assert_calls(int first, int last, int times)
{
    for (int k = first; k < last; k++)
        assert_int_equal(calls[k], times);
}

/* ---- Answers ---- */

static void answers_do_not_depend_on_jobs(void **state)
{
    for (int jobs = 1; jobs <= 4; jobs++) {
        unlink(path);
        expects_company = jobs > 1;
        perform(set_up(TASKS, jobs));
        expects_company = false;
        assert_calls(0, TASKS, 1);
        assert_true(most_at_once <= jobs);
        if (jobs > 1)
            assert_true(most_at_once > 1);
    }
}

static void the_costliest_goes_first(void **state)
{
    unlink(path);
    bench *on = set_up(TASKS, 1);
    perform(on);
    for (int k = 1; k < TASKS; k++)
        assert_true(on->tasks[sequence[k - 1]].cost >= on->tasks[sequence[k]].cost);
}

static void what_is_known_is_not_done_again(void **state)
{
    unlink(path);
    perform(set_up(5, 2));
    perform(set_up(5, 2));
    assert_int_equal(called, 0);
    /* More tasks only add to what is there. */
    perform(set_up(TASKS, 3));
    assert_calls(0, 5, 0);
    assert_calls(5, TASKS, 1);
    perform(set_up(3, 1));
    assert_int_equal(called, 0);
}

static void nothing_to_do_is_done(void **state)
{
    double *answers = NULL;
    weft_error error = {0};
    bench *on = set_up(0, 2);
    unlink(path);
    assert_int_equal(lab_work_perform(&on->plan, &on->request, &answers, &error), WEFT_OK);
    free(answers);
}

/* ---- Failures ---- */

static void assert_perform_fails(const bench *on, weft_status expected, const char *words)
{
    double *answers = NULL;
    weft_error error = {0};
    assert_fails(lab_work_perform(&on->plan, &on->request, &answers, &error), expected, words);
    assert_null(answers);
}

/* The costliest fails: what was under way then is finished and kept, nothing new is begun. */
static void a_failing_run_is_reported(void **state)
{
    const struct {
        mood mood;
        weft_status status;
        const char *words;
    } kinds[] = {{FAILS, WEFT_INPUT, "run 6 has no luck"},
                 {INFINITE, WEFT_INTERNAL, "seed=1 run=6"},
                 {NOT_A_NUMBER, WEFT_INTERNAL, "seed=1 run=6"}};
    for (int k = 0; k < 3; k++)
        for (int jobs = 1; jobs <= 3; jobs++) {
            unlink(path);
            bench *on = set_up(TASKS, jobs);
            on->runs[6].mood = kinds[k].mood;
            assert_perform_fails(on, kinds[k].status, kinds[k].words);
            int before[TASKS];
            /* Alone it is the first and the last; beside others it is begun first, but who comes to
             * its work first is up to the machine. */
            assert_true(jobs > 1 || (called == 1 && sequence[0] == 6));
            assert_int_equal(calls[6], 1);
            memcpy(before, calls, sizeof before);
            /* It goes on with what is missing, the failed one included. */
            perform(set_up(TASKS, jobs));
            for (int t = 0; t < TASKS; t++)
                assert_int_equal(calls[t], t == 6 ? 1 : 1 - before[t]);
        }
}

static void damage_and_places_are_reported(void **state)
{
    unlink(path);
    perform(set_up(2, 1));
    bench *on = set_up(2, 1);
    on->plan.version = 2;
    assert_perform_fails(on, WEFT_MODEL, path);
    assert_int_equal(called, 0);
    FILE *out = fopen(path, "a");
    assert_non_null(out);
    fputs("seed=1 run=2\t1\t2\t3\t0000000000000000\n", out);
    fclose(out);
    assert_perform_fails(set_up(2, 1), WEFT_MODEL, ":4:");
    on = set_up(2, 1);
    on->request.out = "/dev/null/nowhere";
    assert_perform_fails(on, WEFT_WRITE, "/dev/null");
    assert_int_equal(called, 0);
}

/* There is no room for a line, then there is for that of a run that was under way meanwhile: half
 * a line must not stay before it. */
static void a_full_disk_does_no_damage(void **state)
{
    static const long places[] = {20, 1, 50, 0};
    for (int k = 0; k < 4; k++) {
        unlink(path);
        perform(set_up(1, 1));
        bench *on = set_up(TASKS, 2);
        on->runs[6].mood = OUTLASTS;
        atomic_store(&torn, false);
        atomic_store(&room, places[k]);
        assert_perform_fails(on, WEFT_WRITE, strerror(ENOSPC));
        assert_true(atomic_load(&torn));
        /* The first is known, of the others none was written. */
        perform(set_up(TASKS, 2));
        assert_calls(0, 1, 0);
        assert_calls(1, TASKS, 1);
    }
}

/* ---- Interruptions ---- */

/* Performs in a child; its exit status, or minus the signal that ended it. */
static int perform_apart(const bench *on)
{
    pid_t child = fork();
    if (child == 0) {
        double *answers = NULL;
        weft_error error = {0};
        interrupt_watch();
        weft_status status = lab_work_perform(&on->plan, &on->request, &answers, &error);
        bool stopped = status == WEFT_INTERRUPTED && strcmp(error.message, "interrupted") == 0;
        _exit(stopped && answers == NULL ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int count_lines(void)
{
    int lines = 0, c;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while ((c = getc(in)) != EOF)
        lines += c == '\n';
    fclose(in);
    return lines;
}

/* Costs fall from 12 to 1; the fifth run that is begun asks to stop, or kills the program.  Then one
 * line is the heading, and the others are what need not be done again. */
static void interruptions_lose_nothing(void **state)
{
    for (int kill = 0; kill < 2; kill++)
        for (int jobs = 1; jobs <= 3; jobs++) {
            int stopper = 0;
            unlink(path);
            bench *on = set_up(TASKS, jobs);
            while (on->tasks[stopper].cost != 8)
                stopper++;
            on->runs[stopper].mood = kill == 1 ? KILLED : INTERRUPTED;
            int ended = perform_apart(on), kept = count_lines() - 1;
            /* Killed: what was under way is lost; interrupted: it is finished.  Until the fifth gets
             * round to it the other workers go on, on a busy machine perhaps to the end. */
            assert_true(ended == (kill == 1 ? -SIGKILL : 0) || (kill == 0 && kept == TASKS));
            assert_true(kept >= (kill == 1 ? 5 - jobs : 5) && kept <= TASKS - kill);
            assert_true(jobs > 1 || kept == 5 - kill);
            perform(set_up(TASKS, jobs));
            assert_int_equal(called, TASKS - kept);
            assert_true(calls[stopper] == kill);
            for (int k = 0; k < TASKS; k++)
                assert_true(calls[k] <= 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_jobs),   cmocka_unit_test(the_costliest_goes_first),
        cmocka_unit_test(what_is_known_is_not_done_again), cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(a_failing_run_is_reported),       cmocka_unit_test(damage_and_places_are_reported),
        cmocka_unit_test(a_full_disk_does_no_damage),      cmocka_unit_test(interruptions_lose_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
