/* SPDX-License-Identifier: MIT
 * The report of community: what was run, how it grows, what it means. */
#include "lab/community/community.h"
#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Figures ---- */

/* Which of the numbers of communities the first figure shows. */
enum { SHOWN = 1 };

static lab_series against_cut(const community_results *results, community_method method)
{
    lab_series series = {0};
    for (int64_t c = 0; c < results->cut_count; c++) {
        const community_cell *cell = community_cell_of(results, SHOWN, method, c);
        lab_series_add_mean(&series, (double)results->cuts[c], &cell->mistakes);
    }
    return series;
}

static lab_series bound_against_cut(const community_results *results, community_method method)
{
    lab_series series = {0};
    for (int64_t c = 0; c < results->cut_count; c++)
        lab_series_add(&series, (double)results->cuts[c],
                       community_cell_of(results, SHOWN, method, c)->bound);
    return series;
}

/* At or above this line a bound says nothing. */
static lab_series trials_against_cut(const community_results *results)
{
    lab_series series = {0};
    double trials = results->cells[0].trials;
    lab_series_add(&series, (double)results->cuts[0], trials);
    lab_series_add(&series, (double)results->cuts[results->cut_count - 1], trials);
    return series;
}

static weft_status add_cut_figure(lab_page *page, const community_results *results, weft_error *error)
{
    enum { BOUNDS = COMMUNITY_METHODS, TRIALS = BOUNDS + 2, CURVES = TRIALS + 1 };
    lab_series *series = new_array(CURVES, sizeof *series);
    figure_curve curves[CURVES];
    for (int m = 0; m < COMMUNITY_METHODS; m++) {
        series[m] = against_cut(results, (community_method)m);
        curves[m] = lab_series_measured(&series[m], community_method_name((community_method)m));
        curves[m].strong = community_has_graph((community_method)m);
    }
    series[BOUNDS] = bound_against_cut(results, COMMUNITY_ONE_SET);
    curves[BOUNDS] = lab_series_theory(&series[BOUNDS], "bound, one set");
    series[BOUNDS + 1] = bound_against_cut(results, COMMUNITY_MISTAKES);
    curves[BOUNDS + 1] = lab_series_theory(&series[BOUNDS + 1], "bound, two sides, mistake updates");
    series[TRIALS] = trials_against_cut(results);
    curves[TRIALS] = lab_series_theory(&series[TRIALS], "all trials");
    char *title = new_text("Mistakes against the cut: %" PRId64 " communities of %" PRId64 " vertices",
                           results->ks[SHOWN], results->n / results->ks[SHOWN]);
    figure_chart chart = {
        .title = title,
        .note = "Bars: one standard deviation of a run.  Lines without marks: bounds, vacuous above “all "
                "trials”.",
        .x = {.name = "edges between communities", .logarithmic = true},
        .y = {.name = "mistakes of all pairs", .logarithmic = true},
        .curves = curves,
        .count = CURVES,
    };
    weft_status status = lab_series_publish(
        page, results->request, "community", &chart,
        "Mistakes of all pairs against the number of edges between communities, both logarithmic; bars are "
        "one standard deviation of a run to either side (expected mistakes with margin updates).  Without "
        "side information the cut does not matter: level lines.  Lines without marks are bounds; above the "
        "line of all trials they are vacuous.",
        error);
    free(title);
    free(series);
    return status;
}

static lab_series against_scaled(const community_results *results, community_method method, int64_t k)
{
    lab_series series = {0};
    for (int64_t c = 0; c < results->cut_count; c++) {
        const community_cell *cell = community_cell_of(results, k, method, c);
        lab_series_add_mean(&series, cell->scaled.mean, &cell->mistakes);
    }
    return series;
}

