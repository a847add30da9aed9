/* SPDX-License-Identifier: MIT
 *
 * Method     Tables say it themselves.  Classes: the class.  Features: the numbers, each
 *            brought to [-1, 1], or to a spread of 1, over the ids that are listed when the rival is made.
 *            Graphs: the nearest ids along its edges (side/graph/links.c).  Other kinds that know only a
 *            kernel: the nearest ids by its cosine, with that as their value.  Sums: all that their parts
 *            say, the traits of part k of m under the numbers m t + k, ids under those of the sum, but of ids
 *            no more than eight: on made clicks, beside a table, all 24 that a graph names cost half as much
 *            again, and err no less.
 * Cost       O(1), O(dimension), O(1), O(ids) when an id is first asked for. */
#include "rival/traits.h"

#include "rival/rival.h"
#include "side/graph/links.h"
#include "side/learnt/similarity.h"

#include <math.h>
#include <string.h>

enum { NEAREST = WEFT__NEAREST };

_Static_assert((int)NEAREST <= (int)WEFT__LINKS, "there is room for either");

/* Beyond this an appended vector is cut off. */
static const double VALUE_MAX = 10;

/* Numbers that each id of the side has; 0 where nobody has any. */
static int64_t dimension_of(const weft_side *side)
{
    int64_t dimension = 0;
    bool told = side->ops->item != NULL && side->ops->traits == NULL;
    for (int64_t i = 0; i < side->count && dimension == 0 && told; i++) {
        weft_item item = {0};
        side->ops->item(side, i, &item);
        dimension = item.alone ? 0 : item.length;
    }
    return dimension;
}

static weft_status create_parts(weft__traits *traits, weft__scale scale, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = 0;
    const weft__side_part *parts = weft__side_parts(traits->side, &count);
    TRY(weft__new(&traits->memory, count, sizeof *traits->parts, &traits->parts, error));
    for (; traits->part_count < count; traits->part_count++) {
        weft__traits *part = &traits->parts[traits->part_count];
        part->memory = traits->memory;
        status = weft__traits_create(part, parts[traits->part_count].side, scale, &traits->memory, error);
        if (status != WEFT_OK) {
            weft__traits_free(part);
            return status;
        }
    }
done:
    return status;
}

weft_status weft__traits_create(weft__traits *traits, const weft_side *side, weft__scale scale,
                                const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t parts = 0;
    traits->side = side;
    traits->memory = *memory;
    traits->id = -1;
    if (weft__side_parts(side, &parts) != NULL)
        return create_parts(traits, scale, error);
    int64_t dimension = dimension_of(side);
    TRY(weft__new(memory, dimension, sizeof(double), &traits->offset, error));
    TRY(weft__new(memory, dimension, sizeof(double), &traits->scale, error));
    traits->dimension = dimension;
    TRY(weft__traits_settle(traits, scale, error));
done:
    return status;
}

void weft__traits_free(weft__traits *traits)
{
    for (int64_t k = 0; k < traits->part_count; k++)
        weft__traits_free(&traits->parts[k]);
    if (traits->parts != NULL)
        weft__delete(&traits->memory, traits->parts);
    traits->part_count = 0;
    weft__delete(&traits->memory, traits->offset);
    weft__delete(&traits->memory, traits->scale);
    weft__delete(&traits->memory, traits->list);
    weft__delete(&traits->memory, traits->all);
    weft__delete(&traits->memory, traits->column);
    weft__delete(&traits->memory, traits->work);
    weft__delete(&traits->memory, traits->kept);
    weft__delete(&traits->memory, traits->kept_count);
}

bool weft__traits_move(const weft_side *side)
{
    int64_t count = 0;
    return side->ops->traits == NULL && side->ops->item == NULL && weft__side_links(side, 0, &count) == NULL;
}

bool weft__traits_agree(const weft__traits *a, const weft__traits *b)
{
    size_t size = (size_t)a->dimension * sizeof *a->offset;
    bool agree =
        a->side == b->side && a->dimension == b->dimension &&
        (size == 0 || (memcmp(a->offset, b->offset, size) == 0 && memcmp(a->scale, b->scale, size) == 0));
    for (int64_t k = 0; k < a->part_count && agree; k++)
        agree = weft__traits_agree(&a->parts[k], &b->parts[k]);
    return agree;
}

