/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "lab/report/place.h"

#include "lab/runs/memory.h"
#include "program/fail.h"

#include <errno.h>
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
    char *path = lab_text("%s", directory);
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
    return lab_text("%s/%s%s", directory, name, ending);
}
