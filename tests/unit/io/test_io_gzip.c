/* SPDX-License-Identifier: MIT
 * Files behind gzip are the files. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "io/text/text.h"
#include "unit/test_io_support.h"

#include <zlib.h>

typedef struct packed {
    char bytes[1 << 16];
    size_t size;
} packed;

/* Adds one member that holds `text`. */
static void pack(packed *out, const char *text, size_t length)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)out->bytes + out->size;
    z.avail_out = (uInt)(sizeof out->bytes - out->size);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->size = sizeof out->bytes - z.avail_out;
    deflateEnd(&z);
}

/* All events of a stream as `row column label;`. */
static weft_status show(const char *path, const weft_file_options *options, char *out, weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    *out = 0;
    TRY(weft_stream_open(&path, 1, options, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        out += sprintf(out, "%s %s %d;", event.row, event.column, event.label);
    }
done:
    weft_stream_free(stream);
    return status;
}

static weft_status show_bytes(const packed *in, const weft_file_options *options, char *out,
                              weft_error *error)
{
    test_file file = file_of_bytes(in->bytes, in->size);
    weft_status status = show(file.path, options, out, error);
    if (status != WEFT_OK)
        message_without(error, file.path);
    unlink(file.path);
    return status;
}

static const char lines[] = "row,column,label\na,x,1\nb,y,-1\n";

static void members_are_read_one_after_the_other(void **state)
{
    static packed in;
    char out[256];
    weft_error error = {0};
    in.size = 0;
    pack(&in, lines, 10); /* cut inside a line */
    pack(&in, "", 0);
    pack(&in, lines + 10, strlen(lines) - 10);
    assert_int_equal(show_bytes(&in, NULL, out, &error), WEFT_OK);
    assert_string_equal(out, "a x 1;b y -1;");
    memset(in.bytes + in.size, 0, 512); /* padding, as on tapes */
    in.size += 512;
    assert_int_equal(show_bytes(&in, NULL, out, &error), WEFT_OK);
    assert_string_equal(out, "a x 1;b y -1;");
}

static void a_large_file_takes_many_buffers(void **state)
{
    enum { LINES = 40000 };
    static packed in;
    static char text[LINES * 16];
    size_t length = 0;
    weft_stream *stream = NULL;
    weft_event event = {0};
    bool more = true;
    char name[16];
    for (int k = 0; k < LINES; k++)
        length += (size_t)sprintf(text + length, "r%d,c,%d\n", k % 100, k % 2);
    in.size = 0;
    pack(&in, text, length);
    test_file file = file_of_bytes(in.bytes, in.size);
    const char *path = file.path;
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < LINES; k++) {
            assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
            snprintf(name, sizeof name, "r%d", k % 100);
            assert_true(more && strcmp(event.row, name) == 0 && event.label == (k % 2 == 1 ? 1 : -1));
        }
        assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
        assert_false(more);
        assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    }
    weft_stream_free(stream);
    unlink(file.path);
}

/* Cut at every byte, it is an error or (an empty file) no events at all. */
static void every_truncation_is_found(void **state)
{
    static packed whole, cut;
    char out[256];
    whole.size = 0;
    pack(&whole, lines, strlen(lines));
    for (size_t size = 0; size < whole.size; size++) {
        weft_error error = {0};
        memcpy(cut.bytes, whole.bytes, size);
        cut.size = size;
        weft_status status = show_bytes(&cut, NULL, out, &error);
        if (size == 0) {
            assert_int_equal(status, WEFT_OK);
            continue;
        }
        assert_int_equal(status, WEFT_INPUT);
        if (size > 1)
            assert_non_null(strstr(error.message, "cut short"));
    }
}

/* Every single bit that is flipped is found, but for those that say nothing: time,
 * system and flags in the header, and what fills the last byte of the data. */
static void every_flipped_bit_is_found(void **state)
{
    enum { HEADER = 10, FILLING = 7 };
    static packed whole, bad;
    char out[256];
    int silent = 0;
    whole.size = 0;
    pack(&whole, lines, strlen(lines));
    for (size_t bit = 0; bit < 8 * whole.size; bit++) {
        weft_error error = {0};
        bad = whole;
        bad.bytes[bit / 8] ^= (char)(1 << bit % 8);
        weft_status status = show_bytes(&bad, NULL, out, &error);
        if (status == WEFT_OK)
            assert_string_equal(out, "a x 1;b y -1;");
        else
            assert_true(status == WEFT_INPUT && error.message[0] == 'F');
        silent += status == WEFT_OK && bit / 8 >= HEADER;
    }
    assert_true(silent <= FILLING);
}

static void messages(void **state)
{
    static packed in;
    char out[256];
    weft_error error = {0};
    weft_file_options small = {.byte_limit = 10};
    in.size = 0;
    pack(&in, lines, strlen(lines));
    assert_int_equal(show_bytes(&in, &small, out, &error), WEFT_INPUT);
    assert_string_equal(error.message,
                        "F: found more than 10 bytes in the gzip data, expected fewer (limit: max-bytes)");
    in.bytes[in.size++] = 'x';
    assert_int_equal(show_bytes(&in, NULL, out, &error), WEFT_INPUT);
    assert_string_equal(error.message,
                        "F: after line 3: found bytes behind the end of the gzip data, expected "
                        "the end of the file or another member");
    in.size--;
    in.bytes[in.size - 1] ^= 1;
    assert_int_equal(show_bytes(&in, NULL, out, &error), WEFT_INPUT);
    assert_string_equal(error.message, "F: after line 0: found damaged gzip data (incorrect length check), "
                                       "expected what gzip wrote: is the file whole?");
    small.byte_limit = -1;
    assert_int_equal(show_bytes(&in, &small, out, &error), WEFT_ARGUMENT);
}

static void failed_allocations_leave_no_trace(void **state)
{
    static packed in;
    char out[256];
    weft_error error = {0};
    int64_t k = 0;
    in.size = 0;
    pack(&in, lines, strlen(lines));
    for (;; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_file_options options = {.memory = &memory};
        weft_status status = show_bytes(&in, &options, out, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_true(k > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_one_after_the_other),
        cmocka_unit_test(a_large_file_takes_many_buffers),
        cmocka_unit_test(every_truncation_is_found),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(messages),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
