/* SPDX-License-Identifier: MIT
 * The report of boxes: what was run, how it grows, what it means. */
#include "lab/boxes/boxes.h"
#include "lab/report/frame.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void tell_setting(lab_page *page, const boxes_results *results)
{
    const boxes_given *given = &results->cells[0].given;
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "A matrix of %" PRId64
                  " rows and as many columns with k x l latent blocks, whose labels are "
                  "drawn by a coin until no two classes are alike.  Every row is a point in one of k boxes "
                  "of [-%g,%g]^d, every column in one "
                  "of l boxes of its own; which box it is is its class.  Boxes are cells of a grid, and "
                  "neighbours are exactly δ apart in the maximum norm.",
                  given->count, given->range, given->range);
    lab_page_text(page,
                  "Nothing is known in advance.  A new row and a new column arrive together every %" PRId64
                  " trials, with their points, and meet at once; between arrivals pairs of those that are "
                  "there are drawn, %" PRId64
                  " trials in all, without noise.  The side information grows under "
                  "the running learner.  Algorithm 2 with mistake updates, γ = η = 1/sqrt(min(k,l)), the min "
                  "kernel, its radius r^d, and D the smallest value that can be proved in hindsight.",
                  given->trials / given->count, given->trials);
    lab_tell_runs(page, results->request, "boxes", results->runs);
}

/* An exponent, or of the dimension the factor of one more: the error of exp(x) is exp(x) times that
 * of x. */
static lab_value_text growth_of(const lab_power *power, bool deeper)
{
    double factor = weft__exp(power->exponent);
    return deeper ? lab_value(factor, factor * power->error, 2) : lab_exponent(power, 2);
}

/* Nothing where nothing is known of the points. */
static lab_value_text side_growth_of(const lab_power *power, int sweep)
{
    return sweep == BOXES_BLIND ? (lab_value_text){""} : growth_of(power, sweep == BOXES_DEEPER);
}

static void add_growth(lab_page *page, const boxes_results *results)
{
    static const char *const theory[BOXES_SWEEPS] = {
        [BOXES_LINE] = "2 forced, 3 paper", [BOXES_SQUARE] = "2 forced, 3 paper",
        [BOXES_BLIND] = "2 forced",         [BOXES_COLUMNS] = "1 forced",
        [BOXES_LINE_APART] = "-1 paper",    [BOXES_PLANE_APART] = "-2 paper",
        [BOXES_DEEPER] = "80 paper",
    };
    lab_page_heading(page, "How it grows");
    lab_page_text(
        page, "Exponents of powers of what is varied, ± their standard error from the scatter about a "
              "straight line in logarithms (none where there are two points); for the dimension the factor "
              "of one more.  D of the paper is k tr(R'MR) R_M "
              "+ l tr(C'NC) R_N with the measured traces; the sharper D is the one that is used.");
    lab_page_table(page, "varied\tmistakes\ttheory of mistakes\ttrace\tD of the paper\tsharper D");
    for (int s = 0; s < BOXES_SWEEPS; s++) {
        const boxes_growth *growth = &results->growth[s];
        lab_page_row(page, "%s\t*%s\t%s\t%s\t%s\t%s", boxes_sweep_name((boxes_sweep)s),
                     growth_of(&growth->mistakes, s == BOXES_DEEPER).text, theory[s],
                     side_growth_of(&growth->trace, s).text, side_growth_of(&growth->general, s).text,
                     side_growth_of(&growth->dimension, s).text);
    }
    lab_page_table_end(page);
}

static void add_cells(lab_page *page, const boxes_results *results)
{
    lab_page_heading(page, "The numbers");
    lab_page_text(page,
                  "Mean ± standard error of the mean over the runs.  Newcomers: the share of mistakes on the "
                  "first pair "
                  "of a row and a column that both arrive in the second half.  The trace is that of both "
                  "sides, beside the promise of the proposition.  A bound is faint where it is vacuous, "
                  "that is at least the number of trials.");
    lab_page_table(page,
                   "varied\tk\tl\td\tδ\tmistakes\tnewcomers\ttrace\tpromise\tD of the paper\tsharper D\t"
                   "bound");
    for (int s = 0; s < BOXES_SWEEPS; s++)
        for (int64_t c = results->first[s]; c < results->first[s + 1]; c++) {
            const boxes_cell *cell = &results->cells[c];
            const boxes_given *given = &cell->given;
            char *promise = given->blind ? new_text("%s", "") : new_text("%.1f", cell->promise);
            lab_page_row(page,
                         "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%g\t%s\t%.1f %%\t%.1f\t%s\t%.0f\t"
                         "%.0f\t%s%.0f",
                         boxes_sweep_name((boxes_sweep)s), given->k, given->l, given->dimension,
                         given->separation, lab_mean_and_error(&cell->mistakes, 0).text,
                         100 * cell->late_wrong, cell->trace.mean, promise, cell->general.mean,
                         cell->dimension.mean, cell->bound >= (double)given->trials ? "~" : "", cell->bound);
            free(promise);
        }
    lab_page_table_end(page);
}

static void tell_known(lab_page *page, const boxes_results *results)
{
    boxes_verdict v = boxes_judge(results);
    lab_page_heading(page, "Known in advance or not");
    lab_page_text(
        page,
        "Proposition 1: with the same R the transductive and the inductive algorithm predict the same. "
        "The first run of every cell of the first two sweeps was played again with all points listed "
        "from the beginning: of %.0f trials %.0f have another prediction or update.",
        v.compared, v.different);
}

