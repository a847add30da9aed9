/* SPDX-License-Identifier: MIT
 * The fitted powers and the pictures of `bounds`. */
#include "lab/bounds/bounds.h"

#include "lab/report/series.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

/* ---- Choosing cells ---- */

/* Which cells; a number that is negative fits all. */
typedef struct choice {
    bounds_part part;
    int statement, ideal;
    int64_t n;
    double noise;
    int square;    /* 1: k = l only, 0: others only */
    int64_t least; /* of k and l */
} choice;

static bool fits(const choice *wanted, const bounds_cell *cell)
{
    return cell->part == wanted->part &&
           (wanted->statement < 0 || (int)cell->statement == wanted->statement) &&
           (wanted->ideal < 0 || (int)cell->ideal == wanted->ideal) &&
           (wanted->n < 0 || cell->n == wanted->n) && (wanted->noise < 0 || cell->noise == wanted->noise) &&
           (wanted->square < 0 || (cell->k == cell->l) == wanted->square) && cell->k >= wanted->least &&
           cell->l >= wanted->least;
}

static double trials_of(const bounds_result *r)
{
    return (double)r->cell.trials;
}

static double blocks_of(const bounds_result *r)
{
    return (double)(r->cell.k * r->cell.l);
}

static double classes_of(const bounds_result *r)
{
    return (double)r->cell.k;
}

/* D/gamma^2 */
static double scale_of(const bounds_result *r)
{
    return r->dimension / (r->gamma * r->gamma);
}

typedef double abscissa(const bounds_result *result);

static lab_series mistakes_over(const bounds_results *results, const choice *wanted, abscissa *x)
{
    lab_series series = {.count = 0};
    for (int64_t c = 0; c < results->count; c++)
        if (fits(wanted, &results->cells[c].cell))
            lab_series_add_mean(&series, x(&results->cells[c]), &results->cells[c].mistakes);
    return series;
}

static lab_series bounds_over(const bounds_results *results, const choice *wanted, abscissa *x)
{
    lab_series series = {.count = 0};
    for (int64_t c = 0; c < results->count; c++)
        if (fits(wanted, &results->cells[c].cell) && results->cells[c].bound >= 0)
            lab_series_add(&series, x(&results->cells[c]), results->cells[c].bound);
    return series;
}

/* ---- Fits ---- */

static choice growth_of(bounds_part part, int ideal)
{
    return (choice){.part = part, .statement = -1, .ideal = ideal, .n = -1, .noise = -1, .square = -1};
}

static bounds_cutoff fit_from(const bounds_results *results, int ideal, int64_t least)
{
    choice wanted = growth_of(BOUNDS_GROWTH, ideal);
    wanted.least = least;
    lab_series blocks = mistakes_over(results, &wanted, blocks_of);
    lab_series scale = mistakes_over(results, &wanted, scale_of);
    if (blocks.count < BOUNDS_FEWEST_CELLS)
        return (bounds_cutoff){.cells = 0};
    return (bounds_cutoff){blocks.count, lab_series_fit(&blocks), lab_series_fit(&scale)};
}

bounds_fits bounds_fit(const bounds_results *results)
{
    bounds_fits fitted = {.last = 2};
    choice horizon = {.part = BOUNDS_HORIZON, .statement = BOUNDS_REGRET, .ideal = -1, .n = -1, .square = -1};
    lab_series series = mistakes_over(results, &horizon, trials_of);
    fitted.horizon = lab_series_fit(&series);
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++) {
        choice one_set = growth_of(BOUNDS_ONE_SET, ideal);
        series = mistakes_over(results, &one_set, classes_of);
        fitted.one_set[ideal] = lab_series_fit(&series);
        for (int64_t least = 2; least <= BOUNDS_CUTOFFS; least++) {
            fitted.growth[ideal][least] = fit_from(results, ideal, least);
            if (fitted.growth[ideal][least].cells > 0)
                fitted.last = least;
        }
    }
    return fitted;
}

/* ---- Over T ---- */

enum { CURVES = 8 };

typedef struct drawing {
    lab_series series[CURVES];
    figure_curve curves[CURVES];
    int count;
} drawing;

/* Mistakes become mistakes a trial. */
static void divide_by_trials(lab_series *series)
{
    for (int64_t k = 0; k < series->count; k++) {
        series->y[k] /= series->x[k];
        series->low[k] /= series->x[k];
        series->high[k] /= series->x[k];
    }
}

