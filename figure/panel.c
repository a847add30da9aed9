/* SPDX-License-Identifier: MIT
 * One matrix as coloured cells. */
#include "figure/grid.h"
#include "figure/shade.h"

#include <math.h>

/* ---- Cells ---- */

static uint32_t pixel_of(const figure_panel *panel, const figure__layout *place, int64_t at)
{
    double value = panel->values[at];
    figure__colour colour =
        !place->two_valued
            ? figure__shade_of(figure__shade_number(value, place->shades.low, place->shades.high))
        : value > 0 ? figure__plus
                    : figure__minus;
    return (uint32_t)lround(255 * colour.red) << 16 | (uint32_t)lround(255 * colour.green) << 8 |
           (uint32_t)lround(255 * colour.blue);
}

/* Every cell is size[0] pixels wide and size[1] high. */
static void fill_image(cairo_surface_t *image, const figure_panel *panel, const figure__layout *place,
                       const int size[2])
{
    unsigned char *data = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    cairo_surface_flush(image);
    for (int64_t y = 0; y < panel->rows * size[1]; y++) {
        uint32_t *line = (uint32_t *)(void *)(data + (size_t)y * stride);
        for (int64_t x = 0; x < panel->columns * size[0]; x++)
            line[x] = pixel_of(panel, place, y / size[1] * panel->columns + x / size[0]);
    }
    cairo_surface_mark_dirty(image);
}

/* As an image, finer than the sheet: neighbouring shapes would show seams, and be a file
 * of megabytes. */
static void draw_cells(figure__canvas *canvas, const figure_panel *panel, const figure__layout *place,
                       const figure__frame *at)
{
    enum { PIXELS = 4 };
    double width = (at->right - at->left) / (double)panel->columns;
    double height = (at->bottom - at->top) / (double)panel->rows;
    const int size[2] = {(int)ceil(PIXELS * width), (int)ceil(PIXELS * height)};
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)panel->columns * size[0],
                                                        (int)panel->rows * size[1]);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS)
        fill_image(image, panel, place, size);
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, at->left, at->top);
    cairo_scale(canvas->cairo, width / size[0], height / size[1]);
    cairo_set_source_surface(canvas->cairo, image, 0, 0);
    cairo_paint(canvas->cairo);
    cairo_restore(canvas->cairo);
    cairo_surface_destroy(image);
}

/* ---- Boxes ---- */

/* Left, top, width and height on the sheet. */
static void find_box(const figure_box *box, const figure__frame *at, double sides[4])
{
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = figure__scale_place(&at->scales[0], box->x[k]);
        y[k] = figure__scale_place(&at->scales[1], box->y[k]);
    }
    sides[0] = fmin(x[0], x[1]);
    sides[1] = fmin(y[0], y[1]);
    sides[2] = fabs(x[1] - x[0]);
    sides[3] = fabs(y[1] - y[0]);
}

/* On light and on dark cells alike: ink with a white rim. */
static void draw_name(figure__canvas *canvas, const char *given, const double sides[4])
{
    figure__text name = figure__text_clean(given, canvas->plain);
    double width = figure__text_width(canvas, &name);
    if (width > sides[2] - 4 || sides[3] < figure__tick_font.size + 2)
        return;
    cairo_move_to(canvas->cairo, sides[0] + (sides[2] - width) / 2, sides[1] + sides[3] / 2 + 3.5);
    cairo_text_path(canvas->cairo, name.bytes);
    cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
    cairo_set_line_width(canvas->cairo, 2.6);
    cairo_stroke_preserve(canvas->cairo);
    figure__colour_use(canvas, figure__ink);
    cairo_fill(canvas->cairo);
}

