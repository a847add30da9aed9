/* SPDX-License-Identifier: MIT
 *
 * Method.  The kinds whose kernel depends on all ids at once: K = M^-1 by elimination,
 * and functions of a Laplacian by the judge's own eigensolver, in extended
 * precision. */
#include <stdlib.h>

#include "support/known.h"
#include "support/naive.h"

/* K = M^-1 by Gauss-Jordan elimination; M is positive definite, so no pivoting. */
static void invert(int64_t order, const double *matrix, long double *inverse)
{
    long double *a = naive_new(order * order, sizeof *a);
    for (int64_t k = 0; k < order * order; k++) {
        a[k] = matrix[k];
        inverse[k] = k % (order + 1) == 0;
    }
    for (int64_t p = 0; p < order; p++) {
        long double pivot = a[p * order + p];
        for (int64_t j = 0; j < order; j++) {
            a[p * order + j] /= pivot;
            inverse[p * order + j] /= pivot;
        }
        for (int64_t i = 0; i < order; i++) {
            long double factor = i == p ? 0 : a[i * order + p];
            for (int64_t j = 0; j < order; j++) {
                a[i * order + j] -= factor * a[p * order + j];
                inverse[i * order + j] -= factor * inverse[p * order + j];
            }
        }
    }
    free(a);
}

static void store(known *what, const long double *kernel)
{
    int64_t order = what->listed;
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++)
            what->kernel[i * what->count + j] = (double)(kernel[i * order + j] + kernel[j * order + i]) / 2;
}

/* M = BB' + ridge I over the listed ids. */
void known_draw_matrix(dice *d, known *what)
{
    int64_t order = what->listed;
    double *b = naive_new(order * order, sizeof *b), ridge = dice_log_between(d, 1e-3, 1);
    long double *inverse = naive_new(order * order, sizeof *inverse);
    what->values = naive_new(order * order, sizeof *what->values);
    for (int64_t k = 0; k < order * order; k++)
        b[k] = dice_normal(d);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = i == j ? ridge : 0;
            for (int64_t k = 0; k < order; k++)
                sum += b[i * order + k] * b[j * order + k];
            what->values[i * order + j] = what->values[j * order + i] = sum;
        }
    invert(order, what->values, inverse);
    store(what, inverse);
    free(b);
    free(inverse);
}

/* ---- graphs ---- */

/* The weights with the components joined as a star: the first vertex of every
 * other component to vertex 0, weight 1. */
static void join(int64_t order, double *weights)
{
    int64_t *component = naive_new(order, sizeof *component);
    for (int64_t i = 0; i < order; i++)
        component[i] = i;
    for (int64_t pass = 0; pass < order; pass++)
        for (int64_t i = 0; i < order; i++)
            for (int64_t j = 0; j < order; j++)
                if (weights[i * order + j] > 0 && component[j] < component[i])
                    component[i] = component[j];
    for (int64_t i = 1; i < order; i++)
        if (component[i] == i)
            weights[i] = weights[i * order] = 1;
    free(component);
}

bool known_is_graph(known_kind kind)
{
    return kind == KNOWN_GRAPH || kind == KNOWN_REGULARISED || kind == KNOWN_DIFFUSION;
}

static void fill_laplacian(int64_t order, const double *weights, bool normalised, long double *laplacian)
{
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) {
            laplacian[i * order + j] -= weights[i * order + j];
            laplacian[i * order + i] += weights[i * order + j];
        }
    long double *degree = naive_new(order, sizeof *degree);
    for (int64_t i = 0; i < order; i++)
        degree[i] = laplacian[i * order + i];
    for (int64_t k = 0; k < order * order && normalised; k++)
        if (laplacian[k] != 0)
            laplacian[k] /= sqrtl(degree[k / order] * degree[k % order]);
    free(degree);
}

/* What the kernel makes of an eigenvalue. */
static long double transform(const known *what, long double value)
{
    if (what->kind == KNOWN_REGULARISED)
        return 1 / (1 + what->parameter * value);
    if (what->kind == KNOWN_DIFFUSION)
        return expl(-what->parameter * value);
    return value > 1e-12L ? 1 / value : 0;
}

double known_graph_kernel(const known *what, int64_t order, const double *weights, long double *kernel)
{
    long double *laplacian = naive_new(order * order, sizeof *laplacian);
    long double *vectors = naive_new(order * order, sizeof *vectors);
    long double *values = naive_new(order, sizeof *values), widest = 0;
    fill_laplacian(order, weights, what->normalised, laplacian);
    naive_eigen(order, laplacian, values, vectors);
    for (int64_t k = 0; k < order; k++)
        for (int64_t i = 0; i < order * order; i++)
            kernel[i] +=
                vectors[k * order + i / order] * vectors[k * order + i % order] * transform(what, values[k]);
    for (int64_t i = 0; i < order && what->kind == KNOWN_GRAPH; i++)
        widest = fmaxl(widest, kernel[i * order + i]);
    for (int64_t i = 0; i < order; i++)
        values[i] = kernel[i * order + i] + widest;
    for (int64_t i = 0; i < order * order; i++)
        kernel[i] = (kernel[i] + widest) / (what->unit ? sqrtl(values[i / order] * values[i % order]) : 1);
    free(laplacian);
    free(vectors);
    free(values);
    return what->unit ? 0 : (double)widest;
}

/* Up to twice as many edges as vertices: repeated ones, loops, often not connected. */
void known_draw_graph(dice *d, known *what)
{
    int64_t order = what->listed;
    bool weighted = dice_chance(d, 0.5);
    double *weights = naive_new(order * order, sizeof *weights);
    what->edges = dice_below(d, 2 * order);
    what->from = naive_new(what->edges, sizeof *what->from);
    what->to = naive_new(what->edges, sizeof *what->to);
    what->weight = weighted ? naive_new(what->edges, sizeof *what->weight) : NULL;
    for (int64_t k = 0; k < what->edges; k++) {
        int64_t i = dice_below(d, order), j = dice_below(d, order);
        double fresh = weighted ? dice_between(d, 0.2, 5) : 1, old = weights[i * order + j];
        what->from[k] = i;
        what->to[k] = j;
        if (weighted)
            what->weight[k] = old > 0 ? old : fresh;
        if (i != j && !(old > 0))
            weights[i * order + j] = weights[j * order + i] = fresh;
    }
    what->normalised = dice_chance(d, 0.4);
    what->unit = dice_chance(d, 0.4);
    what->path = dice_chance(d, 0.5) ? WEFT_GRAPH_DENSE : WEFT_GRAPH_SPARSE;
    if (what->kind == KNOWN_GRAPH)
        join(order, weights);
    else
        what->parameter = dice_log_between(d, 0.01, 10);
    long double *kernel = naive_new(order * order, sizeof *kernel);
    what->constant = known_graph_kernel(what, order, weights, kernel);
    store(what, kernel);
    free(kernel);
    free(weights);
}
