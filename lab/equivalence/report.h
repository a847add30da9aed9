/* SPDX-License-Identifier: MIT
 * What is told of `equivalence`. */
#ifndef WEFT_LAB_EQUIVALENCE_REPORT_H
#define WEFT_LAB_EQUIVALENCE_REPORT_H

#include "lab/equivalence/equivalence.h"
#include "lab/lab.h"
#include "lab/report/fit.h"

/* How far a method was from the first one, over all runs of a cell. */
typedef struct equivalence_apart {
    int64_t predictions, updates;
    double margin; /* the largest difference */
} equivalence_apart;

/* Runs that differ only in what is drawn; of `run` the number does not count. */
typedef struct equivalence_result {
    equivalence_run run;
    double trials; /* of all runs */
    lab_mean mistakes;
    lab_mean ratio; /* of mistakes to those of the same run with the least R */
    double dimension, bound;
    int64_t uncertified;
    equivalence_apart apart[EQUIVALENCE_METHODS]; /* of the first nothing */
    double course[EQUIVALENCE_MARKS];
} equivalence_result;

typedef struct equivalence_results {
    const lab_request *request;
    const equivalence_result *cells;
    int64_t count, runs;
} equivalence_results;

/* "margin", "mistake" */
const char *equivalence_updates_name(weft_updates updates);

/* Writes OUT/equivalence.csv, the figures and OUT/equivalence.html, and says what was found. */
weft_status equivalence_report(const equivalence_results *results, weft_error *error);

#endif
