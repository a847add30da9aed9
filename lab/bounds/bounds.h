/* SPDX-License-Identifier: MIT
 * The parts of the experiment `bounds`: what is run, one run, what is told of it. */
#ifndef WEFT_LAB_BOUNDS_BOUNDS_H
#define WEFT_LAB_BOUNDS_BOUNDS_H

#include "lab/lab.h"
#include "lab/problem/graph.h"
#include "lab/report/fit.h"
#include "lab/report/page.h"

/* Which promise a run is held against. */
typedef enum bounds_statement {
    BOUNDS_REGRET,     /* margin updates, drawn predictions: thm:base and its sharper form */
    BOUNDS_HINGE,      /* margin updates, deterministic predictions: theorem1part1 */
    BOUNDS_REALIZABLE, /* mistake updates, eta = gamma: thm:base */
    BOUNDS_ESTIMATE,   /* the same with D = 1, far below the quasi-dimension bound: lem:base */
    BOUNDS_STATEMENTS
} bounds_statement;

/* "regret", "hinge", "realizable", "estimate" */
const char *bounds_statement_name(bounds_statement statement);

/* Why a cell is there. */
typedef enum bounds_part {
    BOUNDS_HORIZON, /* k = l = 2, partition kernel: mistakes and bounds over T */
    BOUNDS_GROWTH,  /* realizable runs over k and l, either ideal side information */
    BOUNDS_ONE_SET, /* the same as one set of ids, over k */
    BOUNDS_PARTS
} bounds_part;

/* "horizon", "growth", "one set" */
const char *bounds_part_name(bounds_part part);

/* Runs that differ only in what is drawn. */
typedef struct bounds_cell {
    bounds_part part;
    bounds_statement statement;
    lab_ideal ideal;
    int64_t n, k, l, trials;
    double noise; /* of the labels */
} bounds_cell;

typedef struct bounds_run {
    bounds_cell cell;
    uint64_t seed;
    int64_t number;
} bounds_run;

/* What a run answers.  A bound that does not apply, or is infinite, is -1. */
enum {
    BOUNDS_MISTAKES,
    BOUNDS_EXPECTED, /* mistakes, over the draws of the learner */
    BOUNDS_ERRORS,   /* of the best block matrix */
    BOUNDS_DIMENSION,
    BOUNDS_GAMMA,
    BOUNDS_BOUND, /* the best statement that applies */
    BOUNDS_PLAIN, /* regret: the theorem as printed, without its sharper form */
    BOUNDS_UNCERTIFIED,
    BOUNDS_ANSWERS
};

/* A lab_work over a bounds_run. */
weft_status bounds_play(const void *given, double *answer, weft_error *error);

/* A cell and what its runs came to.  The bound differs a little from run to run where D or the
 * comparator's errors do: here it is the mean. */
typedef struct bounds_result {
    bounds_cell cell;
    lab_mean mistakes; /* regret: expected ones */
    double errors, dimension, gamma, bound, plain;
    int64_t violated; /* runs above their own bound */
    int64_t uncertified;
} bounds_result;

typedef struct bounds_results {
    const lab_request *request;
    const bounds_result *cells;
    int64_t count;
    int64_t runs; /* of every cell */
} bounds_results;

/* Writes OUT/bounds.csv, the figures and OUT/bounds.html, and says what was found. */
weft_status bounds_report(const bounds_results *results, weft_error *error);

/* ---- figures.c: the fitted powers and the pictures ---- */

/* Fits are repeated without the cells of few classes, to see whether there is one power at all. */
enum { BOUNDS_CUTOFFS = 9, BOUNDS_FEWEST_CELLS = 4 };

/* Realizable mistakes of the cells with at least that many classes on either side. */
typedef struct bounds_cutoff {
    int64_t cells;
    lab_power blocks; /* over k l */
    lab_power scale;  /* over D/gamma^2, which the bound is made of */
} bounds_cutoff;

typedef struct bounds_fits {
    lab_power horizon;             /* expected mistakes over T, margin updates, no noise, all n */
    lab_power one_set[LAB_IDEALS]; /* mistakes over k */
    /* [least] for least = 2, ... classes; of fewer than BOUNDS_FEWEST_CELLS cells nothing. */
    bounds_cutoff growth[LAB_IDEALS][BOUNDS_CUTOFFS + 1];
    int64_t last; /* the largest of them that is there */
} bounds_fits;

bounds_fits bounds_fit(const bounds_results *results);
weft_status bounds_draw_horizons(const bounds_results *results, lab_page *page, weft_error *error);
weft_status bounds_draw_growth(const bounds_results *results, const bounds_fits *fitted, lab_page *page,
                               weft_error *error);

#endif
