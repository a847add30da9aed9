/* SPDX-License-Identifier: MIT
 *
 * Kernels of a graph: checks, and the way from edges to a side.  What they are is
 * said in weft.h; how they are made, in dense_graph.c and sparse_graph.c. */
#include "side/graph/graph.h"
#include "side/graph/links.h"

#include <float.h>
#include <math.h>

static const weft__side_ops graph_ops = {
    .name = "graph",
    .entry = weft__dense_entry,
    .diagonal = weft__dense_diagonal,
    .column = weft__dense_column,
    .product = NULL,
    .append = weft__dense_append_alone_only,
    .release = weft__dense_release,
};

static weft_status check_parameter(const weft_graph *graph, weft_error *error)
{
    const char *name = graph->kernel == WEFT_REGULARISED ? "sigma" : "time";
    if (graph->kernel == WEFT_PDLAPLACIAN || graph->kernel == WEFT_NO_KERNEL)
        return WEFT_OK;
    if (graph->kernel != WEFT_REGULARISED && graph->kernel != WEFT_DIFFUSION)
        return weft__fail(error, WEFT_ARGUMENT, "graph: kernel %d is not known", (int)graph->kernel);
    if (!(graph->parameter > 0 && isfinite(graph->parameter)))
        return weft__fail(error, WEFT_ARGUMENT, "graph: %s is %g; expected a positive number", name,
                          graph->parameter);
    return WEFT_OK;
}

static weft_status check_vertices(const weft_graph *graph, weft_error *error)
{
    if (graph->vertices < 1)
        return weft__fail(error, WEFT_INPUT, "graph: there are %lld vertices; expected 1 or more",
                          (long long)graph->vertices);
    if (graph->vertices < 2 && graph->kernel == WEFT_PDLAPLACIAN)
        return weft__fail(
            error, WEFT_INPUT,
            "graph: there are %lld vertices; expected 2 or more, for the kernel of a single one "
            "is zero",
            (long long)graph->vertices);
    return WEFT_OK;
}

weft_status weft__graph_check_scale(const weft_graph *graph, int64_t i, double own, double reach,
                                    weft_error *error)
{
    const double digits = 16 * DBL_EPSILON;
    if (own >= digits * reach)
        return WEFT_OK;
    return weft__fail_at(
        error, WEFT_INPUT, i, i,
        "graph: after time %g vertex %lld keeps %.3g of itself, which is rounding and cannot "
        "be scaled to 1; take a shorter time, or leave the scale",
        graph->parameter, (long long)i, own);
}

/* What is known of the graph whatever its kernel. */
static weft_status describe(weft_side *side, const weft_graph *graph, const weft_graph_facts *facts,
                            weft_error *error)
{
    bool pdlaplacian = graph->kernel == WEFT_PDLAPLACIAN;
    weft_status status = WEFT_OK;
    TRY(weft__new(&side->memory, 1, sizeof *side->graph, &side->graph, error));
    side->graph->facts = *facts;
    side->graph->facts.no_kernel = graph->kernel == WEFT_NO_KERNEL;
    side->graph->facts.is_paper = pdlaplacian && !graph->normalised && !graph->unit;
    bool bare = graph->kernel == WEFT_NO_KERNEL;
    if (pdlaplacian || bare || side->blur > 0)
        TRY(weft__links_build(graph, &side->memory, side->progress, &side->graph->links, error));
    /* All eigenvalues of (I + sigma L)^-1 and exp(-tL) are at most 1. */
    side->supremum = !pdlaplacian || graph->unit ? 1 : 0;
    side->uniform = graph->unit || bare;
done:
    return status;
}

static weft_status make_dense(const weft_graph *graph, const weft_side_options *options,
                              const weft__laplacian *laplacian, weft_side **side, weft_error *error)
{
    weft__dense_side *fresh = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__dense_create(&graph_ops, laplacian->count, options, &fresh, error));
    TRY(weft__graph_fill(fresh, graph, laplacian, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}

static bool is_dense(const weft_graph *graph, const weft_side_options *options)
{
    if (options == NULL || options->graph_path == WEFT_GRAPH_BY_SIZE)
        return graph->vertices <= WEFT__GRAPH_DENSE_LIMIT;
    return options->graph_path == WEFT_GRAPH_DENSE;
}

static weft_status check_pointers(const weft_graph *graph, weft_side **side, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(graph);
    NEED(side);
    if (graph->edges > 0) {
        NEED(graph->from);
        NEED(graph->to);
    }
done:
    return status;
}

weft_status weft_side_from_graph(const weft_graph *graph, const weft_side_options *options, weft_side **side,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_side *fresh = NULL;
    weft_memory memory = weft__memory_or_default(options != NULL ? options->memory : NULL);
    weft__laplacian laplacian = {.memory = memory};
    weft__progress progress = weft__progress_of(options != NULL ? &options->progress : NULL);
    TRY(check_pointers(graph, side, error));
    TRY(check_parameter(graph, error));
    TRY(check_vertices(graph, error));
    TRY(weft__laplacian_build(graph, graph->kernel == WEFT_PDLAPLACIAN, &memory, &progress, &laplacian,
                              error));
    weft_graph_facts facts = {
        .joined = laplacian.joined, .loops = laplacian.loops, .components = laplacian.components};
    if (graph->kernel == WEFT_NO_KERNEL)
        TRY(weft__graph_make_edges(graph->vertices, options, &fresh, error));
    else if (is_dense(graph, options))
        TRY(make_dense(graph, options, &laplacian, &fresh, error));
    else
        TRY(weft__graph_make_sparse(graph, options, &laplacian, &facts, &fresh, error));
    TRY(describe(fresh, graph, &facts, error));
    TRY(weft__side_settle(fresh, options, error));
    *side = fresh;
    fresh = NULL;
done:
    weft_side_free(fresh);
    weft__laplacian_free(&laplacian);
    return status;
}

weft_status weft__graph_check_connected(const weft_graph *graph, const weft_side_options *options,
                                        weft_error *error)
{
    weft_memory memory = weft__memory_or_default(options->memory);
    weft__laplacian laplacian = {.memory = memory};
    weft__progress progress = weft__progress_of(&options->progress);
    weft_graph as_given = *graph;
    as_given.connect = false;
    weft_status status = weft__laplacian_build(&as_given, true, &memory, &progress, &laplacian, error);
    weft__laplacian_free(&laplacian);
    return status;
}

/* ---- What is told of a graph ---- */

weft_graph_facts weft_side_graph(const weft_side *side)
{
    while (side != NULL && side->inner != NULL)
        side = side->inner;
    return side != NULL && side->graph != NULL ? side->graph->facts : (weft_graph_facts){0};
}