static weft_status add_scaled_figure(lab_page *page, const community_results *results, weft_error *error)
{
    static const community_method methods[] = {COMMUNITY_MISTAKES, COMMUNITY_ONE_SET};
    static const char *const words[] = {"two sides", "one set"};
    enum { METHODS = 2, MOST = METHODS * COMMUNITY_MOST_KS };
    lab_series *series = new_array(MOST, sizeof *series);
    char *names[MOST];
    figure_curve curves[MOST];
    int count = 0;
    for (int m = 0; m < METHODS; m++)
        for (int64_t k = 0; k < results->k_count; k++, count++) {
            series[count] = against_scaled(results, methods[m], k);
            names[count] = new_text("%s, k = %" PRId64 ": %s", words[m], results->ks[k],
                                    lab_exponent(&results->growth[k][methods[m]].scaled, 3).text);
            curves[count] = lab_series_measured(&series[count], names[count]);
            curves[count].strong = methods[m] == COMMUNITY_ONE_SET;
        }
    figure_chart chart = {
        .title = "Mistakes against the cut times the resistance radius",
        .note = "Bars: one standard deviation of a run.  Numbers: fitted exponents ± standard error (scatter "
                "about the line).  Mistake updates.",
        .x = {.name = "tr(R'LR) R_L: twice the cut, times the resistance radius", .logarithmic = true},
        .y = {.name = "mistakes of all pairs", .logarithmic = true},
        .curves = curves,
        .count = count,
    };
    weft_status status = lab_series_publish(
        page, results->request, "community-radius", &chart,
        "Mistakes against tr(R'LR) R_L, both logarithmic, for every number of communities k; bars are one "
        "standard deviation of a run to either side.  The exponents are those of powers that are fitted to "
        "each curve, ± their standard error from the scatter about the line: 1 is the exponent of the "
        "bounds.  Where a curve turns back there are fewer edges in "
        "the cut but the radius is larger.",
        error);
    for (int c = 0; c < count; c++)
        free(names[c]);
    free(series);
    return status;
}

/* ---- Words ---- */

static void tell_setting(lab_page *page, const community_results *results)
{
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "%" PRId64 " vertices in k communities of equal size.  The label of a pair is +1 iff both "
                  "are of one community.  The graph: every community is a cycle with a quarter of all "
                  "chords; k - 1 edges join the communities to a tree, and further edges between any two "
                  "are drawn until the cut has the wanted size.  Every unordered pair is predicted once, "
                  "in random order: %.0f trials, without noise.",
                  results->n, results->cells[0].trials);
    lab_page_text(page,
                  "Two sides is the paper's form: rows and columns are the same vertices, both with the "
                  "PDLaplacian of the graph, γ = 1/(3 - 4/k) (valid for this matrix, and larger than the "
                  "paper's 1/3), D the smallest value that can be proved from the true communities; with "
                  "mistake updates and η = γ, or with margin updates and the η of the regret theorem (then "
                  "expected mistakes are counted).  One set is similarity prediction: a pair is the "
                  "difference of two vertices, γ = η = 1, D = 4 R_L tr(R'LR), mistakes at most 3.6 D log n. "
                  "Nothing known is the same without the graph.");
    lab_tell_runs(page, results->request, "community", results->runs);
}

static void add_growth(lab_page *page, const community_results *results)
{
    lab_page_heading(page, "How it grows");
    lab_page_text(
        page,
        "Exponents of mistakes as a power of the cut, and of the cut times the radius, ± their "
        "standard error from the scatter about a straight line in logarithms.  Bounds on mistakes grow with "
        "exponent 1 of the cut times the radius, the regret bound (margin updates) with 1/2.");
    lab_page_table(page, "method\tk\texponent in the cut\texponent in cut times radius");
    for (int m = 0; m < COMMUNITY_GRAPHS; m++) {
        const char *name = community_method_name((community_method)m);
        for (int64_t k = 0; k < results->k_count; k++) {
            const community_growth *growth = &results->growth[k][m];
            lab_page_row(page, "%s\t%" PRId64 "\t%s\t*%s", name, results->ks[k],
                         lab_exponent(&growth->cut, 3).text, lab_exponent(&growth->scaled, 3).text);
        }
    }
    lab_page_table_end(page);
}

static void add_cells(lab_page *page, const community_results *results)
{
    lab_page_heading(page, "The numbers");
    lab_page_text(
        page, "Mean ± standard error of the mean over the runs.  A bound is faint where it is vacuous, that "
              "is at least the number of trials.");
    lab_page_table(page, "method\tk\tcut\tR_L\ttr(R'LR) R_L\tmistakes\tD\tbound");
    for (int64_t c = 0; c < community_cell_count(results); c++) {
        const community_cell *cell = &results->cells[c];
        char *graph = cell->given.cut > 0 ? new_text("%" PRId64 "\t%.3f\t%.2f", cell->given.cut, cell->radius,
                                                     cell->scaled.mean)
                                          : new_text("~none\t\t");
        lab_page_row(page, "%s\t%" PRId64 "\t%s\t%s\t%.1f\t%s%.0f", community_method_name(cell->given.method),
                     cell->given.k, graph, lab_mean_and_error(&cell->mistakes, 1).text, cell->dimension,
                     cell->bound >= cell->trials ? "~" : "", cell->bound);
        free(graph);
    }
    lab_page_table_end(page);
}

