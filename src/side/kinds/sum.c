/* SPDX-License-Identifier: MIT
 *
 * The mean of kernels at equal scale.
 *
 * Method     Every term is divided by its squared radius, so that none outweighs the others by its units, and
 *            the mean is taken.  A sum of kernels is the kernel of their features side by side: ids are alike
 *            as far as the terms, each in its own way, say so.  Ids have numbers of their own in every term.
 * Algorithm  Entries and columns add the terms in their order and divide once, so that they agree to the bit;
 *            a column asks every term about those of the ids that it has.  Where all terms have products, or
 *            one has nothing else (blur), the product gathers, multiplies and scatters, term by term; a term
 *            that has none is then multiplied entry by entry.
 * Constant   K - c 11' with c = sum_k c_k / R_k / m.  An id that a term does not have has entries 0 with the
 *            others there, as one that is alone in a graph has: that is what the seam says of a constant.
 * Rounding   A product answers sum_k S_k / R_k / m.  The blur is the largest of all: with a_k, b_k the
 *            diagonal entries of the terms, sum_k blur sqrt(a_k b_k) <= blur sqrt(sum a_k sum b_k).
 * Cost       That of the terms, and 16 bytes an id and term; a product by entries O(count^2). */
#include "side/kinds/sum.h"

#include "side/graph/links.h"

#include <math.h>
#include <string.h>

typedef struct sum_side {
    weft_side base;
    weft__side_ops ops; /* what the terms can do; base.ops is this */
    weft__side_part *parts;
    const weft__side_part **terms; /* the parts that are in the mean, */
    int64_t count;                 /* and how many */
} sum_side;

static const sum_side *view(const weft_side *side)
{
    return (const sum_side *)side;
}

static int64_t number_in(const weft__side_part *part, int64_t i)
{
    return i < part->ids ? part->number_of[i] : -1;
}

/* ---- Entries ---- */

static double diagonal(const weft_side *side, int64_t i)
{
    const sum_side *self = view(side);
    double sum = 0;
    for (int64_t k = 0; k < self->count; k++) {
        const weft_side *term = self->terms[k]->side;
        int64_t a = number_in(self->terms[k], i);
        sum += a < 0 ? 1 : term->ops->diagonal(term, a) / term->radius;
    }
    return sum / (double)self->count;
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    const sum_side *self = view(side);
    double sum = 0;
    if (i == j)
        return diagonal(side, i);
    for (int64_t k = 0; k < self->count; k++) {
        const weft_side *term = self->terms[k]->side;
        int64_t a = number_in(self->terms[k], i), b = number_in(self->terms[k], j);
        sum += a < 0 || b < 0 ? 0 : term->ops->entry(term, a, b, work) / term->radius;
    }
    return sum / (double)self->count;
}

/* Some of a list of ids, those that a term has: their numbers there, and their places in the list. */
typedef struct gathered {
    int64_t *number, *place;
    int64_t count;
} gathered;

typedef struct id_list {
    const int64_t *ids;
    int64_t count;
} id_list;

static void gather(const weft__side_part *term, id_list list, gathered *into)
{
    into->count = 0;
    for (int64_t k = 0; k < list.count; k++) {
        int64_t number = number_in(term, list.ids[k]);
        if (number < 0)
            continue;
        into->number[into->count] = number;
        into->place[into->count++] = k;
    }
}

/* Room for what is gathered, and what the terms want. */
typedef struct room {
    gathered of;
    double *value, *x, *rest;
} room;

enum { OWN_VECTORS = 4 };

static room room_in(const weft_side *side, double *work)
{
    int64_t n = side->count;
    return (room){{(int64_t *)(void *)work, (int64_t *)(void *)(work + n), 0},
                  work + 2 * n,
                  work + 3 * n,
                  work + OWN_VECTORS * n};
}

/* out[k] += K_term(ids[k], i) / R */
static void add_column(const weft__side_part *term, int64_t i, id_list list, room *r, double *out)
{
    const weft_side *side = term->side;
    int64_t a = number_in(term, i);
    for (int64_t k = 0; k < list.count && a < 0; k++)
        out[k] += list.ids[k] == i;
    if (a < 0)
        return;
    gather(term, list, &r->of);
    if (r->of.count > 0)
        side->ops->column(side, a, r->of.number, r->of.count, r->value, r->rest);
    for (int64_t k = 0; k < r->of.count; k++) {
        double value = r->of.number[k] == a ? side->ops->diagonal(side, a) : r->value[k];
        out[r->of.place[k]] += value / side->radius;
    }
}

/* So many ids of a list at a time as there is room for. */
static void add_columns(const weft_side *side, int64_t i, id_list list, room *r, int64_t most, double *out)
{
    const sum_side *self = view(side);
    for (int64_t k = 0; k < self->count; k++)
        for (int64_t at = 0; at < list.count; at += most) {
            int64_t left = list.count - at;
            add_column(self->terms[k], i, (id_list){list.ids + at, left < most ? left : most}, r, out + at);
        }
}

