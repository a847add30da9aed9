/* SPDX-License-Identifier: MIT
 * Pictures of the laboratory: every one as SVG, for the report, and as PNG, to be looked at. */
#ifndef WEFT_LAB_REPORT_PICTURE_H
#define WEFT_LAB_REPORT_PICTURE_H

#include "figure/figure.h"
#include "lab/problem/problem.h"
#include "weft.h"

/* Draw STEM.svg and STEM.png; WEFT_WRITE, with the reason, where one of them cannot be
 * drawn.  One at a time in a process, so not from the runs of an experiment. */
weft_status lab_picture_chart(const char *stem, const figure_chart *chart, weft_error *error);
weft_status lab_picture_bars(const char *stem, const figure_bars *bars, weft_error *error);
weft_status lab_picture_grid(const char *stem, const figure_grid *grid, weft_error *error);

/* The matrix as it comes and with the rows and columns of a class side by side, its
 * blocks outlined; at most FIGURE_MOST_CELLS rows and columns. */
weft_status lab_picture_blocks(const lab_blocks *blocks, const char *stem, weft_error *error);

#endif
