/* SPDX-License-Identifier: MIT
 *
 * Raw bytes come from the reader that the lines had before, into a buffer of our
 * own, and zlib makes plain ones of them:
 *
 *     descriptor --read--> raw [ used | next_in ... avail_in ) --inflate--> bytes
 *
 * A file may hold several members (cat a.gz b.gz, pigz), and zero bytes behind the
 * last one (tape blocks), as gzip(1) has it.  Anything else behind it is an error.
 * What comes out is limited: a thousandth of it may be on the disk. */
#include "io/text/gzip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { RAW_SIZE = 1 << 16, FIRST = 0x1F, SECOND = 0x8B };

struct weft__gzip {
    weft_memory memory;
    weft__read *raw_read;
    z_stream inflater;
    bool whole; /* between members: nothing is missing if the file ends here */
    bool ended; /* of the raw file */
    int64_t limit, made;
    char raw[RAW_SIZE];
};

bool weft__is_gzip(const char *bytes, int64_t size)
{
    return size >= 2 && (unsigned char)bytes[0] == FIRST && (unsigned char)bytes[1] == SECOND;
}

static voidpf allocate(voidpf user, uInt count, uInt size)
{
    void *block = NULL;
    return weft__new(user, (int64_t)count, size, &block, NULL) == WEFT_OK ? block : NULL;
}

static void release(voidpf user, voidpf block)
{
    weft__delete(user, block);
}

void weft__gzip_free(weft__gzip *gzip)
{
    if (gzip == NULL)
        return;
    weft_memory memory = gzip->memory;
    inflateEnd(&gzip->inflater); /* harmless where it never began */
    weft__delete(&memory, gzip);
}

static weft_status fill(weft__lines *lines, weft_error *error)
{
    weft__gzip *gzip = lines->gzip;
    int64_t got = 0;
    if (gzip->inflater.avail_in > 0 || gzip->ended)
        return WEFT_OK;
    weft_status status = gzip->raw_read(lines, gzip->raw, RAW_SIZE, &got, error);
    if (status != WEFT_OK)
        return status;
    gzip->inflater.next_in = (Bytef *)gzip->raw;
    gzip->inflater.avail_in = (uInt)got;
    gzip->ended = got == 0;
    return WEFT_OK;
}

static weft_status fail_gzip(const weft__lines *lines, const char *facts, weft_error *error)
{
    return weft__fail(error, WEFT_INPUT, "%s: after line %lld: %s", lines->path, (long long)lines->number,
                      facts);
}

/* Between members: skips padding and begins the next one, if there is one. */
static weft_status begin_member(weft__lines *lines, weft_error *error)
{
    weft__gzip *gzip = lines->gzip;
    z_stream *z = &gzip->inflater;
    while (z->avail_in > 0 && *z->next_in == 0) {
        z->next_in++;
        z->avail_in--;
    }
    if (z->avail_in == 0)
        return WEFT_OK;
    if (*z->next_in != FIRST)
        return fail_gzip(lines,
                         "found bytes behind the end of the gzip data, expected the end of the file or "
                         "another member",
                         error);
    inflateReset(z);
    gzip->whole = false;
    return WEFT_OK;
}

/* What zlib answered, for people. */
static weft_status tell(weft__lines *lines, int answer, weft_error *error)
{
    char facts[160];
    weft__gzip *gzip = lines->gzip;
    switch (answer) {
    case Z_OK:
    case Z_BUF_ERROR: /* needs more input: no failure */
        return WEFT_OK;
    case Z_STREAM_END:
        gzip->whole = true;
        return WEFT_OK;
    case Z_MEM_ERROR:
        return weft__fail(error, WEFT_MEMORY, "out of memory: gzip needs about 50,000 bytes");
    default:
        snprintf(facts, sizeof facts,
                 "found damaged gzip data (%.60s), expected what gzip wrote: is the file whole?",
                 gzip->inflater.msg != NULL ? gzip->inflater.msg : "a preset dictionary");
        return fail_gzip(lines, facts, error);
    }
}

static weft_status refuse_growth(const weft__lines *lines, weft_error *error)
{
    const weft__gzip *gzip = lines->gzip;
    if (gzip->made <= gzip->limit)
        return WEFT_OK;
    return weft__fail(error, WEFT_INPUT,
                      "%s: found more than %lld bytes in the gzip data, expected fewer (limit: max-bytes)",
                      lines->path, (long long)gzip->limit);
}

/* The seam: at least one plain byte, or none at the end. */
static weft_status read_gzip(weft__lines *lines, char *bytes, int64_t size, int64_t *got, weft_error *error)
{
    weft__gzip *gzip = lines->gzip;
    z_stream *z = &gzip->inflater;
    weft_status status = WEFT_OK;
    z->next_out = (Bytef *)bytes;
    z->avail_out = (uInt)size;
    while (z->avail_out == (uInt)size) {
        TRY(fill(lines, error));
        if (gzip->whole)
            TRY(begin_member(lines, error));
        if (gzip->whole && gzip->ended)
            break;
        if (gzip->ended)
            TRY(fail_gzip(lines, "found the end of the file inside gzip data, expected more: it is cut short",
                          error));
        if (!gzip->whole)
            TRY(tell(lines, inflate(z, Z_NO_FLUSH), error));
    }
    *got = size - (int64_t)z->avail_out;
    gzip->made += *got;
    TRY(refuse_growth(lines, error));
done:
    return status;
}

weft_status weft__gzip_begin(weft__lines *lines, const char *bytes, int64_t size, weft_error *error)
{
    enum { GZIP_ONLY = 16 };
    weft__gzip *made = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&lines->memory, 1, sizeof *made, &made, error));
    made->memory = lines->memory;
    made->raw_read = lines->read;
    made->limit = lines->byte_limit;
    made->inflater = (z_stream){.zalloc = allocate, .zfree = release, .opaque = &made->memory};
    memcpy(made->raw, bytes, (size_t)size);
    made->inflater.next_in = (Bytef *)made->raw;
    made->inflater.avail_in = (uInt)size;
    if (inflateInit2(&made->inflater, GZIP_ONLY + MAX_WBITS) != Z_OK)
        TRY(weft__fail(error, WEFT_MEMORY, "out of memory: gzip needs about 50,000 bytes"));
    lines->gzip = made;
    lines->read = read_gzip;
    made = NULL;
done:
    weft__gzip_free(made);
    return status;
}
