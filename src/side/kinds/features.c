/* SPDX-License-Identifier: MIT
 *
 * Vectors, and one of three kernels between them.
 *
 * The Gram matrix is not stored: an entry is computed from two vectors when it
 * is asked for, O(dimension); linear features may have a product (side/kinds/linear.h).
 * Sums run over four partial sums in a fixed order, so that every compiler and
 * vector width gives the same bits, and every kernel is symmetric to the bit
 * because its terms are.
 *
 * What is stored of x depends on the kernel: x itself, but s(x) for the min
 * kernel.  An id that is alone has a row of zeros that is never read. */
#include "base/elementary.h"
#include "side/kinds/linear.h"

#include <math.h>

typedef struct features_side {
    weft_side base;
    weft_kernel kernel;
    double parameter;
    int64_t dimension;
    double *values; /* capacity x dimension */
    int64_t capacity;
    /* Where there are products: see weft__linear. */
    double *square;
    weft__groups groups;
} features_side;

static const features_side *view(const weft_side *side)
{
    return (const features_side *)side;
}

/* ---- The kernels ---- */

static double inner_product(const double *x, const double *t, int64_t dimension)
{
    double sum[4] = {0, 0, 0, 0};
    int64_t k = 0;
    for (; k + 4 <= dimension; k += 4)
        for (int64_t lane = 0; lane < 4; lane++)
            sum[lane] += x[k + lane] * t[k + lane];
    for (int64_t lane = 0; k < dimension; k++, lane++)
        sum[lane] += x[k] * t[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double linear_value(const double *x, const double *t, int64_t dimension, double epsilon)
{
    bool same = true;
    for (int64_t k = 0; k < dimension && same; k++)
        same = x[k] == t[k];
    return inner_product(x, t, dimension) + (same ? epsilon : 0);
}

/* exp(-|x-t|^2 / (2 width^2)).  Differences of halves cannot overflow, and a
 * quotient that does makes the value 0, as it should. */
static double gaussian_value(const double *x, const double *t, int64_t dimension, double width)
{
    double sum[4] = {0, 0, 0, 0};
    for (int64_t k = 0; k < dimension; k++) {
        double z = 2 * ((x[k] / 2 - t[k] / 2) / width);
        sum[k & 3] += z * z;
    }
    return weft__exp(-((sum[0] + sum[1]) + (sum[2] + sum[3])) / 2);
}

/* prod min(s(x), s(t)), with s applied when the vectors were stored. */
static double min_value(const double *x, const double *t, int64_t dimension)
{
    double product = 1;
    for (int64_t k = 0; k < dimension; k++)
        product *= x[k] < t[k] ? x[k] : t[k];
    return product;
}

static double value(const features_side *side, const double *x, const double *t)
{
    switch (side->kernel) {
    case WEFT_LINEAR:
        return linear_value(x, t, side->dimension, side->parameter);
    case WEFT_GAUSSIAN:
        return gaussian_value(x, t, side->dimension, side->parameter);
    case WEFT_MIN:
        break;
    }
    return min_value(x, t, side->dimension);
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)work;
    const features_side *f = view(side);
    if (weft__side_is_alone(side, i) || weft__side_is_alone(side, j))
        return i == j ? side->radius : 0;
    return value(f, f->values + i * f->dimension, f->values + j * f->dimension);
}

static double diagonal(const weft_side *side, int64_t i)
{
    return entry(side, i, i, NULL);
}

static weft__rows rows_of(const features_side *side)
{
    return (weft__rows){side->values, side->dimension};
}

static weft__linear linear_of(const weft_side *side)
{
    const features_side *f = view(side);
    return (weft__linear){side, rows_of(f), f->parameter, f->square, &f->groups};
}

static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    weft__linear linear = linear_of(side);
    return weft__linear_product(&linear, ids, count, x, y, work);
}

static void absolute(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work)
{
    weft__linear linear = linear_of(side);
    weft__linear_absolute(&linear, ids, count, x, y, work);
}

static void item(const weft_side *side, int64_t i, weft_item *known)
{
    const features_side *f = view(side);
    known->alone = weft__side_is_alone(side, i);
    known->values = i < side->count ? f->values + i * f->dimension : NULL;
    known->length = f->dimension;
}

