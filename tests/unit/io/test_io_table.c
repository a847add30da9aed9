/* SPDX-License-Identifier: MIT
 * Features from files as vectors: dense, sparse, quoted, and wrong. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit/test_io_support.h"
#include "weft_files.h"

static weft_status read_text(const char *text, weft_table **table, weft_error *error)
{
    test_file file = file_of(text);
    weft_status status = weft_table_read(file.path, NULL, table, error);
    if (status != WEFT_OK)
        message_without(error, file.path);
    unlink(file.path);
    return status;
}

static void assert_table(const char *text, const char *const *names, int64_t count, int64_t dimension,
                         const double *values)
{
    weft_table *table = NULL;
    weft_error error = {0};
    if (read_text(text, &table, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    weft_features features = weft_table_features(table);
    assert_int_equal(features.count, count);
    assert_int_equal(features.dimension, dimension);
    assert_int_equal(features.kernel, WEFT_LINEAR);
    assert_true(features.parameter == 0);
    assert_int_equal(weft_ids_count(weft_table_ids(table)), count);
    for (int64_t i = 0; i < count; i++)
        assert_string_equal(weft_ids_name(weft_table_ids(table), i), names[i]);
    for (int64_t k = 0; k < count * dimension; k++)
        assert_true(features.values[k] == values[k]);
    weft_table_free(table);
}

static void files_become_vectors(void **state)
{
    static const char *const names[] = {"b c", "a", "d,e"};
    static const double dense[] = {1, 2, -0.5, 1e-3, 0, 0}, sparse[] = {0, 0, 3, 1, 0, 0, 0, 2, 0.5};
    assert_table("# a comment\nb c,1,2\na,-0.5,1e-3\n\"d,e\",0,0\n", names, 3, 2, dense);
    assert_table("b c\t1\t2\r\na\t-0.5\t1e-3\r\nd,e\t0\t0", names, 3, 2, dense);
    static const char *const plain[] = {"x", "y", "z"};
    assert_table("x 3:3\ny 1:1\nz 2:2 3:0.5\n", plain, 3, 3, sparse);
    assert_table("x 7\n", plain, 1, 1, (const double[]){7});
}

static void assert_refused(const char *text, weft_status status, const char *message)
{
    weft_error error = {0};
    weft_table *table = (weft_table *)&error;
    assert_int_equal(read_text(text, &table, &error), status);
    assert_ptr_equal(table, &error);
    assert_string_equal(error.message, message);
}

static void mistakes_are_told_with_their_place(void **state)
{
    assert_refused("a 1 2\nb 1\n", WEFT_INPUT, "F:2: found 1 values after the id, expected 2");
    assert_refused("a 1 2\nb 1 two\n", WEFT_INPUT, "F:2:5: found 'two', expected a finite number");
    assert_refused("a 1 2\nb 1 inf\n", WEFT_INPUT, "F:2:5: found 'inf', expected a finite number");
    assert_refused("a 1\nb 2\na 3\n", WEFT_INPUT,
                   "F:3:1: found id 'a' a second time, expected every id once");
    assert_refused("a\n", WEFT_INPUT, "F:1: found 0 values after the id, expected 1");
    assert_refused("# nothing\n", WEFT_INPUT, "F: found no ids, expected at least one line");
    assert_refused("a 2:1 1:1\n", WEFT_INPUT, "F:1:7: found index 1 after 2, expected a larger one");
    weft_error error = {0};
    weft_table *table = NULL;
    assert_int_equal(weft_table_read("/no/such/file", NULL, &table, &error), WEFT_FILE);
    assert_non_null(strstr(error.message, "/no/such/file"));
    assert_int_equal(weft_table_read("/no/such/file", &(weft_file_options){.line_limit = 1}, &table, &error),
                     WEFT_ARGUMENT);
    assert_null(table);
    weft_table_free(NULL);
}

static void limits_are_kept(void **state)
{
    test_file file = file_of("a 1\nb 2\nc 3\n");
    weft_error error = {0};
    weft_table *table = NULL;
    weft_status status = weft_table_read(file.path, &(weft_file_options){.id_limit = 2}, &table, &error);
    assert_int_equal(status, WEFT_CAPACITY);
    assert_string_equal(message_without(&error, file.path),
                        "F:3: found id 'c', but there is room for only 2 ids");
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_become_vectors),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
