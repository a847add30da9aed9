/* SPDX-License-Identifier: MIT
 *
 * Method     A = [A1 .; B A2] = LL' by recursion: L1 from A1, then B = B L1'^-1, A2 = A2 - BB', L2 from
 *            A2.  The inverse in place: W = L^-1, that is W1, W2 and -L2^-1 B W1, and then W'W,
 *            that is W1'W1 + B'B, W2'B and W2'W2.  Every sum runs over ascending k, so each
 *            element is that of the plain loops to the bit, and the factor of a leading part
 *            of A is the leading part of L.
 *
 *            The norm of the inverse: |A^-1 x|_1 is convex in x, so from a vertex e_j of the unit ball
 *            one goes to the vertex that the gradient at it promises most for, some five times;
 *            a vector of alternating signs guards against matrices that deceive it.
 * Cost       n^3 / 3 operations for the factor, 2 n^3 / 3 for the inverse, 2 n^2 a column to
 *            solve for, about ten of these for the norm.  No memory but the workspace.
 * Reference  N. J. Higham, Accuracy and Stability of Numerical Algorithms, SIAM, 2002: theorem
 *            10.3 (the error, whatever the order), sections 14.2 and 15.3. */
#include "linalg/cholesky.h"

#include "linalg/multiply.h"

#include <math.h>

int64_t weft__cholesky_work(int64_t n, int64_t columns)
{
    int64_t widest = n > columns ? n : columns;
    return weft__multiply_work(widest, widest, n);
}

/* ---- The factor ---- */

/* sum_{k < count} x_k y_k taken from `from`, k ascending */
static double subtract(double from, const double *x, const double *y, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        from -= x[k] * y[k];
    return from;
}

static int64_t factor_small(weft__triangle a, double floor)
{
    for (int64_t i = 0; i < a.n; i++) {
        double *row = a.at + i * a.stride;
        for (int64_t j = 0; j < i; j++)
            row[j] = subtract(row[j], row, a.at + j * a.stride, j) / a.at[j * a.stride + j];
        double pivot = subtract(row[i], row, row, i);
        if (!(pivot > floor))
            return i;
        row[i] = sqrt(pivot);
    }
    return -1;
}

/* The lower triangle of C += scale BB' (transposed: C += scale B'B), B rows x columns in rows. */
static void add_square(double scale, weft__operand b, int64_t depth, weft__triangle c, double *work)
{
    weft__product square = {.rows = c.n,
                            .columns = c.n,
                            .depth = depth,
                            .a = b,
                            .b = {b.at, b.across, b.down},
                            .scale = scale,
                            .lower = true,
                            .progress = c.progress};
    weft__multiply(&square, c.at, c.stride, work);
}

int64_t weft__cholesky_factor(weft__triangle a, double floor, double *work)
{
    int64_t cut = weft__triangle_cut(a.n);
    if (weft__progress_stopped(a.progress))
        return -1;
    if (cut == 0)
        return factor_small(a, floor);
    weft__triangle upper = weft__triangle_upper(a, cut), lower = weft__triangle_lower(a, cut);
    double *b = weft__triangle_corner(a, cut);
    int64_t bad = weft__cholesky_factor(upper, floor, work);
    if (bad >= 0)
        return bad;
    /* B' = L1^-1 B', A2 -= BB' */
    weft__triangle_solve(upper, (weft__panel){b, cut, lower.n, 1, a.stride}, work);
    add_square(-1, (weft__operand){b, a.stride, 1}, cut, lower, work);
    bad = weft__cholesky_factor(lower, floor, work);
    return bad < 0 ? bad : cut + bad;
}

/* ---- The inverse ---- */

/* w_ij = -sum_{j <= k < i} l_ik w_kj / l_ii, w_ii = 1 / l_ii */
static void invert_small(weft__triangle l)
{
    for (int64_t i = 0; i < l.n; i++) {
        double *row = l.at + i * l.stride;
        for (int64_t j = 0; j < i; j++) {
            double sum = 0;
            for (int64_t k = j; k < i; k++)
                sum -= row[k] * l.at[k * l.stride + j];
            row[j] = sum / row[i];
        }
        row[i] = 1 / row[i];
    }
}

