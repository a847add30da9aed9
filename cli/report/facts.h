/* SPDX-License-Identifier: MIT
 * What a run has come to: found once, when all is played, and told as text, as JSON and in pictures. */
#ifndef WEFT_CLI_REPORT_FACTS_H
#define WEFT_CLI_REPORT_FACTS_H

#include "cli/report/score.h"
#include "cli/run/committee.h"
#include "weft_theory.h"

typedef struct run_facts {
    weft_counters counters; /* of all trials, with those of the model that was resumed */
    double error;           /* mistakes a trial; NaN where no label came */
    /* Of the trials with a label that this process played: */
    int64_t labelled;
    int constant;          /* doing nothing: always the more frequent label, +1 of equals, */
    double constant_error; /* and its mistakes a trial; NaN where there was no such trial */
    ranking ranked;        /* by margins or probabilities */
    double calibration;    /* the error of the probabilities, see reliability_error */
    /* One learner: */
    weft_bound bound;
    /* A committee: */
    guarantee guarantee;
    worth_list worth;
    weft_tracking tracking;
    int64_t common_ids; /* that are rows and columns; 0 for one set */
} run_facts;

struct run_state;

/* Sorts the scores of the run. */
run_facts facts_gather(struct run_state *run);

#endif
