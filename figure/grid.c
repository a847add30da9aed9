/* SPDX-License-Identifier: MIT
 * Matrices side by side, one coloured cell a value:
 *
 *     title
 *     panel title      panel title
 *     +-----------+    +-----------+   +-+
 *     |   cells   |    |   cells   |   | | scale of colours
 *     +-----------+    +-----------+   +-+
 *       axis name        axis name
 *     what the two colours mean
 *     note
 */
#include "figure/grid.h"

#include "figure/shade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 300 };

/* ---- What can be drawn ---- */

static bool is_number(double value)
{
    return isfinite(value) && fabs(value) <= pow(10, LARGEST);
}

static bool check_span(const figure_span *span, char axis, int number, figure_error *error)
{
    if (!is_number(span->first) || !is_number(span->last) ||
        fabs(span->last - span->first) <= 1e-9 * fmax(fabs(span->first), fabs(span->last)))
        return figure__fail(error, "panel %d: found %c from %g to %g, expected two different finite numbers",
                            number, axis, span->first, span->last);
    return true;
}

static bool check_boxes(const figure_panel *panel, int number, figure_error *error)
{
    if (panel->box_count < 0 || panel->box_count > FIGURE_MOST_BOXES)
        return figure__fail(error, "panel %d: found %d boxes, expected 0 to %d", number, panel->box_count,
                            FIGURE_MOST_BOXES);
    for (int b = 0; b < panel->box_count; b++)
        for (int k = 0; k < 2; k++)
            if (!is_number(panel->boxes[b].x[k]) || !is_number(panel->boxes[b].y[k]))
                return figure__fail(error, "panel %d: found a box without finite ends", number);
    return true;
}

static bool check_values(const figure_panel *panel, bool two_valued, int number, figure_error *error)
{
    for (int64_t at = 0; at < panel->rows * panel->columns; at++) {
        double value = panel->values[at];
        bool expected = two_valued ? fabs(value) == 1 : is_number(value);
        if (!expected)
            return figure__fail(error, "panel %d: found %g at row %lld, column %lld, expected %s", number,
                                value, (long long)(at / panel->columns) + 1,
                                (long long)(at % panel->columns) + 1,
                                two_valued ? "-1 or +1" : "a finite number");
    }
    return true;
}

static bool check_panel(const figure_panel *panel, bool two_valued, int number, figure_error *error)
{
    if (panel->rows < 1 || panel->columns < 1 || panel->rows > FIGURE_MOST_CELLS ||
        panel->columns > FIGURE_MOST_CELLS)
        return figure__fail(error, "panel %d: found %lld x %lld cells, expected 1 to %d either way", number,
                            (long long)panel->rows, (long long)panel->columns, FIGURE_MOST_CELLS);
    return check_span(&panel->x, 'x', number, error) && check_span(&panel->y, 'y', number, error) &&
           check_boxes(panel, number, error) && check_values(panel, two_valued, number, error);
}

static bool check_grid(const void *picture, figure_error *error)
{
    const figure_grid *grid = picture;
    if (grid->count < 1 || grid->count > FIGURE_MOST_PANELS)
        return figure__fail(error, "found %d panels, expected 1 to %d", grid->count, FIGURE_MOST_PANELS);
    if ((grid->minus == NULL) != (grid->plus == NULL))
        return figure__fail(error, "found a name for one of -1 and +1, expected both or neither");
    if (!is_number(grid->low) || !is_number(grid->high) || grid->low > grid->high)
        return figure__fail(error, "found a scale from %g to %g, expected two finite numbers in order",
                            grid->low, grid->high);
    for (int k = 0; k < grid->count; k++)
        if (!check_panel(&grid->panels[k], grid->minus != NULL, k + 1, error))
            return false;
    return true;
}

/* ---- Legends ---- */

/* A swatch and its words; where the next one may begin. */
static double draw_swatch(figure__canvas *canvas, figure__colour colour, const char *words, double x,
                          double y)
{
    enum { SIZE = 11 };
    figure__text text = figure__text_clean(words, canvas->plain);
    figure__colour_use(canvas, colour);
    cairo_rectangle(canvas->cairo, x, y - SIZE + 2, SIZE, SIZE);
    cairo_fill_preserve(canvas->cairo);
    figure__colour_use(canvas, figure__ink);
    cairo_set_line_width(canvas->cairo, 0.8);
    cairo_stroke(canvas->cairo);
    figure__text_draw(canvas, &text, x + SIZE + 6, y, 0);
    return x + SIZE + 6 + figure__text_width(canvas, &text) + 24;
}

static void draw_swatches(figure__canvas *canvas, const figure_grid *grid, const figure__layout *place)
{
    double x = place->frames[0].left;
    figure__font_use(canvas, figure__text_font);
    x = draw_swatch(canvas, figure__minus, grid->minus, x, place->legends);
    draw_swatch(canvas, figure__plus, grid->plus, x, place->legends);
}

