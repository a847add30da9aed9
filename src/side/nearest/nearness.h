/* SPDX-License-Identifier: MIT
 * How near vectors are to each other: quickly with a known error, or as good as
 * exactly. */
#ifndef WEFT_SIDE_NEAREST_NEARNESS_H
#define WEFT_SIDE_NEAREST_NEARNESS_H

#include "base/memory.h"

/* The vectors as they are compared.  Invariants: `at` has count rows of `stride`
 * elements, zero past the dimension; with z = rows of `at`,
 *
 *     Euclidean   z = x / unit for all of them, unit a power of two
 *     cosine      z = x / 2^e, each with its own e, and not zero
 *
 * so that no square over- or underflows where it matters and nothing is rounded.
 * square[i] + square_rest[i] is |z_i|^2 to twice the working precision (cosine). */
typedef struct weft__nearness {
    weft_memory memory;
    weft_metric metric;
    int64_t count, stride;
    double *at;
    double *square, *square_rest;
    double unit;
    double error; /* of quick keys: relative, see weft__nearness_slack; 0: they are exact */
} weft__nearness;

/* WEFT_INPUT names the id in error.at: a value that is not finite, or with the
 * cosine a vector that is zero.  On failure there is nothing to free. */
weft_status weft__nearness_open(const weft_features *features, weft_metric metric, const weft_memory *memory,
                                weft__nearness *nearness, weft_error *error);
void weft__nearness_close(weft__nearness *nearness);

/* Keys order the vectors j by their nearness to i, the nearest with the least:
 *
 *     Euclidean   |z_i - z_j|^2
 *     cosine      -s |s| / |z_j|^2,  s = <z_i, z_j>,  which is -|z_i|^2 c |c| for the cosine c
 *
 * Quick: keys[0] is that of j seen from i, keys[1] that of i seen from j. */
void weft__nearness_quick(const weft__nearness *nearness, int64_t i, int64_t j, double keys[2]);
/* The key of j seen from i, to twice the working precision and then rounded: keys
 * that are equal in exact arithmetic are equal but for a chance of about 2^-45. */
double weft__nearness_key(const weft__nearness *nearness, int64_t i, int64_t j);
/* Two quick keys of i that differ by more than this are in the right order. */
double weft__nearness_slack(const weft__nearness *nearness, int64_t i, double a, double b);

/* A quick key of i above this belongs to a vector that is farther than one with
 * `key`: what slack says, solved for the other key. */
double weft__nearness_limit(const weft__nearness *nearness, int64_t i, double key);

/* |z_i - z_j| in the units of `unit`, and the cosine, which is 1 to the bit for equal
 * vectors. */
double weft__nearness_distance(const weft__nearness *nearness, int64_t i, int64_t j);
double weft__nearness_cosine(const weft__nearness *nearness, int64_t i, int64_t j);

#endif
