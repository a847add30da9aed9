/* SPDX-License-Identifier: MIT
 * Curves in one frame:
 *
 *     title
 *     +------------------+
 *     |        curves    |---- name
 *     |                  |\
 *     +------------------+  -- name
 *       ticks, axis name
 *     note
 */
#include "figure/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MARGIN = 14, FRAME_WIDTH = 440, FRAME_HEIGHT = 300, NAME_GAP = 15, LEADER = 22 };
enum { NAME_WIDTH = 230, LINE = 15, LARGEST = 300, SAMPLE = FIGURE__SAMPLE };

static const figure__font title_font = {13, true}, text_font = {11, false}, tick_font = {10, false};

typedef struct layout {
    figure__scale scales[2];
    figure__ticks ticks[2];
    figure__text names[FIGURE__LOOKS];
    int looks[FIGURE__LOOKS]; /* curve by curve */
    int named[FIGURE__LOOKS]; /* the curves that have a name */
    int named_count;
    double left, top, right, bottom; /* of the frame */
    double width, height;            /* of the sheet */
} layout;

/* ---- What can be drawn ---- */

static bool check_value(const figure_curve *curve, int64_t k, bool logarithmic, double value,
                        figure_error *error)
{
    if (!isfinite(value) || fabs(value) > pow(10, LARGEST))
        return figure__fail(error, "curve '%.80s': found %g at point %lld, expected finite numbers",
                            curve->name, value, (long long)k + 1);
    if (logarithmic && value < pow(10, -LARGEST))
        return figure__fail(error,
                            "curve '%.80s': found %g at point %lld, expected positive numbers on a "
                            "logarithmic axis",
                            curve->name, value, (long long)k + 1);
    return true;
}

static bool check_doubt(const figure_curve *curve, figure_error *error)
{
    if ((curve->low == NULL) != (curve->high == NULL))
        return figure__fail(
            error, "curve '%.80s': found one end of its uncertainty, expected both or neither", curve->name);
    for (int64_t k = 0; curve->low != NULL && k < curve->count; k++) {
        if (!check_value(curve, k, false, curve->low[k], error) ||
            !check_value(curve, k, false, curve->high[k], error))
            return false;
        if (curve->low[k] > curve->high[k])
            return figure__fail(error, "curve '%.80s': found low %g above high %g at point %lld", curve->name,
                                curve->low[k], curve->high[k], (long long)k + 1);
    }
    return true;
}

static bool check_like(const figure_chart *chart, const figure_curve *curve, figure_error *error)
{
    if (curve->like == 0)
        return true;
    if (curve->like < 0 || curve->like > chart->count || chart->curves[curve->like - 1].like != 0)
        return figure__fail(error, "found a curve like number %d, expected the number of another curve",
                            curve->like);
    if (curve->points == curve->line)
        return figure__fail(error, "found a curve like number %d, expected it to be points or a line",
                            curve->like);
    return true;
}

static bool check_curve(const figure_chart *chart, const figure_curve *given, figure_error *error)
{
    figure_curve named = *given;
    const figure_curve *curve = &named;
    if (given->name == NULL && given->like > 0)
        named.name = "without a name";
    if (named.name == NULL)
        return figure__fail(error, "found a curve without a name");
    if (curve->count < 1)
        return figure__fail(error, "curve '%.80s': found no points, expected at least one", curve->name);
    for (int64_t k = 0; k < curve->count; k++)
        if (!check_value(curve, k, chart->x.logarithmic, curve->x[k], error) ||
            !check_value(curve, k, chart->y.logarithmic, curve->y[k], error))
            return false;
    if (curve->points && curve->line)
        return figure__fail(error, "curve '%.80s': found points and line, expected at most one of them",
                            curve->name);
    return check_like(chart, curve, error) && check_doubt(curve, error);
}

