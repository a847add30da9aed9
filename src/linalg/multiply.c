/* SPDX-License-Identifier: MIT
 *
 * Method     Each element of C is one chain of additions over ascending k, beginning with
 *            what C holds.  Vectors run over the columns of C and never over k, so no
 *            width of vectors, no block size and no thread can change the order, and
 *            -ffp-contract=off keeps the compiler from fusing.  The price is
 *            that the fused operation of the processor is not used.
 * Algorithm  Blocks of B (DEEP x WIDE) and of A (TALL x DEEP) are copied into panels that
 *            are read from end to end: of B COLUMNS elements of a row at a time, of A
 *            ROWS elements of a column.  A tile of ROWS x COLUMNS of C stays in
 *            registers while it goes over the depth of a block.  At the edges panels are
 *            filled up with zeros, and what is no part of C is not stored.
 * Cost       rows columns depth multiplications and as many additions (half of it where
 *            only the lower triangle is wanted); work for one block of A and one of B.
 * Reference  K. Goto, R. van de Geijn, Anatomy of high-performance matrix
 *            multiplication, ACM TOMS 34(3), 2008. */
#include "linalg/multiply.h"

#include "base/clones.h"

#include <string.h>

/* 4 x 8: eight accumulators of four numbers with AVX2, four of eight with AVX-512, which
 * is as many as hide the latency of an addition.  A panel of B (16 KB) lies in the first
 * cache, a block of A (256 KB) in the second, one of B (2 MB) in the third. */
