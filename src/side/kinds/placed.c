/* SPDX-License-Identifier: MIT
 *
 * Side information whose ids have other numbers here, some of which may be alone in between.
 *
 * Method     place[i] is the id of the other side that i stands for, or ALONE.  Every question is asked of
 *            the other side by its own numbers, so that a kernel with structure keeps it.  s_i K(i,j) s_j is
 *            semidefinite where K is.
 * Algorithm  A product is made over those of the list that are not alone, packed together; an id that is
 *            alone has on its diagonal what it has there, R or 1, and with a constant part -constant beside
 *            it, which K - constant 11' has there (side/graph/sparse_graph.c).
 * Cost       That of the other side, and a few words an id. */
#include "side/kinds/placed.h"

#include "side/graph/links.h"

#include <math.h>

enum { ALONE = -1, CHUNK = 256, OWN_VECTORS = 3 };

typedef struct placed_side {
    weft_side base;
    weft__side_ops ops; /* what the other side can do; base.ops is this */
    weft_side *of;      /* owned */
    int64_t *place;     /* of ids below `places`; beyond all are alone */
    int64_t places;
    double *factor;        /* s by id of the other side; NULL: all 1 */
    double own;            /* K(i,i) of an id that is alone */
    int64_t *class_number; /* of classes, by their number there; NULL: the same */
    int64_t classes;       /* numbers that they have here */
} placed_side;

static const placed_side *view(const weft_side *side)
{
    return (const placed_side *)side;
}

static int64_t place_of(const weft_side *side, int64_t i)
{
    return i < view(side)->places ? view(side)->place[i] : ALONE;
}

static double factor_of(const weft_side *side, int64_t place)
{
    return view(side)->factor != NULL ? view(side)->factor[place] : 1;
}

/* ---- The kernel ---- */

static double diagonal(const weft_side *side, int64_t i)
{
    int64_t at = place_of(side, i);
    if (at == ALONE)
        return view(side)->own;
    double s = factor_of(side, at), own = view(side)->of->ops->diagonal(view(side)->of, at);
    return s == 1 ? own : fmin(s * s * own, side->radius);
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    int64_t a = place_of(side, i), b = place_of(side, j);
    if (i == j)
        return diagonal(side, i);
    if (a == ALONE || b == ALONE)
        return 0;
    return view(side)->of->ops->entry(view(side)->of, a, b, work) * (factor_of(side, a) * factor_of(side, b));
}

/* Those of the list that have a place, packed in `places`. */
static int64_t pack_places(const weft_side *side, const int64_t *ids, int64_t count, int64_t *places)
{
    int64_t packed = 0;
    for (int64_t k = 0; k < count; k++)
        if (place_of(side, ids[k]) != ALONE)
            places[packed++] = place_of(side, ids[k]);
    return packed;
}

/* What was found for those that have a place, `found`, which may be where `out` begins. */
static void unpack_column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count,
                          const double *found, double *out)
{
    double s = factor_of(side, place_of(side, i));
    int64_t packed = 0;
    for (int64_t k = 0; k < count; k++)
        packed += place_of(side, ids[k]) != ALONE;
    for (int64_t k = count - 1; k >= 0; k--) {
        int64_t at = place_of(side, ids[k]);
        double value = at == ALONE ? 0 : found[--packed] * (s * factor_of(side, at));
        out[k] = ids[k] == i ? diagonal(side, i) : value;
    }
}

/* A column that is one solve is asked for once, others in pieces that need no workspace. */
static void column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                   double *work)
{
    const weft_side *of = view(side)->of;
    int64_t at = place_of(side, i), list[CHUNK];
    bool whole = side->blur > 0;
    int64_t *places = whole ? (int64_t *)(void *)work : list;
    for (int64_t first = 0; first < count && at != ALONE;) {
        int64_t many = whole || count - first < CHUNK ? count - first : CHUNK;
        int64_t packed = pack_places(side, ids + first, many, places);
        of->ops->column(of, at, places, packed, out + first, whole ? work + side->count : NULL);
        unpack_column(side, i, ids + first, many, out + first, out + first);
        first += many;
    }
    for (int64_t k = 0; k < count && at == ALONE; k++)
        out[k] = ids[k] == i ? view(side)->own : 0;
}

