/* SPDX-License-Identifier: MIT
 * What was settled, as it is kept and written. */
#include "io/roster/growth/settled.h"

#include <math.h>
#include <string.h>

void weft__settled_free_parts(weft__settled *settled)
{
    for (int64_t k = 0; k < settled->parts; k++)
        weft__settled_free(&settled->part[k]);
    weft__delete(&settled->memory, settled->part);
    settled->part = NULL;
    settled->parts = 0;
}

void weft__settled_free(weft__settled *settled)
{
    const weft_memory memory = settled->memory;
    weft__settled_free_parts(settled);
    for (int64_t k = 0; settled->column != NULL && k < settled->columns; k++)
        weft__delete(&memory, settled->column[k]);
    weft__delete(&memory, settled->column);
    weft__delete(&memory, settled->number);
    weft__delete(&memory, settled->said);
    weft__delete(&memory, settled->edge);
    weft__delete(&memory, settled->community);
    *settled = (weft__settled){.memory = memory};
}

int64_t weft__settled_number(const weft__settled *settled, int64_t place)
{
    return settled->number != NULL ? settled->number[place] : place;
}

bool weft__settled_has_view(const weft__settled *settled, weft_view_kind kind)
{
    for (int64_t k = 0; k < settled->views; k++)
        if (settled->view[k] == (int64_t)kind)
            return true;
    return false;
}

static weft_status copy_array(const weft_memory *memory, const void *from, int64_t count, size_t size,
                              void *to, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (from == NULL)
        return WEFT_OK;
    TRY(weft__new(memory, count, size, to, error));
    if (count > 0)
        memcpy(*(void **)to, from, (size_t)count * size);
done:
    return status;
}

static weft_status copy_names(const weft__settled *from, weft__settled *to, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (from->column == NULL)
        return WEFT_OK;
    TRY(weft__new(&to->memory, from->columns, sizeof *to->column, &to->column, error));
    to->columns = from->columns;
    for (int64_t k = 0; k < from->columns; k++)
        TRY(weft__new_text(&to->memory, from->column[k], &to->column[k], error));
done:
    return status;
}

weft_status weft__settled_copy(const weft__settled *from, weft__settled *to, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled made = *from;
    made.number = made.community = NULL;
    made.said = NULL;
    made.edge = NULL;
    made.column = NULL;
    made.columns = 0;
    made.part = NULL;
    made.parts = 0;
    TRY(copy_array(&made.memory, from->number, from->listed, sizeof *from->number, &made.number, error));
    TRY(copy_array(&made.memory, from->said, from->listed, sizeof *from->said, &made.said, error));
    TRY(copy_array(&made.memory, from->edge, from->edges, sizeof *from->edge, &made.edge, error));
    TRY(copy_array(&made.memory, from->community, from->listed, sizeof *from->community, &made.community,
                   error));
    TRY(copy_names(from, &made, error));
    *to = made;
    made = (weft__settled){.memory = from->memory};
done:
    weft__settled_free(&made);
    return status;
}

/* ---- Out ---- */

static void put_numbers(weft__encoder *w, const int64_t *list, int64_t count)
{
    weft__put_integer(w, list != NULL);
    for (int64_t k = 0; list != NULL && k < count; k++)
        weft__put_integer(w, list[k]);
}

static bool has_weights(const weft__settled *settled)
{
    bool weights = false;
    for (int64_t k = 0; k < settled->edges && !weights; k++)
        weights = settled->edge[k].weight != 1;
    return weights;
}

/* Both places of an edge are one number. */
static void put_edges(weft__encoder *w, const weft__settled *settled)
{
    bool weights = has_weights(settled);
    weft__put_integer(w, settled->edges);
    weft__put_integer(w, weights);
    for (int64_t k = 0; k < settled->edges; k++) {
        const weft__settled_edge *e = &settled->edge[k];
        weft__put_integer(w, (int64_t)((uint64_t)e->from << 32 | (uint64_t)e->to));
        if (weights)
            weft__put_double(w, e->weight);
    }
}

