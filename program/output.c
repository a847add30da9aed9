/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "program/output.h"

#include "program/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output {
    FILE *out;
    char *path;
    char *temporary; /* NULL: written directly */
};

static weft_status fail_to_write(const output *file, weft_error *error)
{
    const char *shown = strcmp(file->path, "-") == 0 ? "standard output" : file->path;
    return fail(error, WEFT_WRITE, "%s: cannot be written: %s", shown, strerror(errno));
}

static bool is_special(const char *path)
{
    struct stat facts = {0};
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
}

/* mkstemp() makes files for the owner alone; the user's mask decides instead. */
static bool open_temporary(output *file)
{
    static const char ending[] = ".XXXXXX";
    size_t length = strlen(file->path);
    file->temporary = malloc(length + sizeof ending);
    if (file->temporary == NULL)
        return false;
    memcpy(file->temporary, file->path, length);
    memcpy(file->temporary + length, ending, sizeof ending);
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        free(file->temporary);
        file->temporary = NULL;
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    file->out = fdopen(descriptor, "w");
    return file->out != NULL;
}

static bool open_output(output *file)
{
    if (strcmp(file->path, "-") == 0)
        file->out = stdout;
    else if (is_special(file->path))
        file->out = fopen(file->path, "w");
    else
        return open_temporary(file);
    return file->out != NULL;
}

weft_status output_open(const char *path, output **file, weft_error *error)
{
    output *made = calloc(1, sizeof *made);
    weft_status status = WEFT_OK;
    if (made == NULL || (made->path = strdup(path)) == NULL)
        status = fail(error, WEFT_MEMORY, "out of memory");
    else if (!open_output(made))
        status = fail_to_write(made, error);
    if (status == WEFT_OK)
        *file = made;
    else
        output_free(made);
    return status;
}

FILE *output_stream(const output *file)
{
    return file->out;
}

weft_status output_check(const output *file, weft_error *error)
{
    return ferror(file->out) ? fail_to_write(file, error) : WEFT_OK;
}

weft_status output_flush(const output *file, weft_error *error)
{
    return fflush(file->out) != 0 ? fail_to_write(file, error) : output_check(file, error);
}

weft_status output_commit(output *file, weft_error *error)
{
    bool written = fflush(file->out) == 0 && !ferror(file->out);
    if (written && file->temporary != NULL)
        written = fsync(fileno(file->out)) == 0 && rename(file->temporary, file->path) == 0;
    if (!written)
        return fail_to_write(file, error);
    free(file->temporary);
    file->temporary = NULL;
    return WEFT_OK;
}

void output_free(output *file)
{
    if (file == NULL)
        return;
    if (file->out != NULL && file->out != stdout)
        fclose(file->out);
    if (file->temporary != NULL)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    free(file);
}

/* Without quotes blanks at the ends would be lost, # begin a comment, and a tab be
 * taken for the delimiter. */
static bool is_plain(const char *id)
{
    size_t length = strlen(id);
    return length > 0 && strpbrk(id, ",\"\r\n\t") == NULL && strchr(" \t#", id[0]) == NULL &&
           strchr(" \t", id[length - 1]) == NULL;
}

void output_id(FILE *out, const char *id)
{
    if (is_plain(id)) {
        fputs(id, out);
        return;
    }
    putc('"', out);
    for (; *id != 0; id++) {
        if (*id == '"')
            putc('"', out);
        putc(*id, out);
    }
    putc('"', out);
}

const char *output_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}
