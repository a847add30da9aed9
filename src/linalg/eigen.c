/* SPDX-License-Identifier: MIT
 *
 * Method     A = 2^e Q T Q' with a tridiagonal T (householder.c), T = Y diag(lambda) Y' by
 *            implicit QL (tridiagonal.c), whose rotations turn Q into QY (rotation.c).  The scale is a
 *            power of two, so that it rounds nothing and no square over- or underflows.
 *            QL is fond of matrices whose small entries come first; T is turned round
 *            where its last entry is the smaller one.
 * Algorithm  Q is kept by rows, in panels of eight of them side by side; a rotation acts on
 *            two numbers of each row.  Off-diagonals of T up to u 2^e are taken for 0, which kernels of a low
 *            rank have many of.
 * Cost       4/3 n^3 operations for T, 2 n^3 for Q, and about 5 n^3 for the rotations, 1.7 sweeps an
 *            eigenvalue; without vectors the first and O(n^2).
 * Reference  B. N. Parlett, The Symmetric Eigenvalue Problem (1998), 7 and 8. */
#include "linalg/eigen.h"

#include "base/vector.h"
#include "linalg/householder.h"
#include "linalg/rotation.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { PANEL = 8 };

/* ---- Room ---- */

static int64_t panel_numbers(int64_t n)
{
    return PANEL * (n + 2 * WEFT__GUARD);
}

int64_t weft__eigen_room(int64_t n, bool with_vectors)
{
    int64_t stride = weft__padded(n), lines = (3 + WEFT__REFLECTORS) * stride;
    int64_t record = WEFT__SWEEPS * 2 * (n + 2 * WEFT__GUARD);
    return lines + (with_vectors ? record + stride / PANEL * panel_numbers(n) : 0);
}

/* ---- Scale ---- */

/* The largest |a_ij|, i <= j; infinite where an entry is not finite. */
static double find_largest(int64_t n, const double *a, int64_t stride)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            double magnitude = fabs(a[i * stride + j]);
            if (!(magnitude <= DBL_MAX))
                return INFINITY;
            largest = magnitude > largest ? magnitude : largest;
        }
    return largest;
}

/* a_ij = 2^-exponent a_ij, i <= j.  The power itself may be no double where all entries are subnormal. */
static void scale_upper(int64_t n, int exponent, double *a, int64_t stride)
{
    for (int64_t i = 0; i < n && exponent != 0; i++)
        for (int64_t j = i; j < n; j++)
            a[i * stride + j] = ldexp(a[i * stride + j], -exponent);
}

/* ---- T ---- */

static void reverse(int64_t count, double *x)
{
    for (int64_t i = 0; i < count / 2; i++) {
        double y = x[i];
        x[i] = x[count - 1 - i];
        x[count - 1 - i] = y;
    }
}

/* Turns T round where that is better, and the columns of Q with it. */
static void turn_round(const weft__reduction *t, weft__rotations *q)
{
    int64_t n = t->n;
    if (!(fabs(t->diagonal[n - 1]) < fabs(t->diagonal[0])))
        return;
    reverse(n, t->diagonal);
    reverse(n - 1, t->off);
    for (int64_t p = 0; q != NULL && p < q->count; p++) {
        double *panel = q->panels + p * q->distance + PANEL * WEFT__GUARD, row[PANEL];
        for (int64_t i = 0; i < n / 2; i++) {
            double *a = panel + PANEL * i, *b = panel + PANEL * (n - 1 - i);
            memcpy(row, a, sizeof row);
            memcpy(a, b, sizeof row);
            memcpy(b, row, sizeof row);
        }
    }
}

/* T's diagonal becomes its eigenvalues, in no order, and Q its product with the eigenvectors of T. */
static bool iterate(const weft__reduction *t, weft__rotations *q)
{
    weft__ql ql = {(int)t->n, t->diagonal, t->off, DBL_EPSILON / 2, 0, 0};
    weft__ql_sweep sweep = {0};
    weft__ql_state state = WEFT__QL_SWEPT;
    while (state == WEFT__QL_SWEPT && !weft__progress_stopped(t->progress)) {
        if (q != NULL)
            sweep.rotation = weft__rotations_next(q);
        state = weft__ql_step(&ql, &sweep);
        if (q != NULL && state == WEFT__QL_SWEPT)
            weft__rotations_take(q, &sweep);
    }
    if (q != NULL)
        weft__rotations_flush(q);
    return state == WEFT__QL_DONE || weft__progress_stopped(t->progress);
}

/* ---- In order ---- */

