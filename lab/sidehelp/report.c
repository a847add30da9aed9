/* SPDX-License-Identifier: MIT
 * The report of sidehelp: what was run, how it grows, what it means. */
#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "lab/sidehelp/sidehelp.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- The figure ---- */

static lab_series mistakes_of(const sidehelp_results *results, sidehelp_side side, bool adversary)
{
    lab_series series = {0};
    for (int64_t s = 0; s < results->sizes; s++) {
        const sidehelp_cell *cell = sidehelp_cell_of(results, side, adversary, s);
        lab_series_add_mean(&series, (double)cell->given.rows, &cell->mistakes);
    }
    return series;
}

static lab_series bounds_of(const sidehelp_results *results, sidehelp_side side)
{
    lab_series series = {0};
    for (int64_t s = 0; s < results->sizes; s++) {
        const sidehelp_cell *cell = sidehelp_cell_of(results, side, false, s);
        lab_series_add(&series, (double)cell->given.rows, cell->bound);
    }
    return series;
}

static weft_status add_figure(lab_page *page, const sidehelp_results *results, weft_error *error)
{
    static const char *const names[SIDEHELP_SIDES][3] = {
        {"nothing known, random labels", "nothing known, adversary", "bound, nothing known"},
        {"ideal graph, random labels", "ideal graph, adversary", "bound, ideal graph"},
        {"partition kernel, random labels", "partition kernel, adversary", "bound, partition kernel"},
    };
    enum { KINDS = 3 };
    lab_series *series = new_array(SIDEHELP_SIDES * KINDS, sizeof *series);
    figure_curve curves[SIDEHELP_SIDES * KINDS];
    for (int s = 0; s < SIDEHELP_SIDES; s++) {
        sidehelp_side side = (sidehelp_side)s;
        lab_series *at = series + s * KINDS;
        figure_curve *curve = curves + s * KINDS;
        at[0] = mistakes_of(results, side, false);
        at[1] = mistakes_of(results, side, true);
        at[2] = bounds_of(results, side);
        curve[0] = lab_series_measured(&at[0], names[s][0]);
        curve[0].strong = false;
        curve[1] = lab_series_measured(&at[1], names[s][1]);
        curve[2] = lab_series_theory(&at[2], names[s][2]);
    }
    figure_chart chart = {
        .title = "Rows that are all +1 or all −1: mistakes against the number of rows",
        .note = "Bars: one standard deviation of a run.  Lines without marks: bounds of the theorem.",
        .x = {.name = "rows m", .logarithmic = true},
        .y = {.name = "mistakes of all m n trials", .logarithmic = true},
        .curves = curves,
        .count = SIDEHELP_SIDES * KINDS,
    };
    weft_status status =
        lab_series_publish(page, results->request, "sidehelp", &chart,
                           "Mistakes against the number of rows m, both logarithmic; bars are one standard "
                           "deviation of a run to either side.  Lines without marks are the bounds of "
                           "Theorem 1 in the realizable case.",
                           error);
    free(series);
    return status;
}

/* ---- The page ---- */

static void tell_setting(lab_page *page, const sidehelp_results *results)
{
    int64_t columns = results->cells[0].given.columns;
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "A matrix of m rows and %" PRId64 " columns in which every row is all +1 or all -1, so a "
                  "(2,1)-biclustered matrix.  All entries are predicted once, in random order, by Algorithm "
                  "1 with mistake updates (the realizable case of Theorem 1) and its parameters: γ = 1, "
                  "η = 1, D the smallest value that can be proved for the side information.",
                  columns);
    lab_page_text(page,
                  "What is known: nothing (D = m + n); the ideal graph of section 4.1 on either side, one "
                  "clique for each class, joined by one edge, as PDLaplacian; the partition kernel of the "
                  "same classes with ε = 0.01.");
    lab_page_text(page,
                  "Labels: random, every row has the sign of its class, which a coin has drawn; or from an "
                  "adversary, who waits for the prediction and says the opposite wherever the matrix still "
                  "leaves a choice.  Without side information that is on the first entry of every row.  "
                  "With it the classes are fixed in advance, and a choice is left only when a class is met "
                  "for the first time: twice.");
    lab_tell_runs(page, results->request, "sidehelp", results->runs);
}

static void add_cells(lab_page *page, const sidehelp_results *results)
{
    lab_page_heading(page, "The numbers");
    lab_page_text(
        page, "Mean ± standard error of the mean over the runs.  A bound is faint where it is vacuous, that "
              "is at least the number of trials.");
    lab_page_table(page, "known\tlabels\tm\ttrials\tmistakes\ton first entries\tD\tbound");
    for (int64_t c = 0; c < SIDEHELP_SIDES * 2 * results->sizes; c++) {
        const sidehelp_cell *cell = &results->cells[c];
        lab_page_row(page, "%s\t%s\t%" PRId64 "\t%.0f\t%s\t%.1f\t%.2f\t%s%.0f",
                     sidehelp_side_name(cell->given.side), cell->given.adversary ? "adversary" : "random",
                     cell->given.rows, cell->trials, lab_mean_and_error(&cell->mistakes, 1).text,
                     cell->first.mean, cell->dimension, cell->bound >= cell->trials ? "~" : "", cell->bound);
    }
    lab_page_table_end(page);
}

