/* SPDX-License-Identifier: MIT
 * How sure a curve is: bars at its points, or a band along it. */
#include "figure/curve.h"

#include <math.h>

/* More bars than this would be a grating. */
enum { MOST_BARS = 30, CAP = 3 };

bool figure__doubt_is_bars(const figure_curve *curve)
{
    return curve->low != NULL && (curve->points || curve->count <= MOST_BARS);
}

bool figure__doubt_is_band(const figure_curve *curve)
{
    return curve->low != NULL && !figure__doubt_is_bars(curve);
}

/* What a logarithmic scale has no place for goes to its edge. */
static double place_within(const figure__scale *scale, double value)
{
    return figure__scale_place(scale, fmin(fmax(value, scale->low), scale->high));
}

/* Along `ends`, forwards or backwards, without what would not show. */
static void trace(figure__canvas *canvas, const figure_curve *curve, const double *ends, bool backwards,
                  const figure__scale scales[2])
{
    double last[2] = {0, 0};
    for (int64_t step = 0; step < curve->count; step++) {
        int64_t k = backwards ? curve->count - 1 - step : step;
        double x = figure__scale_place(&scales[0], curve->x[k]), y = place_within(&scales[1], ends[k]);
        bool turns = step == 0 || step == curve->count - 1;
        if (!turns && fmax(fabs(x - last[0]), fabs(y - last[1])) <= 0.5)
            continue;
        cairo_line_to(canvas->cairo, x, y);
        last[0] = x;
        last[1] = y;
    }
}

void figure__band_draw(figure__canvas *canvas, const figure_curve *curve, figure__look look,
                       const figure__scale scales[2])
{
    trace(canvas, curve, curve->low, false, scales);
    trace(canvas, curve, curve->high, true, scales);
    cairo_close_path(canvas->cairo);
    cairo_set_source_rgba(canvas->cairo, look.colour.red, look.colour.green, look.colour.blue, 0.2);
    cairo_fill(canvas->cairo);
}

/* The cap of an end that lies beyond the frame is left out. */
static void draw_end(figure__canvas *canvas, const figure__scale *scale, double x, double value)
{
    double y = place_within(scale, value);
    if (value >= scale->low && value <= scale->high)
        figure__line(canvas, x - CAP, y, x + CAP, y);
}

void figure__bar_draw(figure__canvas *canvas, const figure_curve *curve, int64_t k, figure__look look,
                      const figure__scale scales[2])
{
    double x = figure__scale_place(&scales[0], curve->x[k]);
    figure__colour_use(canvas, look.colour);
    cairo_set_dash(canvas->cairo, NULL, 0, 0);
    cairo_set_line_width(canvas->cairo, look.width > 2 ? 1.3 : 0.9);
    figure__line(canvas, x, place_within(&scales[1], curve->low[k]), x,
                 place_within(&scales[1], curve->high[k]));
    draw_end(canvas, &scales[1], x, curve->low[k]);
    draw_end(canvas, &scales[1], x, curve->high[k]);
}
