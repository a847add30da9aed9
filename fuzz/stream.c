/* SPDX-License-Identifier: MIT
 *
 * Fuzzes delimited text and streams of every kind: the input is a file.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-stream -dict=fuzz/stream.dict -max_total_time=60 WORK fuzz/seeds/stream */
#include "fuzz.h"

#include "weft_files.h"

static const int64_t LARGEST = INT64_C(1) << 53;

/* All events; the number of them, or -1 after an error, which has a message. */
static int64_t read_all(weft_stream *stream, weft_stream_kind kind)
{
    weft_event event = {0};
    weft_error error = {0};
    int64_t count = 0, last = 0;
    bool more = true;
    for (;; count++) {
        weft_status status = weft_stream_next(stream, &event, &more, &error);
        if (status != WEFT_OK) {
            require(error.status == status && error.message[0] != 0);
            return -1;
        }
        if (!more)
            return count;
        require(event.row[0] != 0);
        require(kind == WEFT_IDS ? event.column == NULL : event.column[0] != 0);
        require(event.label >= -1 && event.label <= 1);
        require(event.count >= -LARGEST && event.count <= LARGEST);
        require(event.line > last);
        last = event.line;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    const char *paths[] = {file.path};
    weft_file_options limits = {.line_limit = 256, .field_limit = 16};
    weft_stream *stream = NULL;
    put(&file, data, size);
    for (int kind = WEFT_LABELLED; kind <= WEFT_IDS; kind++) {
        require(weft_stream_open_as((weft_stream_kind)kind, paths, 1, &limits, &stream, NULL) == WEFT_OK);
        int64_t count = read_all(stream, (weft_stream_kind)kind);
        require(weft_stream_rewind(stream, NULL) == WEFT_OK);
        require(read_all(stream, (weft_stream_kind)kind) == count);
        weft_stream_free(stream);
    }
    return 0;
}
