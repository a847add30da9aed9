/* SPDX-License-Identifier: MIT
 *
 * Method     The graph of the k nearest neighbours, exactly: every pair of vectors is
 *            compared.
 * Algorithm  For every vector a heap of the k nearest so far, the farthest of them at
 *            its root:
 *
 *                nearest   [ heap of id 0 | heap of id 1 | ... ]     k places each
 *
 *            Pairs are taken once, a block of rows at a time, so that the block stays
 *            in the cache while the others pass by.  Keys are quick ones; two that are
 *            closer than their error are computed again to twice the precision, and
 *            of equal ones the earlier id is nearer.  That is one total order, whatever
 *            the order in which pairs come.
 *            Then (i, j) for every neighbour j of i, smaller id first, sorted by two
 *            stable counting sorts: a pair that comes twice is mutual.
 * Cost       O(n^2 d) time; n k heap entries and n d numbers.
 */
#include "base/elementary.h"
#include "base/progress.h"
#include "side/nearest/nearness.h"

#include <float.h>
#include <math.h>

struct weft_edges {
    weft_memory memory;
    weft_edge *items;
    int64_t count;
    double scale;
};

/* ---- Heaps ---- */

typedef struct candidate {
    int64_t id;
    double key;
    bool exact; /* else the key is a quick one */
} candidate;

/* Invariant: the heap of i has min(k, vectors it was compared with) entries, none
 * nearer to i than a child of it. */
typedef struct heaps {
    const weft__nearness *nearness;
    int64_t k;
    candidate *nearest; /* count x k */
    int64_t *filled;    /* entries, heap by heap */
    double *limit;      /* a quick key above it need not be offered */
} heaps;

static void make_exact(const heaps *all, int64_t i, candidate *c)
{
    if (!c->exact)
        c->key = weft__nearness_key(all->nearness, i, c->id);
    c->exact = true;
}

/* Whether a is nearer to i than b; keys are made exact where that decides. */
static bool is_nearer(const heaps *all, int64_t i, candidate *a, candidate *b)
{
    double slack = weft__nearness_slack(all->nearness, i, a->key, b->key);
    if (fabs(a->key - b->key) > slack)
        return a->key < b->key;
    make_exact(all, i, a);
    make_exact(all, i, b);
    return a->key < b->key || (a->key == b->key && a->id < b->id);
}

static void exchange(candidate *a, candidate *b)
{
    candidate c = *a;
    *a = *b;
    *b = c;
}

