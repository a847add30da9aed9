/* SPDX-License-Identifier: MIT
 *
 * Method.  The kinds whose kernel is an inverse: K = M^-1 by elimination, and
 * K = L^+ + R_L 11' by the judge's own eigensolver, in extended precision. */
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

/* K = L^+ + R_L 11' from the weights. */
static void fill_pdlaplacian(known *what, const double *weights)
{
    int64_t order = what->listed;
    long double *laplacian = naive_new(order * order, sizeof *laplacian);
    long double *plus = naive_new(order * order, sizeof *plus);
    long double *vectors = naive_new(order * order, sizeof *vectors);
    long double *values = naive_new(order, sizeof *values), widest = 0;
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) {
            laplacian[i * order + j] -= weights[i * order + j];
            laplacian[i * order + i] += weights[i * order + j];
        }
    naive_eigen(order, laplacian, values, vectors);
    for (int64_t k = 0; k < order; k++)
        for (int64_t i = 0; i < order * order && values[k] > 1e-12L; i++)
            plus[i] += vectors[k * order + i / order] * vectors[k * order + i % order] / values[k];
    for (int64_t i = 0; i < order; i++)
        widest = fmaxl(widest, plus[i * order + i]);
    for (int64_t i = 0; i < order * order; i++)
        plus[i] += widest;
    what->constant = (double)widest;
    store(what, plus);
    free(laplacian);
    free(plus);
    free(vectors);
    free(values);
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
    join(order, weights);
    fill_pdlaplacian(what, weights);
    free(weights);
}
