/* SPDX-License-Identifier: MIT
 * The parts of the experiment `tightness`: an adversary forces k l mistakes (section 4.1). */
#ifndef WEFT_LAB_TIGHTNESS_TIGHTNESS_H
#define WEFT_LAB_TIGHTNESS_TIGHTNESS_H

#include "lab/lab.h"
#include "lab/problem/graph.h"
#include "lab/report/fit.h"

typedef struct tightness_cell {
    lab_ideal ideal;
    int64_t n, k, l;
} tightness_cell;

typedef struct tightness_run {
    tightness_cell cell;
    uint64_t seed;
    int64_t number;
} tightness_run;

/* What a run answers. */
enum {
    TIGHTNESS_FORCED, /* mistakes while the adversary answered */
    TIGHTNESS_TOTAL,  /* and after it had fixed the matrix */
    TIGHTNESS_DIMENSION,
    TIGHTNESS_BOUND,
    TIGHTNESS_UNCERTIFIED,
    TIGHTNESS_ANSWERS
};

/* A lab_work over a tightness_run. */
weft_status tightness_play(const void *given, double *answer, weft_error *error);

typedef struct tightness_result {
    tightness_cell cell;
    lab_mean forced, total;
    double dimension, bound;
    int64_t escaped;  /* runs in which fewer than k l mistakes were forced */
    int64_t violated; /* runs above the bound */
} tightness_result;

typedef struct tightness_results {
    const lab_request *request;
    const tightness_result *cells;
    int64_t count, runs;
} tightness_results;

/* Writes OUT/tightness.csv, the figure and OUT/tightness.html, and says what was found. */
weft_status tightness_report(const tightness_results *results, weft_error *error);

#endif
