/* SPDX-License-Identifier: MIT
 * Several kinds of side information of the same ids. */
#ifndef WEFT_SIDE_KINDS_SUM_H
#define WEFT_SIDE_KINDS_SUM_H

#include "side/side.h"

/* One of them before they are put together: what it is, and the number that every id has there, or -1. */
typedef struct weft__sum_term {
    const weft_side *side; /* borrowed for the life of the sum, and no longer grows */
    int64_t *number_of;    /* copied */
} weft__sum_term;

/* K(i,j) = sum_k K_k(i,j) / R_k / m over `ids` ids, R = 1, from `count` terms.  An id that a term does not
 * have is similar to nothing but itself there: K_k(i,i) = R_k.  A graph without a kernel says nothing by
 * one, so it is not counted in m, unless all of them are such.  No options but memory, budget and
 * progress. */
weft_status weft__side_sum(const weft__sum_term *terms, int64_t count, int64_t ids,
                           const weft_side_options *options, weft_side **side, weft_error *error);

#endif
