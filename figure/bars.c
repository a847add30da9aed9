/* SPDX-License-Identifier: MIT
 * Bars from a common zero: names at the left, values at the ends. */
#include "figure/axis.h"
#include "figure/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MARGIN = 14, FRAME_WIDTH = 380, ROW = 20, THICK = 13, NAME_WIDTH = 230, LARGEST = 300 };

static const figure__font title_font = {13, true}, text_font = {11, false}, tick_font = {10, false};
/* Blue and vermilion of Okabe and Ito; the paler one is also the lighter in grey. */
static const figure__colour positive = {0.000, 0.447, 0.698}, negative = {0.925, 0.600, 0.365};

typedef struct layout {
    figure__scale scale;
    figure__ticks ticks;
    double left, top, bottom;
    double width, height;
} layout;

static bool check_bars(const void *picture, figure_error *error)
{
    const figure_bars *bars = picture;
    if (bars->count < 1 || bars->count > FIGURE_MOST_BARS)
        return figure__fail(error, "found %d bars, expected 1 to %d", bars->count, FIGURE_MOST_BARS);
    for (int k = 0; k < bars->count; k++) {
        if (bars->bars[k].name == NULL)
            return figure__fail(error, "found a bar without a name");
        if (!isfinite(bars->bars[k].value) || fabs(bars->bars[k].value) > pow(10, LARGEST))
            return figure__fail(error, "bar '%.80s': found %g, expected a finite number", bars->bars[k].name,
                                bars->bars[k].value);
        if (!(bars->bars[k].doubt >= 0 && bars->bars[k].doubt <= pow(10, LARGEST)))
            return figure__fail(error, "bar '%.80s': found an uncertainty of %g, expected 0 or above",
                                bars->bars[k].name, bars->bars[k].doubt);
    }
    return true;
}

static figure__text value_of(const figure__canvas *canvas, const figure_bar *bar)
{
    return figure__number_short(bar->value, 3, canvas->plain);
}

static double widest_value(figure__canvas *canvas, const figure_bars *bars, bool above)
{
    double width = 0;
    figure__font_use(canvas, tick_font);
    for (int k = 0; k < bars->count; k++)
        if ((bars->bars[k].value >= 0) == above) {
            figure__text text = value_of(canvas, &bars->bars[k]);
            width = fmax(width, figure__text_width(canvas, &text) + 6);
        }
    return width;
}

static double widest_name(figure__canvas *canvas, const figure_bars *bars)
{
    double width = 0;
    figure__font_use(canvas, text_font);
    for (int k = 0; k < bars->count; k++) {
        figure__text name = figure__text_fit(canvas, bars->bars[k].name, NAME_WIDTH);
        width = fmax(width, figure__text_width(canvas, &name));
    }
    return width;
}

static void choose_scale(figure__canvas *canvas, const figure_bars *bars, layout *place)
{
    figure__scale *scale = &place->scale;
    *scale = (figure__scale){.low = 0, .high = 0};
    for (int k = 0; k < bars->count; k++) {
        const figure_bar *bar = &bars->bars[k];
        scale->low = fmin(scale->low, bar->value - bar->doubt);
        scale->high = fmax(scale->high, bar->value + bar->doubt);
    }
    figure__scale_widen(scale);
    figure__scale_ticks(scale, false, canvas->plain, &place->ticks);
    double below = scale->low < 0 ? widest_value(canvas, bars, false) : 0;
    scale->from = place->left + below;
    scale->to = scale->from + FRAME_WIDTH;
    place->width = scale->to + widest_value(canvas, bars, true) + MARGIN;
}

static void lay_out(figure__canvas *canvas, const figure_bars *bars, layout *place)
{
    place->left = MARGIN + widest_name(canvas, bars) + 10;
    choose_scale(canvas, bars, place);
    figure__column column = {.width = place->width - 2 * MARGIN};
    figure__font_use(canvas, title_font);
    place->top = MARGIN + figure__text_wrap(canvas, bars->title, column, true) * 17 + 8;
    place->bottom = place->top + bars->count * ROW + 4;
    figure__font_use(canvas, tick_font);
    int lines = figure__text_wrap(canvas, bars->note, column, true);
    place->height = place->bottom + 40 + (lines > 0 ? 6 + lines * 13 : 0) + MARGIN - 4;
}

