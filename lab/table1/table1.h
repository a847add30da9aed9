/* SPDX-License-Identifier: MIT
 * Table 1 of the paper: what was played becomes a CSV, figures and a report. */
#ifndef WEFT_LAB_TABLE1_TABLE1_H
#define WEFT_LAB_TABLE1_TABLE1_H

#include "lab/runs/sweep.h"

weft_status lab_table1_write_csv(const lab_sweep *grid, const lab_cell *cells, const char *path,
                                 weft_error *error);
/* The error curves of one protocol, ours and the paper's: STEM.svg and STEM.png. */
weft_status lab_table1_draw(const lab_sweep *grid, const lab_cell *cells, int variant, const char *stem,
                            weft_error *error);
/* What one reads of the table before anything else. */
typedef struct lab_table1_verdict {
    int64_t compared; /* cells that the paper has */
    double mean;      /* difference to the paper, */
    double distance;  /* its root mean square */
    double largest;   /* and the largest one in size, with its sign */
    int64_t ideal;    /* cells of beta = 0 and n >= 40, */
    int64_t within;   /* and those within .02 + 2 standard errors of the paper's */
    int64_t bounded;  /* cells to which the theorem applies, */
    int64_t vacuous;  /* of those: bound >= n^2, */
    int64_t sharper;  /* and the same of its sharper form */
    double seconds;   /* processor time of all runs */
} lab_table1_verdict;

lab_table1_verdict lab_table1_judge(const lab_sweep *grid, const lab_cell *cells, int variant);

/* Figures and text, in OUT. */
weft_status lab_table1_report(const lab_sweep *grid, const lab_cell *cells, const lab_request *request,
                              weft_error *error);

#endif
