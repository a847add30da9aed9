/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "lab/report/frame.h"

#include "lab/report/line.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static weft_status make_one(const char *directory, weft_error *error)
{
    struct stat found;
    if (mkdir(directory, 0777) == 0)
        return WEFT_OK;
    int why = errno; /* stat has its own */
    if (stat(directory, &found) == 0 && S_ISDIR(found.st_mode))
        return WEFT_OK;
    return fail(error, WEFT_WRITE, "%s: the directory cannot be made: %s", directory, strerror(why));
}

weft_status lab_place_make(const char *directory, weft_error *error)
{
    char *path = new_text("%s", directory);
    weft_status status = WEFT_OK;
    for (char *slash = strchr(path + (*path != 0), '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        TRY(make_one(path, error));
        *slash = '/';
    }
    TRY(make_one(path, error));
done:
    free(path);
    return status;
}

char *lab_place_file(const char *directory, const char *name, const char *ending)
{
    return new_text("%s/%s%s", directory, name, ending);
}

weft_status lab_table_write(const lab_table *table, const lab_request *request, const void *results,
                            weft_error *error)
{
    char *path = lab_place_file(request->out, table->name, ".csv");
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &file, error));
    fprintf(output_stream(file), "%s\n", table->heads);
    table->lines(output_stream(file), results);
    TRY(output_commit(file, error));
done:
    output_free(file);
    free(path);
    return status;
}

void lab_tell_runs(lab_page *page, const lab_request *request, const char *name, int64_t runs)
{
    lab_line command = {.length = 0};
    lab_line_add(&command, "weft experiment %s%s", name, request->quick ? " --quick" : "");
    if (runs > 0) {
        lab_page_text(page, "%" PRId64 " run%s a cell, seed %" PRIu64 ", weft %s.", runs, output_plural(runs),
                      request->seed, weft_version());
        lab_line_add(&command, " --runs %" PRId64, runs);
    } else
        lab_page_text(page, "Seed %" PRIu64 ", weft %s.", request->seed, weft_version());
    lab_page_code(page, "%s --seed %" PRIu64 " --out DIR", command.text, request->seed);
}
