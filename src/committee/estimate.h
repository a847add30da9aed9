/* SPDX-License-Identifier: MIT
 * What a committee will take, before it is made. */
#ifndef WEFT_COMMITTEE_ESTIMATE_H
#define WEFT_COMMITTEE_ESTIMATE_H

#include "learner/estimate.h"

/* A member, and its sides as they will be; columns NULL: one set of ids. */
typedef struct weft__foreseen {
    const weft_member *member;
    const weft__outline *rows, *columns;
} weft__foreseen;

typedef struct weft__committee_plan {
    const weft__foreseen *members;
    int64_t count;
    bool restless;
    weft__stream_outline stream;
} weft__committee_plan;

/* Bytes, as weft__learner_estimate, and multiplications of a trial, as weft__learner_work. */
weft__amount weft__committee_estimate(const weft__committee_plan *plan);
weft__amount weft__committee_work(const weft__committee_plan *plan);

#endif
