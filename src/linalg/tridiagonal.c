/* SPDX-License-Identifier: MIT
 *
 * Method: implicit QL with Wilkinson's shift, carrying the first row of the
 * eigenvector matrix only, or all of it, or writing the rotations down.
 * Algorithm: as EISPACK's imtql2 and Golub and Welsch's quadrature; LAPACK's
 * dstev would compute all components and take its summation order from the
 * library that happens to be installed.
 * Cost: O(k^2), about 0.3 microseconds at k = 5; O(k^3) with all rows.
 * References: Golub and Welsch, Math. Comp. 23 (1969); Dubrulle, Martin and
 * Wilkinson, Numer. Math. 12 (1968). */
#include "linalg/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { MOST_SWEEPS = 80 };

/* Off-diagonals below this change no exponential of the matrix by anything that
 * double precision can show, and their squares must not underflow. */
static const double NEGLIGIBLE = 1e-60;

/* The first m >= l after which the matrix splits. */
static int find_split(int l, int k, double negligible, const double *d, const double *e)
{
    int m = l;
    while (m < k - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])) + negligible)
        m++;
    return m;
}

/* Where rotations go: into the `rows` first rows of the eigenvector matrix, or into a record. */
typedef struct target {
    int rows;
    double *vectors, *record;
} target;

/* Rotates columns i and i + 1 of the eigenvector matrix, or writes that down. */
static inline void rotate(const target to, int i, double c, double s)
{
    if (to.record != NULL) {
        to.record[2 * (size_t)i] = c;
        to.record[2 * (size_t)i + 1] = s;
    }
    for (int j = 0; j < to.rows; j++) {
        double *x = &to.vectors[(size_t)i * (size_t)to.rows + (size_t)j], z = x[to.rows];
        x[to.rows] = s * *x + c * z;
        *x = c * *x - s * z;
    }
}

/* One implicit QL sweep over the block l..m. */
static inline void sweep(int l, int m, double *d, double *e, const target to)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    g = d[m] - d[l] + e[l] / (g + copysign(sqrt(g * g + 1), g));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; i--) {
        double f = s * e[i], b = c * e[i];
        double r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(to, i, c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* The end of the block that the next sweep goes over, ql->at being its beginning; 0 where all
 * eigenvalues are found. */
static inline int next_block(weft__ql *ql)
{
    for (; ql->at < ql->k; ql->at++, ql->sweeps = 0) {
        int m = find_split(ql->at, ql->k, ql->negligible, ql->d, ql->e);
        if (m != ql->at)
            return m;
    }
    return 0;
}

weft__ql_state weft__ql_step(weft__ql *ql, weft__ql_sweep *made)
{
    int m = next_block(ql);
    if (m == 0)
        return WEFT__QL_DONE;
    if (++ql->sweeps > MOST_SWEEPS)
        return WEFT__QL_FAILED;
    made->low = ql->at;
    made->high = m;
    sweep(ql->at, m, ql->d, ql->e, (target){.record = made->rotation});
    return WEFT__QL_SWEPT;
}

static inline bool solve(int k, double *d, double *e, int rows, double *vectors)
{
    weft__ql ql = {k, d, e, NEGLIGIBLE, 0, 0};
    for (int i = 0; i < k; i++)
        for (int j = 0; j < rows; j++)
            vectors[(size_t)i * (size_t)rows + (size_t)j] = i == j;
    e[k - 1] = 0;
    for (int m; (m = next_block(&ql)) != 0;) {
        if (++ql.sweeps > MOST_SWEEPS)
            return false;
        sweep(ql.at, m, d, e, (target){rows, vectors, NULL});
    }
    return true;
}

bool weft__tridiagonal_solve(int k, double *d, double *e, double *first)
{
    return solve(k, d, e, 1, first);
}

bool weft__tridiagonal_decompose(int k, double *d, double *e, double *vectors)
{
    return solve(k, d, e, k, vectors);
}
