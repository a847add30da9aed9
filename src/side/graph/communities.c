/* SPDX-License-Identifier: MIT
 *
 * Method     Greedy modularity, level by level.  Every vertex begins as a community of its own, and goes
 *            where it adds most to the modularity
 *
 *                sum_c (weight inside c) / m  -  (degree of c / 2m)^2,   2m the sum of all degrees,
 *
 *            that is to the community c with the largest w_ic - k_i d_c / 2m: w_ic the weight of its edges to
 *            c, k_i its degree, d_c the degree of c without it.  Of equals it stays, or takes the one that it
 *            met first.  When hardly a vertex moves any more the communities become the vertices of a smaller
 *            graph, whose own edges count as loops, until nothing is joined.  Where it ends depends on the
 *            order in which vertices move; so it is done in several orders, drawn from a fixed seed, and the
 *            partition of the largest modularity is kept: TRIES, fewer of large graphs.
 *            Of more than LARGE vertices many move wrongly on the first levels, and communities are joined
 *            that are two.  There single vertices move once more after every level, and the second term
 *            counts FINE times until nothing is joined, which leaves too many communities, then once.
 * Algorithm  w_ic of all communities next to i by a list of those met and an array by community that is zero
 *            elsewhere.  Edges of the smaller graph in the same way, from the vertices of every community.
 * Cost       O(edges) a pass, at most PASSES a level, and levels shrink; TRIES of that or as many as ENDS
 *            allows, at least one.  24 bytes an end of an edge, 36 where levels hardly shrink.
 * Reference  Blondel, Guillaume, Lambiotte and Lefebvre, Fast unfolding of communities in large networks,
 *            J. Stat. Mech. P10008 (2008). */
#include "side/graph/communities.h"

#include "base/random.h"
#include "side/graph/laplacian.h"

#include <math.h>
#include <string.h>

/* Passes of a level, and the share of vertices (one of so many) below whose moves it ends. */
enum { PASSES = 16, FEW = 1000 };

/* Tries, and the ends of edges that all of them together may begin with. */
enum { TRIES = 8, ENDS = 10000000 };

static const uint64_t SEED = 1;
enum { LARGE = 4000 };
static const double FINE = 1.5;

/* A graph of one level.  Edges to itself are in degree[] alone. */
typedef struct level {
    int64_t count;
    int64_t *start;
    int32_t *to;
    double *weight, *degree;
} level;

typedef struct search {
    weft_memory memory;
    weft__progress *progress;
    double all;        /* 2m */
    double resolution; /* what the expected weight counts for */
    uint64_t draws;    /* of the orders so far */
    int32_t *order;    /* in which the vertices of the level move */
    int32_t *of;       /* the community of a vertex of the level */
    double *total;     /* degree of a community */
    double *sum;       /* by community, zero but for those met */
    int32_t *met;
    int64_t met_count;
} search;

static bool is_large(const level *graph)
{
    return graph->count > LARGE;
}

static void free_level(const search *s, level *graph)
{
    weft__delete(&s->memory, graph->start);
    weft__delete(&s->memory, graph->to);
    weft__delete(&s->memory, graph->weight);
    weft__delete(&s->memory, graph->degree);
    *graph = (level){0};
}

static weft_status new_level(const search *s, int64_t count, int64_t ends, level *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    graph->count = count;
    TRY(weft__new(&s->memory, count + 1, sizeof *graph->start, &graph->start, error));
    TRY(weft__new_unset(&s->memory, ends, sizeof *graph->to, &graph->to, error));
    TRY(weft__new_unset(&s->memory, ends, sizeof *graph->weight, &graph->weight, error));
    TRY(weft__new(&s->memory, count, sizeof *graph->degree, &graph->degree, error));
done:
    return status;
}

/* ---- Moving ---- */

/* What vanishes beside the largest weight is no edge: it would be met again and again. */
static void meet(search *s, int32_t community, double weight)
{
    if (weight == 0)
        return;
    if (s->sum[community] == 0)
        s->met[s->met_count++] = community;
    s->sum[community] += weight;
}

/* w_ic of all communities next to i. */
static void look_round(search *s, const level *graph, int64_t i)
{
    s->met_count = 0;
    for (int64_t p = graph->start[i]; p < graph->start[i + 1]; p++)
        meet(s, s->of[graph->to[p]], graph->weight[p]);
}

/* Takes vertex i out of its community and puts it where it adds most; whether that is elsewhere. */
static bool move(search *s, const level *graph, int64_t i)
{
    int32_t own = s->of[i], best = own;
    double degree = graph->degree[i], share = s->resolution * degree / s->all;
    look_round(s, graph, i);
    s->total[own] -= degree;
    double most = s->sum[own] - share * s->total[own];
    for (int64_t k = 0; k < s->met_count; k++) {
        double gain = s->sum[s->met[k]] - share * s->total[s->met[k]];
        if (gain > most) {
            most = gain;
            best = s->met[k];
        }
        s->sum[s->met[k]] = 0;
    }
    s->total[best] += degree;
    s->of[i] = best;
    return best != own;
}

