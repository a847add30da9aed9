/* SPDX-License-Identifier: MIT
 *
 * Nothing is known: K = I.  No storage at all, however many ids. */
#include "side/kinds/none.h"

double weft__none_entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)side;
    (void)work;
    return i == j ? 1 : 0;
}

double weft__none_diagonal(const weft_side *side, int64_t i)
{
    (void)side;
    (void)i;
    return 1;
}

double weft__none_product(const weft_side *side, const int64_t *ids, int64_t count, const double *x,
                          double *y, double *work)
{
    (void)side;
    (void)ids;
    (void)work;
    for (int64_t k = 0; k < count; k++)
        y[k] = x[k];
    return 0;
}

/* An id that is alone is like every other here: similar to nothing but itself. */
static void item(const weft_side *side, int64_t i, weft_item *known)
{
    (void)side;
    (void)i;
    known->alone = true;
}

static weft__nature nature(const weft_side *side)
{
    (void)side;
    return (weft__nature){.own = 1};
}

static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    (void)side;
    (void)item;
    (void)error;
    return WEFT_OK;
}

void weft__none_release(weft_side *side)
{
    (void)side;
}

static const weft__side_ops none_ops = {
    .name = "none",
    .vectors = 1,
    .entry = weft__none_entry,
    .diagonal = weft__none_diagonal,
    .column = weft__side_column_by_entry,
    .product = weft__none_product,
    .item = item,
    .nature = nature,
    .append = append,
    .release = weft__none_release,
};

bool weft__side_is_identity(const weft_side *side)
{
    return side->ops->entry == weft__none_entry;
}

weft_status weft_side_none(int64_t count, const weft_side_options *options, weft_side **side,
                           weft_error *error)
{
    weft_side *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_side_options known = options != NULL ? *options : (weft_side_options){0};
    NEED(side);
    TRY(weft__side_create(&none_ops, sizeof *fresh, count, options, &fresh, error));
    fresh->supremum = 1;
    fresh->uniform = true;
    fresh->endless = known.endless;
    if (known.endless && (count != 0 || known.map == NULL || known.map->hash < 1))
        TRY(weft__fail(error, WEFT_ARGUMENT,
                       "none: endless ids need a hash map and a count of 0, found a count of %lld",
                       (long long)count));
    /* All diagonals are 1, so that R = 1 also before the first id. */
    known.inductive = true;
    TRY(weft__side_settle(fresh, &known, error));
    *side = fresh;
    fresh = NULL;
done:
    weft_side_free(fresh);
    return status;
}
