/* SPDX-License-Identifier: MIT
 *
 * Method     Times and shares of updates between measured sizes, and beyond them, by straight lines in
 *            logarithms; shares between noise levels by straight lines.
 * Algorithm  hours of a table = sum over sizes and noise levels of 10 runs * n^2 trials *
 *            (share * update + (1 - share) * idle), or * krylov.
 * Cost       nothing beside the measurements.
 * Reference  the grid of the table: lab/problem/protocol.h.
 */
#include "lab/problem/protocol.h"
#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "lab/scaling/scaling.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- Between what was measured ---- */

typedef double quantity(const scaling_result *size, int level);

static double krylov_of(const scaling_result *size, int level)
{
    (void)level;
    return size->krylov;
}

static double update_of(const scaling_result *size, int level)
{
    (void)level;
    return size->update;
}

static double idle_of(const scaling_result *size, int level)
{
    (void)level;
    return size->idle;
}

static double share_of(const scaling_result *size, int level)
{
    return size->share[level];
}

/* At any n, through the two measured sizes that are nearest on either side, or the last two. */
static double at_size(const scaling_results *results, int64_t n, quantity *of, int level)
{
    const scaling_result *a = NULL, *b = NULL;
    for (int s = 0; s < results->count; s++) {
        const scaling_result *size = &results->sizes[s];
        if (!(of(size, level) > 0) || (b != NULL && b->n >= n))
            continue;
        a = b;
        b = size;
    }
    if (a == NULL)
        return b == NULL ? 0 : of(b, level);
    double slope = weft__log(of(b, level) / of(a, level)) / weft__log((double)b->n / (double)a->n);
    return of(b, level) * weft__pow((double)n / (double)b->n, slope);
}

static double share_at(const scaling_results *results, int64_t n, double beta)
{
    int level = 0;
    while (level + 2 < SCALING_LEVELS && scaling_noise[level + 1] < beta)
        level++;
    double low = scaling_noise[level], high = scaling_noise[level + 1], part = (beta - low) / (high - low);
    double share =
        (1 - part) * at_size(results, n, share_of, level) + part * at_size(results, n, share_of, level + 1);
    return fmin(1, share);
}

/* Seconds of the whole table, one protocol, on one core. */
typedef struct table_time {
    double reference, krylov, updates;
} table_time;

static table_time time_size(const scaling_results *results, int64_t n)
{
    table_time sum = {0};
    double trials = (double)(n * n) * LAB_PAPER_RUNS, idle = at_size(results, n, idle_of, 0);
    double update = at_size(results, n, update_of, 0), krylov = at_size(results, n, krylov_of, 0);
    for (int b = 0; b < LAB_PAPER_NOISE; b++) {
        double share = share_at(results, n, lab_paper_noise[b]);
        sum.updates += trials * share;
        sum.reference += trials * (share * update + (1 - share) * idle);
        sum.krylov += trials * krylov;
    }
    return sum;
}

static table_time time_table(const scaling_results *results)
{
    table_time sum = {0};
    for (int d = 0; d < LAB_PAPER_DIMENSIONS; d++) {
        table_time of = time_size(results, lab_paper_dimensions[d]);
        sum.reference += of.reference;
        sum.krylov += of.krylov;
        sum.updates += of.updates;
    }
    return sum;
}

/* ---- Growth ---- */

/* Milliseconds against n. */
typedef struct growth {
    lab_series all, tail; /* all sizes; the larger half */
    lab_power power, tail_power;
} growth;

static void add_size(growth *g, double n, double seconds, const double quartile[2])
{
    const double range[2] = {1e3 * quartile[0], 1e3 * quartile[1]};
    lab_series_add_range(&g->all, n, 1e3 * seconds, range);
}

static void fit(growth *g)
{
    for (int64_t k = g->all.count / 2; k < g->all.count; k++)
        lab_series_add(&g->tail, g->all.x[k], g->all.y[k]);
    g->power = lab_series_fit(&g->all);
    g->tail_power = lab_series_fit(&g->tail);
}

typedef struct engines {
    growth update, krylov;
} engines;

static void collect(const scaling_results *results, engines *e)
{
    for (int s = 0; s < results->count; s++) {
        const scaling_result *size = &results->sizes[s];
        add_size(&e->update, (double)size->n, size->update, size->update_quartile);
        add_size(&e->krylov, (double)size->n, size->krylov, size->krylov_quartile);
    }
    fit(&e->update);
    fit(&e->krylov);
}

