/* SPDX-License-Identifier: MIT
 * What the judges of rivals know of an id beside its number, from the definitions: its class, its features
 * scaled, the nearest vertices of a graph, or the nearest ids by a kernel.  Include it first. */
#ifndef WEFT_TESTS_RIVAL_TRAITS_H
#define WEFT_TESTS_RIVAL_TRAITS_H

#include "test_rival_support.h"

#include "side/side.h"
#include "support/near.h"

enum { TRAITS = 32 };

static inline uint64_t h(uint64_t x)
{
    uint64_t z = x + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t key(uint64_t seed, uint64_t space, uint64_t number)
{
    return h(h(h(seed) ^ space) ^ number);
}

/* ---- Traits ---- */

static inline bool is_vector(known_kind kind)
{
    return kind == KNOWN_LINEAR || kind == KNOWN_GAUSSIAN || kind == KNOWN_MIN;
}

/* Coordinate d as the side stores it. */
static inline double coordinate(const known *k, int64_t i, int64_t d)
{
    double x = k->values[i * k->dimension + d], r = k->parameter;
    return k->kind == KNOWN_MIN ? (r - 1) * x / (2 * r) + (r + 1) / 2 : x;
}

/* Over the ids that were listed when the rival was made. */
static inline double scaled(const known *k, int64_t i, int64_t d)
{
    double low = INFINITY, high = -INFINITY, offset = 0, scale = 0;
    for (int64_t a = 0; a < STAGE_LISTED; a++) {
        low = fmin(low, coordinate(k, a, d));
        high = fmax(high, coordinate(k, a, d));
    }
    if (low > 0)
        offset = low;
    else if (high < 0)
        offset = high;
    scale = fmax(fabs(low - offset), fabs(high - offset));
    return fmax(-10, fmin(10, (coordinate(k, i, d) - offset) / (scale > 0 ? scale : 1)));
}

static inline double cosine(const weft_side *side, int64_t i, int64_t k)
{
    double c = side->constant, entry = weft_side_entry(side, i, k);
    double a = weft_side_entry(side, i, i) - c, b = weft_side_entry(side, k, k) - c;
    if (entry == 0 || !(a > 0) || !(b > 0))
        return 0;
    return fmin(1, (entry - c) / sqrt(a * b));
}

/* The place of i's class among those of the ids up to i. */
static inline uint64_t class_number(const known *k, int64_t i)
{
    uint64_t number = 0;
    for (int64_t a = 0; a < i; a++) {
        bool first = !k->alone[a];
        if (first && k->class_of[a] == k->class_of[i])
            break;
        for (int64_t b = 0; b < a && first; b++)
            first = k->alone[b] || k->class_of[b] != k->class_of[a];
        number += first;
    }
    /* Those before the first member of the class were counted; a break is that member. */
    return number;
}

static inline double rounded_cosine(const weft_side *side, int64_t i, int64_t k)
{
    return round(cosine(side, i, k) * 1073741824);
}

static inline int nearest(const weft_side *side, int64_t i, uint64_t *numbers, double *values)
{
    int count = 0;
    bool taken[STAGE_ROWS] = {false};
    for (; count < 10; count++) {
        int64_t best = -1;
        for (int64_t k = 0; k < weft_side_count(side); k++)
            if (k != i && !taken[k] && rounded_cosine(side, i, k) > 0 &&
                (best < 0 || rounded_cosine(side, i, k) > rounded_cosine(side, i, best)))
                best = k;
        if (best < 0)
            break;
        taken[best] = true;
        numbers[count] = (uint64_t)best;
        values[count] = cosine(side, i, best);
    }
    return count;
}

/* Of the weights of the edges, which no star joins: along the edges. */
static inline int nearest_vertices(const known *k, int64_t i, uint64_t *numbers, double *values)
{
    double weights[STAGE_ROWS * STAGE_ROWS] = {0};
    bool walked[STAGE_ROWS * STAGE_ROWS];
    near_vertex list[NEAR_MOST];
    for (int64_t e = 0; e < k->edges; e++) {
        double weight = k->weight != NULL ? k->weight[e] : 1;
        if (k->from[e] != k->to[e])
            weights[k->from[e] * k->listed + k->to[e]] = weights[k->to[e] * k->listed + k->from[e]] = weight;
    }
    near_walk(k->listed, weights, walked);
    int count = i < k->listed ? (int)near_find(k->listed, weights, walked, i, list) : 0;
    for (int a = 0; a < count; a++) {
        numbers[a] = (uint64_t)list[a].id;
        values[a] = (double)(float)list[a].weight;
    }
    return count;
}

/* Kernels of small graphs that say more than the edges do are asked themselves. */
static inline bool has_links(const known *k, const weft_side *side)
{
    return k->kind == KNOWN_GRAPH || (known_is_graph(k->kind) && side->blur > 0);
}

static inline int traits(const known *k, const weft_side *side, int64_t i, uint64_t *numbers, double *values)
{
    int count = 0;
    if (k->kind == KNOWN_NONE)
        return 0;
    if (has_links(k, side))
        return nearest_vertices(k, i, numbers, values);
    if (k->kind != KNOWN_CLASSES && !is_vector(k->kind))
        return nearest(side, i, numbers, values);
    if (k->alone[i])
        return 0;
    if (k->kind == KNOWN_CLASSES) {
        numbers[0] = class_number(k, i);
        values[0] = 1;
        return 1;
    }
    for (int64_t d = 0; d < k->dimension; d++)
        if (scaled(k, i, d) != 0) {
            numbers[count] = (uint64_t)d;
            values[count++] = scaled(k, i, d);
        }
    return count;
}

#endif
