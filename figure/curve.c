/* SPDX-License-Identifier: MIT */
#include "figure/curve.h"

#include <math.h>
#include <stdlib.h>

enum { COLOURS = 7, DASHES = 5, MARKS = 8 };

/* The colours of Okabe and Ito (2008), which people with any kind of colour vision
 * tell apart, without the yellow, which is too faint for a line on white. */
static const figure__colour colours[COLOURS] = {
    {0.000, 0.447, 0.698}, /* blue */
    {0.835, 0.369, 0.000}, /* vermilion */
    {0.000, 0.620, 0.451}, /* bluish green */
    {0.800, 0.475, 0.655}, /* reddish purple */
    {0.902, 0.624, 0.000}, /* orange */
    {0.000, 0.000, 0.000}, /* black */
    {0.337, 0.706, 0.914}, /* sky blue */
};

/* Lengths of ink and gaps; the first is a full line, the last is for what belongs to
 * another curve. */
static const double dashes[DASHES + 1][4] = {
    {0, 0, 0, 0}, {6, 2.5, 6, 2.5}, {1.6, 2, 1.6, 2}, {7, 2.5, 1.6, 2.5}, {11, 3, 11, 3}, {3, 3, 3, 3},
};

/* COLOURS, DASHES and MARKS have no common factors pairwise but 1, so dash and mark
 * together repeat only after DASHES * MARKS = FIGURE__LOOKS. */
figure__look figure__look_of(int number, bool strong)
{
    return (figure__look){.colour = colours[number % COLOURS],
                          .dash = number % DASHES,
                          .mark = number % MARKS,
                          .width = strong ? 2.6 : 1.3};
}

/* ---- Marks ---- */

/* The last one goes round another mark. */
typedef enum mark { DISC, SQUARE, UP, DIAMOND, CROSS, DOWN, RING, PLUS, CIRCLE } mark;

figure__look figure__look_like(int number)
{
    return (figure__look){.colour = colours[number % COLOURS], .dash = DASHES, .mark = CIRCLE, .width = 1};
}

static void outline(cairo_t *cairo, const double (*points)[2], int count, double size)
{
    for (int k = 0; k < count; k++)
        cairo_rel_line_to(cairo, size * points[k][0], size * points[k][1]);
    cairo_close_path(cairo);
}

static void draw_polygon(cairo_t *cairo, mark kind, double x, double y, double r)
{
    static const double square[][2] = {{1.8, 0}, {0, 1.8}, {-1.8, 0}};
    static const double up[][2] = {{1.2, 2}, {-2.4, 0}};
    static const double down[][2] = {{1.2, -2}, {-2.4, 0}};
    static const double diamond[][2] = {{1.3, 1.3}, {-1.3, 1.3}, {-1.3, -1.3}};
    if (kind == SQUARE) {
        cairo_move_to(cairo, x - 0.9 * r, y - 0.9 * r);
        outline(cairo, square, 3, r);
    } else if (kind == UP) {
        cairo_move_to(cairo, x, y - 1.2 * r);
        outline(cairo, up, 2, r);
    } else if (kind == DOWN) {
        cairo_move_to(cairo, x, y + 1.2 * r);
        outline(cairo, down, 2, r);
    } else {
        cairo_move_to(cairo, x, y - 1.3 * r);
        outline(cairo, diamond, 3, r);
    }
    cairo_fill(cairo);
}

static void draw_strokes(cairo_t *cairo, mark kind, double x, double y, double r)
{
    double a = kind == CROSS ? r : 0, b = kind == CROSS ? r : 1.3 * r;
    cairo_move_to(cairo, x - b, y - a);
    cairo_line_to(cairo, x + b, y + a);
    cairo_move_to(cairo, x - a, y + b);
    cairo_line_to(cairo, x + a, y - b);
    cairo_stroke(cairo);
}

static void draw_disc(cairo_t *cairo, bool hollow, double x, double y, double r)
{
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x, y, r, 0, 2 * acos(-1.0));
    if (!hollow) {
        cairo_fill(cairo);
        return;
    }
    cairo_save(cairo);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_fill_preserve(cairo);
    cairo_restore(cairo);
    cairo_stroke(cairo);
}

static void draw_mark(figure__canvas *canvas, figure__look look, double x, double y)
{
    double r = look.width > 2 ? 3.8 : 3;
    mark kind = (mark)look.mark;
    cairo_set_dash(canvas->cairo, NULL, 0, 0);
    cairo_set_line_width(canvas->cairo, 1.4);
    if (kind == CIRCLE) {
        cairo_new_sub_path(canvas->cairo);
        cairo_arc(canvas->cairo, x, y, 5, 0, 2 * acos(-1.0));
        cairo_stroke(canvas->cairo);
    } else if (kind == DISC || kind == RING)
        draw_disc(canvas->cairo, kind == RING, x, y, r);
    else if (kind == CROSS || kind == PLUS)
        draw_strokes(canvas->cairo, kind, x, y, r);
    else
        draw_polygon(canvas->cairo, kind, x, y, r);
}

/* ---- Lines ---- */

