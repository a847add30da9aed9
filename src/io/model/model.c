/* SPDX-License-Identifier: MIT
 *
 * Opening a model makes everything again in the way in which it was made: the
 * side files are read, the ids that the stream brought are let in, in their order,
 * and only then the kernel is built, so that a graph joins the same vertices.  What
 * the files say is compared with what the model remembers of it. */
#include "io/model/model.h"

#include "io/roster/spec.h"
#include "io/text/load.h"
#include "io/text/publish.h"
#include "io/text/text.h"
#include "player/player.h"

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

weft_status weft__model_check(const char *path, const weft_model *model, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(path);
    NEED(model);
    TRY(weft__need(model->rows, "rows", error));
    if (model->player == NULL || model->player->ops->kind == WEFT_RIVAL)
        return weft__fail(error, WEFT_ARGUMENT, "%s: expected a learner or a committee in the model", path);
    if (model->read_only)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the model was opened only to look at", path);
    if (model->embed)
        TRY(check_kept(model->rows, error));
    if (model->embed && model->columns != NULL)
        TRY(check_kept(model->columns, error));
done:
    return status;
}

weft_status weft_model_write(const char *path, const weft_model *model, weft_error *error)
{
    unsigned char *bytes = NULL;
    weft_status status = weft__model_check(path, model, error);
    if (status != WEFT_OK)
        return status;
    const weft_memory *memory = &model->player->memory;
    weft__progress progress = weft__progress_of(&model->player->progress);
    size_t size = weft__model_encode(model, NULL);
    weft__progress_begin(&progress, "putting a model together", 4 * (double)size);
    TRY(weft__progress_check(&progress, error));
    TRY(weft__new(memory, (int64_t)size, 1, &bytes, error));
    weft__model_encode(model, bytes);
    TRY(weft__progress_step(&progress, 4 * (double)size, error));
    TRY(weft__publish(path, bytes, size, (weft__making){memory, &progress}, error));
done:
    weft__delete(memory, bytes);
    return status;
}

weft_status weft_model_digest(const weft_model *model, uint64_t digest[2], weft_error *error)
{
    unsigned char *bytes = NULL;
    weft_status status = WEFT_OK;
    NEED(model);
    NEED(digest);
    TRY(weft__need(model->rows, "rows", error));
    TRY(weft__need(model->player, "player", error));
    size_t size = weft__model_encode_learnt(model, NULL, NULL);
    TRY(weft__new(&model->player->memory, (int64_t)size, 1, &bytes, error));
    weft__model_encode_learnt(model, NULL, bytes);
    weft__digest sum = weft__digest_of(bytes, size);
    digest[0] = sum.half[0];
    digest[1] = sum.half[1];
done:
    if (bytes != NULL)
        weft__delete(&model->player->memory, bytes);
    return status;
}

/* ---- Reading ---- */

weft_status weft__model_load(const char *path, const weft_file_options *options, int64_t size_limit,
                             unsigned char **bytes, int64_t *size, weft_error *error)
{
    static const int64_t usual_limit = INT64_C(1) << 36;
    weft_memory memory = weft__memory_or_default(options->memory);
    weft__progress progress = weft__progress_of(&options->progress);
    return weft__load(path, "a model", size_limit > 0 ? size_limit : usual_limit,
                      (weft__making){&memory, &progress}, bytes, size, error);
}

weft_status weft_model_open(const char *path, const weft_model_options *options, weft_model *model,
                            weft_error *error)
{
    static const weft_model_options defaults = {0};
    unsigned char *bytes = NULL;
    int64_t size = 0;
    weft_status status = weft__need(path, "path", error);
    if (status == WEFT_OK)
        status = weft__need(model, "model", error);
    if (status != WEFT_OK)
        return status;
    if (options == NULL)
        options = &defaults;
    weft_memory memory = weft__memory_or_default(options->files.memory);
    TRY(weft__model_load(path, &options->files, options->size_limit, &bytes, &size, error));
    TRY(weft__model_rebuild(path, bytes, (size_t)size, options, model, error));
done:
    weft__delete(&memory, bytes);
    return status;
}

void weft_model_close(weft_model *model)
{
    if (model == NULL)
        return;
    weft_player_free(model->player);
    weft_roster_free(model->columns);
    weft_roster_free(model->rows);
    *model = (weft_model){0};
}
