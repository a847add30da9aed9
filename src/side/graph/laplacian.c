/* SPDX-License-Identifier: MIT
 *
 * From a list of edges to a sparse Laplacian.
 *
 * Method.  Compressed rows.  Every edge is put into the rows of both its ends in the order of the list;
 * transposing that once sorts every row by neighbour, and leaves repetitions side by side in that order.
 *
 * Cost.  O(vertices + edges), twice where components are joined.
 *
 * Reference.  Gustavson, Two fast algorithms for sparse matrices, ACM Trans. Math. Softw. 4 (1978), for
 * sorting by transposition; design of the star that joins components: the first vertex of each to the first
 * vertex of all, weight 1. */
#include "side/graph/laplacian.h"

#include <math.h>

/* ---- Edges ---- */

/* Every so many edges the caller is asked whether to go on.  One that is read in its order takes as long as
 * PASS multiplications, one that is looked up, which finds nothing in the cache, as VISIT. */
enum { BLOCK = 1 << 14, PASS = 8, VISIT = 128 };

/* Counts the edges before number k. */
static bool goes_on(const weft__laplacian *laplacian, int64_t k, double each)
{
    return k % BLOCK != 0 || weft__progress_add(laplacian->progress, BLOCK * each);
}

/* Counts those of vertex i. */
static bool goes_on_row(const weft__laplacian *laplacian, int64_t i, double each)
{
    return weft__progress_add(laplacian->progress,
                              each * (double)(1 + laplacian->start[i + 1] - laplacian->start[i]));
}

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

static weft_status check_graph(const weft_graph *graph, const weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (graph->vertices > INT32_MAX)
        return weft__fail(error, WEFT_INPUT, "graph: there are %lld vertices; expected at most %lld",
                          (long long)graph->vertices, (long long)INT32_MAX);
    if (graph->edges < 0)
        return weft__fail(error, WEFT_ARGUMENT, "graph: there are %lld edges; expected 0 or more",
                          (long long)graph->edges);
    if (graph->edges > UINT32_MAX)
        return weft__fail(error, WEFT_INPUT, "graph: there are %lld edges; expected at most %lld",
                          (long long)graph->edges, (long long)UINT32_MAX);
    for (int64_t k = 0; k < graph->edges && goes_on(laplacian, k, PASS); k++)
        TRY(check_edge(graph, k, error));
    TRY(weft__progress_check(laplacian->progress, error));
done:
    return status;
}

static weft_status fail_repeated(const weft_graph *graph, int64_t k, int64_t first, weft_error *error)
{
    return weft__fail_at(error, WEFT_INPUT, k, first,
                         "graph: edge %lld from %lld to %lld has weight %.17g, but edge %lld gave it %.17g",
                         (long long)k, (long long)graph->from[k], (long long)graph->to[k],
                         weight_of(graph, k), (long long)first, weight_of(graph, first));
}

/* ---- Rows ---- */

/* An edge in the row of one of its ends. */
typedef struct end {
    int32_t to;
    uint32_t edge;
} end;

/* laplacian->start, and how many self-loops there are. */
static void count_ends(const weft_graph *graph, weft__laplacian *laplacian)
{
    int64_t *start = laplacian->start;
    for (int64_t k = 0; k < graph->edges && goes_on(laplacian, k, VISIT); k++) {
        if (graph->from[k] == graph->to[k]) {
            laplacian->loops++;
            continue;
        }
        start[graph->from[k] + 1]++;
        start[graph->to[k] + 1]++;
    }
    for (int64_t i = 0; i < laplacian->count; i++)
        start[i + 1] += start[i];
}

static void restart(const weft__laplacian *laplacian, int64_t *next)
{
    for (int64_t i = 0; i < laplacian->count; i++)
        next[i] = laplacian->start[i];
}