static weft_status draw(const scaling_results *results, const engines *e, lab_page *page, weft_error *error)
{
    const growth *u = &e->update, *k = &e->krylov;
    lab_series fitted[2] = {{.count = 0}, {.count = 0}};
    char *names[2] = {new_text("reference, an update: n^%s", lab_exponent(&u->tail_power, 2).text),
                      new_text("krylov, a trial: n^%s", lab_exponent(&k->tail_power, 2).text)};
    lab_series_add_power(&fitted[0], &u->tail_power, &u->tail);
    lab_series_add_power(&fitted[1], &k->tail_power, &k->tail);
    figure_curve curves[] = {lab_series_points(&u->all, names[0]), lab_series_points(&k->all, names[1]),
                             lab_series_like(lab_series_theory(&fitted[0], NULL), 0),
                             lab_series_like(lab_series_theory(&fitted[1], NULL), 1)};
    figure_chart chart = {
        .title = "Time against size: the paper's method and this library's",
        .note = "Processor time of one core. Bars: the middle half of the measurements. "
                "Dashes: powers fitted to the larger half of the sizes, ± standard error of the "
                "exponent.",
        .x = {.name = "rows n, and as many columns", .logarithmic = true},
        .y = {.name = "milliseconds", .logarithmic = true},
        .curves = curves,
        .count = 4};
    weft_status status = lab_series_publish(
        page, results->request, "scaling", &chart,
        "Processor time of one update of the reference engine (median) and of one trial of the default "
        "engine "
        "(mean of a whole stream of n² trials), against n; both axes logarithmic; bars are the middle half "
        "of "
        "the updates and of stretches of the stream; dashes are the powers fitted to the larger half of the "
        "sizes, ± the standard error of the exponent from the scatter about the line.",
        error);
    free(names[0]);
    free(names[1]);
    return status;
}

/* ---- Tables ---- */

static void write_lines(FILE *out, const void *what)
{
    const scaling_results *results = what;
    for (int s = 0; s < results->count; s++) {
        const scaling_result *r = &results->sizes[s];
        fprintf(out, "%" PRId64 ",krylov trial,%.6g\n", r->n, r->krylov);
        fprintf(out, "%" PRId64 ",reference update,%.6g\n", r->n, r->update);
        fprintf(out, "%" PRId64 ",reference without update,%.6g\n", r->n, r->idle);
    }
    table_time all = time_table(results);
    fprintf(out, ",the paper's table by reference,%.6g\n", all.reference);
    fprintf(out, ",the paper's table by krylov,%.6g\n", all.krylov);
}

static const lab_table table = {"scaling", "n,quantity,seconds", write_lines};

static void tell_measured(lab_page *page, const scaling_results *results)
{
    lab_page_heading(page, "What was measured");
    lab_page_text(page,
                  "Medians of the updates of the reference engine, means of the trials of krylov; shares of "
                  "updates that were not counted at a size are those of the table below.");
    lab_page_table(page,
                   "n\treference, an update (ms)\twithout update (ms)\tkrylov, a trial (ms)\treference "
                   "update over krylov trial\tproducts a trial\tupdates a trial, β = 0\tβ = 0.125\tβ = 0.5");
    for (int s = 0; s < results->count; s++) {
        const scaling_result *r = &results->sizes[s];
        lab_page_row(page, "%" PRId64 "\t%.3f\t%.4f\t%.4f\t*%.0f\t%.2f\t%.2f\t%.2f\t%.2f", r->n,
                     1e3 * r->update, 1e3 * r->idle, 1e3 * r->krylov, r->update / r->krylov, r->products,
                     share_at(results, r->n, 0), share_at(results, r->n, 0.125),
                     share_at(results, r->n, 0.5));
    }
    lab_page_table_end(page);
}

/* The largest size at which updates were counted at every noise level. */
static int64_t largest_counted(const scaling_results *results)
{
    int64_t largest = 0;
    for (int s = 0; s < results->count; s++) {
        const double *share = results->sizes[s].share;
        if (share[0] >= 0 && share[SCALING_LEVELS - 1] >= 0 && results->sizes[s].n > largest)
            largest = results->sizes[s].n;
    }
    return largest;
}

