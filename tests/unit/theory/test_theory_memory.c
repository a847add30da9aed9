/* SPDX-License-Identifier: MIT
 * Every allocation on the way to a dimension may fail: an error, nothing lost,
 * the output untouched. */

#include "support/test.h"

#include "support/alloc.h"
#include "weft_theory.h"

static const int64_t classes[] = {0, 0, 1, 1, 1};
static const double singular[] = {1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1};
static const double regular[] = {2, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0, 1, 2, 1, 0, 0, 1, 1, 2};

enum { NONE, CLASSES, SINGULAR, REGULAR, ROADS };

static weft_side *make_side(int road, const weft_memory *memory)
{
    weft_side_options options = {.memory = memory};
    weft_side *side = NULL;
    weft_status status = WEFT_OK;
    if (road == NONE)
        status = weft_side_none(5, &options, &side, NULL);
    else if (road == CLASSES)
        status = weft_side_from_classes(5, classes, 0.1, &options, &side, NULL);
    else
        status = weft_side_from_kernel(5, road == SINGULAR ? singular : regular, &options, &side, NULL);
    assert_int_equal(status, WEFT_OK);
    return side;
}

/* One call with its k-th allocation refused; false when there were fewer. */
static bool fails_cleanly(test_alloc *alloc, const weft_side *side, weft_form form, int64_t k)
{
    weft_measure measure = {.size = 77};
    weft_settings settings = {.form = form};
    weft_truth truth = {.row_class = classes, .column_class = classes};
    int64_t before = test_alloc_blocks(alloc);
    test_alloc_arm(alloc, k);
    weft_status status =
        weft_theory_measure(side, form == WEFT_ONE_SET ? NULL : side, &truth, &settings, &measure, NULL);
    assert_int_equal(test_alloc_blocks(alloc), before);
    if (!alloc->failed) {
        assert_int_equal(status, WEFT_OK);
        return false;
    }
    assert_int_equal(status, WEFT_MEMORY);
    assert_int_equal(measure.size, 77);
    return true;
}

static void memory_may_run_out(void **state)
{
    for (int road = 0; road < ROADS; road++)
        for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
            test_alloc alloc;
            weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
            weft_side *side = make_side(road, &memory);
            int64_t k = 0;
            while (fails_cleanly(&alloc, side, (weft_form)form, k))
                k++;
            assert_true(k >= 6);
            weft_side_free(side);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
        }
}

static double delta(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j;
}

/* A dense kernel has a limit, which is said and not run into. */
static void too_many_ids(void **state)
{
    enum { MANY = 30001 };
    int64_t *class_of = calloc(MANY, sizeof *class_of);
    weft_side *side = NULL;
    weft_side_term term = {.classes = 77};
    weft_error error = {0};
    assert_non_null(class_of);
    assert_int_equal(weft_side_from_callback(MANY, delta, NULL, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, class_of, &term, &error), WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "30001"));
    assert_int_equal(term.classes, 77);
    weft_side_free(side);
    free(class_of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(too_many_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
