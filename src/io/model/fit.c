/* SPDX-License-Identifier: MIT
 *
 * Making a model's rosters and its player again, and comparing them with what the
 * model remembers: the digest of every file, the ids, the sizes. */
#include "io/model/model.h"

#include "io/roster/growth/growth.h"
#include "io/roster/spec.h"
#include "io/text/text.h"
#include "learner/learner.h"

#include <string.h>

weft_status weft__model_tell(const char *path, weft_status status, weft_error *error)
{
    if (error == NULL || status == WEFT_MEMORY)
        return status;
    weft_error inner = *error;
    return weft__fail_at(error, status, inner.at[0], inner.at[1], "%s: %.400s", path, inner.message);
}

static weft_status refuse_digest(const weft_source *found, const weft__source_file *stored, weft_error *error)
{
    return weft__fail(error, WEFT_MODEL,
                      "does not fit: found %s with digest %016llx%016llx (%lld bytes), expected "
                      "%016llx%016llx (%lld bytes)",
                      weft__shown_briefly(found->path).text, (unsigned long long)found->digest[0],
                      (unsigned long long)found->digest[1], (long long)found->size,
                      (unsigned long long)stored->digest.half[0], (unsigned long long)stored->digest.half[1],
                      (long long)stored->size);
}

/* Files that have changed may have grown, where it is known what they said. */
static weft_status check_digests(const weft_roster *roster, const weft__known_ids *known, bool *changed,
                                 weft_error *error)
{
    int64_t count = weft_roster_source_count(roster);
    if (count != known->sources.count)
        return weft__fail(error, WEFT_MODEL, "does not fit: found %lld side files, expected %lld",
                          (long long)count, (long long)known->sources.count);
    *changed = weft__growth_differs(roster, &known->sources);
    for (int64_t k = 0; *changed && !known->settled.known && k < count; k++) {
        weft_source found = weft_roster_source(roster, k);
        const weft__source_file *expected = known->sources.items[k];
        weft__digest digest = {{found.digest[0], found.digest[1]}};
        if (found.size != expected->size || !weft__digest_equal(digest, expected->digest))
            return refuse_digest(&found, expected, error);
    }
    return WEFT_OK;
}

/* The ids of the file are there by now; the others are let in. */
static weft_status restore_ids(weft_roster *roster, const weft__known_ids *known, weft_error *error)
{
    int64_t listed = weft_roster_report(roster).listed;
    if (listed != known->listed)
        return weft__fail(error, WEFT_MODEL,
                          "does not fit: the side information lists %lld ids, expected %lld",
                          (long long)listed, (long long)known->listed);
    for (int64_t k = 0; k < weft_ids_count(known->ids); k++) {
        const char *name = weft_ids_name(known->ids, k);
        int64_t number = -1;
        weft_status status = weft__roster_admit_again(roster, name, &number, error);
        if (status != WEFT_OK)
            return status;
        if (number != k)
            return weft__fail(error, WEFT_MODEL, "does not fit: found id %s as number %lld, expected %lld",
                              weft__shown_briefly(name).text, (long long)number, (long long)k);
    }
    return WEFT_OK;
}

/* The ids in their order, and what their files say. */
static weft_status restore_listed(weft_roster *roster, weft__known_ids *known, bool changed,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    if (changed || known->settled.moved)
        return weft__model_grow_side(roster, known, changed, error);
    TRY(weft__roster_settle(roster, error));
    TRY(restore_ids(roster, known, error));
    if (known->settled.known && !weft__growth_is_said(roster, &known->settled))
        TRY(weft__fail(error, WEFT_MODEL,
                       "the model is damaged: it says something else of what its side files said"));
done:
    return status;
}

static weft_status fail_words(const char *given, const char *stored, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT,
                      "found %.150s, which contradicts the model: expected %.150s, with other files at most",
                      given, stored);
}

/* SPEC number k of a text. */
static weft_status parse_part(const char *text, int64_t k, const weft_memory *memory, weft__spec *spec,
                              weft_error *error)
{
    char *part = NULL;
    weft_status status = weft__spec_part(text, k, memory, &part, error);
    if (status == WEFT_OK)
        status = weft__spec_parse(part, memory, spec, error);
    weft__delete(memory, part);
    return status;
}

/* A SPEC that is to take the place of the stored one, or several. */
static weft_status check_words(const char *given, const char *stored, const weft_memory *memory,
                               weft_error *error)
{
    int64_t count = weft__spec_count(stored);
    weft_status status = weft__spec_count(given) == count ? WEFT_OK : fail_words(given, stored, error);
    for (int64_t k = 0; k < count && status == WEFT_OK; k++) {
        weft__spec a = {0}, b = {0};
        status = parse_part(given, k, memory, &a, error);
        if (status == WEFT_OK)
            status = parse_part(stored, k, memory, &b, error);
        if (status == WEFT_OK && !weft__spec_agrees(&a, &b))
            status = fail_words(given, stored, error);
        weft__spec_free(&a, memory);
        weft__spec_free(&b, memory);
    }
    return status;
}

