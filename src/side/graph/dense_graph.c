/* SPDX-License-Identifier: MIT
 *
 * The kernels of a graph as whole matrices.
 *
 * Method, PDLaplacian.  Vertex 0 is grounded: without its row and column the
 * Laplacian of a connected graph is positive definite.  With G its inverse, bordered by a
 * zero row and column, and u the unit vector with Lu = 0,
 *
 *     L^+ = (I - uu') G (I - uu'),  so  L^+_ij = G_ij - u_i h_j - h_i u_j + u_i u_j s,
 *     h = Gu,  s = u'Gu;
 *
 * for the plain Laplacian u_i = 1/sqrt n and L^+_ij = G_ij - (g_i + g_j)/n + t/n^2, g = G1,
 * t = 1'G1.  G_ii is the effective resistance between i and vertex 0, so that
 * nothing is larger than the graph makes it.
 *
 * Regularised: (I + sigma L)^-1 by its Cholesky factor.  Diffusion: exp(-tL) times unit
 * vectors (chebyshev.c), eight at a time; or, where the graph has so many edges or t is so long
 * that this is slower, L = Q diag(lambda) Q', K = BB' with B = Q diag(exp(-t lambda / 2)).
 *
 * Cost.  n^3 for an inverse, about 10 n^3 for eigenvectors, n * degree * edges for
 * products; n^2 numbers (eigenvectors: 4 n^2 for a while).
 *
 * Reference.  Herbster, Pasteris and Tse, Online Matrix Completion with Side
 * Information, section 2 (PDLaplacian); Smola and Kondor, Kernels and regularization
 * on graphs, COLT 2003 (the others). */
#include "base/elementary.h"
#include "linalg/eigen.h"
#include "linalg/multiply.h"
#include "side/graph/chebyshev.h"
#include "side/graph/graph.h"

#include <math.h>
#include <string.h>

/* ---- PDLaplacian ---- */

weft_status weft__graph_fail_weights(int64_t a, int64_t b, weft_error *error)
{
    return weft__fail_at(error, WEFT_INPUT, a, b,
                         "graph: the weights differ so much that vertices %lld and %lld are not connected to "
                         "working precision",
                         (long long)a, (long long)b);
}

static weft_status invert_grounded(weft__dense_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = side->base.count, pivot = -1;
    weft__triangle lower = {n - 1, side->values + n + 1, n, side->base.progress};
    TRY(weft__dense_invert(&side->base.memory, lower, &pivot, error));
    if (pivot >= 0)
        TRY(weft__graph_fail_weights(0, pivot + 1, error));
    for (int64_t i = 0; i < n; i++)
        side->values[i] = side->values[i * n] = 0;
done:
    return status;
}

/* G -> L^+ = G_ij - (g_i + g_j)/n + t/n^2; `sum` takes g / n. */
static void centre(weft__dense_side *side, double *sum)
{
    int64_t n = side->base.count;
    double mean = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            sum[i] += side->values[i * n + j];
        sum[i] /= (double)n;
        mean += sum[i];
    }
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            side->values[i * n + j] = side->values[i * n + j] - (sum[i] + sum[j]) + mean;
}

/* G -> L^+ = G_ij - (u_i h_j + h_i u_j) + u_i u_j s; `h` is zero, u = null / norm. */
static void project(weft__dense_side *side, const double *null, double *h)
{
    int64_t n = side->base.count;
    double square = 0, s = 0;
    for (int64_t i = 0; i < n; i++)
        square += null[i] * null[i];
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            h[i] += side->values[i * n + j] * null[j];
        h[i] /= square;
        s += null[i] * h[i];
    }
    s /= square;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            side->values[i * n + j] += null[i] * null[j] * s - (null[i] * h[j] + h[i] * null[j]);
}