static void put_names(weft__encoder *w, const weft__settled *settled)
{
    weft__put_integer(w, settled->columns);
    for (int64_t k = 0; k < settled->columns; k++) {
        size_t length = strlen(settled->column[k]);
        weft__put_integer(w, (int64_t)length);
        weft__put_bytes(w, settled->column[k], length);
    }
}

void weft__settled_write_part(const weft__settled *settled, const int64_t *number, weft__encoder *w)
{
    weft__put_integer(w, settled->known);
    if (!settled->known)
        return;
    weft__put_integer(w, settled->moved);
    weft__put_integer(w, settled->first);
    weft__put_integer(w, settled->listed);
    put_numbers(w, number, settled->listed);
    put_numbers(w, (const int64_t *)settled->said, settled->listed);
    put_edges(w, settled);
    weft__put_double(w, settled->radius);
    weft__put_double(w, settled->spread);
    weft__put_integer(w, settled->graph_kernel);
    weft__put_integer(w, settled->dimension);
    put_names(w, settled);
    weft__put_integer(w, settled->views);
    for (int64_t k = 0; k < settled->views; k++)
        weft__put_integer(w, settled->view[k]);
    put_numbers(w, settled->community, settled->listed);
}

void weft__settled_write(const weft__settled *settled, weft__encoder *w)
{
    weft__settled_write_part(settled, settled->number, w);
}

/* ---- In ---- */

/* Counts are compared with the bytes that are left before anything is allocated. */
static bool fits(const weft__decoder *r, int64_t count, int64_t bytes)
{
    return !r->failed && count >= 0 && (uint64_t)count <= r->left / (uint64_t)bytes;
}

/* `count` numbers from 0 to most - 1 (most 0: any), or none. */
static weft_status get_numbers(weft__decoder *r, const weft_memory *memory, int64_t count, int64_t most,
                               int64_t **list, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool there = weft__get_choice(r, 2) != 0;
    if (!there || !fits(r, count, 8)) {
        r->failed = r->failed || there;
        return WEFT_OK;
    }
    TRY(weft__new(memory, count, sizeof **list, list, error));
    for (int64_t k = 0; k < count; k++) {
        (*list)[k] = weft__get_integer(r);
        r->failed = r->failed || (most > 0 && ((*list)[k] < 0 || (*list)[k] >= most));
    }
done:
    return status;
}

static weft_status get_edges(weft__decoder *r, weft__settled *settled, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t edges = weft__get_integer(r);
    bool weights = weft__get_choice(r, 2) != 0;
    if (!fits(r, edges, weights ? 16 : 8)) {
        r->failed = true;
        return WEFT_OK;
    }
    if (edges > 0)
        TRY(weft__new(&settled->memory, edges, sizeof *settled->edge, &settled->edge, error));
    settled->edges = edges;
    for (int64_t k = 0; k < edges; k++) {
        uint64_t both = (uint64_t)weft__get_integer(r);
        weft__settled_edge e = {(int64_t)(both >> 32), (int64_t)(both & UINT32_MAX), 1};
        if (weights)
            e.weight = weft__get_double(r);
        bool possible = e.from <= e.to && e.to < settled->listed && e.weight > 0 && isfinite(e.weight);
        r->failed = r->failed || !possible;
        settled->edge[k] = e;
    }
done:
    return status;
}

static weft_status get_name(weft__decoder *r, const weft_memory *memory, char **name, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t length = weft__get_integer(r);
    const unsigned char *bytes = weft__get_bytes(r, length);
    if (bytes == NULL || memchr(bytes, 0, (size_t)length) != NULL) {
        r->failed = true;
        return WEFT_OK;
    }
    TRY(weft__new(memory, length + 1, 1, name, error));
    memcpy(*name, bytes, (size_t)length);
done:
    return status;
}

