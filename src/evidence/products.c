/* SPDX-License-Identifier: MIT
 *
 * Method: y = C x for C = eta (G off the diagonal + diagonal * degrees on it).
 * Algorithm: both directions of every pair in one pass, over the dense block
 * (in single or double precision), or over the list of pairs in their order of
 * first update; of a long list most pairs are arranged (arrangement.h).
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

/* A product by an arranged list.  Column by column, what is read and what is written lie side by side in
 * z: a random access then meets one line of the cache and not two.  The parts have no column in common,
 * and part k > 0 has rows of its own in `partial`, so that they can be done side by side. */
typedef struct coupling {
    const weft__evidence *evidence;
    const weft__exponent *exponent;
    const double *x;
    double *y, *z, *partial;
    int64_t rows, columns, parts;
} coupling;

static void couple_part(void *self, int64_t k)
{
    const coupling *c = self;
    const weft__arrangement *arrangement = &c->evidence->arrangement;
    double *y = k == 0 ? c->y : c->partial + (k - 1) * c->rows;
    int64_t all[2] = {0, arrangement->blocks};
    memset(y, 0, (size_t)c->rows * sizeof *y);
    weft__arrangement_couple(arrangement, c->parts == 1 ? all : arrangement->cut + k, c->x, y, c->z);
}

/* The pairs that are not settled yet. */
static void couple_rest(const coupling *c)
{
    const weft__cell *cells = c->evidence->cells;
    for (int64_t k = c->evidence->arrangement.settled; k < c->evidence->count; k++) {
        int64_t a = cells[k].a, b = cells[k].b;
        double count = (double)cells[k].count;
        c->y[a] += count * c->z[2 * b];
        c->z[2 * b + 1] += count * c->x[a];
    }
}

/* y = eta (the parts in their order + diagonal * degrees x), in one pass over each side. */
static void gather(const coupling *c)
{
    double eta = c->exponent->eta, d = c->exponent->diagonal;
    const double *degree = c->evidence->degree[0], *p = c->partial;
    for (int64_t a = 0; a < c->rows; a++) {
        double sum = c->y[a];
        for (int64_t k = 0; k < c->parts - 1; k++)
            sum += p[k * c->rows + a];
        if (c->evidence->one_set)
            sum += c->z[2 * a + 1];
        c->y[a] = eta * (sum + d * (degree[a] * c->x[a]));
    }
    if (c->evidence->one_set)
        return;
    degree = c->evidence->degree[1];
    for (int64_t b = 0; b < c->columns; b++)
        c->y[c->exponent->offset + b] = eta * (c->z[2 * b + 1] + d * (degree[b] * c->z[2 * b]));
}

static void multiply_arranged(weft__evidence *evidence, const weft__exponent *exponent, const double *x,
                              double *y)
{
    int64_t offset = exponent->offset, rows = evidence->places[0];
    int64_t columns = evidence->places[evidence->one_set ? 0 : 1], end = offset + columns;
    bool many = evidence->arrangement.settled >= WEFT__MANY_PAIRS;
    coupling c = {evidence,
                  exponent,
                  x,
                  y,
                  evidence->y_double,
                  evidence->partial,
                  rows,
                  columns,
                  many ? WEFT__PARTS : 1};
    for (int64_t b = 0; b < columns; b++) {
        c.z[2 * b] = x[offset + b];
        c.z[2 * b + 1] = 0;
    }
    weft__thread_pool_run(many ? evidence->pool : NULL, c.parts, couple_part, &c);
    couple_rest(&c);
    gather(&c);
    if (!evidence->one_set)
        memset(y + rows, 0, (size_t)(offset - rows) * sizeof *y);
    memset(y + end, 0, (size_t)(exponent->n - end) * sizeof *y);
}

/* Whether most of the list is arranged; what is due is settled. */
static bool arrange(weft__evidence *evidence)
{
    int64_t due = weft__arrangement_due(evidence->count);
    if (evidence->dense || due == 0 || evidence->largest >= WEFT__EXACT_COUNT)
        return false;
    if (due != evidence->arrangement.settled)
        weft__arrangement_settle(&evidence->arrangement, evidence->cells, due);
    return true;
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
    if (arrange(evidence)) {
        multiply_arranged(evidence, exponent, x, y);
        return;
    }
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
