/* SPDX-License-Identifier: MIT
 * The charts of boxes: tables of what is drawn against what. */
#include "lab/boxes/boxes.h"
#include "lab/report/series.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

typedef enum quantity { MISTAKES, TRACE, PROMISE, GENERAL, DIMENSION, SQUARES, CUBES } quantity;

typedef struct boxes_line {
    boxes_sweep sweep;
    quantity what;
    const char *name; /* NULL: no further line */
} boxes_line;

enum { MOST_LINES = 8 };

typedef struct boxes_chart {
    const char *file, *title, *x, *y;
    boxes_line lines[MOST_LINES];
    const char *caption;
} boxes_chart;

static const char bars[] = "Bars: one standard deviation of a run.";
static const char bars_and_lines[] = "Bars: one standard deviation of a run.  Lines without marks: theory.";
static const char bars_and_slopes[] =
    "Bars: one standard deviation of a run.  Lines without marks show slopes "
    "only: k² can be forced, k³ is that of the paper's bound.";

static const boxes_chart charts[] = {
    {"boxes",
     "Mistakes against the number of boxes",
     "boxes k of the rows, and of the columns",
     "mistakes of all trials",
     {{BOXES_BLIND, MISTAKES, "nothing known"},
      {BOXES_LINE, MISTAKES, "min kernel, d = 1"},
      {BOXES_SQUARE, MISTAKES, "min kernel, d = 2"},
      {BOXES_LINE, SQUARES, "slope of k²"},
      {BOXES_LINE, CUBES, "slope of k³"}},
     "Mistakes against the number k = l of boxes, both logarithmic; bars are one standard deviation of a run "
     "to either side.  The lines without marks show slopes only, that of k², which can be forced, and that "
     "of k³ "
     "of the paper's bound: they begin where the curve for d = 1 does, and say nothing of its height."},
    {"boxes-dimension",
     "What the bounds are made of, against the number of boxes",
     "boxes k of the rows, and of the columns",
     "tr(R'MR) + tr(C'NC), and D",
     {{BOXES_LINE, TRACE, "trace, d = 1"},
      {BOXES_LINE, PROMISE, "2 k (4/δ*)^d, d = 1"},
      {BOXES_SQUARE, TRACE, "trace, d = 2"},
      {BOXES_SQUARE, PROMISE, "2 k (4/δ*)^d, d = 2"},
      {BOXES_LINE, GENERAL, "paper's D, d = 1"},
      {BOXES_LINE, DIMENSION, "sharper D, d = 1"},
      {BOXES_SQUARE, GENERAL, "paper's D, d = 2"},
      {BOXES_SQUARE, DIMENSION, "sharper D, d = 2"}},
     "The trace of both sides as measured beside the promise of the proposition, and the quasi-dimension "
     "bound of the paper, k tr(R'MR) R_M + l tr(C'NC) R_N, beside the sharper one that is used, against k; "
     "both logarithmic, bars are one standard deviation of a run to either side."},
    {"boxes-separation",
     "Mistakes against the separation of the boxes",
     "separation δ of the boxes (maximum norm)",
     "mistakes of all trials",
     {{BOXES_LINE_APART, MISTAKES, "d = 1"}, {BOXES_PLANE_APART, MISTAKES, "d = 2"}},
     "Mistakes against the separation of four boxes a side in [-8,8]^d, both logarithmic; bars are one "
     "standard deviation of a run to either side.  Runs of the same number have the same blocks at every "
     "separation."},
    {"boxes-trace",
     "tr(R'K^-1R) against the separation of the boxes",
     "separation δ of the boxes (maximum norm)",
     "tr(R'MR) + tr(C'NC)",
     {{BOXES_LINE_APART, TRACE, "measured, d = 1"},
      {BOXES_LINE_APART, PROMISE, "2 k (4/δ*)^d, d = 1"},
      {BOXES_PLANE_APART, TRACE, "measured, d = 2"},
      {BOXES_PLANE_APART, PROMISE, "2 k (4/δ*)^d, d = 2"}},
     "The trace of both sides as measured (marks, bars are one standard deviation of a run to either side) "
     "beside the promise of the "
     "proposition, against the separation; both logarithmic."},
    {"boxes-columns",
     "Mistakes against the number of boxes of the columns, k = 8",
     "boxes l of the columns",
     "mistakes of all trials",
     {{BOXES_COLUMNS, MISTAKES, "k = 8, d = 1"}},
     "Mistakes against the number l of boxes of the columns where the rows have k = 8, both logarithmic; "
     "bars are one standard deviation of a run to either side."},
    {"boxes-deeper",
     "Mistakes against the dimension of the points, k = l = 4",
     "dimension d",
     "mistakes of all trials",
     {{BOXES_DEEPER, MISTAKES, "k = l = 4"}},
     "Mistakes against the dimension, the vertical axis logarithmic; bars are one standard deviation of a "
     "run to either side.  k and the separation stay the same."},
};

