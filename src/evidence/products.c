/* SPDX-License-Identifier: MIT
 *
 * Method: y = C x for C = eta (G off the diagonal + diagonal * degrees on it).
 * Algorithm: both directions of every pair in one pass, over the dense block
 * (in single or double precision) or over the list of pairs in their order of
 * first update.
 * Cost: O(cells of the block) or O(pairs). */
#include "evidence/evidence.h"

#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y += G x, pair by pair. */
static void couple_listed(const weft__evidence *evidence, int64_t offset, const double *x, double *y)
{
    const weft__cell *cells = evidence->cells;
    for (int64_t k = 0; k < evidence->count; k++) {
        int64_t a = cells[k].a, b = offset + cells[k].b;
        double count = (double)cells[k].count;
        y[a] += count * x[b];
        y[b] += count * x[a];
    }
}

static weft__block_single block_of(const weft__evidence *evidence, int64_t rows, int64_t columns)
{
    return (weft__block_single){evidence->block, rows, columns, evidence->stride};
}

/* The same through the block: u = G x_columns, v = G' x_rows. */
static void couple_dense(weft__evidence *evidence, int64_t offset, const double *x, double *y)
{
    int64_t rows = weft__padded(evidence->places[0]), half = evidence->work_count;
    int64_t columns = weft__padded(evidence->places[evidence->one_set ? 0 : 1]);
    double *u = evidence->y_double, *v = evidence->y_double + half;
    memset(v, 0, (size_t)columns * sizeof *v);
    weft__couple_double(block_of(evidence, rows, columns), x + offset, x, u, v);
    weft__add(rows, 1, u, y);
    weft__add(columns, 1, v, y + offset);
}

static void couple_single(weft__evidence *evidence, int64_t offset, int64_t n, const double *x, double *y)
{
    int64_t rows = weft__padded(evidence->places[0]), half = evidence->work_count;
    int64_t columns = weft__padded(evidence->places[evidence->one_set ? 0 : 1]);
    float *z = evidence->x_single, *xs = z + half, *u = evidence->y_single, *v = u + half;
    double unit = weft__magnitude(n, x);
    weft__narrow(rows, 1 / unit, x, z);
    weft__narrow(columns, 1 / unit, x + offset, xs);
    memset(v, 0, (size_t)columns * sizeof *v);
    weft__couple_single(block_of(evidence, rows, columns), xs, z, u, v);
    weft__widen(rows, unit, u, y);
    weft__widen(columns, unit, v, y + offset);
}

/* y = eta (y + diagonal * degrees x) */
static void finish(const weft__evidence *evidence, const weft__exponent *exponent, const double *x, double *y)
{
    int sides = evidence->one_set ? 1 : 2;
    for (int side = 0; side < sides; side++) {
        int64_t start = side == 0 ? 0 : exponent->offset, n = weft__padded(evidence->places[side]);
        weft__add_each(n, exponent->eta, exponent->diagonal, evidence->degree[side], x + start, y + start);
    }
}

void weft__evidence_multiply(weft__evidence *evidence, const weft__exponent *exponent, bool single,
                             const double *x, double *y)
{
    memset(y, 0, (size_t)exponent->n * sizeof *y);
    if (!evidence->dense)
        couple_listed(evidence, exponent->offset, x, y);
    else if (single)
        couple_single(evidence, exponent->offset, exponent->n, x, y);
    else
        couple_dense(evidence, exponent->offset, x, y);
    finish(evidence, exponent, x, y);
}

void weft__evidence_multiply_absolute(const weft__evidence *evidence, const weft__exponent *exponent,
                                      int sign, const double *x, double *y)
{
    double diagonal = fabs(exponent->diagonal);
    memset(y, 0, (size_t)exponent->n * sizeof *y);
    for (int64_t k = 0; k < evidence->count; k++) {
        int64_t a = evidence->cells[k].a, b = exponent->offset + evidence->cells[k].b;
        int64_t count = evidence->cells[k].count;
        if (sign * count < 0)
            continue;
        double weight = exponent->eta * (double)llabs(count);
        y[a] += weight * (x[b] + diagonal * x[a]);
        y[b] += weight * (x[a] + diagonal * x[b]);
    }
}
