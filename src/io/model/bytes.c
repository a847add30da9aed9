/* SPDX-License-Identifier: MIT
 *
 * The layout, all numbers 8 bytes little-endian, strings with their length before:
 *
 *     head       magic, version, size of the file
 *     model      sides, horizon, labels, embed, disturbed
 *                in version 5, of which a model is whose files can grow, what it were without that
 *                count, seed and ids of drawn negatives (from version 3, if a model needs them)
 *                fields of context, and length and bytes of the name of each (from 4, the same)
 *                the words for +1 and -1 and the threshold (6, of labels that are no -1/1 or 0/1)
 *     each side  SPEC, ids listed, files, then of each file path, size, digest, (embed: its bytes)
 *                ids, bytes of their names, the names with a 0 behind each
 *                ids and width of the table of its eigen coordinates, its numbers (not in version 1)
 *                what was settled of it (version 5)
 *     state      size, the bytes of weft_player_write, by whose first 8 the kind is known
 *     checksum   XXH3-128 of everything before
 *
 * The reader looks at the checksum first, so that damage is told as such; what it
 * reads then may still be nonsense that somebody signed, so every size is compared
 * with the bytes that are left before anything is allocated. */
#include "base/bytes.h"
#include "io/model/model.h"
#include "io/roster/growth/growth.h"
#include "io/roster/spec.h"
#include "player/player.h"

#include <math.h>
#include <string.h>

/* "weftmodl", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x6c646f6d74666577);

/* "weftcomm", with which the state of a committee begins. */
static const int64_t COMMITTEE = INT64_C(0x6d6d6f6374666577);

enum { HEAD_BYTES = 24, CHECKSUM_BYTES = 16, LEAST_BYTES = HEAD_BYTES + CHECKSUM_BYTES };

/* ---- Out ---- */

static void put_string(weft__encoder *w, const char *string)
{
    size_t length = strlen(string);
    weft__put_integer(w, (int64_t)length);
    weft__put_bytes(w, string, length);
}

static void put_sources(weft__encoder *w, const weft_roster *roster, bool embed)
{
    int64_t count = weft_roster_source_count(roster);
    weft__put_integer(w, count);
    for (int64_t k = 0; k < count; k++) {
        weft_source source = weft_roster_source(roster, k);
        put_string(w, source.path);
        weft__put_integer(w, source.size);
        weft__put_digest(w, (weft__digest){{source.digest[0], source.digest[1]}});
        if (embed)
            weft__put_bytes(w, source.kept, (size_t)source.size);
    }
}

static void put_ids(weft__encoder *w, const weft_ids *ids)
{
    int64_t count = weft_ids_count(ids), bytes = 0;
    for (int64_t k = 0; k < count; k++)
        bytes += (int64_t)strlen(weft_ids_name(ids, k)) + 1;
    weft__put_integer(w, count);
    weft__put_integer(w, bytes);
    for (int64_t k = 0; k < count; k++)
        weft__put_bytes(w, weft_ids_name(ids, k), strlen(weft_ids_name(ids, k)) + 1);
}

static void put_table(weft__encoder *w, weft__map_table table)
{
    weft__put_integer(w, table.ids);
    weft__put_integer(w, table.width);
    for (int64_t k = 0; k < table.ids * table.width; k++)
        weft__put_double(w, table.values[k]);
}

static void put_side(weft__encoder *w, const weft_roster *roster, bool embed, bool settled)
{
    put_string(w, weft_roster_spec(roster));
    weft__put_integer(w, weft_roster_report(roster).listed);
    put_sources(w, roster, embed);
    put_ids(w, weft_roster_ids(roster));
    put_table(w, weft__roster_table(roster));
    if (settled)
        weft__growth_write(roster, w);
}

/* Writing does not fail where there is room. */
static void put_state(weft__encoder *w, const weft_player *player)
{
    size_t size = 0;
    weft_player_write(player, NULL, &size, NULL);
    weft__put_integer(w, (int64_t)size);
    if (w->at != NULL)
        weft_player_write(player, w->at + w->size, &size, NULL);
    w->size += size;
}

