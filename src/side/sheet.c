/* SPDX-License-Identifier: MIT
 *
 * Columns lie by id, so that every reader finds its ids in its own order.
 *
 * Cost       making: one column over the ids met; reading: one look-up for each id. */
#include "side/sheet.h"

#include "side/kinship.h"

#include <math.h>

void weft__sheet_open(weft__sheet *sheet, const weft_side *side, const weft_memory *memory)
{
    *sheet = (weft__sheet){.side = side, .memory = *memory};
    for (int which = 0; which < 2; which++)
        sheet->column[which].id = sheet->column[which].other = -1;
}

void weft__sheet_close(weft__sheet *sheet)
{
    void *owned[] = {sheet->met,
                     sheet->is_met,
                     sheet->scale,
                     sheet->list,
                     sheet->work,
                     sheet->column[0].value,
                     sheet->column[1].value,
                     sheet->column[0].kinship,
                     sheet->column[1].kinship};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&sheet->memory, owned[k]);
}

/* An array by id with room for more of them, which are not there yet. */
static weft_status widen(const weft__sheet *sheet, double **array, int64_t room, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__resize(&sheet->memory, array, sheet->size, room, sizeof **array, error));
    for (int64_t k = sheet->size; k < room; k++)
        (*array)[k] = NAN;
done:
    return status;
}

static weft_status make_room(weft__sheet *sheet, int64_t room, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &sheet->memory;
    int64_t met = sheet->met_count;
    TRY(weft__resize(memory, &sheet->met, met, room + 1, sizeof *sheet->met, error));
    TRY(weft__resize(memory, &sheet->scale, met, room, sizeof *sheet->scale, error));
    TRY(weft__resize(memory, &sheet->list, 0, room + 1, sizeof *sheet->list, error));
    if (sheet->side->blur > 0)
        TRY(weft__resize(memory, &sheet->work, 0, sheet->side->kind->vectors * room, sizeof *sheet->work,
                         error));
    TRY(weft__resize(memory, &sheet->is_met, sheet->size, room, sizeof *sheet->is_met, error));
    for (int which = 0; which < 2; which++) {
        TRY(widen(sheet, &sheet->column[which].value, room, error));
        TRY(widen(sheet, &sheet->column[which].kinship, room, error));
    }
    sheet->size = room;
done:
    return status;
}

weft_status weft__sheet_reserve(weft__sheet *sheet, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = sheet->side->count;
    /* As many as there are at first, then doubling: ids may come one by one. */
    if (count > sheet->size)
        TRY(make_room(sheet, sheet->size == 0 ? count : weft__grown(sheet->size, count), error));
    for (int64_t id = 0; id < count && sheet->whole && sheet->met_count < count; id++)
        weft__sheet_meet(sheet, id);
done:
    return status;
}

void weft__sheet_meet(weft__sheet *sheet, int64_t id)
{
    if (id >= sheet->size || sheet->is_met[id])
        return;
    sheet->is_met[id] = true;
    sheet->scale[sheet->met_count] = weft__kinship_scale(sheet->side, id);
    sheet->met[sheet->met_count++] = id;
}

void weft__sheet_make(weft__sheet *sheet, int which, int64_t id, int64_t other)
{
    const weft_side *side = sheet->side;
    weft__sheet_column *c = &sheet->column[which];
    bool fresh = c->id != id, across = side->blur > 0 && id < other && (fresh || c->other != other);
    if (fresh)
        *c = (weft__sheet_column){.id = id, .other = -1, .value = c->value, .kinship = c->kinship};
    const int64_t *ids = sheet->met + c->filled;
    int64_t count = sheet->met_count - c->filled;
    sheet->met[sheet->met_count] = other;
    if (count + across == 0)
        return;
    side->kind->column(side, id, ids, count + across, sheet->list, sheet->work);
    for (int64_t k = 0; k < count; k++)
        c->value[ids[k]] = sheet->list[k];
    double scale = sheet->kinships ? weft__kinship_scale(side, id) : 0;
    for (int64_t k = 0; k < count && sheet->kinships; k++)
        c->kinship[ids[k]] = weft__kinship(side, sheet->list[k], scale, sheet->scale[c->filled + k]);
    if (across) {
        c->other = other;
        c->across = sheet->list[count];
    }
    c->filled = sheet->met_count;
    /* A few ids more are no column, unless each of them takes a solve. */
    sheet->made += fresh || side->blur > 0;
}

/* ---- Reading ---- */

static const weft__sheet_column *find(const weft__sheet *sheet, int64_t id)
{
    for (int which = 0; which < 2; which++)
        if (sheet->column[which].id == id)
            return &sheet->column[which];
    return NULL;
}

/* Takes down that a column was asked for, and whether it was there. */
static bool answer(weft__sheet *sheet, bool found)
{
    atomic_fetch_add_explicit(&sheet->asked, 1, memory_order_relaxed);
    if (!found)
        atomic_fetch_add_explicit(&sheet->lacking, 1, memory_order_relaxed);
    return found;
}

/* out[k] = from[ids[k]]; false where one of them is not there. */
static bool gather(const weft__sheet *sheet, const double *from, const int64_t *ids, int64_t count,
                   double *out)
{
    bool lacks = false;
    for (int64_t k = 0; k < count; k++) {
        out[k] = ids[k] < sheet->size ? from[ids[k]] : NAN;
        lacks |= isnan(out[k]);
    }
    return !lacks;
}

bool weft__sheet_read(weft__sheet *sheet, int64_t id, const int64_t *ids, int64_t count, double *out)
{
    if (sheet == NULL)
        return false;
    const weft__sheet_column *c = find(sheet, id);
    return answer(sheet, c != NULL && gather(sheet, c->value, ids, count, out));
}

bool weft__sheet_read_kinship(weft__sheet *sheet, int64_t id, const int64_t *ids, int64_t count, double *out)
{
    if (sheet == NULL)
        return false;
    const weft__sheet_column *c = find(sheet, id);
    return answer(sheet, c != NULL && gather(sheet, c->kinship, ids, count, out));
}

const double *weft__sheet_kinships(weft__sheet *sheet, int64_t id)
{
    if (sheet == NULL)
        return NULL;
    const weft__sheet_column *c = find(sheet, id);
    bool found = c != NULL && c->filled == sheet->side->count && sheet->kinships;
    answer(sheet, found);
    return found ? c->kinship : NULL;
}

bool weft__sheet_read_entry(weft__sheet *sheet, int64_t i, int64_t j, double *entry)
{
    if (sheet == NULL)
        return false;
    const weft__sheet_column *c = find(sheet, i < j ? i : j);
    bool found = c != NULL && c->other == (i < j ? j : i);
    if (found)
        *entry = c->across;
    return answer(sheet, found);
}
