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

enum { FIGURE__LOOKS = 40 };

/* Look `number` < FIGURE__LOOKS. */
figure__look figure__look_of(int number, bool strong);

/* The curve through its points, with marks at places that differ from look to
 * look. */
void figure__curve_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look, int number,
                        const figure__scale scales[2]);
/* What stands before its name: a piece of it around (x, y). */
void figure__look_draw(figure__canvas *canvas, figure__look look, double x, double y, double length);

/* Moves the places, which need not be sorted, as little as can be (in the sum of
 * squares) so that they are at least `gap` apart and within low and high, which
 * must have room for them. */
void figure__spread(double *places, int count, double gap, double low, double high);

#endif
