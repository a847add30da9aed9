/* SPDX-License-Identifier: MIT
 * The symmetric eigenproblem: matrices of every character, judged by Jacobi's method and by what a
 * decomposition must be. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "support/alloc.h"
#include "support/dice.h"
#include "support/eigen_checks.h"

enum { MOST = 70 };

typedef double (*maker)(dice *d, int64_t n, int64_t i, int64_t j);

static double make_random(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)n, (void)i, (void)j;
    return dice_normal(d);
}

static double make_zero(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)d, (void)n, (void)i, (void)j;
    return 0;
}

static double make_rank_one(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)d, (void)n;
    return (double)((i + 1) * (j + 1));
}

static double make_diagonal(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)n;
    return i == j ? (double)dice_below(d, 4) - 1.5 : 0;
}

static double make_falling(dice *d, int64_t n, int64_t i, int64_t j)
{
    return dice_normal(d) * exp(-60 * (double)(i + j) / (double)n);
}

static double make_rising(dice *d, int64_t n, int64_t i, int64_t j)
{
    return dice_normal(d) * exp(-60 * (double)(2 * n - i - j) / (double)n);
}

static double make_huge(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)n, (void)i, (void)j;
    return dice_between(d, -1e306, 1e306);
}

static double make_tiny(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)n, (void)i, (void)j;
    return dice_between(d, -1e-300, 1e-300);
}

/* The Laplacian of a ring: all eigenvalues but one or two come twice. */
static double make_ring(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)d;
    int64_t apart = j - i;
    return i == j ? 2 : apart == 1 || apart == n - 1 ? -1 : 0;
}

/* Equal blocks of ones: eigenvalues 0 and 5 many times. */
static double make_cliques(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)d, (void)n;
    return i / 5 == j / 5;
}

/* Squares of the entries beside the diagonal underflow. */
static double make_nearly_diagonal(dice *d, int64_t n, int64_t i, int64_t j)
{
    (void)n;
    return i == j ? 1 : dice_between(d, -1e-160, 1e-160);
}

static void fill(maker make, int64_t n, double *a)
{
    dice d = {(uint64_t)n};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = j < i ? NAN : make(&d, n, i, j);
}

/* In units of n eps |A|.  Random matrices of 64 to 1,000 have at most 0.3 of it. */
static void check(maker make, int64_t n)
{
    static double a[MOST * MOST];
    fill(make, n, a);
    eigen_errors e = eigen_measure(n, a, n <= 40);
    if (e.residual > 4 || e.orthogonal > 4 || e.value > 4)
        fail_msg("%lld: residual %Lg, orthogonality %Lg, values %Lg of n eps", (long long)n, e.residual,
                 e.orthogonal, e.value);
}

static void matrices_of_every_character(void **state)
{
    static const maker makers[] = {make_random,  make_zero,    make_rank_one,       make_diagonal,
                                   make_falling, make_rising,  make_huge,           make_tiny,
                                   make_ring,    make_cliques, make_nearly_diagonal};
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 40, 64, MOST};
    for (size_t m = 0; m < sizeof makers / sizeof *makers; m++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            check(makers[m], sizes[k]);
}

/* Rows may be longer than n; what is past n, and below the diagonal, is neither read nor written. */
static void rows_may_be_longer(void **state)
{
    enum { N = 21, STRIDE = 24 };
    double a[N * N], wide[N * STRIDE], values[2][N];
    weft_memory memory = weft__memory_or_default(NULL);
    fill(make_random, N, a);
    for (int64_t k = 0; k < N * STRIDE; k++)
        wide[k] = NAN;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = i; j < N; j++)
            wide[i * STRIDE + j] = a[i * N + j];
    assert_int_equal(weft__eigen_symmetric(&memory, (weft__symmetric){N, a, N, NULL}, values[0], true, NULL),
                     WEFT_OK);
    assert_int_equal(
        weft__eigen_symmetric(&memory, (weft__symmetric){N, wide, STRIDE, NULL}, values[1], true, NULL),
        WEFT_OK);
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    for (int64_t i = 0; i < N; i++) {
        assert_memory_equal(a + i * N, wide + i * STRIDE, N * sizeof *a);
        for (int64_t j = N; j < STRIDE; j++)
            assert_true(isnan(wide[i * STRIDE + j]));
    }
}

/* The caller's room gives what an allocation gives, whatever was in it. */
static void room_of_the_caller(void **state)
{
    enum { N = 37 };
    int64_t padded = weft__padded(N), room_size = weft__eigen_room(N, true);
    double a[N * N], values[2][N], *b = NULL, *room = NULL;
    weft_memory memory = weft__memory_or_default(NULL);
    fill(make_random, N, a);
    assert_int_equal(weft__new(&memory, padded * padded, sizeof *b, &b, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, room_size, sizeof *room, &room, NULL), WEFT_OK);
    for (int64_t k = 0; k < room_size; k++)
        room[k] = NAN;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = i; j < N; j++)
            b[i * padded + j] = a[i * N + j];
    assert_true(weft__eigen_solve(N, b, values[1], true, room, NULL));
    assert_int_equal(weft__eigen_symmetric(&memory, (weft__symmetric){N, a, N, NULL}, values[0], true, NULL),
                     WEFT_OK);
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    for (int64_t i = 0; i < N; i++) {
        assert_memory_equal(a + i * N, b + i * padded, N * sizeof *a);
        for (int64_t j = N; j < padded; j++)
            assert_true(b[i * padded + j] == 0);
    }
    weft__delete(&memory, b);
    weft__delete(&memory, room);
}

static void what_is_not_finite_is_refused(void **state)
{
    enum { N = 5 };
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    double a[N * N], before[N * N], values[N] = {7, 7, 7, 7, 7};
    weft_memory memory = weft__memory_or_default(NULL);
    weft_error error = {0};
    for (size_t k = 0; k < 3; k++)
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = i; j < N; j++) {
                fill(make_random, N, a);
                a[i * N + j] = bad[k];
                memcpy(before, a, sizeof a);
                assert_fails(
                    weft__eigen_symmetric(&memory, (weft__symmetric){N, a, N, NULL}, values, true, &error),
                    WEFT_INPUT, "finite");
                assert_memory_equal(before, a, sizeof a);
                assert_true(values[0] == 7 && values[N - 1] == 7);
            }
}

static void every_allocation_may_fail(void **state)
{
    enum { N = 9 };
    double a[N * N], before[N * N], values[N] = {0};
    int64_t refused = 0;
    for (weft_status status = WEFT_MEMORY; status != WEFT_OK; refused++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, refused);
        weft_error error = {0};
        fill(make_random, N, a);
        memcpy(before, a, sizeof a);
        status = weft__eigen_symmetric(&memory, (weft__symmetric){N, a, N, NULL}, values, true, &error);
        if (status != WEFT_OK) {
            assert_int_equal(status, WEFT_MEMORY);
            assert_memory_equal(before, a, sizeof a);
            assert_true(values[0] == 0);
        }
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    assert_int_equal(refused, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_of_every_character), cmocka_unit_test(rows_may_be_longer),
        cmocka_unit_test(room_of_the_caller),          cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