static void tell_days(lab_page *page, const scaling_results *results)
{
    lab_page_heading(page, "The paper's table, in days");
    lab_page_text(page,
                  "%d runs of six noise levels, n² trials each, on one core.  Between the sizes that were "
                  "measured, and beyond them (n = %" PRId64
                  "), times are on straight lines in logarithms; so are "
                  "shares of updates, which are continued beyond n = %" PRId64
                  " for β = 0 and 0.5.  A trial without an update costs the reference engine a product of a "
                  "matrix and a vector.",
                  LAB_PAPER_RUNS, results->sizes[results->count - 1].n, largest_counted(results));
    lab_page_table(page, "n\ttrials\tupdates\treference (days)\tkrylov (hours)");
    for (int d = 0; d < LAB_PAPER_DIMENSIONS; d++) {
        int64_t n = lab_paper_dimensions[d];
        table_time of = time_size(results, n);
        lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%.0f\t%.3f\t%.3f", n,
                     n * n * LAB_PAPER_RUNS * LAB_PAPER_NOISE, of.updates, of.reference / 86400,
                     of.krylov / 3600);
    }
    table_time all = time_table(results);
    lab_page_row(page, "*all\t\t%.0f\t*%.2f\t*%.2f", all.updates, all.reference / 86400, all.krylov / 3600);
    lab_page_table_end(page);
}

static void tell_setting(lab_page *page, const scaling_results *results)
{
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "The experiment of the paper's appendix (text protocol, graph noise 0.125).  The default "
                  "engine (krylov) plays the whole stream of n² trials; in between the reference engine, "
                  "which is the paper word for word, plays trials of the same problem until it has "
                  "updated, 9 to 101 times, starting with a quarter of all labels as evidence.  Both "
                  "make the same decisions (see `weft experiment equivalence`, and bench/trial.c which "
                  "counts).  Times are processor times of one thread.");
    lab_page_text(page, "BLAS kernels for %s.", weft_blas_core());
    lab_tell_runs(page, results->request, table.name, 0);
}

static void tell_meaning(lab_page *page, const engines *e)
{
    const growth *u = &e->update, *k = &e->krylov;
    lab_page_heading(page, "What it means");
    lab_page_text(page,
                  "The paper (section 5): a trial with an update takes O(n^3), for one eigendecomposition "
                  "of an (m+n) x (m+n) matrix.  The default engine never makes one: it multiplies a few "
                  "vectors by the kernels and by the evidence, O(n^2) a product, until the decision is "
                  "certain, and an update is O(1).");
    lab_page_text(
        page,
        "Measured, from n = %.0f to %.0f: n^%s for an update of the reference engine and n^%s for a "
        "trial of krylov; from n = %.0f on: n^%s and n^%s.  These are exponents of these sizes on "
        "this machine, not limits: what a call costs beside its sums weighs on small matrices, and "
        "memory on large ones.  The ± is the standard error from the scatter about a straight line "
        "in logarithms; without one there were only two points.  There is no bound to compare with "
        "here: this experiment is about time.",
        u->all.x[0], u->all.x[u->all.count - 1], lab_exponent(&u->power, 2).text,
        lab_exponent(&k->power, 2).text, u->tail.x[0], lab_exponent(&u->tail_power, 2).text,
        lab_exponent(&k->tail_power, 2).text);
}

static char *say_finding(const scaling_results *results, const engines *e)
{
    table_time all = time_table(results);
    const growth *u = &e->update, *k = &e->krylov;
    return new_text(
        "An update of the paper's method takes time as n^%s (larger half of the sizes: n^%s), a trial of "
        "krylov as n^%s (n^%s).  The paper's table of one protocol takes about %.1f days of one core by the "
        "paper's method and %.1f hours by krylov: "
        "%.0f times as long.%s",
        lab_exponent(&u->power, 2).text, lab_exponent(&u->tail_power, 2).text,
        lab_exponent(&k->power, 2).text, lab_exponent(&k->tail_power, 2).text, all.reference / 86400,
        all.krylov / 3600, all.reference / all.krylov,
        results->request->quick ? "  (Extrapolated from small sizes: leave out --quick.)" : "");
}

weft_status scaling_report(const scaling_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "scaling", ".html"), *finding = NULL;
    engines *e = new_array(1, sizeof *e);
    lab_page *page = lab_page_create("Time against size");
    weft_status status = WEFT_OK;
    collect(results, e);
    finding = say_finding(results, e);
    TRY(lab_table_write(&table, results->request, results, error));
    lab_page_finding(page, "%s", finding);
    tell_setting(page, results);
    TRY(draw(results, e, page, error));
    tell_measured(page, results);
    tell_days(page, results);
    tell_meaning(page, e);
    TRY(lab_page_write(page, path, error));
    printf("%s\n", finding);
done:
    lab_page_free(page);
    free(finding);
    free(e);
    free(path);
    return status;
}
