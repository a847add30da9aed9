/* SPDX-License-Identifier: MIT
 * Delimited text: what is read, and what is refused with which words. */
#define _POSIX_C_SOURCE 200809L

#include "io/text/text.h"
#include "support/dice.h"
#include "unit/test_io_support.h"

/* All records, fields between [ ], records between newlines. */
static weft_status show(const char *path, const weft_file_options *given, char *out, weft_error *error)
{
    weft__input options = {0};
    weft__text text = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    TRY(weft__input_begin(given, &options, error));
    TRY(weft__text_open(path, &options, &text, error));
    *out = 0;
    for (;;) {
        status = weft__text_next(&text, &more, error);
        if (status != WEFT_OK || !more)
            break;
        out += sprintf(out, "%d:", (int)text.number);
        for (int64_t k = 0; k < text.count; k++)
            out += sprintf(out, "[%s]", text.fields[k].text);
        out += sprintf(out, "\n");
    }
    weft__text_close(&text);
done:
    return status;
}

static const struct {
    const char *text, *shown;
} readable[] = {
    {"", ""},
    {"\n\n", ""},
    {"a,b\n", "1:[a][b]\n"},
    {"a,b", "1:[a][b]\n"},
    {"a,b\r\nc,d\r\n", "1:[a][b]\n2:[c][d]\n"},
    {"\xEF\xBB\xBF"
     "a,b\n",
     "1:[a][b]\n"},
    {"\xEF\xBB\xBF# note\na,b\n", "2:[a][b]\n"},
    {"a\tb, c\td\n", "1:[a][b, c][d]\n"},
    {"a b  c \n  d\te\n", "1:[a][b][c]\n2:[d][e]\n"},
    {"a,,\n,,b\n", "1:[a][][]\n2:[][][b]\n"},
    {"a b,c d\n", "1:[a b][c d]\n"},
    {"# x\n\na,b\n#c,d\n\ne,f\n", "3:[a][b]\n6:[e][f]\n"},
    {"a b\n # not, a, record\nc d\n", "1:[a][b]\n3:[c][d]\n"},
    {"a,b\n #c,d\n", "1:[a][b]\n2:[ #c][d]\n"},
    {"\"a,b\",c\n", "1:[a,b][c]\n"},
    {"\"a\"\"b\",\"\"\n", "1:[a\"b][]\n"},
    {"\"a\nb\",c\nd,e\n", "1:[a\nb][c]\n3:[d][e]\n"},
    {"\"a\r\n\nb\",c\r\n", "1:[a\r\n\nb][c]\n"},
    {"\"a\n\r\nb\rc\",d\r\n", "1:[a\n\r\nb\rc][d]\n"},
    {"\"a\tb\" c\n", "1:[a\tb][c]\n"},
    {"\"a,b\" \"c d\"\n", "1:[a,b][c d]\n"},
    {"\"a\"\",b\" c\n", "1:[a\",b][c]\n"},
    {"a \"b\nc\"\n", "1:[a][b\nc]\n"},
    {"a\"b,c\"\"d\n", "1:[a\"b][c\"\"d]\n"},
    {"one\n", "1:[one]\n"},
    {"a,\"b\rc\"\n", "1:[a][b\rc]\n"},
};

static void records_and_fields(void **state)
{
    char out[256];
    for (size_t k = 0; k < sizeof readable / sizeof *readable; k++) {
        test_file file = file_of(readable[k].text);
        assert_int_equal(show(file.path, NULL, out, NULL), WEFT_OK);
        assert_string_equal(out, readable[k].shown);
        unlink(file.path);
    }
}

#define RETURN_ALONE                                                                                     \
    "found a carriage return (CR) without a line feed behind it, expected lines that end in LF or CRLF " \
    "(CR alone ends the lines of old Macintosh files; in an id it needs quotes)"
#define EIGHTY "0123456789012345678901234567890123456789012345678901234567890123456789012345678"

static const struct {
    const char *text, *message;
} refused[] = {
    {"a,b\n\"c,d\ne\n", "F:2: found a quote that is never closed, expected another \""},
    {"a,\"b\"c\n", "F:1:3: found 'c' after a closing quote, expected a delimiter"},
    {"x\na,b,c,d,e\n" EIGHTY "xx\n",
     "F:3: found a line of more than 80 bytes, expected a shorter one (limit: max-line)"},
    {"a,b\n\"" EIGHTY "\n" EIGHTY "\",x\n",
     "F:2: found a quote that is not closed within 80 bytes, expected another \" (limit: max-line)"},
    {"[{\"a\":1}]\n", "F:1: found a list of JSON, expected delimited text"},
    {" [\n", "F:1: found a list of JSON, expected delimited text"},
    {"{ \"a\":1}\n", "F:1: found JSON, expected delimited text"},
    {"a,b,c,d,e,f\n", "F:1: found more than 5 fields, expected fewer (limit: max-fields)"},
    {"a,b\rc,d\r", "F:1:3: " RETURN_ALONE},
    {"a,b\n#c\rd,e\r", "F:2: " RETURN_ALONE},
    {"a,b\nc,\"d\"\r,e\n", "F:2:3: " RETURN_ALONE},
    {"a,b\r\r\n", "F:1:3: " RETURN_ALONE},
};

static void refusals(void **state)
{
    char out[512];
    weft_file_options options = {.line_limit = 80, .field_limit = 5};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        test_file file = file_of(refused[k].text);
        assert_int_equal(show(file.path, &options, out, &error), WEFT_INPUT);
        assert_string_equal(message_without(&error, file.path), refused[k].message);
        unlink(file.path);
    }
}

