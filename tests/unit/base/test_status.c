/* SPDX-License-Identifier: MIT
 * One table, many forms. */
#include "unit/test_core_support.h"

#include "base/status.h"

static void every_status_has_its_forms(void **state)
{
    int seen = 0;
#define XX(name, value, meaning, exit)                                 \
    assert_int_equal(WEFT_##name, (value));                            \
    assert_string_equal(weft_status_name(WEFT_##name), "WEFT_" #name); \
    assert_string_equal(weft_status_meaning(WEFT_##name), meaning);    \
    assert_int_equal(weft_status_exit(WEFT_##name), (exit));           \
    seen++;
    WEFT_STATUS_MAP(XX)
#undef XX
    assert_true(seen >= 11);
    assert_int_equal(weft_status_exit(WEFT_OK), 0);
    assert_int_equal(weft_status_exit(WEFT_MODEL), 4);
}

static void what_is_no_status_says_so(void **state)
{
    weft_status strange = (weft_status)-99;
    assert_string_equal(weft_status_name(strange), "WEFT_UNKNOWN");
    assert_string_equal(weft_status_meaning(strange), "not a status of this library");
    assert_int_equal(weft_status_exit(strange), 1);
}

static void the_version_is_that_of_the_header(void **state)
{
    char expected[40];
    snprintf(expected, sizeof expected, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
             WEFT_VERSION_PATCH);
    assert_string_equal(weft_version(), expected);
}

static void a_failure_keeps_its_facts(void **state)
{
    weft_error error = {0};
    assert_int_equal(weft__fail(&error, WEFT_INPUT, "%d of %s", 3, "four"), WEFT_INPUT);
    assert_int_equal(error.status, WEFT_INPUT);
    assert_string_equal(error.message, "3 of four");
    assert_int_equal(error.at[0], -1);
    assert_int_equal(error.at[1], -1);
    assert_int_equal(weft__fail_at(&error, WEFT_FILE, 7, 8, "entry %s", "x"), WEFT_FILE);
    assert_int_equal(error.status, WEFT_FILE);
    assert_int_equal(error.at[0], 7);
    assert_int_equal(error.at[1], 8);
    assert_string_equal(error.message, "entry x");
}

static void nobody_has_to_listen(void **state)
{
    assert_int_equal(weft__fail(NULL, WEFT_MEMORY, "unheard"), WEFT_MEMORY);
    assert_int_equal(weft__fail_at(NULL, WEFT_MODEL, 1, 2, "unheard"), WEFT_MODEL);
}

static void a_long_message_is_cut(void **state)
{
    weft_error error = {0};
    char words[2000];
    memset(words, 'w', sizeof words);
    words[sizeof words - 1] = '\0';
    weft__fail(&error, WEFT_INPUT, "%s", words);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static weft_status count_steps(int failing, int *steps, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int k = 0; k < 3; k++) {
        TRY(k == failing ? weft__fail(error, WEFT_INTERNAL, "step %d", k) : WEFT_OK);
        ++*steps;
    }
done:
    return status;
}

static void a_failing_step_is_the_last(void **state)
{
    weft_error error = {0};
    for (int failing = 0; failing < 4; failing++) {
        int steps = 0;
        weft_status status = count_steps(failing, &steps, &error);
        assert_int_equal(status, failing < 3 ? WEFT_INTERNAL : WEFT_OK);
        assert_int_equal(steps, failing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_forms),
        cmocka_unit_test(what_is_no_status_says_so),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(a_failure_keeps_its_facts),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(a_failing_step_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
