/* SPDX-License-Identifier: MIT
 *
 * Fuzzes kernels of graphs, stored, factored and iterated.  Bytes of the input: vertices, kernel and
 * Laplacian and scale, the exponent of its parameter, then four an edge: two ends and an exponent and
 * digits of its weight.  All ways fail alike or make the same kernel, symmetric and within its radius,
 * and so are the features of a few eigenvectors where they are found.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-graph -max_total_time=60 WORK fuzz/seeds/graph */
#include "fuzz.h"

#include "side/side.h"

#include <float.h>

enum { MOST_VERTICES = 10, MOST_EDGES = 40, HEAD = 3, BYTES_AN_EDGE = 4 };

typedef struct drawn {
    int64_t from[MOST_EDGES], to[MOST_EDGES];
    double weight[MOST_EDGES];
    weft_graph graph;
} drawn;

static void read_graph(const uint8_t *data, size_t size, drawn *g)
{
    weft_graph *graph = &g->graph;
    *graph = (weft_graph){.vertices = data[0] % (MOST_VERTICES + 1), .from = g->from, .to = g->to};
    graph->weight = g->weight;
    graph->kernel = (weft_graph_kernel)(data[1] % 4);
    graph->normalised = (data[1] & 16) != 0;
    graph->unit = (data[1] & 32) != 0;
    graph->connect = (data[1] & 64) != 0;
    graph->parameter = exp2((double)(int8_t)data[2] / 4);
    for (size_t at = HEAD; at + BYTES_AN_EDGE <= size && graph->edges < MOST_EDGES; at += BYTES_AN_EDGE) {
        int64_t k = graph->edges++;
        /* One vertex too many, so that this error is met. */
        g->from[k] = data[at] % (graph->vertices + 1);
        g->to[k] = data[at + 1] % (graph->vertices + 1);
        g->weight[k] = ldexp(1 + data[at + 3] / 256.0, (int8_t)data[at + 2]);
    }
}

/* `how` the kernel of a graph is made; no factor fits into a budget of one byte. */
static weft_status make(const drawn *g, weft_side_options how, weft_side **side)
{
    weft_graph graph = g->graph;
    weft_error error = {0};
    weft_status status = weft_side_from_graph(&graph, &how, side, &error);
    require(status == WEFT_OK || (error.status == status && error.message[0] != 0));
    return status;
}

/* Weights that differ by more than this leave a degree, the sum of some, without the digits of others. */
static const double widest = 0x1p20;

/* |phi|^2 is at most K(i,i), and with hashing it is just that, but for what a product with a nearly
 * singular matrix leaves open. */
static void check_map(const drawn *g, weft_side_options how)
{
    double phi[8];
    weft_side *side = NULL;
    if (make(g, how, &side) != WEFT_OK)
        return;
    require(weft_side_dimension(side) == how.map->eigen + how.map->hash);
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        double square = 0, own = weft_side_entry(side, i, i);
        double allowed = (1e-9 + DBL_EPSILON * side->blur) * weft_side_radius(side);
        require(weft_side_features(side, i, phi, NULL) == WEFT_OK);
        for (int64_t k = 0; k < weft_side_dimension(side); k++)
            square += phi[k] * phi[k];
        require(isfinite(square) && square <= own + allowed);
        require(how.map->hash == 0 || square >= own - allowed);
    }
    weft_side_free(side);
}

static bool is_even(const drawn *g)
{
    double least = INFINITY, largest = 1;
    for (int64_t k = 0; k < g->graph.edges; k++) {
        least = fmin(least, g->weight[k]);
        largest = fmax(largest, g->weight[k]);
    }
    return largest <= widest * fmin(least, 1);
}

static void compare(const weft_side *dense, const weft_side *sparse)
{
    double allowed = 64 * widest * DBL_EPSILON * (1 + sparse->blur) * weft_side_radius(sparse);
    for (int64_t i = 0; i < weft_side_count(dense); i++)
        for (int64_t j = 0; j <= i; j++)
            require(fabs(weft_side_entry(dense, i, j) - weft_side_entry(sparse, i, j)) <= allowed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    drawn g;
    weft_side *dense = NULL;
    if (size < HEAD)
        return 0;
    weft_map map = {.eigen = 1 + data[0] % 4, .hash = data[1] & 3};
    read_graph(data, size, &g);
    bool even = is_even(&g);
    if (make(&g, (weft_side_options){.graph_path = WEFT_GRAPH_DENSE}, &dense) == WEFT_OK)
        check_side(dense);
    check_map(&g, (weft_side_options){.graph_path = WEFT_GRAPH_DENSE, .map = &map});
    for (int64_t budget = 0; budget < 2; budget++) {
        weft_side *sparse = NULL;
        if (make(&g, (weft_side_options){.graph_path = WEFT_GRAPH_SPARSE, .graph_budget = budget}, &sparse) ==
            WEFT_OK)
            check_side(sparse);
        if (dense != NULL && sparse != NULL && even)
            compare(dense, sparse);
        weft_side_free(sparse);
        if (even)
            check_map(&g, (weft_side_options){
                              .graph_path = WEFT_GRAPH_SPARSE, .graph_budget = budget, .map = &map});
    }
    weft_side_free(dense);
    return 0;
}
