/* SPDX-License-Identifier: MIT
 * The errors of the best block matrix in hindsight. */

#include "support/test.h"

#include "support/alloc.h"
#include "weft_theory.h"

static void comparator_counts(void **state)
{
    weft_comparator *comparator = NULL;
    weft_error error;
    assert_int_equal(weft_comparator_create(2, 3, NULL, &comparator, NULL), WEFT_OK);
    const int labels[][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, -1}, {1, 2, -1}, {1, 2, -1}, {1, 1, 1}, {0, 1, -1}};
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        assert_int_equal(weft_comparator_add(comparator, labels[k][0], labels[k][1], labels[k][2], NULL),
                         WEFT_OK);
    assert_int_equal(weft_comparator_errors(comparator, false), 1);
    assert_int_equal(weft_comparator_errors(comparator, true), 1);
    assert_int_equal(weft_comparator_add(comparator, 0, 1, 1, NULL), WEFT_OK);
    assert_int_equal(weft_comparator_add(comparator, 0, 1, 1, NULL), WEFT_OK);
    assert_int_equal(weft_comparator_errors(comparator, false), 2);
    assert_int_equal(weft_comparator_errors(comparator, true), 3);
    assert_int_equal(weft_comparator_add(comparator, 2, 0, 1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_add(comparator, 0, -1, 1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_add(comparator, 0, 3, 1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_add(comparator, -1, 0, 1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_add(comparator, 0, 0, 0, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_errors(comparator, false), 2);
    weft_comparator_free(comparator);
    weft_comparator_free(NULL);
}

static void comparator_refuses(void **state)
{
    weft_comparator *comparator = NULL;
    assert_int_equal(weft_comparator_create(0, 3, NULL, &comparator, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_create(3, 0, NULL, &comparator, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_comparator_create(INT64_MAX, 3, NULL, &comparator, NULL), WEFT_MEMORY);
    for (int64_t k = 0; k < 2; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        assert_int_equal(weft_comparator_create(2, 2, &memory, &comparator, NULL), WEFT_MEMORY);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    assert_null(comparator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparator_counts),
        cmocka_unit_test(comparator_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
