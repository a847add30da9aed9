/* SPDX-License-Identifier: MIT
 * JSON lines: the grammar of RFC 8259, strings unescaped, and what is no event. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit/test_stream_support.h"

static const weft_stream_options labelled = {.kind = WEFT_LABELLED};

typedef struct told_case {
    const char *text, *told;
} told_case;

static void assert_cases(const told_case *cases, size_t count, const weft_stream_options *how)
{
    for (size_t k = 0; k < count; k++)
        assert_told(cases[k].text, how, cases[k].told);
}

#define ASSERT_CASES(cases, how) assert_cases(cases, sizeof(cases) / sizeof *(cases), how)

static void objects_are_events(void **state)
{
    static const told_case cases[] = {
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":1}\n", "a x 1; "},
        {" \t{ \"label\" : -1 , \"column\" : \"x\" , \"row\" : \"a\" } \r\n", "a x -1; "},
        {"{ \"label\" : -1 , \"column\" : \"x\" , \"row\" : \"a\" } \r\n", "a x -1; "},
        {"{\"user_id\":7,\"item\":-1.5e+3,\"clicked\":true}\n{\"item\":1E2,\"user_id\":0.25,\"clicked\":"
         "false}\n",
         "7 -1.5e+3 1; 0.25 1E2 -1; "},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":null}\n\n{\"row\":\"b\",\"column\":\"x\"}\n",
         "a x 0; b x 0; "},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":\"yes\",\"more\":{\"list\":[1,[],{},{\"k\":null}],\"t\":"
         "\"}\"}}\n",
         "a x 1; "},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":1,\"id\":5}\n{\"row\":\"a\",\"column\":\"x\",\"label\":0,"
         "\"id\":null}\n",
         "a x 1 (5); a x -1; "},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":1,\"time\":5}\n{\"row\":\"a\",\"column\":\"x\",\"label\":"
         "0}\n",
         "a x 1; a x -1; "},
    };
    ASSERT_CASES(cases, &labelled);
}

static void strings_are_unescaped(void **state)
{
    static const told_case cases[] = {
        {"{\"row\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"column\":\"x\"}\n", "\"\\/\b\f\n\r\t x 0; "},
        {"{\"row\":\"\\u0041\\u00e9\\u00E9\\u20ac\\ud83d\\ude00\",\"column\":\"é€😀\"}\n", "Aéé€😀 é€😀 0; "},
        {"{\"r\\u006fw\":\"a\",\"column\":\"\\u07ff\\u0800\\uFFFD\"}\n", "a \u07ff\u0800\ufffd 0; "},
        {"{\"row\":\"\\ud83d\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ud83dx\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ud83d\\n\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ud83d\\u00zz\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ud83d\\u0041\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ud83d\\ue000\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\ude00\",\"column\":\"x\"}\n",
         "! F:1:9: found half of a surrogate pair, expected both halves"},
        {"{\"row\":\"\\u0000\",\"column\":\"x\"}\n", "! F:1:9: found a zero byte (\\u0000), expected text"},
        {"{\"row\":\"\\u12\",\"column\":\"x\"}\n",
         "! F:1:9: found \\u without four hexadecimal digits behind it"},
        {"{\"row\":\"\\u00g0\",\"column\":\"x\"}\n",
         "! F:1:9: found \\u without four hexadecimal digits behind it"},
        {"{\"row\":\"\\u00:0\",\"column\":\"x\"}\n",
         "! F:1:9: found \\u without four hexadecimal digits behind it"},
        {"{\"row\":\"\\u00G0\",\"column\":\"x\"}\n",
         "! F:1:9: found \\u without four hexadecimal digits behind it"},
        {"{\"row\":\"\\x\",\"column\":\"x\"}\n",
         "! F:1:9: found a backslash before 'x', expected one of \"\\/bfnrtu"},
        {"{\"row\":\"\\é\",\"column\":\"x\"}\n",
         "! F:1:9: found a backslash before 'é', expected one of \"\\/bfnrtu"},
        {"{\"row\":\"a\\",
         "! F:1:10: found a backslash before the end of the line, expected one of \"\\/bfnrtu"},
        {"{\"row\":\"a", "! F:1:8: found a quote that is never closed, expected another \""},
        {"{\"row\":\"a\tb\",\"column\":\"x\"}\n",
         "! F:1:10: found '\\t' in a string, expected it to be escaped"},
        {"{\"row\":\"a\xff\",\"column\":\"x\"}\n", "! F:1:10: found a byte that is no UTF-8, expected UTF-8"},
    };
    ASSERT_CASES(cases, &labelled);
}

static void values_are_those_of_json(void **state)
{
    static const told_case cases[] = {
        {"{\"row\":01,\"column\":\"x\"}\n", "! F:1:9: found '1', expected ',' or '}'"},
        {"{\"row\":-,\"column\":\"x\"}\n",
         "! F:1:8: found '-', expected a value: a string, a number, true, false or null"},
        {"{\"row\":1.,\"column\":\"x\"}\n",
         "! F:1:8: found '1', expected a value: a string, a number, true, false or null"},
        {"{\"row\":1e,\"column\":\"x\"}\n",
         "! F:1:8: found '1', expected a value: a string, a number, true, false or null"},
        {"{\"row\":1e-,\"column\":\"x\"}\n",
         "! F:1:8: found '1', expected a value: a string, a number, true, false or null"},
        {"{\"row\":+1,\"column\":\"x\"}\n",
         "! F:1:8: found '+', expected a value: a string, a number, true, false or null"},
        {"{\"row\":é,\"column\":\"x\"}\n",
         "! F:1:8: found 'é', expected a value: a string, a number, true, false or null"},
        {"{\"row\":\xff,\"column\":\"x\"}\n",
         "! F:1:8: found '\\xff', expected a value: a string, a number, true, false or null"},
        {"{\"row\":", "! F:1:8: found the end of the line, expected a value: a string, a number, true, false "
                      "or null: an object stands on one line"},
        {"{\"row\":[\"a\"],\"column\":\"x\"}\n",
         "! F:1:8: found an object or a list as row, expected a single value"},
        {"{\"row\":{\"a\":1},\"column\":\"x\"}\n",
         "! F:1:8: found an object or a list as row, expected a single value"},
        {"{\"row\":true,\"column\":\"x\"}\n", "! F:1:8: found true as row, expected a string or a number"},
        {"{\"row\":null,\"column\":\"x\"}\n", "! F:1:8: found an empty row, expected an id"},
        {"{\"row\":\"a\",\"column\":\"\"}\n", "! F:1:21: found an empty column, expected an id"},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":[]}\n",
         "! F:1:33: found an object or a list as label, expected a single value"},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":1,\"id\":{}}\n",
         "! F:1:40: found an object or a list as id, expected a single value"},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":1,\"time\":[1]}\n",
         "! F:1:42: found an object or a list as time, expected a single value"},
    };
    ASSERT_CASES(cases, &labelled);
}

static void objects_are_those_of_json(void **state)
{
    static const told_case cases[] = {
        {"{}\n",
         "! F:1: found an object without a clear row: no names, expected names that tell row, column, label"},
        {"{row:\"a\"}\n", "! F:1:2: found 'r', expected the name of a field, in quotes"},
        {"{\"row\n", "! F:1:2: found a quote that is never closed, expected another \""},
        {"{\"row\" \"a\"}\n", "! F:1:8: found '\"', expected a colon behind the name of a field"},
        {"{\"row\":\"a\" \"column\":\"x\"}\n", "! F:1:12: found '\"', expected ',' or '}'"},
        {"{\"row\":\"a\",\"column\":\"x\"},\n",
         "! F:1:25: found ',' behind the object, expected the end of the line"},
        {"{\"row\":\"a\",\"column\":\"x\"} {}\n",
         "! F:1:26: found '{' behind the object, expected the end of the line"},
        {"{\"row\":\"a\",\"column\":\"x\"}\na,x,1\n",
         "a x 0; ! F:2:1: found 'a', expected an object of JSON, as in the first line"},
        {"{\"m\":[1 2],\"row\":\"a\",\"column\":\"x\"}\n", "! F:1:9: found '2', expected ',' or ']'"},
        {"{\"m\":[1,],\"row\":\"a\",\"column\":\"x\"}\n",
         "! F:1:9: found ']', expected a value: a string, a number, true, false or null"},
        {"{\"m\":{1:2},\"row\":\"a\",\"column\":\"x\"}\n",
         "! F:1:7: found '1', expected the name of a field, in quotes"},
        {"{\"m\":{\"k\":},\"row\":\"a\",\"column\":\"x\"}\n",
         "! F:1:11: found '}', expected a value: a string, a number, true, false or null"},
        {"{\"row\":\"a\",\"row\":\"b\",\"column\":\"x\"}\n",
         "! F:1:18: found 'row' twice in an object, expected it once"},
        {"{\"row\":\"a\",\"column\":\"x\"}\n{\"row\":\"a\",\"column\":\"x\",\"column\":\"y\"}\n",
         "a x 0; ! F:2:34: found 'column' twice in an object, expected it once"},
        {"{\"row\":\"a\",\"column\":\"x\"}\n{\"row\":\"a\"}\n",
         "a x 0; ! F:2: found an object with 'row', expected one with 'column', the column"},
        {"{\"user\":\"a\",\"customer\":\"b\",\"item\":\"x\"}\n",
         "! F:1:24: found 'user' and 'customer', of which each may be the row, expected one of them"},
        {"{\"who\":\"a\",\"item\":\"x\"}\n", "! F:1: found an object without a clear row: 'who', 'item', "
                                             "expected names that tell row, column, label"},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":\"buy\"}\n{\"row\":\"a\",\"column\":\"x\"}\n{\"row\":"
         "\"a\",\"column\":\"x\",\"label\":\"skip\"}\n",
         "! F:1:33: found the words 'buy' and 'skip', expected labels: -1, 0, 1, true, false, yes, no, y, n "
         "or nothing"},
        {"{\"row\":\"a\",\"column\":\"x\",\"label\":\"buy\"}\n{\"row\":1,\"row\":2}\n",
         "! F:1:33: found 'buy', expected a label: -1, 0, 1, true, false, yes, no, y, n or nothing"},
    };
    ASSERT_CASES(cases, &labelled);
}

/* Lists inside each other, `depth` of them. */
static void nested(int depth, char *text)
{
    strcpy(text, "{\"row\":\"a\",\"column\":\"x\",\"m\":");
    for (int k = 0; k < depth; k++)
        strcat(text, "[");
    for (int k = 0; k < depth; k++)
        strcat(text, "]");
    strcat(text, "}\n");
}

