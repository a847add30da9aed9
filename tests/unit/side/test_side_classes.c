/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "side/side.h"
#include "support/dice.h"
#include "support/side_checks.h"

/* From the definition; `alone` is an id or -1. */
static void assert_partition(const weft_side *side, const int64_t *class_of, double epsilon, int64_t alone)
{
    int64_t n = weft_side_count(side);
    double *expected = calloc((size_t)(n * n), sizeof *expected);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != alone && j != alone)
                expected[i * n + j] = (class_of[i] == class_of[j]) + (i == j ? epsilon : 0);
    if (alone >= 0)
        expected[alone * n + alone] = weft_side_radius(side);
    assert_kernel(side, expected, 0);
    free(expected);
}

static void entries_follow_the_definition(void **state)
{
    const int64_t class_of[] = {5, INT64_MIN, 5, INT64_MAX, 0, -7, INT64_MIN, 0, 0};
    const double epsilons[] = {0, 0.1, 1e-20, 3, 1e300};
    for (size_t k = 0; k < sizeof epsilons / sizeof *epsilons; k++) {
        weft_side *side = NULL;
        assert_int_equal(weft_side_from_classes(9, class_of, epsilons[k], NULL, &side, NULL), WEFT_OK);
        assert_string_equal(weft_side_kind(side), "classes");
        assert_true(weft_side_radius(side) == 1 + epsilons[k]);
        assert_partition(side, class_of, epsilons[k], -1);
        weft_side_free(side);
    }
}

/* More classes than the first table has slots, most of them with one member. */
static void many_classes_and_appended_ones(void **state)
{
    enum { N = 300, START = 120, ALONE = 200 };
    int64_t class_of[N];
    dice d = {3};
    weft_side *side = NULL;
    for (int i = 0; i < N; i++)
        class_of[i] = dice_below(&d, 200) * 1000003 - 77;
    weft_side_options options = {.radius = 2};
    assert_int_equal(weft_side_from_classes(START, class_of, 0.25, &options, &side, NULL), WEFT_OK);
    for (int i = START; i < N; i++) {
        weft_item item = {.alone = i == ALONE, .class_of = class_of[i]};
        assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
    }
    assert_true(weft_side_entry(side, ALONE, ALONE) == 2);
    assert_partition(side, class_of, 0.25, ALONE);
    weft_side_free(side);
}

static void two_alone_ids_are_not_of_one_class(void **state)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_classes(1, &(int64_t){4}, 0.5, NULL, &side, NULL), WEFT_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1.5, 0, 0, 0, 1.5, 0, 0, 0, 1.5}, 0);
    weft_side_free(side);
}

static void the_radius_of_ids_to_come_is_known(void **state)
{
    weft_side *side = NULL;
    weft_side_options inductive = {.inductive = true};
    weft_error error = {0};
    assert_int_equal(weft_side_from_classes(0, NULL, 0.1, &inductive, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 1.1);
    assert_int_equal(weft_side_append(side, &(weft_item){.class_of = 8}, NULL), WEFT_OK);
    assert_kernel(side, (double[]){1.1}, 0);
    weft_side_free(side);
    assert_int_equal(weft_side_from_classes(0, NULL, 0.1, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "no ids to take the radius from");
}

static void wrong_arguments_are_refused(void **state)
{
    const double wrong[] = {-0.1, NAN, INFINITY};
    const int64_t class_of[] = {1, 2};
    weft_side *side = NULL;
    weft_error error = {0};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(weft_side_from_classes(2, class_of, wrong[k], NULL, &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, "epsilon is");
    }
    assert_int_equal(weft_side_from_classes(2, NULL, 0, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "class_of is NULL");
    assert_int_equal(weft_side_from_classes(2, class_of, 1e308, NULL, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 0, 0, "scale the kernel");
    weft_side_options small = {.radius = 1.05};
    assert_int_equal(weft_side_from_classes(2, class_of, 0.1, &small, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 0, 0, "above the squared radius");
    assert_null(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    int64_t class_of[40];
    for (int i = 0; i < 40; i++)
        class_of[i] = i;
    return weft_side_from_classes(40, class_of, 0.1, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    enum { ITEMS = 60 };
    weft_item items[ITEMS] = {{.alone = true}};
    for (int k = 1; k < ITEMS; k++)
        items[k].class_of = 100 + k;
    assert_maker_survives(make, 6);
    assert_append_survives(make, items, ITEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_follow_the_definition),
        cmocka_unit_test(many_classes_and_appended_ones),
        cmocka_unit_test(two_alone_ids_are_not_of_one_class),
        cmocka_unit_test(the_radius_of_ids_to_come_is_known),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