static void sift_up(const heaps *all, int64_t i, candidate *heap, int64_t at)
{
    while (at > 0 && is_nearer(all, i, &heap[(at - 1) / 2], &heap[at])) {
        exchange(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(const heaps *all, int64_t i, candidate *heap)
{
    for (int64_t at = 0, child = 1; child < all->k; child = 2 * at + 1) {
        if (child + 1 < all->k && is_nearer(all, i, &heap[child], &heap[child + 1]))
            child++;
        if (!is_nearer(all, i, &heap[at], &heap[child]))
            return;
        exchange(&heap[at], &heap[child]);
        at = child;
    }
}

/* The candidate takes its place among the nearest of i, or none. */
static void offer(heaps *all, int64_t i, candidate fresh)
{
    candidate *heap = all->nearest + i * all->k;
    if (all->filled[i] < all->k) {
        heap[all->filled[i]] = fresh;
        sift_up(all, i, heap, all->filled[i]++);
    } else if (is_nearer(all, i, &fresh, &heap[0])) {
        heap[0] = fresh;
        sift_down(all, i, heap);
    }
    if (all->filled[i] == all->k)
        all->limit[i] = weft__nearness_limit(all->nearness, i, heap[0].key);
}

static weft_status compare_all(heaps *all, weft__progress *progress, weft_error *error)
{
    enum { BLOCK = 16 };
    int64_t n = all->nearness->count;
    double work = (double)all->nearness->stride;
    weft_status status = WEFT_OK;
    bool exact = all->nearness->error == 0;
    for (int64_t i = 0; i < n; i++)
        all->limit[i] = INFINITY;
    weft__progress_begin(progress, "comparing vectors", work * (double)n * (double)n / 2);
    for (int64_t begin = 0; begin < n; begin += BLOCK)
        for (int64_t j = begin + 1; j < n; j++) {
            TRY(weft__progress_step(progress, BLOCK * work, error));
            for (int64_t i = begin; i < begin + BLOCK && i < j; i++) {
                double keys[2];
                weft__nearness_quick(all->nearness, i, j, keys);
                if (keys[0] <= all->limit[i])
                    offer(all, i, (candidate){j, keys[0], exact});
                if (keys[1] <= all->limit[j])
                    offer(all, j, (candidate){i, keys[1], exact});
            }
        }
done:
    return status;
}

/* ---- From heaps to edges ---- */

typedef struct pairs {
    int64_t count;
    int64_t *from, *to;
} pairs;

static weft_status make_pairs(const weft_memory *memory, int64_t count, pairs *made, weft_error *error)
{
    weft_status status = WEFT_OK;
    made->count = count;
    TRY(weft__new(memory, count, sizeof *made->from, &made->from, error));
    TRY(weft__new(memory, count, sizeof *made->to, &made->to, error));
done:
    return status;
}

static void free_pairs(const weft_memory *memory, pairs *made)
{
    weft__delete(memory, made->from);
    weft__delete(memory, made->to);
}

static void list_pairs(const heaps *all, pairs *listed)
{
    for (int64_t at = 0; at < listed->count; at++) {
        int64_t i = at / all->k, j = all->nearest[at].id;
        listed->from[at] = i < j ? i : j;
        listed->to[at] = i < j ? j : i;
    }
}

/* Stable, by a key below n; `start` has n + 1 elements. */
static void sort_by(const int64_t *key, const pairs *given, pairs *sorted, int64_t *start, int64_t n)
{
    for (int64_t v = 0; v <= n; v++)
        start[v] = 0;
    for (int64_t at = 0; at < given->count; at++)
        start[key[at] + 1]++;
    for (int64_t v = 0; v < n; v++)
        start[v + 1] += start[v];
    for (int64_t at = 0; at < given->count; at++) {
        int64_t place = start[key[at]]++;
        sorted->from[place] = given->from[at];
        sorted->to[place] = given->to[at];
    }
}

/* Exp(-d^2 / (2 s^2)), or (1 + cosine) / 2.  With s = 0 every distance that counts
 * is 0 too. */
static double weight_of(const weft__nearness *nearness, const weft_neighbours *how, int64_t i, int64_t j,
                        double scale)
{
    if (!how->weighted)
        return 1;
    if (how->metric == WEFT_COSINE)
        return (1 + weft__nearness_cosine(nearness, i, j)) / 2;
    double ratio = scale > 0 ? weft__nearness_distance(nearness, i, j) / scale : 0;
    return weft__exp(-ratio * ratio / 2);
}

/* An edge of weight 0 is no edge. */
static void collect(const weft__nearness *nearness, const weft_neighbours *how, const pairs *sorted,
                    double scale, weft_edges *edges)
{
    for (int64_t at = 0; at < sorted->count; at++) {
        int64_t from = sorted->from[at], to = sorted->to[at];
        bool twice = at + 1 < sorted->count && sorted->from[at + 1] == from && sorted->to[at + 1] == to;
        at += twice;
        if (how->mutual && !twice)
            continue;
        double weight = weight_of(nearness, how, from, to, scale);
        if (weight > 0)
            edges->items[edges->count++] = (weft_edge){from, to, weight};
    }
}

/* The mean distance of the k-th neighbours, in the units of the nearness. */
static double mean_distance(const heaps *all)
{
    double sum = 0;
    int64_t n = all->nearness->count;
    for (int64_t i = 0; i < n; i++)
        sum += weft__nearness_distance(all->nearness, i, all->nearest[i * all->k].id);
    return sum / (double)n;
}

static weft_status make_edges(const heaps *all, const weft_neighbours *how, weft_edges *edges,
                              weft_error *error)
{
    const weft__nearness *nearness = all->nearness;
    const weft_memory *memory = &edges->memory;
    pairs listed = {0}, sorted = {0};
    int64_t *start = NULL;
    int64_t n = nearness->count;
    weft_status status = WEFT_OK;
    bool scaled = how->weighted && how->metric == WEFT_EUCLIDEAN;
    double scale = scaled ? mean_distance(all) : 0;
    TRY(make_pairs(memory, n * all->k, &listed, error));
    TRY(make_pairs(memory, n * all->k, &sorted, error));
    TRY(weft__new(memory, n + 1, sizeof *start, &start, error));
    TRY(weft__new(memory, n * all->k, sizeof *edges->items, &edges->items, error));
    list_pairs(all, &listed);
    sort_by(listed.to, &listed, &sorted, start, n);
    sort_by(sorted.from, &sorted, &listed, start, n);
    collect(nearness, how, &listed, scale, edges);
    edges->scale = fmin(scale * nearness->unit, DBL_MAX);
done:
    weft__delete(memory, start);
    free_pairs(memory, &sorted);
    free_pairs(memory, &listed);
    return status;
}

/* ---- The interface ---- */

static weft_status check(const weft_features *features, const weft_neighbours *how, weft_edges **edges,
                         weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(features);
    NEED(how);
    NEED(edges);
    if (features->dimension < 1)
        return weft__fail(error, WEFT_ARGUMENT, "neighbours: the dimension is %lld; expected 1 or more",
                          (long long)features->dimension);
    if (features->count < 2 || features->values == NULL)
        return weft__fail(error, WEFT_ARGUMENT, "neighbours: there are %lld vectors; expected 2 or more",
                          (long long)features->count);
    if (how->k < 1 || how->k >= features->count)
        return weft__fail(error, WEFT_ARGUMENT,
                          "neighbours: k is %lld; expected 1 to %lld, one less than there are vectors",
                          (long long)how->k, (long long)features->count - 1);
    if (how->metric != WEFT_COSINE && how->metric != WEFT_EUCLIDEAN)
        return weft__fail(error, WEFT_ARGUMENT, "neighbours: %d is not a metric", (int)how->metric);
done:
    return status;
}

weft_status weft_edges_nearest(const weft_features *features, const weft_neighbours *how,
                               const weft_memory *memory, weft_edges **edges, weft_error *error)
{
    weft__nearness nearness = {.memory = weft__memory_or_default(memory)};
    heaps all = {.nearness = &nearness};
    weft_edges *made = NULL;
    int64_t size = 0;
    weft_status status = WEFT_OK;
    TRY(check(features, how, edges, error));
    weft__progress progress = weft__progress_of(&how->progress);
    all.k = how->k;
    TRY(weft__checked_product(features->count, how->k, &size, error));
    TRY(weft__nearness_open(features, how->metric, memory, &nearness, error));
    TRY(weft__new(&nearness.memory, size, sizeof *all.nearest, &all.nearest, error));
    TRY(weft__new(&nearness.memory, features->count, sizeof *all.filled, &all.filled, error));
    TRY(weft__new(&nearness.memory, features->count, sizeof *all.limit, &all.limit, error));
    TRY(weft__new(&nearness.memory, 1, sizeof *made, &made, error));
    made->memory = nearness.memory;
    TRY(compare_all(&all, &progress, error));
    TRY(make_edges(&all, how, made, error));
    *edges = made;
    made = NULL;
done:
    weft_edges_free(made);
    weft__delete(&nearness.memory, all.limit);
    weft__delete(&nearness.memory, all.filled);
    weft__delete(&nearness.memory, all.nearest);
    weft__nearness_close(&nearness);
    return status;
}

int64_t weft_edges_count(const weft_edges *edges)
{
    return edges != NULL ? edges->count : 0;
}

weft_edge weft_edges_at(const weft_edges *edges, int64_t k)
{
    return k >= 0 && k < weft_edges_count(edges) ? edges->items[k] : (weft_edge){0};
}

double weft_edges_scale(const weft_edges *edges)
{
    return edges != NULL ? edges->scale : 0;
}

void weft_edges_free(weft_edges *edges)
{
    if (edges == NULL)
        return;
    weft_memory memory = edges->memory;
    weft__delete(&memory, edges->items);
    weft__delete(&memory, edges);
}
