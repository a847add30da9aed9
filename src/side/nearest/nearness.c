/* SPDX-License-Identifier: MIT
 *
 * Method     A quick key from one pass over two vectors, and the same key with
 *            unevaluated sums of two doubles for those that are too close to call.
 *            Differences are taken before squares, never |x|^2 + |t|^2 - 2<x,t>,
 *            which loses all digits for near vectors far from the origin.
 * Algorithm  Error-free sums and products (with fma) accumulated in two parts.
 * Error      A sum of d products, in any order, errs by at most (d + 2) u of the
 *            sum of their sizes, u = 2^-53.  So quick Euclidean keys err by less
 *            than (d + 4) u of themselves; <z_i, z_j> errs by (d + 2) u |z_i||z_j|,
 *            hence the key of the cosine by 2 (d + 4) u |z_i|^2.  The slack between
 *            two keys is twice that, and twice again for good measure.
 *            Where all values are whole numbers with sum z^2 small, quick keys are
 *            exact but for one division, and there is no slack.
 * Cost       Quick 2 to 3 operations a coordinate, the other about 30.
 * Reference  Dekker, A floating-point technique for extending the available
 *            precision, 1971; Ogita, Rump, Oishi, Accurate sum and dot product, 2005.
 */
#include "side/nearest/nearness.h"

#include "base/pair.h"
#include "base/vector.h"

#include <float.h>
#include <math.h>

/* ---- Twice the working precision ---- */

/* a * b, exactly (where nothing underflows): by fma, since values may be too large to split. */
static weft__pair product_of(double a, double b)
{
    double product = a * b;
    return (weft__pair){product, fma(a, b, -product)};
}

static weft__pair add_pairs(weft__pair a, weft__pair b)
{
    weft__pair high = weft__sum_of(a.high, b.high);
    return weft__sum_of(high.high, high.low + (a.low + b.low));
}

static weft__pair multiply_pairs(weft__pair a, weft__pair b)
{
    weft__pair high = product_of(a.high, b.high);
    return weft__sum_of(high.high, high.low + (a.high * b.low + a.low * b.high));
}

/* a / b rounded once: the quotient of the high parts and what it leaves. */
static double divide_pairs(weft__pair a, weft__pair b)
{
    double quotient = a.high / b.high;
    weft__pair back = multiply_pairs((weft__pair){quotient, 0}, b);
    weft__pair rest = add_pairs(a, (weft__pair){-back.high, -back.low});
    return quotient + rest.high / b.high;
}

static weft__pair dot_exactly(int64_t n, const double *x, const double *y)
{
    weft__pair sum = {0, 0};
    for (int64_t k = 0; k < n; k++)
        sum = add_pairs(sum, product_of(x[k], y[k]));
    return sum;
}

static weft__pair distance_exactly(int64_t n, const double *x, const double *y)
{
    weft__pair sum = {0, 0};
    for (int64_t k = 0; k < n; k++) {
        weft__pair difference = weft__sum_of(x[k], -y[k]);
        sum = add_pairs(sum, multiply_pairs(difference, difference));
    }
    return sum;
}

/* ---- The keys ---- */

static const double *row(const weft__nearness *nearness, int64_t i)
{
    return nearness->at + i * nearness->stride;
}

void weft__nearness_quick(const weft__nearness *nearness, int64_t i, int64_t j, double keys[2])
{
    const double *x = row(nearness, i), *t = row(nearness, j);
    if (nearness->metric == WEFT_EUCLIDEAN) {
        keys[0] = keys[1] = weft__distance(nearness->stride, x, t);
        return;
    }
    double s = weft__dot(nearness->stride, x, t);
    keys[0] = -(s * fabs(s)) / nearness->square[j];
    keys[1] = -(s * fabs(s)) / nearness->square[i];
}

double weft__nearness_key(const weft__nearness *nearness, int64_t i, int64_t j)
{
    const double *x = row(nearness, i), *t = row(nearness, j);
    if (nearness->metric == WEFT_EUCLIDEAN)
        return distance_exactly(nearness->stride, x, t).high;
    weft__pair s = dot_exactly(nearness->stride, x, t);
    weft__pair square = {nearness->square[j], nearness->square_rest[j]};
    double key = divide_pairs(multiply_pairs(s, s), square);
    return s.high > 0 ? -key : key;
}

/* The constant is for differences so small that their squares underflow: they are
 * always looked at twice. */
double weft__nearness_slack(const weft__nearness *nearness, int64_t i, double a, double b)
{
    if (nearness->error == 0)
        return 0;
    return nearness->error * (nearness->metric == WEFT_EUCLIDEAN ? a + b : nearness->square[i]) + 1e-290;
}

