/* SPDX-License-Identifier: MIT
 * Features as libsvm writes them. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "support/side_checks.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

static weft_status make(const char *contents, const char *options, const weft_memory *memory,
                        weft_roster **roster, weft_error *error)
{
    char spec[256];
    test_file file = file_of(contents);
    weft_file_options limits = {.memory = memory, .field_limit = 9};
    weft_status status = WEFT_OK;
    snprintf(spec, sizeof spec, "features:%s%s", file.path, options);
    TRY(weft_roster_open(spec, &limits, roster, error));
    TRY(weft_roster_build(*roster, error));
done:
    if (status != WEFT_OK)
        message_without(error, file.path);
    unlink(file.path);
    return status;
}

static void assert_linear(const char *contents, const double *kernel, int64_t dimension)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (make(contents, ",kernel=linear,epsilon=0", NULL, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_kernel(weft_roster_side(roster), kernel, 0);
    assert_int_equal(weft_roster_report(roster).dimension, dimension);
    weft_roster_free(roster);
}

static void what_is_not_listed_is_zero(void **state)
{
    assert_linear("a 1:1 3:2\nb 2:5\nc 3:-1\n", (double[]){5, 0, -2, 0, 25, 0, -2, 0, 1}, 3);
    assert_linear("a\t1:1\t9:2\nb\t9:0.5\n", (double[]){5, 1, 1, .25}, 9);
    assert_linear("# x\r\na,1:1\r\nb,1:2\r\n", (double[]){1, 2, 2, 4}, 1);
    assert_linear("a  1:1   2:0 \nb 2:1e0\n", (double[]){1, 0, 0, 1}, 2);
}

static void an_empty_line_of_features_is_zero(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    assert_int_equal(make("a 1:1\nempty\nb 2:1\nlast\n", ",kernel=linear,epsilon=0", NULL, &roster, &error),
                     WEFT_OK);
    weft_roster_facts facts = weft_roster_report(roster);
    assert_int_equal(facts.zeros, 2);
    assert_int_equal(facts.first_zero, 1);
    weft_roster_free(roster);
}

static void sparse_and_dense_are_the_same(void **state)
{
    static const char *const kernels[] = {",kernel=linear,epsilon=0.5", ",kernel=gaussian,width=2",
                                          ",kernel=min,range=3"};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        weft_roster *sparse = NULL, *dense = NULL;
        weft_error error = {0};
        assert_int_equal(make("a 1:1 3:2\nb 2:-3\nc\n", kernels[k], NULL, &sparse, &error), WEFT_OK);
        assert_int_equal(make("a 1 0 2\nb 0 -3 0\nc 0 0 0\n", kernels[k], NULL, &dense, &error), WEFT_OK);
        double *expected = side_kernel(weft_roster_side(dense));
        assert_kernel(weft_roster_side(sparse), expected, 0);
        free(expected);
        weft_roster_free(sparse);
        weft_roster_free(dense);
    }
}

static const struct {
    const char *contents, *options, *message;
} refused[] = {
    {"a 1:1\nb 2\n", "", "F:2:3: found '2', expected index:value, such as 3:0.5, as on the first line"},
    {"a 1:1\nb 1:\n", "", "F:2:3: found '1:', expected index:value"},
    {"a 1:x\n", "", "F:1:3: found '1:x', expected index:value"},
    {"a 1:1 -2:1\n", "", "F:1:7: found '-2:1', expected index:value"},
    {"a 1:inf\n", "", "F:1:3: found '1:inf', expected index:value"},
    {"a 99999999999999999999:1\n", "", "F:1:3: found '99999999999999999999:1', expected a finite number"},
    {"a 0:1\n", "", "F:1:3: found index 0, expected indices from 1"},
    {"a 1:1 1:2\n", "", "F:1:7: found index 1 after 1, expected a larger one"},
    {"a 3:1 2:2\n", "", "F:1:7: found index 2 after 3, expected a larger one"},
    {"a 10:1\n", "", "F:1:3: found index 10, expected at most 9 (limit: max-fields)"},
    {"a 1:1\na 1:1\n", "", "F:2:1: found id 'a' a second time"},
    {"a 1:0\nb 2:0\n", "", "the kernel is zero"},
    {"a 1:0\nb 2:0\n", "", "(all vectors are zero: epsilon above 0 gives them a weight)"},
    {"a 1:3\n", ",kernel=min,range=2", "F:1:3: found 3, expected a number from -2 to 2 (range=)"},
};

static void refusals(void **state)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_roster *roster = NULL;
        weft_error error = {0};
        const char *options = *refused[k].options != 0 ? refused[k].options : ",kernel=linear,epsilon=0";
        weft_status status = make(refused[k].contents, options, NULL, &roster, &error);
        if (status != WEFT_INPUT || strstr(error.message, refused[k].message) == NULL)
            fail_msg("case %d: status %d, %s", (int)k, (int)status, error.message);
        weft_roster_free(roster);
    }
}

static void failed_allocations_leave_no_trace(void **state)
{
    int64_t k = 0;
    for (;; k++) {
        test_alloc alloc;
        weft_roster *roster = NULL;
        weft_error error = {0};
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_status status =
            make("a 1:1 2:1 3:1\nb 4:1\n", ",kernel=gaussian,width=1", &memory, &roster, &error);
        weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_true(k > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_listed_is_zero),
        cmocka_unit_test(an_empty_line_of_features_is_zero),
        cmocka_unit_test(sparse_and_dense_are_the_same),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