static weft__nature nature(const weft_side *side)
{
    const features_side *f = view(side);
    return (weft__nature){.numbers = f->dimension,
                          .linear = f->kernel == WEFT_LINEAR,
                          .width = f->kernel == WEFT_GAUSSIAN ? f->parameter : 0,
                          .own = f->kernel == WEFT_LINEAR ? f->parameter : 0};
}

/* ---- Vectors in ---- */

/* s(x) = (r-1)x/(2r) + (r+1)/2 = 1 + (r-1) (x+r)/(2r) takes [-r, r] to [1, r].
 * The second way is exact at both ends and overflows nowhere; rounding must not
 * lead out, or a diagonal entry could exceed the supremum r^d. */
static double stretch(double x, double r)
{
    double s = 1 + (r - 1) * ((x / 2 + r / 2) / r);
    return fmin(fmax(s, 1), r);
}

static weft_status check_vector(const features_side *side, int64_t id, const double *x, weft_error *error)
{
    double r = side->parameter;
    for (int64_t k = 0; k < side->dimension; k++) {
        if (!isfinite(x[k]))
            return weft__fail_at(error, WEFT_INPUT, id, k, "features: coordinate %lld of id %lld is %g",
                                 (long long)k, (long long)id, x[k]);
        if (side->kernel == WEFT_MIN && fabs(x[k]) > r)
            return weft__fail_at(
                error, WEFT_INPUT, id, k,
                "features: coordinate %lld of id %lld is %.17g; the min kernel expects %g to %g",
                (long long)k, (long long)id, x[k], -r, r);
    }
    return WEFT_OK;
}

static void store_vector(features_side *side, int64_t id, const double *x)
{
    double *row = side->values + id * side->dimension;
    for (int64_t k = 0; k < side->dimension; k++)
        row[k] = side->kernel == WEFT_MIN ? stretch(x[k], side->parameter) : x[k];
    if (side->square != NULL)
        side->square[id] = inner_product(row, row, side->dimension);
}

static bool has_groups(const features_side *side)
{
    return side->square != NULL && side->parameter > 0;
}

/* Rows for `count` ids, and a group for one that is new. */
static weft_status reserve(features_side *side, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    int64_t old = side->capacity, capacity = weft__grown(old, count), size = 0;
    if (has_groups(side))
        TRY(weft__groups_reserve(&side->groups, rows_of(side), count, memory, error));
    if (count <= old)
        return WEFT_OK;
    TRY(weft__checked_product(capacity, side->dimension, &size, error));
    if (side->square != NULL)
        TRY(weft__resize(memory, &side->square, old, capacity, sizeof *side->square, error));
    TRY(weft__resize(memory, &side->values, old * side->dimension, size, sizeof *side->values, error));
    side->capacity = capacity;
done:
    return status;
}

/* The new row lies beyond `count` until the caller counts it, so a diagonal
 * entry above the radius leaves nothing behind. */
static weft_status append_vector(features_side *side, const weft_item *item, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t id = side->base.count;
    TRY(weft__side_check_values(&side->base, item, side->dimension, "features", error));
    TRY(check_vector(side, id, item->values, error));
    TRY(reserve(side, id + 1, error));
    store_vector(side, id, item->values);
    const double *row = side->values + id * side->dimension;
    TRY(weft__side_check_diagonal(&side->base, id, value(side, row, row), error));
    if (has_groups(side))
        weft__groups_add(&side->groups, rows_of(side), true);
done:
    return status;
}

static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    features_side *features = (features_side *)side;
    weft_status status = WEFT_OK;
    if (!item->alone)
        return append_vector(features, item, error);
    TRY(reserve(features, side->count + 1, error));
    TRY(weft__side_set_alone(side, error));
    if (has_groups(features))
        weft__groups_add(&features->groups, rows_of(features), false);
done:
    return status;
}

static void release(weft_side *side)
{
    features_side *features = (features_side *)side;
    weft__delete(&side->memory, features->values);
    weft__delete(&side->memory, features->square);
    weft__groups_release(&features->groups, &side->memory);
}

static const weft__side_ops features_ops = {
    .name = "features",
    .entry = entry,
    .diagonal = diagonal,
    .column = weft__side_column_by_entry,
    .product = NULL,
    .item = item,
    .nature = nature,
    .append = append,
    .release = release,
};

