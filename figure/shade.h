/* SPDX-License-Identifier: MIT
 * The colours of cells: whoever sees no colours sees the lightness. */
#ifndef WEFT_FIGURE_SHADE_H
#define WEFT_FIGURE_SHADE_H

#include "figure/canvas.h"

/* More than the eye tells apart side by side. */
enum { FIGURE__SHADES = 128 };

/* Dark to light in even steps; number < FIGURE__SHADES. */
figure__colour figure__shade_of(int number);
/* The number of a value on a scale from low to high; beyond its ends it stays. */
int figure__shade_number(double value, double low, double high);

/* For -1 and +1: light and dark. */
extern const figure__colour figure__minus, figure__plus;

#endif
