/* SPDX-License-Identifier: MIT
 *
 * Method     With L = [L1 0; B L2] and X = [X1; X2] in two halves, by recursion:
 *
 *                L^-1 X:   X1 = L1^-1 X1,   X2 = X2 - B X1,    X2 = L2^-1 X2
 *                L'^-1 X:  X2 = L2'^-1 X2,  X1 = X1 - B'X2,    X1 = L1'^-1 X1
 *                L'X:      X1 = L1'X1,      X1 = X1 + B'X2,    X2 = L2'X2
 *
 *            Nearly all work is in the products, which add in ascending order
 *            (multiply.h); so L^-1 X and L'X are those of the plain loops to the bit, and
 *            L'^-1 X depends on the size of L beside.
 * Algorithm  Where L has at most SMALL rows, LANES columns of X at a time are copied to a
 *            tile, and each column is one lane of the vectors.
 * Cost       rows^2 columns operations.
 * Reference  E. Elmroth, F. Gustavson, I. Jonsson, B. Kagstrom, Recursive blocked
 *            algorithms and hybrid data structures for dense matrix library software, SIAM
 *            Review 46(1), 2004. */
#include "linalg/triangle.h"

#include "base/clones.h"
#include "linalg/multiply.h"

#include <string.h>

enum { SMALL = 32, LANES = 16 };

typedef double tile[SMALL][LANES];

/* ---- Cutting ---- */

int64_t weft__triangle_cut(int64_t n)
{
    return n <= SMALL ? 0 : (n / 2 + SMALL - 1) / SMALL * SMALL;
}

weft__triangle weft__triangle_upper(weft__triangle l, int64_t cut)
{
    return (weft__triangle){cut, l.at, l.stride, l.progress};
}

weft__triangle weft__triangle_lower(weft__triangle l, int64_t cut)
{
    return (weft__triangle){l.n - cut, l.at + cut * l.stride + cut, l.stride, l.progress};
}

double *weft__triangle_corner(weft__triangle l, int64_t cut)
{
    return l.at + cut * l.stride;
}

static weft__panel rows_of(weft__panel x, int64_t first, int64_t rows)
{
    return (weft__panel){x.at + first * x.down, rows, x.columns, x.down, x.across};
}

/* A part of a triangle that is multiplied by: the square below the diagonal, or its transpose. */
typedef struct corner {
    weft__operand left;
    weft__progress *progress;
} corner;

static corner corner_of(weft__triangle l, int64_t cut, bool transposed)
{
    const double *at = weft__triangle_corner(l, cut);
    return (corner){{at, transposed ? 1 : l.stride, transposed ? l.stride : 1}, l.progress};
}

/* to += scale left from, whichever way `to` is held. */
static void accumulate(double scale, corner of, weft__panel from, weft__panel to, double *work)
{
    weft__operand left = of.left;
    weft__product product = {
        .rows = to.rows, .columns = to.columns, .depth = from.rows, .scale = scale, .progress = of.progress};
    product.a = left;
    product.b = (weft__operand){from.at, from.down, from.across};
    if (to.across != 1) {
        /* to' += scale from' left' */
        product.rows = to.columns;
        product.columns = to.rows;
        product.a = (weft__operand){from.at, from.across, from.down};
        product.b = (weft__operand){left.at, left.across, left.down};
    }
    weft__multiply(&product, to.at, to.across != 1 ? to.across : to.down, work);
}

/* ---- Tiles ---- */

/* t_i = (t_i - sum_{k < i} l_ik t_k) / l_ii, i ascending */
CLONED static void solve_tile(weft__triangle l, tile t)
{
    for (int64_t i = 0; i < l.n; i++) {
        const double *row = l.at + i * l.stride;
        double s[LANES];
        memcpy(s, t[i], sizeof s);
        for (int64_t k = 0; k < i; k++)
            for (int c = 0; c < LANES; c++)
                s[c] -= row[k] * t[k][c];
        for (int c = 0; c < LANES; c++)
            t[i][c] = s[c] / row[i];
    }
}

