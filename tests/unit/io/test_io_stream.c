/* SPDX-License-Identifier: MIT
 * Streams of labelled pairs. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <sys/stat.h>

/* All events, one a line. */
static weft_status show(weft_stream *stream, char *out, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    *out = 0;
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        out += sprintf(out, "%d %s|%s|%d\n", (int)event.line, event.row, event.column, event.label);
    }
done:
    return status;
}

static weft_status show_file(const char *path, const weft_file_options *options, char *out, weft_error *error)
{
    weft_stream *stream = NULL;
    weft_status status = WEFT_OK;
    TRY(weft_stream_open(&path, 1, options, &stream, error));
    TRY(show(stream, out, error));
done:
    weft_stream_free(stream);
    return status;
}

static const struct {
    const char *text, *shown;
} readable[] = {
    {"", ""},
    {"row,column,label\n", ""},
    {"row,column,label\na,b,1\na,c,-1\n", "2 a|b|1\n3 a|c|-1\n"},
    {"a,b,+1\na,c,-1\n", "1 a|b|1\n2 a|c|-1\n"},
    {"a,b,0\na,c,1\n", "1 a|b|-1\n2 a|c|1\n"},
    {"a,b,\na,c,1\n", "1 a|b|0\n2 a|c|1\n"},
    {"a,b, 1 \n", "1 a|b|1\n"},
    {"a b 1\nc d\n", "1 a|b|1\n2 c|d|0\n"},
    {"a b\nc d -1\n", "1 a|b|0\n2 c|d|-1\n"},
    {"label,note,column,row\n1,x,c,r\n", "2 r|c|1\n"},
    {"user,item,rating\na,b,1\n", "2 a|b|1\n"},
    {"row,column,value\na,b,1\n", "2 a|b|1\n"}, /* by what is left */
    {"ts,User ID,clicked,ITEM-id\n7,a,1,b\n", "2 a|b|1\n"},
    {"row,column,label,vote,user\na,b,1,0,c\n", "2 a|b|1\n"}, /* the kind's own words first */
    {"row,column,label,ts,ts\na,b,1,7,x\n", "2 a|b|1\n"}, /* which of two is the time is not known: none */
    {"row,column,label,ts,ts,at\na,b,1,7,x,8\n", "2 a|b|1\n"},
    {"{\"row\":\"a\",\"column\":\"b\",\"label\":1,\"ts\":\"x\",\"ts\":2}\n", "1 a|b|1\n"},
    {"user,item,y\na,b,y\na,c,N\n", "2 a|b|1\n3 a|c|-1\n"},
    {"column,friend,label\na,b,1\n", "2 b|a|1\n"},
    {"a,b,Yes\na,c,no\na,d,\n", "1 a|b|1\n2 a|c|-1\n3 a|d|0\n"},
    {"a,b,TRUE\na,c,False\n", "1 a|b|1\n2 a|c|-1\n"},
    {"a,b,1.0\na,c,0.0\na,d,1e0\n", "1 a|b|1\n2 a|c|-1\n3 a|d|1\n"},
    {"a,b,-1.0\na,c,1\n", "1 a|b|-1\n2 a|c|1\n"},
    {"{\"user_id\": \"a\", \"item_id\": 7, \"clicked\": true}\n{\"item_id\":\"x\",\"user_id\":\"b\"}\n",
     "1 a|7|1\n2 b|x|0\n"},
    {"# why\n\n {\"row\":\"a\",\"column\":-1.50e3,\"label\":null}\r\n", "3 a|-1.50e3|0\n"},
    {"a\tb c\t1\textra\n", "1 a|b c|1\n"},
    {"row,column,label,day\r\n\"a,1\",b,1,monday\r\n", "2 a,1|b|1\n"},
};

static void events(void **state)
{
    char out[512];
    for (size_t k = 0; k < sizeof readable / sizeof *readable; k++) {
        test_file file = file_of(readable[k].text);
        assert_int_equal(show_file(file.path, NULL, out, NULL), WEFT_OK);
        assert_string_equal(out, readable[k].shown);
        unlink(file.path);
    }
}

