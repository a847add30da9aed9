/* SPDX-License-Identifier: MIT
 *
 * What all kinds of side information share: the public calls, the options,
 * the squared radius, and ids that are similar to nothing. */
#include "side/side.h"

#include "side/graph/links.h"
#include "side/map/map.h"

#include <math.h>

/* Two ids whose kernel value exceeds Cauchy-Schwarz by more than rounding. */
static const double minor_tolerance = 1e-9;

static weft_status check_options(const weft_side_options *options, weft_error *error)
{
    if (options != NULL && options->budget < 0)
        return weft__fail(error, WEFT_ARGUMENT, "the budget is %lld bytes; expected 0 or more",
                          (long long)options->budget);
    if (options == NULL || options->radius == 0)
        return WEFT_OK;
    if (!(options->radius >= WEFT__RADIUS_MIN && options->radius <= WEFT__RADIUS_MAX))
        return weft__fail(error, WEFT_ARGUMENT,
                          "the squared radius is %g; expected a number from %g to %g, or 0 for the largest "
                          "diagonal entry",
                          options->radius, WEFT__RADIUS_MIN, WEFT__RADIUS_MAX);
    return WEFT_OK;
}

weft_status weft__side_create(const weft__side_ops *ops, size_t size, int64_t count,
                              const weft_side_options *options, void *side, weft_error *error)
{
    weft_side *fresh = NULL;
    weft_status status = WEFT_OK;
    weft_memory memory = weft__memory_or_default(options != NULL ? options->memory : NULL);
    TRY(check_options(options, error));
    if (count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "%s: the number of ids is %lld; expected 0 or more",
                          ops->name, (long long)count);
    TRY(weft__new(&memory, 1, size, &fresh, error));
    fresh->ops = ops;
    fresh->memory = memory;
    fresh->count = count;
    fresh->telling = weft__progress_of(options != NULL ? &options->progress : NULL);
    fresh->progress = &fresh->telling;
    weft__progress_begin(fresh->progress, "making side information", 0);
    fresh->budget = options != NULL && options->budget > 0 ? options->budget : WEFT__KERNEL_BUDGET;
    fresh->open = options != NULL && options->open;
    *(void **)side = fresh;
done:
    return status;
}

/* ---- The squared radius ---- */

static weft_status check_sign(const weft_side *side, int64_t i, double value, weft_error *error)
{
    if (!isfinite(value))
        return weft__fail_at(error, WEFT_INPUT, i, i, "%s: K(%lld,%lld) = %g is not finite", side->ops->name,
                             (long long)i, (long long)i, value);
    if (value < 0)
        return weft__fail_at(error, WEFT_INPUT, i, i,
                             "%s: K(%lld,%lld) = %g; a diagonal entry must not be negative", side->ops->name,
                             (long long)i, (long long)i, value);
    return WEFT_OK;
}

weft_status weft__side_check_diagonal(const weft_side *side, int64_t i, double value, weft_error *error)
{
    weft_status status = check_sign(side, i, value, error);
    if (status != WEFT_OK)
        return status;
    if (value > side->radius)
        return weft__fail_at(
            error, WEFT_INPUT, i, i,
            "%s: K(%lld,%lld) = %.17g is above the squared radius %.17g, which is fixed when "
            "the side information is made; give a larger radius",
            side->ops->name, (long long)i, (long long)i, value, side->radius);
    return WEFT_OK;
}

static weft_status find_largest_diagonal(const weft_side *side, int64_t *where, double *largest,
                                         weft_error *error)
{
    double top = 0;
    int64_t at = -1;
    /* A kernel that is the same for all ids is looked at once. */
    int64_t count = side->uniform && side->count > 1 ? 1 : side->count;
    for (int64_t i = 0; i < count; i++) {
        double value = side->ops->diagonal(side, i);
        weft_status status = check_sign(side, i, value, error);
        if (status == WEFT_OK)
            status = weft__progress_step(side->progress, 1, error);
        if (status != WEFT_OK)
            return status;
        if (value > top) {
            top = value;
            at = i;
        }
    }
    if (side->count > 0 && top == 0)
        return weft__fail(error, WEFT_INPUT, "%s: the kernel is zero for all %lld ids", side->ops->name,
                          (long long)side->count);
    *where = at;
    *largest = top;
    return WEFT_OK;
}

static weft_status choose_radius(const weft_side *side, const weft_side_options *options, double largest,
                                 double *radius, weft_error *error)
{
    if (options != NULL && options->radius > 0)
        *radius = options->radius;
    else if (options != NULL && options->inductive && side->supremum > 0)
        *radius = side->supremum;
    else if (options != NULL && options->inductive)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: this kernel has no largest value over ids still to come; give its radius",
                          side->ops->name);
    else if (side->count == 0)
        return weft__fail(error, WEFT_ARGUMENT, "%s: there are no ids to take the radius from; give it",
                          side->ops->name);
    else
        *radius = largest;
    return WEFT_OK;
}

weft_status weft__side_settle(weft_side *side, const weft_side_options *options, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t where = -1;
    double largest = 0, radius = 0;
    TRY(find_largest_diagonal(side, &where, &largest, error));
    TRY(choose_radius(side, options, largest, &radius, error));
    if (!(radius >= WEFT__RADIUS_MIN && radius <= WEFT__RADIUS_MAX))
        return weft__fail_at(
            error, WEFT_INPUT, where, where,
            "%s: the squared radius is %g; expected a number from %g to %g: scale the kernel",
            side->ops->name, radius, WEFT__RADIUS_MIN, WEFT__RADIUS_MAX);
    side->radius = radius;
    side->radius_given = options != NULL && options->radius > 0;
    if (side->count > 0)
        TRY(weft__side_check_diagonal(side, where, largest, error));
    TRY(weft__map_make(side, options != NULL ? options->map : NULL, error));
    TRY(weft__progress_check(side->progress, error));
    side->progress = NULL;
done:
    return status;
}

