/* SPDX-License-Identifier: MIT
 *
 * The PDLaplacian of a connected graph: K = L^+ + R_L 11', R_L = max_i L^+_ii.
 *
 * Method.  Vertex 0 is grounded: without its row and column the Laplacian is
 * positive definite.  With G its inverse, bordered by a zero row and column,
 *
 *     L^+ = (I - J) G (I - J),  J = 11'/n,  so  L^+_ij = G_ij - (g_i + g_j)/n + t/n^2,
 *     g = G1,  t = 1'G1.
 *
 * G_ii is the effective resistance between i and vertex 0, so that nothing is
 * larger than the graph makes it.
 *
 * Algorithm.  One n x n array is in turn the weights, the grounded Laplacian,
 * G, L^+ and K.  Weights are scaled by a power of two to below 2, so that
 * degrees cannot overflow; it is exact and taken back at the end.
 *
 * Cost.  O(n^2 + edges) for the components, n^3 for the inverse; n^2 numbers.
 *
 * Reference.  Herbster, Pasteris and Tse, Online Matrix Completion with Side
 * Information, section 2 (PDLaplacian); design of the star that joins
 * components: the first vertex of each to the first vertex of all, weight 1.
 *
 * Failures that concern edge k have at[0] = k; for a repeated edge at[1] is the
 * earlier one.  A disconnected graph has two vertices there. */
#include "side/dense.h"

#include <math.h>

static const weft__side_kind graph_kind = {
    .name = "graph",
    .entry = weft__dense_entry,
    .diagonal = weft__dense_diagonal,
    .column = weft__dense_column,
    .product = NULL,
    .append = weft__dense_append_alone_only,
    .release = weft__dense_release,
};

/* ---- Edges ---- */

static double weight_of(const weft_graph *graph, int64_t k)
{
    return graph->weight != NULL ? graph->weight[k] : 1;
}

static weft_status check_edge(const weft_graph *graph, int64_t k, weft_error *error)
{
    int64_t end[2] = {graph->from[k], graph->to[k]};
    for (int e = 0; e < 2; e++)
        if (end[e] < 0 || end[e] >= graph->vertices)
            return weft__fail_at(error, WEFT_INPUT, k, -1,
                                 "graph: edge %lld has vertex %lld; expected 0 to %lld", (long long)k,
                                 (long long)end[e], (long long)graph->vertices - 1);
    double weight = weight_of(graph, k);
    if (!(weight > 0 && isfinite(weight)))
        return weft__fail_at(error, WEFT_INPUT, k, -1,
                             "graph: edge %lld from %lld to %lld has weight %g; expected a positive number",
                             (long long)k, (long long)end[0], (long long)end[1], weight);
    return WEFT_OK;
}

static weft_status fail_repeated(const weft_graph *graph, int64_t k, weft_error *error)
{
    int64_t a = graph->from[k], b = graph->to[k], first = 0;
    while (!((graph->from[first] == a && graph->to[first] == b) ||
             (graph->from[first] == b && graph->to[first] == a)))
        first++;
    return weft__fail_at(error, WEFT_INPUT, k, first,
                         "graph: edge %lld from %lld to %lld has weight %.17g, but edge %lld gave it %.17g",
                         (long long)k, (long long)a, (long long)b, weight_of(graph, k), (long long)first,
                         weight_of(graph, first));
}

static weft_status read_edges(weft__dense_side *side, const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = graph->vertices;
    for (int64_t k = 0; k < graph->edges; k++) {
        TRY(check_edge(graph, k, error));
        int64_t a = graph->from[k], b = graph->to[k];
        double weight = weight_of(graph, k), before = side->values[a * n + b];
        if (a == b) {
            side->base.loops++;
            continue;
        }
        if (before != 0 && before != weight)
            TRY(fail_repeated(graph, k, error));
        side->values[a * n + b] = side->values[b * n + a] = weight;
    }
done:
    return status;
}

/* ---- Components ---- */

/* Marks everything that has a path to `start`; `stack` has n places. */
static void mark_component(const weft__dense_side *side, int64_t start, bool *seen, int64_t *stack)
{
    int64_t n = side->base.count, depth = 0;
    seen[start] = true;
    stack[depth++] = start;
    while (depth > 0) {
        const double *row = side->values + stack[--depth] * n;
        for (int64_t u = 0; u < n; u++) {
            if (row[u] != 0 && !seen[u]) {
                seen[u] = true;
                stack[depth++] = u;
            }
        }
    }
}