static bool check_chart(const void *picture, figure_error *error)
{
    const figure_chart *chart = picture;
    if (chart->count < 1 || chart->count > FIGURE__LOOKS)
        return figure__fail(error, "found %d curves, expected 1 to %d", chart->count, FIGURE__LOOKS);
    for (int c = 0; c < chart->count; c++)
        if (!check_curve(chart, &chart->curves[c], error))
            return false;
    return true;
}

/* ---- Layout ---- */

/* Ends of an uncertainty that a logarithmic scale has no place for do not count. */
static void cover(figure__scale *scale, const double *values, int64_t count)
{
    for (int64_t k = 0; values != NULL && k < count; k++) {
        if (scale->logarithmic && values[k] < pow(10, -LARGEST))
            continue;
        scale->low = fmin(scale->low, values[k]);
        scale->high = fmax(scale->high, values[k]);
    }
}

/* Marks and bars that matter one by one do not stand on the frame. */
static void give_room(const figure_chart *chart, figure__scale *scale)
{
    const double share = 0.03;
    bool single = false;
    for (int c = 0; c < chart->count; c++)
        single = single || chart->curves[c].points || figure__doubt_is_bars(&chart->curves[c]);
    if (single && scale->logarithmic) {
        double room = pow(10, share * (log10(scale->high) - log10(scale->low)));
        scale->low = fmax(scale->low / room, DBL_MIN);
        scale->high = fmin(scale->high * room, DBL_MAX);
    } else if (single) {
        double room = share * (scale->high - scale->low);
        scale->low -= room;
        scale->high += room;
    }
}

static void choose_scales(const figure_chart *chart, bool plain, layout *place)
{
    figure__scale *x = &place->scales[0], *y = &place->scales[1];
    *x = (figure__scale){.low = INFINITY, .high = -INFINITY, .logarithmic = chart->x.logarithmic};
    *y = (figure__scale){.low = INFINITY, .high = -INFINITY, .logarithmic = chart->y.logarithmic};
    for (int c = 0; c < chart->count; c++) {
        cover(x, chart->curves[c].x, chart->curves[c].count);
        cover(y, chart->curves[c].y, chart->curves[c].count);
        cover(y, chart->curves[c].low, chart->curves[c].count);
        cover(y, chart->curves[c].high, chart->curves[c].count);
    }
    figure__scale_widen(x);
    figure__scale_widen(y);
    give_room(chart, x);
    if (y->logarithmic)
        give_room(chart, y);
    /* Amounts are seen in proportion only above 0. */
    if (!y->logarithmic && y->low > 0 && y->low < 0.4 * y->high)
        y->low = 0;
    figure__scale_round(y);
    figure__scale_ticks(x, chart->x.percent, plain, &place->ticks[0]);
    figure__scale_ticks(y, chart->y.percent, plain, &place->ticks[1]);
}

static double widest_tick(figure__canvas *canvas, const figure__ticks *ticks)
{
    double width = 0;
    figure__font_use(canvas, tick_font);
    for (int k = 0; k < ticks->count; k++)
        width = fmax(width, figure__text_width(canvas, &ticks->label[k]));
    return width;
}

static void lay_out(figure__canvas *canvas, const figure_chart *chart, layout *place)
{
    double names = 0;
    choose_scales(chart, canvas->plain, place);
    figure__looks_choose(chart, place->looks);
    for (int c = 0; c < chart->count; c++) {
        if (chart->curves[c].like > 0)
            continue;
        place->named[place->named_count++] = c;
        figure__font_use(canvas, (figure__font){text_font.size, chart->curves[c].strong});
        place->names[c] = figure__text_fit(canvas, chart->curves[c].name, NAME_WIDTH);
        names = fmax(names, figure__text_width(canvas, &place->names[c]));
    }
    place->left = MARGIN + LINE + 8 + widest_tick(canvas, &place->ticks[1]) + 6;
    place->right = place->left + FRAME_WIDTH;
    place->width = place->right + LEADER + SAMPLE + 6 + names + MARGIN;
    figure__column title = {.width = place->width - 2 * MARGIN};
    figure__font_use(canvas, title_font);
    int title_lines = figure__text_wrap(canvas, chart->title, title, true);
    figure__font_use(canvas, tick_font);
    int note_lines = figure__text_wrap(canvas, chart->note, title, true);
    place->top = MARGIN + title_lines * 17 + 10;
    place->bottom = place->top + fmax(FRAME_HEIGHT, (place->named_count + 1) * NAME_GAP);
    place->height = place->bottom + 20 + 20 + (note_lines > 0 ? 6 + note_lines * 13 : 0) + MARGIN - 4;
    place->scales[0].from = place->left;
    place->scales[0].to = place->right;
    place->scales[1].from = place->bottom;
    place->scales[1].to = place->top;
}