static const weft__side_ops linear_ops = {
    .name = "features",
    .vectors = WEFT__LINEAR_VECTORS,
    .entry = entry,
    .diagonal = diagonal,
    .column = weft__side_column_by_entry,
    .product = product,
    .absolute = absolute,
    .item = item,
    .nature = nature,
    .append = append,
    .release = release,
};

/* ---- The constructor ---- */

static weft_status check_parameter(const weft_features *features, weft_error *error)
{
    double p = features->parameter;
    bool finite = isfinite(p);
    switch (features->kernel) {
    case WEFT_LINEAR:
        if (!(finite && p >= 0))
            return weft__fail(error, WEFT_ARGUMENT, "features: epsilon is %g; expected a finite number >= 0",
                              p);
        return WEFT_OK;
    case WEFT_GAUSSIAN:
        if (!(finite && p > 0))
            return weft__fail(error, WEFT_ARGUMENT, "features: the width is %g; expected a finite number > 0",
                              p);
        return WEFT_OK;
    case WEFT_MIN:
        if (!(finite && p >= 2))
            return weft__fail(error, WEFT_ARGUMENT,
                              "features: the range is %g; expected a finite number >= 2", p);
        return WEFT_OK;
    }
    return weft__fail(error, WEFT_ARGUMENT, "features: %d is not a kernel", (int)features->kernel);
}

static weft_status check_shape(const weft_features *features, weft_error *error)
{
    if (features->dimension < 1)
        return weft__fail(error, WEFT_ARGUMENT, "features: the dimension is %lld; expected 1 or more",
                          (long long)features->dimension);
    return WEFT_OK;
}

/* Of the kernel over its domain.  r^d is multiplied as an entry is, so that no
 * entry exceeds it by rounding. */
static double supremum(const weft_features *features)
{
    double product = 1;
    if (features->kernel == WEFT_LINEAR)
        return 0;
    if (features->kernel == WEFT_GAUSSIAN)
        return 1;
    for (int64_t k = 0; k < features->dimension && isfinite(product); k++)
        product *= features->parameter;
    return product;
}

/* A coordinate is looked at, copied and, in groups, hashed: about so many multiplications. */
enum { WORK_OF_COORDINATE = 8 };

static weft_status fill(features_side *side, const weft_features *features, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t size = 0;
    TRY(weft__checked_product(features->count, features->dimension, &size, error));
    TRY(weft__new(&side->base.memory, size, sizeof *side->values, &side->values, error));
    if (side->base.ops == &linear_ops)
        TRY(weft__new(&side->base.memory, features->count, sizeof *side->square, &side->square, error));
    side->capacity = features->count;
    weft__progress_begin(side->base.progress, "taking over features", WORK_OF_COORDINATE * (double)size);
    for (int64_t i = 0; i < features->count; i++) {
        TRY(check_vector(side, i, features->values + i * features->dimension, error));
        TRY(weft__progress_step(side->base.progress, WORK_OF_COORDINATE * (double)features->dimension,
                                error));
        TRY(reserve(side, features->count, error));
        store_vector(side, i, features->values + i * features->dimension);
        if (has_groups(side))
            weft__groups_add(&side->groups, rows_of(side), true);
    }
done:
    return status;
}

/* Linear features have a product where it is worth it. */
static const weft__side_ops *ops_of(const weft_features *features)
{
    bool structured =
        features->kernel == WEFT_LINEAR && weft__linear_has_product(features->dimension, features->count);
    return structured ? &linear_ops : &features_ops;
}

/* A product is scaled after it is summed, a Gram matrix before. */
static bool is_extreme(double radius)
{
    return !(radius >= 1e-250 && radius <= 1e250);
}

weft_status weft_side_from_features(const weft_features *features, const weft_side_options *options,
                                    weft_side **side, weft_error *error)
{
    features_side *fresh = NULL;
    weft_status status = WEFT_OK;
    NEED(features);
    if (features->count > 0)
        NEED(features->values);
    NEED(side);
    TRY(check_parameter(features, error));
    TRY(check_shape(features, error));
    TRY(weft__side_create(ops_of(features), sizeof *fresh, features->count, options, &fresh, error));
    fresh->kernel = features->kernel;
    fresh->parameter = features->parameter;
    fresh->dimension = features->dimension;
    fresh->base.supremum = supremum(features);
    TRY(fill(fresh, features, error));
    TRY(weft__side_settle(&fresh->base, options, error));
    if (is_extreme(fresh->base.radius))
        fresh->base.ops = &features_ops;
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
