/* SPDX-License-Identifier: MIT
 *
 * What a model says by itself: its SPECs, files, ids and settings, and of the state of a committee what
 * stands before its members, which only its side information could tell apart. */
#include "committee/committee.h"
#include "io/model/model.h"

/* The rosters of a model that is looked at; their ids are no longer in *stored. */
static weft_status look_at_sides(weft__stored *stored, const weft_file_options *files, weft_model *model,
                                 weft_error *error)
{
    weft_roster **rosters[2] = {&model->rows, &model->columns};
    weft_status status = WEFT_OK;
    for (int k = 0; k < 2 && k < stored->sides; k++)
        TRY(weft__roster_look(stored->side[k].spec, files, &stored->side[k].known, rosters[k], error));
done:
    return status;
}

static weft_status find_digest(const weft_model *model, const weft__stored *stored, uint64_t digest[2],
                               weft_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = weft__model_encode_learnt(model, stored, NULL);
    weft_status status = weft__new(&stored->memory, (int64_t)size, 1, &bytes, error);
    if (status != WEFT_OK)
        return status;
    weft__model_encode_learnt(model, stored, bytes);
    weft__digest sum = weft__digest_of(bytes, size);
    weft__delete(&stored->memory, bytes);
    digest[0] = sum.half[0];
    digest[1] = sum.half[1];
    return WEFT_OK;
}

static weft_status read_facts(weft__stored *stored, const weft_file_options *files, weft_model_facts *facts,
                              weft_error *error)
{
    weft_model *model = &facts->model;
    weft_status status = WEFT_OK;
    TRY(look_at_sides(stored, files, model, error));
    model->horizon = stored->horizon;
    model->language = stored->language;
    model->embed = stored->embed;
    model->disturbed = stored->disturbed;
    model->read_only = true;
    model->negatives = stored->negatives;
    model->context = stored->context;
    TRY(find_digest(model, stored, facts->digest, error));
    if (stored->committee)
        TRY(weft__committee_read_head(stored->state, stored->state_size, &facts->rules, &facts->members,
                                      &facts->counters, error));
done:
    return status;
}

weft_status weft_model_read_facts(const char *path, const weft_file_options *options, weft_model_facts *facts,
                                  weft_error *error)
{
    static const weft_file_options defaults = {0};
    const weft_file_options *files = options != NULL ? options : &defaults;
    weft_memory memory = weft__memory_or_default(files->memory);
    weft__stored stored = {.memory = memory};
    weft_model_facts made = {.members = 0};
    unsigned char *bytes = NULL;
    int64_t size = 0;
    weft_status status = WEFT_OK;
    NEED(path);
    NEED(facts);
    TRY(weft__model_load(path, files, 0, &bytes, &size, error));
    status = weft__model_decode(bytes, (size_t)size, &memory, &stored, error);
    if (status == WEFT_OK)
        status = read_facts(&stored, files, &made, error);
    if (status != WEFT_OK)
        TRY(weft__model_tell(path, status, error));
    *facts = made;
    made = (weft_model_facts){.members = 0};
done:
    weft_model_close(&made.model);
    weft__stored_free(&stored);
    weft__delete(&memory, bytes);
    return status;
}