static lab_series *next_series(drawing *d, lab_series series)
{
    d->series[d->count] = series;
    divide_by_trials(&d->series[d->count]);
    return &d->series[d->count];
}

static void add_measured(drawing *d, const bounds_results *results, const choice *wanted, const char *name)
{
    lab_series *series = next_series(d, mistakes_over(results, wanted, trials_of));
    d->curves[d->count++] = lab_series_measured(series, name);
}

static void add_bound(drawing *d, const bounds_results *results, const choice *wanted, const char *name)
{
    lab_series *series = next_series(d, bounds_over(results, wanted, trials_of));
    if (series->count > 0)
        d->curves[d->count++] = lab_series_theory(series, name);
}

static void add_plain(drawing *d, const bounds_results *results, const choice *wanted, const char *name)
{
    lab_series plain = {.count = 0};
    for (int64_t c = 0; c < results->count; c++)
        if (fits(wanted, &results->cells[c].cell))
            lab_series_add(&plain, trials_of(&results->cells[c]), results->cells[c].plain);
    d->curves[d->count] = lab_series_theory(next_series(d, plain), name);
    d->count++;
}

/* Half of the trials at every T: a coin. */
static void add_coin(drawing *d)
{
    lab_series coin = {.count = 0};
    for (int64_t k = 0; k < d->series[0].count; k++)
        lab_series_add(&coin, d->series[0].x[k], d->series[0].x[k] / 2);
    d->curves[d->count] = lab_series_theory(next_series(d, coin), "a coin");
    d->count++;
}

static weft_status draw_horizon(const bounds_results *results, double noise, lab_page *page,
                                weft_error *error)
{
    int64_t n = results->request->quick ? 20 : 80;
    drawing *d = new_array(1, sizeof *d);
    choice wanted = {BOUNDS_HORIZON, BOUNDS_REGRET, -1, n, noise, -1, 0};
    char *title = new_text("Mistakes and bounds over the horizon: k = l = 2, n = %d, %s", (int)n,
                           noise > 0 ? "one label in ten wrong" : "no wrong label");
    add_measured(d, results, &wanted, "margin updates, measured");
    add_plain(d, results, &wanted, "thm:base, regret");
    add_bound(d, results, &wanted, "its sharper form");
    wanted.statement = BOUNDS_HINGE;
    add_bound(d, results, &wanted, "hinge-loss lemma");
    wanted.statement = BOUNDS_REALIZABLE;
    if (noise == 0) {
        add_measured(d, results, &wanted, "mistake updates, measured");
        add_bound(d, results, &wanted, "thm:base, realizable");
    }
    add_coin(d);
    figure_chart chart = {.title = title,
                          .note = "Bars: one standard deviation of a run. Bounds above 100 % are vacuous.",
                          .x = {.name = "trials T, for which the learner was tuned", .logarithmic = true},
                          .y = {.name = "mistakes a trial", .logarithmic = true, .percent = true},
                          .curves = d->curves,
                          .count = d->count};
    weft_status status = lab_series_publish(
        page, results->request, noise > 0 ? "bounds-noise" : "bounds-horizon", &chart,
        "Mistakes a trial, measured and promised, against the number of trials for which the learner was "
        "tuned; "
        "both axes logarithmic; bars are one standard deviation of a run.  What lies above 100 % is vacuous, "
        "what lies above the line of the coin is no better than guessing.",
        error);
    free(title);
    free(d);
    return status;
}

weft_status bounds_draw_horizons(const bounds_results *results, lab_page *page, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(draw_horizon(results, 0, page, error));
    TRY(draw_horizon(results, 0.1, page, error));
done:
    return status;
}

/* ---- Over k and l ---- */

static void add_series(drawing *d, lab_series series, figure_curve (*draw)(const lab_series *, const char *),
                       const char *name)
{
    d->series[d->count] = series;
    d->curves[d->count] = draw(&d->series[d->count], name);
    d->count++;
}

/* In the colour of the kind of side information, whose curve is the one of that number. */
static void add_like(drawing *d, lab_series series, figure_curve (*draw)(const lab_series *, const char *),
                     int of)
{
    add_series(d, series, draw, NULL);
    d->curves[d->count - 1] = lab_series_like(d->curves[d->count - 1], of);
}