/* ---- Products ---- */

/* Those of a list that have a place, in workspace. */
typedef struct packed {
    int64_t *places, count;
    double *x, *y;        /* x with their factors */
    double *work;         /* of the other side */
    double inside, alone; /* sums of x, of these and of the others */
} packed;

static packed pack(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *work)
{
    packed p = {.places = (int64_t *)(void *)work, .x = work + side->count, .y = work + 2 * side->count};
    p.work = work + OWN_VECTORS * side->count;
    for (int64_t k = 0; k < count; k++) {
        int64_t at = place_of(side, ids[k]);
        if (at == ALONE) {
            p.alone += x[k];
            continue;
        }
        p.places[p.count] = at;
        p.x[p.count] = x[k] * factor_of(side, at);
        p.inside += p.x[p.count++];
    }
    return p;
}

static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    const weft_side *of = view(side)->of;
    double constant = side->constant;
    int64_t at = 0;
    packed p = pack(side, ids, count, x, work);
    double rounding = of->ops->product(of, p.places, p.count, p.x, p.y, p.work);
    for (int64_t k = 0; k < count; k++) {
        int64_t place = place_of(side, ids[k]);
        if (place == ALONE)
            y[k] = view(side)->own * x[k] - constant * (p.inside + p.alone);
        else
            y[k] = p.y[at++] * factor_of(side, place) - constant * p.alone;
    }
    return rounding;
}

static void absolute(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work)
{
    const weft_side *of = view(side)->of;
    int64_t at = 0;
    packed p = pack(side, ids, count, x, work);
    of->ops->absolute(of, p.places, p.count, p.x, p.y, p.work);
    for (int64_t k = 0; k < count; k++) {
        int64_t place = place_of(side, ids[k]);
        y[k] = place == ALONE ? view(side)->own * x[k] : p.y[at++] * factor_of(side, place);
    }
}

/* ---- What is known of an id ---- */

static void item(const weft_side *side, int64_t i, weft_item *known)
{
    int64_t at = place_of(side, i);
    if (at == ALONE)
        known->alone = true;
    else
        view(side)->of->ops->item(view(side)->of, at, known);
    if (at != ALONE && view(side)->class_number != NULL)
        known->class_of = view(side)->class_number[known->class_of];
}

static int64_t traits(const weft_side *side, int64_t i, weft__trait *list)
{
    int64_t at = place_of(side, i);
    return at == ALONE ? 0 : view(side)->of->ops->traits(view(side)->of, at, list);
}

static weft__nature nature(const weft_side *side)
{
    weft__nature known = view(side)->of->ops->nature(view(side)->of);
    if (view(side)->class_number != NULL)
        known.classes = view(side)->classes;
    return known;
}

static weft_status append(weft_side *side, const weft_item *item_of_it, weft_error *error)
{
    if (item_of_it->alone)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s: its ids have other numbers than they came in, so a new id can only be added alone",
                      side->ops->name);
}

static void release(weft_side *side)
{
    placed_side *placed = (placed_side *)side;
    weft_side_free(placed->of);
    weft__delete(&side->memory, placed->place);
    weft__delete(&side->memory, placed->factor);
    weft__delete(&side->memory, placed->class_number);
}

/* ---- The constructor ---- */

static weft__side_ops ops_over(const weft__side_ops *of)
{
    return (weft__side_ops){
        .name = of->name,
        .vectors = of->vectors + OWN_VECTORS,
        .entry = entry,
        .diagonal = diagonal,
        .column = column,
        .product = of->product != NULL ? product : NULL,
        .absolute = of->absolute != NULL ? absolute : NULL,
        .item = of->item != NULL ? item : NULL,
        .traits = of->traits != NULL ? traits : NULL,
        .nature = of->nature != NULL ? nature : NULL,
        .append = append,
        .release = release,
    };
}

static void describe(weft_side *side, const weft_side *of, double radius)
{
    side->radius = radius;
    side->constant = of->constant;
    side->blur = of->blur;
    side->solve_work = of->solve_work;
    side->radius_given = of->radius_given;
    side->uniform = of->uniform;
    side->supremum = of->supremum;
    side->most_traits = of->most_traits;
    side->budget = of->budget;
}

