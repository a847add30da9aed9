/* SPDX-License-Identifier: MIT
 * Vectors and their three kernels against the formulas of the paper. */
#include "support/test.h"

#include "support/dice.h"
#include "support/side_checks.h"

#include <float.h>

enum { LIMIT = 24, DIMENSIONS = 11 };

static double naive_value(const weft_features *f, const double *x, const double *t)
{
    long double sum = 0, product = 1, p = f->parameter;
    bool same = true;
    for (int64_t k = 0; k < f->dimension; k++) {
        long double a = x[k], b = t[k], low = fminl(a, b);
        sum += f->kernel == WEFT_LINEAR ? a * b : (a - b) * (a - b);
        product *= (p - 1) * low / (2 * p) + (p + 1) / 2;
        same = same && a == b;
    }
    switch (f->kernel) {
    case WEFT_LINEAR:
        return (double)(sum + (same ? p : 0));
    case WEFT_GAUSSIAN:
        return (double)expl(-sum / (2 * p * p));
    case WEFT_MIN:
        break;
    }
    return (double)product;
}

/* The side must be that of all f->count vectors; `alone` is an id or -1. */
static void assert_formula(const weft_side *side, const weft_features *f, int64_t alone)
{
    double expected[LIMIT * LIMIT];
    int64_t n = f->count;
    assert_int_equal(weft_side_count(side), n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            expected[i * n + j] = i == alone || j == alone ? (i == j ? weft_side_radius(side) : 0)
                                                           : naive_value(f, f->values + i * f->dimension,
                                                                         f->values + j * f->dimension);
    assert_kernel(side, expected, 1e-14 * weft_side_radius(side));
}

static void draw_vectors(dice *d, int64_t count, double low, double high, double *values)
{
    for (int64_t k = 0; k < count; k++)
        values[k] = dice_between(d, low, high);
}

static const struct {
    weft_kernel kernel;
    double parameter;
} kernels[] = {
    {WEFT_LINEAR, 0},     {WEFT_LINEAR, 0.3}, {WEFT_LINEAR, 1e200}, {WEFT_GAUSSIAN, 1}, {WEFT_GAUSSIAN, 1e-3},
    {WEFT_GAUSSIAN, 1e3}, {WEFT_MIN, 2},      {WEFT_MIN, 3.7},      {WEFT_MIN, 1e20},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Every kernel and dimension 1 to 11; the last two vectors are the same. */
static void every_kernel_follows_its_formula(void **state)
{
    double values[LIMIT * DIMENSIONS];
    dice d = {41};
    for (int k = 0; k < KERNELS; k++) {
        for (int64_t dimension = 1; dimension <= DIMENSIONS; dimension++) {
            weft_side *side = NULL;
            draw_vectors(&d, LIMIT * dimension, -2, 2, values);
            for (int64_t c = 0; c < dimension; c++)
                values[(LIMIT - 1) * dimension + c] = values[(LIMIT - 2) * dimension + c];
            weft_features f = {LIMIT, dimension, values, kernels[k].kernel, kernels[k].parameter};
            assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
            assert_string_equal(weft_side_kind(side), "features");
            assert_formula(side, &f, -1);
            weft_side_free(side);
        }
    }
}

static void equal_vectors_share_epsilon(void **state)
{
    weft_side *side = NULL;
    const double values[] = {1, 0.0, 1, -0.0, 1, 1e-300};
    weft_features f = {3, 2, values, WEFT_LINEAR, 0.5};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1.5, 1.5, 1, 1.5, 1.5, 1, 1, 1, 1.5}, 0);
    weft_side_free(side);
}

static void gaussian_values_survive_extremes(void **state)
{
    const double far[] = {DBL_MAX, -DBL_MAX}, near[] = {0, DBL_TRUE_MIN};
    const double widths[] = {1e-300, 1, 1e300};
    for (size_t k = 0; k < 3; k++) {
        weft_side *side = NULL;
        weft_features f = {2, 1, far, WEFT_GAUSSIAN, widths[k]};
        assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
        assert_kernel(side, (double[]){1, 0, 0, 1}, 0);
        weft_side_free(side);
        f.values = near;
        assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
        assert_kernel(side, (double[]){1, 1, 1, 1}, 1e-15);
        weft_side_free(side);
    }
    weft_side *side = NULL;
    weft_features f = {2, 1, far, WEFT_GAUSSIAN, DBL_MAX};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    assert_true(fabs(weft_side_entry(side, 0, 1) - exp(-2)) < 1e-15);
    weft_side_free(side);
}