/* What the geometry costs, in the exponents of the table. */
static void tell_price(lab_page *page, const boxes_results *results)
{
    const boxes_growth *g = results->growth;
    lab_page_text(page,
                  "A row that was never seen is predicted from its point alone: what was learnt for the box "
                  "holds for whoever arrives in it.  The price is in the geometry: mistakes grow as k^%s on "
                  "the line and "
                  "k^%s on the plane with the number of boxes, as δ^%s and δ^%s with their separation, and "
                  "by a factor of "
                  "%s with a further dimension.",
                  lab_exponent(&g[BOXES_LINE].mistakes, 2).text,
                  lab_exponent(&g[BOXES_SQUARE].mistakes, 2).text,
                  lab_exponent(&g[BOXES_LINE_APART].mistakes, 2).text,
                  lab_exponent(&g[BOXES_PLANE_APART].mistakes, 2).text,
                  growth_of(&g[BOXES_DEEPER].mistakes, true).text);
}

static void tell_theory(lab_page *page)
{
    lab_page_text(
        page, "The paper (section 5.1): the quasi-dimension grows no more than quadratically with the number "
              "of latent factors, D = k² (4r/δ*)^d + l² (4r/δ*)^d, so mistakes are Õ(min(k,l) max(k,l)²); "
              "\"our best lower bound in terms of k and l is just kl ... An open problem is to resolve this "
              "gap.\"");
    lab_page_text(
        page,
        "The functions of the paper's own proof close that gap.  The tents f_r of two boxes that are "
        "δ* apart have disjoint ramps in some coordinate, so <f_r, f_s> = 0 in the space of the min "
        "kernel.  Hence for any numbers c_r the smallest function that is c_r on the points of box r has "
        "squared norm c'(R'K^-1R)c <= |sum_r c_r f_r|² = (4/δ*)^d |c|²: not only the trace of R'K^-1R "
        "is at most k (4/δ*)^d, its largest eigenvalue is at most (4/δ*)^d.  The rows of P* in the proof "
        "of the quasi-dimension bound are unit vectors, so tr(P*'R'MRP*) <= k (4/δ*)^d without the further "
        "factor k, D <= (k + l) (4r/δ*)^d, and mistakes are Õ(kl), as many as can be forced up to the "
        "logarithm and what depends on the geometry alone.");
}

static void tell_meaning(lab_page *page, const boxes_results *results)
{
    const boxes_growth *g = results->growth;
    boxes_verdict v = boxes_judge(results);
    lab_range mistakes = {0}, less = {0};
    for (int64_t c = 0; c < results->first[BOXES_BLIND]; c++) {
        const boxes_cell *cell = &results->cells[c];
        lab_range_add(&mistakes, cell->mistakes.mean / (cell->x * cell->x));
        if (c < results->first[BOXES_LINE + 1])
            lab_range_add(&less, cell->trace.mean / (cell->x - 1));
    }
    lab_page_heading(page, "What it means");
    tell_price(page, results);
    tell_theory(page);
    lab_page_text(
        page,
        "Against this the measured exponents of mistakes.  Labels of blocks are drawn by a coin, not by an "
        "adversary, and mistakes are %.0f to %.0f times k² with k = l boxes on the line and on the plane, so "
        "an "
        "exponent below 2 over this range is no contradiction to what can be forced.  The mistake bound that "
        "holds for these runs is 3.6 min(k,l) D log(m + n) with the sharper D: it grows with one power of k "
        "more than that D.",
        mistakes.least, mistakes.largest);
    lab_page_text(
        page,
        "The promise is %.1f to %.2g times the measured traces of the runs.  With the number of boxes traces "
        "grow as k^%s on the line and k^%s on the plane, the promise as k: boxes at the border of the grid "
        "are "
        "cheaper and become fewer among them (on the line the trace is %.1f to %.1f times k - 1).  %" PRId64
        " of %" PRId64
        " mistake bounds are vacuous: they carry r^d, and the min kernel is worth only as much "
        "as its points are apart.",
        v.promised.least, v.promised.largest, lab_exponent(&g[BOXES_LINE].trace, 2).text,
        lab_exponent(&g[BOXES_SQUARE].trace, 2).text, less.least, less.largest, v.cells - v.biting, v.cells);
}

/* Without side information many margins are exactly 0, and rounding decides. */
static void tell_certainty(lab_page *page, const boxes_results *results)
{
    double with = 0, without = 0;
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++)
        *(results->cells[c].given.blind ? &without : &with) += results->cells[c].uncertain;
    lab_page_text(page,
                  "Decisions that rounding could not certify, of all runs: %.0f with the points, %.0f where "
                  "nothing is known and the margin of a new pair is exactly 0.",
                  with, without);
}

weft_status boxes_report(const boxes_results *results, weft_error *error)
{
    lab_page *page = lab_page_create("Boxes: predicting rows and columns that were never seen");
    char *path = lab_place_file(results->request->out, "boxes", ".html");
    char *sentence = boxes_sentence(results);
    weft_status status = WEFT_OK;
    lab_page_finding(page, "%s", sentence);
    tell_setting(page, results);
    lab_page_heading(page, "Pictures");
    TRY(boxes_add_charts(page, results, error));
    TRY(boxes_add_maps(page, results->request, error));
    add_growth(page, results);
    tell_known(page, results);
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
