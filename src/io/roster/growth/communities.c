/* SPDX-License-Identifier: MIT
 *
 * New ids among communities that were found before.
 *
 * Method     A new id joins the community of most of its neighbours: of a graph by the weights of its edges,
 *            else of the ten ids that are nearest by the cosine of the kernel.  Of equals the one that was
 *            first.  In the order in which they came, again and again as long as somebody joins; then the
 *            first that is left founds one of its own, and so on.  Nobody who was there moves.
 * Cost       A graph: O(edges) times how often it is gone through, which is the longest chain of new ids at
 *            most.  A kernel: new ids times all ids. */
#include "io/roster/growth/growth.h"

#include <math.h>
#include <string.h>

enum { UNKNOWN = -1, NEAREST = 10 };

typedef struct voting {
    const weft_memory *memory;
    int64_t *community; /* by place */
    int64_t first, count, communities;
    const int64_t *number; /* of places, where `side` has numbers of its own; else NULL */
    double *votes;         /* by community, all 0 between two votes */
    int64_t *start;        /* of a new place first + k: neighbours start[k] to start[k + 1] */
    int64_t *to;
    double *weight;
} voting;

static void vote(voting *v, int64_t place, double weight)
{
    if (v->community[place] != UNKNOWN)
        v->votes[v->community[place]] += weight;
}

/* The community with most votes among those of the neighbours; all are 0 again. */
static int64_t elect(voting *v, int64_t k)
{
    int64_t best = UNKNOWN;
    double most = 0;
    for (int64_t e = v->start[k]; e < v->start[k + 1]; e++)
        vote(v, v->to[e], v->weight[e]);
    for (int64_t e = v->start[k]; e < v->start[k + 1]; e++) {
        int64_t c = v->community[v->to[e]];
        if (c == UNKNOWN)
            continue;
        if (v->votes[c] > most || (v->votes[c] == most && most > 0 && c < best)) {
            most = v->votes[c];
            best = c;
        }
    }
    for (int64_t e = v->start[k]; e < v->start[k + 1]; e++)
        if (v->community[v->to[e]] != UNKNOWN)
            v->votes[v->community[v->to[e]]] = 0;
    return best;
}

/* One round; whether somebody has joined. */
static bool join(voting *v)
{
    bool joined = false;
    for (int64_t place = v->first; place < v->count; place++) {
        if (v->community[place] == UNKNOWN)
            v->community[place] = elect(v, place - v->first);
        else
            continue;
        joined = joined || v->community[place] != UNKNOWN;
    }
    return joined;
}

static void join_all(voting *v)
{
    for (int64_t place = v->first; place < v->count; place++) {
        while (join(v))
            continue;
        while (place < v->count && v->community[place] != UNKNOWN)
            place++;
        if (place < v->count)
            v->community[place] = v->communities++;
    }
}

/* ---- Neighbours ---- */

static weft_status reserve(voting *v, int64_t neighbours, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(v->memory, neighbours, sizeof *v->to, &v->to, error));
    TRY(weft__new(v->memory, neighbours, sizeof *v->weight, &v->weight, error));
done:
    return status;
}

static void count_end(voting *v, int64_t at)
{
    if (at >= v->first)
        v->start[at - v->first + 1]++;
}

static void put_end(voting *v, int64_t *end, int64_t at, int64_t other, double weight)
{
    if (at < v->first)
        return;
    int64_t e = end[at - v->first]++;
    v->to[e] = other;
    v->weight[e] = weight;
}

static weft_status list_edges(voting *v, const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t *end = NULL, fresh = v->count - v->first;
    for (int64_t e = 0; e < graph->edges; e++)
        if (graph->from[e] != graph->to[e]) {
            count_end(v, graph->from[e]);
            count_end(v, graph->to[e]);
        }
    for (int64_t k = 0; k < fresh; k++)
        v->start[k + 1] += v->start[k];
    TRY(reserve(v, v->start[fresh], error));
    TRY(weft__new(v->memory, fresh, sizeof *end, &end, error));
    memcpy(end, v->start, (size_t)fresh * sizeof *end);
    for (int64_t e = 0; e < graph->edges; e++)
        if (graph->from[e] != graph->to[e]) {
            put_end(v, end, graph->from[e], graph->to[e], graph->weight[e]);
            put_end(v, end, graph->to[e], graph->from[e], graph->weight[e]);
        }
done:
    weft__delete(v->memory, end);
    return status;
}

/* Puts a place among the nearest, which are in falling order, then as they come. */
static void insert(voting *v, int64_t k, int64_t place, double u)
{
    int64_t begin = v->start[k], end = v->start[k + 1];
    if (!(u > 0) || (end - begin == NEAREST && v->weight[end - 1] >= u))
        return;
    int64_t at = end - begin == NEAREST ? end - 1 : end;
    v->start[k + 1] = at + 1;
    for (; at > begin && v->weight[at - 1] < u; at--) {
        v->to[at] = v->to[at - 1];
        v->weight[at] = v->weight[at - 1];
    }
    v->to[at] = place;
    v->weight[at] = u;
}

/* The cosine in units of 2^-30: rounding chooses between nobody. */
static double cosine(const weft_side *side, int64_t i, int64_t j)
{
    double own = side->ops->diagonal(side, i) * side->ops->diagonal(side, j);
    return own > 0 ? rint(side->ops->entry(side, i, j, NULL) / sqrt(own) * 0x1p30) * 0x1p-30 : 0;
}

/* The numbers of places: several kinds together speak of ids. */
static int64_t number_of(const voting *v, int64_t place)
{
    return v->number != NULL ? v->number[place] : place;
}

static weft_status list_nearest(voting *v, const weft_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t fresh = v->count - v->first;
    TRY(reserve(v, fresh * NEAREST, error));
    for (int64_t k = 0; k < fresh; k++) {
        v->start[k + 1] = v->start[k];
        for (int64_t place = 0; place < v->count; place++)
            if (place != v->first + k)
                insert(v, k, place, cosine(side, number_of(v, v->first + k), number_of(v, place)));
    }
done:
    return status;
}

/* ---- All ---- */

static weft_status extend(weft__settled *settled, int64_t first, voting *v, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__resize(v->memory, &settled->community, first, settled->listed, sizeof *settled->community,
                     error));
    v->community = settled->community;
    for (int64_t k = first; k < settled->listed; k++)
        v->community[k] = UNKNOWN;
    for (int64_t k = 0; k < first; k++)
        v->communities = v->community[k] >= v->communities ? v->community[k] + 1 : v->communities;
    TRY(weft__new(v->memory, v->communities + settled->listed - first, sizeof *v->votes, &v->votes, error));
    TRY(weft__new(v->memory, settled->listed - first + 1, sizeof *v->start, &v->start, error));
done:
    return status;
}

weft_status weft__growth_communities(weft_roster *roster, const weft_graph *graph, const weft_side *side,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    int64_t first = settled->before;
    voting v = {.memory = &roster->memory,
                .first = first,
                .count = settled->listed,
                .number = roster->part_count > 0 ? settled->number : NULL};
    if (!settled->moved || settled->community == NULL || first == settled->listed)
        return WEFT_OK;
    TRY(extend(settled, first, &v, error));
    TRY((graph != NULL ? list_edges(&v, graph, error) : list_nearest(&v, side, error)));
    join_all(&v);
done:
    weft__delete(&roster->memory, v.votes);
    weft__delete(&roster->memory, v.start);
    weft__delete(&roster->memory, v.to);
    weft__delete(&roster->memory, v.weight);
    return status;
}
