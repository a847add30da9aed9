/* SPDX-License-Identifier: MIT
 * The inner loops against plain sums in extended precision, with whole numbers
 * to the bit, and without a look past the columns. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "support/dice.h"

enum { MOST = 96, STRIDE = MOST + 16 };

typedef struct arrays {
    _Alignas(64) double x[MOST], y[MOST], d[MOST], out[MOST], more[MOST];
    _Alignas(64) float xs[MOST], zs[MOST], us[MOST], vs[MOST];
    _Alignas(64) float single[MOST * STRIDE];
    _Alignas(64) double full[MOST * STRIDE];
} arrays;

/* `content` numbers, zeros up to n; whole ones are exact however they are added. */
static void fill(dice *d, bool whole, int64_t content, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = i >= content ? 0 : whole ? (double)(dice_below(d, 41) - 20) : dice_normal(d);
}

static void fill_blocks(dice *d, bool whole, int64_t n, arrays *a)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < STRIDE; j++) {
            double value = whole ? (double)(dice_below(d, 9) - 4) : (double)(float)dice_normal(d);
            /* What lies past the columns must not be read. */
            a->full[i * STRIDE + j] = j < n ? value : NAN;
            a->single[i * STRIDE + j] = (float)a->full[i * STRIDE + j];
        }
}

static void lengths_are_padded(void **state)
{
    assert_int_equal(weft__padded(0), 0);
    for (int64_t n = 1; n < 100; n++) {
        int64_t padded = weft__padded(n);
        assert_true(padded >= n && padded < n + WEFT__LANES && padded % WEFT__LANES == 0);
    }
}

static void check_sums(const arrays *a, int64_t n, double tolerance)
{
    long double sum = 0, dot = 0, square = 0, fourth = 0, largest = 0, distance = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a->x[i];
        fourth += (long double)a->d[i] * a->x[i] * a->x[i] * a->x[i] * a->x[i];
        dot += (long double)a->x[i] * a->y[i];
        distance += ((long double)a->x[i] - a->y[i]) * ((long double)a->x[i] - a->y[i]);
        square += (long double)a->d[i] * a->x[i] * a->x[i];
        largest = fmaxl(largest, fabsl(a->x[i]));
    }
    assert_near(weft__sum(n, a->x), (double)sum, tolerance);
    assert_near(weft__dot(n, a->x, a->y), (double)dot, tolerance);
    assert_near(weft__distance(n, a->x, a->y), (double)distance, 4 * tolerance);
    assert_near(weft__weighted_fourth(n, a->d, a->x), (double)fourth, 10 * tolerance);
    assert_near(weft__weighted_square(n, a->d, a->x), (double)square, tolerance);
    assert_true(weft__largest(n, a->x) == (double)largest);
}

static void sums_are_right(void **state)
{
    static arrays a;
    dice d = {1};
    for (int64_t content = 0; content <= MOST; content++)
        for (int whole = 0; whole < 2; whole++) {
            int64_t n = weft__padded(content);
            fill(&d, whole, content, n, a.x);
            fill(&d, whole, content, n, a.y);
            fill(&d, whole, content, n, a.d);
            check_sums(&a, n, whole ? 0 : 1e-12);
        }
}

static void elements_are_right(void **state)
{
    static arrays a;
    dice d = {2};
    for (int64_t n = 0; n <= MOST; n += WEFT__LANES) {
        fill(&d, false, n, n, a.x);
        fill(&d, false, n, n, a.y);
        memcpy(a.out, a.y, sizeof a.y);
        weft__add(n, -1.25, a.x, a.out);
        weft__scale_vector(n, 0.75, a.x, a.more);
        for (int64_t i = 0; i < n; i++) {
            double product = -1.25 * a.x[i];
            assert_true(a.out[i] == a.y[i] + product);
            assert_true(a.more[i] == 0.75 * a.x[i]);
        }
    }
}

