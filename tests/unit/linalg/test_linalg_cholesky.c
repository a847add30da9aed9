/* SPDX-License-Identifier: MIT
 * Cholesky factors and inverses to the bit against plain loops, the factor of a part of a matrix,
 * bad pivots at each place, solutions, and the norm of the inverse. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "linalg/cholesky.h"
#include "support/dice.h"

/* NaN stands past the columns and above the diagonal: it must not be read. */
enum { GAP = 5, MOST = 300 };

static double *allocate(int64_t count)
{
    double *numbers = aligned_alloc(64, (size_t)weft__padded(count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    return numbers;
}

static double *work_for(int64_t n, int64_t columns)
{
    return allocate(weft__cholesky_work(n, columns));
}

/* A well conditioned matrix: n I and a symmetric one with normal entries. */
static weft__triangle draw(dice *d, int64_t n)
{
    int64_t stride = n + GAP;
    weft__triangle a = {n, allocate(n * stride), stride, NULL};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < stride; j++)
            a.at[i * stride + j] = j > i ? NAN : dice_normal(d) + (i == j ? 2 * sqrt((double)n) + 4 : 0);
    return a;
}

static weft__triangle copy(weft__triangle a, int64_t n, int64_t stride)
{
    weft__triangle b = {n, allocate(n * stride), stride, NULL};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < stride; j++)
            b.at[i * stride + j] = j > i ? NAN : a.at[i * a.stride + j];
    return b;
}

static int64_t factor(weft__triangle a, double floor)
{
    double *work = work_for(a.n, 1);
    int64_t bad = weft__cholesky_factor(a, floor, work);
    free(work);
    return bad;
}

/* l_ij = (a_ij - sum_k l_ik l_jk) / l_jj */
static void factor_plainly(weft__triangle a)
{
    for (int64_t j = 0; j < a.n; j++)
        for (int64_t i = j; i < a.n; i++) {
            double *row = a.at + i * a.stride, *other = a.at + j * a.stride;
            for (int64_t k = 0; k < j; k++)
                row[j] -= row[k] * other[k];
            row[j] = i == j ? sqrt(row[j]) : row[j] / other[j];
        }
}

/* Column by column: w = L^-1 e_j, then the products of the columns. */
static void invert_plainly(weft__triangle l)
{
    int64_t n = l.n;
    double *w = allocate(n * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = i == j ? 1 : 0;
            for (int64_t k = j; k < i; k++)
                sum -= l.at[i * l.stride + k] * w[k * n + j];
            w[i * n + j] = sum / l.at[i * l.stride + i];
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = i; k < n; k++)
                sum += w[k * n + i] * w[k * n + j];
            l.at[i * l.stride + j] = sum;
        }
    free(w);
}

static void assert_same(weft__triangle found, weft__triangle expected, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double f = found.at[i * found.stride + j], e = expected.at[i * expected.stride + j];
            if (j > i ? !isnan(f) : f != e)
                fail_msg("n = %lld: element (%lld, %lld) is %.17g, expected %.17g", (long long)found.n,
                         (long long)i, (long long)j, f, j > i ? NAN : e);
        }
}

