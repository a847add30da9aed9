/* SPDX-License-Identifier: MIT
 * How well the scores of a stream rank, in memory that does not grow with it. */
#ifndef WEFT_CLI_REPORT_SCORE_GROUPS_H
#define WEFT_CLI_REPORT_SCORE_GROUPS_H

#include "cli/report/score.h"

/* Scores between two that were given, `least` and `most`, and how many labels of each kind they came with. */
typedef struct score_group {
    double least, most;
    int64_t plus, minus;
} score_group;

/* Starts as {0}.  Invariant: below SCORE_GROUPS_MOST groups; each is of one score until so many different
 * ones have come. */
typedef struct score_groups {
    score_group *items;
    int64_t count, capacity;
} score_groups;

enum { SCORE_GROUPS_MOST = 200000 };

void score_groups_add(score_groups *groups, double score, int label);

/* As scores_rank; sorts the groups.  Where scores were put together, they are taken to be in random order:
 * auc is then right to about 1 / SCORE_GROUPS_MOST, average_precision a little less. */
ranking score_groups_rank(score_groups *groups);

void score_groups_free(score_groups *groups);

#endif