static void a_magnitude_is_a_power_of_two(void **state)
{
    _Alignas(64) double x[WEFT__LANES] = {0};
    static const struct {
        double largest, unit;
    } cases[] = {{0, 1},
                 {1, 1},
                 {1.9, 1},
                 {2, 2},
                 {-3, 2},
                 {0.75, 0.5},
                 {1e-310, 0x1p-1000},
                 {1e308, 0x1p1000},
                 {0x1p-1000, 0x1p-1000},
                 {5e-324, 0x1p-1000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        x[11] = cases[k].largest;
        x[3] = cases[k].largest / 4;
        assert_true(weft__magnitude(WEFT__LANES, x) == cases[k].unit);
    }
    x[11] = NAN;
    assert_true(weft__magnitude(WEFT__LANES, x) > 0);
}

static void check_products(arrays *a, int64_t n, bool whole)
{
    double exact = whole ? 0 : 1e-12, rough = whole ? 0 : 1e-4;
    weft__multiply_symmetric_double((weft__block_double){a->full, n, n, STRIDE}, a->x, a->out);
    weft__multiply_symmetric_single((weft__block_single){a->single, n, n, STRIDE}, a->xs, a->us);
    for (int64_t i = 0; i < n; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < n; j++)
            /* What is below the diagonal is not read, outside the blocks on it. */
            sum += (long double)a->full[i / 16 <= j / 16 ? i * STRIDE + j : j * STRIDE + i] * a->x[j];
        assert_near(a->out[i], (double)sum, exact);
        assert_near((double)a->us[i], (double)sum, rough);
    }
}

/* u = G x, v = start + G'z */
static void check_couples(arrays *a, int64_t n, bool whole)
{
    _Alignas(64) double u[MOST], v[MOST];
    double exact = whole ? 0 : 1e-12, rough = whole ? 0 : 1e-4;
    for (int64_t j = 0; j < n; j++) {
        v[j] = (double)j;
        a->vs[j] = (float)j;
    }
    weft__couple_double((weft__block_single){a->single, n, n, STRIDE}, a->x, a->y, u, v);
    weft__couple_single((weft__block_single){a->single, n, n, STRIDE}, a->xs, a->zs, a->us, a->vs);
    for (int64_t i = 0; i < n; i++) {
        long double row = 0, column = i;
        for (int64_t j = 0; j < n; j++) {
            row += (long double)a->full[i * STRIDE + j] * a->x[j];
            column += (long double)a->full[j * STRIDE + i] * a->y[j];
        }
        assert_near(u[i], (double)row, exact);
        assert_near(v[i], (double)column, exact);
        assert_near((double)a->us[i], (double)row, rough);
        assert_near((double)a->vs[i], (double)column, rough);
    }
}

static void blocks_are_multiplied(void **state)
{
    static arrays a;
    dice d = {3};
    for (int64_t n = WEFT__LANES; n <= MOST; n += WEFT__LANES)
        for (int whole = 0; whole < 2; whole++) {
            fill(&d, whole, n - 3, n, a.x);
            fill(&d, whole, n - 5, n, a.y);
            fill_blocks(&d, whole, n, &a);
            for (int64_t i = 0; i < n; i++) {
                a.xs[i] = (float)a.x[i];
                a.zs[i] = (float)a.y[i];
            }
            check_products(&a, n, whole);
            check_couples(&a, n, whole);
        }
}

/* Sixteen partial sums, folded 8, 4, 2, 1: the order that every build keeps. */
static void the_order_of_summation_is_fixed(void **state)
{
    static arrays a;
    dice d = {4};
    fill(&d, false, MOST, MOST, a.x);
    fill(&d, false, MOST, MOST, a.y);
    double s[WEFT__LANES] = {0};
    for (int i = 0; i < MOST; i++) {
        volatile double product = a.x[i] * a.y[i];
        s[i % WEFT__LANES] += product;
    }
    for (int width = 8; width > 2; width /= 2)
        for (int l = 0; l < width; l++)
            s[l] += s[l + width];
    double expected = (s[0] + s[2]) + (s[1] + s[3]);
    assert_true(weft__dot(MOST, a.x, a.y) == expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_padded),    cmocka_unit_test(sums_are_right),
        cmocka_unit_test(elements_are_right),    cmocka_unit_test(a_magnitude_is_a_power_of_two),
        cmocka_unit_test(blocks_are_multiplied), cmocka_unit_test(the_order_of_summation_is_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
