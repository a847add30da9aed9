/* SPDX-License-Identifier: MIT
 *
 * The matrix M itself: K = M^-1, which must be positive definite. */
#include "side/kinds/dense.h"

static const weft__side_ops matrix_ops = {
    .name = "matrix",
    .entry = weft__dense_entry,
    .diagonal = weft__dense_diagonal,
    .column = weft__dense_column,
    .product = NULL,
    .append = weft__dense_append_alone_only,
    .release = weft__dense_release,
};

static weft_status invert(weft__dense_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t pivot = -1;
    weft__triangle lower = {side->base.count, side->values, side->stride, side->base.progress};
    TRY(weft__dense_invert(&side->base.memory, lower, &pivot, error));
    if (pivot >= 0)
        TRY(weft__fail_at(error, WEFT_INPUT, pivot, pivot,
                          "M is not positive definite: its leading %lld x %lld block is not, to working "
                          "precision",
                          (long long)(pivot + 1), (long long)(pivot + 1)));
done:
    return status;
}

weft_status weft_side_from_matrix(int64_t count, const double *matrix, const weft_side_options *options,
                                  weft_side **side, weft_error *error)
{
    weft__dense_side *fresh = NULL;
    weft_status status = WEFT_OK;
    double largest = 0;
    if (count > 0)
        NEED(matrix);
    NEED(side);
    TRY(weft__dense_create(&matrix_ops, count, options, &fresh, error));
    TRY(weft__dense_fill(fresh, matrix, 'M', &largest, error));
    TRY(invert(fresh, error));
    TRY(weft__side_settle(&fresh->base, options, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
