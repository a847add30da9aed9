/* SPDX-License-Identifier: MIT
 * Blocks are aligned, zeroed, resized without loss, and refused where a size
 * does not fit. */
#include "unit/test_core_support.h"

#include "base/memory.h"
#include "support/alloc.h"

static void blocks_are_aligned_and_zero(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    for (int64_t count = 0; count < 300; count += 7) {
        double *block = NULL;
        assert_int_equal(weft__new(&memory, count, sizeof *block, &block, NULL), WEFT_OK);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (int64_t k = 0; k < count; k++)
            assert_true(block[k] == 0);
        weft__delete(&memory, block);
    }
    weft__delete(&memory, NULL);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void the_standard_allocator_is_the_default(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL), same = weft__memory_or_default(&memory);
    assert_true(memory.allocate == same.allocate && memory.user == same.user);
    int64_t *block = NULL;
    assert_int_equal(weft__new(&memory, 5, sizeof *block, &block, NULL), WEFT_OK);
    block[4] = 9;
    assert_int_equal(weft__resize(&memory, &block, 5, 5000, sizeof *block, NULL), WEFT_OK);
    assert_int_equal(block[4], 9);
    assert_int_equal(block[4999], 0);
    weft__delete(&memory, block);
}

static void a_resized_block_keeps_what_fits(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    int32_t *block = NULL;
    assert_int_equal(weft__resize(&memory, &block, 0, 10, sizeof *block, NULL), WEFT_OK);
    for (int32_t k = 0; k < 10; k++)
        block[k] = k + 1;
    assert_int_equal(weft__resize(&memory, &block, 10, 100, sizeof *block, NULL), WEFT_OK);
    for (int32_t k = 0; k < 100; k++)
        assert_int_equal(block[k], k < 10 ? k + 1 : 0);
    assert_int_equal(weft__resize(&memory, &block, 100, 3, sizeof *block, NULL), WEFT_OK);
    assert_int_equal(block[2], 3);
    assert_int_equal(weft__resize(&memory, &block, 0, 3, sizeof *block, NULL), WEFT_OK);
    assert_int_equal(block[2], 0);
    assert_int_equal(test_alloc_blocks(&alloc), 1);
    weft__delete(&memory, block);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* The allocator's own resizing, which may also move a block to an address that is aligned otherwise. */
static void an_extended_block_keeps_what_fits(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    int32_t *block = NULL;
    assert_int_equal(weft__extend(&memory, &block, 0, 10, sizeof *block, NULL), WEFT_OK);
    for (int32_t k = 0; k < 10; k++)
        block[k] = k + 1;
    for (int64_t count = 10; count < 5000; count += 371) {
        assert_int_equal(weft__extend(&memory, &block, 10, count, sizeof *block, NULL), WEFT_OK);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (int32_t k = 0; k < count; k++)
            assert_int_equal(block[k], k < 10 ? k + 1 : 0);
        block[count - 1] = count > 10 ? -1 : 10;
    }
    weft_error error = {0};
    int32_t *before = block;
    test_alloc_arm(&alloc, 0);
    assert_fails(weft__extend(&memory, &block, 10, 9000, sizeof *block, &error), WEFT_MEMORY, "36000 bytes");
    assert_ptr_equal(block, before);
    assert_int_equal(block[9], 10);
    assert_fails(weft__extend(&memory, &block, 10, INT64_MAX, 2, &error), WEFT_MEMORY, "does not fit");
    assert_int_equal(weft__extend(&memory, &block, 10, 3, sizeof *block, NULL), WEFT_OK);
    assert_int_equal(block[2], 3);
    assert_true(alloc.bytes < 200);
    weft__delete(&memory, block);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void a_refusal_changes_nothing(void **state)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    int64_t *block = NULL, *other = NULL;
    assert_int_equal(weft__new(&memory, 4, sizeof *block, &block, NULL), WEFT_OK);
    int64_t *before = block;
    block[3] = 5;
    test_alloc_arm(&alloc, 0);
    assert_fails(weft__resize(&memory, &block, 4, 8, sizeof *block, &error), WEFT_MEMORY, "64 bytes");
    assert_ptr_equal(block, before);
    assert_int_equal(block[3], 5);
    test_alloc_arm(&alloc, 0);
    assert_fails(weft__new(&memory, 3, sizeof *other, &other, &error), WEFT_MEMORY, "24 bytes");
    assert_null(other);
    weft__delete(&memory, block);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    char *block = NULL;
    assert_fails(weft__new(&memory, -1, 8, &block, &error), WEFT_MEMORY, "-1 x 8");
    assert_fails(weft__new(&memory, INT64_MAX / 4, 8, &block, &error), WEFT_MEMORY, "does not fit");
    assert_fails(weft__new(&memory, INT64_MAX - 10, 1, &block, &error), WEFT_MEMORY, "do not fit");
    assert_fails(weft__resize(&memory, &block, 0, INT64_MAX, 2, &error), WEFT_MEMORY, "does not fit");
    assert_null(block);
    assert_int_equal(alloc.requests, 0);
}

static void products_are_checked(void **state)
{
    weft_error error = {0};
    int64_t product = 77;
    assert_int_equal(weft__checked_product(3, 5, &product, NULL), WEFT_OK);
    assert_int_equal(product, 15);
    assert_int_equal(weft__checked_product(INT64_C(1) << 31, INT64_C(1) << 31, &product, NULL), WEFT_OK);
    assert_true(product == INT64_C(1) << 62);
    assert_fails(weft__checked_product(INT64_C(1) << 32, INT64_C(1) << 31, &product, &error), WEFT_MEMORY,
                 "4294967296 x 2147483648");
    assert_fails(weft__checked_product(2, -1, &product, &error), WEFT_MEMORY, "2 x -1");
    assert_fails(weft__checked_product(-2, 1, &product, &error), WEFT_MEMORY, "-2 x 1");
    assert_true(product == INT64_C(1) << 62);
}

static void capacities_double(void **state)
{
    assert_int_equal(weft__grown(0, 0), 16);
    assert_int_equal(weft__grown(0, 16), 16);
    assert_int_equal(weft__grown(0, 17), 32);
    assert_int_equal(weft__grown(48, 20), 48);
    assert_int_equal(weft__grown(48, 49), 96);
    assert_int_equal(weft__grown(16, 1000), 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_zero),
        cmocka_unit_test(the_standard_allocator_is_the_default),
        cmocka_unit_test(a_resized_block_keeps_what_fits),
        cmocka_unit_test(an_extended_block_keeps_what_fits),
        cmocka_unit_test(a_refusal_changes_nothing),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(products_are_checked),
        cmocka_unit_test(capacities_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
