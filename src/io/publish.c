/* SPDX-License-Identifier: MIT
 *
 * A temporary file in the same directory, hence on the same file system, is
 * written and brought to the disk before it gets its name; then the directory is
 * brought to the disk too, for the name is there. */
#define _XOPEN_SOURCE 700

#include "io/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static weft_status fail_to_write(const char *path, const char *what, weft_error *error)
{
    return weft__fail(error, WEFT_WRITE, "%s: cannot be written: %s%s", path, what, strerror(errno));
}

static weft_status write_all(int descriptor, const unsigned char *bytes, size_t size, const char *path,
                             weft_error *error)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_to_write(path, "", error);
        bytes += written;
        size -= (size_t)written;
    }
    return WEFT_OK;
}

/* mkstemp() makes files for the owner alone; the user's mask decides instead. */
static weft_status open_temporary(const char *path, char *temporary, int *descriptor, weft_error *error)
{
    int opened = mkstemp(temporary);
    if (opened < 0)
        return fail_to_write(path, "", error);
    mode_t mask = umask(0);
    umask(mask);
    fchmod(opened, 0666 & ~mask);
    *descriptor = opened;
    return WEFT_OK;
}

/* A file system that cannot sync directories has said what it can. */
static weft_status sync_directory(const char *path, char *directory, weft_error *error)
{
    char *slash = strrchr(directory, '/');
    if (slash == NULL)
        memcpy(directory, ".", 2);
    else
        slash[slash == directory ? 1 : 0] = 0;
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return WEFT_OK;
    bool synced = fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    weft_status status = synced ? WEFT_OK : fail_to_write(path, "its directory: ", error);
    close(descriptor);
    return status;
}

static weft_status refuse_special(const char *path, weft_error *error)
{
    struct stat facts = {0};
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode))
        return WEFT_OK;
    return weft__fail(error, WEFT_WRITE, "%s: found %s, expected a regular file or a new name", path,
                      S_ISDIR(facts.st_mode) ? "a directory" : "a device or a pipe");
}

weft_status weft__publish(const char *path, const void *bytes, size_t size, const weft_memory *memory,
                          weft_error *error)
{
    static const char ending[] = ".XXXXXX";
    size_t length = strlen(path);
    char *temporary = NULL;
    int descriptor = -1;
    bool unnamed = false;
    weft_status status = WEFT_OK;
    TRY(refuse_special(path, error));
    TRY(weft__new(memory, (int64_t)(length + sizeof ending), 1, &temporary, error));
    memcpy(temporary, path, length);
    memcpy(temporary + length, ending, sizeof ending);
    TRY(open_temporary(path, temporary, &descriptor, error));
    unnamed = true;
    TRY(write_all(descriptor, bytes, size, path, error));
    while (fsync(descriptor) != 0)
        if (errno != EINTR)
            TRY(fail_to_write(path, "", error));
    if (rename(temporary, path) != 0)
        TRY(fail_to_write(path, "", error));
    unnamed = false;
    memcpy(temporary, path, length + 1);
    TRY(sync_directory(path, temporary, error));
done:
    if (descriptor >= 0)
        close(descriptor);
    if (unnamed)
        unlink(temporary);
    weft__delete(memory, temporary);
    return status;
}
