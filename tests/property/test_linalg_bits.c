/* SPDX-License-Identifier: MIT
 * What must not change a bit of a factor, an inverse or an eigenvector: where a matrix stands in memory, how
 * far its rows are apart, what stands around it, and how many threads work at the same time. */
#include "../unit/test_core_support.h"

#include <pthread.h>

#include "base/vector.h"
#include "linalg/cholesky.h"
#include "linalg/lanczos.h"
#include "support/dice.h"

enum { ROUNDS = 60, MOST = 140, WANTED = 3, THREADS = 4 };

/* The lower triangle of a definite matrix that `seed` draws, from `at` on; what is around it stays. */
static weft__triangle draw(uint64_t seed, int64_t n, double *at, int64_t stride)
{
    dice d = {seed};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            at[i * stride + j] = dice_normal(&d) + (i == j ? 2 * sqrt((double)n) + 4 : 0);
    return (weft__triangle){n, at, stride, NULL};
}

static void fill(dice *d, int64_t count, double *numbers)
{
    for (int64_t i = 0; i < count; i++)
        numbers[i] = dice_chance(d, 0.5) ? NAN : 1e300 * dice_normal(d);
}

static double *allocate(int64_t count)
{
    double *numbers = aligned_alloc(64, (size_t)weft__padded(count) * sizeof *numbers);
    assert_non_null(numbers);
    return numbers;
}

static void invert(weft__triangle a)
{
    double *work = allocate(weft__cholesky_work(a.n, 1) + 1);
    assert_int_equal(weft__cholesky_factor(a, 0, work), -1);
    weft__cholesky_invert(a, work);
    free(work);
}

static void place_and_surroundings_change_no_bit(void **state)
{
    dice d = {1};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        int64_t n = 1 + dice_below(&d, MOST), stride = n + dice_below(&d, 40), shift = dice_below(&d, 9);
        double *tight = allocate(n * n), *loose = allocate(n * stride + shift);
        fill(&d, n * stride + shift, loose);
        weft__triangle a = draw(round, n, tight, n), b = draw(round, n, loose + shift, stride);
        invert(a);
        invert(b);
        for (int64_t i = 0; i < n; i++)
            assert_memory_equal(a.at + i * a.stride, b.at + i * b.stride, (size_t)(i + 1) * sizeof *a.at);
        free(loose);
        free(tight);
    }
}

/* ---- Threads ---- */

typedef struct task {
    double inverse[MOST * MOST];
    double values[WANTED];
    double *vectors;
} task;

/* Chords of a ring: eigenvalues are double. */
static void multiply(void *context, const double *x, double *y)
{
    int64_t n = *(const int64_t *)context;
    for (int64_t i = 0; i < n; i++)
        y[i] = 9 * x[i] + x[(i + 1) % n] + x[(i + n - 1) % n] + (x[(i + 5) % n] + x[(i + n - 5) % n]) / 3;
}

static void *work_on(void *context)
{
    task *t = context;
    int64_t n = MOST;
    weft_memory memory = weft__memory_or_default(NULL);
    weft__lanczos_end end = {0};
    weft__lanczos problem = {.n = n,
                             .wanted = WANTED,
                             .basis = 20,
                             .multiply = multiply,
                             .context = &n,
                             .tolerance = 1e-10,
                             .restarts = 300};
    for (int64_t i = 0; i < MOST * MOST; i++)
        t->inverse[i] = 0;
    invert(draw(5, n, t->inverse, n));
    bool well = weft__lanczos_largest(&memory, &problem, t->values, t->vectors, &end, NULL) == WEFT_OK;
    return well && end.found == WANTED ? t : NULL;
}

static void threads_change_no_bit(void **state)
{
    static task tasks[THREADS + 1];
    pthread_t threads[THREADS];
    size_t bytes = (size_t)(WANTED * weft__padded(MOST)) * sizeof(double);
    for (int k = 0; k <= THREADS; k++)
        tasks[k].vectors = allocate(WANTED * weft__padded(MOST));
    assert_non_null(work_on(&tasks[THREADS]));
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, work_on, &tasks[k]), 0);
    for (int k = 0; k < THREADS; k++) {
        void *done = NULL;
        assert_int_equal(pthread_join(threads[k], &done), 0);
        assert_non_null(done);
        assert_memory_equal(tasks[k].inverse, tasks[THREADS].inverse, sizeof tasks[k].inverse);
        assert_memory_equal(tasks[k].values, tasks[THREADS].values, sizeof tasks[k].values);
        assert_memory_equal(tasks[k].vectors, tasks[THREADS].vectors, bytes);
    }
    for (int k = 0; k <= THREADS; k++)
        free(tasks[k].vectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(place_and_surroundings_change_no_bit),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