/* Rows in the order of the edges, then, transposed, in the order of neighbours. */
static void sort_ends(const weft_graph *graph, const weft__laplacian *laplacian, int64_t *next, end *rows,
                      end *sorted)
{
    restart(laplacian, next);
    for (int64_t k = 0; k < graph->edges && goes_on(laplacian, k, VISIT); k++) {
        int64_t a = graph->from[k], b = graph->to[k];
        if (a == b)
            continue;
        rows[next[a]++] = (end){(int32_t)b, (uint32_t)k};
        rows[next[b]++] = (end){(int32_t)a, (uint32_t)k};
    }
    restart(laplacian, next);
    for (int64_t i = 0; i < laplacian->count && goes_on_row(laplacian, i, VISIT); i++)
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++)
            sorted[next[rows[e].to]++] = (end){(int32_t)i, rows[e].edge};
}

/* Every neighbour once.  *wrong is the first edge that repeats one with another
 * weight, *first that one, or -1. */
static void keep_one(const weft_graph *graph, weft__laplacian *laplacian, const end *sorted, int64_t *wrong,
                     int64_t *first)
{
    int64_t kept = 0, from = 0, before = -1;
    double each = graph->weight != NULL ? VISIT : PASS;
    *wrong = *first = -1;
    for (int64_t i = 0; i < laplacian->count; i++) {
        int64_t until = laplacian->start[i + 1];
        if (!weft__progress_add(laplacian->progress, each * (double)(1 + until - from)))
            return;
        laplacian->start[i] = kept;
        for (int64_t e = from; e < until; e++) {
            bool again = e > from && sorted[e].to == sorted[e - 1].to;
            double weight = weight_of(graph, sorted[e].edge);
            before = again ? before : sorted[e].edge;
            if (again && weight != weight_of(graph, before) && (*wrong < 0 || sorted[e].edge < *wrong)) {
                *wrong = sorted[e].edge;
                *first = before;
            }
            if (again)
                continue;
            laplacian->to[kept] = sorted[e].to;
            laplacian->weight[kept++] = weight;
        }
        from = until;
    }
    laplacian->start[laplacian->count] = kept;
}

/* Of the rows, once it is known how many ends of edges they have. */
static weft_status make_rows(weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t ends = laplacian->start[laplacian->count];
    TRY(weft__new_unset(&laplacian->memory, ends, sizeof *laplacian->to, &laplacian->to, error));
    TRY(weft__new_unset(&laplacian->memory, ends, sizeof *laplacian->weight, &laplacian->weight, error));
done:
    return status;
}

static weft_status read_edges(const weft_graph *graph, weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &laplacian->memory;
    int64_t *next = NULL, wrong = -1, first = -1, n = graph->vertices;
    end *rows = NULL, *sorted = NULL;
    TRY(check_graph(graph, laplacian, error));
    laplacian->count = n;
    TRY(weft__new(memory, n + 1, sizeof *laplacian->start, &laplacian->start, error));
    count_ends(graph, laplacian);
    TRY(weft__progress_check(laplacian->progress, error));
    int64_t ends = laplacian->start[n];
    TRY(weft__new(memory, n, sizeof *next, &next, error));
    TRY(weft__new_unset(memory, ends, sizeof *rows, &rows, error));
    TRY(weft__new_unset(memory, ends, sizeof *sorted, &sorted, error));
    TRY(make_rows(laplacian, error));
    sort_ends(graph, laplacian, next, rows, sorted);
    TRY(weft__progress_check(laplacian->progress, error));
    keep_one(graph, laplacian, sorted, &wrong, &first);
    TRY(weft__progress_check(laplacian->progress, error));
    if (wrong >= 0)
        TRY(fail_repeated(graph, wrong, first, error));
done:
    weft__delete(memory, sorted);
    weft__delete(memory, rows);
    weft__delete(memory, next);
    return status;
}

/* ---- Components ---- */

/* Marks everything that has a path to `start`; `stack` has as many places as there
 * are vertices. */