/* ---- Drawing ---- */

static void draw_ticks(figure__canvas *canvas, const layout *place)
{
    figure__font_use(canvas, tick_font);
    cairo_set_line_width(canvas->cairo, 0.8);
    double free_from = -INFINITY;
    for (int k = 0; k < place->ticks[0].count; k++) {
        const figure__text *label = &place->ticks[0].label[k];
        double x = figure__scale_place(&place->scales[0], place->ticks[0].at[k]);
        double half = figure__text_width(canvas, label) / 2;
        figure__colour_use(canvas, figure__faint);
        figure__line(canvas, x, place->top, x, place->bottom);
        figure__colour_use(canvas, figure__ink);
        figure__line(canvas, x, place->bottom, x, place->bottom + 4);
        if (x - half < free_from)
            continue;
        figure__text_draw(canvas, label, x, place->bottom + 15, 0.5);
        free_from = x + half + 6;
    }
    for (int k = 0; k < place->ticks[1].count; k++) {
        double y = figure__scale_place(&place->scales[1], place->ticks[1].at[k]);
        figure__colour_use(canvas, figure__faint);
        figure__line(canvas, place->left, y, place->right, y);
        figure__colour_use(canvas, figure__ink);
        figure__line(canvas, place->left - 4, y, place->left, y);
        figure__text_draw(canvas, &place->ticks[1].label[k], place->left - 7, y + 3.5, 1);
    }
}

static void draw_frame(figure__canvas *canvas, const figure_chart *chart, const layout *place)
{
    figure__column column = {MARGIN, MARGIN + 11, place->width - 2 * MARGIN, 17};
    figure__text x = figure__text_clean(chart->x.name, canvas->plain);
    figure__text y = figure__text_clean(chart->y.name, canvas->plain);
    draw_ticks(canvas, place);
    cairo_set_line_width(canvas->cairo, 1);
    figure__line(canvas, place->left, place->top, place->left, place->bottom);
    figure__line(canvas, place->left, place->bottom, place->right, place->bottom);
    figure__font_use(canvas, text_font);
    figure__text_draw(canvas, &x, (place->left + place->right) / 2, place->bottom + 33, 0.5);
    figure__text_draw_upright(canvas, &y, MARGIN + 10, (place->top + place->bottom) / 2);
    figure__font_use(canvas, title_font);
    figure__text_wrap(canvas, chart->title, column, false);
    figure__font_use(canvas, tick_font);
    figure__colour_use(canvas, figure__soft);
    column.y = place->bottom + 54;
    column.spacing = 13;
    figure__text_wrap(canvas, chart->note, column, false);
}

static figure__look look_of(const figure_chart *chart, const layout *place, int c)
{
    return chart->curves[c].like > 0 ? figure__look_like(place->looks[c])
                                     : figure__look_of(place->looks[c], chart->curves[c].strong);
}

/* Bands below all, then the curves, then the strong ones, then what belongs to them. */
static void draw_curves(figure__canvas *canvas, const figure_chart *chart, const layout *place)
{
    for (int c = 0; c < chart->count; c++)
        if (figure__doubt_is_band(&chart->curves[c]))
            figure__band_draw(canvas, &chart->curves[c], look_of(chart, place, c), place->scales);
    for (int pass = 0; pass < 3; pass++)
        for (int c = 0; c < chart->count; c++) {
            const figure_curve *curve = &chart->curves[c];
            if (pass == (curve->like > 0 ? 2 : curve->strong ? 1 : 0))
                figure__curve_draw(canvas, curve, look_of(chart, place, c), place->looks[c], place->scales);
        }
}