/* What takes a solve has workspace for all ids; what does not must do without. */
static void column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                   double *work)
{
    enum { CHUNK = 128 };
    int64_t number[CHUNK], place[CHUNK];
    double value[CHUNK];
    room r = side->blur > 0 ? room_in(side, work) : (room){{number, place, 0}, value, NULL, work};
    if (count > 0)
        memset(out, 0, (size_t)count * sizeof *out);
    add_columns(side, i, (id_list){ids, count}, &r, side->blur > 0 ? side->count : CHUNK, out);
    for (int64_t k = 0; k < count; k++)
        out[k] /= (double)view(side)->count;
}

/* ---- Products ---- */

/* y = (K - constant 11') x, entry by entry */
static void multiply_by_entries(const weft_side *side, const gathered *of, const double *x, double *y)
{
    for (int64_t a = 0; a < of->count; a++) {
        y[a] = (side->ops->diagonal(side, of->number[a]) - side->constant) * x[a];
        for (int64_t b = 0; b < of->count; b++)
            if (b != a)
                y[a] += (side->ops->entry(side, of->number[a], of->number[b], NULL) - side->constant) * x[b];
    }
}

/* r->value = (K_term - constant 11') r->x over the ids that were gathered; the rounding. */
static double multiply_term(const weft_side *side, room *r)
{
    if (side->ops->product != NULL)
        return side->ops->product(side, r->of.number, r->of.count, r->x, r->value, r->rest);
    multiply_by_entries(side, &r->of, r->x, r->value);
    return 0;
}

/* y += (K_term / R - c 11') x, c the share of its constant: of an id that the term has what its own product
 * says, less what that leaves out, of another x - c sum x.  Answers the rounding. */
static double add_product(const weft__side_part *term, const int64_t *ids, int64_t count, const double *x,
                          double *y, room *r)
{
    const weft_side *side = term->side;
    double c = side->constant / side->radius, all = 0, listed = 0, size = 0, rounding = 0;
    gather(term, (id_list){ids, count}, &r->of);
    for (int64_t k = 0; k < r->of.count; k++)
        listed += r->x[k] = x[r->of.place[k]];
    for (int64_t k = 0; k < count; k++) {
        all += x[k];
        size += fabs(x[k]);
    }
    if (r->of.count > 0)
        rounding = multiply_term(side, r) / side->radius;
    for (int64_t k = 0, next = 0; k < count; k++)
        if (next < r->of.count && r->of.place[next] == k)
            y[k] += r->value[next++] / side->radius - c * (all - listed);
        else
            y[k] += x[k] - c * all;
    /* What is subtracted is wrong by u times its size. */
    return rounding + c * size * size * (r->of.count < count);
}

static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    const sum_side *self = view(side);
    room r = room_in(side, work);
    double rounding = 0;
    memset(y, 0, (size_t)count * sizeof *y);
    for (int64_t k = 0; k < self->count; k++)
        rounding += add_product(self->terms[k], ids, count, x, y, &r);
    for (int64_t k = 0; k < count; k++)
        y[k] /= (double)self->count;
    return rounding / (double)self->count;
}

/* y += |K_term| x / R: terms without `absolute` have no negative entries, and no constant. */
static void add_absolute(const weft__side_part *term, const int64_t *ids, int64_t count, const double *x,
                         double *y, room *r)
{
    const weft_side *side = term->side;
    gather(term, (id_list){ids, count}, &r->of);
    for (int64_t k = 0; k < r->of.count; k++)
        r->x[k] = x[r->of.place[k]];
    if (r->of.count > 0 && side->ops->absolute != NULL)
        side->ops->absolute(side, r->of.number, r->of.count, r->x, r->value, r->rest);
    else if (r->of.count > 0)
        side->ops->product(side, r->of.number, r->of.count, r->x, r->value, r->rest);
    for (int64_t k = 0, next = 0; k < count; k++)
        y[k] += next < r->of.count && r->of.place[next] == k ? r->value[next++] / side->radius : x[k];
}

static void absolute(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work)
{
    const sum_side *self = view(side);
    room r = room_in(side, work);
    memset(y, 0, (size_t)count * sizeof *y);
    for (int64_t k = 0; k < self->count; k++)
        add_absolute(self->terms[k], ids, count, x, y, &r);
    for (int64_t k = 0; k < count; k++)
        y[k] /= (double)self->count;
}

/* ---- Ids ---- */

/* Whether no part knows anything of it. */
static void item(const weft_side *side, int64_t i, weft_item *known)
{
    known->alone = true;
    for (int64_t k = 0; k < side->part_count; k++) {
        int64_t number = number_in(&side->parts[k], i);
        known->alone = known->alone && (number < 0 || weft__side_group(side->parts[k].side, number) == 0 ||
                                        weft__side_is_alone(side->parts[k].side, number));
    }
}

