/* SPDX-License-Identifier: MIT
 * Kernels given entry by entry: validation, storage, new ids. */
#include "support/test.h"

#include "support/dice.h"
#include "support/side_checks.h"

enum { LIMIT = 40 };

/* K = X X' scale with X n x rank: semidefinite, singular for rank < n. */
static void draw_gram(dice *d, int64_t n, int64_t rank, double scale, double *kernel)
{
    double x[LIMIT * LIMIT];
    for (int64_t k = 0; k < n * rank; k++)
        x[k] = dice_normal(d);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t k = 0; k < rank; k++)
                sum += x[i * rank + k] * x[j * rank + k];
            kernel[i * n + j] = sum * scale;
        }
    }
}

static double largest_diagonal(int64_t n, const double *kernel)
{
    double top = 0;
    for (int64_t i = 0; i < n; i++)
        top = fmax(top, kernel[i * n + i]);
    return top;
}

static void entries_are_as_given_at_every_scale(void **state)
{
    const double scales[] = {1, 1e-300, 1e300, 1e-9};
    double kernel[LIMIT * LIMIT];
    dice d = {5};
    for (int64_t n = 1; n <= 25; n += 6) {
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            weft_side *side = NULL;
            draw_gram(&d, n, 1 + n / 2, scales[s], kernel);
            assert_int_equal(weft_side_from_kernel(n, kernel, NULL, &side, NULL), WEFT_OK);
            assert_string_equal(weft_side_kind(side), "kernel");
            assert_kernel(side, kernel, 0);
            assert_true(weft_side_radius(side) == largest_diagonal(n, kernel));
            weft_side_free(side);
        }
    }
}

static void singular_kernels_are_kernels(void **state)
{
    const double rank_one[] = {1, -2, -2, 4}, zero_row[] = {0, 0, 0, 3}, twins[] = {2, 2, 2, 2};
    const double *all[] = {rank_one, zero_row, twins};
    for (size_t k = 0; k < 3; k++) {
        weft_side *side = NULL;
        assert_int_equal(weft_side_from_kernel(2, all[k], NULL, &side, NULL), WEFT_OK);
        assert_kernel(side, all[k], 0);
        weft_side_free(side);
    }
}

static void a_kernel_within_the_tolerances_is_symmetrised(void **state)
{
    weft_side *side = NULL;
    const double nearly[] = {1, 0.5, 0.5 + 4e-10, 1};
    assert_int_equal(weft_side_from_kernel(2, nearly, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1, 0.5 + 2e-10, 0.5 + 2e-10, 1}, 1e-15);
    weft_side_free(side);
    /* Smallest eigenvalues -8e-11 and -5e-11. */
    assert_int_equal(weft_side_from_kernel(2, (double[]){1, 1 + 8e-11, 1 + 8e-11, 1}, NULL, &side, NULL),
                     WEFT_OK);
    weft_side_free(side);
    assert_int_equal(weft_side_from_kernel(2, (double[]){-5e-11, 0, 0, 1}, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0, 0, 0, 1}, 0);
    weft_side_free(side);
}

static void assert_refused(int64_t n, const double *kernel, const weft_side_options *options,
                           weft_error *error)
{
    weft_side *side = NULL;
    assert_int_not_equal(weft_side_from_kernel(n, kernel, options, &side, error), WEFT_OK);
    assert_null(side);
}