/* All white rims, then all lines, so that no rim covers the line of a neighbour. */
static void draw_boxes(figure__canvas *canvas, const figure_panel *panel, const figure__frame *at)
{
    static const figure__colour white = {1, 1, 1}, black = {0, 0, 0};
    double sides[4];
    cairo_save(canvas->cairo);
    cairo_rectangle(canvas->cairo, at->left - 1, at->top - 1, at->right - at->left + 2,
                    at->bottom - at->top + 2);
    cairo_clip(canvas->cairo);
    for (int pass = 0; pass < 2 && panel->box_count > 0; pass++) {
        for (int b = 0; b < panel->box_count; b++) {
            find_box(&panel->boxes[b], at, sides);
            cairo_rectangle(canvas->cairo, sides[0], sides[1], sides[2], sides[3]);
        }
        figure__colour_use(canvas, pass == 0 ? white : black);
        cairo_set_line_width(canvas->cairo, pass == 0 ? 2.4 : 1);
        cairo_stroke(canvas->cairo);
    }
    figure__font_use(canvas, figure__tick_font);
    for (int b = 0; b < panel->box_count; b++) {
        find_box(&panel->boxes[b], at, sides);
        if (panel->boxes[b].name != NULL)
            draw_name(canvas, panel->boxes[b].name, sides);
    }
    cairo_restore(canvas->cairo);
}

/* ---- Axes ---- */

/* Every how many ticks have a label, so that labels of `size` points do not touch: a
 * number that leaves round ones. */
static int label_every(const figure__scale *scale, const figure__ticks *ticks, double size)
{
    static const int steps[] = {1, 2, 4, 5, 10};
    int k = 0;
    if (ticks->count < 2)
        return 1;
    double apart = fabs(figure__scale_place(scale, ticks->at[1]) - figure__scale_place(scale, ticks->at[0]));
    while (k < 4 && steps[k] * apart < size)
        k++;
    return steps[k];
}

static void draw_x_ticks(figure__canvas *canvas, const figure__frame *at)
{
    const figure__ticks *ticks = &at->ticks[0];
    int every = label_every(&at->scales[0], ticks, figure__ticks_width(canvas, ticks) + 6);
    for (int k = 0; k < ticks->count; k++) {
        double x = figure__scale_place(&at->scales[0], ticks->at[k]);
        figure__line(canvas, x, at->bottom, x, at->bottom + 4);
        if (k % every == 0)
            figure__text_draw(canvas, &ticks->label[k], x, at->bottom + 15, 0.5);
    }
}

static void draw_y_ticks(figure__canvas *canvas, const figure__frame *at)
{
    const figure__ticks *ticks = &at->ticks[1];
    int every = label_every(&at->scales[1], ticks, figure__tick_font.size + 2);
    for (int k = 0; k < ticks->count; k++) {
        double y = figure__scale_place(&at->scales[1], ticks->at[k]);
        figure__line(canvas, at->left - 4, y, at->left, y);
        if (k % every == 0)
            figure__text_draw(canvas, &ticks->label[k], at->left - 7, y + 3.5, 1);
    }
}

static void draw_axes(figure__canvas *canvas, const figure_panel *panel, const figure__frame *at)
{
    figure__colour_use(canvas, figure__ink);
    cairo_set_line_width(canvas->cairo, 0.8);
    cairo_rectangle(canvas->cairo, at->left, at->top, at->right - at->left, at->bottom - at->top);
    cairo_stroke(canvas->cairo);
    figure__font_use(canvas, figure__tick_font);
    draw_x_ticks(canvas, at);
    draw_y_ticks(canvas, at);
    figure__font_use(canvas, figure__text_font);
    figure__text x = figure__text_clean(panel->x.name, canvas->plain);
    figure__text y = figure__text_clean(panel->y.name, canvas->plain);
    figure__text_draw(canvas, &x, (at->left + at->right) / 2, at->bottom + 32, 0.5);
    figure__text_draw_upright(canvas, &y, at->names, (at->top + at->bottom) / 2);
}

void figure__panel_draw(figure__canvas *canvas, const figure_grid *grid, int number,
                        const figure__layout *place)
{
    const figure_panel *panel = &grid->panels[number];
    const figure__frame *at = &place->frames[number];
    double room = (number + 1 < grid->count ? place->frames[number + 1].names : place->width) - at->left;
    draw_cells(canvas, panel, place, at);
    draw_boxes(canvas, panel, at);
    draw_axes(canvas, panel, at);
    figure__text title = figure__text_fit(canvas, panel->title, room - FIGURE__MARGIN);
    figure__text_draw(canvas, &title, at->left, at->top - 7, 0);
}