/* A shuffle (Fisher and Yates). */
static void draw_order(search *s, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t j = (int64_t)(weft__uniform(SEED, s->draws++) * (double)(i + 1));
        s->order[i] = s->order[j];
        s->order[j] = (int32_t)i;
    }
}

/* What a look at one end of an edge takes, which finds nothing in the cache, in multiplications. */
enum { AN_END = 128 };

/* Counts the edges of vertex i; false where the caller wants to stop. */
static bool goes_on(const search *s, const level *graph, int64_t i)
{
    return weft__progress_add(s->progress, AN_END * (double)(1 + graph->start[i + 1] - graph->start[i]));
}

/* From the communities that are there, until hardly a vertex moves. */
static weft_status move_on(search *s, const level *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    draw_order(s, graph->count);
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t moved = 0;
        for (int64_t i = 0; i < graph->count && goes_on(s, graph, s->order[i]); i++)
            moved += move(s, graph, s->order[i]);
        TRY(weft__progress_check(s->progress, error));
        if (moved <= graph->count / FEW)
            break;
    }
done:
    return status;
}

static weft_status move_all(search *s, const level *graph, weft_error *error)
{
    for (int64_t i = 0; i < graph->count; i++)
        s->of[i] = (int32_t)i;
    memcpy(s->total, graph->degree, (size_t)graph->count * sizeof *s->total);
    return move_on(s, graph, error);
}

/* Communities are numbered from 0 in the order of their first vertices; answers how many there are. */
static weft_status renumber(search *s, int64_t vertices, int64_t *count, weft_error *error)
{
    weft_status status = WEFT_OK;
    int32_t *number = NULL;
    int64_t found = 0;
    TRY(weft__new(&s->memory, vertices, sizeof *number, &number, error));
    for (int64_t i = 0; i < vertices; i++) {
        if (number[s->of[i]] == 0)
            number[s->of[i]] = (int32_t)++found;
        s->of[i] = number[s->of[i]] - 1;
    }
    *count = found;
done:
    weft__delete(&s->memory, number);
    return status;
}

/* Single vertices once more, from the partition that was found. */
static weft_status refine(search *s, const level *graph, int64_t *class_of, int64_t *count, weft_error *error)
{
    weft_status status = WEFT_OK;
    memset(s->total, 0, (size_t)graph->count * sizeof *s->total);
    for (int64_t i = 0; i < graph->count; i++) {
        s->of[i] = (int32_t)class_of[i];
        s->total[s->of[i]] += graph->degree[i];
    }
    TRY(move_on(s, graph, error));
    TRY(renumber(s, graph->count, count, error));
    for (int64_t i = 0; i < graph->count; i++)
        class_of[i] = s->of[i];
done:
    return status;
}

/* ---- The next level ---- */

/* order[first[c] .. first[c + 1]) are the vertices of community c, in their order. */
static void sort_by_community(const search *s, int64_t vertices, int64_t count, int64_t *first,
                              int32_t *order)
{
    for (int64_t i = 0; i < vertices; i++)
        first[s->of[i] + 1]++;
    for (int64_t c = 0; c < count; c++)
        first[c + 1] += first[c];
    for (int64_t i = 0; i < vertices; i++)
        order[first[s->of[i]]++] = (int32_t)i;
    memmove(first + 1, first, (size_t)count * sizeof *first);
    first[0] = 0;
}

/* Line c of the smaller graph, from all vertices of community c. */
static void join_lines(search *s, const level *graph, const int32_t *vertices, int64_t count, int64_t c,
                       level *next)
{
    int64_t end = next->start[c];
    s->met_count = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = vertices[k];
        if (!goes_on(s, graph, i))
            return;
        next->degree[c] += graph->degree[i];
        for (int64_t p = graph->start[i]; p < graph->start[i + 1]; p++)
            meet(s, s->of[graph->to[p]], graph->weight[p]);
    }
    for (int64_t k = 0; k < s->met_count; k++) {
        int32_t other = s->met[k];
        if (other != c) {
            next->to[end] = other;
            next->weight[end++] = s->sum[other];
        }
        s->sum[other] = 0;
    }
    next->start[c + 1] = end;
}

/* The graph of the `count` communities. */
static weft_status contract(search *s, const level *graph, int64_t count, level *smaller, weft_error *error)
{
    weft_status status = WEFT_OK;
    level next = {0};
    int64_t *first = NULL;
    int32_t *order = NULL;
    TRY(weft__new(&s->memory, count + 1, sizeof *first, &first, error));
    TRY(weft__new(&s->memory, graph->count, sizeof *order, &order, error));
    TRY(new_level(s, count, graph->start[graph->count], &next, error));
    sort_by_community(s, graph->count, count, first, order);
    for (int64_t c = 0; c < count && !weft__progress_stopped(s->progress); c++)
        join_lines(s, graph, order + first[c], first[c + 1] - first[c], c, &next);
    TRY(weft__progress_check(s->progress, error));
    *smaller = next;
    next = (level){0};
done:
    free_level(s, &next);
    weft__delete(&s->memory, first);
    weft__delete(&s->memory, order);
    return status;
}

