/* SPDX-License-Identifier: MIT
 * Products of matrices to the bit against three plain loops, for sizes around the edges of tiles and
 * blocks, both triangles, any strides, and nothing touched that is no part of C. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "linalg/multiply.h"
#include "support/dice.h"

/* Numbers past the rows of a matrix, which must not be read. */
enum { GAP = 3 };

typedef struct layout {
    int64_t rows, columns, depth;
    bool a_turned, b_turned, lower;
    double scale;
} layout;

static double *allocate(int64_t count)
{
    double *numbers = aligned_alloc(64, (size_t)weft__padded(count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    return numbers;
}

/* A rows x columns matrix of normal numbers, or its transpose in storage, with NaN between the rows. */
static weft__operand draw(dice *d, int64_t rows, int64_t columns, bool turned)
{
    int64_t lines = turned ? columns : rows, length = turned ? rows : columns, stride = length + GAP;
    double *at = allocate(lines * stride);
    for (int64_t i = 0; i < lines * stride; i++)
        at[i] = i % stride < length ? dice_normal(d) : NAN;
    return turned ? (weft__operand){at, 1, stride} : (weft__operand){at, stride, 1};
}

static double element(weft__operand x, int64_t i, int64_t j)
{
    return x.at[i * x.down + j * x.across];
}

static void multiply_plainly(const weft__product *p, double *c, int64_t stride)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            for (int64_t k = 0; k < p->depth && (j <= i || !p->lower); k++)
                c[i * stride + j] += p->scale * element(p->a, i, k) * element(p->b, k, j);
}

static void check(dice *d, layout of)
{
    int64_t stride = of.columns + GAP, size = of.rows * stride;
    weft__product p = {.rows = of.rows,
                       .columns = of.columns,
                       .depth = of.depth,
                       .a = draw(d, of.rows, of.depth, of.a_turned),
                       .b = draw(d, of.depth, of.columns, of.b_turned),
                       .scale = of.scale,
                       .lower = of.lower};
    double *c = allocate(size), *expected = allocate(size);
    double *work = allocate(weft__multiply_work(of.rows, of.columns, of.depth));
    for (int64_t i = 0; i < size; i++)
        c[i] = expected[i] = dice_normal(d);
    multiply_plainly(&p, expected, stride);
    weft__multiply(&p, c, stride, work);
    for (int64_t i = 0; i < size; i++)
        if (c[i] != expected[i])
            fail_msg("%lld x %lld x %lld, lower %d: element (%lld, %lld) is %.17g, expected %.17g",
                     (long long)of.rows, (long long)of.columns, (long long)of.depth, of.lower,
                     (long long)(i / stride), (long long)(i % stride), c[i], expected[i]);
    free(work);
    free(expected);
    free(c);
    free((double *)p.a.at);
    free((double *)p.b.at);
}

static void small_products_are_those_of_plain_loops(void **state)
{
    const int64_t sizes[] = {0, 1, 3, 4, 5, 7, 8, 9, 17};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    dice d = {1};
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SIZES; j++)
            for (int k = 0; k < SIZES; k++)
                for (int turns = 0; turns < 8; turns++)
                    check(&d, (layout){sizes[i], sizes[j], sizes[k], turns & 1, turns & 2, turns & 4,
                                       turns & 1 ? -1 : 1.25});
}

/* Blocks have 128 rows, 1024 columns, and a depth of 256. */
static void products_of_several_blocks_are_those_of_plain_loops(void **state)
{
    dice d = {2};
    check(&d, (layout){129, 13, 513, false, true, false, -1});
    check(&d, (layout){128, 16, 256, true, false, false, 1});
    check(&d, (layout){5, 1031, 257, false, false, false, -1});
    check(&d, (layout){270, 270, 30, false, true, true, -1});
    check(&d, (layout){1100, 1100, 9, true, false, true, 1});
    check(&d, (layout){140, 1040, 3, false, true, true, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_products_are_those_of_plain_loops),
        cmocka_unit_test(products_of_several_blocks_are_those_of_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
