/* SPDX-License-Identifier: MIT */
#include "candidates.h"

#include "model.h"
#include "program/fail.h"

#include <stdlib.h>
#include <string.h>

static weft_roster *ranked_side(const candidates *list)
{
    return list->column ? list->model->rows : model_columns(list->model);
}

/* ---- Who ---- */

/* Names in order are ids in order, for both are distinct. */
typedef struct named_id {
    const char *name;
    int64_t id;
} named_id;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_id *)a)->name, ((const named_id *)b)->name);
}

static weft_status sort_by_name(candidates *list, weft_error *error)
{
    const weft_ids *ids = weft_roster_ids(ranked_side(list));
    named_id *named = calloc((size_t)list->count + 1, sizeof *named);
    if (named == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    for (int64_t k = 0; k < list->count; k++)
        named[k] = (named_id){weft_ids_name(ids, list->ids[k]), list->ids[k]};
    qsort(named, (size_t)list->count, sizeof *named, compare_names);
    for (int64_t k = 0; k < list->count; k++)
        list->ids[k] = named[k].id;
    free(named);
    return WEFT_OK;
}

weft_status candidates_all(candidates *list, weft_error *error)
{
    int64_t count = weft_ids_count(weft_roster_ids(ranked_side(list)));
    list->ids = calloc((size_t)count + 1, sizeof *list->ids);
    if (list->ids == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    for (int64_t id = 0; id < count; id++)
        list->ids[id] = id;
    list->count = count;
    return sort_by_name(list, error);
}

static weft_status append_id(candidates *list, int64_t id, int64_t *capacity, weft_error *error)
{
    if (list->count == *capacity) {
        int64_t larger = *capacity > 0 ? 2 * *capacity : 256;
        int64_t *grown = realloc(list->ids, (size_t)larger * sizeof *grown);
        if (grown == NULL)
            return fail(error, WEFT_MEMORY, "out of memory");
        list->ids = grown;
        *capacity = larger;
    }
    list->ids[list->count++] = id;
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

weft_status candidates_read(candidates *list, const char *path, const weft_file_options *files,
                            weft_error *error)
{
    weft_stream *stream = NULL;
    weft_event event = {0};
    int64_t id = 0, capacity = 0;
    bool more = true;
    weft_status status = WEFT_OK;
    TRY(weft_stream_open_as(WEFT_IDS, &path, 1, files, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        TRY(model_admit_one(list->model, list->column ? 0 : 1, event.row, &event, &id, error));
        TRY(append_id(list, id, &capacity, error));
    }
    if (list->count == 0)
        TRY(fail(error, WEFT_INPUT, "%s: found no ids, expected one a line",
                 strcmp(path, "-") == 0 ? "standard input" : path));
    TRY(sort_by_name(list, error));
    drop_repeated(list);
done:
    weft_stream_free(stream);
    return status;
}

/* ---- Who not ---- */

static weft_status leave(candidates *list, int64_t own, int64_t other, weft_error *error)
{
    if (list->pair_count == list->pair_capacity) {
        int64_t larger = list->pair_capacity > 0 ? 2 * list->pair_capacity : 1024;
        left_out *grown = realloc(list->pairs, (size_t)larger * sizeof *grown);
        if (grown == NULL)
            return fail(error, WEFT_MEMORY, "out of memory");
        list->pairs = grown;
        list->pair_capacity = larger;
    }
    list->pairs[list->pair_count++] = (left_out){own, other};
    return WEFT_OK;
}

/* Of one set of ids (i, j) and (j, i) are one pair. */
static weft_status leave_pair(candidates *list, int64_t row, int64_t column, weft_error *error)
{
    bool one_set = list->model->columns == NULL;
    weft_status status = list->column ? leave(list, column, row, error) : leave(list, row, column, error);
    if (status != WEFT_OK || !one_set)
        return status;
    return list->column ? leave(list, row, column, error) : leave(list, column, row, error);
}

weft_status candidates_leave_seen(candidates *list, weft_error *error)
{
    const weft_learner *learner = list->model->learner;
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < weft_learner_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft_learner_evidence(learner, k);
        TRY(leave_pair(list, entry.row, entry.column, error));
    }
done:
    return status;
}

weft_status candidates_leave_pairs(candidates *list, const char *const *paths, int64_t count,
                                   const weft_file_options *files, weft_error *error)
{
    const weft_ids *rows = weft_roster_ids(list->model->rows);
    const weft_ids *columns = weft_roster_ids(model_columns(list->model));
    weft_stream *stream = NULL;
    weft_event event = {0};
    bool more = true;
    weft_status status = WEFT_OK;
    TRY(weft_stream_open_as(WEFT_PAIRS, paths, count, files, &stream, error));
    for (;;) {
        TRY(weft_stream_next(stream, &event, &more, error));
        if (!more)
            break;
        int64_t row = weft_ids_find(rows, event.row), column = weft_ids_find(columns, event.column);
        if (row >= 0 && column >= 0)
            TRY(leave_pair(list, row, column, error));
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
    free(list->pairs);
    *list = (candidates){.model = list->model};
}
