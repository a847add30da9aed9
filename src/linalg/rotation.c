/* SPDX-License-Identifier: MIT
 *
 * Method     A sweep turns rows i and i + 1 of the panels for i = high - 1 down to low.  A
 *            sweep may turn row i as soon as the one before has turned rows i - 1 and i, so
 *            four sweeps go down a panel one row behind the other:
 *
 *                row i -> sweep 0 -> row i + 1 -> sweep 1 -> ... -> sweep 3 -> row i + 4
 *
 *            each holding the row that it has turned once and will turn again.  A row is
 *            read and written once for four rotations.
 * Algorithm  Rotations by 0 stand around the record of a sweep and rows of zeros around a
 *            panel, so that there are no special cases at the ends, and sweeps of one group may begin and
 *            end at different rows.
 * Cost       6 n operations a rotation; a panel stays in the cache while all sweeps
 *            that are written down go through it.  Every element sees the same operations in the
 *            same order as if sweeps were applied one by one.
 * Reference  B. Lang, Using level 3 BLAS in rotation-based algorithms, SIAM J. Sci.
 *            Comput. 19 (1998); F. Van Zee, R. van de Geijn, G. Quintana-Orti, Restructuring the
 *            tridiagonal and bidiagonal QR algorithms for performance, ACM TOMS 40 (2014). */
#include "linalg/rotation.h"

#include "base/clones.h"

#include <string.h>

enum { PANEL = 8, GROUP = WEFT__SWEEP_GROUP, GUARD = WEFT__GUARD };

/* Half a row of a panel: gcc 12 makes poor AVX2 code of vectors that are longer than a register. */
typedef double vector __attribute__((vector_size(PANEL / 2 * sizeof(double)), may_alias));

static int64_t length_of(const weft__rotations *r)
{
    return 2 * (r->n + 2 * GUARD);
}

double *weft__rotations_next(const weft__rotations *r)
{
    double *record = r->record + r->sweeps * length_of(r);
    for (int64_t i = 0; i < length_of(r); i += 2) {
        record[i] = 1;
        record[i + 1] = 0;
    }
    return record + 2 * GUARD;
}

/* x, held = s x + c held, c x - s held */
INLINED void turn(const double *rotation, vector *x, vector *held)
{
    vector out0 = rotation[1] * x[0] + rotation[0] * held[0],
           out1 = rotation[1] * x[1] + rotation[0] * held[1];
    held[0] = rotation[0] * x[0] - rotation[1] * held[0];
    held[1] = rotation[0] * x[1] - rotation[1] * held[1];
    x[0] = out0;
    x[1] = out1;
}

/* Four sweeps through rows low .. high of a panel; `rotation` is sweep 0, `length` numbers from one to
 * the next. */
CLONED static void turn_panel(int64_t low, int64_t high, int64_t length, const double *rotation,
                              double *panel)
{
    vector *row = (vector *)panel, *end = row + 2 * high;
    vector held0[2] = {end[0], end[1]}, held1[2] = {end[2], end[3]}, held2[2] = {end[4], end[5]},
           held3[2] = {end[6], end[7]};
    const double *r0 = rotation, *r1 = r0 + length + 2, *r2 = r1 + length + 2, *r3 = r2 + length + 2;
    for (int64_t i = high - 1; i > low - GROUP; i--) {
        vector x[2] = {row[2 * i], row[2 * i + 1]};
        turn(r0 + 2 * i, x, held0);
        turn(r1 + 2 * i, x, held1);
        turn(r2 + 2 * i, x, held2);
        turn(r3 + 2 * i, x, held3);
        row[2 * (i + GROUP)] = x[0];
        row[2 * (i + GROUP) + 1] = x[1];
    }
    memcpy(row + 2 * (low - 3), held0, sizeof held0);
    memcpy(row + 2 * (low - 2), held1, sizeof held1);
    memcpy(row + 2 * (low - 1), held2, sizeof held2);
    memcpy(row + 2 * low, held3, sizeof held3);
}

/* One group of sweeps through one panel. */
static void turn_group(const weft__rotations *r, int first, double *panel)
{
    int low = r->low[first], high = r->high[first];
    for (int k = first + 1; k < first + GROUP; k++) {
        low = r->low[k] < low ? r->low[k] : low;
        high = r->high[k] > high ? r->high[k] : high;
    }
    turn_panel(low, high, length_of(r), r->record + first * length_of(r) + 2 * GUARD, panel + PANEL * GUARD);
}

void weft__rotations_flush(weft__rotations *r)
{
    /* A group that is not full is filled up with rotations by 0. */
    for (; r->sweeps % GROUP != 0; r->sweeps++) {
        weft__rotations_next(r);
        r->low[r->sweeps] = r->low[r->sweeps - 1];
        r->high[r->sweeps] = r->high[r->sweeps - 1];
    }
    double work = 0;
    for (int k = 0; k < r->sweeps; k++)
        work += 4 * PANEL * (double)(r->high[k] - r->low[k]);
    for (int64_t p = 0; p < r->count && weft__progress_add(r->progress, work); p++)
        for (int first = 0; first < r->sweeps; first += GROUP)
            turn_group(r, first, r->panels + p * r->distance);
    r->sweeps = 0;
}

void weft__rotations_take(weft__rotations *r, const weft__ql_sweep *sweep)
{
    r->low[r->sweeps] = sweep->low;
    r->high[r->sweeps] = sweep->high;
    if (++r->sweeps == WEFT__SWEEPS)
        weft__rotations_flush(r);
}