/* ---- The traits of an id ---- */

static weft_status reserve(weft__traits *traits, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count > traits->capacity) {
        int64_t capacity = weft__grown(traits->capacity, count);
        TRY(weft__resize(&traits->memory, &traits->list, traits->count, capacity, sizeof *traits->list,
                         error));
        traits->capacity = capacity;
    }
done:
    return status;
}

/* (x_d - offset_d) / scale_d where that is not 0. */
static void list_values(weft__traits *traits, const weft_item *item)
{
    for (int64_t d = 0; d < item->length; d++) {
        bool settled = d < traits->dimension;
        double offset = settled ? traits->offset[d] : 0, scale = settled ? traits->scale[d] : 1;
        double value = fmin(fmax((item->values[d] - offset) / scale, -VALUE_MAX), VALUE_MAX);
        if (value != 0)
            traits->list[traits->count++] = (weft__trait){.number = d, .value = value};
    }
}

/* The cosine in units of 2^-30, by which ids are compared.  In graphs many ids are equally near; rounding,
 * which differs between machines, must not choose between them, nor make near what has cosine 0. */
static double nearness(double u)
{
    return rint(u * 0x1p30);
}

/* Puts (k, u) among the nearest, if it is near at all: they are in falling order of nearness, then rising k,
 * which is the order in which they come. */
static void insert_near(weft__traits *traits, int64_t k, double u)
{
    weft__trait *list = traits->list;
    double near = nearness(u);
    if (!(near > 0) || (traits->count == NEAREST && nearness(list[NEAREST - 1].value) >= near))
        return;
    if (traits->count < NEAREST)
        traits->count++;
    int64_t at = traits->count - 1;
    for (; at > 0 && nearness(list[at - 1].value) < near; at--)
        list[at] = list[at - 1];
    list[at] = (weft__trait){k, u, true};
}

/* Room for a whole column, where entry by entry would be a solve each, and for what is found. */
static weft_status reserve_nearest(weft__traits *traits, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *side = traits->side;
    int64_t count = side->count;
    if (count != traits->kept_size) {
        TRY(weft__resize(&traits->memory, &traits->kept, 0, count * NEAREST, sizeof *traits->kept, error));
        TRY(weft__resize(&traits->memory, &traits->kept_count, 0, count, sizeof *traits->kept_count, error));
        traits->kept_size = count;
    }
    if (side->blur == 0 || count <= traits->all_size)
        return WEFT_OK;
    TRY(weft__resize(&traits->memory, &traits->all, 0, count, sizeof *traits->all, error));
    TRY(weft__resize(&traits->memory, &traits->column, 0, count, sizeof *traits->column, error));
    TRY(weft__resize(&traits->memory, &traits->work, 0, weft__side_work(side), sizeof *traits->work, error));
    for (int64_t k = 0; k < count; k++)
        traits->all[k] = k;
    traits->all_size = count;
done:
    return status;
}

static void find_nearest(weft__traits *traits, int64_t id)
{
    const weft_side *side = traits->side;
    double scale = weft__similarity_scale(side, id);
    bool whole = side->blur > 0;
    if (whole)
        side->ops->column(side, id, traits->all, side->count, traits->column, traits->work);
    for (int64_t k = 0; k < side->count && scale > 0; k++) {
        double entry = k == id ? 0 : whole ? traits->column[k] : side->ops->entry(side, id, k, NULL);
        if (entry > side->constant)
            insert_near(traits, k, weft__similarity(side, entry, scale, weft__similarity_scale(side, k)));
    }
}

/* A similarity is positive only where the entry is above the constant: an id that is not listed has none. */
static void list_nearest(weft__traits *traits, int64_t id)
{
    if (id >= traits->side->count)
        return;
    weft__trait *kept = traits->kept + id * NEAREST;
    const double *u = weft__column_cache_similarities(traits->cache, id);
    if (traits->kept_count[id] > 0) {
        traits->count = traits->kept_count[id] - 1;
        memcpy(traits->list, kept, (size_t)traits->count * sizeof *kept);
        return;
    }
    if (u == NULL)
        find_nearest(traits, id);
    for (int64_t k = 0; u != NULL && k < traits->side->count; k++)
        if (k != id)
            insert_near(traits, k, u[k]);
    memcpy(kept, traits->list, (size_t)traits->count * sizeof *kept);
    traits->kept_count[id] = (int)traits->count + 1;
}

