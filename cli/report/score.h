/* SPDX-License-Identifier: MIT
 * How well margins rank: area under the ROC curve, average precision, and what
 * stands first. */
#ifndef WEFT_CLI_REPORT_SCORE_H
#define WEFT_CLI_REPORT_SCORE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scored {
    double margin;
    int label;
    int64_t place; /* in the order of scores_add, from 0 */
} scored;

typedef struct score_list {
    scored *items;
    int64_t count, capacity;
    int64_t positive; /* labels +1 */
} score_list;

void scores_add(score_list *scores, double margin, int label);

typedef struct ranking {
    double auc;               /* share of pairs (+1, -1) in the right order, ties one half */
    double average_precision; /* sum over thresholds of (recall gained) * precision */
    bool defined;             /* both labels occurred */
} ranking;

/* Sorts the scores. */
ranking scores_rank(score_list *scores);
/* The same of sorted scores as if those with first <= place < last were not there. */
ranking scores_rank_without(const score_list *sorted, int64_t first, int64_t last);

typedef struct shortlist {
    double ndcg;   /* normalised discounted cumulative gain, labels +1 gain 1 */
    double recall; /* labels +1 found, of those that there is room for */
    bool defined;  /* both labels occurred, and more scores than there is room for */
} shortlist;

/* The `most` highest scores as an answer to a question; equal scores count as if in
 * random order.  Sorts the scores. */
shortlist scores_shortlist(score_list *scores, int64_t most);

/* Drops the scores, keeps the memory. */
void scores_clear(score_list *scores);
void scores_free(score_list *scores);

#endif