/* How many eigenvalues come before number i: equal ones keep their order. */
static int64_t rank_of(int64_t n, const double *value, int64_t i)
{
    int64_t rank = 0;
    for (int64_t j = 0; j < i; j++)
        rank += value[j] <= value[i];
    for (int64_t j = i + 1; j < n; j++)
        rank += value[j] < value[i];
    return rank;
}

/* Column i of QY to row `rank` of the matrix. */
static void store_vector(const weft__rotations *q, int64_t i, double *row)
{
    for (int64_t p = 0; p < q->count; p++)
        memcpy(row + p * PANEL, q->panels + p * q->distance + PANEL * (i + WEFT__GUARD), PANEL * sizeof *row);
}

static void store(const weft__reduction *t, const weft__rotations *q, int exponent, double *values)
{
    for (int64_t i = 0; i < t->n; i++) {
        int64_t rank = rank_of(t->n, t->diagonal, i);
        values[rank] = ldexp(t->diagonal[i], exponent);
        if (q != NULL)
            store_vector(q, i, t->matrix + rank * t->stride);
    }
}

/* ---- All of it ---- */

/* The parts of `room`. */
static void lay_out(weft__reduction *t, weft__rotations *q, double *room)
{
    int64_t n = t->n, stride = t->stride;
    t->diagonal = room;
    t->off = t->diagonal + stride;
    t->tau = t->off + stride;
    t->work = t->tau + stride;
    memset(t->tau, 0, (size_t)stride * sizeof *t->tau);
    if (q == NULL)
        return;
    *q = (weft__rotations){
        .n = n, .count = stride / PANEL, .distance = panel_numbers(n), .progress = t->progress};
    q->panels = t->work + WEFT__REFLECTORS * stride;
    q->record = q->panels + q->count * q->distance;
    memset(q->panels, 0, (size_t)(q->count * q->distance) * sizeof *q->panels);
}

bool weft__eigen_solve(int64_t n, double *a, double *values, bool with_vectors, double *room,
                       weft__progress *progress)
{
    weft__reduction t = {.n = n, .stride = weft__padded(n), .matrix = a, .progress = progress};
    weft__rotations rotations, *q = with_vectors ? &rotations : NULL;
    double largest = find_largest(n, a, t.stride);
    if (n == 0)
        return true;
    if (n > INT_MAX || isinf(largest))
        return false;
    int exponent = largest > 0 ? ilogb(largest) : 0;
    lay_out(&t, q, room);
    scale_upper(n, exponent, a, t.stride);
    weft__reduce(&t);
    if (q != NULL && !weft__progress_stopped(progress))
        weft__reduce_form(&t, q->distance, q->panels + PANEL * WEFT__GUARD);
    if (weft__progress_stopped(progress))
        return true;
    turn_round(&t, q);
    if (!iterate(&t, q))
        return false;
    store(&t, q, exponent, values);
    return true;
}

/* Multiplications, by measurement: 2/3 n^3 for T, n^3 for Q, about 3.4 n^3 for the rotations. */
static double work_of(double n, bool with_vectors)
{
    return (with_vectors ? 5 : 2.0 / 3) * n * n * n;
}

weft_status weft__eigen_symmetric(const weft_memory *memory, weft__symmetric a, double *values,
                                  bool with_vectors, weft_error *error)
{
    double *copy = NULL, *room = NULL;
    int64_t n = a.n, padded = weft__padded(n), size = 0;
    weft_status status = WEFT_OK;
    if (isinf(find_largest(n, a.at, a.stride)))
        return weft__fail(error, WEFT_INPUT,
                          "a matrix with entries that are no finite numbers has no eigenvalues");
    TRY(weft__checked_product(padded, 4 * padded, &size, error));
    TRY(weft__new(memory, padded * padded, sizeof *copy, &copy, error));
    TRY(weft__new(memory, weft__eigen_room(n, with_vectors), sizeof *room, &room, error));
    for (int64_t i = 0; i < n; i++)
        memcpy(copy + i * padded + i, a.at + i * a.stride + i, (size_t)(n - i) * sizeof *copy);
    weft__progress_begin(a.progress, with_vectors ? "eigenvectors of a matrix" : "eigenvalues of a matrix",
                         work_of((double)n, with_vectors));
    bool found = weft__eigen_solve(n, copy, values, with_vectors, room, a.progress);
    TRY(weft__progress_check(a.progress, error));
    if (!found)
        TRY(weft__fail(error, WEFT_INTERNAL, "the eigenvalues of a matrix of %lld rows are not found",
                       (long long)n));
    for (int64_t i = 0; i < n && with_vectors; i++)
        memcpy(a.at + i * a.stride, copy + i * padded, (size_t)n * sizeof *copy);
done:
    weft__delete(memory, room);
    weft__delete(memory, copy);
    return status;
}
