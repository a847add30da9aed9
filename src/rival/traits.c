/* SPDX-License-Identifier: MIT
 *
 * Method     Tables and several kinds say it themselves.  Classes: the class.  Features: the numbers, each
 *            brought to [-1, 1], or to a spread of 1, over the ids that are listed when the rival is made.
 *            Graphs: the nearest ids along its edges (side/graph/links.c).  Other kinds that know only a
 *            kernel: the nearest ids by its cosine, with that as their value.
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

/* ---- The scale of features ---- */

/* The least and the largest of coordinate d over the ids that are listed; *found is
 * false where no id has it. */
static bool find_range(const weft_side *side, int64_t d, double *least, double *largest)
{
    bool found = false;
    for (int64_t i = 0; i < side->count; i++) {
        weft_item item = {0};
        side->ops->item(side, i, &item);
        if (item.alone)
            continue;
        double x = item.values[d];
        *least = found ? fmin(*least, x) : x;
        *largest = found ? fmax(*largest, x) : x;
        found = true;
    }
    return found;
}

/* Zero stays zero, since most features are, unless no id has it between its values. */
static void settle_coordinate(weft__traits *traits, int64_t d)
{
    double least = 0, largest = 0;
    bool found = find_range(traits->side, d, &least, &largest);
    double offset = least > 0 ? least : (largest < 0 ? largest : 0);
    double scale = found ? fmax(fabs(least / 2 - offset / 2), fabs(largest / 2 - offset / 2)) * 2 : 0;
    traits->offset[d] = offset;
    traits->scale[d] = scale > 0 && isfinite(scale) ? scale : 1;
}

/* The numbers of id i; NULL where it is alone. */
static const double *values_of(const weft_side *side, int64_t i)
{
    weft_item item = {0};
    side->ops->item(side, i, &item);
    return item.alone ? NULL : item.values;
}

/* Of one coordinate over the ids that are listed: their number, how many are not zero, the mean and the
 * largest size. */
typedef struct summary {
    int64_t ids, filled;
    double mean, largest;
} summary;

static void summarise(const weft_side *side, int64_t dimension, summary *of)
{
    for (int64_t i = 0; i < side->count; i++) {
        const double *x = values_of(side, i);
        for (int64_t d = 0; x != NULL && d < dimension; d++) {
            of[d].ids++;
            of[d].filled += x[d] != 0;
            of[d].largest = fmax(of[d].largest, fabs(x[d]));
            /* No sum, which could overflow. */
            of[d].mean += (x[d] - of[d].mean) / (double)of[d].ids;
        }
    }
}

/* Mean squares about the offset, in units of the largest size, of which none overflows. */
static void add_squares(const weft__traits *traits, const summary *of, double *squares)
{
    for (int64_t i = 0; i < traits->side->count; i++) {
        const double *x = values_of(traits->side, i);
        for (int64_t d = 0; x != NULL && d < traits->dimension; d++) {
            double y = of[d].largest > 0 ? (x[d] / 2 - traits->offset[d] / 2) / of[d].largest : 0;
            bool counts = traits->offset[d] != 0 || x[d] != 0;
            squares[d] += counts ? 4 * y * y : 0;
        }
    }
}

/* What differs by less than this share of its size is constant up to rounding. */
static const double SPREAD_MIN = 1e-9;

static void settle_spreads(weft__traits *traits, const summary *of, double *squares)
{
    for (int64_t d = 0; d < traits->dimension; d++)
        traits->offset[d] = of[d].filled > of[d].ids / 2 && isfinite(of[d].mean) ? of[d].mean : 0;
    add_squares(traits, of, squares);
    for (int64_t d = 0; d < traits->dimension; d++) {
        int64_t count = traits->offset[d] != 0 ? of[d].ids : of[d].filled;
        double spread = count > 0 ? sqrt(squares[d] / (double)count) : 0, scale = spread * of[d].largest;
        traits->scale[d] = spread > SPREAD_MIN && scale > 0 && isfinite(scale) ? scale : 1;
    }
}

static weft_status scale_by_spread(weft__traits *traits, weft_error *error)
{
    weft_status status = WEFT_OK;
    summary *of = NULL;
    double *squares = NULL;
    TRY(weft__new(&traits->memory, traits->dimension, sizeof *of, &of, error));
    TRY(weft__new(&traits->memory, traits->dimension, sizeof *squares, &squares, error));
    summarise(traits->side, traits->dimension, of);
    settle_spreads(traits, of, squares);
done:
    weft__delete(&traits->memory, of);
    weft__delete(&traits->memory, squares);
    return status;
}

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

weft_status weft__traits_create(weft__traits *traits, const weft_side *side, weft__scale scale,
                                const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    traits->side = side;
    traits->memory = *memory;
    traits->id = -1;
    int64_t dimension = dimension_of(side);
    TRY(weft__new(memory, dimension, sizeof(double), &traits->offset, error));
    TRY(weft__new(memory, dimension, sizeof(double), &traits->scale, error));
    traits->dimension = dimension;
    if (scale == WEFT__SCALE_SPREAD && dimension > 0)
        TRY(scale_by_spread(traits, error));
    for (int64_t d = 0; scale == WEFT__SCALE_RANGE && d < dimension; d++)
        settle_coordinate(traits, d);
done:
    return status;
}

void weft__traits_free(weft__traits *traits)
{
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

weft_status weft__traits_find(weft__traits *traits, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *side = traits->side;
    weft_item item = {0};
    if (traits->id == id && traits->known == side->count)
        return WEFT_OK;
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

/* ---- State: the dimension, then offset and scale of each coordinate ---- */

void weft__traits_write(const weft__traits *traits, weft__encoder *writer)
{
    weft__put_integer(writer, traits->dimension);
    for (int64_t d = 0; d < traits->dimension; d++) {
        weft__put_double(writer, traits->offset[d]);
        weft__put_double(writer, traits->scale[d]);
    }
}

/* The side may have had no ids when the rival was made, hence no scale. */
weft_status weft__traits_read(weft__traits *traits, weft__decoder *reader, weft_error *error)
{
    enum { COORDINATE_BYTES = 16 };
    int64_t dimension = weft__get_count(reader, traits->dimension, COORDINATE_BYTES);
    if (reader->failed || (dimension != 0 && dimension != traits->dimension))
        return weft__rival_damaged(error, "its features are not those of the side information");
    traits->dimension = dimension;
    for (int64_t d = 0; d < dimension; d++) {
        traits->offset[d] = weft__get_double(reader);
        traits->scale[d] = weft__get_double(reader);
        if (!isfinite(traits->offset[d]) || !(traits->scale[d] > 0) || !isfinite(traits->scale[d]))
            return weft__rival_damaged(error, "the scale of a feature is out of its range");
    }
    return WEFT_OK;
}
