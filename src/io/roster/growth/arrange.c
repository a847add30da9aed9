/* SPDX-License-Identifier: MIT
 *
 * From the order of a file to the order in which its ids came.
 *
 * Algorithm  Places 0 to known - 1 are the ids that were listed before, whose rows are looked up by name; the
 *            rows that are left follow in the order of the file.  Then every array is put in the order of
 *            places, what it says of known places is compared with what it said, and new names are added
 *            behind all that have a number.
 * Cost       O(what the file says). */
#include "io/roster/growth/growth.h"

#include <string.h>

/* Multiplications, about, of finding an id by its name. */
enum { A_NAME = 64 };

typedef struct arrangement {
    int64_t known, count; /* places, before and now */
    int64_t *row;         /* by place; -1: the file does not say it */
    int64_t *place;       /* by row */
} arrangement;

bool weft__can_grow(const weft_roster *roster)
{
    return roster->spec.source != WEFT__NONE && !weft__spec_is_mapped(&roster->spec);
}

/* ---- Places ---- */

/* A vertex of a graph whose edges have gone is refused with these. */
static weft_status find_known(arrangement *a, const weft_roster *roster, const weft__known_ids *known,
                              weft_error *error)
{
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    weft__progress_begin(&progress, "ids that were there before", A_NAME * (double)a->known);
    for (int64_t k = 0; k < a->known; k++) {
        weft_status status = weft__progress_step(&progress, A_NAME, error);
        if (status != WEFT_OK)
            return status;
        const char *name = weft_ids_name(known->ids, weft__settled_number(&known->settled, k));
        int64_t row = weft_ids_find(roster->ids, name);
        if (row < 0 && roster->spec.source != WEFT__GRAPH)
            return weft__growth_refuse_id(roster, known, k, true, error);
        a->row[k] = row;
        if (row >= 0)
            a->place[row] = k;
    }
    return WEFT_OK;
}

static void add_new(arrangement *a, int64_t rows)
{
    for (int64_t row = 0; row < rows; row++)
        if (a->place[row] < 0) {
            a->row[a->count] = row;
            a->place[row] = a->count++;
        }
}

static weft_status find_places(arrangement *a, const weft_roster *roster, const weft__known_ids *known,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t rows = weft_ids_count(roster->ids);
    a->known = a->count = known->settled.listed;
    TRY(weft__new(&roster->memory, a->known + rows, sizeof *a->row, &a->row, error));
    TRY(weft__new(&roster->memory, rows, sizeof *a->place, &a->place, error));
    for (int64_t row = 0; row < rows; row++)
        a->place[row] = -1;
    TRY(find_known(a, roster, known, error));
    add_new(a, rows);
done:
    return status;
}

/* ---- Contents ---- */

/* array[place] = array[row of place], `width` bytes each. */
static weft_status arrange_array(const arrangement *a, const weft_memory *memory, void *array, size_t width,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    unsigned char *old = *(unsigned char **)array, *fresh = NULL;
    if (old == NULL)
        return WEFT_OK;
    TRY(weft__new(memory, a->count, width, &fresh, error));
    for (int64_t k = 0; k < a->count; k++)
        memcpy(fresh + (size_t)k * width, old + (size_t)a->row[k] * width, width);
    weft__delete(memory, old);
    *(unsigned char **)array = fresh;
done:
    return status;
}

static weft_status arrange_columns(const arrangement *a, weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < columns->count; k++) {
        weft__column *column = &columns->list[k];
        TRY(arrange_array(a, &columns->memory, &column->numbers, sizeof *column->numbers, error));
        TRY(arrange_array(a, &columns->memory, &column->words, sizeof *column->words, error));
    }
    columns->capacity = columns->rows;
done:
    return status;
}

/* The columns of a square, whose rows are in order already. */
static weft_status arrange_across(const arrangement *a, weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    double *values = roster->contents.values, *row = NULL;
    int64_t n = a->count;
    TRY(weft__new(&roster->memory, n, sizeof *row, &row, error));
    for (int64_t i = 0; i < n; i++) {
        memcpy(row, values + i * n, (size_t)n * sizeof *row);
        for (int64_t j = 0; j < n; j++)
            values[i * n + j] = row[a->row[j]];
    }
done:
    weft__delete(&roster->memory, row);
    return status;
}

static weft_status arrange_contents(const arrangement *a, weft_roster *roster, const weft__known_ids *known,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &roster->memory;
    weft__contents *contents = &roster->contents;
    bool square = roster->spec.source == WEFT__KERNEL || roster->spec.source == WEFT__MATRIX;
    size_t width = (size_t)contents->dimension * sizeof(double);
    if (roster->spec.source == WEFT__GRAPH)
        return weft__growth_arrange_edges(roster, known, a->place, error);
    TRY(arrange_array(a, memory, &contents->class_of, sizeof *contents->class_of, error));
    TRY(arrange_array(a, memory, &contents->values, width, error));
    contents->capacity = contents->values != NULL ? a->count * contents->dimension : a->count;
    if (square)
        TRY(arrange_across(a, roster, error));
    TRY(arrange_columns(a, &contents->columns, error));
done:
    return status;
}

/* ---- What was said ---- */