/* Every strip reaches to the top under those above it, so that no seam shows. */
static void draw_strips(figure__canvas *canvas, const figure__layout *place, double left)
{
    double top = place->shades.to, height = place->shades.from - top;
    cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_NONE);
    for (int shade = 0; shade < FIGURE__SHADES; shade++) {
        figure__colour_use(canvas, figure__shade_of(shade));
        cairo_rectangle(canvas->cairo, left, top, FIGURE__SCALE_WIDTH,
                        height * (FIGURE__SHADES - shade) / FIGURE__SHADES);
        cairo_fill(canvas->cairo);
    }
    cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
    figure__colour_use(canvas, figure__ink);
    cairo_set_line_width(canvas->cairo, 0.8);
    cairo_rectangle(canvas->cairo, left, top, FIGURE__SCALE_WIDTH, height);
    cairo_stroke(canvas->cairo);
}

static void draw_scale(figure__canvas *canvas, const figure_grid *grid, const figure__layout *place)
{
    double left = place->end + FIGURE__SCALE_GAP, right = left + FIGURE__SCALE_WIDTH, last = -INFINITY;
    figure__text unit = figure__text_clean(grid->unit, canvas->plain);
    draw_strips(canvas, place, left);
    figure__font_use(canvas, figure__tick_font);
    for (int k = 0; k < place->shade_ticks.count; k++) {
        double y = figure__scale_place(&place->shades, place->shade_ticks.at[k]);
        figure__line(canvas, right, y, right + 4, y);
        if (fabs(y - last) < figure__tick_font.size + 1)
            continue;
        figure__text_draw(canvas, &place->shade_ticks.label[k], right + 7, y + 3.5, 0);
        last = y;
    }
    figure__font_use(canvas, figure__text_font);
    figure__text_draw_upright(canvas, &unit, place->width - FIGURE__MARGIN - 2,
                              (place->shades.from + place->shades.to) / 2);
}

/* ---- The sheet ---- */

static void draw_words(figure__canvas *canvas, const figure_grid *grid, const figure__layout *place)
{
    figure__column column = {FIGURE__MARGIN, FIGURE__MARGIN + 11, place->width - 2 * FIGURE__MARGIN, 17};
    figure__colour_use(canvas, figure__ink);
    figure__font_use(canvas, figure__title_font);
    figure__text_wrap(canvas, grid->title, column, false);
    figure__font_use(canvas, figure__tick_font);
    figure__colour_use(canvas, figure__soft);
    column.y = place->notes;
    column.spacing = 13;
    figure__text_wrap(canvas, grid->note, column, false);
}

static void describe_panel(figure__canvas *canvas, const figure_panel *panel)
{
    char size[80];
    snprintf(size, sizeof size, " (%lld rows, %lld columns)", (long long)panel->rows,
             (long long)panel->columns);
    figure__canvas_describe(canvas, panel->title);
    figure__canvas_describe(canvas, size);
    figure__canvas_describe(canvas, panel->y.name != NULL || panel->x.name != NULL ? " over " : "");
    figure__canvas_describe(canvas, panel->x.name);
    figure__canvas_describe(canvas, panel->y.name != NULL && panel->x.name != NULL ? " and " : "");
    figure__canvas_describe(canvas, panel->y.name);
    for (int b = 0; b < panel->box_count; b++)
        if (panel->boxes[b].name != NULL) {
            figure__canvas_describe(canvas, ", ");
            figure__canvas_describe(canvas, panel->boxes[b].name);
        }
}

static void describe(figure__canvas *canvas, const figure_grid *grid, const figure__layout *place)
{
    char range[80];
    snprintf(range, sizeof range, " from %g (dark) to %g (light)", place->shades.low, place->shades.high);
    figure__canvas_describe(canvas, place->two_valued ? grid->minus : grid->unit);
    figure__canvas_describe(canvas, place->two_valued ? " (light) and " : range);
    figure__canvas_describe(canvas, place->two_valued ? grid->plus : "");
    figure__canvas_describe(canvas, place->two_valued ? " (dark): " : ": ");
    for (int k = 0; k < grid->count; k++) {
        figure__canvas_describe(canvas, k > 0 ? "; " : "");
        describe_panel(canvas, &grid->panels[k]);
    }
}

static bool draw_grid(figure__canvas *canvas, const void *picture, void *layout, figure_error *error)
{
    const figure_grid *grid = picture;
    figure__layout *place = layout;
    figure__grid_lay_out(canvas, grid, place);
    if (!figure__canvas_begin(canvas, place->width, place->height, error))
        return false;
    draw_words(canvas, grid, place);
    for (int k = 0; k < grid->count; k++)
        figure__panel_draw(canvas, grid, k, place);
    if (place->two_valued)
        draw_swatches(canvas, grid, place);
    else
        draw_scale(canvas, grid, place);
    describe(canvas, grid, place);
    return figure__canvas_publish(canvas, grid->title, error);
}

bool figure_draw_grid(const char *path, const figure_grid *grid, figure_error *error)
{
    static const figure__ops ops = {check_grid, draw_grid, sizeof(figure__layout)};
    return figure__draw(&ops, path, grid, error);
}