/* The same of a state that is written already. */
static void put_bytes_of_state(weft__encoder *w, const weft__stored *stored)
{
    weft__put_integer(w, (int64_t)stored->state_size);
    weft__put_bytes(w, stored->state, stored->state_size);
}

static bool can_grow(const weft_model *model)
{
    return model->rows->settled.known || (model->columns != NULL && model->columns->settled.known);
}

static size_t put_model(const weft_model *model, size_t size, unsigned char *buffer)
{
    bool settled = can_grow(model);
    weft__encoder w = {buffer, 0};
    weft__put_integer(&w, MAGIC);
    weft__put_integer(&w, settled ? WEFT__MODEL_SETTLED : weft__model_version(model));
    weft__put_integer(&w, (int64_t)size);
    weft__put_integer(&w, model->columns == NULL ? 1 : 2);
    weft__put_integer(&w, model->horizon);
    weft__put_integer(&w, model->language.labels);
    weft__put_integer(&w, model->embed);
    weft__put_integer(&w, model->disturbed || model->player->disturbed);
    if (settled)
        weft__put_integer(&w, weft__model_version(model));
    weft__model_put_said(model, &w);
    put_side(&w, model->rows, model->embed, settled);
    if (model->columns != NULL)
        put_side(&w, model->columns, model->embed, settled);
    put_state(&w, model->player);
    weft__digest sum = {{0, 0}};
    if (buffer != NULL)
        sum = weft__digest_of(buffer, w.size);
    weft__put_digest(&w, sum);
    return w.size;
}

size_t weft__model_encode(const weft_model *model, unsigned char *buffer)
{
    size_t size = put_model(model, 0, NULL);
    return buffer == NULL ? size : put_model(model, size, buffer);
}

size_t weft__model_encode_learnt(const weft_model *model, const weft__stored *stored, unsigned char *buffer)
{
    weft__encoder w = {buffer, 0};
    put_ids(&w, weft_roster_ids(model->rows));
    if (model->columns != NULL)
        put_ids(&w, weft_roster_ids(model->columns));
    if (stored == NULL)
        put_state(&w, model->player);
    else
        put_bytes_of_state(&w, stored);
    weft__model_put_events(model, &w);
    return w.size;
}

/* ---- In ---- */

static weft_status damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_MODEL, "the model is damaged: %s", what);
}

/* A copy with a 0 behind it; no other is inside. */
static weft_status get_string(weft__decoder *r, const weft_memory *memory, char **string, weft_error *error)
{
    int64_t length = weft__get_integer(r);
    const unsigned char *bytes = weft__get_bytes(r, length);
    if (bytes == NULL || memchr(bytes, 0, (size_t)length) != NULL)
        return damaged(error, "a string is longer than the file, or has a zero byte");
    weft_status status = weft__new(memory, length + 1, 1, string, error);
    if (status == WEFT_OK)
        memcpy(*string, bytes, (size_t)length);
    return status;
}

static weft_status get_contents(weft__decoder *r, int64_t size, weft__sources *sources,
                                weft__source_file *item, weft_error *error)
{
    weft__digest told = item->digest;
    const unsigned char *bytes = weft__get_bytes(r, size);
    if (bytes == NULL)
        return damaged(error, "an embedded file is longer than the model");
    item->size = 0;
    weft_status status = weft__sources_add(sources, item, bytes, size, error);
    if (status != WEFT_OK)
        return status;
    if (!weft__digest_equal(weft__digest_of(bytes, (size_t)size), told))
        return damaged(error, "an embedded file has another digest than the model says");
    item->digest = told;
    return WEFT_OK;
}

static weft_status get_source(weft__decoder *r, bool embed, weft__sources *sources, weft_error *error)
{
    char *path = NULL;
    weft__source_file *item = NULL;
    weft_status status = WEFT_OK;
    TRY(get_string(r, &sources->memory, &path, error));
    TRY(weft__sources_begin(sources, path, &item, error));
    item->size = weft__get_integer(r);
    item->digest = weft__get_digest(r);
    if (r->failed || item->size < 0)
        TRY(damaged(error, "the size of a file is negative, or it is cut short"));
    if (embed)
        TRY(get_contents(r, item->size, sources, item, error));
done:
    weft__delete(&sources->memory, path);
    return status;
}