#define KNOWN "-1, 0, 1, true, false, yes, no, y, n or nothing"

static const struct {
    const char *text, *message;
} refused[] = {
    {"a,b\n", "F:1: found 2 fields, expected at least 3 (row, column, label)"},
    {"a\n", "F:1: found 1 field, expected at least 3 (row, column, label)"},
    {"a,b,1\nc,d\n", "F:2: found 2 fields, expected at least 3 (row, column, label)"},
    {"label,x,z,row,column\n1,2,3\n", "F:2: found 3 fields, expected at least 5 (row, column, label)"},
    {"a,b,1\nc,d,yes\n", "F:2:5: found label 'yes', but since line 1 of F labels are -1/1 or 0/1"},
    {"a,b,1\nc,d,maybe\n", "F:2:5: found 'maybe', expected a label: " KNOWN},
    {"a,b,1\nc,d,1 1\n", "F:2:5: found '1 1', expected a label: " KNOWN},
    {"a,b,0\nc,d,1\nc,d,-1\n", "F:3:5: found label '-1', but since line 1 of F labels are 0/1"},
    {"a,b,-1\nc,d,0\n", "F:2:5: found label '0', but since line 1 of F labels are -1/1"},
    {"a,b,true\nc,d,1\n", "F:2:5: found label '1', but since line 1 of F labels are true/false"},
    {"user,item,what\na,b,buy\nc,d,skip\ne,f,hm\n",
     "F:2:5: found the words 'buy', 'skip' and 'hm', expected labels: " KNOWN},
    {"a,b,2\na,b,1\n", "F:1: found 'a', 'b', '2' in the first line, expected a label as third field, or a "
                       "header that names row, "
                       "column, label"},
    {"a,b,1\n,d,1\n", "F:2:1: found an empty row, expected an id"},
    {"a,b,1\nc,,1\n", "F:2:3: found an empty column, expected an id"},
    {"row,row,label\n", "F:1:5: found 'row' twice in the header, expected it once"},
    {"row,label,x,z\n",
     "F:1: found a header without a clear column: 'row', 'label', 'x', 'z', expected names that "
     "tell row, column, label"},
    {"user,customer,item,label\n",
     "F:1:6: found 'user' and 'customer', of which each may be the row, expected one "
     "of them"},
    {"row,ts,a,b,clicked\n",
     "F:1: found a header without a clear column: 'row', 'ts', 'a', 'b', 'clicked', expected "
     "names that tell row, column, label"},
    {"a,b,1\n\"c,d,1\n", "F:2: found a quote that is never closed, expected another \""},
};

static void refusals(void **state)
{
    char out[512];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        test_file file = file_of(refused[k].text);
        assert_int_equal(show_file(file.path, NULL, out, &error), WEFT_INPUT);
        assert_string_equal(message_without(&error, file.path), refused[k].message);
        unlink(file.path);
    }
}

static void files_follow_each_other_and_can_be_read_again(void **state)
{
    char out[512];
    weft_stream *stream = NULL;
    test_file files[] = {file_of("row,column,label\na,b,1\n"), file_of(""), file_of("# only this\n"),
                         file_of("c d -1\n")};
    const char *paths[] = {files[0].path, files[1].path, files[2].path, files[3].path};
    assert_int_equal(weft_stream_open(paths, 4, NULL, &stream, NULL), WEFT_OK);
    assert_true(weft_stream_seekable(stream));
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(show(stream, out, NULL), WEFT_OK);
        assert_string_equal(out, "2 a|b|1\n1 c|d|-1\n");
        assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    }
    weft_stream_free(stream);
    for (int k = 0; k < 4; k++)
        unlink(paths[k]);
}

