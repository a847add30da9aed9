/* SPDX-License-Identifier: MIT
 * How good predictions of pairs are that were not learnt, with intervals. */
#ifndef WEFT_CLI_REPORT_HELD_OUT_H
#define WEFT_CLI_REPORT_HELD_OUT_H

#include <stdbool.h>
#include <stdint.h>

/* A pair with its label, and what was said of it. */
typedef struct held_out_pair {
    int64_t row;
    double score; /* by which it ranks */
    double probability;
    int label;
    bool wrong;
    int group; /* of the caller */
} held_out_pair;

/* A figure and 95 % about it; NaN where it is not defined. */
typedef struct held_out_figure {
    double value, low, high;
} held_out_figure;

enum held_out_measure {
    HELD_OUT_ERROR,
    HELD_OUT_LOG_LOSS,
    HELD_OUT_BRIER,
    HELD_OUT_AUC,
    HELD_OUT_PRECISION,
    HELD_OUT_NDCG,
    HELD_OUT_RECALL,
    HELD_OUT_MEASURES
};

/* "error", "log_loss", "brier", "auc", "average_precision", "ndcg", "recall". */
extern const char *const held_out_names[HELD_OUT_MEASURES];

typedef struct held_out_figures {
    int64_t pairs, positive;
    int64_t
        lists; /* rows with both labels and more pairs than `most`: of these are nDCG and recall the means */
    held_out_figure of[HELD_OUT_MEASURES];
} held_out_figures;

/* Of the pairs of one group, or of all for -1; nDCG and recall of the first `most` of a row.  The order of
 * the pairs does not matter, and changes. */
held_out_figures held_out_measure(held_out_pair *pairs, int64_t count, int group, int64_t most);

#endif
