/* SPDX-License-Identifier: MIT
 * Times: dates as seconds, and whether events are in the order of theirs. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "io/stream/times.h"
#include "unit/test_stream_support.h"

#include <math.h>

static void dates_are_seconds_since_1970(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } dates[] = {
        {"1970-01-01", 0},
        {"1970-01-02", 86400},
        {"1969-12-31", -86400},
        {"2000-02-29", 951782400},
        {"2024-02-29", 1709164800},
        {"2024-03-01", 1709251200},
        {"1900-03-01", -2203891200},
        {"0000-01-01", -62167219200},
        {"2026-11-19T13:30:59Z", 1795095059},
        {"2026-11-19t13:30:59z", 1795095059},
        {"2026-11-19 13:30", 1795095000},
        {"2026-11-19T13:30:59.5", 1795095059.5},
        {"2026-11-19T13:30:59,25Z", 1795095059.25},
        {"2026-11-19T13:30:59+01:00", 1795091459},
        {"2026-11-19T13:30:59+0130", 1795089659},
        {"2026-11-19T13:30:59-02", 1795102259},
        {"2026-11-19T24:00:60", 1795132860},
    };
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        double value = -1;
        assert_int_equal(weft__parse_time(dates[k].text, &value), WEFT__TIME_DATE);
        if (!(fabs(value - dates[k].seconds) < 1e-6))
            fail_msg("%s is %.17g, expected %.17g", dates[k].text, value, dates[k].seconds);
    }
}

static void what_is_no_time(void **state)
{
    static const char *const others[] = {
        "",
        "soon",
        "x026-11-19",
        "2026-11",
        "2026-11-1",
        "2026/11/19",
        "2026-11:19",
        "2026-00-19",
        "2026-13-19",
        "2026-11-00",
        "2026-11-31",
        "2023-02-29",
        "1900-02-29",
        "2026-11-19x",
        "2026-11-19T",
        "2026-11-19T1",
        "2026-11-19T13",
        "2026-11-19T13:",
        "2026-11-19T13:3",
        "2026-11-19T13:30:",
        "2026-11-19T13:30:5",
        "2026-11-19T13:30:59.",
        "2026-11-19T13:30:59.x",
        "2026-11-19T25:00",
        "2026-11-19T13:60",
        "2026-11-19T13:30:61",
        "2026-11-19T13:30x",
        "2026-11-19T13:30+",
        "2026-11-19T13:30+1",
        "2026-11-19T13:30+01:",
        "2026-11-19T13:30+01:6",
        "2026-11-19T13:30+24:00",
        "2026-11-19T13:30+01:60",
        "2026-11-19T13:30Zx",
    };
    double value = 0;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (weft__parse_time(others[k], &value) != WEFT__NO_TIME)
            fail_msg("'%s' is taken for a time", others[k]);
    assert_int_equal(weft__parse_time("-2026.5", &value), WEFT__TIME_NUMBER);
    assert_true(value == -2026.5);
}

#define HEADER "row,column,label,ts\n"

static void assert_counted(const char *text, int64_t timed, int64_t early, int64_t first_early)
{
    const weft_stream_options how = {.kind = WEFT_LABELLED};
    char told[TOLD_BYTES];
    weft_stream_facts facts;
    tell_text(text, &how, told, &facts);
    assert_null(strchr(told, '!'));
    assert_int_equal(facts.timed, timed);
    assert_int_equal(facts.early, early);
    assert_int_equal(facts.first_early, first_early);
}

/* By a usual name times are looked at as long as they are times. */
static void times_that_nobody_asked_for_are_counted(void **state)
{
    assert_counted(HEADER "a,x,1,5\nb,x,0,5\nc,x,1,6.5\n", 3, 0, 0);
    assert_counted(HEADER "a,x,1,5\nb,x,0,4\nc,x,1,3\n", 3, 2, 3);
    assert_counted(HEADER "a,x,1,2026-11-19\nb,x,0,2026-11-18\n", 2, 1, 3);
    assert_counted(HEADER "a,x,1,5\nb,x,0,2026-11-18\nc,x,1,6\n", 0, 0, 0);
    assert_counted(HEADER "a,x,1,soon\nb,x,0,2\nc,x,1,1\n", 0, 0, 0);
    assert_counted(HEADER "a,x,1,2\nb,x,0\nc,x,1,1\n", 2, 1, 4);
    assert_counted(HEADER "a,x,1,\nb,x,0,2\nc,x,1,1\n", 2, 1, 4);
}

static void times_that_were_asked_for_are_in_order(void **state)
{
    const weft_stream_options how = {.fields = {[WEFT_FIELD_TIME] = "ts"}};
    char told[TOLD_BYTES];
    weft_stream_facts facts;
    assert_told(HEADER "a,x,1,5\nb,x,0,6\n", &how, "a x 1; b x -1; ");
    assert_told(HEADER "a,x,1,soon\n", &how,
                "! F:2:7: found 'soon', expected a time: a number, or a date as 2026-11-19T13:30:59Z");
    assert_told(HEADER "a,x,1,5\nb,x,0,2026-11-19\n", &how,
                "a x 1; ! F:3:7: found '2026-11-19', expected a time: a number as in the "
                "lines before");
    assert_told(HEADER "a,x,1,2026-11-19\nb,x,0,7\n", &how,
                "a x 1; ! F:3:7: found '7', expected a time: a date as in the lines before, such as "
                "2026-11-19T13:30:59Z");
    assert_told(HEADER "a,x,1\n", &how, "! F:2: found 3 fields, expected at least 4 (row, column, label)");
    tell_text(HEADER "a,x,1,5\nb,x,0,4\n", &how, told, &facts);
    assert_string_equal(told, "a x 1; ! F:3:7: found time '4', which is before that of line 2, expected "
                              "events in the order of their times");
    assert_int_equal(facts.need, WEFT_NEEDS_NO_ORDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_seconds_since_1970),
        cmocka_unit_test(what_is_no_time),
        cmocka_unit_test(times_that_nobody_asked_for_are_counted),
        cmocka_unit_test(times_that_were_asked_for_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