static void write_again(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Of two files the second is `then` when it is read again. */
static weft_status read_twice(const char *first, const char *then, char *out, weft_error *error)
{
    weft_stream *stream = NULL;
    weft_status status = WEFT_OK;
    test_file files[] = {file_of("a,b,1\n"), file_of(first)};
    const char *paths[] = {files[0].path, files[1].path};
    TRY(weft_stream_open(paths, 2, NULL, &stream, error));
    TRY(show(stream, out, error));
    TRY(weft_stream_rewind(stream, error));
    write_again(paths[1], then);
    TRY(show(stream, out, error));
done:
    weft_stream_free(stream);
    unlink(paths[0]);
    unlink(paths[1]);
    return status;
}

static void files_that_change_between_readings_are_noticed(void **state)
{
    static const struct {
        const char *then, *events, *message;
    } cases[] = {
        {"c,d,1\ne,f,-1\n", "1 a|b|1\n1 c|d|1\n2 e|f|-1\n", NULL},
        {"c,d,1\n", "1 a|b|1\n1 c|d|1\n", "found 6 bytes, expected 13 as before"},
        {"c,d,1\ne,f", "1 a|b|1\n1 c|d|1\n", "found 9 bytes, expected 13 as before"},
        {"c,d,1\n\"e", "1 a|b|1\n1 c|d|1\n", "found 8 bytes, expected 13 as before"},
        {"", "1 a|b|1\n", "found 0 bytes, expected 13 as before"},
        {"c,d,1\ne,f,-1\ng,h,1\n", "1 a|b|1\n", "found 19 bytes or more, expected 13 as before"},
        {"c,d,1\ne,g,-1\n", "1 a|b|1\n1 c|d|1\n2 e|g|-1\n", "found other bytes, expected the same 13"},
    };
    char out[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        weft_error error = {0};
        weft_status status = read_twice("c,d,1\ne,f,-1\n", cases[k].then, out, &error);
        assert_int_equal(status, cases[k].message != NULL ? WEFT_INPUT : WEFT_OK);
        assert_string_equal(out, cases[k].events);
        if (cases[k].message != NULL)
            assert_non_null(strstr(error.message, cases[k].message));
    }
}

/* What was not read to its end is not known: a rewind then begins anew. */
static void a_reading_that_was_broken_off_binds_nobody(void **state)
{
    char out[512];
    weft_event event = {0};
    weft_stream *stream = NULL;
    bool more = false;
    test_file file = file_of("a,b,1\nc,d,1\n");
    const char *path = file.path;
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
    assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    write_again(path, "e,f,1\n");
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(show(stream, out, NULL), WEFT_OK);
        assert_string_equal(out, "1 e|f|1\n");
        assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    }
    write_again(path, "e,g,1\n");
    assert_int_equal(show(stream, out, NULL), WEFT_INPUT);
    weft_stream_free(stream);
    unlink(path);
}