static weft_status get_sources(weft__decoder *r, bool embed, const weft_memory *memory,
                               weft__sources *sources, weft_error *error)
{
    enum { MOST_FILES = 16 };
    int64_t count = weft__get_integer(r);
    if (r->failed || count < 0 || count > MOST_FILES)
        return damaged(error, "the number of files is out of range");
    *sources = (weft__sources){.memory = *memory, .keep = embed, .stored = embed};
    for (int64_t k = 0; k < count; k++) {
        weft_status status = get_source(r, embed, sources, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* `count` names in `bytes`, each with a 0 behind it and none empty. */
static weft_status get_names(const char *names, int64_t bytes, int64_t count, weft_ids *ids,
                             weft_error *error)
{
    const char *end = names + bytes;
    weft_status status = WEFT_OK;
    int64_t number = 0;
    if (bytes == 0 ? count != 0 : end[-1] != 0)
        return damaged(error, "the names of its ids do not end where they should");
    for (int64_t k = 0; names < end; k++) {
        TRY(weft_ids_add(ids, names, &number, error));
        if (number != k || *names == 0)
            return damaged(error, "an id is empty or listed twice");
        names += strlen(names) + 1;
    }
    if (weft_ids_count(ids) != count)
        return damaged(error, "the number of its ids is not that of their names");
done:
    return status;
}

static weft_status get_ids(weft__decoder *r, const weft_memory *memory, weft_ids **ids, weft_error *error)
{
    int64_t count = weft__get_integer(r);
    int64_t bytes = weft__get_integer(r);
    const unsigned char *names = weft__get_bytes(r, bytes);
    if (names == NULL)
        return damaged(error, "the names of its ids are longer than the file");
    weft_status status = weft_ids_create(memory, ids, error);
    return status != WEFT_OK ? status : get_names((const char *)names, bytes, count, *ids, error);
}

/* Finite numbers, ids x width of them; 0 x 0 where there is no table. */
static weft_status get_table(weft__decoder *r, const weft_memory *memory, weft__map_table *table,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t ids = weft__get_integer(r), width = weft__get_integer(r);
    bool none = ids == 0 && width == 0;
    if (r->failed || (!none && (ids < 1 || width < 1 || width > WEFT_MAP_LIMIT + 1)) ||
        ids > (int64_t)(r->left / sizeof(double)) / (none ? 1 : width))
        return damaged(error, "the table of its features is longer than the file, or has no numbers");
    if (none)
        return WEFT_OK;
    TRY(weft__new(memory, ids * width, sizeof *table->values, &table->values, error));
    table->ids = ids;
    table->width = width;
    for (int64_t k = 0; k < ids * width; k++) {
        table->values[k] = weft__get_double(r);
        if (!isfinite(table->values[k]))
            return damaged(error, "a feature is no finite number");
    }
done:
    return status;
}

static weft_status get_settled(weft__decoder *r, const weft_memory *memory, weft__stored_side *side,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = weft_ids_count(side->known.ids), parts = weft__spec_count(side->spec);
    TRY(weft__settled_read(&side->known.settled, count, memory, r, error));
    if (parts > WEFT_PARTS)
        return damaged(error, "its side information has too many parts");
    if (parts > 1)
        TRY(weft__settled_read_parts(&side->known.settled, parts, count, r, error));
done:
    return status;
}

static weft_status get_side(weft__decoder *r, const weft__stored *stored, weft__stored_side *side,
                            weft_error *error)
{
    const weft_memory *memory = &stored->memory;
    weft_status status = WEFT_OK;
    TRY(get_string(r, memory, &side->spec, error));
    side->known.listed = weft__get_integer(r);
    TRY(get_sources(r, stored->embed, memory, &side->known.sources, error));
    TRY(get_ids(r, memory, &side->known.ids, error));
    if (side->known.listed < 0 || side->known.listed > weft_ids_count(side->known.ids))
        return damaged(error, "the ids that the side information lists are not all there");
    if (stored->version > 1)
        TRY(get_table(r, memory, &side->known.table, error));
    if (stored->settled)
        TRY(get_settled(r, memory, side, error));
done:
    return status;
}

/* Magic, version, size and checksum; what is between them goes to *r. */
static weft_status get_head(const unsigned char *bytes, size_t size, int64_t *version, weft__decoder *r,
                            weft_error *error)
{
    weft__decoder head = {bytes, size, false};
    if (weft__get_integer(&head) != MAGIC)
        return weft__fail(error, WEFT_MODEL, "found no model of weft, expected one");
    *version = weft__get_integer(&head);
    if (!head.failed && (*version < 1 || *version > WEFT__MODEL_VERSION))
        return weft__fail(error, WEFT_MODEL, "found a model of version %lld, expected 1 to %d",
                          (long long)*version, WEFT__MODEL_VERSION);
    int64_t told = weft__get_integer(&head);
    if (head.failed || size < LEAST_BYTES || told < 0 || (uint64_t)told != size)
        return weft__fail(error, WEFT_MODEL, "the model is damaged: found %zu bytes, expected %lld", size,
                          (long long)told);
    weft__decoder tail = {bytes + size - CHECKSUM_BYTES, CHECKSUM_BYTES, false};
    weft__digest sum = weft__digest_of(bytes, size - CHECKSUM_BYTES);
    weft__digest found = weft__get_digest(&tail);
    if (!weft__digest_equal(found, sum))
        return weft__fail(error, WEFT_MODEL,
                          "the model is damaged: found checksum %016llx%016llx, expected %016llx%016llx",
                          (unsigned long long)sum.half[0], (unsigned long long)sum.half[1],
                          (unsigned long long)found.half[0], (unsigned long long)found.half[1]);
    *r = (weft__decoder){bytes + HEAD_BYTES, size - LEAST_BYTES, false};
    return WEFT_OK;
}

static weft_status get_state(weft__decoder *r, weft__stored *stored, weft_error *error)
{
    int64_t size = weft__get_integer(r);
    stored->state = weft__get_bytes(r, size);
    if (stored->state == NULL || r->left != 0)
        return damaged(error, "its length is not that of its learner");
    stored->state_size = (size_t)size;
    weft__decoder state = {stored->state, stored->state_size, false};
    stored->committee = weft__get_integer(&state) == COMMITTEE;
    return WEFT_OK;
}

weft_status weft__model_decode(const unsigned char *bytes, size_t size, const weft_memory *memory,
                               weft__stored *stored, weft_error *error)
{
    weft__decoder r = {NULL, 0, false};
    weft_status status = WEFT_OK;
    *stored = (weft__stored){.memory = *memory};
    TRY(get_head(bytes, size, &stored->version, &r, error));
    int64_t sides = weft__get_integer(&r);
    stored->horizon = weft__get_integer(&r);
    stored->language.labels = (weft_labels)weft__get_choice(&r, WEFT_LABELS_RATINGS + 1);
    stored->embed = weft__get_choice(&r, 2) != 0;
    stored->disturbed = weft__get_choice(&r, 2) != 0;
    stored->settled = stored->version == WEFT__MODEL_SETTLED;
    if (stored->settled)
        stored->version = weft__get_integer(&r);
    bool known = stored->version >= 1 && stored->version <= WEFT__MODEL_VERSION &&
                 stored->version != WEFT__MODEL_SETTLED;
    if (r.failed || sides < 1 || sides > 2 || stored->horizon < 0 || !known)
        TRY(damaged(error, "its head is out of range"));
    stored->sides = (int)sides;
    TRY(weft__model_get_events(&r, stored, error));
    for (int k = 0; k < stored->sides; k++)
        TRY(get_side(&r, stored, &stored->side[k], error));
    if (stored->negatives.ids > weft_ids_count(stored->side[stored->sides - 1].known.ids))
        TRY(damaged(error, "negatives are drawn from more ids than there are"));
    TRY(get_state(&r, stored, error));
done:
    return status;
}

void weft__stored_free(weft__stored *stored)
{
    for (int k = 0; k < 2; k++) {
        weft__stored_side *side = &stored->side[k];
        weft__sources_free(&side->known.sources);
        weft_ids_free(side->known.ids);
        weft__settled_free(&side->known.settled);
        weft__delete(&stored->memory, side->known.table.values);
        weft__delete(&stored->memory, side->spec);
    }
    *stored = (weft__stored){.memory = stored->memory};
}
