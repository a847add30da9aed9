/* SPDX-License-Identifier: MIT
 * The parts of the experiment `sidehelp`: rows are all +1 or all -1 (section 4.1). */
#ifndef WEFT_LAB_SIDEHELP_SIDEHELP_H
#define WEFT_LAB_SIDEHELP_SIDEHELP_H

#include "lab/lab.h"
#include "lab/report/fit.h"
#include "weft.h"

#include <stdint.h>

/* What is known of the rows and of the columns. */
typedef enum sidehelp_side {
    SIDEHELP_NOTHING,
    SIDEHELP_GRAPH,     /* the ideal graph of either side: one clique a class, joined */
    SIDEHELP_PARTITION, /* the partition kernel of the same classes */
    SIDEHELP_SIDES
} sidehelp_side;

typedef struct sidehelp_given {
    uint64_t seed;
    int64_t rows, columns;
    sidehelp_side side;
    bool adversary; /* labels against the prediction, wherever the matrix still leaves a choice */
    int64_t number; /* of the run */
} sidehelp_given;

/* What a run answers, in this order. */
enum {
    SIDEHELP_TRIALS,
    SIDEHELP_MISTAKES,
    SIDEHELP_FIRST, /* on the first entry of a row */
    SIDEHELP_DIMENSION,
    SIDEHELP_BOUND,
    SIDEHELP_UNCERTAIN, /* decisions that rounding did not let certify */
    SIDEHELP_ANSWERS
};

/* A lab_work over a sidehelp_given. */
weft_status sidehelp_work(const void *what, double *answer, weft_error *error);

/* "nothing", "ideal graph", "partition kernel" */
const char *sidehelp_side_name(sidehelp_side side);

/* What the runs that differ only in what is drawn came to. */
typedef struct sidehelp_cell {
    sidehelp_given given; /* of the first of them */
    lab_mean mistakes, first;
    double trials, dimension, bound; /* means */
    double uncertain;                /* of all runs */
} sidehelp_cell;

/* Cells by side, adversary (no, yes) and size. */
typedef struct sidehelp_results {
    const lab_request *request;
    const sidehelp_cell *cells;
    int64_t sizes, runs;
    lab_power growth[SIDEHELP_SIDES][2]; /* of the mistakes with the number of rows */
} sidehelp_results;

const sidehelp_cell *sidehelp_cell_of(const sidehelp_results *results, sidehelp_side side, bool adversary,
                                      int64_t size);

/* What was found, in a few sentences, to be freed. */
char *sidehelp_sentence(const sidehelp_results *results);

/* Draws the figure and writes the page. */
weft_status sidehelp_report(const sidehelp_results *results, weft_error *error);

#endif