static void add_growth(lab_page *page, const sidehelp_results *results)
{
    lab_page_heading(page, "How it grows");
    const sidehelp_cell *first = &results->cells[0], *last = &results->cells[results->sizes - 1];
    lab_page_text(
        page,
        "Mistakes fitted as a power of m, ± the standard error of the exponent from the scatter about "
        "a straight line in logarithms.  Theory says 1 without side information.  With it the bound "
        "is D log(m + n) but for constants; log(m + n) alone grows from m = %" PRId64 " to %" PRId64
        " as m to the power of %.2f would.",
        first->given.rows, last->given.rows,
        weft__log(weft__log((double)(last->given.rows + last->given.columns)) /
                  weft__log((double)(first->given.rows + first->given.columns))) /
            weft__log((double)last->given.rows / (double)first->given.rows));
    lab_page_table(page, "known\tlabels\texponent");
    for (int side = 0; side < SIDEHELP_SIDES; side++)
        for (int adversary = 0; adversary < 2; adversary++)
            lab_page_row(page, "%s\t%s\t%s", sidehelp_side_name((sidehelp_side)side),
                         adversary ? "adversary" : "random",
                         lab_exponent(&results->growth[side][adversary], 3).text);
    lab_page_table_end(page);
}

static void tell_meaning(lab_page *page, const sidehelp_results *results)
{
    int64_t last = results->sizes - 1;
    const sidehelp_cell *bare = sidehelp_cell_of(results, SIDEHELP_NOTHING, true, last);
    const sidehelp_cell *coin = sidehelp_cell_of(results, SIDEHELP_NOTHING, false, last);
    const sidehelp_cell *graph = sidehelp_cell_of(results, SIDEHELP_GRAPH, true, last);
    const sidehelp_cell *partition = sidehelp_cell_of(results, SIDEHELP_PARTITION, true, last);
    lab_page_heading(page, "What it means");
    lab_page_text(
        page,
        "Whoever knows nothing of the rows pays once for every row: the adversary forces m mistakes "
        "on any method whatever.  At m = %" PRId64 " this one makes %.0f; against a coin %.0f, of "
        "which %.0f on the first entries of rows, where nobody can do better than half.  Whoever "
        "knows which rows are alike has two classes to learn: %.1f mistakes with the graph and %.1f "
        "with the partition kernel, against the adversary.",
        bare->given.rows, bare->mistakes.mean, coin->mistakes.mean, coin->first.mean, graph->mistakes.mean,
        partition->mistakes.mean);
    lab_page_text(page,
                  "The paper (section 4.1): \"Can side information provably help?  Unsurprisingly, yes. "
                  "... Clearly an adversary can force m mistakes whereas with 'ideal' side information the "
                  "upper bound is Õ(1).\"  The bound is 3.6 D/γ² log(m + n): at m = %" PRId64
                  " D is %.2f for the graph and %.2f for the partition kernel, against m + n = %.0f "
                  "without.%s",
                  bare->given.rows, graph->dimension, partition->dimension, bare->dimension,
                  partition->dimension < graph->dimension
                      ? "  The constants of the partition kernel are the better ones, as the paper says."
                      : "");
}

/* Without side information many margins are exactly 0, and rounding decides. */
static void tell_certainty(lab_page *page, const sidehelp_results *results)
{
    double with = 0, without = 0;
    for (int64_t c = 0; c < SIDEHELP_SIDES * 2 * results->sizes; c++)
        *(results->cells[c].given.side == SIDEHELP_NOTHING ? &without : &with) += results->cells[c].uncertain;
    lab_page_text(page,
                  "Decisions that rounding could not certify, of all runs: %.0f with side information, %.0f "
                  "without it, where the margin of a new pair is exactly 0.",
                  with, without);
}

weft_status sidehelp_report(const sidehelp_results *results, weft_error *error)
{
    lab_page *page = lab_page_create("Can side information provably help?");
    char *path = lab_place_file(results->request->out, "sidehelp", ".html"),
         *sentence = sidehelp_sentence(results);
    weft_status status = WEFT_OK;
    lab_page_finding(page, "%s", sentence);
    tell_setting(page, results);
    TRY(add_figure(page, results, error));
    add_growth(page, results);
    tell_meaning(page, results);
    add_cells(page, results);
    tell_certainty(page, results);
    TRY(lab_page_write(page, path, error));
done:
    lab_page_free(page);
    free(path);
    free(sentence);
    return status;
}