static void draw_frame(figure__canvas *canvas, const figure_bars *bars, const layout *place)
{
    figure__column column = {MARGIN, MARGIN + 11, place->width - 2 * MARGIN, 17};
    figure__text unit = figure__text_clean(bars->unit, canvas->plain);
    figure__font_use(canvas, tick_font);
    cairo_set_line_width(canvas->cairo, 0.8);
    for (int k = 0; k < place->ticks.count; k++) {
        double x = figure__scale_place(&place->scale, place->ticks.at[k]);
        figure__colour_use(canvas, figure__faint);
        figure__line(canvas, x, place->top, x, place->bottom);
        figure__colour_use(canvas, figure__ink);
        figure__text_draw(canvas, &place->ticks.label[k], x, place->bottom + 13, 0.5);
    }
    figure__font_use(canvas, text_font);
    figure__text_draw(canvas, &unit, (place->scale.from + place->scale.to) / 2, place->bottom + 31, 0.5);
    figure__font_use(canvas, title_font);
    figure__text_wrap(canvas, bars->title, column, false);
    figure__font_use(canvas, tick_font);
    figure__colour_use(canvas, figure__soft);
    column.y = place->bottom + 52;
    column.spacing = 13;
    figure__text_wrap(canvas, bars->note, column, false);
}

/* A line with caps over the end of the bar; returns where its far end is. */
static double draw_doubt(figure__canvas *canvas, const figure_bar *bar, const layout *place, double middle)
{
    double near =
        figure__scale_place(&place->scale, bar->value - (bar->value < 0 ? -bar->doubt : bar->doubt));
    double far = figure__scale_place(&place->scale, bar->value + (bar->value < 0 ? -bar->doubt : bar->doubt));
    cairo_set_line_width(canvas->cairo, 1);
    figure__line(canvas, near, middle, far, middle);
    figure__line(canvas, near, middle - 3, near, middle + 3);
    figure__line(canvas, far, middle - 3, far, middle + 3);
    return far;
}

static void draw_bar(figure__canvas *canvas, const figure_bar *bar, const layout *place, double top)
{
    double zero = figure__scale_place(&place->scale, 0), end = figure__scale_place(&place->scale, bar->value);
    double base = top + (double)ROW / 2 + 3.5;
    figure__text value = value_of(canvas, bar);
    figure__colour_use(canvas, bar->value < 0 ? negative : positive);
    cairo_rectangle(canvas->cairo, fmin(zero, end), top + (double)(ROW - THICK) / 2, fabs(end - zero), THICK);
    cairo_fill(canvas->cairo);
    figure__colour_use(canvas, figure__ink);
    if (bar->doubt > 0)
        end = draw_doubt(canvas, bar, place, top + (double)ROW / 2);
    figure__font_use(canvas, tick_font);
    figure__text_draw(canvas, &value, end + (bar->value < 0 ? -4 : 4), base, bar->value < 0 ? 1 : 0);
    figure__font_use(canvas, text_font);
    figure__text name = figure__text_fit(canvas, bar->name, NAME_WIDTH);
    figure__text_draw(canvas, &name, place->left - 10, base, 1);
}

static void describe(figure__canvas *canvas, const figure_bars *bars)
{
    figure__canvas_describe(canvas, bars->unit);
    for (int k = 0; k < bars->count; k++) {
        char value[32];
        snprintf(value, sizeof value, " %g", bars->bars[k].value);
        figure__canvas_describe(canvas, k > 0 ? "; " : ": ");
        figure__canvas_describe(canvas, bars->bars[k].name);
        figure__canvas_describe(canvas, value);
    }
}

static bool draw_bars(figure__canvas *canvas, const void *picture, void *laid_out, figure_error *error)
{
    const figure_bars *bars = picture;
    layout *place = laid_out;
    lay_out(canvas, bars, place);
    if (!figure__canvas_begin(canvas, place->width, place->height, error))
        return false;
    draw_frame(canvas, bars, place);
    for (int k = 0; k < bars->count; k++)
        draw_bar(canvas, &bars->bars[k], place, place->top + 2 + k * ROW);
    double zero = figure__scale_place(&place->scale, 0);
    cairo_set_line_width(canvas->cairo, 1);
    figure__line(canvas, zero, place->top, zero, place->bottom);
    describe(canvas, bars);
    return figure__canvas_publish(canvas, bars->title, error);
}

bool figure_draw_bars(const char *path, const figure_bars *bars, figure_error *error)
{
    static const figure__ops ops = {check_bars, draw_bars, sizeof(layout)};
    return figure__draw(&ops, path, bars, error);
}