static void the_radius_is_the_largest_diagonal_or_the_supremum(void **state)
{
    weft_side *side = NULL;
    weft_side_options inductive = {.inductive = true};
    const double values[] = {0, 0, 0.5, -1};
    weft_features f = {2, 2, values, WEFT_MIN, 3};
    weft_error error = {0};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 4);
    weft_side_free(side);
    assert_int_equal(weft_side_from_features(&f, &inductive, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 9);
    weft_side_free(side);
    f.kernel = WEFT_GAUSSIAN;
    assert_int_equal(weft_side_from_features(&f, &inductive, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 1);
    weft_side_free(side);
    side = NULL;
    f.kernel = WEFT_LINEAR;
    assert_int_equal(weft_side_from_features(&f, &inductive, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "give its radius");
    assert_null(side);
}

/* s(r) must round to r and no further, whatever r is. */
static void corners_of_the_box_stay_below_the_supremum(void **state)
{
    dice d = {43};
    for (int k = 0; k < 1000; k++) {
        double r = dice_log_between(&d, 2, 1e6), values[] = {r, r, r, -r, -r, -r};
        weft_side *side = NULL;
        weft_side_options inductive = {.inductive = true};
        weft_features f = {2, 3, values, WEFT_MIN, r};
        assert_int_equal(weft_side_from_features(&f, &inductive, &side, NULL), WEFT_OK);
        assert_true(weft_side_entry(side, 0, 0) <= weft_side_radius(side));
        assert_true(weft_side_entry(side, 0, 0) >= weft_side_radius(side) * (1 - 1e-14));
        assert_true(weft_side_entry(side, 0, 1) == 1);
        weft_side_free(side);
    }
}

static void assert_refused(const weft_features *features, const weft_side_options *options, weft_error *error)
{
    weft_side *side = NULL;
    assert_int_not_equal(weft_side_from_features(features, options, &side, error), WEFT_OK);
    assert_null(side);
}

static void wrong_parameters_are_refused(void **state)
{
    const struct {
        weft_kernel kernel;
        double parameter;
        const char *words;
    } wrong[] = {
        {WEFT_LINEAR, -1, "epsilon is -1"},       {WEFT_LINEAR, NAN, "epsilon is"},
        {WEFT_LINEAR, INFINITY, "epsilon is"},    {WEFT_GAUSSIAN, 0, "width is 0"},
        {WEFT_GAUSSIAN, -2, "width is -2"},       {WEFT_GAUSSIAN, INFINITY, "width is inf"},
        {WEFT_MIN, 1.9, "range is 1.9"},          {WEFT_MIN, NAN, "range is"},
        {(weft_kernel)7, 1, "7 is not a kernel"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_error error = {0};
        weft_features f = {1, 1, (double[]){1}, wrong[k].kernel, wrong[k].parameter};
        assert_refused(&f, NULL, &error);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, wrong[k].words);
    }
}

static void wrong_vectors_are_named(void **state)
{
    weft_error error = {0};
    weft_features f = {2, 2, (double[]){1, 2, 3, NAN}, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "coordinate 1 of id 1 is nan");
    f = (weft_features){2, 2, (double[]){1, 2, -2.5, 0}, WEFT_MIN, 2};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 0, "coordinate 0 of id 1 is -2.5; the min kernel expects -2 to 2");
    f = (weft_features){2, 2, (double[]){0, 0, 0, 0}, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "zero for all 2 ids");
    f = (weft_features){2, 1, (double[]){1, 1e200}, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "is not finite");
    f = (weft_features){2, 1, (double[]){1, 3}, WEFT_LINEAR, 0};
    assert_refused(&f, &(weft_side_options){.radius = 8}, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "K(1,1) = 9 is above the squared radius 8");
    f = (weft_features){2, 0, (double[]){1, 3}, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "dimension is 0");
    f = (weft_features){2, 1, NULL, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "features->values is NULL");
    f = (weft_features){-2, 1, NULL, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "number of ids is -2");
    f = (weft_features){INT64_MAX / 2, 1000, (double[]){1}, WEFT_LINEAR, 0};
    assert_refused(&f, NULL, &error);
    assert_failure(&error, WEFT_MEMORY, -1, -1, "does not fit");
    /* r^d is beyond all numbers. */
    static double corner[2000];
    for (int k = 0; k < 2000; k++)
        corner[k] = -2;
    f = (weft_features){1, 2000, corner, WEFT_MIN, 2};
    assert_refused(&f, &(weft_side_options){.inductive = true}, &error);
    assert_failure(&error, WEFT_INPUT, 0, 0, "squared radius is inf");
}

static void a_zero_vector_among_others_is_allowed(void **state)
{
    weft_side *side = NULL;
    weft_features f = {2, 2, (double[]){0, 0, 3, 4}, WEFT_LINEAR, 0};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0, 0, 0, 25}, 0);
    weft_side_free(side);
}

