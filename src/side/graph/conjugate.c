/* SPDX-License-Identifier: MIT
 *
 * The steps of side/graph/iterative.c, where their method is: conjugate gradients for H, the refinement
 * around them, and the diagonal of the inverse from the energies alone. */
#include "side/graph/iterative.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 8 };

static const double unit = DBL_EPSILON / 2;

/* ---- Steps, for `width` vectors side by side: element c of place k at [width k + c] ---- */

/* sum -= row k of B times x */
static inline void subtract_row(const weft__iterative *it, int64_t k, const double *x, double *sum,
                                const int width)
{
    for (int64_t e = it->start[k]; e < it->start[k + 1]; e++) {
        const double *from = x + (int64_t)it->column[e] * width;
        for (int c = 0; c < width; c++)
            sum[c] -= it->value[e] * from[c];
    }
}

/* x = (I + B')^-1 x */
static inline void solve_upper(const weft__iterative *it, double *x, const int width)
{
    for (int64_t k = it->count - 1; k >= 0; k--) {
        double own[BLOCK];
        for (int c = 0; c < width; c++)
            own[c] = x[k * width + c];
        for (int64_t e = it->start[k]; e < it->start[k + 1]; e++) {
            double *to = x + (int64_t)it->column[e] * width;
            for (int c = 0; c < width; c++)
                to[c] -= it->value[e] * own[c];
        }
    }
}

/* The vectors of a run, each of width count elements, and what is known of them. */
typedef struct run {
    double *r, *p, *t, *s;
    double square[BLOCK]; /* r'r */
    double energy[BLOCK]; /* x'A^-1x as far as it is known */
    double alpha[BLOCK];
} run;

/* r = (I + B)^-1 r, p = r, t = p */
static inline void begin(const weft__iterative *it, run *g, const int width)
{
    double square[BLOCK] = {0};
    for (int64_t k = 0; k < it->count; k++) {
        double sum[BLOCK];
        for (int c = 0; c < width; c++)
            sum[c] = g->r[k * width + c];
        subtract_row(it, k, g->r, sum, width);
        for (int c = 0; c < width; c++) {
            g->r[k * width + c] = g->p[k * width + c] = g->t[k * width + c] = sum[c];
            square[c] += sum[c] * sum[c];
        }
    }
    memcpy(g->square, square, sizeof square);
    memset(g->energy, 0, sizeof g->energy);
}

/* t = (I + B')^-1 p, s = (I + B)^-1 (p + (D_T - 2I) t), so that H p = s + t; p'Hp.  t is p before. */
static inline void multiply(const weft__iterative *it, run *g, double *curvature, const int width)
{
    double total[BLOCK] = {0};
    solve_upper(it, g->t, width);
    for (int64_t k = 0; k < it->count; k++) {
        double sum[BLOCK];
        for (int c = 0; c < width; c++)
            sum[c] = g->p[k * width + c] + it->rest[k] * g->t[k * width + c];
        subtract_row(it, k, g->s, sum, width);
        for (int c = 0; c < width; c++) {
            g->s[k * width + c] = sum[c];
            total[c] += g->p[k * width + c] * (sum[c] + g->t[k * width + c]);
        }
    }
    memcpy(curvature, total, sizeof total);
}

/* r -= alpha H p ; y += alpha F^-1 t, unless y is NULL; r'r */
static inline void descend(const weft__iterative *it, run *g, double *y, double *square, const int width)
{
    double total[BLOCK] = {0};
    for (int64_t k = 0; k < it->count; k++)
        for (int c = 0; c < width; c++) {
            int64_t at = k * width + c;
            double left = g->r[at] - g->alpha[c] * (g->s[at] + g->t[at]);
            g->r[at] = left;
            total[c] += left * left;
            if (y != NULL)
                y[at] += g->alpha[c] * g->t[at] / it->root[k];
        }
    memcpy(square, total, sizeof total);
}

/* alpha = r'r / p'Hp ; r -= alpha H p ; p = r + beta p, t = p.  A vector that is exhausted is left alone. */
static inline void step(const weft__iterative *it, run *g, double *y, const int width)
{
    double curvature[BLOCK], square[BLOCK], beta[BLOCK];
    multiply(it, g, curvature, width);
    for (int c = 0; c < width; c++) {
        g->alpha[c] = curvature[c] > 0 ? g->square[c] / curvature[c] : 0;
        g->energy[c] += g->alpha[c] * g->square[c];
    }
    descend(it, g, y, square, width);
    for (int c = 0; c < width; c++) {
        beta[c] = g->square[c] > 0 ? square[c] / g->square[c] : 0;
        g->square[c] = square[c];
    }
    for (int64_t k = 0; k < it->count * width; k += width)
        for (int c = 0; c < width; c++)
            g->t[k + c] = g->p[k + c] = g->r[k + c] + beta[c] * g->p[k + c];
}

/* Multiplications of a step, for one vector. */
static double work_of_step(const weft__iterative *it)
{
    return (double)(2 * it->start[it->count] + 8 * it->count);
}

/* ---- A solve ---- */

/* out = x - A y by vertex, and norms[] = |D^-1/2 out|, |D^1/2 y|. */
static void find_residual(const weft__iterative *it, const double *x, const double *y, double *out,
                          double norms[2])
{
    const weft__laplacian *l = it->plan.laplacian;
    double rho = 0, length = 0;
    for (int64_t i = 0; i < it->count; i++) {
        double sum = 0, own = it->diagonal[i];
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++)
            sum += l->weight[e] * y[l->to[e]];
        out[i] = x[i] - (own * y[i] - it->plan.scale * sum);
        rho += out[i] * out[i] / own;
        length += own * y[i] * y[i];
    }
    norms[0] = sqrt(rho);
    norms[1] = sqrt(length);
}

