/* SPDX-License-Identifier: MIT
 * How long a trial takes: the paper's method and this library's, against n. */
#ifndef WEFT_LAB_SCALING_SCALING_H
#define WEFT_LAB_SCALING_SCALING_H

#include "lab/lab.h"
#include "weft.h"

#include <stdbool.h>
#include <stdint.h>

/* *seconds of processor time that one update of the reference engine (the paper word for word: one
 * eigendecomposition) takes at size n on the paper's problem: the median of a few, with a quarter of
 * the entries learnt before.  About half a second of work at n = 200, three at n = 400; sets the
 * BLAS to one thread. */
weft_status lab_scaling_reference_seconds(int64_t n, double *seconds, weft_error *error);

/* ---- The parts of the experiment `scaling` ---- */

typedef struct scaling_run {
    int64_t n;
    double beta;
    int64_t updates; /* of the reference engine that are timed; 0: it is left out */
    uint64_t seed;
} scaling_run;

/* What a run answers.  Seconds are processor time; 0 where the reference engine was left out. */
enum {
    SCALING_KRYLOV,   /* seconds a trial */
    SCALING_UPDATE,   /* of a reference trial with an update */
    SCALING_IDLE,     /* of one without */
    SCALING_UPDATES,  /* a trial, over the whole stream */
    SCALING_PRODUCTS, /* by C, a trial */
    /* Quartiles: of trials over stretches of the stream, and of updates. */
    SCALING_KRYLOV_LOW,
    SCALING_KRYLOV_HIGH,
    SCALING_UPDATE_LOW,
    SCALING_UPDATE_HIGH,
    SCALING_ANSWERS
};

/* A lab_work over a scaling_run. */
weft_status scaling_play(const void *given, double *answer, weft_error *error);

/* Noise levels at which updates are counted; at SCALING_TIMED of them engines are timed. */
enum { SCALING_LEVELS = 3, SCALING_TIMED = 1 };
extern const double scaling_noise[SCALING_LEVELS];

/* One size at the noise level at which both engines were timed. */
typedef struct scaling_result {
    int64_t n;
    double krylov, update, idle, products;
    double krylov_quartile[2], update_quartile[2];
    double share
        [SCALING_LEVELS]; /* updates a trial at the noise levels of scaling_noise; negative: not played */
} scaling_result;

typedef struct scaling_results {
    const lab_request *request;
    const scaling_result *sizes;
    int count;
} scaling_results;

/* Writes OUT/scaling.csv, the figure and OUT/scaling.html, and says what was found. */
weft_status scaling_report(const scaling_results *results, weft_error *error);

#endif
