/* SPDX-License-Identifier: MIT
 *
 * Method: implicit QL with Wilkinson's shift, carrying the first row of the
 * eigenvector matrix only, or all of it.
 * Algorithm: as EISPACK's imtql2 and Golub and Welsch's quadrature; LAPACK's
 * dstev would compute all components and take its summation order from the
 * library that happens to be installed.
 * Cost: O(k^2), about 0.3 microseconds at k = 5; O(k^3) with all rows.
 * References: Golub and Welsch, Math. Comp. 23 (1969); Dubrulle, Martin and
 * Wilkinson, Numer. Math. 12 (1968). */
#include "spectral/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { MOST_SWEEPS = 80 };

/* Off-diagonals below this change no exponential of the matrix by anything that
 * double precision can show, and their squares must not underflow. */
static const double NEGLIGIBLE = 1e-60;

/* The first m >= l after which the matrix splits. */
static int find_split(int l, int k, const double *d, const double *e)
{
    int m = l;
    while (m < k - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])) + NEGLIGIBLE)
        m++;
    return m;
}

/* Rotates columns i and i + 1 of the eigenvector matrix, of `rows` elements each. */
static inline void rotate(int rows, double c, double s, double *column)
{
    double *next = column + rows;
    for (int j = 0; j < rows; j++) {
        double z = next[j];
        next[j] = s * column[j] + c * z;
        column[j] = c * column[j] - s * z;
    }
}

/* One implicit QL sweep over the block l..m. */
static inline void sweep(int l, int m, double *d, double *e, int rows, double *vectors)
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
        rotate(rows, c, s, vectors + (size_t)i * (size_t)rows);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static inline bool solve(int k, double *d, double *e, int rows, double *vectors)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < rows; j++)
            vectors[(size_t)i * (size_t)rows + (size_t)j] = i == j;
    e[k - 1] = 0;
    for (int l = 0; l < k; l++) {
        int sweeps = 0, m;
        while ((m = find_split(l, k, d, e)) != l) {
            if (++sweeps > MOST_SWEEPS)
                return false;
            sweep(l, m, d, e, rows, vectors);
        }
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
