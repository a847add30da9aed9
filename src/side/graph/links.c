/* SPDX-License-Identifier: MIT
 *
 * Method     Vertex l is near vertex i by the weight of their edge, and by every way of two edges i - j - l,
 *            which counts w_ij w_jl / d_j with d_j the sum of the weights at j: what a step from i, and one
 *            more at random, brings there.  The nearest are kept, their weights over the largest.
 *            Of a vertex with many edges only SPREAD are walked, evenly spread over its neighbours, so that
 *            hubs cost no more than others.
 * Cost       O(edges + vertices SPREAD^2), 192 bytes a vertex. */
#include "side/graph/links.h"

#include "side/graph/laplacian.h"

enum { SPREAD = 64, LINKS = WEFT__LINKS };

/* Sums by vertex, zero but for those reached. */
typedef struct walk {
    const weft__laplacian *graph;
    double *sum;
    int32_t *reached; /* SPREAD^2 + SPREAD at most */
    int64_t count;
    int64_t steps; /* so far */
} walk;

typedef struct candidate {
    int32_t id;
    double weight;
} candidate;

static void reach(walk *w, int32_t vertex, double weight)
{
    if (w->sum[vertex] == 0)
        w->reached[w->count++] = vertex;
    w->sum[vertex] += weight;
}

/* Edges of vertex i that are walked, and the place of number k of them. */
static int64_t walked(const weft__laplacian *graph, int64_t i)
{
    int64_t degree = graph->start[i + 1] - graph->start[i];
    return degree < SPREAD ? degree : SPREAD;
}

static int64_t place_of(const weft__laplacian *graph, int64_t i, int64_t k)
{
    int64_t degree = graph->start[i + 1] - graph->start[i];
    return graph->start[i] + (degree <= SPREAD ? k : k * degree / SPREAD);
}

static void walk_from(walk *w, int64_t i)
{
    const weft__laplacian *graph = w->graph;
    w->count = 0;
    for (int64_t a = 0; a < walked(graph, i); a++) {
        int64_t first = place_of(graph, i, a), j = graph->to[first];
        /* What vanishes beside the largest weight is no edge. */
        if (graph->weight[first] == 0)
            continue;
        double share = graph->weight[first] / graph->diagonal[j];
        reach(w, (int32_t)j, graph->weight[first]);
        w->steps += 1 + walked(graph, j);
        for (int64_t b = 0; b < walked(graph, j); b++) {
            int64_t second = place_of(graph, j, b);
            if (graph->to[second] != i && graph->weight[second] > 0)
                reach(w, graph->to[second], share * graph->weight[second]);
        }
    }
}

static bool is_nearer(const candidate *a, const candidate *b)
{
    return a->weight > b->weight || (a->weight == b->weight && a->id < b->id);
}

/* The nearest of those reached, in order; all sums are zero again. */
static int64_t choose(walk *w, candidate nearest[LINKS])
{
    int64_t count = 0;
    for (int64_t k = 0; k < w->count; k++) {
        candidate one = {w->reached[k], w->sum[w->reached[k]]};
        w->sum[one.id] = 0;
        if (count == LINKS && !is_nearer(&one, &nearest[LINKS - 1]))
            continue;
        int64_t at = count < LINKS ? count++ : LINKS - 1;
        for (; at > 0 && is_nearer(&one, &nearest[at - 1]); at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = one;
    }
    return count;
}

/* A weight that is nothing beside the largest is left out. */
static void keep(weft__links *links, int64_t i, const candidate *nearest, int64_t count)
{
    int64_t end = links->start[i];
    for (int64_t k = 0; k < count; k++) {
        float weight = (float)(nearest[k].weight / nearest[0].weight);
        if (weight > 0)
            links->list[end++] = (weft__link){nearest[k].id, weight};
    }
    links->start[i + 1] = end;
}

static weft_status find_all(walk *w, weft__links *links, weft__progress *progress, weft_error *error)
{
    /* Of a step, which finds nothing in the cache, and of the choice, in multiplications. */
    enum { VISIT = 64 };
    weft_status status = WEFT_OK;
    weft__progress_begin(progress, "the neighbours in a graph", 0);
    for (int64_t i = 0; i < links->vertices; i++) {
        candidate nearest[LINKS];
        w->steps = 1;
        walk_from(w, i);
        keep(links, i, nearest, choose(w, nearest));
        weft__progress_expect(progress, (double)i / (double)links->vertices);
        TRY(weft__progress_step(progress, VISIT * (double)w->steps, error));
    }
done:
    return status;
}

weft_status weft__links_build(const weft_graph *graph, const weft_memory *memory, weft__progress *progress,
                              weft__links *links, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_graph plain = *graph;
    weft__laplacian laplacian = {.memory = *memory};
    walk w = {.graph = &laplacian};
    plain.normalised = false;
    TRY(weft__laplacian_build(&plain, false, memory, progress, &laplacian, error));
    links->vertices = graph->vertices;
    TRY(weft__new(memory, links->vertices + 1, sizeof *links->start, &links->start, error));
    TRY(weft__new_unset(memory, links->vertices * LINKS, sizeof *links->list, &links->list, error));
    TRY(weft__new(memory, links->vertices, sizeof *w.sum, &w.sum, error));
    TRY(weft__new(memory, SPREAD * (SPREAD + 1), sizeof *w.reached, &w.reached, error));
    TRY(find_all(&w, links, progress, error));
done:
    weft__delete(memory, w.sum);
    weft__delete(memory, w.reached);
    weft__laplacian_free(&laplacian);
    return status;
}

void weft__side_free_graph(weft_side *side)
{
    if (side->graph == NULL)
        return;
    weft__delete(&side->memory, side->graph->links.start);
    weft__delete(&side->memory, side->graph->links.list);
    weft__delete(&side->memory, side->graph);
}

const weft__link *weft__side_links(const weft_side *side, int64_t i, int64_t *count)
{
    while (side->inner != NULL)
        side = side->inner;
    *count = 0;
    if (side->graph == NULL || side->graph->links.list == NULL)
        return NULL;
    const weft__links *links = &side->graph->links;
    bool vertex = i < links->vertices;
    *count = vertex ? links->start[i + 1] - links->start[i] : 0;
    return vertex ? links->list + links->start[i] : links->list;
}