static void nobody_nests_deeper_than_64(void **state)
{
    char text[TOLD_BYTES];
    nested(63, text);
    assert_told(text, &labelled, "a x 0; ");
    nested(64, text);
    assert_told(text, &labelled, "! F:1:92: found more than 64 values inside each other, expected fewer");
}

static void kinds_take_their_own_fields(void **state)
{
    const weft_stream_options pairs = {.kind = WEFT_PAIRS}, counts = {.kind = WEFT_COUNTS};
    const weft_stream_options ids = {.kind = WEFT_IDS};
    assert_told("{\"item\":\"x\",\"user\":\"a\",\"label\":1}\n", &pairs, "a x 0; ");
    assert_told("{\"row\":\"a\",\"column\":\"x\",\"count\":3}\n", &counts, "a x 0 x3; ");
    assert_told("{\"row\":\"a\",\"column\":\"x\",\"count\":1.5}\n", &counts,
                "! F:1:33: found '1.5', expected a count: a whole number from -2^53 to 2^53");
    assert_told(
        "{\"row\":\"a\",\"column\":\"x\"}\n", &counts,
        "! F:1: found an object without a clear count: 'row', 'column', expected names that tell row, "
        "column, count");
    assert_told("{\"row\":\"a\"}\n", &ids, "{\"row\":\"a\"} - 0; ");
}

static void names_are_asked_for(void **state)
{
    const weft_stream_options how = {.fields = {[WEFT_FIELD_ROW] = "who", [WEFT_FIELD_ID] = "event"}};
    assert_told("{\"who\":\"a\",\"item\":\"x\",\"event\":\"e\"}\n{\"item\":\"y\",\"who\":\"b\"}\n", &how,
                "a x 0 (e); b y 0; ");
    assert_told("{\"user\":\"a\",\"item\":\"x\"}\n", &how,
                "! F:1: found an object with 'user', 'item', expected one with 'who', the row");
    assert_told("{\"who\":\"a\",\"who\":\"b\",\"item\":\"x\"}\n", &how,
                "! F:1:18: found 'who' twice in an object, expected it once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_events),          cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(values_are_those_of_json),    cmocka_unit_test(objects_are_those_of_json),
        cmocka_unit_test(nobody_nests_deeper_than_64), cmocka_unit_test(kinds_take_their_own_fields),
        cmocka_unit_test(names_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
