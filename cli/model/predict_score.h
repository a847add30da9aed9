/* SPDX-License-Identifier: MIT
 * weft predict --score: how good the answers to labelled pairs are. */
#ifndef WEFT_CLI_MODEL_PREDICT_SCORE_H
#define WEFT_CLI_MODEL_PREDICT_SCORE_H

#include "cli/report/held_out.h"
#include "weft_files.h"

typedef struct score_sheet {
    held_out_pair *pairs;
    int64_t count, capacity;
    int64_t unlabelled; /* lines without a label, which are answered and not scored */
    int64_t most;       /* how many of a row nDCG and recall look at */
    bool apart;         /* it is known who is cold */
} score_sheet;

/* What was said of a pair; `warm` tells of the row and of the column. */
typedef struct scored_answer {
    const char *row; /* rows of equal names are one */
    const weft_answer *answer;
    double probability;
    bool warm[2];
} scored_answer;

/* label 0: there is none. */
void score_sheet_add(score_sheet *sheet, const scored_answer *said, int label);
void score_sheet_free(score_sheet *sheet);

/* On standard output: all, and apart the pairs whose row and column have evidence, and those where one or
 * both have none. */
weft_status score_sheet_tell(score_sheet *sheet, bool json, weft_error *error);

#endif
