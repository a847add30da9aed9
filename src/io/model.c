/* SPDX-License-Identifier: MIT
 *
 * Opening a model makes everything again in the way in which it was made: the
 * side files are read, the ids that the stream brought are let in, in their order,
 * and only then the kernel is built, so that a graph joins the same vertices.  What
 * the files say is compared with what the model remembers of it. */
#define _POSIX_C_SOURCE 200809L

#include "io/model.h"

#include "io/publish.h"
#include "io/spec.h"
#include "io/text.h"
#include "learner/learner.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Writing ---- */

static weft_status check_kept(const weft_roster *roster, weft_error *error)
{
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++) {
        weft_source source = weft_roster_source(roster, k);
        if (source.kept == NULL)
            return weft__fail(error, WEFT_ARGUMENT,
                              "%s: its contents were not kept, so a model cannot embed it", source.path);
    }
    return WEFT_OK;
}

weft_status weft_model_write(const char *path, const weft_model *model, weft_error *error)
{
    weft_memory memory = model->learner->memory;
    unsigned char *bytes = NULL;
    weft_status status = WEFT_OK;
    if (model->read_only)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the model was opened only to look at", path);
    if (model->embed)
        TRY(check_kept(model->rows, error));
    if (model->embed && model->columns != NULL)
        TRY(check_kept(model->columns, error));
    size_t size = weft__model_encode(model, NULL);
    TRY(weft__new(&memory, (int64_t)size, 1, &bytes, error));
    weft__model_encode(model, bytes);
    TRY(weft__publish(path, bytes, size, &memory, error));
done:
    weft__delete(&memory, bytes);
    return status;
}

/* ---- Reading the file ---- */

static weft_status fail_to_read(const char *path, weft_error *error)
{
    return weft__fail(error, WEFT_FILE, "%s: cannot be read: %s", path, strerror(errno));
}

/* The size of the open file, which must be a regular one within the limit. */
static weft_status find_size(int descriptor, const char *path, int64_t limit, int64_t *size,
                             weft_error *error)
{
    struct stat facts = {0};
    if (fstat(descriptor, &facts) != 0)
        return fail_to_read(path, error);
    if (!S_ISREG(facts.st_mode))
        return weft__fail(error, WEFT_FILE, "%s: cannot be read: found no regular file, expected a model",
                          path);
    if (facts.st_size > limit)
        return weft__fail(error, WEFT_MODEL, "%s: found %lld bytes, expected a model of at most %lld", path,
                          (long long)facts.st_size, (long long)limit);
    *size = facts.st_size;
    return WEFT_OK;
}

static weft_status read_all(int descriptor, const char *path, unsigned char *bytes, int64_t size,
                            weft_error *error)
{
    for (int64_t at = 0; at < size;) {
        ssize_t got = read(descriptor, bytes + at, (size_t)(size - at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_to_read(path, error);
        if (got == 0)
            return weft__fail(error, WEFT_MODEL, "%s: found %lld bytes, expected %lld", path, (long long)at,
                              (long long)size);
        at += got;
    }
    return WEFT_OK;
}

static weft_status load(const char *path, int64_t limit, const weft_memory *memory, unsigned char **bytes,
                        int64_t *size, weft_error *error)
{
    unsigned char *loaded = NULL;
    weft_status status = WEFT_OK;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return weft__fail(error, WEFT_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    TRY(find_size(descriptor, path, limit, size, error));
    TRY(weft__new(memory, *size, 1, &loaded, error));
    TRY(read_all(descriptor, path, loaded, *size, error));
    *bytes = loaded;
    loaded = NULL;
done:
    weft__delete(memory, loaded);
    close(descriptor);
    return status;
}

weft_status weft_model_open(const char *path, const weft_model_options *options, weft_model *model,
                            weft_error *error)
{
    static const weft_model_options defaults = {0};
    static const int64_t size_limit = INT64_C(1) << 36;
    unsigned char *bytes = NULL;
    int64_t size = 0;
    weft_status status = WEFT_OK;
    if (options == NULL)
        options = &defaults;
    weft_memory memory = weft__memory(options->files.memory);
    int64_t limit = options->size_limit > 0 ? options->size_limit : size_limit;
    TRY(load(path, limit, &memory, &bytes, &size, error));
    TRY(weft__model_rebuild(path, bytes, (size_t)size, options, model, error));
done:
    weft__delete(&memory, bytes);
    return status;
}

void weft_model_close(weft_model *model)
{
    if (model == NULL)
        return;
    weft_learner_free(model->learner);
    weft_roster_free(model->columns);
    weft_roster_free(model->rows);
    *model = (weft_model){0};
}