static weft_status get_names(weft__decoder *r, weft__settled *settled, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t columns = weft__get_integer(r);
    if (!fits(r, columns, 8)) {
        r->failed = true;
        return WEFT_OK;
    }
    if (columns > 0)
        TRY(weft__new(&settled->memory, columns, sizeof *settled->column, &settled->column, error));
    settled->columns = columns;
    for (int64_t k = 0; k < columns && !r->failed; k++)
        TRY(get_name(r, &settled->memory, &settled->column[k], error));
done:
    return status;
}

static void get_views(weft__decoder *r, weft__settled *settled)
{
    settled->views = weft__get_choice(r, WEFT__SETTLED_VIEWS + 1);
    for (int64_t k = 0; k < settled->views && !r->failed; k++)
        settled->view[k] = weft__get_choice(r, WEFT_VIEW_PART + 1);
}

/* Numbers that are all different. */
static weft_status check_numbers(weft__settled *settled, int64_t count, bool *possible, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool *met = NULL;
    if (settled->number == NULL)
        return WEFT_OK;
    TRY(weft__new(&settled->memory, count, sizeof *met, &met, error));
    for (int64_t k = 0; k < settled->listed; k++) {
        *possible = *possible && !met[settled->number[k]];
        met[settled->number[k]] = true;
    }
done:
    weft__delete(&settled->memory, met);
    return status;
}

static weft_status read_settled(weft__settled *settled, int64_t count, bool part, const weft_memory *memory,
                                weft__decoder *r, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool possible = true;
    *settled = (weft__settled){.memory = *memory};
    settled->known = weft__get_choice(r, 2) != 0;
    r->failed = r->failed || (part && !settled->known);
    if (!settled->known)
        goto done;
    settled->moved = weft__get_choice(r, 2) != 0;
    settled->first = weft__get_integer(r);
    settled->listed = weft__get_integer(r);
    r->failed =
        r->failed || settled->first < 1 || settled->listed < settled->first || settled->listed > count;
    if (r->failed)
        goto done;
    TRY(get_numbers(r, memory, settled->listed, count, &settled->number, error));
    r->failed = r->failed || (part ? settled->number == NULL : !settled->moved && settled->number != NULL);
    TRY(get_numbers(r, memory, settled->listed, 0, (int64_t **)(void *)&settled->said, error));
    TRY(get_edges(r, settled, error));
    settled->radius = weft__get_double(r);
    settled->spread = weft__get_double(r);
    settled->graph_kernel = weft__get_choice(r, WEFT_NO_KERNEL + 1);
    settled->dimension = weft__get_integer(r);
    TRY(get_names(r, settled, error));
    get_views(r, settled);
    TRY(get_numbers(r, memory, settled->listed, settled->listed, &settled->community, error));
    r->failed = r->failed || !(settled->radius > 0 && isfinite(settled->radius)) ||
                !(settled->spread >= 0 && isfinite(settled->spread)) || settled->dimension < 0;
    if (!r->failed)
        TRY(check_numbers(settled, count, &possible, error));
done:
    if (status == WEFT_OK && (r->failed || !possible))
        status = weft__fail(error, WEFT_MODEL,
                            "the model is damaged: what was settled of its side information is out of range");
    return status;
}

weft_status weft__settled_read(weft__settled *settled, int64_t count, const weft_memory *memory,
                               weft__decoder *r, weft_error *error)
{
    return read_settled(settled, count, false, memory, r, error);
}

weft_status weft__settled_read_parts(weft__settled *settled, int64_t parts, int64_t count, weft__decoder *r,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory memory = settled->memory;
    if (!settled->known)
        return WEFT_OK;
    TRY(weft__new(&memory, parts, sizeof *settled->part, &settled->part, error));
    for (settled->parts = 0; settled->parts < parts; settled->parts++) {
        status = read_settled(&settled->part[settled->parts], count, true, &memory, r, error);
        if (status != WEFT_OK) {
            weft__settled_free(&settled->part[settled->parts]);
            return status;
        }
    }
done:
    return status;
}