/* t_i = (t_i - sum_{k > i} l_ki t_k) / l_ii, i descending */
CLONED static void solve_tile_transposed(weft__triangle l, tile t)
{
    for (int64_t i = l.n - 1; i >= 0; i--) {
        const double *column = l.at + i;
        double s[LANES];
        memcpy(s, t[i], sizeof s);
        for (int64_t k = i + 1; k < l.n; k++)
            for (int c = 0; c < LANES; c++)
                s[c] -= column[k * l.stride] * t[k][c];
        for (int c = 0; c < LANES; c++)
            t[i][c] = s[c] / column[i * l.stride];
    }
}

/* t_i = sum_{k >= i} l_ki t_k, i ascending */
CLONED static void multiply_tile_transposed(weft__triangle l, tile t)
{
    for (int64_t i = 0; i < l.n; i++) {
        const double *column = l.at + i;
        double s[LANES] = {0};
        for (int64_t k = i; k < l.n; k++)
            for (int c = 0; c < LANES; c++)
                s[c] += column[k * l.stride] * t[k][c];
        memcpy(t[i], s, sizeof s);
    }
}

static void load(weft__panel x, int64_t first, int64_t columns, tile t)
{
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t c = 0; c < columns; c++)
            t[i][c] = x.at[i * x.down + (first + c) * x.across];
}

static void store(weft__panel x, int64_t first, int64_t columns, tile t)
{
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t c = 0; c < columns; c++)
            x.at[i * x.down + (first + c) * x.across] = t[i][c];
}

/* Each tile of X; lanes past its columns are zero. */
static void apply(void (*change)(weft__triangle l, tile t), weft__triangle l, weft__panel x)
{
    for (int64_t first = 0; first < x.columns; first += LANES) {
        _Alignas(64) tile t = {{0}};
        int64_t columns = x.columns - first < LANES ? x.columns - first : LANES;
        load(x, first, columns, t);
        change(l, t);
        store(x, first, columns, t);
    }
}

/* ---- Triangles of any size ---- */

void weft__triangle_solve(weft__triangle l, weft__panel x, double *work)
{
    int64_t cut = weft__triangle_cut(l.n);
    weft__panel x1 = rows_of(x, 0, cut), x2 = rows_of(x, cut, l.n - cut);
    if (weft__progress_stopped(l.progress))
        return;
    if (cut == 0) {
        apply(solve_tile, l, x);
        return;
    }
    weft__triangle_solve(weft__triangle_upper(l, cut), x1, work);
    accumulate(-1, corner_of(l, cut, false), x1, x2, work);
    weft__triangle_solve(weft__triangle_lower(l, cut), x2, work);
}

void weft__triangle_solve_transposed(weft__triangle l, weft__panel x, double *work)
{
    int64_t cut = weft__triangle_cut(l.n);
    weft__panel x1 = rows_of(x, 0, cut), x2 = rows_of(x, cut, l.n - cut);
    if (weft__progress_stopped(l.progress))
        return;
    if (cut == 0) {
        apply(solve_tile_transposed, l, x);
        return;
    }
    weft__triangle_solve_transposed(weft__triangle_lower(l, cut), x2, work);
    accumulate(-1, corner_of(l, cut, true), x2, x1, work);
    weft__triangle_solve_transposed(weft__triangle_upper(l, cut), x1, work);
}

void weft__triangle_multiply_transposed(weft__triangle l, weft__panel x, double *work)
{
    int64_t cut = weft__triangle_cut(l.n);
    weft__panel x1 = rows_of(x, 0, cut), x2 = rows_of(x, cut, l.n - cut);
    if (weft__progress_stopped(l.progress))
        return;
    if (cut == 0) {
        apply(multiply_tile_transposed, l, x);
        return;
    }
    weft__triangle_multiply_transposed(weft__triangle_upper(l, cut), x1, work);
    accumulate(1, corner_of(l, cut, true), x2, x1, work);
    weft__triangle_multiply_transposed(weft__triangle_lower(l, cut), x2, work);
}
