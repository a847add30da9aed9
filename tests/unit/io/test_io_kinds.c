/* SPDX-License-Identifier: MIT
 * Streams of pairs and of counts, and SPECs that say the same. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

static weft_status show(weft_stream_kind kind, const char *path, char *out, weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    *out = 0;
    TRY(weft_stream_open_as(kind, &path, 1, NULL, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        out += sprintf(out, "%d %s|%s|%d|%lld\n", (int)event.line, event.row,
                       event.column != NULL ? event.column : "-", event.label, (long long)event.count);
    }
done:
    weft_stream_free(stream);
    return status;
}

static const struct {
    weft_stream_kind kind;
    const char *text, *shown;
} readable[] = {
    {WEFT_PAIRS, "", ""},
    {WEFT_PAIRS, "row,column\n", ""},
    {WEFT_PAIRS, "a,b\nc,d\n", "1 a|b|0|0\n2 c|d|0|0\n"},
    {WEFT_PAIRS, "a b\nc d what ever\n", "1 a|b|0|0\n2 c|d|0|0\n"},
    {WEFT_PAIRS, "a,b,1\nc,d,yes\n", "1 a|b|0|0\n2 c|d|0|0\n"},
    {WEFT_PAIRS, "column,x,row\nb,1,a\n", "2 a|b|0|0\n"},
    {WEFT_PAIRS, "row,col\na,b\n", "2 a|b|0|0\n"},
    {WEFT_PAIRS, "ts,user_id,clicked,item_id\n1,a,x,b\n", "2 a|b|0|0\n"},
    {WEFT_PAIRS, "{\"user\":\"a\",\"item\":\"b\"}\n", "1 a|b|0|0\n"},
    {WEFT_PAIRS, "row,other\na,b\n", "1 row|other|0|0\n2 a|b|0|0\n"}, /* no header: it names one alone */
    {WEFT_IDS, "", ""},
    {WEFT_IDS, "a\n# none\n\nNew York, NY\n\"b \"\"c\"\"\"\n",
     "1 a|-|0|0\n4 New York, NY|-|0|0\n5 b \"c\"|-|0|0\n"},
    {WEFT_IDS, "id\na\n", "1 id|-|0|0\n2 a|-|0|0\n"},
    {WEFT_COUNTS, "", ""},
    {WEFT_COUNTS, "row,column,count\n", ""},
    {WEFT_COUNTS, "a,b,3\nc,d,-4\n", "1 a|b|0|3\n2 c|d|0|-4\n"},
    {WEFT_COUNTS, "count,row,column\n 0 ,a,b\n", "2 a|b|0|0\n"},
    {WEFT_COUNTS, "user,item,n\na,b,1\n", "2 a|b|0|1\n"},
    {WEFT_COUNTS, "a b 9007199254740992\na c -9007199254740992\n",
     "1 a|b|0|9007199254740992\n2 a|c|0|-9007199254740992\n"},
};

static void events(void **state)
{
    char out[512];
    for (size_t k = 0; k < sizeof readable / sizeof *readable; k++) {
        test_file file = file_of(readable[k].text);
        assert_int_equal(show(readable[k].kind, file.path, out, NULL), WEFT_OK);
        assert_string_equal(out, readable[k].shown);
        unlink(file.path);
    }
}

static const struct {
    weft_stream_kind kind;
    const char *text, *message;
} refused[] = {
    {WEFT_PAIRS, "a\n", "F:1: found 1 field, expected at least 2 (row, column)"},
    {WEFT_PAIRS, "a,b\nc\n", "F:2: found 1 field, expected at least 2 (row, column)"},
    {WEFT_PAIRS, "x,column,row\na,b\n", "F:2: found 2 fields, expected at least 3 (row, column)"},
    {WEFT_PAIRS, "a,b\n,d\n", "F:2:1: found an empty row, expected an id"},
    {WEFT_PAIRS, "row,column,column\n", "F:1:12: found 'column' twice in the header, expected it once"},
    {WEFT_COUNTS, "a b\n", "F:1: found 2 fields, expected at least 3 (row, column, count)"},
    {WEFT_COUNTS, "a,b,1\nc,d\n", "F:2: found 2 fields, expected at least 3 (row, column, count)"},
    {WEFT_COUNTS, "a,b,1\nc,d,\n", "F:2:5: found '', expected a count: a whole number from -2^53 to 2^53"},
    {WEFT_COUNTS, "a,b,1\nc,d,1.5\n",
     "F:2:5: found '1.5', expected a count: a whole number from -2^53 to 2^53"},
    {WEFT_COUNTS, "a,b,1\nc,d,1e16\n",
     "F:2:5: found '1e16', expected a count: a whole number from -2^53 to 2^53"},
    {WEFT_COUNTS, "count,b,c\n",
     "F:1: found 'count', 'b', 'c' in the first line, expected a count as third field, or a header that "
     "names row, "
     "column, count"},
};

static void refusals(void **state)
{
    char out[512];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        test_file file = file_of(refused[k].text);
        assert_int_equal(show(refused[k].kind, file.path, out, &error), WEFT_INPUT);
        assert_string_equal(message_without(&error, file.path), refused[k].message);
        unlink(file.path);
    }
}

static void a_strange_kind_is_refused(void **state)
{
    weft_error error = {0};
    weft_stream *stream = NULL;
    const char *path = "-";
    assert_int_equal(weft_stream_open_as((weft_stream_kind)4, &path, 1, NULL, &stream, &error),
                     WEFT_ARGUMENT);
    assert_string_equal(error.message, "the kind is 4, not a weft_stream_kind");
    assert_null(stream);
}

/* Whether two SPECs, the first of FILE 1, the second of FILE 2, agree. */
static bool agree(const char *a, const char *b)
{
    test_file files[] = {file_of("u one\nv two\nw two\n"), file_of("u one\nv two\n")};
    const char *texts[] = {a, b};
    weft_roster *rosters[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        char spec[256];
        bool none = texts[k][0] == 'n';
        snprintf(spec, sizeof spec, "%s%s%s", none ? "" : "classes:", none ? "" : files[k].path, texts[k]);
        assert_int_equal(weft_roster_open(spec, NULL, &rosters[k], NULL), WEFT_OK);
    }
    bool same = weft_roster_agrees(rosters[0], rosters[1]);
    for (int k = 0; k < 2; k++) {
        weft_roster_free(rosters[k]);
        unlink(files[k].path);
    }
    return same;
}

static void specs_agree_whatever_their_files(void **state)
{
    assert_true(agree("none", "none"));
    assert_true(agree("", ""));
    assert_true(agree("", ",epsilon=0.1"));
    assert_true(agree(",epsilon=0.5,missing=alone", ",missing=alone,epsilon=0.5"));
    assert_false(agree("none", ""));
    assert_false(agree("none", "none,radius=2"));
    assert_false(agree("", ",epsilon=0.5"));
    assert_true(agree("", ",missing=alone"));
    assert_false(agree("", ",missing=error"));
    assert_false(agree("", ",radius=3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_strange_kind_is_refused),
        cmocka_unit_test(specs_agree_whatever_their_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