/* Over the cells of one set of ids with a graph. */
typedef struct one_set_ranges {
    lab_range slack;  /* bound over mistakes */
    lab_range gain;   /* mistakes of two sides over its own */
    lab_range cut;    /* exponents in the cut, */
    lab_range scaled; /* and in the cut times the radius */
} one_set_ranges;

static one_set_ranges find_ranges(const community_results *results)
{
    one_set_ranges found = {.slack = {0}};
    for (int64_t k = 0; k < results->k_count; k++) {
        lab_range_add(&found.cut, results->growth[k][COMMUNITY_ONE_SET].cut.exponent);
        lab_range_add(&found.scaled, results->growth[k][COMMUNITY_ONE_SET].scaled.exponent);
        for (int64_t c = 0; c < results->cut_count; c++) {
            const community_cell *one = community_cell_of(results, k, COMMUNITY_ONE_SET, c);
            const community_cell *two = community_cell_of(results, k, COMMUNITY_MISTAKES, c);
            lab_range_add(&found.slack, one->bound / one->mistakes.mean);
            lab_range_add(&found.gain, two->mistakes.mean / one->mistakes.mean);
        }
    }
    return found;
}

/* Where fewer edges make the product of cut and radius larger, if anywhere. */
static void tell_turn(lab_page *page, const community_results *results)
{
    for (int64_t k = results->k_count - 1; k >= 0; k--) {
        const community_cell *first = community_cell_of(results, k, COMMUNITY_ONE_SET, 0);
        const community_cell *second = community_cell_of(results, k, COMMUNITY_ONE_SET, 1);
        if (first->scaled.mean <= second->scaled.mean)
            continue;
        lab_page_text(
            page,
            "The product does not shrink for ever with the cut: with k = %" PRId64 " and %" PRId64
            " edges it is %.1f, with %" PRId64 " edges %.1f.  The radius grows as edges become few.",
            first->given.k, first->given.cut, first->scaled.mean, second->given.cut, second->scaled.mean);
        return;
    }
}

static void tell_meaning(lab_page *page, const community_results *results)
{
    const community_cell *one = community_cell_of(results, SHOWN, COMMUNITY_ONE_SET, results->cut_count - 1);
    const community_cell *alone = community_cell_of(results, SHOWN, COMMUNITY_ALONE, 0);
    one_set_ranges found = find_ranges(results);
    lab_page_heading(page, "What it means");
    lab_page_text(
        page,
        "As one set of ids mistakes grow with the cut to the power of %.2f to %.2f (least and largest "
        "over k), and with the cut times the resistance radius to the power of %.2f to %.2f, where 1 "
        "is proportional.  The bound of one set is %.0f to %.0f times the mistakes, and where it is "
        "below the number of trials a promise.",
        found.cut.least, found.cut.largest, found.scaled.least, found.scaled.largest, found.slack.least,
        found.slack.largest);
    tell_turn(page, results);
    lab_page_text(
        page,
        "On the same graph the two-sided form with mistake updates makes %.1f to %.1f times the "
        "mistakes of one set of ids.  As one set far apart means different from the first trial on, γ is "
        "1, and nothing is paid for the constant part of the PDLaplacian.  At the largest cut, k = "
        "%" PRId64 ", one set makes %.0f mistakes against %.0f without the graph.",
        found.gain.least, found.gain.largest, results->ks[SHOWN], one->mistakes.mean, alone->mistakes.mean);
    lab_page_text(page,
                  "The paper (section 4.2): \"a mistake bound of Õ(tr(R'LR) R_L) is obtained, which "
                  "recovers the bound of [Gentile, Herbster, Pasteris 2013, Proposition 4] up to constant "
                  "factors\".  tr(R'LR) is twice the number of edges between communities.");
}

/* Without a graph many margins are exactly 0, and rounding decides. */
static void tell_certainty(lab_page *page, const community_results *results)
{
    double with = 0, without = 0;
    for (int64_t c = 0; c < community_cell_count(results); c++)
        *(community_has_graph(results->cells[c].given.method) ? &with : &without) +=
            results->cells[c].uncertain;
    lab_page_text(page,
                  "Decisions that rounding could not certify, of all runs: %.0f with the graph, %.0f without "
                  "it, where the margin of a new pair is exactly 0.",
                  with, without);
}

weft_status community_report(const community_results *results, weft_error *error)
{
    lab_page *page = lab_page_create("Communities: mistakes against the cut");
    char *path = lab_place_file(results->request->out, "community", ".html");
    char *sentence = community_sentence(results);
    weft_status status = WEFT_OK;
    lab_page_finding(page, "%s", sentence);
    tell_setting(page, results);
    TRY(add_cut_figure(page, results, error));
    TRY(add_scaled_figure(page, results, error));
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
