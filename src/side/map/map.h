/* SPDX-License-Identifier: MIT
 * Finite features of a side: phi_i with <phi_i, phi_j> = K(i,j), or nearly so.
 *
 *     | exact: classes, vector, Fourier or eigenvectors | hashed signs |
 *     0                                                 exact          dimension
 */
#ifndef WEFT_SIDE_MAP_MAP_H
#define WEFT_SIDE_MAP_MAP_H

#include "side/side.h"

/* Gives the side its map, once its radius is settled; how NULL: what is finite by itself, and
 * nothing where that is not.  On failure the side has no map. */
weft_status weft__map_make(weft_side *side, const weft_map *how, weft_error *error);

/* The numbers of eigen coordinates, which no other machine finds again where eigenvalues repeat: a model
 * keeps them.  ids x width, as weft__feature_map has them, or nothing: {0}. */
typedef struct weft__map_table {
    int64_t ids, width; /* width: the coordinates, and 1 where ids are hashed too */
    double *values;     /* coordinates id by id, then what they leave of K(i,i) */
} weft__map_table;

/* That of the side, borrowed; {0} for a map without eigen coordinates. */
weft__map_table weft__map_table_of(const weft_side *side);

/* Gives the side the map `how`, which has eigen coordinates, with these numbers for all its ids, in place of
 * the map that it has.  On success the values belong to the side, and *table is empty; on failure,
 * WEFT_MODEL where they cannot be features of this kernel, nothing has changed. */
weft_status weft__map_restore(weft_side *side, const weft_map *how, weft__map_table *table,
                              weft_error *error);

/* Whether two sides have the same features, to the bit, of all ids that both have; `room` is for two vectors.
 * O(ids * dimension). */
bool weft__map_equal(const weft_side *a, const weft_side *b, double *room);

/* For weft_side_free. */
void weft__map_release(weft_side *side);

/* Whether the map has room for the id, which is in range. */
bool weft__map_fits(const weft_side *side, int64_t id);

/* phi of an id that fits, side->map.dimension numbers. */
void weft__map_features(const weft_side *side, int64_t id, double *phi);

/* The error of an id that does not fit; `what` names its side, such as "row". */
weft_status weft__map_fail(const weft_side *side, const char *what, int64_t id, weft_error *error);

#endif
