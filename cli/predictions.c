/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "predictions.h"

#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct predictions {
    FILE *out;
    char *path;
    char *temporary; /* NULL: written directly */
};

static weft_status fail_to_write(const predictions *file, weft_error *error)
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
static bool open_temporary(predictions *file)
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

static bool open_output(predictions *file)
{
    if (strcmp(file->path, "-") == 0)
        file->out = stdout;
    else if (is_special(file->path))
        file->out = fopen(file->path, "w");
    else
        return open_temporary(file);
    return file->out != NULL;
}

weft_status predictions_open(const char *path, predictions **file, weft_error *error)
{
    static const char header[] =
        "t,row,column,label,threshold,prediction,margin,lower,upper,updated,probability\n";
    predictions *made = calloc(1, sizeof *made);
    weft_status status = WEFT_OK;
    if (made == NULL || (made->path = strdup(path)) == NULL)
        status = fail(error, WEFT_MEMORY, "out of memory");
    else if (!open_output(made) || fputs(header, made->out) < 0)
        status = fail_to_write(made, error);
    if (status == WEFT_OK)
        *file = made;
    else
        predictions_free(made);
    return status;
}

/* An id as a field of CSV, in quotes where it needs them. */
static void write_id(FILE *out, const char *id)
{
    bool plain = strpbrk(id, ",\"\r\n") == NULL && *id != ' ' && (*id == 0 || id[strlen(id) - 1] != ' ');
    if (plain) {
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

weft_status predictions_write(predictions *file, int64_t t, const weft_event *event,
                              const weft_outcome *outcome, weft_error *error)
{
    const weft_prediction *p = &outcome->prediction;
    fprintf(file->out, "%lld,", (long long)t);
    write_id(file->out, event->row);
    putc(',', file->out);
    write_id(file->out, event->column);
    putc(',', file->out);
    if (event->label != 0)
        fprintf(file->out, "%d", event->label);
    int written = fprintf(file->out, ",%.17g,%d,%.17g,%.17g,%.17g,%d,%.17g\n", p->threshold, p->label,
                          p->margin, p->lower, p->upper, outcome->updated ? 1 : 0, p->probability);
    return written < 0 || ferror(file->out) ? fail_to_write(file, error) : WEFT_OK;
}

weft_status predictions_commit(predictions *file, weft_error *error)
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

void predictions_free(predictions *file)
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