static weft_status connect(weft__dense_side *side, bool join, weft_error *error)
{
    bool *seen = NULL;
    int64_t *stack = NULL;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    int64_t n = side->base.count;
    TRY(weft__new(memory, n, sizeof *seen, &seen, error));
    TRY(weft__new(memory, n, sizeof *stack, &stack, error));
    mark_component(side, 0, seen, stack);
    for (int64_t v = 1; v < n; v++) {
        if (seen[v])
            continue;
        if (!join)
            TRY(weft__fail_at(error, WEFT_INPUT, 0, v,
                              "graph: there is no path between vertices 0 and %lld; connect the graph",
                              (long long)v));
        mark_component(side, v, seen, stack);
        side->values[v] = side->values[v * n] = 1;
        side->base.joined++;
    }
done:
    weft__delete(memory, stack);
    weft__delete(memory, seen);
    return status;
}

/* ---- The pseudo-inverse ---- */

/* The e with 2^e <= largest weight < 2^(e+1). */
static int find_exponent(const weft__dense_side *side)
{
    int exponent = 0;
    double largest = 0;
    int64_t n = side->base.count;
    for (int64_t k = 0; k < n * n; k++)
        largest = fmax(largest, side->values[k]);
    frexp(largest, &exponent);
    return exponent - 1;
}

/* weights -> 2^-e L; row and column 0 included. */
static void make_laplacian(weft__dense_side *side, int exponent)
{
    int64_t n = side->base.count;
    for (int64_t i = 0; i < n; i++) {
        double degree = 0, *row = side->values + i * n;
        for (int64_t j = 0; j < n; j++) {
            row[j] = -ldexp(row[j], -exponent);
            degree -= row[j];
        }
        row[i] = degree;
    }
}

static weft_status invert_grounded(weft__dense_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = side->base.count, pivot = -1;
    TRY(weft__dense_invert(&side->base.memory, side->values + n + 1, n, n - 1, &pivot, error));
    if (pivot >= 0)
        TRY(weft__fail_at(error, WEFT_INPUT, 0, pivot + 1,
                          "graph: the weights differ so much that vertices 0 and %lld are not connected to "
                          "working precision",
                          (long long)(pivot + 1)));
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

/* 2^e L^+ -> K = L^+ + R_L 11'. */
static void add_constant(weft__dense_side *side, int exponent)
{
    int64_t n = side->base.count;
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, side->values[i * n + i]);
    for (int64_t k = 0; k < n * n; k++)
        side->values[k] = ldexp(side->values[k] + largest, -exponent);
    side->base.constant = ldexp(largest, -exponent);
}

static weft_status make_kernel(weft__dense_side *side, weft_error *error)
{
    double *sum = NULL;
    weft_status status = WEFT_OK;
    int exponent = find_exponent(side);
    TRY(weft__new(&side->base.memory, side->base.count, sizeof *sum, &sum, error));
    make_laplacian(side, exponent);
    TRY(invert_grounded(side, error));
    centre(side, sum);
    add_constant(side, exponent);
done:
    weft__delete(&side->base.memory, sum);
    return status;
}

static weft_status check_graph(const weft_graph *graph, weft_error *error)
{
    if (graph->vertices < 2)
        return weft__fail(
            error, WEFT_INPUT,
            "graph: there are %lld vertices; expected 2 or more, for the kernel of a single one "
            "is zero",
            (long long)graph->vertices);
    if (graph->edges < 0 || (graph->edges > 0 && (graph->from == NULL || graph->to == NULL)))
        return weft__fail(error, WEFT_ARGUMENT, "graph: the list of %lld edges is missing",
                          (long long)graph->edges);
    return WEFT_OK;
}

weft_status weft_side_from_graph(const weft_graph *graph, const weft_side_options *options, weft_side **side,
                                 weft_error *error)
{
    weft__dense_side *fresh = NULL;
    weft_status status = WEFT_OK;
    TRY(check_graph(graph, error));
    TRY(weft__dense_create(&graph_kind, graph->vertices, options, &fresh, error));
    TRY(read_edges(fresh, graph, error));
    TRY(connect(fresh, graph->connect, error));
    TRY(make_kernel(fresh, error));
    TRY(weft__side_settle(&fresh->base, options, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