static weft_status put_places(placed_side *placed, const weft__placing *placing, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&placed->base.memory, placed->places, sizeof *placed->place, &placed->place, error));
    for (int64_t i = 0; i < placed->places; i++)
        placed->place[i] = ALONE;
    for (int64_t k = 0; k < placing->count; k++)
        placed->place[placing->number[k]] = k;
done:
    return status;
}

static weft_status shorten(placed_side *placed, double radius, int64_t *shortened, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *of = placed->of;
    TRY(weft__new(&placed->base.memory, of->count, sizeof *placed->factor, &placed->factor, error));
    for (int64_t k = 0; k < of->count; k++) {
        double own = of->ops->diagonal(of, k);
        placed->factor[k] = own > radius ? sqrt(radius / own) : 1;
        *shortened += own > radius;
    }
done:
    return status;
}

/* The neighbours of an id, by their numbers here. */
static weft_status place_links(placed_side *placed, const weft__placing *placing, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__links *from = &placed->of->graph->links;
    weft__links *to = &placed->base.graph->links;
    const weft_memory *memory = &placed->base.memory;
    int64_t end = 0;
    TRY(weft__new(memory, placed->places + 1, sizeof *to->start, &to->start, error));
    TRY(weft__new(memory, from->start[from->vertices] + 1, sizeof *to->list, &to->list, error));
    to->vertices = placed->places;
    for (int64_t i = 0; i < placed->places; i++) {
        int64_t at = placed->place[i];
        for (int64_t k = at == ALONE ? 0 : from->start[at]; at != ALONE && k < from->start[at + 1]; k++)
            to->list[end++] = (weft__link){(int32_t)placing->number[from->list[k].id], from->list[k].weight};
        to->start[i + 1] = end;
    }
done:
    return status;
}

static weft_status place_graph(placed_side *placed, const weft__placing *placing, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_side *base = &placed->base;
    if (placed->of->graph == NULL)
        return WEFT_OK;
    TRY(weft__new(&base->memory, 1, sizeof *base->graph, &base->graph, error));
    base->graph->facts = placed->of->graph->facts;
    if (placed->of->graph->links.list != NULL)
        TRY(place_links(placed, placing, error));
done:
    return status;
}

/* R where an id that is alone has the R of the other side there, and what it has there where that is another
 * number, as in a graph without a kernel. */
static double own_of(const weft_side *of, double radius)
{
    double there = of->ops->diagonal(of, of->count);
    return there == of->radius ? radius : fmin(there, radius);
}

weft_status weft__side_place(weft_side **inner, const weft__placing *placing, weft_side **side,
                             int64_t *shortened, weft_error *error)
{
    placed_side *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_side *of = *inner;
    weft_side_options options = {.memory = &of->memory, .budget = of->budget};
    weft__side_ops ops = ops_over(of->ops);
    int64_t last = -1;
    *inner = NULL;
    for (int64_t k = 0; k < placing->count; k++)
        last = placing->number[k] > last ? placing->number[k] : last;
    TRY(weft__side_create(&ops, sizeof *fresh, last + 1, &options, &fresh, error));
    fresh->ops = ops;
    fresh->base.ops = &fresh->ops;
    fresh->of = of;
    of = NULL;
    fresh->places = last + 1;
    describe(&fresh->base, fresh->of, placing->radius);
    fresh->own = own_of(fresh->of, placing->radius);
    TRY(put_places(fresh, placing, error));
    *shortened = 0;
    if (fresh->of->radius > placing->radius)
        TRY(shorten(fresh, placing->radius, shortened, error));
    TRY(place_graph(fresh, placing, error));
    fresh->base.progress = NULL;
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    weft_side_free(of);
    return status;
}

weft_status weft__side_rename_classes(weft_side *side, const int64_t *class_number, weft_error *error)
{
    weft_status status = WEFT_OK;
    placed_side *placed = (placed_side *)side;
    int64_t classes = placed->of->ops->nature(placed->of).classes;
    TRY(weft__new(&side->memory, classes, sizeof *class_number, &placed->class_number, error));
    for (int64_t c = 0; c < classes; c++) {
        placed->class_number[c] = class_number[c];
        placed->classes = class_number[c] >= placed->classes ? class_number[c] + 1 : placed->classes;
    }
done:
    return status;
}
