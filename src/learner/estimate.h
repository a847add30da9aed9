/* SPDX-License-Identifier: MIT
 * How many bytes a learner will ask for, before there is one. */
#ifndef WEFT_LEARNER_ESTIMATE_H
#define WEFT_LEARNER_ESTIMATE_H

#include "weft_advanced.h"

/* One side as a learner will meet it. */
typedef struct weft__outline {
    double listed;    /* ids now, */
    double ids;       /* and at most */
    bool structured;  /* products without a Gram matrix */
    bool solves;      /* these by solving, so that nothing is held in single precision */
    double vectors;   /* of workspace, each of as many numbers as there are ids */
    double dimension; /* of the feature map */
    double budget;    /* of the Gram matrix */
    double traits;    /* numbers that a hashed rival knows of an id, */
    bool nearest;     /* which are the nearest by the kernel, and kept */
} weft__outline;

/* Bytes or multiplications, as numbers that cannot overflow. */
typedef struct weft__amount {
    double least, most;
} weft__amount;

/* What will be learnt. */
typedef struct weft__stream_outline {
    double trials; /* INFINITY: any number */
    double fields; /* of the context of an event; 0: none */
    double values; /* of these, and of all fields of an event together: so many are different */
} weft__stream_outline;

/* Of a learner over these sides (columns NULL: one set of ids): `least` before its first trial, `most`
 * after `trials` (INFINITY: any number) that touched as many ids and pairs as they could. */
weft__amount weft__learner_estimate(const weft__outline *rows, const weft__outline *columns,
                                    const weft_settings *settings, double trials);

/* Multiplications of a solve for an id of a large graph, where nothing is known of the factor yet. */
enum { WEFT__SOLVE_AN_ID = 512 };

/* Multiplications of a trial as it counts them (weft__player_ops.price), in the first trials and after
 * `trials` of that kind; solving for a large graph is added. */
weft__amount weft__learner_work(const weft__outline *rows, const weft__outline *columns,
                                const weft_settings *settings, double trials);

/* What doubling from 16 makes of a count. */
double weft__doubled(double count);

#endif