static void labels_are_of_one_kind_in_all_files(void **state)
{
    char out[512];
    weft_error error = {0};
    weft_stream *stream = NULL;
    test_file files[] = {file_of("a,b,0\n"), file_of("c,d,-1\n")};
    const char *paths[] = {files[0].path, files[1].path};
    assert_int_equal(weft_stream_open(paths, 2, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(show(stream, out, &error), WEFT_INPUT);
    assert_non_null(strstr(error.message, "found label '-1', but since line 1 of"));
    weft_stream_free(stream);
    unlink(paths[0]);
    unlink(paths[1]);
}

static void pipes_are_read_once(void **state)
{
    weft_error error = {0};
    weft_stream *stream = NULL;
    test_file file = file_of("");
    const char *path = file.path;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_false(weft_stream_seekable(stream));
    assert_int_equal(weft_stream_rewind(stream, &error), WEFT_FILE);
    weft_stream_free(stream);
    unlink(path);
}

/* Standard input that is a regular file can be read again from where it was. */
static void standard_input_is_a_stream(void **state)
{
    char out[512];
    weft_stream *stream = NULL;
    test_file file = file_of("skipped\na,b,1\n");
    const char *dash = "-";
    int kept = dup(STDIN_FILENO);
    assert_non_null(freopen(file.path, "r", stdin));
    assert_int_equal(lseek(STDIN_FILENO, 8, SEEK_SET), 8);
    assert_int_equal(weft_stream_open(&dash, 1, NULL, &stream, NULL), WEFT_OK);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(show(stream, out, NULL), WEFT_OK);
        assert_string_equal(out, "1 a|b|1\n");
        assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    }
    weft_stream_free(stream);
    dup2(kept, STDIN_FILENO);
    close(kept);
    unlink(file.path);
}

static void what_cannot_be_opened(void **state)
{
    weft_error error = {0};
    weft_stream *stream = NULL;
    test_file file = file_of("a,b,1\n");
    const char *paths[] = {file.path, "/nonexistent/stream.csv"};
    weft_file_options limits = {.line_limit = 1};
    assert_int_equal(weft_stream_open(paths, 2, NULL, &stream, &error), WEFT_FILE);
    assert_string_equal(error.message,
                        "/nonexistent/stream.csv: cannot be opened: No such file or directory");
    assert_int_equal(weft_stream_open(paths, 0, NULL, &stream, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_open(paths, 1, &limits, &stream, &error), WEFT_ARGUMENT);
    assert_null(stream);
    weft_stream_free(NULL);
    assert_int_equal(weft_stream_open(paths, 1, NULL, &stream, &error), WEFT_OK);
    unlink(file.path);
    weft_event event = {0};
    bool more = true;
    assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_FILE);
    weft_stream_free(stream);
}

static void failed_allocations_leave_no_trace(void **state)
{
    char out[512];
    test_alloc alloc;
    weft_error error = {0};
    int64_t k = 0;
    test_file file = file_of("row,column,label\na,b,1\n\"c\nd\",e,-1\n");
    for (;; k++) {
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_file_options options = {.memory = &memory};
        weft_status status = show_file(file.path, &options, out, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_true(k > 5);
    unlink(file.path);
}

/* A stream that continues another speaks its language, also after a rewind. */
static void labels_of_an_earlier_stream(void **state)
{
    test_file file = file_of("a,b,1\nc,d,0\n");
    const char *path = file.path;
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_error error = {0};
    bool more = true;
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, &error), WEFT_OK);
    assert_int_equal(weft_stream_language(stream).labels, WEFT_LABELS_UNKNOWN);
    assert_int_equal(weft_stream_expect(stream, &(weft_language){.labels = WEFT_LABELS_SIGNED}, &error),
                     WEFT_OK);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(weft_stream_language(stream).labels, WEFT_LABELS_SIGNED);
        assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_OK);
        assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_INPUT);
        assert_string_equal(message_without(&error, file.path),
                            "F:2:5: found label '0', but labels learnt before are -1/1");
        assert_int_equal(weft_stream_rewind(stream, &error), WEFT_OK);
    }
    assert_int_equal(weft_stream_expect(stream, &(weft_language){.labels = WEFT_LABELS_BITS}, &error),
                     WEFT_OK);
    while (more)
        assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_OK);
    assert_int_equal(weft_stream_language(stream).labels, WEFT_LABELS_BITS);
    assert_int_equal(weft_stream_expect(stream, &(weft_language){.labels = WEFT_LABELS_UNKNOWN}, &error),
                     WEFT_OK);
    assert_int_equal(weft_stream_rewind(stream, &error), WEFT_OK);
    assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_OK);
    assert_int_equal(weft_stream_language(stream).labels, WEFT_LABELS_UNKNOWN);
    assert_int_equal(weft_stream_next(stream, &event, &more, &error), WEFT_OK);
    assert_int_equal(weft_stream_language(stream).labels, WEFT_LABELS_BITS);
    weft_stream_free(stream);
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events),
        cmocka_unit_test(refusals),
        cmocka_unit_test(files_follow_each_other_and_can_be_read_again),
        cmocka_unit_test(files_that_change_between_readings_are_noticed),
        cmocka_unit_test(a_reading_that_was_broken_off_binds_nobody),
        cmocka_unit_test(labels_are_of_one_kind_in_all_files),
        cmocka_unit_test(pipes_are_read_once),
        cmocka_unit_test(standard_input_is_a_stream),
        cmocka_unit_test(labels_of_an_earlier_stream),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
