/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "io/text/publish.h"

#include "io/text/draft.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 24 }; /* bytes that are written at once */

static weft_status write_all(int descriptor, const unsigned char *bytes, size_t size, const char *path,
                             weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__progress_begin(progress, "writing a file", (double)size);
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size < PIECE ? size : PIECE);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return weft__fail(error, WEFT_WRITE, "%s: cannot be written: %s", path, strerror(errno));
        bytes += written;
        size -= (size_t)written;
        TRY(weft__progress_step(progress, (double)written, error));
    }
done:
    return status;
}

weft_status weft__publish(const char *path, const void *bytes, size_t size, weft__making making,
                          weft_error *error)
{
    static const weft__draft_options options = {.owner_only = true};
    weft__draft *draft = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__draft_create(path, &options, making.memory, &draft, error));
    TRY(write_all(weft__draft_descriptor(draft), bytes, size, path, making.progress, error));
    TRY(weft__draft_publish(draft, error));
done:
    weft__draft_free(draft);
    return status;
}
