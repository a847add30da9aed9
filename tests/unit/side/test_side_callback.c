/* SPDX-License-Identifier: MIT
 * The user's own kernel function, honest and not. */
#include "support/test.h"

#include "side/side.h"
#include "support/side_checks.h"

/* 2^-|i-j|, but one pair of ids has another value, in one or both orders. */
typedef struct table {
    int64_t i, j;
    double value;
    bool both;
} table;

static double decay(void *user, int64_t i, int64_t j)
{
    const table *t = user;
    if (t != NULL && ((i == t->i && j == t->j) || (t->both && i == t->j && j == t->i)))
        return t->value;
    return ldexp(1, -(int)(i < j ? j - i : i - j));
}

static void entries_come_from_the_function(void **state)
{
    enum { N = 12 };
    double expected[N * N];
    weft_side *side = NULL;
    for (int k = 0; k < N * N; k++)
        expected[k] = decay(NULL, k / N, k % N);
    assert_int_equal(weft_side_from_callback(N, decay, NULL, NULL, &side, NULL), WEFT_OK);
    assert_string_equal(weft_side_kind(side), "callback");
    assert_true(weft_side_radius(side) == 1);
    assert_kernel(side, expected, 0);
    weft_side_free(side);
}

static void new_ids_are_asked_for(void **state)
{
    weft_side *side = NULL;
    weft_side_options options = {.radius = 3};
    assert_int_equal(weft_side_from_callback(1, decay, NULL, &options, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1, 0, 0.25, 0, 3, 0, 0.25, 0, 1}, 0);
    assert_int_equal(weft__side_check_column(side, 2, (const int64_t[]){0, 1, 2}, 3, NULL), WEFT_OK);
    weft_side_free(side);
}

static const struct {
    table table;
    int64_t at[2];
    const char *words;
} lies[] = {
    {{2, 2, NAN, false}, {2, 2}, "is not finite"},
    {{2, 2, -1, false}, {2, 2}, "must not be negative"},
    {{2, 0, INFINITY, true}, {2, 0}, "is not finite"},
    {{2, 0, NAN, false}, {2, 0}, "is not finite"},
    {{0, 2, NAN, false}, {2, 0}, "expected a symmetric kernel"},
    {{0, 2, 0.5, false}, {2, 0}, "expected a symmetric kernel"},
    {{0, 2, 1.5, true}, {2, 0}, "not semidefinite"},
};
enum { LIES = sizeof lies / sizeof *lies };

static void a_function_that_lies_is_found_at_the_start(void **state)
{
    for (int k = 0; k < LIES; k++) {
        weft_side *side = NULL;
        weft_error error = {0};
        table t = lies[k].table;
        assert_int_equal(weft_side_from_callback(3, decay, &t, NULL, &side, &error), WEFT_INPUT);
        assert_failure(&error, WEFT_INPUT, lies[k].at[0], lies[k].at[1], lies[k].words);
        assert_null(side);
    }
}

static void a_function_that_lies_later_is_found_at_append(void **state)
{
    for (int k = 0; k < LIES; k++) {
        weft_side *side = NULL;
        weft_error error = {0};
        table t = lies[k].table;
        assert_int_equal(weft_side_from_callback(2, decay, &t, NULL, &side, NULL), WEFT_OK);
        assert_int_equal(weft_side_append(side, NULL, &error), WEFT_INPUT);
        assert_failure(&error, WEFT_INPUT, lies[k].at[0], lies[k].at[1], lies[k].words);
        assert_kernel(side, (double[]){1, 0.5, 0.5, 1}, 0);
        weft_side_free(side);
    }
}

/* The probes cannot look at every pair: what they miss is found when a column
 * is kept, and is harmless before. */
static void what_the_probes_miss_is_found_in_the_column(void **state)
{
    enum { N = 100 };
    const int64_t ids[] = {3, 50, 98};
    weft_side *side = NULL;
    weft_error error = {0};
    table t = {98, 97, NAN, true};
    assert_int_equal(weft_side_from_callback(N, decay, &t, NULL, &side, NULL), WEFT_OK);
    assert_true(weft_side_entry(side, 98, 97) == 0);
    assert_int_equal(weft__side_check_column(side, 97, ids, 2, NULL), WEFT_OK);
    assert_int_equal(weft__side_check_column(side, 97, ids, 3, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 97, 98, "is not finite");
    weft_side_free(side);
    assert_int_equal(weft_side_none(N, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft__side_check_column(side, 97, ids, 3, NULL), WEFT_OK);
    weft_side_free(side);
}

static double nothing(void *user, int64_t i, int64_t j)
{
    (void)user;
    (void)i;
    (void)j;
    return 0;
}

static void wrong_arguments_are_refused(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_callback(2, NULL, NULL, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "function is NULL");
    assert_int_equal(weft_side_from_callback(2, nothing, NULL, NULL, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, -1, -1, "zero for all 2 ids");
    weft_side_options inductive = {.inductive = true};
    assert_int_equal(weft_side_from_callback(2, decay, NULL, &inductive, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "give its radius");
    weft_side_options small = {.radius = 0.5};
    assert_int_equal(weft_side_from_callback(2, decay, NULL, &small, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 0, 0, "above the squared radius");
    assert_null(side);
    table t = {1, 1, 2, false};
    assert_int_equal(weft_side_from_callback(1, decay, &t, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 1, 1, "give a larger radius");
    weft_side_free(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft_side_from_callback(3, decay, NULL, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    weft_item items[40] = {{0}};
    for (int k = 0; k < 40; k++)
        items[k].alone = k % 4 == 3;
    assert_maker_survives(make, 1);
    assert_append_survives(make, items, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_from_the_function),
        cmocka_unit_test(new_ids_are_asked_for),
        cmocka_unit_test(a_function_that_lies_is_found_at_the_start),
        cmocka_unit_test(a_function_that_lies_later_is_found_at_append),
        cmocka_unit_test(what_the_probes_miss_is_found_in_the_column),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
