/* SPDX-License-Identifier: MIT
 * Where the parts of a grid stand. */
#ifndef WEFT_FIGURE_GRID_H
#define WEFT_FIGURE_GRID_H

#include "figure/axis.h"
#include "figure/canvas.h"

enum { FIGURE__MARGIN = 14, FIGURE__SCALE_WIDTH = 14, FIGURE__SCALE_GAP = 22 };

/* One panel on the sheet. */
typedef struct figure__frame {
    figure__scale scales[2];
    figure__ticks ticks[2];
    double names; /* where the name of its y axis stands */
    double left, right, top, bottom;
} figure__frame;

typedef struct figure__layout {
    figure__frame frames[FIGURE_MOST_PANELS];
    bool two_valued;
    figure__scale shades; /* of a continuous scale: values and places */
    figure__ticks shade_ticks;
    double end;     /* of the last panel */
    double bottom;  /* of the lowest panel */
    double legends; /* base line of what the two colours mean */
    double notes;   /* base line of the note */
    double width, height;
} figure__layout;

extern const figure__font figure__title_font, figure__text_font, figure__tick_font;

/* Of the widest label; that font is then in use. */
double figure__ticks_width(figure__canvas *canvas, const figure__ticks *ticks);
void figure__grid_lay_out(figure__canvas *canvas, const figure_grid *grid, figure__layout *place);
/* Cells, boxes, axes and title of panel `number`. */
void figure__panel_draw(figure__canvas *canvas, const figure_grid *grid, int number,
                        const figure__layout *place);

#endif
