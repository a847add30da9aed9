/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/side_checks.h"

#include "side/side.h"
#include "support/alloc.h"
#include "support/dice.h"

#include <float.h>

static void assert_same(double a, double b)
{
    if (!(a == b))
        fail_msg("%.17g is not %.17g", a, b);
}

static void assert_entries(const weft_side *side, const double *expected, double tolerance)
{
    int64_t n = weft_side_count(side);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double entry = weft_side_entry(side, i, j);
            if (!(fabs(entry - expected[i * n + j]) <= tolerance))
                fail_msg("K(%d,%d) = %.17g, expected %.17g", (int)i, (int)j, entry, expected[i * n + j]);
            assert_same(entry, weft_side_entry(side, j, i));
        }
        assert_same(side->ops->diagonal(side, i), weft_side_entry(side, i, i));
        assert_true(side->ops->diagonal(side, i) <= weft_side_radius(side));
    }
}

/* A random list of distinct ids; answers its length. */
static int64_t draw_ids(dice *d, int64_t n, int64_t *ids)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (dice_chance(d, 0.7))
            ids[count++] = i;
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = dice_below(d, k + 1), keep = ids[k];
        ids[k] = ids[other];
        ids[other] = keep;
    }
    return count;
}

/* What an entry may be wrong by where K is not known entry by entry. */
static double blur_of(const weft_side *side)
{
    return 8 * DBL_EPSILON * side->blur * weft_side_radius(side);
}

static double *new_work(const weft_side *side)
{
    double *work = malloc((size_t)(weft__side_work(side) + 1) * sizeof *work);
    for (int64_t k = 0; k <= weft__side_work(side); k++)
        work[k] = NAN;
    return work;
}

static void assert_columns(const weft_side *side, const int64_t *ids, int64_t count, double *out)
{
    double *work = new_work(side);
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        side->ops->column(side, i, ids, count, out, work);
        for (int64_t k = 0; k < count; k++) {
            double entry = weft_side_entry(side, ids[k], i);
            if (side->blur == 0 || ids[k] == i)
                assert_same(out[k], entry);
            else
                assert_true(fabs(out[k] - entry) <= blur_of(side));
        }
    }
    free(work);
}

static void assert_product(const weft_side *side, dice *d, const int64_t *ids, int64_t count)
{
    enum { LIMIT = 512 };
    double x[LIMIT], y[LIMIT], *work = new_work(side);
    for (int64_t k = 0; k < LIMIT; k++) {
        x[k] = dice_normal(d);
        y[k] = NAN;
    }
    double rounding = side->ops->product(side, ids, count, x, y, work);
    bool by_vectors = side->ops->absolute != NULL;
    assert_true(side->blur > 0 || by_vectors ? rounding >= 0 : rounding == 0);
    for (int64_t k = 0; k < count; k++) {
        double sum = 0, size = 0;
        for (int64_t l = 0; l < count; l++) {
            sum += (weft_side_entry(side, ids[k], ids[l]) - side->constant) * x[l];
            double entry = fabs(weft_side_entry(side, ids[k], ids[l]));
            /* Sums of coordinates are right beside the vectors, not beside their inner product. */
            if (by_vectors)
                entry = sqrt(weft_side_entry(side, ids[k], ids[k]) * weft_side_entry(side, ids[l], ids[l]));
            size += fabs(x[l]) * (entry * 1e-13 + blur_of(side));
        }
        assert_true(fabs(y[k] - sum) <= size);
    }
    free(work);
}

void assert_kernel(const weft_side *side, const double *expected, double tolerance)
{
    dice d = {17};
    int64_t n = weft_side_count(side);
    int64_t *ids = malloc((size_t)(n + 1) * sizeof *ids);
    double *out = malloc((size_t)(n + 1) * sizeof *out);
    assert_true(n <= 500);
    assert_entries(side, expected, tolerance);
    for (int round = 0; round < 3; round++) {
        int64_t count = draw_ids(&d, n, ids);
        assert_columns(side, ids, count, out);
        if (side->ops->product != NULL)
            assert_product(side, &d, ids, count);
    }
    assert_true(weft_side_entry(side, -1, 0) == 0 && weft_side_entry(side, 0, -1) == 0);
    assert_true(weft_side_entry(side, n, 0) == 0 && weft_side_entry(side, 0, n) == 0);
    free(out);
    free(ids);
}

double *side_kernel(const weft_side *side)
{
    int64_t n = weft_side_count(side);
    double *kernel = malloc((size_t)(n * n + 1) * sizeof *kernel);
    for (int64_t k = 0; k < n * n; k++)
        kernel[k] = weft_side_entry(side, k / n, k % n);
    return kernel;
}

void assert_failure(const weft_error *error, weft_status status, int64_t i, int64_t j, const char *words)
{
    assert_string_equal(weft_status_name(error->status), weft_status_name(status));
    if (strstr(error->message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error->message, words);
    assert_int_equal(error->at[0], i);
    assert_int_equal(error->at[1], j);
}

void assert_maker_survives(side_maker *make, int64_t least)
{
    for (int64_t k = 0;; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_side_options options = {.memory = &memory};
        weft_error error = {0};
        weft_side mark, *side = &mark;
        weft_status status = make(&options, &side, &error);
        if (!alloc.failed) {
            assert_int_equal(status, WEFT_OK);
            assert_true(k >= least);
            weft_side_free(side);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            return;
        }
        assert_int_equal(status, WEFT_MEMORY);
        assert_int_equal(error.status, WEFT_MEMORY);
        assert_ptr_equal(side, &mark);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

/* Appends with allocation 0, 1, ... refused until it succeeds. */
static void append_stubbornly(weft_side *side, test_alloc *alloc, const weft_item *item)
{
    for (int64_t k = 0;; k++) {
        int64_t count = weft_side_count(side);
        double *before = side_kernel(side);
        test_alloc_arm(alloc, k);
        weft_status status = weft_side_append(side, item, NULL);
        assert_int_equal(status, alloc->failed ? WEFT_MEMORY : WEFT_OK);
        assert_int_equal(weft_side_count(side), count + (alloc->failed ? 0 : 1));
        for (int64_t e = 0; e < count * count; e++)
            assert_same(weft_side_entry(side, e / count, e % count), before[e]);
        free(before);
        if (!alloc->failed)
            return;
    }
}

void assert_append_survives(side_maker *make, const weft_item *items, int64_t count)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_side_options options = {.memory = &memory};
    weft_side *side = NULL;
    assert_int_equal(make(&options, &side, NULL), WEFT_OK);
    for (int64_t k = 0; k < count; k++)
        append_stubbornly(side, &alloc, &items[k]);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}
