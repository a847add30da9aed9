/* SPDX-License-Identifier: MIT
 * Nothing known, and what side.c does for every kind: options and radius. */
#include "support/test.h"

#include "side/side.h"
#include "support/alloc.h"
#include "support/side_checks.h"

static void the_kernel_is_the_identity(void **state)
{
    enum { N = 7 };
    double identity[N * N] = {0};
    weft_side *side = NULL;
    for (int i = 0; i < N; i++)
        identity[i * N + i] = 1;
    assert_int_equal(weft_side_none(N, NULL, &side, NULL), WEFT_OK);
    assert_kernel(side, identity, 0);
    assert_string_equal(weft_side_kind(side), "none");
    assert_true(weft_side_radius(side) == 1);
    assert_int_equal(weft_side_graph(side).joined, 0);
    assert_int_equal(weft_side_graph(side).loops, 0);
    weft_side_free(side);
}

static void any_number_of_ids_takes_the_same_memory(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_side_options options = {.memory = &memory};
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(20000, &options, &side, NULL), WEFT_OK);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(weft_side_append(side, &(weft_item){.alone = k % 2}, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_side_count(side), 21001);
    assert_true(weft_side_entry(side, 21000, 21000) == 1);
    assert_int_equal(alloc.requests, 1);
    assert_true(alloc.peak < 1024);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* Ids without end have a hash map and nothing else: what is left of a map would need to know them. */
static void endless_ids_need_a_hash_map(void **state)
{
    const weft_map none = {0}, hash = {.hash = 4};
    const struct {
        int64_t count;
        const weft_map *map;
    } wrong[] = {{0, NULL}, {0, &none}, {1, &hash}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_side *side = NULL;
        weft_error error = {0};
        const weft_side_options options = {.map = wrong[k].map, .endless = true};
        assert_int_equal(weft_side_none(wrong[k].count, &options, &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, "endless ids need a hash map");
        assert_null(side);
    }
}

static void it_may_start_without_ids(void **state)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(0, NULL, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 1);
    assert_true(weft_side_entry(side, 0, 0) == 0);
    weft_side_free(side);
    weft_side_free(NULL);
}

static void a_larger_radius_is_taken_as_given(void **state)
{
    weft_side *side = NULL;
    weft_side_options options = {.radius = 2.5};
    assert_int_equal(weft_side_none(3, &options, &side, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 2.5);
    assert_true(side->radius_given);
    weft_side_free(side);
}

static void wrong_options_are_refused(void **state)
{
    const double wrong[] = {-1, NAN, INFINITY, -INFINITY, 1e-310, 1e308};
    weft_error error = {0};
    weft_side *side = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_side_options options = {.radius = wrong[k]};
        assert_int_equal(weft_side_none(3, &options, &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, "squared radius is");
    }
    weft_side_options small = {.radius = 0.5};
    assert_int_equal(weft_side_none(3, &small, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 0, 0, "above the squared radius");
    assert_int_equal(weft_side_none(-1, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "number of ids is -1");
    assert_null(side);
}

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft_side_none(4, options, side, error);
}

static void failing_allocations_leave_nothing(void **state)
{
    const weft_item items[] = {{0}, {.alone = true}};
    assert_maker_survives(make, 1);
    assert_append_survives(make, items, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_is_the_identity),
        cmocka_unit_test(any_number_of_ids_takes_the_same_memory),
        cmocka_unit_test(endless_ids_need_a_hash_map),
        cmocka_unit_test(it_may_start_without_ids),
        cmocka_unit_test(a_larger_radius_is_taken_as_given),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
