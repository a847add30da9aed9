/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "program/output.h"

#include "program/fail.h"
#include "program/paths.h"
#include "src/io/text/draft.h"
#include "weft_advanced.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct output {
    FILE *out;
    char *path;
    weft__draft *draft; /* NULL: written directly */
};

bool output_unread(void)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return ferror(stdout) != 0 && poll(&pipe, 1, 0) == 1 && (pipe.revents & (POLLERR | POLLHUP)) != 0;
}

static weft_status fail_to_write(const output *file, weft_error *error)
{
    const char *shown = strcmp(file->path, "-") == 0 ? "standard output" : file->path;
    return fail(error, WEFT_WRITE, "%s: cannot be written: %s", shown, strerror(errno));
}

/* The stream has a descriptor of its own, for it is closed before the draft. */
static weft_status open_draft(output *file, weft_error *error)
{
    weft_status status = weft__draft_create(file->path, NULL, NULL, &file->draft, error);
    if (status != WEFT_OK)
        return status;
    int descriptor = fcntl(weft__draft_descriptor(file->draft), F_DUPFD_CLOEXEC, 0);
    file->out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return file->out != NULL ? WEFT_OK : fail_to_write(file, error);
}

static weft_status open_output(output *file, weft_error *error)
{
    bool standard = strcmp(file->path, "-") == 0;
    if (!standard && weft__draft_possible(file->path))
        return open_draft(file, error);
    file->out = standard ? stdout : fopen(file->path, "w");
    return file->out != NULL ? WEFT_OK : fail_to_write(file, error);
}

weft_status output_open(const char *path, output **file, weft_error *error)
{
    output *made = calloc(1, sizeof *made);
    weft_status status = WEFT_OK;
    if (made == NULL || (made->path = strdup(path)) == NULL)
        status = fail(error, WEFT_MEMORY, "out of memory");
    else
        status = paths_check_standard(path, error);
    if (status == WEFT_OK)
        status = open_output(made, error);
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
    weft_status status = output_flush(file, error);
    return status == WEFT_OK && file->draft != NULL ? weft__draft_publish(file->draft, error) : status;
}

void output_free(output *file)
{
    if (file == NULL)
        return;
    if (file->out != NULL && file->out != stdout)
        fclose(file->out);
    weft__draft_free(file->draft);
    free(file->path);
    free(file);
}

weft_status output_finish(weft_error *error)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
    return failed ? fail(error, WEFT_WRITE, "standard output: cannot be written: %s", strerror(errno))
                  : WEFT_OK;
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
