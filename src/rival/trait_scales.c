/* SPDX-License-Identifier: MIT
 * What the numbers of features are brought to before a linear model is told of them. */
#include "rival/traits.h"

#include <math.h>

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

weft_status weft__traits_settle(weft__traits *traits, weft__scale scale, weft_error *error)
{
    if (scale == WEFT__SCALE_SPREAD && traits->dimension > 0)
        return scale_by_spread(traits, error);
    for (int64_t d = 0; scale == WEFT__SCALE_RANGE && d < traits->dimension; d++)
        settle_coordinate(traits, d);
    return WEFT_OK;
}
