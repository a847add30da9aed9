/* SPDX-License-Identifier: MIT
 * Lines of a stream that cannot be read, and the others, which are. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_support.h"
#include "weft_files.h"

#include <math.h>

/* Reads on behind what is about one line: `row column label` an event, `!` a line that is passed over, `.`
 * the end, and `?` where nothing is known of the lines behind. */
static void tell(const char *bytes, size_t size, const weft_stream_options *how, char *told)
{
    const weft_file_options files = {.line_limit = 80, .field_limit = 16};
    test_file file = file_of_bytes(bytes, size);
    const char *paths[] = {file.path};
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_error error = {0};
    bool more = true;
    *told = 0;
    if (weft_stream_open_with(how, paths, 1, &files, &stream, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    for (int k = 0; k < 20 && more; k++) {
        weft_status status = weft_stream_next(stream, &event, &more, &error);
        if (status != WEFT_OK && !weft_stream_report(stream).passed)
            break;
        if (status != WEFT_OK)
            sprintf(told + strlen(told), "%s", weft_stream_report(stream).swallowed ? "!~ " : "! ");
        else if (more)
            sprintf(told + strlen(told), "%s %s %d; ", event.row, event.column != NULL ? event.column : "-",
                    event.label);
    }
    sprintf(told + strlen(told), "%s", more ? "?" : ".");
    weft_stream_free(stream);
    unlink(file.path);
}

#define OF(text) text, sizeof(text) - 1

static void lines_that_cannot_be_read(void **state)
{
    const weft_stream_options labels = {.kind = WEFT_LABELLED}, pairs = {.kind = WEFT_PAIRS},
                              ids = {.kind = WEFT_IDS}, counts = {.kind = WEFT_COUNTS};
    const struct {
        const weft_stream_options *how;
        const char *text;
        size_t size;
        const char *told;
    } cases[] = {
        {&labels, OF("a,x,1\nb\0,x,0\nc,x,1\n"), "a x 1; ! c x 1; ."},
        {&labels,
         OF("a,x,1\nb,a word that is much too long; longer by far than the eighty bytes that are allowed "
            "here in a line,0\nc,x,1\n"),
         "a x 1; ! c x 1; ."},
        {&labels,
         OF("a,x,1\nb,a word that is much too long; longer by far than the eighty bytes that are allowed "
            "here in a line,0"),
         "a x 1; ! ."},
        {&labels, OF("a\0,x,1\nb,x,0\n"), "! b x -1; ."},
        {&labels,
         OF("a word that is much too long; longer by far than the eighty bytes that are allowed here in a "
            "line,x,1\nb,x,0\n"),
         "! b x -1; ."},
        {&labels, OF("a\0,x,1\nrow,column,label\nb,x,1\n"), "! b x 1; ."},
        {&labels, OF("a\0\nb\0\n"), "! ! ."},
        {&labels, OF("a\nb,x,1\n"), "! b x 1; ."},
        {&labels, OF("user,customer,item,label\nb,x,y,1\n"), "?"},
        {&labels, OF("a,x,1\n\"b,x,0\nc,x,1\n"), "a x 1; !~ ."},
        {&labels, OF("a,x,1\nb,x,\"0\"1\nc,x,1\n"), "a x 1; ! c x 1; ."},
        {&labels, OF("a\0,x,1\n{\"row\":\"b\",\"column\":\"x\",\"label\":1}\n"), "! b x 1; ."},
        {&labels, OF("{\"row\":\n{\"row\":\"b\",\"column\":\"x\"}\n"), "! b x 0; ."},
        {&labels, OF("row,column,label\na,x,1,\nb,y,1,2\nrow,column,label\nc,x\n"), "a x 1; ! ! ! ."},
        {&pairs, OF("a\nb,x\n"), "! b x 0; ."},
        {&pairs, OF("\0\n\0\nb,x\n"), "! ! b x 0; ."},
        {&ids, OF("a\0\nb c\n"), "! b c - 0; ."},
        {&counts, OF("a,x,1\nb,x,many\n"), "a x 0; ! ."},
    };
    char told[400];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tell(cases[k].text, cases[k].size, cases[k].how, told);
        if (strcmp(told, cases[k].told) != 0)
            fail_msg("of '%s' is read '%s', expected '%s'", cases[k].text, told, cases[k].told);
    }
    (void)state;
}

/* Without a name for the label every event of a header is a +1, where that was said; else it is an error. */
static void positives_alone(void **state)
{
    const char *const texts[] = {"user,item\na,x\nb,y\n", "{\"user\":\"a\",\"item\":\"x\"}\n",
                                 "user,item,shop\na,x,q\nb,y,q\n"};
    for (int expected = 0; expected < 2; expected++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            test_file file = file_of(texts[k]);
            const char *paths[] = {file.path};
            weft_stream *stream = NULL;
            weft_event event = {0};
            bool more = true;
            assert_int_equal(weft_stream_open(paths, 1, NULL, &stream, NULL), WEFT_OK);
            if (expected == 1)
                weft_stream_expect_positives(stream);
            weft_status status = weft_stream_next(stream, &event, &more, NULL);
            assert_true(expected == 1 ? status == WEFT_OK && event.label == 1
                                      : status != WEFT_OK || event.label == 0);
            weft_stream_free(stream);
            unlink(file.path);
        }
    weft_stream_expect_positives(NULL);
    (void)state;
}

/* Whichever allocation is refused, nothing leaks, and the stream ends with that. */
static void refused_allocations(void **state)
{
    const char *const texts[] = {
        "user,item,clicked,ts,id,device\na,x,yes,2026-11-19,1,d\nb,y,no,2026-11-20,2,e\n",
        "{\"user\":\"a\",\"item\":\"x\",\"clicked\":true,\"ts\":5,\"device\":\"d\"}\n",
        "\"a\"\"b\nc\",x,1\n# why\nb,x,0\n"};
    const weft_context_fields fields = {.count = 1, .name = {"device"}};
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        test_file file = file_of(texts[k]);
        const char *paths[] = {file.path};
        const weft_file_options files = {.memory = &memory};
        weft_status status = WEFT_MEMORY;
        for (int64_t a = 0; status == WEFT_MEMORY; a++) {
            weft_stream *stream = NULL;
            weft_event event = {0};
            bool more = true;
            test_alloc_arm(&alloc, a);
            status = weft_stream_open(paths, 1, &files, &stream, NULL);
            if (status == WEFT_OK && k < 2)
                status = weft_stream_set_context(stream, &fields, NULL);
            while (status == WEFT_OK && more)
                status = weft_stream_next(stream, &event, &more, NULL);
            weft_stream_free(stream);
        }
        assert_int_equal(status, WEFT_OK);
        unlink(file.path);
    }
    (void)state;
}

