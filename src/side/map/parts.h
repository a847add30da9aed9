/* SPDX-License-Identifier: MIT
 * The parts of a map: signs, which need no table, and the two that keep one. */
#ifndef WEFT_SIDE_MAP_PARTS_H
#define WEFT_SIDE_MAP_PARTS_H

#include "side/side.h"

/* Signs times sqrt(square / how->hash): |phi|^2 = square, how->hash numbers.  `of` is the number that is
 * hashed, and 0 or 1 for what it numbers. */
void weft__map_hash(const weft_map *how, const uint64_t of[2], double square, double *phi);

/* Fills map->table with fourier / 2 frequencies for vectors of this nature. */
weft_status weft__map_draw_frequencies(const weft_side *side, weft__nature nature, weft__feature_map *map,
                                       weft_error *error);

/* phi = a [cos w_k'x, sin w_k'x], map->how.fourier numbers, of the vector of an item. */
void weft__map_fourier(const weft__feature_map *map, const weft_item *item, double a, double *phi);

/* Fills map->table and map->listed: the largest eigenvectors of the kernel of the ids listed. */
weft_status weft__map_find_eigenvectors(const weft_side *side, weft__feature_map *map, weft_error *error);

/* The `wanted` largest eigenvalues of a positive semidefinite n x n matrix, ascending, and their
 * eigenvectors: vectors[k * n + i] is element i of the k-th. */
typedef struct weft__eigenpairs {
    int64_t n, wanted;
    double *values, *vectors;
} weft__eigenpairs;

/* Of (K - constant 11') / R by products, ascending too; 0 < wanted, 2 wanted + 1 < n. */
weft_status weft__map_iterate(const weft_side *side, weft__eigenpairs *pairs, weft_error *error);

#endif
