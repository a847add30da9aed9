/* SPDX-License-Identifier: MIT
 * Graphs whose matrix A = scale L + shift I, or L with one vertex grounded, is solved with, and A^-1 by
 * another way. */
#ifndef WEFT_TESTS_SOLVE_SUPPORT_H
#define WEFT_TESTS_SOLVE_SUPPORT_H

#include "side/graph/factor.h"
#include "support/dice.h"
#include "support/naive.h"

#include <math.h>

enum { DRAWN_EDGES = 800 };

typedef struct drawn_graph {
    int64_t from[DRAWN_EDGES], to[DRAWN_EDGES];
    double weight[DRAWN_EDGES];
    weft_graph graph;
    weft__laplacian laplacian; /* its null vector is a unit vector */
} drawn_graph;

static bool drawn_graph_has(const drawn_graph *g, int64_t a, int64_t b)
{
    for (int64_t k = 0; k < g->graph.edges; k++)
        if ((g->from[k] == a && g->to[k] == b) || (g->from[k] == b && g->to[k] == a))
            return true;
    return a == b;
}

/* A tree, or a path, and `more` edges per vertex; weights between 1/spread and spread. */
static void drawn_graph_open(dice *d, int64_t n, int more, double spread, drawn_graph *g)
{
    bool path = dice_chance(d, 0.3);
    weft_memory memory = weft__memory_or_default(NULL);
    g->graph = (weft_graph){.vertices = n, .from = g->from, .to = g->to, .weight = g->weight};
    g->graph.normalised = dice_chance(d, 0.4);
    for (int64_t v = 1; v < n + more * n; v++) {
        int64_t a = v < n ? v : dice_below(d, n),
                b = v < n ? (path ? v - 1 : dice_below(d, v)) : dice_below(d, n), k = g->graph.edges;
        if (drawn_graph_has(g, a, b))
            continue;
        g->from[k] = a;
        g->to[k] = b;
        g->weight[k] = dice_log_between(d, 1 / spread, spread);
        g->graph.edges++;
    }
    assert_int_equal(weft__laplacian_build(&g->graph, false, &memory, NULL, &g->laplacian, NULL), WEFT_OK);
    double square = 0;
    for (int64_t i = 0; i < n; i++)
        square += g->laplacian.null[i] * g->laplacian.null[i];
    for (int64_t i = 0; i < n; i++)
        g->laplacian.null[i] /= sqrt(square);
}

/* What A is; without a budget. */
static weft__factor_plan drawn_graph_plan(dice *d, const drawn_graph *g)
{
    bool grounded = dice_chance(d, 0.5);
    return (weft__factor_plan){.laplacian = &g->laplacian,
                               .scale = grounded ? 1 : dice_log_between(d, 0.01, 100),
                               .shift = grounded ? 0 : 1,
                               .grounded = grounded ? dice_below(d, g->graph.vertices) : -1};
}

/* A^-1 in extended precision, by elimination without pivoting; to be freed. */
static long double *drawn_graph_invert(const drawn_graph *g, const weft__factor_plan *plan)
{
    int64_t n = g->graph.vertices;
    double *matrix = naive_new(n * n, sizeof *matrix);
    long double *a = naive_new(n * n, sizeof *a), *inverse = naive_new(n * n, sizeof *inverse);
    weft__laplacian_fill(&g->laplacian, plan->scale, plan->shift, matrix);
    if (plan->grounded >= 0)
        matrix[plan->grounded * (n + 1)] *= 2;
    for (int64_t k = 0; k < n * n; k++) {
        a[k] = matrix[k];
        inverse[k] = k % (n + 1) == 0;
    }
    for (int64_t p = 0; p < n; p++) {
        long double pivot = a[p * n + p];
        for (int64_t j = 0; j < n; j++) {
            a[p * n + j] /= pivot;
            inverse[p * n + j] /= pivot;
        }
        for (int64_t i = 0; i < n; i++) {
            long double f = i == p ? 0 : a[i * n + p];
            for (int64_t j = 0; j < n && f != 0; j++) {
                a[i * n + j] -= f * a[p * n + j];
                inverse[i * n + j] -= f * inverse[p * n + j];
            }
        }
    }
    free(a);
    free(matrix);
    return inverse;
}

/* Vertices 0 to count - 1 in a row. */
static void draw_path(int64_t count, int64_t *from, int64_t *to, weft__laplacian *laplacian)
{
    weft_memory memory = weft__memory_or_default(NULL);
    for (int64_t k = 0; k + 1 < count; k++) {
        from[k] = k;
        to[k] = k + 1;
    }
    weft_graph path = {.vertices = count, .edges = count - 1, .from = from, .to = to};
    assert_int_equal(weft__laplacian_build(&path, true, &memory, NULL, laplacian, NULL), WEFT_OK);
}

#endif