/* ---- A try ---- */

/* Of the partition into the vertices of this level. */
static double modularity(const search *s, const level *graph)
{
    double sum = 0;
    for (int64_t c = 0; c < graph->count && goes_on(s, graph, c); c++) {
        double inside = graph->degree[c], share = graph->degree[c] / s->all;
        for (int64_t p = graph->start[c]; p < graph->start[c + 1]; p++)
            inside -= graph->weight[p];
        sum += inside / s->all - share * share;
    }
    return sum;
}

/* Communities of the vertices of `current`, which are communities of those of the graph, become vertices. */
static weft_status join_level(search *s, const level *graph, level *current, int64_t count, int64_t *class_of,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    level next = {0};
    for (int64_t i = 0; i < graph->count; i++)
        class_of[i] = s->of[class_of[i]];
    if (is_large(graph))
        TRY(refine(s, graph, class_of, &count, error));
    TRY(contract(s, is_large(graph) ? graph : current, count, &next, error));
    if (current->start != graph->start)
        free_level(s, current);
    *current = next;
done:
    return status;
}

/* From single vertices to a partition to which no level adds anything. */
static weft_status climb(search *s, const level *graph, int64_t *class_of, double *reached, weft_error *error)
{
    weft_status status = WEFT_OK;
    level current = *graph;
    for (int64_t i = 0; i < graph->count; i++)
        class_of[i] = i;
    s->resolution = is_large(graph) ? FINE : 1;
    for (bool ended = false; !ended;) {
        int64_t count = 0;
        TRY(move_all(s, &current, error));
        TRY(renumber(s, current.count, &count, error));
        ended = count == current.count && s->resolution == 1;
        if (count < current.count)
            TRY(join_level(s, graph, &current, count, class_of, error));
        else
            s->resolution = 1;
    }
    *reached = modularity(s, &current);
    TRY(weft__progress_check(s->progress, error));
done:
    if (current.start != graph->start)
        free_level(s, &current);
    return status;
}

static weft_status try_all(search *s, const level *graph, int64_t *class_of, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t *found = NULL, *best = NULL, vertices = graph->count, ends = graph->start[vertices];
    double most = 0, reached = 0;
    TRY(weft__new(&s->memory, vertices, sizeof *found, &found, error));
    TRY(weft__new(&s->memory, vertices, sizeof *best, &best, error));
    for (int64_t k = 0; k < TRIES && (k == 0 || k * ends < ENDS); k++) {
        TRY(climb(s, graph, found, &reached, error));
        if (k > 0 && reached <= most)
            continue;
        most = reached;
        memcpy(best, found, (size_t)vertices * sizeof *best);
    }
    memcpy(class_of, best, (size_t)vertices * sizeof *best);
done:
    weft__delete(&s->memory, best);
    weft__delete(&s->memory, found);
    return status;
}

/* ---- Public ---- */

static weft_status make_room(search *s, int64_t vertices, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&s->memory, vertices, sizeof *s->order, &s->order, error));
    TRY(weft__new(&s->memory, vertices, sizeof *s->of, &s->of, error));
    TRY(weft__new(&s->memory, vertices, sizeof *s->total, &s->total, error));
    TRY(weft__new(&s->memory, vertices, sizeof *s->sum, &s->sum, error));
    TRY(weft__new(&s->memory, vertices, sizeof *s->met, &s->met, error));
done:
    return status;
}

static void free_room(search *s)
{
    weft__delete(&s->memory, s->order);
    weft__delete(&s->memory, s->of);
    weft__delete(&s->memory, s->total);
    weft__delete(&s->memory, s->sum);
    weft__delete(&s->memory, s->met);
}

weft_status weft__graph_communities(const weft_graph *graph, const weft_memory *memory,
                                    weft__progress *progress, int64_t *class_of, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_graph plain = *graph;
    weft__laplacian laplacian = {.memory = *memory};
    search s = {.memory = *memory, .progress = progress};
    plain.normalised = false;
    TRY(weft__laplacian_build(&plain, false, memory, progress, &laplacian, error));
    weft__progress_begin(progress, "the communities of a graph", 0);
    /* Of a plain Laplacian the diagonal has the degrees. */
    const level first = {laplacian.count, laplacian.start, laplacian.to, laplacian.weight,
                         laplacian.diagonal};
    for (int64_t i = 0; i < first.count; i++)
        s.all += first.degree[i];
    TRY(make_room(&s, first.count, error));
    if (s.all > 0)
        TRY(try_all(&s, &first, class_of, error));
    for (int64_t i = 0; i < first.count && s.all == 0; i++)
        class_of[i] = i;
done:
    free_room(&s);
    weft__laplacian_free(&laplacian);
    return status;
}