/* L becomes W = L^-1. */
static void invert_triangle(weft__triangle l, double *work)
{
    int64_t cut = weft__triangle_cut(l.n);
    if (weft__progress_stopped(l.progress))
        return;
    if (cut == 0) {
        invert_small(l);
        return;
    }
    weft__triangle upper = weft__triangle_upper(l, cut), lower = weft__triangle_lower(l, cut);
    double *b = weft__triangle_corner(l, cut);
    invert_triangle(upper, work);
    for (int64_t i = 0; i < lower.n; i++)
        for (int64_t j = 0; j < cut; j++)
            b[i * l.stride + j] = -b[i * l.stride + j];
    /* B' = W1'B', B = L2^-1 B */
    weft__triangle_multiply_transposed(upper, (weft__panel){b, cut, lower.n, 1, l.stride}, work);
    weft__triangle_solve(lower, (weft__panel){b, lower.n, cut, l.stride, 1}, work);
    invert_triangle(lower, work);
}

/* m_ij = sum_{k >= i} w_ki w_kj */
static void square_small(weft__triangle w)
{
    for (int64_t i = 0; i < w.n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = i; k < w.n; k++)
                sum += w.at[k * w.stride + i] * w.at[k * w.stride + j];
            w.at[i * w.stride + j] = sum;
        }
}

/* W becomes the lower triangle of W'W. */
static void square_triangle(weft__triangle w, double *work)
{
    int64_t cut = weft__triangle_cut(w.n);
    if (weft__progress_stopped(w.progress))
        return;
    if (cut == 0) {
        square_small(w);
        return;
    }
    weft__triangle upper = weft__triangle_upper(w, cut), lower = weft__triangle_lower(w, cut);
    double *b = weft__triangle_corner(w, cut);
    square_triangle(upper, work);
    add_square(1, (weft__operand){b, 1, w.stride}, lower.n, upper, work);
    weft__triangle_multiply_transposed(lower, (weft__panel){b, lower.n, cut, w.stride, 1}, work);
    square_triangle(lower, work);
}

void weft__cholesky_invert(weft__triangle l, double *work)
{
    invert_triangle(l, work);
    square_triangle(l, work);
}

/* ---- Solutions, and the norm of the inverse ---- */

void weft__cholesky_solve(weft__triangle l, weft__panel x, double *work)
{
    weft__triangle_solve(l, x, work);
    weft__triangle_solve_transposed(l, x, work);
}

static void solve_one(weft__triangle l, double *x, double *work)
{
    weft__cholesky_solve(l, (weft__panel){x, l.n, 1, 1, l.n}, work);
}

static double sum_of_magnitudes(int64_t n, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs(x[i]);
    return sum;
}

static int64_t find_largest(int64_t n, const double *x)
{
    int64_t largest = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[largest]))
            largest = i;
    return largest;
}

/* The norm that x = (1, -(1 + 1/(n-1)), 1 + 2/(n-1), ...) shows: 2 |A^-1 x| / 3n. */
static double try_alternating(weft__triangle l, double *x, double *work)
{
    for (int64_t i = 0; i < l.n; i++)
        x[i] = (i % 2 == 0 ? 1 : -1) * (1 + (double)i / (double)(l.n > 1 ? l.n - 1 : 1));
    solve_one(l, x, work);
    return 2 * sum_of_magnitudes(l.n, x) / (3 * (double)l.n);
}

double weft__cholesky_inverse_norm(weft__triangle l, double *vectors, double *work)
{
    enum { STEPS = 5 };
    double *y = vectors, *z = vectors + l.n, norm = 0;
    int64_t vertex = -1; /* the first x is the mean of all */
    for (int step = 0; step < STEPS && l.n > 0; step++) {
        for (int64_t i = 0; i < l.n; i++)
            y[i] = vertex < 0 ? 1 / (double)l.n : i == vertex ? 1 : 0;
        solve_one(l, y, work);
        double found = sum_of_magnitudes(l.n, y);
        if (!(found > norm))
            break;
        norm = found;
        /* The gradient of |A^-1 x|_1 is A^-1 sign(A^-1 x). */
        for (int64_t i = 0; i < l.n; i++)
            z[i] = y[i] < 0 ? -1 : 1;
        solve_one(l, z, work);
        int64_t next = find_largest(l.n, z);
        if (next == vertex)
            break;
        vertex = next;
    }
    return l.n > 0 ? fmax(norm, try_alternating(l, y, work)) : 0;
}
