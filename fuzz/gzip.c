/* SPDX-License-Identifier: MIT
 *
 * Fuzzes gzip.  An even first byte: the rest is read as a gzip file, with its
 * magic number put right.  An odd one: the rest is a text, which is packed here as
 * two members cut at a place that the second byte says, so that checksums hold and
 * the fuzzer comes past them; it must read exactly as the plain text does.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-gzip -dict=fuzz/gzip.dict -max_total_time=60 WORK fuzz/seeds/gzip */
#include "fuzz.h"

#include "io/text/lines.h"

#include <string.h>
#include <zlib.h>

enum { LARGEST = 1 << 12, PACKED = 2 * LARGEST, MADE = 1 << 20 };

/* What a file says, as a digest of its lines, and how it ended. */
typedef struct reading {
    weft_status status;
    int64_t lines;
    uint64_t digest;
} reading;

static reading read_lines(const char *path)
{
    weft__input options = {0};
    const weft_file_options limits = {.line_limit = 512, .byte_limit = MADE};
    weft__lines lines = {0};
    weft_error error = {0};
    reading found = {.digest = 1};
    bool more = true;
    require(weft__input_begin(&limits, &options, NULL) == WEFT_OK);
    require(weft__lines_open(path, &options, &lines, NULL) == WEFT_OK);
    for (;;) {
        found.status = weft__lines_next(&lines, false, &more, &error);
        if (found.status != WEFT_OK || !more)
            break;
        found.lines++;
        require((int64_t)strlen(lines.line) == lines.length);
        for (int64_t k = 0; k <= lines.length; k++)
            found.digest = (found.digest ^ (unsigned char)lines.line[k]) * UINT64_C(1099511628211);
    }
    require(found.status == WEFT_OK || (error.status == found.status && error.message[0] != 0));
    weft__lines_close(&lines);
    return found;
}

static size_t pack(const uint8_t *text, size_t length, uint8_t *out, size_t room)
{
    z_stream z = {0};
    require(deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)length;
    z.next_out = out;
    z.avail_out = (uInt)room;
    require(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void try_damaged(fuzz_file *file, const uint8_t *data, size_t size)
{
    uint8_t bytes[LARGEST] = {0x1F, 0x8B, 0x08};
    memcpy(bytes + 3, data, size);
    put(file, bytes, size + 3);
    read_lines(file->path);
}

static void try_packed(fuzz_file *file, const uint8_t *data, size_t size)
{
    static uint8_t packed[PACKED];
    size_t cut = size > 1 ? data[0] % size : 0;
    if (size < 1)
        return;
    put(file, data + 1, size - 1);
    /* A text that is itself gzip is read as what it holds; packed, it is not. */
    if (size > 2 && data[1] == 0x1F && data[2] == 0x8B)
        return;
    reading plain = read_lines(file->path);
    if (cut > size - 1)
        cut = size - 1;
    size_t length = pack(data + 1, cut, packed, sizeof packed);
    length += pack(data + 1 + cut, size - 1 - cut, packed + length, sizeof packed - length);
    put(file, packed, length);
    reading unpacked = read_lines(file->path);
    require(unpacked.status == plain.status && unpacked.lines == plain.lines &&
            unpacked.digest == plain.digest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    if (size < 1 || size > LARGEST - 8)
        return 0;
    if (data[0] % 2 == 0)
        try_damaged(&file, data + 1, size - 1);
    else
        try_packed(&file, data + 1, size - 1);
    return 0;
}