static bool is_theory(quantity what)
{
    return what == PROMISE || what == SQUARES || what == CUBES;
}

/* A quantity of a cell; what theory says has no deviation. */
static lab_mean value_of(const boxes_cell *cell, quantity what, const boxes_cell *first)
{
    double times = cell->x / first->x;
    switch (what) {
    case TRACE:
        return cell->trace;
    case GENERAL:
        return cell->general;
    case DIMENSION:
        return cell->dimension;
    case PROMISE:
        return (lab_mean){.mean = cell->promise};
    case SQUARES:
        return (lab_mean){.mean = first->mistakes.mean * times * times};
    case CUBES:
        return (lab_mean){.mean = first->mistakes.mean * times * times * times};
    case MISTAKES:
        break;
    }
    return cell->mistakes;
}

static lab_series series_of(const boxes_results *results, const boxes_line *line)
{
    lab_series series = {0};
    const boxes_cell *first = &results->cells[results->first[line->sweep]];
    for (int64_t c = results->first[line->sweep]; c < results->first[line->sweep + 1]; c++) {
        lab_mean value = value_of(&results->cells[c], line->what, first);
        lab_series_add_mean(&series, results->cells[c].x, &value);
    }
    return series;
}

static figure_curve curve_of(const lab_series *series, const boxes_line *line)
{
    bool theory = is_theory(line->what);
    figure_curve curve =
        theory ? lab_series_theory(series, line->name) : lab_series_measured(series, line->name);
    curve.strong = !theory && line->sweep != BOXES_BLIND && line->what != GENERAL;
    return curve;
}

static weft_status add_chart(lab_page *page, const boxes_results *results, const boxes_chart *plan,
                             weft_error *error)
{
    lab_series *series = new_array(MOST_LINES, sizeof *series);
    figure_curve curves[MOST_LINES];
    int count = 0;
    const char *note = bars;
    for (; count < MOST_LINES && plan->lines[count].name != NULL; count++) {
        quantity what = plan->lines[count].what;
        note = what == PROMISE ? bars_and_lines : what == SQUARES || what == CUBES ? bars_and_slopes : note;
        series[count] = series_of(results, &plan->lines[count]);
        curves[count] = curve_of(&series[count], &plan->lines[count]);
    }
    figure_chart chart = {
        .title = plan->title,
        .note = note,
        .x = {.name = plan->x, .logarithmic = plan->lines[0].sweep != BOXES_DEEPER},
        .y = {.name = plan->y, .logarithmic = true},
        .curves = curves,
        .count = count,
    };
    weft_status status = lab_series_publish(page, results->request, plan->file, &chart, plan->caption, error);
    free(series);
    return status;
}

weft_status boxes_add_charts(lab_page *page, const boxes_results *results, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (size_t c = 0; c < sizeof charts / sizeof *charts; c++)
        TRY(add_chart(page, results, &charts[c], error));
done:
    return status;
}
