/* SPDX-License-Identifier: MIT
 * A whole random problem from one seed: side information, settings, and a
 * stream of pairs and labels, with the judge that goes with it. */
#ifndef WEFT_TESTS_PROBLEM_H
#define WEFT_TESTS_PROBLEM_H

#include "support/known.h"
#include "support/naive.h"

typedef struct problem {
    uint64_t seed;
    known rows, columns; /* one set of ids: no columns */
    weft_settings settings;
    int64_t trials;
    int64_t *row, *column;
    int *label; /* -1, +1, or 0 for none */
} problem;

/* Shapes up to 16 x 14, or about `largest` on each side where it is not 0. */
void problem_draw(uint64_t seed, int64_t largest, problem *what);
void problem_release(problem *what);

/* The sides with the ids listed at the start, and a learner over them; fails
 * the running test where the library refuses. */
typedef struct players {
    weft_side *rows, *columns;
    weft_player *learner;
    double *row_kernel, *column_kernel; /* the library's entries over all ids */
    naive *judge;
} players;

/* Also compares the library's kernels and radii with their definitions (up to
 * 1e-9 of the radius) and then hands the library's own entries to the judge,
 * so that the judge finds errors of the learner and not of exp or an inverse. */
void players_create(problem *what, int algorithm, players *who);
void players_release(players *who);

/* Appends what trial t is the first to use. */
void players_admit(const problem *what, int64_t t, players *who);

/* "seed 12: krylov mixed paper margin rows kernel 3 columns graph 20 eta ..." */
void problem_describe(const problem *what, size_t size, char *text);

#endif
