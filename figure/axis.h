/* SPDX-License-Identifier: MIT
 * From values to places on the sheet, and the round numbers beside an axis. */
#ifndef WEFT_FIGURE_AXIS_H
#define WEFT_FIGURE_AXIS_H

#include "figure/text.h"

enum { FIGURE__TICKS = 24 };

/* Invariant: low < high, and low > 0 where it is logarithmic. */
typedef struct figure__scale {
    double low, high; /* values */
    double from, to;  /* their places */
    bool logarithmic;
} figure__scale;

double figure__scale_place(const figure__scale *scale, double value);

typedef struct figure__ticks {
    double at[FIGURE__TICKS];
    figure__text label[FIGURE__TICKS];
    int count;
} figure__ticks;

/* Makes room where low and high are (almost) the same. */
void figure__scale_widen(figure__scale *scale);
/* Moves low and high out to the next round numbers. */
void figure__scale_round(figure__scale *scale);
/* About six round numbers between low and high: 1, 2 or 5 times a power of ten. */
void figure__scale_ticks(const figure__scale *scale, bool percent, bool plain, figure__ticks *ticks);

/* A number with `decimals` digits behind the point, a real minus sign and commas
 * between thousands; very large and very small ones as 2e7. */
figure__text figure__number(double value, int decimals, bool plain);
/* A number with about `digits` digits that count. */
figure__text figure__number_short(double value, int digits, bool plain);

#endif
