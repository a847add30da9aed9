/* SPDX-License-Identifier: MIT
 * Names and their numbers. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_support.h"
#include "weft_files.h"

static void numbers_follow_the_order_of_adding(void **state)
{
    enum { N = 5000 };
    weft_ids *ids = NULL;
    char name[32];
    int64_t number = -1;
    const char *first = NULL;
    assert_int_equal(weft_ids_create(NULL, &ids, NULL), WEFT_OK);
    for (int k = 0; k < N; k++) {
        snprintf(name, sizeof name, "id %d", k * 7919 % N);
        assert_int_equal(weft_ids_add(ids, name, &number, NULL), WEFT_OK);
        assert_int_equal(number, k);
        if (k == 0)
            first = weft_ids_name(ids, 0);
    }
    assert_ptr_equal(weft_ids_name(ids, 0), first);
    assert_int_equal(weft_ids_count(ids), N);
    for (int k = 0; k < N; k++) {
        snprintf(name, sizeof name, "id %d", k * 7919 % N);
        assert_int_equal(weft_ids_find(ids, name), k);
        assert_string_equal(weft_ids_name(ids, k), name);
        assert_int_equal(weft_ids_add(ids, name, &number, NULL), WEFT_OK);
        assert_int_equal(number, k);
    }
    assert_int_equal(weft_ids_count(ids), N);
    weft_ids_free(ids);
}

static void names_are_compared_byte_for_byte(void **state)
{
    static const char *const names[] = {"a", "A", "a ", " a", "", "\xC3\xA9", "e\xCC\x81"};
    weft_ids *ids = NULL;
    int64_t number = -1;
    assert_int_equal(weft_ids_create(NULL, &ids, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(weft_ids_find(ids, names[k]), -1);
        assert_int_equal(weft_ids_add(ids, names[k], &number, NULL), WEFT_OK);
        assert_int_equal(number, k);
    }
    assert_null(weft_ids_name(ids, -1));
    assert_null(weft_ids_name(ids, sizeof names / sizeof *names));
    weft_ids_free(ids);
    weft_ids_free(NULL);
}

static void a_long_name_has_its_own_block(void **state)
{
    enum { LONG = 100000 };
    weft_ids *ids = NULL;
    int64_t number = -1;
    char *name = calloc(LONG + 1, 1);
    assert_non_null(name);
    memset(name, 'x', LONG);
    assert_int_equal(weft_ids_create(NULL, &ids, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(ids, "short", &number, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(ids, name, &number, NULL), WEFT_OK);
    assert_string_equal(weft_ids_name(ids, 1), name);
    assert_int_equal(weft_ids_find(ids, "short"), 0);
    weft_ids_free(ids);
    free(name);
}

static weft_status add_many(const weft_memory *memory, weft_error *error)
{
    weft_ids *ids = NULL;
    int64_t number = -1, before = 0;
    char name[32];
    weft_status status = weft_ids_create(memory, &ids, error);
    for (int k = 0; status == WEFT_OK && k < 200; k++) {
        snprintf(name, sizeof name, "%d", k);
        before = weft_ids_count(ids);
        status = weft_ids_add(ids, name, &number, error);
        if (status != WEFT_OK) {
            assert_int_equal(weft_ids_count(ids), before);
            assert_int_equal(weft_ids_find(ids, name), -1);
            assert_int_equal(weft_ids_find(ids, "0"), before > 0 ? 0 : -1);
        }
    }
    weft_ids_free(ids);
    return status;
}

static void failed_allocations_leave_no_trace(void **state)
{
    test_alloc alloc;
    weft_error error = {0};
    int64_t k = 0;
    for (;; k++) {
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_status status = add_many(&memory, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_true(k > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow_the_order_of_adding),
        cmocka_unit_test(names_are_compared_byte_for_byte),
        cmocka_unit_test(a_long_name_has_its_own_block),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