/* 2^e L^+ -> K = L^+ + R_L 11'. */
static void add_constant(weft__dense_side *side, int exponent)
{
    int64_t n = side->base.count;
    double largest = 0, scale = ldexp(1, -exponent);
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, side->values[i * n + i]);
    for (int64_t k = 0; k < n * n; k++)
        side->values[k] = (side->values[k] + largest) * scale;
    side->base.constant = ldexp(largest, -exponent);
}

static weft_status fill_pdlaplacian(weft__dense_side *side, const weft__laplacian *laplacian,
                                    weft_error *error)
{
    double *sum = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&side->base.memory, side->base.count, sizeof *sum, &sum, error));
    weft__laplacian_fill(laplacian, 1, 0, side->values);
    TRY(invert_grounded(side, error));
    if (laplacian->normalised)
        project(side, laplacian->null, sum);
    else
        centre(side, sum);
    add_constant(side, laplacian->exponent);
done:
    weft__delete(&side->base.memory, sum);
    return status;
}

/* ---- Regularised ---- */

static weft_status fill_regularised(weft__dense_side *side, double sigma, const weft__laplacian *laplacian,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = side->base.count, pivot = 0;
    double factor = ldexp(sigma, laplacian->exponent);
    if (isfinite(factor * weft__laplacian_bound(laplacian))) {
        weft__laplacian_fill(laplacian, factor, 1, side->values);
        weft__triangle lower = {n, side->values, n, side->base.progress};
        TRY(weft__dense_invert(&side->base.memory, lower, &pivot, error));
    }
    if (pivot >= 0)
        TRY(weft__graph_fail_sigma(sigma, error));
done:
    return status;
}

weft_status weft__graph_fail_sigma(double sigma, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT,
                      "graph: sigma %g is too large for these weights: I + sigma L is singular to working "
                      "precision",
                      sigma);
}

/* ---- Diffusion ---- */

/* Both triangles from the lower one. */
static void mirror(weft__dense_side *side)
{
    int64_t n = side->base.count;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            side->values[j * n + i] = side->values[i * n + j];
}

/* exp(-tL) e_j for eight columns at a time. */
static weft_status fill_by_products(weft__dense_side *side, const weft__chebyshev *plan,
                                    const weft__laplacian *laplacian, weft_error *error)
{
    enum { BLOCK = WEFT__CHEBYSHEV_BLOCK };
    double *x = NULL, *work = NULL;
    weft_status status = WEFT_OK;
    int64_t n = side->base.count;
    TRY(weft__new(&side->base.memory, BLOCK * n, sizeof *x, &x, error));
    TRY(weft__new(&side->base.memory, 3 * BLOCK * n, sizeof *work, &work, error));
    weft__progress_begin(side->base.progress, "diffusion over a graph",
                         weft__chebyshev_work(plan, laplacian) * (double)n);
    for (int64_t j = 0; j < n; j += BLOCK) {
        int64_t width = n - j < BLOCK ? n - j : BLOCK;
        for (int64_t k = 0; k < BLOCK * n; k++)
            x[k] = 0;
        for (int64_t c = 0; c < width; c++)
            x[(j + c) * BLOCK + c] = 1;
        weft__chebyshev_block(plan, laplacian, x, work, side->base.progress);
        TRY(weft__progress_check(side->base.progress, error));
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < width; c++)
                side->values[i * n + j + c] = x[i * BLOCK + c];
    }
    mirror(side);
done:
    weft__delete(&side->base.memory, work);
    weft__delete(&side->base.memory, x);
    return status;
}