/* Single marks are not struck through. */
static double leader_start(const figure_curve *curve, double end)
{
    return curve->points || figure__doubt_is_bars(curve) ? end + 6 : end;
}

/* From where the curve ends to the edge of the frame, if that is to the left of it; not
 * across a cloud of points. */
static bool has_leader(const figure_curve *curve, double end, double right)
{
    enum { NEAR = 60 };
    return leader_start(curve, end) < right - 1 && (!curve->points || end > right - NEAR);
}

/* The names at the right, each with a sample of its curve and a thin line from
 * where the curve ends. */
static void draw_names(figure__canvas *canvas, const figure_chart *chart, const layout *place)
{
    double ends[FIGURE__LOOKS], at[FIGURE__LOOKS];
    for (int k = 0; k < place->named_count; k++) {
        const figure_curve *curve = &chart->curves[place->named[k]];
        ends[k] = figure__scale_place(&place->scales[1], curve->y[curve->count - 1]);
        at[k] = ends[k];
    }
    figure__spread(at, place->named_count, NAME_GAP, place->top, place->bottom);
    for (int k = 0; k < place->named_count; k++) {
        int c = place->named[k];
        const figure_curve *curve = &chart->curves[c];
        double end = figure__scale_place(&place->scales[0], curve->x[curve->count - 1]);
        double sample = place->right + LEADER + (double)SAMPLE / 2;
        cairo_set_dash(canvas->cairo, NULL, 0, 0);
        cairo_set_line_width(canvas->cairo, 0.6);
        figure__colour_use(canvas, (figure__colour){0.65, 0.65, 0.65});
        if (has_leader(curve, end, place->right))
            figure__line(canvas, leader_start(curve, end), ends[k], place->right, ends[k]);
        figure__line(canvas, place->right + 4, ends[k], place->right + LEADER - 2, at[k]);
        figure__look_draw(canvas, curve, look_of(chart, place, c), sample, at[k]);
        figure__colour_use(canvas, figure__ink);
        figure__font_use(canvas, (figure__font){text_font.size, curve->strong});
        figure__text_draw(canvas, &place->names[c], place->right + LEADER + SAMPLE + 6, at[k] + 4, 0);
    }
}

static void describe(figure__canvas *canvas, const figure_chart *chart)
{
    bool first = true;
    figure__canvas_describe(canvas, chart->y.name);
    figure__canvas_describe(canvas, " against ");
    figure__canvas_describe(canvas, chart->x.name);
    for (int c = 0; c < chart->count; c++) {
        const figure_curve *curve = &chart->curves[c];
        if (curve->like > 0 && curve->name == NULL)
            continue;
        figure__canvas_describe(canvas, first ? ": " : "; ");
        first = false;
        figure__canvas_describe(canvas, curve->name);
        figure__canvas_describe(canvas, curve->low != NULL ? ", with its uncertainty" : "");
    }
}

static bool draw_chart(figure__canvas *canvas, const void *picture, void *laid_out, figure_error *error)
{
    const figure_chart *chart = picture;
    layout *place = laid_out;
    lay_out(canvas, chart, place);
    if (!figure__canvas_begin(canvas, place->width, place->height, error))
        return false;
    draw_frame(canvas, chart, place);
    draw_curves(canvas, chart, place);
    draw_names(canvas, chart, place);
    describe(canvas, chart);
    return figure__canvas_publish(canvas, chart->title, error);
}

bool figure_draw_chart(const char *path, const figure_chart *chart, figure_error *error)
{
    static const figure__ops ops = {check_chart, draw_chart, sizeof(layout)};
    return figure__draw(&ops, path, chart, error);
}
