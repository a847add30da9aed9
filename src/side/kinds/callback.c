/* SPDX-License-Identifier: MIT
 *
 * The user's own kernel function.
 *
 * It is always called with the smaller id first, and what is not finite counts
 * as 0, so that K is symmetric to the bit and finite whatever it does.  What is
 * checked, and when: every diagonal entry at once; every id against a few
 * others when it arrives (both orders, and Cauchy-Schwarz); every pair of a
 * list when somebody asks (weft__side_check_column). */
#include "side/side.h"

#include <math.h>

/* Ids that a new one is compared with. */
enum { PROBES = 4 };

/* f(i,j) and f(j,i) may differ by this share of the larger diagonal. */
static const double symmetry_tolerance = 1e-9;

typedef struct callback_side {
    weft_side base;
    weft_kernel_function *function;
    void *user;
} callback_side;

static double call(const weft_side *side, int64_t i, int64_t j)
{
    const callback_side *c = (const callback_side *)side;
    return c->function(c->user, i, j);
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)work;
    if (weft__side_is_alone(side, i) || weft__side_is_alone(side, j))
        return i == j ? side->radius : 0;
    double value = i < j ? call(side, i, j) : call(side, j, i);
    return isfinite(value) ? value : 0;
}

/* As the user has it, so that what is not finite is seen and refused: by every
 * check of a new id, hence before anything is computed from it. */
static double diagonal(const weft_side *side, int64_t i)
{
    return weft__side_is_alone(side, i) ? side->radius : call(side, i, i);
}

/* Of two ids that are not alone. */
static weft_status check_pair(const weft_side *side, int64_t i, int64_t j, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (i == j)
        return WEFT_OK;
    double diagonal_i = call(side, i, i), diagonal_j = call(side, j, j);
    double value = call(side, i, j), other = call(side, j, i);
    TRY(weft__side_check_minor(i, j, value, diagonal_i, diagonal_j, error));
    if (!(fabs(value - other) <= symmetry_tolerance * fmax(diagonal_i, diagonal_j)))
        TRY(weft__fail_at(error, WEFT_INPUT, i, j,
                          "callback: K(%lld,%lld) and K(%lld,%lld) are %.17g and %.17g; expected a symmetric "
                          "kernel",
                          (long long)i, (long long)j, (long long)j, (long long)i, value, other));
done:
    return status;
}

/* Against the ids before it: a few, spread evenly. */
static weft_status probe(const weft_side *side, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t step = id / PROBES + 1;
    for (int64_t j = 0; j < id; j += step)
        if (!weft__side_is_alone(side, j))
            TRY(check_pair(side, id, j, error));
done:
    return status;
}

weft_status weft__side_check_column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    while (side->inner != NULL)
        side = side->inner;
    if (side->ops->entry != entry)
        return WEFT_OK;
    if (weft__side_is_alone(side, i))
        return WEFT_OK;
    for (int64_t k = 0; k < count; k++)
        if (!weft__side_is_alone(side, ids[k]))
            TRY(check_pair(side, i, ids[k], error));
done:
    return status;
}

static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t id = side->count;
    if (item->alone)
        return weft__side_set_alone(side, error);
    TRY(weft__side_check_diagonal(side, id, call(side, id, id), error));
    TRY(probe(side, id, error));
done:
    return status;
}

/* A function of the user's may be slow. */
enum { WORK_OF_PROBE = 1 << 14 };

static void release(weft_side *side)
{
    (void)side;
}

static const weft__side_ops callback_ops = {
    .name = "callback",
    .entry = entry,
    .diagonal = diagonal,
    .column = weft__side_column_by_entry,
    .product = NULL,
    .append = append,
    .release = release,
};

weft_status weft_side_from_callback(int64_t count, weft_kernel_function *function, void *user,
                                    const weft_side_options *options, weft_side **side, weft_error *error)
{
    callback_side *fresh = NULL;
    weft_status status = WEFT_OK;
    NEED(side);
    if (function == NULL)
        return weft__need(NULL, "function", error);
    TRY(weft__side_create(&callback_ops, sizeof *fresh, count, options, &fresh, error));
    fresh->function = function;
    fresh->user = user;
    weft__progress_begin(fresh->base.progress, "looking at a kernel", 0);
    TRY(weft__side_settle(&fresh->base, options, error));
    for (int64_t i = 0; i < count; i++) {
        TRY(probe(&fresh->base, i, error));
        TRY(weft__progress_step(&fresh->base.telling, WORK_OF_PROBE, error));
    }
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