weft_status weft__graph_fill_by_eigenvectors(weft__dense_side *side, double t,
                                             const weft__laplacian *laplacian, weft_error *error)
{
    double *q = NULL, *value = NULL, *work = NULL;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    int64_t n = side->base.count;
    weft__product square = {n, n, n, .scale = 1, .lower = true, .progress = side->base.progress};
    TRY(weft__new(memory, n * n, sizeof *q, &q, error));
    TRY(weft__new(memory, n, sizeof *value, &value, error));
    TRY(weft__new(memory, weft__multiply_work(n, n, n), sizeof *work, &work, error));
    weft__laplacian_fill(laplacian, 1, 0, q);
    TRY(weft__eigen_symmetric(memory, (weft__symmetric){n, q, n, side->base.progress}, value, true, error));
    /* Rounding makes an eigenvalue 0 negative; the kernel's are at most 1. */
    for (int64_t k = 0; k < n; k++) {
        double factor = weft__exp(-ldexp(t, laplacian->exponent) * fmax(value[k], 0) / 2);
        for (int64_t i = 0; i < n; i++)
            q[k * n + i] *= factor;
    }
    square.a = (weft__operand){q, 1, n};
    square.b = (weft__operand){q, n, 1};
    memset(side->values, 0, (size_t)(n * n) * sizeof *side->values);
    weft__multiply(&square, side->values, n, work);
    TRY(weft__progress_check(side->base.progress, error));
    mirror(side);
done:
    weft__delete(memory, work);
    weft__delete(memory, value);
    weft__delete(memory, q);
    return status;
}

/* A number of eigenvectors takes as long as this many edge visits of one column, by measurement. */
static const double visits_of_eigenvectors = 10;

static weft_status fill_diffusion(weft__dense_side *side, const weft_graph *graph,
                                  const weft__laplacian *laplacian, weft_error *error)
{
    weft__chebyshev plan = {.memory = laplacian->memory};
    weft_status status = WEFT_OK;
    double n = (double)side->base.count, t = graph->parameter;
    TRY(weft__chebyshev_plan(laplacian, t, &plan, error));
    double visits = (double)plan.degree * (n + (double)laplacian->start[laplacian->count]);
    if (visits > visits_of_eigenvectors * n * n)
        TRY(weft__graph_fill_by_eigenvectors(side, t, laplacian, error));
    else
        TRY(fill_by_products(side, &plan, laplacian, error));
    for (int64_t i = 0; i < side->base.count && graph->unit; i++)
        TRY(weft__graph_check_scale(graph, i, side->values[i * side->base.count + i], plan.reach, error));
done:
    weft__chebyshev_free(&plan);
    return status;
}

/* ---- All of them ---- */

/* Diagonal entries of a function of L that is at most 1 are so too; rounding may say
 * otherwise. */
static void clamp_diagonal(weft__dense_side *side)
{
    int64_t n = side->base.count;
    for (int64_t i = 0; i < n; i++)
        side->values[i * n + i] = fmin(side->values[i * n + i], 1);
}

/* K_ij / sqrt(K_ii K_jj) */
static weft_status scale_to_unit(weft__dense_side *side, weft_error *error)
{
    double *root = NULL;
    weft_status status = WEFT_OK;
    int64_t n = side->base.count;
    TRY(weft__new(&side->base.memory, n, sizeof *root, &root, error));
    for (int64_t i = 0; i < n; i++)
        root[i] = sqrt(side->values[i * n + i]);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            side->values[i * n + j] = i == j ? 1 : side->values[i * n + j] / (root[i] * root[j]);
    side->base.constant = 0;
done:
    weft__delete(&side->base.memory, root);
    return status;
}

weft_status weft__graph_fill(weft__dense_side *side, const weft_graph *graph,
                             const weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (graph->kernel == WEFT_PDLAPLACIAN)
        TRY(fill_pdlaplacian(side, laplacian, error));
    else if (graph->kernel == WEFT_REGULARISED)
        TRY(fill_regularised(side, graph->parameter, laplacian, error));
    else
        TRY(fill_diffusion(side, graph, laplacian, error));
    if (graph->kernel != WEFT_PDLAPLACIAN)
        clamp_diagonal(side);
    if (graph->unit)
        TRY(scale_to_unit(side, error));
done:
    return status;
}