/* ---- Checks of what is new ---- */

weft_status weft__side_check_minor(int64_t i, int64_t j, double value, double diagonal_i, double diagonal_j,
                                   weft_error *error)
{
    if (!isfinite(value))
        return weft__fail_at(error, WEFT_INPUT, i, j, "K(%lld,%lld) = %g is not finite", (long long)i,
                             (long long)j, value);
    if (fabs(value) > sqrt(diagonal_i) * sqrt(diagonal_j) * (1 + minor_tolerance))
        return weft__fail_at(
            error, WEFT_INPUT, i, j,
            "K(%lld,%lld) = %g is larger than the root of K(%lld,%lld) K(%lld,%lld) = %g * %g: "
            "the kernel is not semidefinite",
            (long long)i, (long long)j, value, (long long)i, (long long)i, (long long)j, (long long)j,
            diagonal_i, diagonal_j);
    return WEFT_OK;
}

weft_status weft__side_check_values(const weft_side *side, const weft_item *item, int64_t length,
                                    const char *what, weft_error *error)
{
    if (item->values == NULL || item->length != length)
        return weft__fail(error, WEFT_ARGUMENT, "%s: a new id has %lld %s; expected %lld", side->ops->name,
                          (long long)(item->values == NULL ? 0 : item->length), what, (long long)length);
    for (int64_t k = 0; k < length; k++)
        if (!isfinite(item->values[k]))
            return weft__fail_at(error, WEFT_INPUT, side->count, k, "%s: %s: number %lld of id %lld is %g",
                                 side->ops->name, what, (long long)k, (long long)side->count,
                                 item->values[k]);
    return WEFT_OK;
}

/* ---- Ids that are similar to nothing ---- */

weft_status weft__side_set_alone(weft_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (side->count >= side->alone_size) {
        int64_t size = weft__grown(side->alone_size, side->count + 1);
        TRY(weft__resize(&side->memory, &side->alone, side->alone_size, size, sizeof *side->alone, error));
        side->alone_size = size;
    }
    side->alone[side->count] = true;
done:
    return status;
}

bool weft__side_is_alone(const weft_side *side, int64_t i)
{
    return i >= side->count || (i < side->alone_size && side->alone[i]);
}

void weft__side_column_by_entry(const weft_side *side, int64_t i, const int64_t *ids, int64_t count,
                                double *out, double *work)
{
    for (int64_t k = 0; k < count; k++)
        out[k] = side->ops->entry(side, ids[k], i, work);
}

int64_t weft__side_work(const weft_side *side)
{
    return side->ops->vectors * side->count;
}

/* ---- Public ---- */

weft_status weft_side_append(weft_side *side, const weft_item *item, weft_error *error)
{
    const weft_item nothing = {0};
    weft_status status = WEFT_OK;
    NEED(side);
    if (item == NULL)
        item = &nothing;
    if (item->length > 0)
        NEED(item->values);
    if (side->open)
        TRY(weft__fail(error, WEFT_UNSUPPORTED,
                       "%s: the side is open: every number is an id of it already, so that none can be added",
                       side->ops->name));
    TRY(side->ops->append(side, item, error));
    if (!side->endless)
        side->count++;
done:
    return status;
}

int64_t weft__side_group(const weft_side *side, int64_t i)
{
    weft_item known = {0};
    if (side->ops->item == NULL || !weft__side_has(side, i))
        return -1;
    side->ops->item(side, i, &known);
    if (known.alone)
        return 0;
    int64_t parts = 0;
    if (side->ops->traits != NULL || weft__side_parts(side, &parts) != NULL)
        return -1;
    return known.values == NULL ? 1 + known.class_of : -1;
}

const weft__side_part *weft__side_parts(const weft_side *side, int64_t *count)
{
    while (side->inner != NULL)
        side = side->inner;
    *count = side->part_count;
    return side->parts;
}

bool weft__side_has(const weft_side *side, int64_t i)
{
    return i >= 0 && (i < side->count || side->endless || (side->open && i < WEFT__OPEN_IDS));
}

int64_t weft__side_most(const weft_side *side)
{
    return side->endless ? INT64_MAX : side->open ? WEFT__OPEN_IDS : side->count;
}

void weft_side_free(weft_side *side)
{
    if (side == NULL)
        return;
    weft_memory memory = side->memory;
    side->ops->release(side);
    weft__map_release(side);
    weft__delete(&memory, side->alone);
    weft__side_free_graph(side);
    weft__delete(&memory, side);
}

int64_t weft_side_count(const weft_side *side)
{
    return side != NULL ? side->count : 0;
}

double weft_side_radius(const weft_side *side)
{
    return side != NULL ? side->radius : 0;
}

const char *weft_side_kind(const weft_side *side)
{
    return side != NULL ? side->ops->name : NULL;
}

double weft_side_entry(const weft_side *side, int64_t i, int64_t j)
{
    if (side == NULL || !weft__side_has(side, i) || !weft__side_has(side, j))
        return 0;
    if (side->blur == 0)
        return side->ops->entry(side, i, j, NULL);
    if (i == j)
        return side->ops->diagonal(side, i);
    double *work = NULL, entry = NAN;
    if (weft__new(&side->memory, weft__side_work(side), sizeof *work, &work, NULL) == WEFT_OK)
        entry = side->ops->entry(side, i, j, work);
    weft__delete(&side->memory, work);
    return entry;
}