/* y += F^-1 (I + B')^-1 (H^-1 r) until |r| <= least or the square root of what the energy allows;
 * answers the steps left. */
static int64_t run_down(const weft__iterative *it, run *g, double *y, double least, int64_t left)
{
    double share = it->tolerance * unit / (4 * it->stretch);
    begin(it, g, 1);
    /* |D^1/2 y|^2 >= y'Ay / 2, for A <= 2D */
    while (left > 0 && g->square[0] > fmax(least * least, share * share * g->energy[0]) &&
           weft__progress_add(it->plan.progress, work_of_step(it))) {
        step(it, g, y, 1);
        left--;
        if (g->alpha[0] == 0)
            break;
    }
    return left;
}

/* A power of two that brings x to the size of 1; 0 for x = 0. */
static double scale_of(const double *x, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    double exponent = largest > 0 ? fmax(fmin(logb(largest), 1000), -1000) : 0;
    return largest > 0 ? ldexp(1, -(int)exponent) : 0;
}

double weft__iterative_solve(const weft__iterative *it, double *x, double *work, weft__ending *ending)
{
    int64_t n = it->count, left = it->steps;
    double *y = work, norms[2] = {0, 0}, before = INFINITY, scale = scale_of(x, n);
    run g = {.r = work + n, .p = work + 2 * n, .t = work + 3 * n, .s = work + 4 * n};
    bool good = false, moving = scale > 0;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int64_t i = 0; i < n; i++)
        x[i] *= scale;
    memcpy(g.s, x, (size_t)n * sizeof *x);
    while (moving && !good) {
        for (int64_t k = 0; k < n; k++)
            g.r[k] = g.s[it->order[k]] / it->root[k];
        left = run_down(it, &g, y, it->tolerance * unit * norms[1] / (4 * it->stretch), left);
        for (int64_t k = 0; k < n; k++)
            g.t[it->order[k]] = y[k];
        find_residual(it, x, g.t, g.s, norms);
        good = norms[0] <= it->tolerance * unit * norms[1];
        moving = left > 0 && norms[0] <= before / 2 && !weft__progress_stopped(it->plan.progress);
        before = norms[0];
    }
    for (int64_t i = 0; i < n && scale > 0; i++)
        x[i] = g.t[i] / scale;
    *ending = good || scale == 0 ? WEFT__MET : left > 0 ? WEFT__STALLED : WEFT__SLOW;
    double rho = norms[0] / unit;
    double bound = (rho + it->tolerance * norms[1]) * norms[1] + it->condition * rho * norms[0];
    return scale > 0 ? bound / scale / scale : 0;
}

/* ---- The diagonal ---- */

/* r = F^-1 P e_i in column c, i = ids[c]. */
static void start_vectors(const weft__iterative *it, const int64_t *ids, double *r, const int width)
{
    const double *u = it->plan.laplacian->null;
    memset(r, 0, (size_t)(it->count * width) * sizeof *r);
    for (int64_t k = 0; k < it->count; k++)
        for (int c = 0; c < width; c++) {
            int64_t v = it->order[k];
            double own = it->plan.grounded >= 0 ? -u[v] * u[ids[c]] : 0;
            r[k * width + c] = (own + (v == ids[c] ? 1 : 0)) / it->root[k];
        }
}

static inline void find_energies(const weft__iterative *it, const int64_t *ids, double *work, double *out,
                                 const int width, weft__progress *progress)
{
    int64_t size = it->count * width;
    run g = {.r = work, .p = work + size, .t = work + 2 * size, .s = work + 3 * size};
    double share = it->tolerance * unit / (it->stretch * it->stretch);
    bool more = true;
    start_vectors(it, ids, g.r, width);
    begin(it, &g, width);
    for (int64_t k = 0; more && k < it->steps && weft__progress_add(progress, width * work_of_step(it));
         k++) {
        step(it, &g, NULL, width);
        more = false;
        for (int c = 0; c < width; c++)
            more = more || (g.alpha[c] > 0 && g.square[c] > share * g.energy[c]);
    }
    for (int c = 0; c < width; c++)
        out[c] = g.square[c] <= share * g.energy[c] ? g.energy[c] : NAN;
}

double weft__iterative_entry(const weft__iterative *it, int64_t i, double *work)
{
    double out = 0;
    find_energies(it, &i, work, &out, 1, NULL);
    return out;
}

weft_status weft__iterative_diagonal(const weft__iterative *it, double *out, weft__progress *progress,
                                     weft_error *error)
{
    double *work = NULL;
    weft_status status = WEFT_OK;
    int64_t all = 0;
    TRY(weft__checked_product(it->count, 4 * BLOCK, &all, error));
    TRY(weft__new(&it->memory, all, sizeof *work, &work, error));
    weft__progress_begin(progress, "the diagonal of the kernel of a graph", 0);
    for (int64_t i = 0; i < it->count; i += BLOCK) {
        int64_t ids[BLOCK];
        double found[BLOCK];
        for (int64_t c = 0; c < BLOCK; c++)
            ids[c] = i + c < it->count ? i + c : it->count - 1;
        find_energies(it, ids, work, found, BLOCK, progress);
        TRY(weft__progress_check(progress, error));
        weft__progress_expect(progress, (double)(i + BLOCK) / (double)it->count);
        for (int64_t c = 0; c < BLOCK && i + c < it->count; c++)
            out[i + c] = found[c];
    }
done:
    weft__delete(&it->memory, work);
    return status;
}

double weft__iterative_work(const weft__iterative *it)
{
    return (double)it->steps * work_of_step(it);
}