static weft_status append(weft_side *side, const weft_item *of_it, weft_error *error)
{
    if (of_it->alone)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s: id %lld is new, and several kinds together take new ids only as alone",
                      side->ops->name, (long long)side->count);
}

static void release(weft_side *side)
{
    sum_side *self = (sum_side *)side;
    for (int64_t k = 0; k < side->part_count && self->parts != NULL; k++) {
        weft__delete(&side->memory, self->parts[k].number_of);
        weft__delete(&side->memory, self->parts[k].id_of);
    }
    weft__delete(&side->memory, self->parts);
    weft__delete(&side->memory, self->terms);
}

static const weft__side_ops sum_ops = {
    .name = "sum",
    .entry = entry,
    .diagonal = diagonal,
    .column = column,
    .item = item,
    .append = append,
    .release = release,
};

/* ---- The constructor ---- */

static weft_status check_arguments(const weft__sum_term *terms, int64_t count,
                                   const weft_side_options *options, weft_error *error)
{
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "sum: found %lld terms, expected at least 1",
                          (long long)count);
    for (int64_t k = 0; k < count; k++)
        if (terms[k].side->endless || terms[k].side->open)
            return weft__fail(error, WEFT_ARGUMENT, "sum: term %lld is open: its ids are not all known",
                              (long long)k);
    if (options->radius != 0 || options->inductive || options->map != NULL || options->endless)
        return weft__fail(error, WEFT_ARGUMENT,
                          "sum: the radius is 1, and there is no feature map; expected options without them");
    return WEFT_OK;
}

static weft_status copy_numbers(const weft_memory *memory, const weft__sum_term *term, int64_t ids,
                                weft__side_part *part, weft_error *error)
{
    weft_status status = WEFT_OK;
    part->side = term->side;
    part->ids = ids;
    TRY(weft__new(memory, ids, sizeof *part->number_of, &part->number_of, error));
    TRY(weft__new(memory, term->side->count, sizeof *part->id_of, &part->id_of, error));
    for (int64_t i = 0; i < ids; i++) {
        int64_t number = term->number_of[i];
        if (number >= term->side->count)
            TRY(weft__fail_at(error, WEFT_ARGUMENT, i, -1, "sum: id %lld is number %lld of a term with %lld",
                              (long long)i, (long long)number, (long long)term->side->count));
        part->number_of[i] = number;
        if (number >= 0)
            part->id_of[number] = i;
    }
done:
    return status;
}

/* Of graphs that all have no kernel there is the identity, told as such. */
static weft_status choose_terms(sum_side *self, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_side *side = &self->base;
    bool any = false;
    for (int64_t k = 0; k < side->part_count; k++)
        any = any || !weft_side_graph(self->parts[k].side).no_kernel;
    for (int64_t k = 0; k < side->part_count; k++)
        if (!any || !weft_side_graph(self->parts[k].side).no_kernel)
            self->terms[self->count++] = &self->parts[k];
    if (any)
        return WEFT_OK;
    TRY(weft__new(&side->memory, 1, sizeof *side->graph, &side->graph, error));
    side->graph->facts.no_kernel = true;
done:
    return status;
}

static void describe(sum_side *self)
{
    weft_side *side = &self->base;
    bool products = true;
    int vectors = 0;
    side->uniform = true;
    for (int64_t k = 0; k < self->count; k++) {
        const weft_side *term = self->terms[k]->side;
        products = products && term->ops->product != NULL;
        vectors = term->ops->vectors > vectors ? term->ops->vectors : vectors;
        side->uniform = side->uniform && term->uniform && !term->radius_given;
        side->constant += term->constant / term->radius / (double)self->count;
        side->blur = fmax(side->blur, term->blur);
        side->solve_work += term->solve_work;
    }
    self->ops = sum_ops;
    if (products || side->blur > 0) {
        self->ops.product = product;
        self->ops.absolute = absolute;
        self->ops.vectors = OWN_VECTORS + vectors;
    }
    side->ops = &self->ops;
}

weft_status weft__side_sum(const weft__sum_term *terms, int64_t count, int64_t ids,
                           const weft_side_options *options, weft_side **side, weft_error *error)
{
    sum_side *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_side_options known = options != NULL ? *options : (weft_side_options){0};
    TRY(check_arguments(terms, count, &known, error));
    TRY(weft__side_create(&sum_ops, sizeof *fresh, ids, options, &fresh, error));
    const weft_memory *memory = &fresh->base.memory;
    TRY(weft__new(memory, count, sizeof *fresh->parts, &fresh->parts, error));
    fresh->base.parts = fresh->parts;
    fresh->base.part_count = count;
    TRY(weft__new(memory, count, sizeof(const weft__side_part *), &fresh->terms, error));
    for (int64_t k = 0; k < count; k++)
        TRY(copy_numbers(memory, &terms[k], ids, &fresh->parts[k], error));
    TRY(choose_terms(fresh, error));
    describe(fresh);
    known.radius = 1;
    TRY(weft__side_settle(&fresh->base, &known, error));
    fresh->base.radius_given = false;
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
