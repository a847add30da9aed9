/* SPDX-License-Identifier: MIT
 * Operators with explicit matrices, and the quadratic form worked out from their
 * eigensystems in extended precision. */
#ifndef WEFT_TESTS_SPECTRAL_SUPPORT_H
#define WEFT_TESTS_SPECTRAL_SUPPORT_H

#include "spectral/engine.h"
#include "support/dice.h"
#include "support/naive.h"

enum { ROOM = 32 };

/* C and K over `order` <= ROOM coordinates, row by row with stride ROOM. */
typedef struct explicit_space {
    int64_t order;
    double c[ROOM * ROOM], k[ROOM * ROOM];
    _Alignas(64) double weight[ROOM], diagonal[ROOM], image[ROOM];
    int64_t singles, doubles; /* products by C that were asked for */
    weft__operators operators;
} explicit_space;

static inline void explicit_multiply(const double *a, int64_t order, bool single, const double *x, double *y)
{
    memset(y, 0, ROOM * sizeof *y);
    for (int64_t i = 0; i < order; i++) {
        double sum = 0;
        for (int64_t j = 0; j < order; j++)
            sum += a[i * ROOM + j] * x[j];
        y[i] = single ? (double)(float)sum : sum;
    }
}

static inline void explicit_evidence(void *self, bool single, const double *x, double *y)
{
    explicit_space *space = self;
    *(single ? &space->singles : &space->doubles) += 1;
    explicit_multiply(space->c, space->order, single, x, y);
}

static inline double explicit_kernel(void *self, bool single, const double *x, double *y)
{
    explicit_space *space = self;
    double square = 0;
    explicit_multiply(space->k, space->order, single, x, y);
    for (int64_t i = 0; i < space->order; i++)
        square += x[i] * y[i];
    return square;
}

/* Fills in what follows from c and k. */
static inline void explicit_finish(explicit_space *space, bool mixed)
{
    memset(space->weight, 0, sizeof space->weight);
    memset(space->diagonal, 0, sizeof space->diagonal);
    for (int64_t i = 0; i < space->order; i++) {
        space->diagonal[i] = space->k[i * ROOM + i];
        for (int64_t j = 0; j < space->order; j++)
            space->weight[i] += space->c[i * ROOM + j] * space->c[i * ROOM + j];
    }
    space->operators = (weft__operators){.n = ROOM,
                                         .coordinates = space->order,
                                         .self = space,
                                         .evidence = explicit_evidence,
                                         .kernel = explicit_kernel,
                                         .weight = space->weight,
                                         .diagonal = space->diagonal,
                                         .mixed = mixed};
}

/* K = F F' / rank with `rank` columns, C symmetric with entries up to `size`. */
static inline void explicit_draw(explicit_space *space, dice *d, int64_t order, int64_t rank, double size)
{
    double factor[ROOM * ROOM];
    memset(space, 0, sizeof *space);
    space->order = order;
    for (int64_t k = 0; k < order * rank; k++)
        factor[k] = dice_normal(d);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j <= i; j++) {
            double entry = 0;
            for (int64_t k = 0; k < rank; k++)
                entry += factor[i * rank + k] * factor[j * rank + k] / (double)rank;
            space->k[i * ROOM + j] = space->k[j * ROOM + i] = entry;
            space->c[i * ROOM + j] = space->c[j * ROOM + i] = size * dice_normal(d);
        }
    explicit_finish(space, false);
}

/* e = e_i + factor e_j, inside. */
static inline weft__start explicit_start(explicit_space *space, int64_t i, int64_t j, double factor)
{
    weft__start start = {.image = space->image, .inside = true, .at = {i, j}, .value = {1, factor}};
    memset(space->image, 0, sizeof space->image);
    for (int64_t s = 0; s < space->order; s++)
        space->image[s] = space->k[s * ROOM + i] + factor * space->k[s * ROOM + j];
    start.square = space->image[i] + factor * space->image[j];
    return start;
}

typedef struct explicit_answer {
    double log_value; /* of e'K exp(CK) e */
    double top;       /* lambda_max(CK) */
} explicit_answer;

/* S = sqrt K: e'K exp(CK) e = x'exp(SCS)x, x = S e. */
static inline explicit_answer explicit_solve(const explicit_space *space, const double *e)
{
    int64_t n = space->order;
    static long double k[ROOM * ROOM], v[ROOM * ROOM], s[ROOM * ROOM], a[ROOM * ROOM], lambda[ROOM], x[ROOM];
    for (int64_t i = 0; i < n * n; i++)
        k[i] = space->k[i / n * ROOM + i % n];
    naive_eigen(n, k, lambda, v);
    memset(s, 0, sizeof s);
    memset(a, 0, sizeof a);
    memset(x, 0, sizeof x);
    for (int64_t l = 0; l < n; l++)
        for (int64_t i = 0; i < n * n; i++)
            s[i] += sqrtl(fmaxl(lambda[l], 0)) * v[l * n + i / n] * v[l * n + i % n];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            x[i] += s[i * n + j] * e[j];
            for (int64_t p = 0; p < n; p++)
                for (int64_t q = 0; q < n; q++)
                    a[i * n + j] += s[i * n + p] * space->c[p * ROOM + q] * s[q * n + j];
        }
    naive_eigen(n, a, lambda, v);
    long double sum = 0, top = lambda[0];
    for (int64_t l = 1; l < n; l++)
        top = fmaxl(top, lambda[l]);
    for (int64_t l = 0; l < n; l++) {
        long double component = 0;
        for (int64_t i = 0; i < n; i++)
            component += v[l * n + i] * x[i];
        sum += component * component * expl(lambda[l] - top);
    }
    return (explicit_answer){(double)(logl(sum) + top), (double)top};
}

static inline explicit_answer explicit_solve_pair(const explicit_space *space, int64_t i, int64_t j,
                                                  double factor)
{
    double e[ROOM] = {0};
    e[i] += 1;
    e[j] += factor;
    return explicit_solve(space, e);
}

#endif
