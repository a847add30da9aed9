/* SPDX-License-Identifier: MIT
 * The bytes of a picture, and their way into a file. */
#define _POSIX_C_SOURCE 200809L

#include "figure/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool figure__fail(figure_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

bool figure__bytes_add(figure__bytes *bytes, const void *more, size_t count)
{
    if (count > bytes->capacity - bytes->count) {
        size_t capacity = 2 * (bytes->capacity + count);
        char *at = realloc(bytes->at, capacity);
        if (at == NULL)
            return false;
        bytes->at = at;
        bytes->capacity = capacity;
    }
    if (count > 0)
        memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
    return true;
}

bool figure__bytes_add_escaped(figure__bytes *bytes, const char *text)
{
    bool added = true;
    for (; added && *text != 0; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        added = entity != NULL ? figure__bytes_add(bytes, entity, strlen(entity))
                               : figure__bytes_add(bytes, text, 1);
    }
    return added;
}

/* mkstemp() makes files for the owner alone; the user's mask decides instead. */
static int open_temporary(char *name)
{
    int descriptor = mkstemp(name);
    if (descriptor >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
    }
    return descriptor;
}

static bool write_all(int descriptor, const figure__bytes *bytes)
{
    for (size_t done = 0; done < bytes->count;) {
        ssize_t step = write(descriptor, bytes->at + done, bytes->count - done);
        if (step < 0 && errno != EINTR)
            return false;
        done += step > 0 ? (size_t)step : 0;
    }
    return true;
}

/* A pipe or a device cannot be replaced: it is written directly. */
static bool write_special(const figure__bytes *bytes, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL)
        return false;
    bool written = fwrite(bytes->at, 1, bytes->count, out) == bytes->count;
    return (fclose(out) == 0) && written;
}

static bool write_regular(const figure__bytes *bytes, const char *path, char *temporary)
{
    int descriptor = open_temporary(temporary);
    if (descriptor < 0)
        return false;
    bool written = write_all(descriptor, bytes) && fsync(descriptor) == 0;
    int reason = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && rename(temporary, path) == 0)
        return true;
    if (written)
        reason = errno;
    unlink(temporary);
    errno = reason;
    return false;
}

bool figure__bytes_publish(const figure__bytes *bytes, const char *path, figure_error *error)
{
    static const char ending[] = ".XXXXXX";
    struct stat facts = {0};
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof ending);
    if (temporary == NULL)
        return figure__fail(error, "out of memory");
    memcpy(temporary, path, length + 1);
    memcpy(temporary + length, ending, sizeof ending);
    bool special = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    bool written = special ? write_special(bytes, path) : write_regular(bytes, path, temporary);
    if (!written)
        figure__fail(error, "%s: cannot be written: %s", path, strerror(errno));
    free(temporary);
    return written;
}