enum { ROWS = 4, COLUMNS = 8, DEEP = 256, TALL = 128, WIDE = 1024 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t round_up(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

int64_t weft__multiply_work(int64_t rows, int64_t columns, int64_t depth)
{
    int64_t deep = least(depth, DEEP);
    return deep * (least(round_up(rows, ROWS), TALL) + least(round_up(columns, COLUMNS), WIDE));
}

/* panel[k * width + l] = scale x(l, k), and 0 for l >= count, k < depth. */
INLINED void copy_panel(weft__operand x, double scale, int64_t count, int64_t depth, int64_t width,
                        double *restrict panel)
{
    if (count < width)
        memset(panel, 0, (size_t)(width * depth) * sizeof *panel);
    for (int64_t k = 0; k < depth; k++)
        for (int64_t l = 0; l < count; l++)
            panel[k * width + l] = scale * x.at[l * x.down + k * x.across];
}

/* The panels of count x depth numbers of x, one after the other. */
INLINED void copy_block(weft__operand x, double scale, int64_t count, int64_t depth, int64_t width,
                        double *restrict block)
{
    for (int64_t l = 0; l < count; l += width) {
        weft__operand from = {x.at + l * x.down, x.down, x.across};
        if (count - l >= width)
            copy_panel(from, scale, width, depth, width, block + l * depth);
        else
            copy_panel(from, scale, count - l, depth, width, block + l * depth);
    }
}

/* tile_rj += sum_k a[k][r] b[k][j], k ascending */
CLONED static void add_tile(int64_t depth, const double *restrict a, const double *restrict b,
                            double *restrict tile)
{
    double c0[COLUMNS], c1[COLUMNS], c2[COLUMNS], c3[COLUMNS];
    memcpy(c0, tile, sizeof c0);
    memcpy(c1, tile + COLUMNS, sizeof c1);
    memcpy(c2, tile + 2 * COLUMNS, sizeof c2);
    memcpy(c3, tile + 3 * COLUMNS, sizeof c3);
    for (int64_t k = 0; k < depth; k++) {
        double a0 = a[k * ROWS], a1 = a[k * ROWS + 1], a2 = a[k * ROWS + 2], a3 = a[k * ROWS + 3];
        for (int l = 0; l < COLUMNS; l++) {
            double from = b[k * COLUMNS + l];
            c0[l] += a0 * from;
            c1[l] += a1 * from;
            c2[l] += a2 * from;
            c3[l] += a3 * from;
        }
    }
    memcpy(tile, c0, sizeof c0);
    memcpy(tile + COLUMNS, c1, sizeof c1);
    memcpy(tile + 2 * COLUMNS, c2, sizeof c2);
    memcpy(tile + 3 * COLUMNS, c3, sizeof c3);
}

/* One block of A times one of B. */
typedef struct pass {
    const weft__product *product;
    double *c;
    int64_t stride;
    int64_t depth;
    const double *a, *b; /* their panels */
} pass;

/* How many elements of row i of C, from column j on, belong to a tile. */
static int64_t width_of(const weft__product *product, int64_t i, int64_t j)
{
    int64_t width = least(product->columns - j, COLUMNS);
    return product->lower ? least(i - j + 1, width) : width;
}

/* The tile below is on its way while this one is worked on: rows of C lie far apart. */
static void fetch_tile(const pass *p, int64_t i, int64_t j)
{
    for (int64_t r = i; r < i + ROWS && r < p->product->rows; r++)
        __builtin_prefetch(p->c + r * p->stride + j, 1);
}

/* Mostly all of a row, for which the number is better known when this is compiled. */
INLINED void copy_row(const double *from, int64_t width, double *to)
{
    if (width == COLUMNS)
        memcpy(to, from, COLUMNS * sizeof *to);
    else
        for (int64_t l = 0; l < width; l++)
            to[l] = from[l];
}

/* The tile of C at (i, j), by a panel of A and one of B. */
static void update_tile(const pass *p, int64_t i, int64_t j, const double *a, const double *b)
{
    _Alignas(64) double tile[ROWS * COLUMNS] = {0};
    int64_t rows = least(p->product->rows - i, ROWS);
    double *c = p->c + i * p->stride + j;
    for (int64_t r = 0; r < rows; r++)
        copy_row(c + r * p->stride, width_of(p->product, i + r, j), tile + r * COLUMNS);
    fetch_tile(p, i + ROWS, j);
    add_tile(p->depth, a, b, tile);
    for (int64_t r = 0; r < rows; r++)
        copy_row(tile + r * COLUMNS, width_of(p->product, i + r, j), c + r * p->stride);
}

/* The tiles of the block of C at (top, left), rows x columns; those above the diagonal are left
 * out where only the lower triangle is wanted. */
static void update_block(const pass *p, int64_t top, int64_t left, int64_t rows, int64_t columns)
{
    for (int64_t j = 0; j < columns; j += COLUMNS)
        for (int64_t i = 0; i < rows; i += ROWS)
            if (!p->product->lower || left + j <= top + i + ROWS - 1)
                update_tile(p, top + i, left + j, p->a + i * p->depth, p->b + j * p->depth);
}

static weft__operand shifted(weft__operand x, int64_t i, int64_t j)
{
    return (weft__operand){x.at + i * x.down + j * x.across, x.down, x.across};
}

static weft__operand transposed(weft__operand x)
{
    return (weft__operand){x.at, x.across, x.down};
}

/* All rows of C by the block of B at (front, left), whose panels are p->b. */
static void update_rows(pass *p, int64_t front, int64_t left, int64_t columns, double *panels)
{
    const weft__product *product = p->product;
    p->a = panels;
    for (int64_t top = product->lower ? left / TALL * TALL : 0; top < product->rows; top += TALL) {
        int64_t rows = least(product->rows - top, TALL);
        copy_block(shifted(product->a, top, front), product->scale, rows, p->depth, ROWS, panels);
        update_block(p, top, left, rows, columns);
        if (!weft__progress_add(product->progress, (double)(rows * columns * p->depth)))
            return;
    }
}

void weft__multiply(const weft__product *product, double *c, int64_t stride, double *work)
{
    pass p = {.product = product, .c = c, .stride = stride};
    for (int64_t left = 0; left < product->columns; left += WIDE) {
        int64_t columns = least(product->columns - left, WIDE);
        for (int64_t front = 0; front < product->depth; front += DEEP) {
            if (weft__progress_stopped(product->progress))
                return;
            p.depth = least(product->depth - front, DEEP);
            p.b = work;
            copy_block(transposed(shifted(product->b, front, left)), 1, columns, p.depth, COLUMNS, work);
            update_rows(&p, front, left, columns, work + round_up(columns, COLUMNS) * p.depth);
        }
    }
}
