/* SPDX-License-Identifier: MIT
 *
 * Storage of kernels that are held as a whole, and the checks that need only
 * look at entries. */
#include "side/kinds/dense.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

/* Two entries (i,j) and (j,i) may differ by this share of the largest one. */
static const double symmetry_tolerance = 1e-9;

static const weft__dense_side *view(const weft_side *side)
{
    return (const weft__dense_side *)side;
}

weft_status weft__dense_create(const weft__side_ops *ops, int64_t count, const weft_side_options *options,
                               weft__dense_side **side, weft_error *error)
{
    weft__dense_side *fresh = NULL;
    weft_status status = WEFT_OK;
    int64_t size = 0;
    TRY(weft__side_create(ops, sizeof *fresh, count, options, &fresh, error));
    TRY(weft__checked_product(count, count, &size, error));
    TRY(weft__new(&fresh->base.memory, size, sizeof *fresh->values, &fresh->values, error));
    fresh->stride = count;
    *side = fresh;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}

double weft__dense_entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)work;
    if (i >= side->count || j >= side->count)
        return i == j ? side->radius : 0;
    return view(side)->values[i * view(side)->stride + j];
}

double weft__dense_diagonal(const weft_side *side, int64_t i)
{
    return weft__dense_entry(side, i, i, NULL);
}

CLONED static void gather(const double *restrict row, int64_t size, const int64_t *restrict ids,
                          int64_t count, double *restrict out)
{
    for (int64_t k = 0; k < count; k++)
        out[k] = ids[k] < size ? row[ids[k]] : 0;
}

/* A column is a row: one stretch of memory. */
void weft__dense_column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                        double *work)
{
    if (i >= side->count) {
        weft__side_column_by_entry(side, i, ids, count, out, work);
        return;
    }
    gather(view(side)->values + i * view(side)->stride, side->count, ids, count, out);
}

void weft__dense_release(weft_side *side)
{
    weft__delete(&side->memory, ((weft__dense_side *)side)->values);
}

/* ---- One more id ---- */

/* Room for one more row and column.  The stride grows by a quarter: doubling it
 * would take four times the memory. */
static weft_status reserve(weft__dense_side *side, weft_error *error)
{
    double *values = NULL;
    weft_status status = WEFT_OK;
    int64_t count = side->base.count, size = 0;
    if (count < side->stride)
        return WEFT_OK;
    int64_t stride = (count + count / 4 + 16) / 8 * 8;
    TRY(weft__checked_product(stride, stride, &size, error));
    TRY(weft__new(&side->base.memory, size, sizeof *values, &values, error));
    for (int64_t i = 0; i < count; i++)
        memcpy(values + i * stride, side->values + i * side->stride, (size_t)count * sizeof *values);
    weft__delete(&side->base.memory, side->values);
    side->values = values;
    side->stride = stride;
done:
    return status;
}

weft_status weft__dense_append_row(weft_side *side, const double *values, weft_error *error)
{
    weft__dense_side *dense = (weft__dense_side *)side;
    weft_status status = WEFT_OK;
    int64_t n = side->count;
    TRY(reserve(dense, error));
    for (int64_t j = 0; j <= n; j++) {
        dense->values[n * dense->stride + j] = values[j];
        dense->values[j * dense->stride + n] = values[j];
    }
done:
    return status;
}

weft_status weft__dense_append_alone(weft_side *side, weft_error *error)
{
    weft__dense_side *dense = (weft__dense_side *)side;
    weft_status status = WEFT_OK;
    TRY(reserve(dense, error));
    TRY(weft__side_set_alone(side, error));
    dense->values[side->count * dense->stride + side->count] = side->radius;
done:
    return status;
}

weft_status weft__dense_append_alone_only(weft_side *side, const weft_item *item, weft_error *error)
{
    if (item->alone)
        return weft__dense_append_alone(side, error);
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s: the kernel depends on all ids at once, so a new id can only be added alone",
                      side->ops->name);
}

/* ---- What was given ---- */

static weft_status find_largest(int64_t n, const double *given, char symbol, double *largest,
                                weft_error *error)
{
    double top = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double value = given[i * n + j];
            if (!isfinite(value))
                return weft__fail_at(error, WEFT_INPUT, i, j, "%c(%lld,%lld) = %g is not finite", symbol,
                                     (long long)i, (long long)j, value);
            top = fmax(top, fabs(value));
        }
    }
    if (top == 0 && n > 0)
        return weft__fail(error, WEFT_INPUT, "all entries of %c are zero", symbol);
    *largest = top;
    return WEFT_OK;
}

static weft_status fill_pair(weft__dense_side *side, const double *given, char symbol, double allowance,
                             const int64_t at[2], weft_error *error)
{
    int64_t i = at[0], j = at[1], n = side->base.count;
    double a = given[i * n + j], b = given[j * n + i];
    /* Halves first: the sum and the difference of two entries may overflow. */
    if (fabs(a / 2 - b / 2) > allowance / 2)
        return weft__fail_at(error, WEFT_INPUT, i, j,
                             "%c is not symmetric: (%lld,%lld) is %.17g and (%lld,%lld) is %.17g", symbol,
                             (long long)i, (long long)j, a, (long long)j, (long long)i, b);
    double mean = a == b ? a : a / 2 + b / 2;
    side->values[i * side->stride + j] = mean;
    side->values[j * side->stride + i] = mean;
    return WEFT_OK;
}

weft_status weft__dense_fill(weft__dense_side *side, const double *given, char symbol, double *largest,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    double top = 0;
    int64_t n = side->base.count;
    TRY(find_largest(n, given, symbol, &top, error));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            TRY(fill_pair(side, given, symbol, symmetry_tolerance * top, (const int64_t[]){j, i}, error));
    *largest = top;
done:
    return status;
}
