/* SPDX-License-Identifier: MIT
 * Every task once, all done when the job is, and products that do not know how many did them. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_core_support.h"

#include "base/thread_pool.h"
#include "side/learnt/strips.h"
#include "support/alloc.h"
#include "support/dice.h"

#include <dirent.h>
#include <time.h>

enum { MOST_TASKS = 200 };

/* Of this process; -1 where the system does not tell. */
static int64_t count_threads(void)
{
    int64_t count = -1;
    DIR *folder = opendir("/proc/self/task");
    for (; folder != NULL && readdir(folder) != NULL; count++)
        ;
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* Whether there are `expected` of them, soon: a thread that was joined leaves the list a moment later. */
static bool comes_to(int64_t expected)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int k = 0; k < 5000 && count_threads() != expected; k++)
        nanosleep(&pause, NULL);
    return count_threads() == expected;
}

typedef struct tally {
    int64_t factor;
    int64_t done[MOST_TASKS]; /* each task has its own */
} tally;

static void count_task(void *self, int64_t k)
{
    tally *t = self;
    t->done[k] += t->factor * (k + 1);
}

static void every_task_is_done_once(void **state)
{
    int64_t before = count_threads();
    for (int threads = 1; threads <= 6; threads++) {
        weft__thread_pool *pool = NULL;
        tally t = {0};
        if (threads > 1)
            assert_int_equal(weft__thread_pool_create(threads, NULL, &pool, NULL), WEFT_OK);
        /* Jobs of all sizes, one after the other. */
        int64_t expected[MOST_TASKS] = {0};
        for (int64_t count = 0; count <= MOST_TASKS; count += 1 + count / 3) {
            t.factor = count + 1;
            weft__thread_pool_run(pool, count, count_task, &t);
            for (int64_t k = 0; k < count; k++)
                expected[k] += (count + 1) * (k + 1);
            assert_memory_equal(t.done, expected, sizeof expected);
        }
        assert_true(comes_to(before < 0 ? before : before + threads - 1));
        weft__thread_pool_free(pool);
    }
}

static void a_crew_that_never_worked_leaves(void **state)
{
    weft__thread_pool *pool = NULL;
    assert_int_equal(weft__thread_pool_create(4, NULL, &pool, NULL), WEFT_OK);
    weft__thread_pool_free(pool);
    weft__thread_pool_free(NULL);
}

static void refused_memory_leaks_nothing(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft__thread_pool *pool = NULL;
    for (int64_t fail_at = 0;; fail_at++) {
        test_alloc_arm(&alloc, fail_at);
        weft_status status = weft__thread_pool_create(3, &memory, &pool, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (status == WEFT_OK)
            break;
        assert_null(pool);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    weft__thread_pool_free(pool);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* ---- Products in strips ---- */

typedef struct problem {
    int64_t n;
    double *a, *x, *y, *partial;
    float *a_single, *x_single, *y_single;
} problem;

static problem make_problem(int64_t n)
{
    weft_memory memory = weft__memory_or_default(NULL);
    problem p = {.n = n};
    dice d = {8};
    assert_int_equal(weft__new(&memory, n * n, sizeof *p.a, &p.a, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, n * n, sizeof *p.a_single, &p.a_single, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, n, sizeof *p.x, &p.x, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, n, sizeof *p.y, &p.y, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, n, sizeof *p.x_single, &p.x_single, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, n, sizeof *p.y_single, &p.y_single, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, weft__strips_room(n), sizeof *p.partial, &p.partial, NULL), WEFT_OK);
    for (int64_t i = 0; i < n; i++) {
        p.x[i] = dice_normal(&d);
        p.x_single[i] = (float)p.x[i];
        for (int64_t j = 0; j <= i; j++) {
            p.a[i * n + j] = p.a[j * n + i] = 1 / (1 + (double)((i * 31 + j * 31) % 101) + (double)(i - j));
            p.a_single[i * n + j] = p.a_single[j * n + i] = (float)p.a[i * n + j];
        }
    }
    return p;
}

static void free_problem(problem *p)
{
    weft_memory memory = weft__memory_or_default(NULL);
    void *owned[] = {p->a, p->x, p->y, p->partial, p->a_single, p->x_single, p->y_single};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&memory, owned[k]);
}

static void multiply(problem *p, weft__thread_pool *pool)
{
    int64_t n = p->n;
    weft__strips_double(pool, (weft__block_double){p->a, n, n, n}, p->x, p->y, p->partial);
    weft__strips_single(pool, (weft__block_single){p->a_single, n, n, n}, p->x_single, p->y_single,
                        (float *)(void *)p->partial);
}

static void check_against_rows(const problem *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        double sum = 0, size = 0;
        for (int64_t j = 0; j < p->n; j++) {
            sum += p->a[i * p->n + j] * p->x[j];
            size += fabs(p->a[i * p->n + j] * p->x[j]);
        }
        assert_near(p->y[i], sum, 1e-13 * size);
        assert_near((double)p->y_single[i], sum, 1e-5 * size);
    }
}

static void strips_are_the_product(void **state)
{
    static const int64_t sizes[] = {16, 2032, 2048, 2064, 2400};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        problem p = make_problem(sizes[s]);
        assert_true((weft__strips_room(p.n) > 0) == (p.n >= 2048));
        multiply(&p, NULL);
        check_against_rows(&p);
        free_problem(&p);
    }
}

static void strips_do_not_know_their_threads(void **state)
{
    problem alone = make_problem(2064), p = make_problem(2064);
    multiply(&alone, NULL);
    for (int threads = 2; threads <= 4; threads++) {
        weft__thread_pool *pool = NULL;
        assert_int_equal(weft__thread_pool_create(threads, NULL, &pool, NULL), WEFT_OK);
        for (int turn = 0; turn < 3; turn++) {
            multiply(&p, pool);
            assert_memory_equal(p.y, alone.y, (size_t)p.n * sizeof *p.y);
            assert_memory_equal(p.y_single, alone.y_single, (size_t)p.n * sizeof *p.y_single);
        }
        weft__thread_pool_free(pool);
    }
    free_problem(&alone);
    free_problem(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),          cmocka_unit_test(a_crew_that_never_worked_leaves),
        cmocka_unit_test(refused_memory_leaks_nothing),     cmocka_unit_test(strips_are_the_product),
        cmocka_unit_test(strips_do_not_know_their_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
