/* SPDX-License-Identifier: MIT
 *
 * A fixed share written from the formulas in src/committee/vote/fixed_share.c, slow and in long double, and
 * the best sequence of experts by dynamic programming.  Include cmocka's headers before. */
#ifndef WEFT_TESTS_SHARER_H
#define WEFT_TESTS_SHARER_H

#include "committee/vote/fixed_share.h"

#include <math.h>

enum { SHARER_CHANGES = 11 }; /* 0 to 10 */

/* Whatever is by place follows the expert when it changes places. */
typedef struct sharer {
    long double prior[WEFT__SHARERS], weight[WEFT__SHARERS];
    long double gap, given, variance, least; /* least: of all parts that were shared out */
    long double own;                         /* the sum of h */
    /* The loss of the best sequence that ends here with so many changes at the most. */
    long double best[SHARER_CHANGES][WEFT__SHARERS];
} sharer;

static inline sharer sharer_of(const double prior[WEFT__SHARERS])
{
    sharer s = {.least = 1};
    for (int i = 0; i < WEFT__SHARERS; i++)
        s.prior[i] = s.weight[i] = (long double)prior[i];
    return s;
}

static inline long double sharer_rate(const sharer *s)
{
    return 8 / fmaxl(s->gap, 0x1p-20L);
}

static inline long double sharer_least(const long double *value)
{
    long double least = value[0];
    for (int i = 1; i < WEFT__SHARERS; i++)
        least = fminl(least, value[i]);
    return least;
}

/* A change may come before every trial. */
static inline void sharer_follow(sharer *s, const double *loss)
{
    for (int n = SHARER_CHANGES - 1; n >= 0; n--) {
        long double moved = n > 0 ? sharer_least(s->best[n - 1]) : (long double)INFINITY;
        for (int i = 0; i < WEFT__SHARERS; i++)
            s->best[n][i] = fminl(s->best[n][i], moved) + (long double)loss[i];
    }
}

/* v, u and w' of fixed_share.c, by logarithms; answers h. */
static inline long double sharer_learn(sharer *s, const double *loss, double alpha)
{
    long double eta = sharer_rate(s), h = 0, v[WEFT__SHARERS], top = -INFINITY, sum = 0, z = 0;
    for (int i = 0; i < WEFT__SHARERS; i++)
        h += s->weight[i] * (long double)loss[i];
    for (int i = 0; i < WEFT__SHARERS; i++) {
        long double away = (long double)loss[i] - h;
        s->variance += s->weight[i] * away * away;
        v[i] = logl(s->weight[i]) - eta * away;
        top = fmaxl(top, v[i]);
    }
    for (int i = 0; i < WEFT__SHARERS; i++)
        sum += expl(v[i] - top);
    s->gap += fmaxl((top + logl(sum)) / eta, 0);
    long double next = sharer_rate(s);
    for (int i = 0; i < WEFT__SHARERS; i++) {
        long double odds = v[i] - top - logl(sum) - logl(s->prior[i]);
        v[i] = s->prior[i] * expl(next / eta * odds);
        z += v[i];
    }
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->weight[i] = (1 - (long double)alpha) * v[i] / z + (long double)alpha * s->prior[i];
    s->given += logl(1 / (1 - (long double)alpha)) / next;
    s->least = fminl(s->least, (long double)alpha);
    s->own += h;
    sharer_follow(s, loss);
    return h;
}

static inline void sharer_exchange(sharer *s, int i, int j)
{
    long double kept = s->weight[i];
    s->weight[i] = s->weight[j];
    s->weight[j] = kept;
    for (int n = 0; n < SHARER_CHANGES; n++) {
        kept = s->best[n][i];
        s->best[n][i] = s->best[n][j];
        s->best[n][j] = kept;
    }
}

/* What the guarantee adds to the loss of a sequence with `changes` changes. */
static inline long double sharer_term(const sharer *s, int changes)
{
    long double n = changes, surprise = -logl(sharer_least(s->prior));
    return s->gap + ((n + 1) * surprise - n * logl(s->least)) / sharer_rate(s) + s->given;
}

#endif
