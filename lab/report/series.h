/* SPDX-License-Identifier: MIT
 * Points with their uncertainty on the way from results to a chart, and the chart into a report. */
#ifndef WEFT_LAB_REPORT_SERIES_H
#define WEFT_LAB_REPORT_SERIES_H

#include "figure/figure.h"
#include "lab/lab.h"
#include "lab/report/fit.h"
#include "lab/report/page.h"

enum { LAB_SERIES_MOST = 128 };

/* Begins as zero. */
typedef struct lab_series {
    int64_t count;
    double x[LAB_SERIES_MOST], y[LAB_SERIES_MOST];
    double low[LAB_SERIES_MOST], high[LAB_SERIES_MOST];
} lab_series;

/* A value that is known exactly.  Points beyond LAB_SERIES_MOST are left out. */
void lab_series_add(lab_series *series, double x, double y);
/* A value with a bar from low to high, stretched where needed so that y is on it. */
void lab_series_add_range(lab_series *series, double x, double y, const double range[2]);
/* A mean; its bar is one standard deviation of a run to either side. */
void lab_series_add_mean(lab_series *series, double x, const lab_mean *mean);
/* Both ends of a fitted power over the x of `of`. */
void lab_series_add_power(lab_series *series, const lab_power *power, const lab_series *of);

lab_power lab_series_fit(const lab_series *series);

/* Curves borrow the series, which must not be empty: measured with bars; `points` without a line
 * between them; theory without marks or bars; `name` may be NULL where lab_series_like follows. */
figure_curve lab_series_measured(const lab_series *series, const char *name);
figure_curve lab_series_points(const lab_series *series, const char *name);
figure_curve lab_series_theory(const lab_series *series, const char *name);

/* The same as part of curve number `of` of the chart, in its colour and without a name: rings for
 * points, dashes for theory. */
figure_curve lab_series_like(figure_curve curve, int of);

/* Draws OUT/name.svg and .png and puts the picture into the page. */
weft_status lab_series_publish(lab_page *page, const lab_request *request, const char *name,
                               const figure_chart *chart, const char *caption, weft_error *error);

#endif