static const int64_t sizes[] = {0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 97, 129, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void factors_and_inverses_are_those_of_plain_loops(void **state)
{
    dice d = {1};
    for (int s = 0; s < SIZES; s++) {
        weft__triangle a = draw(&d, sizes[s]), b = copy(a, a.n, a.n + 1);
        double *work = work_for(a.n, 1);
        assert_int_equal(factor(a, 0), -1);
        factor_plainly(b);
        assert_same(a, b, a.n);
        weft__cholesky_invert(a, work);
        invert_plainly(b);
        assert_same(a, b, a.n);
        free(work);
        free(a.at);
        free(b.at);
    }
}

static void a_part_has_a_part_of_the_factor(void **state)
{
    dice d = {2};
    weft__triangle whole = draw(&d, MOST);
    for (int s = 0; s < SIZES; s++) {
        weft__triangle part = copy(whole, sizes[s], sizes[s]), all = copy(whole, MOST, MOST);
        assert_int_equal(factor(part, 0), -1);
        assert_int_equal(factor(all, 0), -1);
        assert_same(part, all, part.n);
        free(part.at);
        free(all.at);
    }
    free(whole.at);
}

/* What makes pivot k bad, in turn: it is below the floor, no number, or follows from a NaN to its left. */
static void the_first_bad_pivot_is_named(void **state)
{
    enum { SIZE = 70, FAULTS = 3 };
    dice d = {3};
    weft__triangle good = draw(&d, SIZE);
    for (int64_t k = 0; k < SIZE; k++)
        for (int fault = 0; fault < FAULTS; fault++) {
            weft__triangle a = copy(good, SIZE, SIZE);
            a.at[k * SIZE + (fault < 2 ? k : k / 2)] = fault == 0 ? -1 : NAN;
            assert_int_equal(factor(a, 0), k);
            free(a.at);
        }
    free(good.at);
}

/* Row k is row 0 and a little beside on the diagonal: pivot k is that little. */
static void pivots_must_exceed_the_floor(void **state)
{
    enum { SIZE = 40, PLACE = 36 };
    for (int above = 0; above < 2; above++) {
        weft__triangle a = {SIZE, allocate(SIZE * SIZE), SIZE, NULL};
        for (int64_t i = 0; i < SIZE * SIZE; i++)
            a.at[i] = i % (SIZE + 1) == 0 ? 1 : 0;
        a.at[PLACE * SIZE] = 1;
        a.at[PLACE * SIZE + PLACE] = 1.25;
        assert_int_equal(factor(a, above ? 0.25 : 0.125), above ? PLACE : -1);
        free(a.at);
    }
}

static double entry(weft__triangle a, int64_t i, int64_t j)
{
    return i >= j ? a.at[i * a.stride + j] : a.at[j * a.stride + i];
}

/* |b - Ax| is rounding alone, for X in rows and in columns. */
static void solutions_solve(void **state)
{
    dice d = {4};
    for (int s = 0; s < SIZES; s++)
        for (int64_t columns = 0; columns <= 18; columns += 6)
            for (int in_rows = 0; in_rows < 2; in_rows++) {
                int64_t n = sizes[s];
                weft__triangle a = draw(&d, n), l = copy(a, n, n);
                double *b = allocate(n * columns), *x = allocate(n * columns), *work = work_for(n, columns);
                weft__panel panel = {x, n, columns, in_rows ? columns : 1, in_rows ? 1 : n};
                for (int64_t i = 0; i < n * columns; i++)
                    b[i] = x[i] = dice_normal(&d);
                assert_int_equal(weft__cholesky_factor(l, 0, work), -1);
                weft__cholesky_solve(l, panel, work);
                for (int64_t i = 0; i < n; i++)
                    for (int64_t c = 0; c < columns; c++) {
                        int64_t at = i * panel.down + c * panel.across;
                        long double left = b[at];
                        for (int64_t j = 0; j < n; j++)
                            left -= (long double)entry(a, i, j) * x[j * panel.down + c * panel.across];
                        assert_near((double)left, 0, 1e-12);
                    }
                free(work);
                free(x);
                free(b);
                free(l.at);
                free(a.at);
            }
}

static double largest_sum(weft__triangle a)
{
    double norm = 0;
    for (int64_t i = 0; i < a.n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < a.n; j++)
            sum += fabs(entry(a, i, j));
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Against the inverse itself; rows and columns are scaled over three decades. */
static void the_norm_of_the_inverse_is_estimated_from_below(void **state)
{
    enum { WIDEST = 130 };
    dice d = {5};
    double vectors[2 * WIDEST];
    assert_true(weft__cholesky_inverse_norm((weft__triangle){0, vectors, 0, NULL}, vectors, NULL) == 0);
    for (int64_t n = 1; n <= WIDEST; n += 3) {
        weft__triangle a = draw(&d, n);
        double *work = work_for(n, 1);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                a.at[i * a.stride + j] *= pow(10, -(double)(i % 7 + j % 7) / 2);
        assert_int_equal(weft__cholesky_factor(a, 0, work), -1);
        double estimate = weft__cholesky_inverse_norm(a, vectors, work);
        weft__cholesky_invert(a, work);
        double norm = largest_sum(a);
        assert_true(estimate <= norm * (1 + 1e-9) && estimate >= norm / 3);
        free(work);
        free(a.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_and_inverses_are_those_of_plain_loops),
        cmocka_unit_test(a_part_has_a_part_of_the_factor),
        cmocka_unit_test(the_first_bad_pivot_is_named),
        cmocka_unit_test(pivots_must_exceed_the_floor),
        cmocka_unit_test(solutions_solve),
        cmocka_unit_test(the_norm_of_the_inverse_is_estimated_from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