static void use_look(figure__canvas *canvas, figure__look look)
{
    figure__colour_use(canvas, look.colour);
    cairo_set_line_width(canvas->cairo, look.width);
    cairo_set_dash(canvas->cairo, dashes[look.dash], look.dash > 0 ? 4 : 0, 0);
}

/* A point within half a point of the last one drawn does not show, and a curve of a
 * million trials would be a file of many megabytes. */
static void draw_line(figure__canvas *canvas, const figure_curve *curve, const figure__scale scales[2])
{
    double last[2] = {0, 0};
    for (int64_t k = 0; k < curve->count; k++) {
        double x = figure__scale_place(&scales[0], curve->x[k]);
        double y = figure__scale_place(&scales[1], curve->y[k]);
        bool shows = k == 0 || k == curve->count - 1 || fmax(fabs(x - last[0]), fabs(y - last[1])) > 0.5;
        if (!shows)
            continue;
        if (k == 0)
            cairo_move_to(canvas->cairo, x, y);
        else
            cairo_line_to(canvas->cairo, x, y);
        last[0] = x;
        last[1] = y;
    }
    cairo_stroke(canvas->cairo);
}

/* Marks from place to place, at the last point in any case. */
static void draw_some_marks(figure__canvas *canvas, const figure_curve *curve, figure__look look, int number,
                            const figure__scale scales[2])
{
    enum { APART = 84, PHASES = 7 };
    double last = figure__scale_place(&scales[0], curve->x[curve->count - 1]);
    double next = scales[0].from + (double)APART * (number * 3 % PHASES + 0.5) / PHASES;
    for (int64_t k = 0; k < curve->count; k++) {
        double x = figure__scale_place(&scales[0], curve->x[k]);
        bool crowds_end = fabs(x - last) < (double)APART / 3;
        if ((x < next || crowds_end) && k < curve->count - 1)
            continue;
        draw_mark(canvas, look, x, figure__scale_place(&scales[1], curve->y[k]));
        next = x + APART;
    }
}

/* A cloud of points would be a file of many megabytes: the frame is cut into squares of
 * half a mark, and of the points in one only the first is drawn. */
static void draw_all_marks(figure__canvas *canvas, const figure_curve *curve, figure__look look,
                           const figure__scale scales[2])
{
    enum { SQUARE_SIZE = 3 };
    size_t width = (size_t)(fabs(scales[0].to - scales[0].from) / SQUARE_SIZE) + 1;
    size_t height = (size_t)(fabs(scales[1].to - scales[1].from) / SQUARE_SIZE) + 1;
    bool *taken = calloc(width * height, sizeof *taken);
    canvas->lacking = taken == NULL || canvas->lacking;
    for (int64_t k = 0; taken != NULL && k < curve->count; k++) {
        double x = figure__scale_place(&scales[0], curve->x[k]);
        double y = figure__scale_place(&scales[1], curve->y[k]);
        size_t across = (size_t)(fabs(x - scales[0].from) / SQUARE_SIZE);
        size_t up = (size_t)(fabs(y - scales[1].from) / SQUARE_SIZE);
        bool *square =
            &taken[(up < height ? up : height - 1) * width + (across < width ? across : width - 1)];
        if (*square)
            continue;
        *square = true;
        if (figure__doubt_is_bars(curve))
            figure__bar_draw(canvas, curve, k, look, scales);
        draw_mark(canvas, look, x, y);
    }
    free(taken);
}

void figure__curve_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look, int number,
                        const figure__scale scales[2])
{
    use_look(canvas, look);
    if (!curve->points)
        draw_line(canvas, curve, scales);
    if (curve->line)
        for (int64_t k = 0; figure__doubt_is_bars(curve) && k < curve->count; k++)
            figure__bar_draw(canvas, curve, k, look, scales);
    else if (curve->points || figure__doubt_is_bars(curve))
        draw_all_marks(canvas, curve, look, scales);
    else
        draw_some_marks(canvas, curve, look, number, scales);
}

/* A band, or a bar, as high as the line of the name allows. */
void figure__look_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look, double x,
                       double y)
{
    enum { HALF = FIGURE__SAMPLE / 2, HIGH = 5 };
    const double places[2] = {x, x}, low[2] = {y - HIGH, y - HIGH}, high[2] = {y + HIGH, y + HIGH};
    const double ends[2] = {x - HALF, x + HALF};
    const figure__scale here[2] = {{.low = x - HALF, .high = x + HALF, .from = x - HALF, .to = x + HALF},
                                   {.low = y - HIGH, .high = y + HIGH, .from = y - HIGH, .to = y + HIGH}};
    figure_curve sample = {.x = ends, .low = low, .high = high, .count = 2};
    if (figure__doubt_is_band(curve))
        figure__band_draw(canvas, &sample, look, here);
    use_look(canvas, look);
    if (!curve->points)
        figure__line(canvas, x - HALF, y, x + HALF, y);
    sample.x = places;
    if (figure__doubt_is_bars(curve))
        figure__bar_draw(canvas, &sample, 0, look, here);
    if (!curve->line)
        draw_mark(canvas, look, x, y);
}
