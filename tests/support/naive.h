/* SPDX-License-Identifier: MIT
 * The slow judge: the algorithms of the paper word for word, in extended
 * precision, with an eigensolver of its own.  It shares nothing with the
 * library but the numbering of the forms. */
#ifndef WEFT_TESTS_NAIVE_H
#define WEFT_TESTS_NAIVE_H

#include "weft_advanced.h"

/* A kernel K = M^+, row by row (borrowed), and its squared radius.  For one
 * set of ids the radius is that of the kernel whose differences are taken. */
typedef struct naive_side {
    int64_t count;
    const double *kernel;
    double radius;
} naive_side;

typedef struct naive_setup {
    weft_form form;
    int algorithm; /* 1: one embedding for all; 2: re-embed and replay what was seen */
    naive_side rows, columns;
    double eta;
    double kappa; /* D / (m + n) */
} naive_setup;

typedef struct naive naive;

/* Ends the program where memory runs out: it is a judge, not a library. */
naive *naive_create(const naive_setup *setup);
void naive_free(naive *judge);

/* x'Wx - 1; balanced: 2 phi'W psi; one set: 1 - x'Wx. */
long double naive_margin(naive *judge, int64_t row, int64_t column);

/* log W += eta * count * y xx', y the sign of `count`: one update for a label,
 * many at once for merged evidence.  A negative count takes away. */
void naive_update(naive *judge, int64_t row, int64_t column, double count);

/* The largest eigenvalue of log W - log(kappa) I. */
long double naive_top(naive *judge);

/* Eigenvalues and, row by row, orthonormal eigenvectors of a symmetric matrix
 * by cyclic Jacobi rotations; `matrix` (order x order) is destroyed. */
void naive_eigen(int64_t order, long double *matrix, long double *values, long double *vectors);

/* calloc that cannot fail. */
void *naive_new(int64_t count, size_t size);

#endif
