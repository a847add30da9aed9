/* SPDX-License-Identifier: MIT
 * Runs of the appendix's experiment over a grid of protocols, sizes and noise levels. */
#ifndef WEFT_LAB_RUNS_SWEEP_H
#define WEFT_LAB_RUNS_SWEEP_H

#include "lab/lab.h"
#include "lab/problem/protocol.h"
#include "lab/report/fit.h"
#include "lab/report/line.h"

enum { LAB_SWEEP_VERSION = 1 };

/* A way to play it, with a name that no other has. */
typedef struct lab_variant {
    const char *name;
    lab_protocol protocol;
    const char *words; /* what is different, for people */
} lab_variant;

/* Every variant at every size and noise level. */
typedef struct lab_sweep {
    const char *name; /* of the experiment */
    const lab_variant *variants;
    int variant_count;
    int64_t dimensions[LAB_MOST_VALUES];
    int dimension_count;
    double noise[LAB_MOST_VALUES];
    int noise_count;
    int64_t runs; /* of every cell */
    uint64_t seed;
} lab_sweep;

/* What the runs of one cell gave; rates are mistakes a trial. */
typedef struct lab_cell {
    const lab_variant *variant;
    int64_t n;
    double beta;
    lab_mean rate, expected;
    const double *rates;           /* one a run, in the block of the cells */
    double paper, paper_deviation; /* negative: the paper has no such cell */
    double bound, sharper;         /* mean mistakes of all n^2 trials; negative: none applies */
    double dimension, eta;         /* mean */
    double updates, products;      /* mean, a trial */
    double uncertified;            /* decisions of all runs */
    double seconds;                /* processor time of all runs */
} lab_cell;

/* Plays what is missing; cells variant by variant, size by size, noise by noise, one block
 * to be freed. */
weft_status lab_sweep_play(const lab_sweep *grid, const lab_request *request, lab_cell **cells,
                           weft_error *error);
int64_t lab_sweep_cells(const lab_sweep *grid);
const lab_cell *lab_sweep_cell(const lab_sweep *grid, const lab_cell *cells, int variant, int dimension,
                               int noise);

/* The command that makes these runs again; lists are named where they were given. */
void lab_sweep_command(const lab_sweep *grid, const lab_request *request, lab_line *command);

/* The first cell less the second, run by run: the same matrix and the same stream, as far as
 * their variants let them be. */
lab_mean lab_cell_moved(const lab_cell *cell, const lab_cell *other);
/* The rate of a variant less that of another (other < 0: less nothing), over all cells.
 * Cells of one size share their matrices and streams, so the mean over noise levels is taken
 * within each run before anything is said of its error; sizes are independent. */
lab_mean lab_sweep_moved(const lab_sweep *grid, const lab_cell *cells, int variant, int other);

/* ours - paper, and its standard error: that of our mean, the paper's +- taken as the
 * deviation of one of its 10 runs (a printed .00 as .005), and the rounding of the two digits
 * that it prints. */
double lab_cell_difference(const lab_cell *cell);
double lab_cell_difference_error(const lab_cell *cell);

#endif
