/* SPDX-License-Identifier: MIT
 *
 * Method     Householder's reduction, A = Q T Q'.  Reflector k makes row k zero from
 *            k + 2 on; with v its vector and w = tau (A v - (tau v'A v / 2) v),
 *
 *                H A H = A - v w' - w v'.
 *
 * Algorithm  Eight reflectors at a time: the matrix stays as it was at the beginning of
 *            such a block, and A v and row k are corrected by the v and w of the block; then
 *            the rest of the matrix takes all eight in one pass.  Of A only the upper triangle is
 *            kept, and the blocks of 16 x 16 on the diagonal whole, which is what
 *            weft__multiply_symmetric_double reads.  Everything begins at a
 *            multiple of 16: vectors are zero before their content, so that the
 *            finite numbers that are dead there do not count.
 *            Q is formed by rows, from unit vectors, eight rows side by side and four reflectors
 *            in one pass, H_k ... H_{k+3} = I - V S V' with a triangular S of 4 x 4.
 * Cost       4/3 n^3 operations, half of them in products with a vector, which are as fast
 *            as the matrix comes from memory; 2 n^3 for Q.
 * Reference  J. Dongarra, S. Hammarling, D. Sorensen, Block reduction of matrices to
 *            condensed forms, J. Comput. Appl. Math. 27 (1989); R. Schreiber, C. Van Loan, A
 *            storage-efficient WY representation, SIAM J. Sci. Stat. Comput. 10 (1989). */
#include "linalg/householder.h"

#include "base/clones.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { PANEL = 8, TOGETHER = 4 };

/* Half a row of a panel: gcc 12 makes poor AVX2 code of vectors that are longer than a register. */
typedef double vector __attribute__((vector_size(PANEL / 2 * sizeof(double)), may_alias));

/* A tail of entries below 1e-100 is dropped: its square would lose digits to underflow, and the largest
 * entry of the matrix is about 1. */
static const double least_square = 1e-200;

static double *row_of(const weft__reduction *r, int64_t i)
{
    return r->matrix + i * r->stride;
}

static int64_t round_down(int64_t i)
{
    return i / WEFT__LANES * WEFT__LANES;
}

/* ---- T ---- */

/* a_k. -= sum_p v_p[k] w_p + w_p[k] v_p over the block, which begins with `first`. */
static void correct_row(const weft__reduction *r, int64_t first, int64_t k)
{
    int64_t s = round_down(k), length = r->stride - s;
    for (int64_t p = first; p < k; p++) {
        const double *v = row_of(r, p), *w = r->work + (p - first) * r->stride;
        weft__add(length, -v[k], w + s, row_of(r, k) + s);
        weft__add(length, -w[k], v + s, row_of(r, k) + s);
    }
}

/* v_k in place of row k; T's diagonal and off-diagonal there, and tau. */
static void make_reflector(const weft__reduction *r, int64_t k)
{
    double *v = row_of(r, k), alpha = k + 1 < r->n ? v[k + 1] : 0, square = 0;
    int64_t s = round_down(k);
    r->diagonal[k] = v[k];
    memset(v, 0, (size_t)(k + 1) * sizeof *v);
    if (k + 2 < r->n) {
        v[k + 1] = 0;
        square = weft__dot(r->stride - s, v + s, v + s);
    }
    if (!(square > least_square)) {
        r->off[k] = alpha;
        r->tau[k] = 0;
        memset(v + k, 0, (size_t)(r->stride - k) * sizeof *v);
        return;
    }
    double beta = -copysign(sqrt(alpha * alpha + square), alpha);
    r->off[k] = beta;
    r->tau[k] = (beta - alpha) / beta;
    weft__scale_vector(r->stride - s, 1 / (alpha - beta), v + s, v + s);
    v[k + 1] = 1;
}

/* w = tau (A v - (tau v'A v / 2) v) for reflector k */
static void make_update(const weft__reduction *r, int64_t first, int64_t k)
{
    int64_t s = round_down(k + 1), length = r->stride - s;
    const double *v = row_of(r, k) + s;
    double *w = r->work + (k - first) * r->stride + s;
    weft__block_double rest = {row_of(r, s) + s, length, length, r->stride};
    memset(w - s, 0, (size_t)r->stride * sizeof *w);
    if (r->tau[k] == 0)
        return;
    weft__multiply_symmetric_double(rest, v, w);
    memset(w, 0, (size_t)(k + 1 - s) * sizeof *w);
    for (int64_t p = first; p < k; p++) {
        const double *vp = row_of(r, p) + s, *wp = r->work + (p - first) * r->stride + s;
        double along_v = weft__dot(length, vp, v), along_w = weft__dot(length, wp, v);
        weft__add(length, -along_w, vp, w);
        weft__add(length, -along_v, wp, w);
    }
    memset(w, 0, (size_t)(k + 1 - s) * sizeof *w);
    weft__scale_vector(length, r->tau[k], w, w);
    weft__add(length, -r->tau[k] / 2 * weft__dot(length, w, v), v, w);
}

/* a -= v x + w y, on two vectors */
INLINED void subtract(double v, const vector *x, double w, const vector *y, vector *a)
{
    a[0] -= v * x[0] + w * y[0];
    a[1] -= v * x[1] + w * y[1];
}

/* Four rows of A from a multiple of 16 on: a_ij -= sum_p v_p[i] w_p[j] + w_p[i] v_p[j].  The same sum for
 * (i, j) and (j, i). */