static weft_status check_columns(const weft_roster *roster, const weft__settled *settled, weft_error *error)
{
    const weft__columns *columns = &roster->contents.columns;
    for (int64_t k = 0; roster->spec.source == WEFT__TABLE && (k < columns->count || k < settled->columns);
         k++) {
        const char *found = k < columns->count ? columns->list[k].name : "no more columns";
        const char *expected = k < settled->columns ? settled->column[k] : "no more columns";
        if (strcmp(found, expected) != 0)
            return weft__fail(
                error, WEFT_MODEL,
                "does not fit: %.150s: found %s behind the ids as column %lld, expected %s as when "
                "the model was saved",
                weft__shown_path(roster->spec.path), weft__shown_briefly(found).text, (long long)k + 1,
                weft__shown_briefly(expected).text);
    }
    return WEFT_OK;
}

/* The min kernel multiplies over all coordinates, and a table has a column for each. */
static weft_status check_dimension(const weft_roster *roster, const weft__settled *settled, weft_error *error)
{
    bool features = roster->spec.source == WEFT__FEATURES;
    bool fixed = weft__spec_is_table(&roster->spec) || roster->spec.kernel == WEFT_MIN;
    if (features && fixed && roster->contents.dimension != settled->dimension)
        return weft__fail(
            error, WEFT_MODEL,
            "does not fit: %.150s: found %lld numbers of an id, expected %lld as when the model "
            "was saved",
            weft__shown_path(roster->spec.path), (long long)roster->contents.dimension,
            (long long)settled->dimension);
    return WEFT_OK;
}

static weft_status check_said(const weft_roster *roster, const weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__settled *settled = &known->settled;
    uint64_t *said = NULL;
    TRY(check_columns(roster, settled, error));
    TRY(check_dimension(roster, settled, error));
    TRY(weft__growth_say(roster, &said, error));
    for (int64_t k = 0; said != NULL && settled->said != NULL && k < settled->listed; k++)
        if (said[k] != settled->said[k])
            TRY(weft__growth_refuse_id(roster, known, k, false, error));
done:
    weft__delete(&roster->memory, said);
    return status;
}

/* ---- Numbers ---- */

/* New names behind all that are known; `read` are those of the file. */
static weft_status number_places(const arrangement *a, const weft_ids *read, weft_roster *roster,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    int64_t *number = NULL, before = weft_ids_count(roster->ids);
    bool alike = true;
    TRY(weft__new(&roster->memory, a->count, sizeof *number, &number, error));
    for (int64_t k = 0; k < a->count; k++) {
        if (k < a->known)
            number[k] = weft__settled_number(settled, k);
        else
            TRY(weft_ids_add(roster->ids, weft_ids_name(read, a->row[k]), &number[k], error));
        alike = alike && number[k] == k;
        roster->facts.listed_later += k >= a->known && number[k] < before;
    }
    if (weft_ids_count(roster->ids) > roster->input.limits.id_limit)
        TRY(weft__fail(error, WEFT_CAPACITY,
                       "%.150s: found %lld ids with those known before, but there is room for only %lld",
                       weft__shown_path(roster->spec.path), (long long)weft_ids_count(roster->ids),
                       (long long)roster->input.limits.id_limit));
    weft__delete(&roster->memory, settled->number);
    settled->number = alike ? NULL : number;
    number = alike ? number : NULL;
    settled->listed = a->count;
done:
    weft__delete(&roster->memory, number);
    return status;
}

static weft_status note_listed(weft_roster *roster, const arrangement *a, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t ids = weft_ids_count(roster->ids);
    TRY(weft__new(&roster->memory, ids, sizeof *roster->lists, &roster->lists, error));
    roster->lists_size = ids;
    for (int64_t k = 0; k < a->count; k++)
        if (a->row[k] >= 0)
            roster->lists[weft__settled_number(&roster->settled, k)] = true;
done:
    return status;
}

void weft__growth_take_over(weft_roster *roster, weft__known_ids *known)
{
    weft_ids_free(roster->ids);
    roster->ids = known->ids;
    known->ids = NULL;
    weft__settled_free(&roster->settled);
    roster->settled = known->settled;
    known->settled = (weft__settled){.memory = roster->memory};
}

static weft_status check_vertices(const arrangement *a, const weft_roster *roster, weft_error *error)
{
    if (roster->spec.source == WEFT__GRAPH && a->count > INT32_MAX)
        return weft__fail(error, WEFT_CAPACITY, "%.150s: found %lld vertices, expected at most %d",
                          weft__shown_path(roster->spec.path), (long long)a->count, INT32_MAX);
    return WEFT_OK;
}

weft_status weft__roster_arrange(weft_roster *roster, weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    arrangement a = {0};
    weft_ids *read = NULL;
    if (roster->part_count > 0)
        return weft__growth_arrange_parts(roster, known, error);
    TRY(find_places(&a, roster, known, error));
    TRY(check_vertices(&a, roster, error));
    TRY(arrange_contents(&a, roster, known, error));
    TRY(check_said(roster, known, error));
    read = roster->ids;
    roster->ids = NULL;
    weft__growth_take_over(roster, known);
    roster->settled.before = a.known;
    TRY(number_places(&a, read, roster, error));
    TRY(note_listed(roster, &a, error));
    roster->facts.grown = a.count - a.known;
    roster->facts.let_in = weft_ids_count(roster->ids) - roster->facts.listed;
    roster->settled.moved = true;
done:
    weft_ids_free(read);
    weft__delete(&roster->memory, a.row);
    weft__delete(&roster->memory, a.place);
    return status;
}

bool weft__growth_is_new(const weft_roster *roster)
{
    return roster->facts.grown > 0 || roster->facts.new_edges > 0;
}
