/* SPDX-License-Identifier: MIT
 * Streams told as one text: what is read of them, or why nothing more is. */
#ifndef WEFT_TESTS_UNIT_TEST_STREAM_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_STREAM_SUPPORT_H

#include "unit/test_io_support.h"
#include "weft_files.h"

enum { TOLD_BYTES = 600 };

/* Adds a text to another; all that is told is short. */
static inline void add_text(char *told, const char *text)
{
    size_t length = strlen(told), more = strlen(text);
    assert_true(length + more < TOLD_BYTES);
    memcpy(told + length, text, more + 1);
}

/* `row column label`, with the count or the id of the event where it has one. */
static inline void add_event(char *told, const weft_event *event)
{
    char text[TOLD_BYTES];
    snprintf(text, sizeof text, "%s %s %d", event->row, event->column != NULL ? event->column : "-",
             event->label);
    add_text(told, text);
    if (event->count != 0) {
        snprintf(text, sizeof text, " x%lld", (long long)event->count);
        add_text(told, text);
    }
    if (event->id != NULL) {
        snprintf(text, sizeof text, " (%s)", event->id);
        add_text(told, text);
    }
    add_text(told, "; ");
}

/* The events of a file, each with `; ` behind it. */
static inline weft_status tell_file(const char *path, const weft_stream_options *how,
                                    const weft_memory *memory, char *told, weft_stream_facts *facts,
                                    weft_error *error)
{
    const weft_file_options options = {.memory = memory};
    weft_stream *stream = NULL;
    weft_event event = {0};
    bool more = true;
    *told = 0;
    weft_status status = weft_stream_open_with(how, &path, 1, &options, &stream, error);
    while (status == WEFT_OK && more) {
        status = weft_stream_next(stream, &event, &more, error);
        if (status == WEFT_OK && more)
            add_event(told, &event);
    }
    *facts = weft_stream_report(stream);
    weft_stream_free(stream);
    return status;
}

/* What the stream says, and what it says of the allocation that is refused, whichever that is: nothing leaks.
 * Behind `! ` stands the message that it ends with.  Of *facts no text is valid. */
static inline void tell_text(const char *text, const weft_stream_options *how, char *told,
                             weft_stream_facts *facts)
{
    test_file file = file_of(text);
    weft_error error = {0};
    weft_status status = tell_file(file.path, how, NULL, told, facts, &error);
    for (int64_t k = 0; status == WEFT_OK; k++) {
        char again[TOLD_BYTES];
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_status found = tell_file(file.path, how, &memory, again, facts, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(found, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed) {
            assert_string_equal(again, told);
            break;
        }
    }
    unlink(file.path);
    if (status != WEFT_OK) {
        add_text(told, "! ");
        add_text(told, message_without(&error, file.path));
    }
}

static inline void assert_told(const char *text, const weft_stream_options *how, const char *expected)
{
    char told[TOLD_BYTES];
    weft_stream_facts facts;
    tell_text(text, how, told, &facts);
    if (strcmp(told, expected) != 0)
        fail_msg("of '%s' is told '%s', expected '%s'", text, told, expected);
}

#endif