static void list_links(weft__traits *traits, const weft__link *links, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        traits->list[k] = (weft__trait){links[k].id, links[k].weight, true};
    traits->count = count;
}

/* What part k says of id `number` of its own. */
static weft_status add_part(weft__traits *traits, int64_t k, int64_t number, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = 0;
    const weft__side_part *part = &weft__side_parts(traits->side, &count)[k];
    weft__traits *from = &traits->parts[k];
    TRY(weft__traits_find(from, number, error));
    TRY(reserve(traits, traits->count + from->count, error));
    for (int64_t t = 0, near = 0; t < from->count; t++) {
        weft__trait trait = from->list[t];
        near += trait.is_id;
        trait.number = trait.is_id ? part->id_of[trait.number] : count * trait.number + k;
        if (!trait.is_id || near <= WEFT__NEAR_BESIDE)
            traits->list[traits->count++] = trait;
    }
done:
    return status;
}

static weft_status find_in_parts(weft__traits *traits, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = 0;
    const weft__side_part *parts = weft__side_parts(traits->side, &count);
    traits->id = -1;
    traits->count = 0;
    for (int64_t k = 0; k < count; k++)
        if (id < parts[k].ids && parts[k].number_of[id] >= 0)
            TRY(add_part(traits, k, parts[k].number_of[id], error));
    traits->id = id;
    traits->known = traits->side->count;
done:
    return status;
}

weft_status weft__traits_find(weft__traits *traits, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *side = traits->side;
    weft_item item = {0};
    if (traits->id == id && traits->known == side->count)
        return WEFT_OK;
    if (traits->parts != NULL)
        return find_in_parts(traits, id, error);
    int64_t link_count = 0;
    const weft__link *links = weft__side_links(side, id, &link_count);
    bool nearest = weft__traits_move(side);
    int64_t most = side->most_traits > WEFT__LINKS ? side->most_traits : WEFT__LINKS;
    if (side->ops->item != NULL)
        side->ops->item(side, id, &item);
    TRY(reserve(traits, item.length > most ? item.length : most, error));
    if (nearest)
        TRY(reserve_nearest(traits, error));
    traits->id = id;
    traits->known = side->count;
    traits->count = 0;
    if (side->ops->traits != NULL)
        traits->count = side->ops->traits(side, id, traits->list);
    else if (links != NULL)
        list_links(traits, links, link_count);
    else if (nearest)
        list_nearest(traits, id);
    else if (!item.alone && item.values != NULL)
        list_values(traits, &item);
    else if (!item.alone)
        traits->list[traits->count++] = (weft__trait){.number = item.class_of, .value = 1};
done:
    return status;
}

/* ---- State: the dimension, then offset and scale of each coordinate; then the same of every part ---- */

void weft__traits_write(const weft__traits *traits, weft__encoder *writer)
{
    weft__put_integer(writer, traits->dimension);
    for (int64_t d = 0; d < traits->dimension; d++) {
        weft__put_double(writer, traits->offset[d]);
        weft__put_double(writer, traits->scale[d]);
    }
    for (int64_t k = 0; k < traits->part_count; k++)
        weft__traits_write(&traits->parts[k], writer);
}

/* The side may have had fewer coordinates, or no ids, when the rival was made: those that came since have no
 * scale, and are as they are. */
weft_status weft__traits_read(weft__traits *traits, weft__decoder *reader, weft_error *error)
{
    enum { COORDINATE_BYTES = 16 };
    weft_status status = WEFT_OK;
    int64_t dimension = weft__get_count(reader, traits->dimension, COORDINATE_BYTES);
    if (reader->failed || dimension > traits->dimension)
        return weft__rival_damaged(error, "its features are not those of the side information");
    traits->dimension = dimension;
    for (int64_t d = 0; d < dimension; d++) {
        traits->offset[d] = weft__get_double(reader);
        traits->scale[d] = weft__get_double(reader);
        if (!isfinite(traits->offset[d]) || !(traits->scale[d] > 0) || !isfinite(traits->scale[d]))
            return weft__rival_damaged(error, "the scale of a feature is out of its range");
    }
    for (int64_t k = 0; k < traits->part_count && status == WEFT_OK; k++)
        status = weft__traits_read(&traits->parts[k], reader, error);
    return status;
}