CLONED static void update_rows(const weft__reduction *r, int64_t first, int64_t i)
{
    int64_t n = r->stride;
    const double *v = r->matrix + first * n + i, *w = r->work + i;
    for (int64_t j = i / WEFT__LANES * WEFT__LANES - i; j < n - i; j += PANEL) {
        double *from = r->matrix + i * n + i + j;
        vector *to[TOGETHER] = {(vector *)from, (vector *)(from + n), (vector *)(from + 2 * n),
                                (vector *)(from + 3 * n)};
        vector a0[2] = {to[0][0], to[0][1]}, a1[2] = {to[1][0], to[1][1]}, a2[2] = {to[2][0], to[2][1]},
               a3[2] = {to[3][0], to[3][1]};
        for (int64_t p = 0; p < WEFT__REFLECTORS * n; p += n) {
            const vector *vj = (const vector *)(v + p + j), *wj = (const vector *)(w + p + j);
            subtract(v[p], wj, w[p], vj, a0);
            subtract(v[p + 1], wj, w[p + 1], vj, a1);
            subtract(v[p + 2], wj, w[p + 2], vj, a2);
            subtract(v[p + 3], wj, w[p + 3], vj, a3);
        }
        memcpy(to[0], a0, sizeof a0);
        memcpy(to[1], a1, sizeof a1);
        memcpy(to[2], a2, sizeof a2);
        memcpy(to[3], a3, sizeof a3);
    }
}

/* The blocks on the diagonal whole. */
static void mirror_blocks(const weft__reduction *r)
{
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = round_down(i); j < i; j++)
            row_of(r, i)[j] = row_of(r, j)[i];
}

void weft__reduce(const weft__reduction *r)
{
    mirror_blocks(r);
    for (int64_t first = 0; first < r->n; first += WEFT__REFLECTORS) {
        int64_t end = first + WEFT__REFLECTORS;
        for (int64_t k = first; k < end && k < r->n; k++) {
            correct_row(r, first, k);
            make_reflector(r, k);
            make_update(r, first, k);
            double left = (double)(r->n - k);
            if (!weft__progress_add(r->progress, 2 * left * left))
                return;
        }
        for (int64_t i = end; i < r->n; i += TOGETHER)
            update_rows(r, first, i);
    }
}

/* ---- Q ---- */

/* The triangular S of the four reflectors from k on: H_k ... H_{k+3} = I - V S V', column by column
 *
 *     S_jj = tau_j ;  S_.j = -tau_j S V'v_j */
static void combine(const weft__reduction *r, int64_t k, double *s)
{
    int64_t from = round_down(k), length = r->stride - from;
    for (int j = 0; j < TOGETHER; j++) {
        double dot[TOGETHER], tau = r->tau[k + j];
        for (int i = 0; i < j; i++)
            dot[i] = weft__dot(length, row_of(r, k + i) + from, row_of(r, k + j) + from);
        for (int i = 0; i < j; i++) {
            double sum = 0;
            for (int l = i; l < j; l++)
                sum += s[i * TOGETHER + l] * dot[l];
            s[i * TOGETHER + j] = -tau * sum;
        }
        s[j * TOGETHER + j] = tau;
    }
}

/* w += v q, on two vectors */
INLINED void accumulate(double v, const vector *q, vector *w)
{
    w[0] += v * q[0];
    w[1] += v * q[1];
}

/* w = w S for rows w of four numbers, a panel of them: the last column first, in place. */
INLINED void multiply_triangle(const double *s, vector *w0, vector *w1, vector *w2, vector *w3)
{
    for (int h = 0; h < 2; h++) {
        w3[h] = (s[3] * w0[h] + s[7] * w1[h]) + (s[11] * w2[h] + s[15] * w3[h]);
        w2[h] = (s[2] * w0[h] + s[6] * w1[h]) + s[10] * w2[h];
        w1[h] = s[1] * w0[h] + s[5] * w1[h];
        w0[h] = s[0] * w0[h];
    }
}

/* Q -= (Q V) S V' on a panel of Q, for the four reflectors from k on */
CLONED static void reflect(const weft__reduction *r, int64_t k, const double *s, double *panel)
{
    const double *v0 = r->matrix + k * r->stride, *v1 = v0 + r->stride, *v2 = v1 + r->stride,
                 *v3 = v2 + r->stride;
    vector *q = (vector *)panel, w0[2] = {0}, w1[2] = {0}, w2[2] = {0}, w3[2] = {0};
    for (int64_t i = k + 1; i < r->n; i++) {
        accumulate(v0[i], q + 2 * i, w0);
        accumulate(v1[i], q + 2 * i, w1);
        accumulate(v2[i], q + 2 * i, w2);
        accumulate(v3[i], q + 2 * i, w3);
    }
    multiply_triangle(s, w0, w1, w2, w3);
    for (int64_t i = k + 1; i < r->n; i++)
        for (int h = 0; h < 2; h++)
            q[2 * i + h] -= (v0[i] * w0[h] + v1[i] * w1[h]) + (v2[i] * w2[h] + v3[i] * w3[h]);
}

void weft__reduce_form(const weft__reduction *r, int64_t distance, double *panels)
{
    for (int64_t k = 0; k + 2 < r->n; k += TOGETHER)
        combine(r, k, r->work + k * TOGETHER);
    for (int64_t first = 0; first < r->n; first += PANEL) {
        double *panel = panels + first / PANEL * distance;
        memset(panel, 0, (size_t)(PANEL * r->n) * sizeof *panel);
        for (int64_t l = 0; l < PANEL && first + l < r->n; l++)
            panel[PANEL * (first + l) + l] = 1;
        for (int64_t k = 0; k + 2 < r->n; k += TOGETHER) {
            reflect(r, k, r->work + k * TOGETHER, panel);
            if (!weft__progress_add(r->progress, (double)(2 * TOGETHER * PANEL * (r->n - k))))
                return;
        }
    }
}