static void a_line_of_the_limit_is_read(void **state)
{
    char out[512];
    weft_file_options options = {.line_limit = 80};
    test_file file = file_of(EIGHTY "x\r\n");
    assert_int_equal(show(file.path, &options, out, NULL), WEFT_OK);
    assert_string_equal(out, "1:[" EIGHTY "x]\n");
    unlink(file.path);
}

static void zero_bytes_are_refused(void **state)
{
    char out[64];
    weft_error error = {0};
    test_file file = file_of_bytes("a,b\nc,\0d\n", 9);
    assert_int_equal(show(file.path, NULL, out, &error), WEFT_INPUT);
    assert_string_equal(message_without(&error, file.path), "F:2:3: found a zero byte, expected text");
    unlink(file.path);
    for (int k = 0; k < 2; k++) {
        file = file_of_bytes(k == 0 ? "\xFF\xFE"
                                      "a\0"
                                    : "\xFE\xFF\0a",
                             4);
        assert_int_equal(show(file.path, NULL, out, &error), WEFT_INPUT);
        assert_string_equal(message_without(&error, file.path), "F:1: found text in UTF-16, expected UTF-8");
        unlink(file.path);
    }
}

static void unreadable_files(void **state)
{
    char out[64];
    weft_error error = {0};
    weft_file_options small = {.line_limit = 79}, narrow = {.field_limit = 2}, none = {.id_limit = -1};
    assert_int_equal(show("/nonexistent/file", NULL, out, &error), WEFT_FILE);
    assert_string_equal(error.message, "/nonexistent/file: cannot be opened: No such file or directory");
    assert_int_equal(show("/", NULL, out, &error), WEFT_FILE);
    assert_string_equal(error.message, "/: cannot be read: Is a directory");
    assert_int_equal(show("/", &small, out, &error), WEFT_ARGUMENT);
    assert_int_equal(show("/", &narrow, out, &error), WEFT_ARGUMENT);
    assert_int_equal(show("/", &none, out, &error), WEFT_ARGUMENT);
}

static void lines_longer_than_the_buffer(void **state)
{
    enum { LONG = 200000 };
    char *text = malloc(LONG + 2), *out = malloc(LONG + 64);
    assert_non_null(text);
    assert_non_null(out);
    memset(text, 'y', LONG);
    text[LONG / 2] = ',';
    text[LONG] = '\n';
    text[LONG + 1] = 0;
    test_file file = file_of(text);
    assert_int_equal(show(file.path, NULL, out, NULL), WEFT_OK);
    assert_int_equal(strlen(out), LONG - 1 + strlen("1:[][]\n"));
    unlink(file.path);
    free(text);
    free(out);
}

static void numbers(void **state)
{
    static const char *const good[] = {"1", " -2.5e-3\t", "+.5", "1e308", "00012", "5.", "1e-400"};
    static const double values[] = {1, -2.5e-3, .5, 1e308, 12, 5, 0};
    static const char *const bad[] = {"",    " ",   "x",   "1x", "0x10", "inf", "nan",  "1e309",
                                      "1 2", "1,5", "--1", "1e", ".",    "+",   "1.2.3"};
    double value = 0;
    char digits[600];
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_true(weft__parse_number(good[k], &value));
        assert_true(value == values[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(weft__parse_number(bad[k], &value));
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = 0;
    assert_false(weft__parse_number(digits, &value));
}

/* Numbers that are short enough to be read by one division, and longer ones. */
static void numbers_are_rounded_as_the_c_library_does(void **state)
{
    static const char characters[] = "0123456789012345678901234567890123456789.-+e";
    dice d = {.state = 11};
    char text[32];
    for (int trial = 0; trial < 200000; trial++) {
        int64_t length = 1 + dice_below(&d, 20), point = dice_below(&d, 2 * length);
        double value = 0;
        char *end = NULL;
        for (int64_t k = 0; k < length; k++)
            text[k] = k == point ? '.' : characters[dice_below(&d, k > 0 && trial % 2 == 0 ? 40 : 44)];
        text[length] = 0;
        double expected = strtod(text, &end);
        bool number = end != text && *end == 0 && isfinite(expected);
        assert_int_equal(weft__parse_number(text, &value), number);
        if (number)
            assert_memory_equal(&value, &expected, sizeof value);
    }
}

static void shown_strings_fit(void **state)
{
    char text[100];
    assert_string_equal(weft__shown_briefly("a\tb\x7F").text, "'a\\tb\\x7f'");
    memset(text, 'z', sizeof text);
    text[99] = 0;
    assert_int_equal(strlen(weft__shown_briefly(text).text), 48 + 2 + 3);
    /* A cut does not fall inside a character. */
    memcpy(text + 47, "\xC3\xA9", 2);
    assert_int_equal(strlen(weft__shown_briefly(text).text), 47 + 2 + 3);
    /* Half a character is told as the byte that it is. */
    text[48] = 0;
    assert_int_equal(strlen(weft__shown_briefly(text).text), 47 + 4 + 2);
}

static void failed_allocations_leave_no_trace(void **state)
{
    char out[4096];
    test_alloc alloc;
    weft_error error = {0};
    int64_t k = 0;
    test_file file = file_of("a,b,c\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20\n\"x\ny\",z\n");
    for (;; k++) {
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_file_options options = {.memory = &memory};
        weft_status status = show(file.path, &options, out, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_true(k > 4);
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_and_fields),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_line_of_the_limit_is_read),
        cmocka_unit_test(zero_bytes_are_refused),
        cmocka_unit_test(unreadable_files),
        cmocka_unit_test(lines_longer_than_the_buffer),
        cmocka_unit_test(numbers),
        cmocka_unit_test(numbers_are_rounded_as_the_c_library_does),
        cmocka_unit_test(shown_strings_fit),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
