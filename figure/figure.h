/* SPDX-License-Identifier: MIT
 * Pictures for programs: curves, bars and matrices, as SVG or PNG, legible in print
 * and to the colour-blind: curves differ in dashes and marks as well as in colour,
 * cells in lightness.  It knows nothing of learners.
 *
 * Strings are UTF-8; what is not becomes U+FFFD, control characters become blanks.
 * Names that are too long for their place are shortened with an ellipsis.  NULL is
 * an empty string but for names of curves and bars.
 *
 * The font is what fontconfig has for "sans-serif"; a character that it lacks is
 * drawn as a box.  Where no font is installed at all, cairo draws with strokes of
 * its own, and everything beyond ASCII becomes a question mark: install a font, such
 * as fonts-dejavu-core.  An SVG holds the shapes of its letters and so needs no font
 * to be seen; its <title> and <desc> hold all the names as text. */
#ifndef WEFT_FIGURE_H
#define WEFT_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

/* One line of a chart.  Borrowed for the call, as everything here. */
typedef struct figure_curve {
    const char *name;    /* stands at the end of the curve, with a sample of it */
    const double *x, *y; /* finite, up to 1e300; positive where the axis is logarithmic */
    int64_t count;       /* at least 1; any number: what would not show is not drawn */
    /* How sure y is, both or neither: low[k] <= high[k], finite.  Bars with caps where
     * there are a few points (or `points`), a translucent band where there are many.
     * What is not positive on a logarithmic axis goes to the edge of the frame. */
    const double *low, *high;
    /* 0, or 1 + the number of the curve to which these `points` or this `line` belong:
     * rings, or dashes, of its colour.  No name is shown, and none is needed. */
    int like;
    bool strong; /* drawn thicker and last */
    bool points; /* a mark at every point, no line from one to the next */
    bool line;   /* no marks: what was fitted, or follows from theory */
} figure_curve;

typedef struct figure_axis {
    const char *name; /* with its unit */
    bool logarithmic;
    bool percent; /* values are shares, shown as per cent */
} figure_axis;

typedef struct figure_chart {
    const char *title;
    const char *note; /* a sentence below the picture, or NULL */
    figure_axis x, y;
    const figure_curve *curves;
    int count; /* 1 to 40 */
} figure_chart;

typedef struct figure_bar {
    const char *name;
    double value; /* signed: bars go left and right of zero */
    double doubt; /* how sure the value is, 0 or above: drawn as far to either side of its end */
} figure_bar;

typedef struct figure_bars {
    const char *title;
    const char *note;
    const char *unit;       /* of the values, below the axis */
    const figure_bar *bars; /* drawn from the top down */
    int count;              /* 1 to FIGURE_MOST_BARS */
} figure_bars;

enum { FIGURE_MOST_BARS = 500 };

/* The values at the two ends of an axis, which differ: of x at the left and at the
 * right edge, of y at the top and at the bottom edge. */
typedef struct figure_span {
    const char *name;
    double first, last;
} figure_span;

/* The outline of a rectangle, in the values of the axes; the ends in any order. */
typedef struct figure_box {
    const char *name; /* shown inside where it fits, or NULL */
    double x[2], y[2];
} figure_box;

/* One matrix as coloured cells: of a matrix by index the axes go from 0 to columns and
 * from 0 to rows, of a function they are the domain. */
typedef struct figure_panel {
    const char *title;
    int64_t rows, columns; /* 1 to FIGURE_MOST_CELLS */
    const double *values;  /* row by row, the first row at the top */
    figure_span x, y;
    const figure_box *boxes;
    int box_count; /* 0 to FIGURE_MOST_BOXES */
} figure_panel;

enum { FIGURE_MOST_PANELS = 4, FIGURE_MOST_CELLS = 256, FIGURE_MOST_BOXES = 1000 };

/* Panels side by side, with one scale of colours for all of them. */
typedef struct figure_grid {
    const char *title;
    const char *note;
    const figure_panel *panels;
    int count; /* 1 to FIGURE_MOST_PANELS */
    /* Both given: all values are -1 or +1, and this is what they are called. */
    const char *minus, *plus;
    /* Neither given: any finite numbers; what they are, with the unit, and the ends of
     * the scale, beyond which colours stay; low = high: those of the values. */
    const char *unit;
    double low, high;
} figure_grid;

/* What went wrong, in one sentence without a newline. */
typedef struct figure_error {
    char message[256];
} figure_error;

/* Whether the name ends in .svg or .png, the two kinds that can be drawn. */
bool figure_kind_known(const char *path);

/* Draw to the file `path`, whose name tells the kind, as an output of program/output.h:
 * it appears when it is whole (a pipe or a device is written directly).  False where
 * that fails, with the reason; nothing is left behind then.  PNGs have two pixels a
 * point.  The same picture is the same bytes on one machine.  One at a time in a
 * process: what cairo and fontconfig keep between pictures is let go at the end. */
bool figure_draw_chart(const char *path, const figure_chart *chart, figure_error *error);
bool figure_draw_bars(const char *path, const figure_bars *bars, figure_error *error);
bool figure_draw_grid(const char *path, const figure_grid *grid, figure_error *error);

#endif
