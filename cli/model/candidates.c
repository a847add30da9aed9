/* SPDX-License-Identifier: MIT */
#include "cli/model/candidates.h"

#include "cli/model/model.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>
#include <string.h>

static weft_roster *ranked_side(const candidates *list)
{
    return list->column ? list->model->rows : model_columns(list->model);
}

/* ---- Who ---- */

static bool is_nameless(const candidates *list)
{
    return model_hashed(list->model, list->column ? 0 : 1);
}

/* Names in order are ids in order, for both are distinct. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_id *)a)->name, ((const named_id *)b)->name);
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = ((const named_id *)a)->id, y = ((const named_id *)b)->id;
    return (x > y) - (x < y);
}

const char *candidates_name(const candidates *list, int64_t id)
{
    if (list->by_id == NULL)
        return weft_ids_name(weft_roster_ids(ranked_side(list)), id);
    const named_id key = {.id = id};
    const named_id *found = bsearch(&key, list->by_id, (size_t)list->count, sizeof key, compare_ids);
    return found != NULL ? found->name : NULL;
}

static void sort_by_name(candidates *list)
{
    named_id *named = new_array(list->count, sizeof *named);
    for (int64_t k = 0; k < list->count; k++)
        named[k] = (named_id){candidates_name(list, list->ids[k]), list->ids[k]};
    qsort(named, (size_t)list->count, sizeof *named, compare_names);
    for (int64_t k = 0; k < list->count; k++)
        list->ids[k] = named[k].id;
    free(named);
}

weft_status candidates_all(candidates *list, weft_error *error)
{
    int64_t count = weft_ids_count(weft_roster_ids(ranked_side(list)));
    if (is_nameless(list))
        return fail(error, WEFT_ARGUMENT,
                    "names=hashed keeps no list of the %s to rank: --candidates FILE is needed",
                    list->column                   ? "rows"
                    : list->model->columns != NULL ? "columns"
                                                   : "ids");
    list->ids = new_array(count, sizeof *list->ids);
    for (int64_t id = 0; id < count; id++)
        list->ids[id] = id;
    list->count = count;
    sort_by_name(list);
    return WEFT_OK;
}

/* Sorted, the same ids are neighbours. */
static void drop_repeated(candidates *list)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < list->count; k++)
        if (k == 0 || list->ids[k] != list->ids[k - 1])
            list->ids[kept++] = list->ids[k];
    list->count = kept;
}

/* Takes the name down where the model does not; *fresh tells whether it is the first time. */
static weft_status note_name(candidates *list, const char *name, bool *fresh, weft_error *error)
{
    int64_t place = 0, before = 0;
    weft_status status = WEFT_OK;
    *fresh = true;
    if (!is_nameless(list))
        return WEFT_OK;
    if (list->names == NULL)
        TRY(weft_ids_create(NULL, &list->names, error));
    before = weft_ids_count(list->names);
    TRY(weft_ids_add(list->names, name, &place, error));
    *fresh = place == before;
done:
    return status;
}

/* By now ids[k] belongs to name k. */
static void index_names(candidates *list)
{
    if (list->names == NULL)
        return;
    list->by_id = new_array(list->count, sizeof *list->by_id);
    for (int64_t k = 0; k < list->count; k++)
        list->by_id[k] = (named_id){weft_ids_name(list->names, k), list->ids[k]};
    qsort(list->by_id, (size_t)list->count, sizeof *list->by_id, compare_ids);
}

weft_status candidates_read(candidates *list, const char *path, const weft_file_options *files,
                            weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    int64_t id = 0, capacity = 0;
    bool more = true, fresh = true;
    weft_status status = WEFT_OK;
    TRY(weft_stream_open_as(WEFT_IDS, &path, 1, files, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        TRY(model_admit_one(list->model, list->column ? 0 : 1, event.row, &event, &id, error));
        TRY(note_name(list, event.row, &fresh, error));
        if (!fresh)
            continue;
        list->ids = new_room(list->ids, list->count, &capacity, sizeof *list->ids);
        list->ids[list->count++] = id;
    }
    if (list->count == 0)
        TRY(fail(error, WEFT_INPUT, "%s: found no ids, expected one a line",
                 strcmp(path, "-") == 0 ? "standard input" : path));
    index_names(list);
    sort_by_name(list);
    drop_repeated(list);
done:
    weft_stream_free(stream);
    return status;
}

/* ---- Who not ---- */

static void leave(candidates *list, int64_t own, int64_t other)
{
    list->pairs = new_room(list->pairs, list->pair_count, &list->pair_capacity, sizeof *list->pairs);
    list->pairs[list->pair_count++] = (left_out){own, other};
}

/* Of one set of ids (i, j) and (j, i) are one pair. */
static void leave_pair(candidates *list, int64_t row, int64_t column)
{
    bool one_set = list->model->columns == NULL;
    if (!list->column || one_set)
        leave(list, row, column);
    if (list->column || one_set)
        leave(list, column, row);
}

void candidates_leave_seen(candidates *list)
{
    for (int64_t k = 0; k < weft_player_member_count(list->model->player); k++) {
        const weft_player *player = weft_player_member(list->model->player, k);
        for (int64_t j = 0; j < weft_player_evidence_count(player); j++) {
            weft_evidence_entry entry = weft_player_evidence(player, j);
            leave_pair(list, entry.row, entry.column);
        }
    }
}

weft_status candidates_leave_pairs(candidates *list, const char *const *paths, int64_t count,
                                   const weft_file_options *files, weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    bool more = true;
    weft_status status = WEFT_OK;
    TRY(weft_stream_open_as(WEFT_PAIRS, paths, count, files, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        int64_t row = model_number(list->model, 0, event.row);
        int64_t column = model_number(list->model, 1, event.column);
        if (row >= 0 && column >= 0)
            leave_pair(list, row, column);
    }
done:
    weft_stream_free(stream);
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    const left_out *x = a, *y = b;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

void candidates_settle(candidates *list)
{
    if (list->pair_count > 0)
        qsort(list->pairs, (size_t)list->pair_count, sizeof *list->pairs, compare_pairs);
}

int64_t candidates_of(const candidates *list, int64_t id, int64_t *chosen)
{
    bool one_set = list->model->columns == NULL;
    int64_t found = 0;
    for (int64_t k = 0; k < list->count; k++) {
        left_out pair = {id, list->ids[k]};
        bool out = list->pair_count > 0 &&
                   bsearch(&pair, list->pairs, (size_t)list->pair_count, sizeof pair, compare_pairs) != NULL;
        if (!out && !(one_set && pair.other == id))
            chosen[found++] = pair.other;
    }
    return found;
}

void candidates_free(candidates *list)
{
    free(list->ids);
    free(list->by_id);
    weft_ids_free(list->names);
    free(list->pairs);
    *list = (candidates){.model = list->model};
}
