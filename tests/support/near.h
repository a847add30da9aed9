/* SPDX-License-Identifier: MIT
 * The vertices nearest to one of a graph, from the definition (src/side/graph/links.c) over a full matrix of
 * weights, in extended precision. */
#ifndef WEFT_TESTS_NEAR_H
#define WEFT_TESTS_NEAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { NEAR_MOST = 24, NEAR_WALKED = 64 };

typedef struct near_vertex {
    int64_t id;
    long double weight; /* over the largest */
} near_vertex;

/* walked[i * count + j]: whether the edge from i to j is walked: of a vertex with d > 64 neighbours those in
 * the places 0, d / 64, 2 d / 64, ... rounded down. */
static inline void near_walk(int64_t count, const double *weights, bool *walked)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t degree = 0, place = 0;
        for (int64_t j = 0; j < count; j++)
            degree += weights[i * count + j] > 0;
        for (int64_t j = 0; j < count; j++) {
            bool edge = weights[i * count + j] > 0, chosen = degree <= NEAR_WALKED;
            for (int64_t k = 0; k < NEAR_WALKED; k++)
                chosen = chosen || k * degree / NEAR_WALKED == place;
            walked[i * count + j] = edge && chosen;
            place += edge;
        }
    }
}

/* What a step from i, and one more at random, brings to every vertex; not scaled. */
static inline void near_bring(int64_t count, const double *weights, const bool *walked, int64_t i,
                              long double *out)
{
    for (int64_t l = 0; l < count; l++)
        out[l] = walked[i * count + l] ? (long double)weights[i * count + l] : 0;
    for (int64_t j = 0; j < count; j++) {
        long double degree = 0;
        if (!walked[i * count + j])
            continue;
        for (int64_t k = 0; k < count; k++)
            degree += (long double)weights[j * count + k];
        for (int64_t l = 0; l < count; l++)
            if (l != i && walked[j * count + l])
                out[l] += (long double)weights[i * count + j] * (long double)weights[j * count + l] / degree;
    }
}

/* The nearest, in falling order, of those as good as equal the smaller number first; how many. */
static inline int64_t near_find(int64_t count, const double *weights, const bool *walked, int64_t i,
                                near_vertex list[NEAR_MOST])
{
    long double *bring = calloc((size_t)count, sizeof *bring), largest = 0;
    int64_t found = 0;
    if (bring == NULL)
        abort();
    near_bring(count, weights, walked, i, bring);
    for (; found < NEAR_MOST; found++) {
        int64_t best = -1;
        for (int64_t l = 0; l < count; l++)
            if (bring[l] > 0 && (best < 0 || bring[l] > bring[best] * (1 + 1e-12L)))
                best = l;
        if (best < 0)
            break;
        largest = found == 0 ? bring[best] : largest;
        list[found] = (near_vertex){best, bring[best] / largest};
        bring[best] = 0;
    }
    free(bring);
    return found;
}

#endif