/* What one SPEC leaves open may be what another names, and for a large graph is something else. */
static weft_status check_kernel(const weft_roster *roster, const char *given, const char *stored,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < weft_roster_part_count(roster) && status == WEFT_OK; k++) {
        const weft_roster *part = weft_roster_part(roster, k);
        weft__spec spec = {0};
        status = parse_part(stored, k, &roster->memory, &spec, error);
        if (status != WEFT_OK)
            return status;
        weft_graph_kernel kernel = weft__roster_kernel_of(part, &spec, weft__roster_views_wanted(roster));
        weft__spec_free(&spec, &roster->memory);
        if (kernel != weft_roster_graph_kernel(part))
            status = fail_words(given, stored, error);
    }
    return status;
}

/* What the files or the ids say is not what the model says, so the model does not
 * fit, whatever else it is called. */
static weft_status as_misfit(weft_status status, weft_error *error)
{
    if (status == WEFT_OK || status == WEFT_MODEL || status == WEFT_MEMORY || status == WEFT_FILE ||
        status == WEFT_INTERNAL || status == WEFT_INTERRUPTED)
        return status;
    if (error != NULL) {
        weft_error inner = *error;
        weft__fail(error, WEFT_MODEL, "does not fit: %.400s", inner.message);
    }
    return WEFT_MODEL;
}

/* The same of files, but that what is malformed in one is bad input as it is everywhere, unless it was there
 * when the model was made. */
static weft_status as_misfit_of_files(weft_status status, bool as_they_were, weft_error *error)
{
    return status == WEFT_INPUT && !as_they_were ? status : as_misfit(status, error);
}

/* Eigenvectors are never computed for a state that was learnt in others. */
static weft_status check_table(const weft_roster *roster, const weft__known_ids *known, weft_error *error)
{
    bool mapped = roster->spec.map.eigen > 0, stored = known->table.values != NULL;
    if (mapped == stored || (mapped && !known->needs_table))
        return WEFT_OK;
    if (stored)
        return weft__fail(error, WEFT_MODEL,
                          "the model is damaged: it holds eigenvectors, but its SPEC has no map=eigen");
    return weft__fail(error, WEFT_MODEL,
                      "the model was written without the eigenvectors of map=eigen, which cannot be computed "
                      "again to the same numbers: run its stream again to make a new one");
}

/* A side file that is not where it was: what else there is. */
static weft_status tell_ways_out(weft_status status, weft_error *error)
{
    if (status != WEFT_FILE || error == NULL)
        return status;
    weft_error inner = *error;
    return weft__fail(
        error, status,
        "%.250s (the model has its path as it was given, relative to the current folder, and no copy of it: "
        "say where it is by another SPEC, or embed it in the model)",
        inner.message);
}