static void every_flaw_is_named(void **state)
{
    weft_error error = {0};
    assert_refused(2, (double[]){1, 0, NAN, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 0, "K(1,0) = nan is not finite");
    assert_refused(2, (double[]){1, INFINITY, 0, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 1, "is not finite");
    assert_refused(3, (double[]){1, 0, .25, 0, 1, 0, .5, 0, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 2, "not symmetric: (0,2) is 0.25 and (2,0) is 0.5");
    assert_refused(2, (double[]){1, 0.5, 0.5 + 2e-9, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 1, "not symmetric");
    assert_refused(2, (double[]){1e308, 1e308, -1e308, 1e308}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 1, "not symmetric");
    assert_refused(2, (double[]){1, 0, 0, -1e-9}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "must not be negative");
    assert_refused(2, (double[]){1, 2, 2, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "smallest eigenvalue is -1,");
    assert_refused(2, (double[]){1e300, 2e300, 2e300, 1e300}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "smallest eigenvalue is -1e+300,");
    assert_refused(2, (double[]){1, 1 + 2e-10, 1 + 2e-10, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "not semidefinite");
    assert_refused(2, (double[]){0, 0, 0, 0}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "all entries of K are zero");
    assert_refused(1, (double[]){1e-320}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 0, "scale the kernel");
    assert_refused(2, NULL, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "kernel is NULL");
    assert_refused(-3, NULL, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "number of ids is -3");
    assert_refused(INT64_MAX / 2, (double[]){1}, NULL, &error);
    assert_failure(&error, WEFT_MEMORY, -1, -1, "does not fit");
}

static void the_radius_is_checked_against_the_diagonal(void **state)
{
    weft_error error = {0};
    assert_refused(2, (double[]){1, 0, 0, 3}, &(weft_side_options){.radius = 2}, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "K(1,1) = 3 is above the squared radius 2");
    assert_refused(2, (double[]){1, 0, 0, 3}, &(weft_side_options){.inductive = true}, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "give its radius");
    weft_side *side = NULL;
    weft_side_options both = {.radius = 7, .inductive = true};
    assert_int_equal(weft_side_from_kernel(1, (double[]){3}, &both, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 7);
    weft_side_free(side);
}

/* The leading block first, then one id at a time, past several enlargements;
 * in between one that is alone. */
static void appended_ids_are_as_if_listed(void **state)
{
    enum { N = 39, START = 2, ALONE = 20 };
    double kernel[N * N], small[START * START];
    dice d = {8};
    weft_side *side = NULL;
    draw_gram(&d, N, 5, 1, kernel);
    weft_side_options options = {.radius = 60};
    for (int k = 0; k < N; k++)
        kernel[ALONE * N + k] = kernel[k * N + ALONE] = k == ALONE ? 60 : 0;
    for (int k = 0; k < START * START; k++)
        small[k] = kernel[k / START * N + k % START];
    assert_int_equal(weft_side_from_kernel(START, small, &options, &side, NULL), WEFT_OK);
    for (int i = START; i < N; i++) {
        weft_item item = {.alone = i == ALONE, .values = kernel + i * N, .length = i + 1};
        assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
    }
    assert_kernel(side, kernel, 0);
    weft_side_free(side);
}

static void a_side_without_ids_takes_its_first(void **state)
{
    weft_side *side = NULL;
    weft_side_options options = {.radius = 4};
    weft_error error = {0};
    assert_refused(0, NULL, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "no ids to take the radius from");
    assert_int_equal(weft_side_from_kernel(0, NULL, &options, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &(weft_item){.values = (double[]){3}, .length = 1}, NULL),
                     WEFT_OK);
    assert_kernel(side, (double[]){3}, 0);
    weft_side_free(side);
}

static void wrong_new_ids_change_nothing(void **state)
{
    const struct {
        double values[3];
        int64_t length;
        weft_status status;
        int64_t at[2];
        const char *words;
    } wrong[] = {
        {{0, 0, 1}, 2, WEFT_ARGUMENT, {-1, -1}, "has 2 kernel values; expected 3"},
        {{0, NAN, 1}, 3, WEFT_INPUT, {2, 1}, "number 1 of id 2 is nan"},
        {{0, 0, -1}, 3, WEFT_INPUT, {2, 2}, "must not be negative"},
        {{0, 0, 4.5}, 3, WEFT_INPUT, {2, 2}, "above the squared radius"},
        {{0, 2.5, 1}, 3, WEFT_INPUT, {2, 1}, "not semidefinite"},
        {{1e-6, 0, 0}, 3, WEFT_INPUT, {2, 0}, "not semidefinite"},
    };
    const double kernel[] = {1, 0.5, 0.5, 4};
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_kernel(2, kernel, NULL, &side, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_item item = {.values = wrong[k].values, .length = wrong[k].length};
        assert_int_equal(weft_side_append(side, &item, &error), wrong[k].status);
        assert_failure(&error, wrong[k].status, wrong[k].at[0], wrong[k].at[1], wrong[k].words);
        assert_kernel(side, kernel, 0);
    }
    assert_int_equal(weft_side_append(side, NULL, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "has 0 kernel values; expected 3");
    weft_side_free(side);
}

/* A large indefinite matrix whose factorisation breaks down late. */
static void a_late_negative_eigenvalue_is_found(void **state)
{
    enum { N = LIMIT };
    double kernel[N * N];
    dice d = {12};
    weft_error error = {0};
    draw_gram(&d, N, N, 1, kernel);
    kernel[N * N - 1] = 1e-3;
    assert_refused(N, kernel, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "not semidefinite");
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    const double kernel[] = {1, 0.5, 0.5, 4};
    return weft_side_from_kernel(2, kernel, options, side, error);
}

/* Semidefinite within the tolerance, but not by Cholesky: the eigenvalues decide. */
static weft_status make_by_eigenvalues(const weft_side_options *options, weft_side **side, weft_error *error)
{
    const double kernel[] = {0, 8e-11, 0, 8e-11, 0, 0, 0, 0, 1};
    return weft_side_from_kernel(3, kernel, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    enum { ITEMS = 40 };
    static double zeros[ITEMS + 2];
    weft_item items[ITEMS] = {{.alone = true}};
    for (int k = 1; k < ITEMS; k++)
        items[k] = (weft_item){.values = zeros, .length = k + 3};
    assert_maker_survives(make, 3);
    assert_maker_survives(make_by_eigenvalues, 5);
    assert_append_survives(make, items, ITEMS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_as_given_at_every_scale),
        cmocka_unit_test(singular_kernels_are_kernels),
        cmocka_unit_test(a_kernel_within_the_tolerances_is_symmetrised),
        cmocka_unit_test(every_flaw_is_named),
        cmocka_unit_test(the_radius_is_checked_against_the_diagonal),
        cmocka_unit_test(appended_ids_are_as_if_listed),
        cmocka_unit_test(a_side_without_ids_takes_its_first),
        cmocka_unit_test(wrong_new_ids_change_nothing),
        cmocka_unit_test(a_late_negative_eigenvalue_is_found),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
