/* SPDX-License-Identifier: MIT
 * The ranking of a committee, for `weft top`. */
#ifndef WEFT_CLI_TOP_H
#define WEFT_CLI_TOP_H

#include "weft.h"

typedef struct top_verdict {
    int64_t id;
    weft_verdict verdict;
} top_verdict;

/* The candidates of the query, of which there may be none, by the probability of +1, largest first, equal
 * ones in the order that they were given in; at most query->most.  The caller frees *verdicts.  One question
 * a candidate: nobody is left out unasked. */
weft_status top_committee(weft_committee *committee, const weft_ranker_query *query, top_verdict **verdicts,
                          int64_t *found, weft_error *error);

#endif