/* The roster of a side from its files or from what is embedded. */
static weft_status restore_side(weft__stored_side *side, const char *given, const weft_file_options *files,
                                weft_roster **roster, weft_error *error)
{
    weft__known_ids *known = &side->known;
    bool embedded = given == NULL && known->sources.stored;
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    bool changed = false;
    status = weft__roster_read(given != NULL ? given : side->spec, files, embedded ? &known->sources : NULL,
                               &made, error);
    TRY(as_misfit_of_files(given == NULL ? tell_ways_out(status, error) : status, embedded, error));
    if (!embedded)
        TRY(check_digests(made, known, &changed, error));
    TRY(as_misfit_of_files(restore_listed(made, known, changed, error), !changed, error));
    if (given != NULL)
        TRY(check_kernel(made, given, side->spec, error));
    TRY(check_table(made, known, error));
    weft__roster_keep_table(made, &known->table);
    TRY(as_misfit_of_files(weft__roster_make(made, error), !changed, error));
    weft__growth_keep(made, &known->settled);
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

static weft_status make_side(weft__stored_side *side, const char *given, const weft__stored *stored,
                             const weft_model_options *options, weft_roster **roster, weft_error *error)
{
    weft_file_options files = options->files;
    weft_roster_options how = files.roster != NULL ? *files.roster : (weft_roster_options){0};
    how.keep = how.keep || stored->embed;
    how.views = how.views || stored->committee;
    files.roster = &how;
    if (options->look && !stored->committee)
        return as_misfit(weft__roster_look(side->spec, &files, &side->known, roster, error), error);
    char *arranged = NULL;
    weft_status status = WEFT_OK;
    if (given != NULL) {
        TRY(weft__spec_arrange(given, side->spec, &stored->memory, &arranged, error));
        TRY(check_words(arranged, side->spec, &stored->memory, error));
    }
    TRY(restore_side(side, arranged, &files, roster, error));
done:
    weft__delete(&stored->memory, arranged);
    return status;
}

/* A capacity is kept or enlarged. */
static weft_status choose_capacity(int64_t given, int64_t stored, int64_t *capacity, weft_error *error)
{
    if (given != 0 && given < stored)
        return weft__fail(error, WEFT_ARGUMENT,
                          "found a capacity of %lld, which contradicts the model: expected at least %lld",
                          (long long)given, (long long)stored);
    *capacity = given != 0 ? given : stored;
    return WEFT_OK;
}

static weft_status enlarge(const weft_model *model, const weft_model_options *options, weft_error *error)
{
    weft_player *player = model->player;
    int64_t room[2] = {0, 0}, rows = 0, columns = 0;
    weft_status status = WEFT_OK;
    weft_player_room(player, &room[0], &room[1]);
    if (room[0] == 0)
        return options->row_capacity == 0 && options->column_capacity == 0
                   ? WEFT_OK
                   : weft__fail(error, WEFT_ARGUMENT,
                                "found a capacity, which contradicts the model: its ids have no bound");
    TRY(choose_capacity(options->row_capacity, room[0], &rows, error));
    if (model->columns != NULL)
        TRY(choose_capacity(options->column_capacity, room[1], &columns, error));
    if (rows > INT64_MAX - columns)
        return weft__fail(error, WEFT_ARGUMENT, "rows + columns does not fit");
    player->ops->enlarge(player, rows, columns);
    weft__roster_limit(model->rows, rows);
    if (model->columns != NULL)
        weft__roster_limit(model->columns, columns);
done:
    return status;
}

/* What was read must be all that was written: a state that leaves something to be
 * filled in was not written by a player. */
static weft_status check_state(const weft__stored *stored, const weft_player *player, weft_error *error)
{
    unsigned char *again = NULL;
    size_t size = 0;
    weft_status status = WEFT_OK;
    TRY(weft_player_write(player, NULL, &size, error));
    TRY(weft__new(&stored->memory, (int64_t)size, 1, &again, error));
    TRY(weft_player_write(player, again, &size, error));
    if (size != stored->state_size || memcmp(again, stored->state, size) != 0)
        status = weft__fail(error, WEFT_MODEL, "the state of the %s contradicts itself",
                            weft_kind_name(weft_player_kind(player)));
done:
    weft__delete(&stored->memory, again);
    return status;
}

static weft_status read_learner(const weft__stored *stored, const weft_model *model, weft_player **player,
                                weft_error *error)
{
    const weft_side *columns = model->columns != NULL ? weft_roster_side(model->columns) : NULL;
    weft__progress progress = weft__progress_of(&stored->progress);
    weft__making making = {&stored->memory, &progress};
    weft__learner *made = NULL;
    weft_status status = WEFT_OK;
    weft__progress_begin(&progress, "putting what was learnt in place", 0);
    const weft__learner_bytes from = {stored->state, stored->state_size, weft__model_grew(model)};
    TRY(weft__learner_restore_from(weft_roster_side(model->rows), columns, &from, making, &made, error));
    *player = &made->player;
done:
    return status;
}

weft_status weft__model_read_state(const weft__stored *stored, weft_model *model, weft_error *error)
{
    weft_status status =
        (stored->committee ? weft__model_committee : read_learner)(stored, model, &model->player, error);
    if (status == WEFT_OK)
        status = check_state(stored, model->player, error);
    if (status == WEFT_OK)
        weft__model_rebase(model);
    return as_misfit(status, error);
}

static weft_status make_parts(weft__stored *stored, const weft_model_options *options, weft_model *model,
                              weft_error *error)
{
    int64_t features[2] = {0, 0};
    weft_status status = WEFT_OK;
    weft__state_dimensions(stored->state, stored->state_size, features);
    for (int k = 0; k < 2; k++) {
        weft__known_ids *known = &stored->side[k].known;
        known->features = features[k];
        known->needs_table = stored->version > 1 || features[k] > 0;
    }
    TRY(make_side(&stored->side[0], options->rows, stored, options, &model->rows, error));
    if (stored->sides == 2)
        TRY(make_side(&stored->side[1], options->columns, stored, options, &model->columns, error));
    TRY(weft__model_read_state(stored, model, error));
    weft__roster_let_in(model->rows);
    if (model->columns != NULL)
        weft__roster_let_in(model->columns);
    TRY(enlarge(model, options, error));
done:
    return status;
}

weft_status weft__model_rebuild(const char *path, const unsigned char *bytes, size_t size,
                                const weft_model_options *options, weft_model *model, weft_error *error)
{
    weft_memory memory = weft__memory_or_default(options->files.memory);
    weft__stored stored = {.memory = memory, .progress = options->files.progress};
    weft_model made = {.read_only = options->look};
    weft_status status = WEFT_OK;
    TRY(weft__model_decode(bytes, size, &memory, &stored, error));
    TRY(make_parts(&stored, options, &made, error));
    made.horizon = stored.horizon;
    made.language = stored.language;
    made.embed = stored.embed || (options->files.roster != NULL && options->files.roster->keep);
    made.disturbed = made.player->disturbed = stored.disturbed || made.player->disturbed;
    made.negatives = stored.negatives;
    made.context = stored.context;
    made.player->only_seen = options->look && !stored.committee;
    made.player->looked_at = options->look;
    made.player->progress = options->files.progress;
    *model = made;
    made = (weft_model){0};
done:
    weft_model_close(&made);
    weft__stored_free(&stored);
    return status == WEFT_OK ? status : weft__model_tell(path, status, error);
}
