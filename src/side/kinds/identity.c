/* SPDX-License-Identifier: MIT
 *
 * K + w I over another side, which is borrowed and grows first.
 *
 * Nothing is stored: every question goes to the other side, and the diagonal is added to its answer.  So
 * a kernel with structure keeps it, classes and vectors are still known, and K(i,i) + w is one rounded
 * sum wherever it is asked for, as the seam wants it.  Of an id that is alone the other side says R.
 *
 * A larger diagonal leaves `constant` and `blur` right: K + wI - constant 11' is semidefinite where
 * K - constant 11' is, and what is told of K as a share of its diagonal is a smaller share of this one. */
#include "side/side.h"

#include <math.h>

typedef struct identity_side {
    weft_side base;
    weft__side_ops ops; /* what the other side can do; base.ops is this */
    double weight;
} identity_side;

static double weight_of(const weft_side *side)
{
    return ((const identity_side *)side)->weight;
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    double k = side->inner->ops->entry(side->inner, i, j, work);
    return i == j ? k + weight_of(side) : k;
}

static double diagonal(const weft_side *side, int64_t i)
{
    return side->inner->ops->diagonal(side->inner, i) + weight_of(side);
}

static void column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                   double *work)
{
    side->inner->ops->column(side->inner, i, ids, count, out, work);
    for (int64_t k = 0; k < count; k++)
        if (ids[k] == i)
            out[k] += weight_of(side);
}

/* y += w x, for K x and for |K| x alike */
static void add_weight(const weft_side *side, int64_t count, const double *x, double *y)
{
    for (int64_t k = 0; k < count; k++)
        y[k] += weight_of(side) * x[k];
}

static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    double rounding = side->inner->ops->product(side->inner, ids, count, x, y, work);
    add_weight(side, count, x, y);
    return rounding;
}

static void absolute(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work)
{
    side->inner->ops->absolute(side->inner, ids, count, x, y, work);
    add_weight(side, count, x, y);
}

static void item(const weft_side *side, int64_t i, weft_item *known)
{
    side->inner->ops->item(side->inner, i, known);
}

static int64_t traits(const weft_side *side, int64_t i, weft__trait *list)
{
    return side->inner->ops->traits(side->inner, i, list);
}

static weft_status append(weft_side *side, const weft_item *item_of_it, weft_error *error)
{
    (void)item_of_it;
    if (side->count < side->inner->count)
        return WEFT_OK;
    return weft__fail(error, WEFT_ARGUMENT,
                      "%s: id %lld is to be appended to the side information first that the identity is "
                      "added to",
                      side->ops->name, (long long)side->count);
}

static void release(weft_side *side)
{
    (void)side;
}

static weft__side_ops ops_over(const weft__side_ops *inner)
{
    return (weft__side_ops){
        .name = "identity",
        .vectors = inner->vectors,
        .entry = entry,
        .diagonal = diagonal,
        .column = column,
        .product = inner->product != NULL ? product : NULL,
        .absolute = inner->absolute != NULL ? absolute : NULL,
        .item = inner->item != NULL ? item : NULL,
        .traits = inner->traits != NULL ? traits : NULL,
        .append = append,
        .release = release,
    };
}

static weft_status check_arguments(const weft_side *inner, double weight, const weft_side_options *options,
                                   weft_error *error)
{
    if (!(weight > 0 && isfinite(weight)))
        return weft__fail(error, WEFT_ARGUMENT, "identity: the weight is %g; expected a positive number",
                          weight);
    if (inner->endless)
        return weft__fail(error, WEFT_ARGUMENT, "identity: the ids of the side information are endless");
    if (options != NULL &&
        (options->radius != 0 || options->inductive || options->map != NULL || options->endless))
        return weft__fail(error, WEFT_ARGUMENT,
                          "identity: the radius follows from the side information, and there is no feature "
                          "map; expected options without them");
    return WEFT_OK;
}

/* What is known of the other side whatever its kind. */
static void describe(weft_side *side, const weft_side *inner)
{
    side->inner = inner;
    side->constant = inner->constant;
    side->blur = inner->blur;
    side->solve_work = inner->solve_work;
    side->uniform = inner->uniform;
    side->open = inner->open;
    side->most_traits = inner->most_traits;
}

weft_status weft_side_with_identity(const weft_side *side, double weight, const weft_side_options *options,
                                    weft_side **made, weft_error *error)
{
    identity_side *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_side_options known = options != NULL ? *options : (weft_side_options){0};
    NEED(side);
    NEED(made);
    weft__side_ops ops = ops_over(side->ops);
    TRY(check_arguments(side, weight, options, error));
    TRY(weft__side_create(&ops, sizeof *fresh, side->count, options, &fresh, error));
    fresh->ops = ops;
    fresh->base.ops = &fresh->ops;
    fresh->weight = weight;
    describe(&fresh->base, side);
    known.radius = side->radius + weight;
    TRY(weft__side_settle(&fresh->base, &known, error));
    fresh->base.radius_given = side->radius_given;
    *made = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
