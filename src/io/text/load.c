/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "io/text/load.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is open, and what it should be. */
typedef struct source {
    const char *path, *what;
    int descriptor;
} source;

static weft_status fail_to_read(const source *file, weft_error *error)
{
    return weft__fail(error, WEFT_FILE, "%s: cannot be read: %s", file->path, strerror(errno));
}

/* The size of the open file, which must be a regular one within the limit. */
static weft_status find_size(const source *file, int64_t limit, int64_t *size, weft_error *error)
{
    struct stat facts = {0};
    if (fstat(file->descriptor, &facts) != 0)
        return fail_to_read(file, error);
    if (!S_ISREG(facts.st_mode))
        return weft__fail(error, WEFT_FILE, "%s: cannot be read: found no regular file, expected %s",
                          file->path, file->what);
    if (facts.st_size > limit)
        return weft__fail(error, WEFT_MODEL, "%s: found %lld bytes, expected %s of at most %lld", file->path,
                          (long long)facts.st_size, file->what, (long long)limit);
    *size = facts.st_size;
    return WEFT_OK;
}

enum { PIECE = 1 << 24 }; /* bytes that are read at once */

static weft_status read_all(const source *file, unsigned char *bytes, int64_t size, weft__progress *progress,
                            weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__progress_begin(progress, "reading a file", (double)size);
    for (int64_t at = 0; at < size;) {
        int64_t left = size - at;
        ssize_t got = read(file->descriptor, bytes + at, (size_t)(left < PIECE ? left : PIECE));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_to_read(file, error);
        if (got == 0)
            return weft__fail(error, WEFT_MODEL, "%s: found %lld bytes, expected %lld", file->path,
                              (long long)at, (long long)size);
        at += got;
        TRY(weft__progress_step(progress, (double)got, error));
    }
done:
    return status;
}

weft_status weft__load(const char *path, const char *what, int64_t limit, weft__making making,
                       unsigned char **bytes, int64_t *size, weft_error *error)
{
    const weft_memory *memory = making.memory;
    source file = {path, what, open(path, O_RDONLY | O_CLOEXEC)};
    unsigned char *loaded = NULL;
    weft_status status = WEFT_OK;
    if (file.descriptor < 0)
        return weft__fail(error, WEFT_FILE, "%s: cannot be opened: %s%s", path, strerror(errno),
                          errno == EACCES ? " (a new model is for its owner alone, mode 0600)" : "");
    TRY(find_size(&file, limit, size, error));
    TRY(weft__new(memory, *size, 1, &loaded, error));
    TRY(read_all(&file, loaded, *size, making.progress, error));
    *bytes = loaded;
    loaded = NULL;
done:
    weft__delete(memory, loaded);
    close(file.descriptor);
    return status;
}