/* A language that no model can have, or another one than was asked for. */
static void languages_that_are_refused(void **state)
{
    const weft_language wrong[] = {
        {.labels = (weft_labels)-1},
        {.labels = (weft_labels)9},
        {.labels = WEFT_LABELS_WORDS},
        {.labels = WEFT_LABELS_WORDS, .positive = "up", .negative = "UP"},
        {.labels = WEFT_LABELS_WORDS, .positive = "up", .negative = "down", .threshold = 1},
        {.labels = WEFT_LABELS_YES, .positive = "yes"},
        {.labels = WEFT_LABELS_YES, .negative = "no"},
        {.labels = WEFT_LABELS_BITS, .threshold = 1},
        {.labels = WEFT_LABELS_RATINGS, .threshold = NAN},
        {.labels = WEFT_LABELS_RATINGS, .threshold = INFINITY},
        {.labels = WEFT_LABELS_RATINGS, .threshold = 3},
        {.labels = WEFT_LABELS_WORDS, .positive = "left", .negative = "down"},
    };
    test_file file = file_of("user,item,label\na,x,up\nb,y,down\n");
    const char *paths[] = {file.path};
    const weft_stream_options how = {.positive = "up"};
    weft_stream *stream = NULL;
    assert_int_equal(weft_stream_open_with(&how, paths, 1, NULL, &stream, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(weft_stream_expect(stream, &wrong[k], NULL), WEFT_ARGUMENT);
    weft_language right = {.labels = WEFT_LABELS_WORDS, .positive = "Up", .negative = "down"};
    assert_int_equal(weft_stream_expect(stream, &right, NULL), WEFT_OK);
    assert_int_equal(weft_stream_expect(stream, &(weft_language){0}, NULL), WEFT_OK);
    weft_stream_free(stream);
    unlink(file.path);
    (void)state;
}

/* What is not there. */
static void without_a_stream(void **state)
{
    assert_false(weft_stream_ready(NULL));
    assert_false(weft_stream_seekable(NULL));
    assert_false(weft_stream_report(NULL).named);
    weft_stream_free(NULL);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_cannot_be_read),  cmocka_unit_test(positives_alone),
        cmocka_unit_test(refused_allocations),        cmocka_unit_test(without_a_stream),
        cmocka_unit_test(languages_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
