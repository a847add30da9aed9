/* SPDX-License-Identifier: MIT
 * K = M^-1: the product of both is the identity, at every scale. */
#include "support/test.h"

#include "support/dice.h"
#include "support/side_checks.h"

#include <float.h>

enum { LIMIT = 40 };

/* M_ij = s_i s_j (X X' / n + I)_ij, with scales s_i a power of ten each. */
static void draw_definite(dice *d, int64_t n, double low, double high, double *matrix)
{
    double x[LIMIT * LIMIT], scale[LIMIT];
    for (int64_t k = 0; k < n * n; k++)
        x[k] = dice_normal(d);
    for (int64_t i = 0; i < n; i++)
        scale[i] = dice_log_between(d, low, high);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double sum = i == j;
            for (int64_t k = 0; k < n; k++)
                sum += x[i * n + k] * x[j * n + k] / (double)n;
            matrix[i * n + j] = sum * scale[i] * scale[j];
        }
    }
}

static void assert_inverse(const weft_side *side, const double *matrix)
{
    int64_t n = weft_side_count(side);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double sum = 0, size = 0;
            for (int64_t k = 0; k < n; k++) {
                double term = matrix[i * n + k] * weft_side_entry(side, k, j);
                sum += term;
                size += fabs(term);
            }
            assert_true(fabs(sum - (i == j)) <= 1e-13 * (size + (i == j)));
        }
    }
}

static void matrix_times_kernel_is_the_identity(void **state)
{
    const double scales[][2] = {{1, 1}, {1e-150, 1e-150}, {1e150, 1e150}, {1e-100, 1e100}};
    double matrix[LIMIT * LIMIT];
    dice d = {21};
    for (int64_t n = 1; n <= LIMIT; n += 13) {
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            weft_side *side = NULL;
            draw_definite(&d, n, scales[s][0], scales[s][1], matrix);
            assert_int_equal(weft_side_from_matrix(n, matrix, NULL, &side, NULL), WEFT_OK);
            assert_string_equal(weft_side_kind(side), "matrix");
            assert_inverse(side, matrix);
            double *kernel = side_kernel(side);
            assert_kernel(side, kernel, 0);
            free(kernel);
            weft_side_free(side);
        }
    }
}

static void diagonal_matrices_of_any_scale(void **state)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_matrix(2, (double[]){4, 0, 0, 0.0625}, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0.25, 0, 0, 16}, 0);
    assert_true(weft_side_radius(side) == 16);
    weft_side_free(side);
    assert_int_equal(weft_side_from_matrix(2, (double[]){1e300, 0, 0, 1e-300}, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1e-300, 0, 0, 1e300}, 1e286);
    assert_true(fabs(weft_side_entry(side, 0, 0) - 1e-300) < 1e-315);
    weft_side_free(side);
}

static void assert_refused(int64_t n, const double *matrix, const weft_side_options *options,
                           weft_error *error)
{
    weft_side *side = NULL;
    assert_int_not_equal(weft_side_from_matrix(n, matrix, options, &side, error), WEFT_OK);
    assert_null(side);
}

static void every_flaw_is_named(void **state)
{
    weft_error error = {0};
    assert_refused(2, (double[]){1, 0, 0, -INFINITY}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "M(1,1) = -inf is not finite");
    assert_refused(2, (double[]){1, 0, 0.5, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 1, "M is not symmetric");
    assert_refused(2, (double[]){0, 0, 0, 0}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, -1, -1, "all entries of M are zero");
    assert_refused(3, (double[]){1, 0, 0, 0, 0, 0, 0, 0, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "leading 2 x 2 block is not");
    assert_refused(3, (double[]){1, 0, 0, 0, 1, 2, 0, 2, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 2, 2, "leading 3 x 3 block is not");
    assert_refused(2, (double[]){1, 1, 1, 1}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "not positive definite");
    assert_refused(2, (double[]){1, 1, 1, 1 + DBL_EPSILON}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "to working precision");
    assert_refused(1, (double[]){1e-308}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 0, "scale the kernel");
    assert_refused(1, (double[]){DBL_TRUE_MIN}, NULL, &error);
    assert_failure(&error, WEFT_INPUT, 0, 0, "is not finite");
    assert_refused(2, (double[]){1, 0, 0, 0.5}, &(weft_side_options){.radius = 1.5}, &error);
    assert_failure(&error, WEFT_INPUT, 1, 1, "above the squared radius");
    assert_refused(2, (double[]){1, 0, 0, 0.5}, &(weft_side_options){.inductive = true}, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "give its radius");
    assert_refused(0, NULL, NULL, &error);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "no ids");
}

static void a_new_id_can_only_be_alone(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_side_options options = {.radius = 1};
    assert_int_equal(weft_side_from_matrix(2, (double[]){4, 0, 0, 16}, &options, &side, NULL), WEFT_OK);
    weft_item item = {.values = (double[]){0, 0, 1}, .length = 3};
    assert_int_equal(weft_side_append(side, &item, &error), WEFT_UNSUPPORTED);
    assert_failure(&error, WEFT_UNSUPPORTED, -1, -1, "matrix: the kernel depends on all ids at once");
    assert_kernel(side, (double[]){0.25, 0, 0, 0.0625}, 0);
    item.alone = true;
    assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
    assert_kernel(side, (double[]){0.25, 0, 0, 0, 0.0625, 0, 0, 0, 1}, 0);
    weft_side_free(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft_side_from_matrix(2, (double[]){2, 1, 1, 4}, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    weft_item items[30] = {{0}};
    for (int k = 0; k < 30; k++)
        items[k].alone = true;
    assert_maker_survives(make, 3);
    assert_append_survives(make, items, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_times_kernel_is_the_identity),
        cmocka_unit_test(diagonal_matrices_of_any_scale),
        cmocka_unit_test(every_flaw_is_named),
        cmocka_unit_test(a_new_id_can_only_be_alone),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
