/* SPDX-License-Identifier: MIT
 * Likely causes, where the files give them away. */
#define _POSIX_C_SOURCE 200809L

#include "io/text/hints.h"
#include "unit/test_io_support.h"

static weft_ids *ids_of(const char *names)
{
    weft_ids *ids = NULL;
    char copy[128];
    int64_t number = 0;
    snprintf(copy, sizeof copy, "%s", names);
    assert_int_equal(weft_ids_create(NULL, &ids, NULL), WEFT_OK);
    for (char *name = strtok(copy, ","); name != NULL; name = strtok(NULL, ","))
        assert_int_equal(weft_ids_add(ids, name, &number, NULL), WEFT_OK);
    return ids;
}

static const struct {
    const char *listed, *name, *hint;
} cases[] = {
    {"a,b ,c", "b", ": it lists 'b ', which differs in blanks around it only"},
    {"a,b,c", " b\t", ": it lists 'b', which differs in blanks around it only"},
    {"a,Bob,BOB ", "BOB", ": it lists 'BOB ', which differs in blanks around it only"},
    {"a,Bob", "bOB", ": it lists 'Bob', which differs in upper and lower case only"},
    {"2,0,1", "3", ": its ids count from 0, do these count from 1?"},
    {"1,2,3", "0", ": its ids count from 1, do these count from 0?"},
    {"1,2,3", "4", ""},
    {"0,1,2", "4", ""},
    {"0,1,3", "3 x", ""},
    {"0,1,x", "3", ""},
    {"1,2,7", "0", ""},
    {"a,b", "c", ""},
    {"a,b", "", ""},
    {"Alien,Casablance", "Casablanca", ": it lists 'Casablance', is that the same?"},
    {"smith", "smiths", ": it lists 'smith', is that the same?"},
    {"smith", "smth", ": it lists 'smith', is that the same?"},
    {"smith", "simth", ": it lists 'smith', is that the same?"},
    {"smith", "xmith", ": it lists 'smith', is that the same?"},
    {"smith", "simht", ""},
    {"smith", "smithson", ""},
    {"bill12", "bill13", ""},
    {"ann", "ant", ""},
    {"smith", "smit4", ""},
    {"smith", "smi", ""},
    {"smith", "smit", ": it lists 'smith', is that the same?"},
    {"smith", "msxth", ""},
    {"smith", "sximh", ""},
    {"0,1,2x", "3", ""},
    {"0,1,9", "3", ""},
};

static void names_that_are_nearly_there(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        weft_ids *ids = ids_of(cases[k].listed);
        assert_string_equal(weft__hint_id(ids, weft_ids_count(ids), cases[k].name).text, cases[k].hint);
        weft_ids_free(ids);
    }
}

/* What was let in from the stream is no reason for a hint. */
static void only_listed_ids_count(void **state)
{
    weft_ids *ids = ids_of("a,B");
    assert_string_equal(weft__hint_id(ids, 1, "b").text, "");
    assert_string_equal(weft__hint_id(ids, 0, "0").text, "");
    weft_ids_free(ids);
}

/* The first sign that is met is told, and no other. */
static void signs_between_fields(void **state)
{
    static const struct {
        const char *line, *hint;
    } lines[] = {
        {"a;b;c", ": the line has semicolons, but tabs, commas or blanks stand between fields"},
        {"a|b c;d", ": the line has vertical bars, but tabs, commas or blanks stand between fields"},
        {"a b c", ""},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        test_file file = file_of(lines[k].line);
        weft__input input = {0};
        weft__text text = {0};
        bool more = false;
        assert_int_equal(weft__input_begin(NULL, &input, NULL), WEFT_OK);
        assert_int_equal(weft__text_open(file.path, &input, &text, NULL), WEFT_OK);
        assert_int_equal(weft__text_next(&text, &more, NULL), WEFT_OK);
        assert_string_equal(weft__hint_fields(&text).text, lines[k].hint);
        weft__text_close(&text);
        unlink(file.path);
    }
}

static void commas_in_numbers(void **state)
{
    static const char *const with[] = {"1,5", "-1,5", "1,234,567.5"};
    static const char *const without[] = {
        "1.5",  "1,x", "1,-5", "1,:5",
        "1,5x", "1,",  "a,5",  "1,0000000000000000000000000000000000000000000000000000000000000000"};
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        assert_string_equal(weft__hint_number(with[k]).text, ": numbers have a decimal point and no commas");
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        assert_string_equal(weft__hint_number(without[k]).text, "");
}

/* Admits one pair to rows {a, b} and columns {x, y} (or none). */
static weft_status admit(const char *columns_spec, const char *row, const char *column, weft_error *error)
{
    test_file rows_file = file_of("a 1\nb 1\n"), columns_file = file_of("x 1\ny 1\n");
    char spec[128];
    weft_roster *rows = NULL, *columns = NULL;
    weft_event event = {.row = row, .column = column, .file = "s", .line = 1};
    int64_t pair[2] = {-1, -1};
    snprintf(spec, sizeof spec, "classes:%s,missing=error", rows_file.path);
    assert_int_equal(weft_roster_open(spec, NULL, &rows, NULL), WEFT_OK);
    snprintf(spec, sizeof spec, "classes:%s,missing=error", columns_file.path);
    assert_int_equal(weft_roster_open(columns_spec != NULL ? columns_spec : spec, NULL, &columns, NULL),
                     WEFT_OK);
    weft_status status = weft_roster_admit_pair(rows, columns, &event, pair, error);
    assert_int_equal(weft_roster_admit_pair(rows, NULL, &event, pair, NULL) == WEFT_OK,
                     weft_ids_find(weft_roster_ids(rows), column) >= 0 &&
                         weft_ids_find(weft_roster_ids(rows), row) >= 0);
    weft_roster_free(rows);
    weft_roster_free(columns);
    unlink(rows_file.path);
    unlink(columns_file.path);
    return status;
}

static void rows_and_columns_swapped(void **state)
{
    weft_error error = {0};
    assert_int_equal(admit(NULL, "a", "y", &error), WEFT_OK);
    assert_int_equal(admit(NULL, "x", "a", &error), WEFT_UNKNOWN_ID);
    assert_non_null(strstr(error.message, ": 'x' is listed for the columns, are rows and columns swapped?"));
    assert_int_equal(admit("none", "x", "a", &error), WEFT_UNKNOWN_ID);
    assert_non_null(strstr(error.message, ": 'a' is listed for the rows, are rows and columns swapped?"));
    assert_int_equal(admit(NULL, "q", "x", &error), WEFT_UNKNOWN_ID);
    assert_null(strstr(error.message, "swapped"));
    assert_int_equal(admit(NULL, "a", "b", &error), WEFT_UNKNOWN_ID);
    assert_non_null(strstr(error.message, "'b' is listed for the rows"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_nearly_there), cmocka_unit_test(only_listed_ids_count),
        cmocka_unit_test(signs_between_fields),        cmocka_unit_test(commas_in_numbers),
        cmocka_unit_test(rows_and_columns_swapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
