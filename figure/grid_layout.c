/* SPDX-License-Identifier: MIT */
#include "figure/grid.h"

#include <math.h>

enum { LINE = 15, GAP = 22, LEAST = 24 };

const figure__font figure__title_font = {13, true}, figure__text_font = {11, false},
                   figure__tick_font = {10, false};

/* Points that a panel may be wide and high, by the number of panels. */
static const double widths[FIGURE_MOST_PANELS] = {300, 250, 210, 175};

static figure__scale scale_of(const figure_span *span)
{
    return (figure__scale){.low = fmin(span->first, span->last), .high = fmax(span->first, span->last)};
}

/* A value that grows towards `first` is a scale whose places are turned round. */
static void set_places(figure__scale *scale, const figure_span *span, double first, double last)
{
    bool turned = span->first > span->last;
    scale->from = turned ? last : first;
    scale->to = turned ? first : last;
}

double figure__ticks_width(figure__canvas *canvas, const figure__ticks *ticks)
{
    double width = 0;
    figure__font_use(canvas, figure__tick_font);
    for (int k = 0; k < ticks->count; k++)
        width = fmax(width, figure__text_width(canvas, &ticks->label[k]));
    return width;
}

/* Cells are squares, of whole pixels where they can be, but where the matrix would be
 * a thread. */
static void size_panel(const figure_panel *panel, int count, double *width, double *height)
{
    double rows = (double)panel->rows, columns = (double)panel->columns;
    double cell = widths[count - 1] / fmax(rows, columns);
    if (cell >= 2)
        cell = floor(2 * cell) / 2;
    *width = fmax(cell * columns, LEAST);
    *height = fmax(cell * rows, LEAST);
}

static double place_across(figure__canvas *canvas, const figure_grid *grid, int number, double left,
                           figure__layout *place)
{
    const figure_panel *panel = &grid->panels[number];
    figure__frame *at = &place->frames[number];
    at->names = left + (panel->y.name != NULL ? 10 : 0);
    size_panel(panel, grid->count, &at->right, &at->bottom);
    at->scales[0] = scale_of(&panel->x);
    at->scales[1] = scale_of(&panel->y);
    for (int k = 0; k < 2; k++)
        figure__scale_ticks(&at->scales[k], false, canvas->plain, &at->ticks[k]);
    at->left =
        ceil(at->names + (panel->y.name != NULL ? 9 : 0) + figure__ticks_width(canvas, &at->ticks[1]) + 7);
    at->right += at->left;
    set_places(&at->scales[0], &panel->x, at->left, at->right);
    return at->right;
}

static void place_down(const figure_grid *grid, double top, figure__layout *place)
{
    for (int k = 0; k < grid->count; k++) {
        figure__frame *at = &place->frames[k];
        at->top = top;
        at->bottom += top;
        set_places(&at->scales[1], &grid->panels[k].y, at->top, at->bottom);
        place->bottom = fmax(place->bottom, at->bottom);
    }
    place->shades.from = place->bottom;
    place->shades.to = top;
}

static void choose_shades(figure__canvas *canvas, const figure_grid *grid, figure__layout *place)
{
    figure__scale *shades = &place->shades;
    *shades = (figure__scale){.low = INFINITY, .high = -INFINITY};
    for (int k = 0; k < grid->count; k++)
        for (int64_t at = 0; at < grid->panels[k].rows * grid->panels[k].columns; at++) {
            shades->low = fmin(shades->low, grid->panels[k].values[at]);
            shades->high = fmax(shades->high, grid->panels[k].values[at]);
        }
    if (grid->low < grid->high) {
        shades->low = grid->low;
        shades->high = grid->high;
    }
    figure__scale_widen(shades);
    figure__scale_ticks(shades, false, canvas->plain, &place->shade_ticks);
}

static double place_legend(figure__canvas *canvas, const figure_grid *grid, figure__layout *place)
{
    if (place->two_valued)
        return place->end + 8;
    choose_shades(canvas, grid, place);
    return place->end + FIGURE__SCALE_GAP + FIGURE__SCALE_WIDTH + 8 +
           figure__ticks_width(canvas, &place->shade_ticks) + (grid->unit != NULL ? LINE + 4 : 0);
}

static bool has_titles(const figure_grid *grid)
{
    bool titled = false;
    for (int k = 0; k < grid->count; k++)
        titled = titled || grid->panels[k].title != NULL;
    return titled;
}

void figure__grid_lay_out(figure__canvas *canvas, const figure_grid *grid, figure__layout *place)
{
    enum { NARROWEST = 320, AXIS = 33, LEGEND = 22 };
    place->two_valued = grid->minus != NULL;
    for (int k = 0; k < grid->count; k++)
        place->end = place_across(canvas, grid, k, k == 0 ? FIGURE__MARGIN : place->end + GAP, place);
    place->width = fmax(place_legend(canvas, grid, place) + FIGURE__MARGIN, NARROWEST);
    figure__column column = {.width = place->width - 2 * FIGURE__MARGIN};
    figure__font_use(canvas, figure__title_font);
    int titles = figure__text_wrap(canvas, grid->title, column, true);
    place_down(grid, FIGURE__MARGIN + titles * 17 + 8 + (has_titles(grid) ? LINE + 2 : 0), place);
    figure__font_use(canvas, figure__tick_font);
    int notes = figure__text_wrap(canvas, grid->note, column, true);
    place->legends = place->bottom + AXIS + LEGEND;
    place->notes = place->bottom + AXIS + (place->two_valued ? LEGEND : 0) + 21;
    place->height = place->notes - 21 + notes * 13 + (notes > 0 ? 8 : 0) + FIGURE__MARGIN - 2;
}