static void appended_vectors_are_as_if_listed(void **state)
{
    enum { D = 3, START = 4, ALONE = 9 };
    double values[LIMIT * D];
    dice d = {47};
    for (int k = 0; k < KERNELS; k++) {
        weft_side *side = NULL;
        draw_vectors(&d, LIMIT * D, -2, 2, values);
        weft_features f = {START, D, values, kernels[k].kernel, kernels[k].parameter};
        weft_side_options options = {.radius = kernels[k].kernel == WEFT_LINEAR ? 1e201 : 0,
                                     .inductive = true};
        assert_int_equal(weft_side_from_features(&f, &options, &side, NULL), WEFT_OK);
        for (int i = START; i < LIMIT; i++) {
            weft_item item = {.alone = i == ALONE, .values = values + i * D, .length = D};
            assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
        }
        f.count = LIMIT;
        assert_formula(side, &f, ALONE);
        weft_side_free(side);
    }
}

static void a_side_may_start_empty(void **state)
{
    weft_side *side = NULL;
    weft_side_options inductive = {.inductive = true};
    weft_features f = {0, 2, NULL, WEFT_GAUSSIAN, 1};
    assert_int_equal(weft_side_from_features(&f, &inductive, &side, NULL), WEFT_OK);
    weft_item item = {.values = (double[]){3, 4}, .length = 2};
    assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1}, 0);
    weft_side_free(side);
}

static void wrong_new_vectors_change_nothing(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_features f = {2, 2, (double[]){3, 4, 0, 1}, WEFT_LINEAR, 0};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    weft_item item = {.values = (double[]){3, 5}, .length = 2};
    assert_int_equal(weft_side_append(side, &item, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 2, 2, "fixed when the side information is made; give a larger radius");
    item.length = 3;
    assert_int_equal(weft_side_append(side, &item, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "has 3 features; expected 2");
    item = (weft_item){.values = (double[]){INFINITY, 5}, .length = 2};
    assert_int_equal(weft_side_append(side, &item, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 2, 0, "number 0 of id 2 is inf");
    assert_kernel(side, (double[]){25, 4, 4, 1}, 0);
    weft_side_free(side);
    f = (weft_features){1, 1, (double[]){2}, WEFT_MIN, 2};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    item = (weft_item){.values = (double[]){2.5}, .length = 1};
    assert_int_equal(weft_side_append(side, &item, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 1, 0, "the min kernel expects -2 to 2");
    weft_side_free(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_features f = {2, 2, (double[]){3, 4, 0, 1}, WEFT_LINEAR, 0.5};
    return weft_side_from_features(&f, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    enum { ITEMS = 40 };
    const double values[] = {1, 2};
    weft_item items[ITEMS];
    for (int k = 0; k < ITEMS; k++)
        items[k] = (weft_item){.alone = k % 3 == 0, .values = values, .length = 2};
    assert_maker_survives(make, 2);
    assert_append_survives(make, items, ITEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_follows_its_formula),
        cmocka_unit_test(equal_vectors_share_epsilon),
        cmocka_unit_test(gaussian_values_survive_extremes),
        cmocka_unit_test(the_radius_is_the_largest_diagonal_or_the_supremum),
        cmocka_unit_test(corners_of_the_box_stay_below_the_supremum),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(wrong_vectors_are_named),
        cmocka_unit_test(a_zero_vector_among_others_is_allowed),
        cmocka_unit_test(appended_vectors_are_as_if_listed),
        cmocka_unit_test(a_side_may_start_empty),
        cmocka_unit_test(wrong_new_vectors_change_nothing),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
