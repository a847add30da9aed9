/* SPDX-License-Identifier: MIT
 * A of the compact engine, out of the bytes that a learner writes (docs/model-format.md), and its projection
 * onto the matrices whose eigenvalues are not below a floor, in extended precision. */
#ifndef WEFT_TESTS_STORED_H
#define WEFT_TESTS_STORED_H

#include "naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where `floor` stands, in fields of 8 bytes: behind magic, version, twelve settings and half_life. */
enum { STORED_FLOOR = 15 };

typedef struct stored {
    size_t size;
    unsigned char *bytes;
} stored;

/* Ends the program where it cannot; bytes to be freed. */
static inline stored stored_state(const weft_player *learner)
{
    stored s = {0};
    if (weft_player_write(learner, NULL, &s.size, NULL) != WEFT_OK)
        abort();
    s.bytes = naive_new((int64_t)s.size, 1);
    if (weft_player_write(learner, s.bytes, &s.size, NULL) != WEFT_OK)
        abort();
    return s;
}

static inline double stored_number(const stored *s, size_t at)
{
    double x;
    memcpy(&x, s->bytes + 8 * at, sizeof x);
    return x;
}

/* A = factor a, all d x d of it; the state ends in factor, drift, and the upper triangle of a. */
static inline void stored_matrix(const stored *s, int64_t d, long double *a)
{
    size_t at = s->size / 8 - (size_t)(d * (d + 1) / 2);
    long double factor = stored_number(s, at - 2);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++)
            a[i * d + j] = a[j * d + i] = factor * stored_number(s, at++);
}

/* Adds (-floor - lambda) v v' to A for every eigenvalue below -floor; answers the least there was. */
static inline long double stored_project(int64_t d, double floor, long double *a)
{
    long double *copy = naive_new(2 * d * d + d, sizeof *copy), *vectors = copy + d * d;
    long double *values = vectors + d * d, least = INFINITY;
    memcpy(copy, a, (size_t)(d * d) * sizeof *a);
    naive_eigen(d, copy, values, vectors);
    for (int64_t k = 0; k < d; k++) {
        const long double *v = vectors + k * d, lift = -(long double)floor - values[k];
        least = fminl(least, values[k]);
        for (int64_t i = 0; i < d && lift > 0; i++)
            for (int64_t j = 0; j < d; j++)
                a[i * d + j] += lift * v[i] * v[j];
    }
    free(copy);
    return least;
}

#endif
