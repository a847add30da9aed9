/* SPDX-License-Identifier: MIT
 * Whether probabilities are what they say, as a picture: the share of +1 in every tenth, beside the mean
 * probability of its trials. */
#include "cli/run/state.h"
#include "figure/figure.h"
#include "program/fail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Tenths that have trials. */
typedef struct drawing {
    double said[RELIABILITY_BINS], seen[RELIABILITY_BINS], low[RELIABILITY_BINS], high[RELIABILITY_BINS];
    int count;
    int64_t trials;
} drawing;

/* Wilson's interval, of n labels of which the share p was +1: all shares q with (p - q)^2 <= z^2 q (1 - q) /
 * n.  With z^2 = Z:
 *
 *     (p + Z / 2n -+ z sqrt(p (1 - p) / n + Z / 4n^2)) / (1 + Z / n). */
static void find_interval(double p, double n, double *low, double *high)
{
    static const double normal = 1.959963984540054; /* 97.5 % of a normal variable are below it */
    double square = normal * normal;
    double reach = normal * sqrt(p * (1 - p) / n + square / (4 * n * n));
    *low = fmax((p + square / (2 * n) - reach) / (1 + square / n), 0);
    *high = fmin((p + square / (2 * n) + reach) / (1 + square / n), 1);
}

static drawing collect(const reliability *bins)
{
    drawing d = {.count = 0};
    for (int b = 0; b < RELIABILITY_BINS; b++) {
        double n = (double)bins->count[b];
        if (bins->count[b] == 0)
            continue;
        d.said[d.count] = bins->sum[b] / n;
        d.seen[d.count] = (double)bins->positive[b] / n;
        find_interval(d.seen[d.count], n, &d.low[d.count], &d.high[d.count]);
        d.trials += bins->count[b];
        d.count++;
    }
    return d;
}

static weft_status tell_nothing(weft_error *error)
{
    return fail(error, WEFT_INPUT, "--picture: no line of the stream has a label, expected some to draw");
}

weft_status committee_check_picture(const run_state *run, weft_error *error)
{
    bool wanted = run->options->picture_count > 0;
    return wanted && run->scanned && run->labelled == 0 ? tell_nothing(error) : WEFT_OK;
}

weft_status committee_draw(const run_state *run, weft_error *error)
{
    static const double ends[] = {0, 1};
    const run_options *options = run->options;
    drawing d = collect(&run->reliability);
    figure_error wrong = {{0}};
    char note[160] = "";
    if (options->picture_count == 0)
        return WEFT_OK;
    if (d.count == 0)
        return tell_nothing(error);
    const figure_curve curves[] = {
        {.name = "ideal", .x = ends, .y = ends, .count = 2, .line = true},
        {.name = "observed",
         .x = d.said,
         .y = d.seen,
         .low = d.low,
         .high = d.high,
         .count = d.count,
         .points = true,
         .strong = true},
    };
    snprintf(note, sizeof note,
             "%" PRId64
             " trials in tenths of the probability; bars: 95 %%, by Wilson; calibration error %.4f.",
             d.trials, run->facts.calibration);
    figure_chart chart = {.title = "Calibration of the probabilities",
                          .note = note,
                          .x = {.name = "mean probability of +1"},
                          .y = {.name = "share of +1"},
                          .curves = curves,
                          .count = 2};
    for (int64_t k = 0; k < options->picture_count; k++)
        if (!figure_draw_chart(options->pictures[k], &chart, &wrong))
            return fail(error, WEFT_WRITE, "%s", wrong.message);
    return WEFT_OK;
}
