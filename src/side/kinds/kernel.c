/* SPDX-License-Identifier: MIT
 *
 * A kernel given entry by entry. */
#include "side/kinds/dense.h"

/* Semidefiniteness of the enlarged matrix would cost a factorisation; every
 * pair with the new id is checked instead (2 x 2 minors), which catches a wrong
 * scale or a wrong row but not every indefinite matrix. */
static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = side->count;
    if (item->alone)
        return weft__dense_append_alone(side, error);
    TRY(weft__side_check_values(side, item, n + 1, "kernel values", error));
    TRY(weft__side_check_diagonal(side, n, item->values[n], error));
    for (int64_t j = 0; j < n; j++)
        TRY(weft__side_check_minor(n, j, item->values[j], item->values[n], weft__dense_diagonal(side, j),
                                   error));
    TRY(weft__dense_append_row(side, item->values, error));
done:
    return status;
}

static const weft__side_ops kernel_ops = {
    .name = "kernel",
    .entry = weft__dense_entry,
    .diagonal = weft__dense_diagonal,
    .column = weft__dense_column,
    .product = NULL,
    .append = append,
    .release = weft__dense_release,
};

/* A diagonal entry that is negative within the tolerance of the definiteness
 * check is rounding: it becomes 0, so that no id has a negative norm. */
static weft_status settle_diagonal(weft__dense_side *side, double largest, weft_error *error)
{
    for (int64_t i = 0; i < side->base.count; i++) {
        double *value = &side->values[i * side->stride + i];
        if (*value < -1e-10 * largest)
            return weft__fail_at(error, WEFT_INPUT, i, i,
                                 "K(%lld,%lld) = %g; a diagonal entry must not be negative", (long long)i,
                                 (long long)i, *value);
        if (*value < 0)
            *value = 0;
    }
    return WEFT_OK;
}

weft_status weft_side_from_kernel(int64_t count, const double *kernel, const weft_side_options *options,
                                  weft_side **side, weft_error *error)
{
    weft__dense_side *fresh = NULL;
    weft_status status = WEFT_OK;
    double largest = 0;
    if (count > 0)
        NEED(kernel);
    NEED(side);
    TRY(weft__dense_create(&kernel_ops, count, options, &fresh, error));
    TRY(weft__dense_fill(fresh, kernel, 'K', &largest, error));
    TRY(settle_diagonal(fresh, largest, error));
    TRY(weft__dense_check_semidefinite(fresh, largest, error));
    TRY(weft__side_settle(&fresh->base, options, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