static void mark_component(const weft__laplacian *laplacian, int64_t from, bool *seen, int32_t *stack)
{
    int64_t depth = 0;
    seen[from] = true;
    stack[depth++] = (int32_t)from;
    while (depth > 0) {
        int64_t i = stack[--depth];
        if (!goes_on_row(laplacian, i, VISIT))
            return;
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++) {
            if (!seen[laplacian->to[e]]) {
                seen[laplacian->to[e]] = true;
                stack[depth++] = laplacian->to[e];
            }
        }
    }
}

/* first[0..components) is the first vertex of each component, rising. */
static weft_status find_components(weft__laplacian *laplacian, int32_t *first, weft_error *error)
{
    bool *seen = NULL;
    int32_t *stack = NULL;
    weft_status status = WEFT_OK;
    int64_t n = laplacian->count;
    TRY(weft__new(&laplacian->memory, n, sizeof *seen, &seen, error));
    TRY(weft__new(&laplacian->memory, n, sizeof *stack, &stack, error));
    laplacian->components = 0;
    for (int64_t i = 0; i < n && !weft__progress_stopped(laplacian->progress); i++) {
        if (seen[i])
            continue;
        first[laplacian->components++] = (int32_t)i;
        mark_component(laplacian, i, seen, stack);
    }
    TRY(weft__progress_check(laplacian->progress, error));
done:
    weft__delete(&laplacian->memory, stack);
    weft__delete(&laplacian->memory, seen);
    return status;
}

/* Drops the rows; counts stay. */
static void drop_rows(weft__laplacian *laplacian)
{
    weft__delete(&laplacian->memory, laplacian->start);
    weft__delete(&laplacian->memory, laplacian->to);
    weft__delete(&laplacian->memory, laplacian->weight);
    laplacian->start = NULL;
    laplacian->to = NULL;
    laplacian->weight = NULL;
}

/* The list with an edge of weight 1 from vertex 0 to first[1], first[2], ... */
static weft_status read_joined(const weft_graph *graph, const int32_t *first, weft__laplacian *laplacian,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &laplacian->memory;
    int64_t more = laplacian->components - 1, all = graph->edges + more;
    int64_t *from = NULL, *to = NULL;
    double *weight = NULL;
    TRY(weft__new_unset(memory, all, sizeof *from, &from, error));
    TRY(weft__new_unset(memory, all, sizeof *to, &to, error));
    TRY(weft__new_unset(memory, all, sizeof *weight, &weight, error));
    for (int64_t k = 0; k < all && goes_on(laplacian, k, PASS); k++) {
        bool given = k < graph->edges;
        from[k] = given ? graph->from[k] : 0;
        to[k] = given ? graph->to[k] : first[1 + k - graph->edges];
        weight[k] = given ? weight_of(graph, k) : 1;
    }
    TRY(weft__progress_check(laplacian->progress, error));
    weft_graph joined = {.vertices = graph->vertices, .edges = all, .from = from, .to = to, .weight = weight};
    drop_rows(laplacian);
    laplacian->loops = 0;
    laplacian->joined = more;
    TRY(read_edges(&joined, laplacian, error));
done:
    weft__delete(memory, weight);
    weft__delete(memory, to);
    weft__delete(memory, from);
    return status;
}

static weft_status connect(const weft_graph *graph, bool join, weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    int32_t *first = NULL;
    TRY(weft__new(&laplacian->memory, laplacian->count, sizeof *first, &first, error));
    TRY(find_components(laplacian, first, error));
    if (join && laplacian->components > 1 && !graph->connect)
        TRY(weft__fail_at(error, WEFT_INPUT, 0, first[1],
                          "graph: there is no path between vertices 0 and %lld; connect the graph",
                          (long long)first[1]));
    if (join && laplacian->components > 1)
        TRY(read_joined(graph, first, laplacian, error));
done:
    weft__delete(&laplacian->memory, first);
    return status;
}

