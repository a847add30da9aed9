/* SPDX-License-Identifier: MIT */
#include "lab/report/series.h"

#include "lab/report/frame.h"
#include "lab/report/picture.h"
#include "src/base/elementary.h"

#include <math.h>
#include <stdlib.h>

void lab_series_add_range(lab_series *series, double x, double y, const double range[2])
{
    if (series->count == LAB_SERIES_MOST)
        return;
    int64_t k = series->count++;
    series->x[k] = x;
    series->y[k] = y;
    series->low[k] = fmin(range[0], y);
    series->high[k] = fmax(range[1], y);
}

void lab_series_add(lab_series *series, double x, double y)
{
    const double none[2] = {y, y};
    lab_series_add_range(series, x, y, none);
}

void lab_series_add_mean(lab_series *series, double x, const lab_mean *mean)
{
    const double bar[2] = {mean->mean - mean->deviation, mean->mean + mean->deviation};
    lab_series_add_range(series, x, mean->mean, bar);
}

void lab_series_add_power(lab_series *series, const lab_power *power, const lab_series *of)
{
    double least = of->x[0], largest = of->x[0];
    for (int64_t k = 1; k < of->count; k++) {
        least = fmin(least, of->x[k]);
        largest = fmax(largest, of->x[k]);
    }
    lab_series_add(series, least, power->factor * weft__pow(least, power->exponent));
    lab_series_add(series, largest, power->factor * weft__pow(largest, power->exponent));
}

lab_power lab_series_fit(const lab_series *series)
{
    return lab_power_fit(series->x, series->y, series->count);
}

static bool has_bars(const lab_series *series)
{
    for (int64_t k = 0; k < series->count; k++)
        if (series->high[k] > series->low[k])
            return true;
    return false;
}

figure_curve lab_series_measured(const lab_series *series, const char *name)
{
    bool bars = has_bars(series);
    return (figure_curve){.name = name,
                          .x = series->x,
                          .y = series->y,
                          .count = series->count,
                          .strong = true,
                          .low = bars ? series->low : NULL,
                          .high = bars ? series->high : NULL};
}

figure_curve lab_series_points(const lab_series *series, const char *name)
{
    figure_curve curve = lab_series_measured(series, name);
    curve.points = true;
    curve.strong = false;
    return curve;
}

figure_curve lab_series_theory(const lab_series *series, const char *name)
{
    return (figure_curve){.name = name, .x = series->x, .y = series->y, .count = series->count, .line = true};
}

figure_curve lab_series_like(figure_curve curve, int of)
{
    curve.like = 1 + of;
    return curve;
}

weft_status lab_series_publish(lab_page *page, const lab_request *request, const char *name,
                               const figure_chart *chart, const char *caption, weft_error *error)
{
    char *stem = lab_place_file(request->out, name, ""), *svg = lab_place_file(request->out, name, ".svg");
    weft_status status = lab_picture_chart(stem, chart, error);
    if (status == WEFT_OK)
        lab_page_figure(page, svg, caption);
    free(stem);
    free(svg);
    return status;
}