/* Mistakes and bounds of both kinds of side information over k = l. */
static weft_status draw_constants(const bounds_results *results, bounds_part part, lab_page *page,
                                  weft_error *error)
{
    bool one_set = part == BOUNDS_ONE_SET;
    drawing *d = new_array(1, sizeof *d);
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++) {
        choice wanted = growth_of(part, ideal);
        wanted.square = 1;
        add_series(d, mistakes_over(results, &wanted, classes_of), lab_series_measured,
                   lab_ideal_name((lab_ideal)ideal));
    }
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++) {
        choice wanted = growth_of(part, ideal);
        wanted.square = 1;
        add_like(d, bounds_over(results, &wanted, classes_of), lab_series_theory, ideal);
    }
    figure_chart chart = {.title = one_set ? "One set of ids: two kinds of ideal side information"
                                           : "Two kinds of ideal side information, realizable runs, k = l",
                          .note = "Bars: one standard deviation of a run. Dashes: the bounds.",
                          .x = {.name = one_set ? "communities k" : "classes k = l"},
                          .y = {.name = "mistakes of the whole run", .logarithmic = true},
                          .curves = d->curves,
                          .count = d->count};
    weft_status status = lab_series_publish(
        page, results->request, one_set ? "bounds-one-set" : "bounds-constants", &chart,
        one_set
            ? "Mistakes of realizable runs as one set of ids, and the bound 3.6 D log n (dashes), against "
              "the number of communities; logarithmic ordinate; bars are one standard deviation of a run."
            : "Mistakes of realizable runs and the bound 3.6 D/γ² log(m+n) (dashes), against the number of "
              "classes k = l; logarithmic ordinate; bars are one standard deviation of a run.",
        error);
    free(d);
    return status;
}

/* Those with k < l, and the power that was fitted to all. */
static void add_power(drawing *d, const bounds_results *results, const bounds_fits *fitted, int ideal)
{
    choice all = growth_of(BOUNDS_GROWTH, ideal);
    lab_series everything = mistakes_over(results, &all, blocks_of), line = {.count = 0};
    lab_series_add_power(&line, &fitted->growth[ideal][2].blocks, &everything);
    all.square = 0;
    add_like(d, mistakes_over(results, &all, blocks_of), lab_series_points, ideal);
    add_like(d, line, lab_series_theory, ideal);
}

/* What is shown of the growth with one kind: k = l, k < l and the fitted power. */
static weft_status draw_powers(const bounds_results *results, const bounds_fits *fitted, lab_page *page,
                               weft_error *error)
{
    drawing *d = new_array(1, sizeof *d);
    char *names[LAB_IDEALS];
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++) {
        const lab_power *power = &fitted->growth[ideal][2].blocks;
        choice equal = growth_of(BOUNDS_GROWTH, ideal);
        equal.square = 1;
        names[ideal] =
            new_text("%s: (k l)^%s", lab_ideal_name((lab_ideal)ideal), lab_exponent(power, 2).text);
        add_series(d, mistakes_over(results, &equal, blocks_of), lab_series_points, names[ideal]);
    }
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++)
        add_power(d, results, fitted, ideal);
    figure_chart chart = {.title = "Mistakes against the number of blocks",
                          .note =
                              "Bars: one standard deviation of a run. Rings: k < l. Dashes: fitted powers, "
                              "± standard error of the exponent (scatter about the line).",
                          .x = {.name = "blocks k l", .logarithmic = true},
                          .y = {.name = "mistakes of the whole run", .logarithmic = true},
                          .curves = d->curves,
                          .count = d->count};
    weft_status status = lab_series_publish(
        page, results->request, "bounds-growth", &chart,
        "Mistakes of realizable runs against the number of blocks, both axes logarithmic: full marks for k = "
        "l, "
        "rings for k < l, dashes for the power fitted to both, ± the standard error of its exponent from the "
        "scatter about the line; bars are one standard deviation of a run.",
        error);
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++)
        free(names[ideal]);
    free(d);
    return status;
}

weft_status bounds_draw_growth(const bounds_results *results, const bounds_fits *fitted, lab_page *page,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(draw_powers(results, fitted, page, error));
    TRY(draw_constants(results, BOUNDS_GROWTH, page, error));
    TRY(draw_constants(results, BOUNDS_ONE_SET, page, error));
done:
    return status;
}