/* ---- Values ---- */

/* Weights to below 2: 2^e <= largest weight < 2^(e+1). */
static void scale_weights(weft__laplacian *laplacian)
{
    int64_t ends = laplacian->start[laplacian->count];
    double largest = 0;
    for (int64_t e = 0; e < ends && goes_on(laplacian, e, PASS); e++)
        largest = fmax(largest, laplacian->weight[e]);
    frexp(largest, &laplacian->exponent);
    laplacian->exponent--;
    for (int64_t e = 0; e < ends && goes_on(laplacian, e, PASS); e++)
        laplacian->weight[e] = ldexp(laplacian->weight[e], -laplacian->exponent);
}

static void sum_degrees(weft__laplacian *laplacian)
{
    for (int64_t i = 0; i < laplacian->count && goes_on_row(laplacian, i, PASS); i++) {
        double degree = 0;
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++)
            degree += laplacian->weight[e];
        laplacian->diagonal[i] = degree;
        laplacian->null[i] = 1;
    }
}

/* w / sqrt(d_i d_j), the same for (i,j) and (j,i); 0 where scaling made w vanish. */
static double normal_weight(double weight, double root_i, double root_j)
{
    return weight > 0 ? weight / fmax(root_i, root_j) / fmin(root_i, root_j) : 0;
}

static void normalise(weft__laplacian *laplacian)
{
    for (int64_t i = 0; i < laplacian->count; i++)
        laplacian->null[i] = sqrt(laplacian->diagonal[i]);
    for (int64_t i = 0; i < laplacian->count && goes_on_row(laplacian, i, VISIT); i++) {
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++)
            laplacian->weight[e] =
                normal_weight(laplacian->weight[e], laplacian->null[i], laplacian->null[laplacian->to[e]]);
        laplacian->diagonal[i] = laplacian->diagonal[i] > 0;
    }
    laplacian->exponent = 0;
    laplacian->normalised = true;
}

weft_status weft__laplacian_build(const weft_graph *graph, bool join, const weft_memory *memory,
                                  weft__progress *progress, weft__laplacian *laplacian, weft_error *error)
{
    weft_status status = WEFT_OK;
    *laplacian = (weft__laplacian){.memory = *memory, .progress = progress};
    weft__progress_begin(progress, "the Laplacian of a graph", 0);
    TRY(read_edges(graph, laplacian, error));
    TRY(connect(graph, join, laplacian, error));
    TRY(weft__new(memory, laplacian->count, sizeof(double), &laplacian->diagonal, error));
    TRY(weft__new(memory, laplacian->count, sizeof(double), &laplacian->null, error));
    scale_weights(laplacian);
    sum_degrees(laplacian);
    if (graph->normalised)
        normalise(laplacian);
    TRY(weft__progress_check(progress, error));
done:
    laplacian->progress = NULL;
    return status;
}

void weft__laplacian_free(weft__laplacian *laplacian)
{
    drop_rows(laplacian);
    weft__delete(&laplacian->memory, laplacian->diagonal);
    weft__delete(&laplacian->memory, laplacian->null);
    *laplacian = (weft__laplacian){.memory = laplacian->memory};
}

double weft__laplacian_bound(const weft__laplacian *laplacian)
{
    double largest = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        largest = fmax(largest, laplacian->diagonal[i]);
    return largest > 0 ? 2 * largest : 1;
}

void weft__laplacian_fill(const weft__laplacian *laplacian, double a, double b, double *out)
{
    int64_t n = laplacian->count;
    for (int64_t i = 0; i < n; i++) {
        double *row = out + i * n;
        for (int64_t j = 0; j < n; j++)
            row[j] = 0;
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++)
            row[laplacian->to[e]] = -a * laplacian->weight[e];
        row[i] = a * laplacian->diagonal[i] + b;
    }
}