/* Euclidean: b - a > e (a + b) + c if b > (a (1 + e) + c) / (1 - e), where 4 e covers the
 * rounding, too. */
double weft__nearness_limit(const weft__nearness *nearness, int64_t i, double key)
{
    double e = nearness->error;
    if (nearness->metric == WEFT_EUCLIDEAN)
        return e > 0 ? key * (1 + 4 * e) + 2e-290 : key;
    return key + 2 * weft__nearness_slack(nearness, i, key, key);
}

double weft__nearness_distance(const weft__nearness *nearness, int64_t i, int64_t j)
{
    return sqrt(distance_exactly(nearness->stride, row(nearness, i), row(nearness, j)).high);
}

/* sqrt(q * q) is q to the bit, so that equal vectors have cosine 1. */
double weft__nearness_cosine(const weft__nearness *nearness, int64_t i, int64_t j)
{
    double s = dot_exactly(nearness->stride, row(nearness, i), row(nearness, j)).high;
    double cosine = s / sqrt(nearness->square[i] * nearness->square[j]);
    return fmin(fmax(cosine, -1), 1);
}

/* ---- The vectors ---- */

static weft_status check_values(const weft_features *features, weft_error *error)
{
    for (int64_t i = 0; i < features->count; i++)
        for (int64_t k = 0; k < features->dimension; k++) {
            double value = features->values[i * features->dimension + k];
            if (!isfinite(value))
                return weft__fail_at(error, WEFT_INPUT, i, k,
                                     "neighbours: coordinate %lld of id %lld is %g; expected a finite number",
                                     (long long)k, (long long)i, value);
        }
    return WEFT_OK;
}

/* Whole numbers whose products and sums of products, squared for the cosine, stay
 * within 2^53. */
static bool are_small_whole_numbers(const weft_features *features, weft_metric metric)
{
    double largest = 0;
    for (int64_t k = 0; k < features->count * features->dimension; k++) {
        double value = fabs(features->values[k]);
        if (value != rint(value))
            return false;
        largest = fmax(largest, value);
    }
    double sum = (double)features->dimension * largest * largest;
    return metric == WEFT_EUCLIDEAN ? 4 * sum <= 0x1p53 : sum <= 0x1p26;
}

static void divide_by(double *x, int64_t n, double unit)
{
    for (int64_t k = 0; k < n; k++)
        x[k] /= unit;
}

static weft_status prepare_cosine(weft__nearness *nearness, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&nearness->memory, nearness->count, sizeof(double), &nearness->square, error));
    TRY(weft__new(&nearness->memory, nearness->count, sizeof(double), &nearness->square_rest, error));
    for (int64_t i = 0; i < nearness->count; i++) {
        double *z = nearness->at + i * nearness->stride;
        if (weft__largest(nearness->stride, z) == 0)
            TRY(weft__fail_at(error, WEFT_INPUT, i, -1,
                              "neighbours: the vector of id %lld is zero, which has no direction",
                              (long long)i));
        divide_by(z, nearness->stride, weft__magnitude(nearness->stride, z));
        weft__pair square = dot_exactly(nearness->stride, z, z);
        nearness->square[i] = square.high;
        nearness->square_rest[i] = square.low;
    }
done:
    return status;
}

weft_status weft__nearness_open(const weft_features *features, weft_metric metric, const weft_memory *memory,
                                weft__nearness *nearness, weft_error *error)
{
    weft__nearness made = {.memory = weft__memory_or_default(memory),
                           .metric = metric,
                           .count = features->count,
                           .stride = weft__padded(features->dimension),
                           .unit = 1};
    weft_status status = WEFT_OK;
    int64_t size = 0;
    TRY(check_values(features, error));
    TRY(weft__checked_product(made.count, made.stride, &size, error));
    TRY(weft__new(&made.memory, size, sizeof *made.at, &made.at, error));
    for (int64_t i = 0; i < made.count; i++)
        for (int64_t k = 0; k < features->dimension; k++)
            made.at[i * made.stride + k] = features->values[i * features->dimension + k];
    if (!are_small_whole_numbers(features, metric))
        made.error = 4 * ((double)features->dimension + 4) * DBL_EPSILON;
    if (metric == WEFT_COSINE) {
        TRY(prepare_cosine(&made, error));
    } else {
        made.unit = weft__magnitude(size, made.at);
        divide_by(made.at, size, made.unit);
    }
    *nearness = made;
    made = (weft__nearness){.memory = made.memory};
done:
    weft__nearness_close(&made);
    return status;
}

void weft__nearness_close(weft__nearness *nearness)
{
    weft__delete(&nearness->memory, nearness->at);
    weft__delete(&nearness->memory, nearness->square);
    weft__delete(&nearness->memory, nearness->square_rest);
    nearness->at = nearness->square = nearness->square_rest = NULL;
}
