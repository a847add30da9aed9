/* SPDX-License-Identifier: MIT
 * How well margins rank: area under the ROC curve and average precision. */
#ifndef WEFT_CLI_SCORE_H
#define WEFT_CLI_SCORE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scored {
    double margin;
    int label;
} scored;

typedef struct score_list {
    scored *items;
    int64_t count, capacity;
    int64_t positive; /* labels +1 */
} score_list;

/* False when there is no memory. */
bool scores_add(score_list *scores, double margin, int label);

typedef struct ranking {
    double auc;               /* share of pairs (+1, -1) in the right order, ties one half */
    double average_precision; /* sum over thresholds of (recall gained) * precision */
    bool defined;             /* both labels occurred */
} ranking;

/* Sorts the scores. */
ranking scores_rank(score_list *scores);
void scores_free(score_list *scores);

#endif
