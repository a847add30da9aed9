/* SPDX-License-Identifier: MIT
 * How curves look and where their names stand. */
#ifndef WEFT_FIGURE_CURVE_H
#define WEFT_FIGURE_CURVE_H

#include "figure/axis.h"
#include "figure/canvas.h"

/* Every look differs from every other in the dashes or the mark, so that no colour
 * is needed to tell two curves apart. */
typedef struct figure__look {
    figure__colour colour;
    int dash, mark;
    double width;
} figure__look;

enum { FIGURE__LOOKS = 40, FIGURE__SAMPLE = 30 };

/* Look `number` < FIGURE__LOOKS. */
figure__look figure__look_of(int number, bool strong);
/* Of what belongs to a curve of that look: its colour, rings, dashes. */
figure__look figure__look_like(int number);
/* The number of the look of every curve. */
void figure__looks_choose(const figure_chart *chart, int *looks);

/* The curve through its points, with marks at places that differ from look to
 * look, or at all of them where there are bars or no line. */
void figure__curve_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look, int number,
                        const figure__scale scales[2]);
/* What stands before its name: a piece of it around (x, y). */
void figure__look_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look, double x,
                       double y);

/* ---- How sure it is ---- */

/* Bars, a band, or neither. */
bool figure__doubt_is_bars(const figure_curve *curve);
bool figure__doubt_is_band(const figure_curve *curve);
void figure__band_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look,
                       const figure__scale scales[2]);
/* The bar at point k. */
void figure__bar_draw(figure__canvas *canvas, const figure_curve *curve, int64_t k, figure__look look,
                      const figure__scale scales[2]);

/* ---- Names ---- */

/* Moves the places, which need not be sorted, as little as can be (in the sum of
 * squares) so that they are at least `gap` apart and within low and high, which
 * must have room for them. */
void figure__spread(double *places, int count, double gap, double low, double high);

#endif
