/* SPDX-License-Identifier: MIT
 * The report of boxes: what was run, how it grows, what it means. */
#include "lab/boxes.h"
#include "lab/memory.h"
#include "lab/place.h"
#include "program/fail.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void tell_setting(lab_page *page, const boxes_results *results)
{
    const lab_request *request = results->request;
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
    lab_page_text(page, "%" PRId64 " runs a cell, seed %" PRIu64 ", weft %s.", results->runs, request->seed,
                  weft_version());
    lab_page_code(page, "weft experiment boxes %s--runs %" PRId64 " --seed %" PRIu64 " --out %s",
                  request->quick ? "--quick " : "", results->runs, request->seed, request->out);
}

/* An exponent with its standard error, to be freed. */
static char *exponent_of(const lab_power *power)
{
    return lab_text("%.2f ± %.2f", power->exponent, power->error);
}

/* The factor of one more dimension, likewise: the error of exp(x) is exp(x) times that of x. */
static char *factor_of(const lab_power *power)
{
    double factor = exp(power->exponent);
    return lab_text("factor %.2f ± %.2f", factor, factor * power->error);
}

static void add_growth(lab_page *page, const boxes_results *results)
{
    static const char *const theory[BOXES_SWEEPS] = {
        [BOXES_LINE] = "2 forced, 3 paper", [BOXES_SQUARE] = "2 forced, 3 paper",
        [BOXES_BLIND] = "2 forced",         [BOXES_COLUMNS] = "1 forced",
        [BOXES_LINE_APART] = "-1 paper",    [BOXES_PLANE_APART] = "-2 paper",
        [BOXES_DEEPER] = "factor 80 paper",
    };
    lab_page_heading(page, "How it grows");
    lab_page_text(page,
                  "Exponents of powers of what is varied, with standard errors (from the scatter around "
                  "the line); for the dimension the factor of one more.  D of the paper is k tr(R'MR) R_M "
                  "+ l tr(C'NC) R_N with the measured traces; the sharper D is the one that is used.");
    lab_page_table(page, "varied\tmistakes\ttheory of mistakes\ttrace\tD of the paper\tsharper D");
    for (int s = 0; s < BOXES_SWEEPS; s++) {
        const boxes_growth *growth = &results->growth[s];
        char *(*say)(const lab_power *) = s == BOXES_DEEPER ? factor_of : exponent_of;
        char *mistakes = say(&growth->mistakes), *trace = say(&growth->trace);
        char *general = say(&growth->general), *dimension = say(&growth->dimension);
        lab_page_row(page, "%s\t*%s\t%s\t%s\t%s\t%s", boxes_sweep_name((boxes_sweep)s), mistakes, theory[s],
                     s == BOXES_BLIND ? "" : trace, s == BOXES_BLIND ? "" : general,
                     s == BOXES_BLIND ? "" : dimension);
        free(mistakes);
        free(trace);
        free(general);
        free(dimension);
    }
    lab_page_table_end(page);
}

static void add_cells(lab_page *page, const boxes_results *results)
{
    lab_page_heading(page, "The numbers");
    lab_page_text(page,
                  "Mean ± standard error over the runs.  Newcomers: the share of mistakes on the first pair "
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
            char *promise = given->blind ? lab_text("%s", "") : lab_text("%.1f", cell->promise);
            lab_page_row(page,
                         "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64
                         "\t%g\t%.0f ± %.0f\t%.1f %%\t%.1f\t%s\t%.0f\t"
                         "%.0f\t%s%.0f",
                         boxes_sweep_name((boxes_sweep)s), given->k, given->l, given->dimension,
                         given->separation, cell->mistakes.mean, cell->mistakes.error, 100 * cell->late_wrong,
                         cell->trace.mean, promise, cell->general.mean, cell->dimension.mean,
                         cell->bound >= (double)given->trials ? "~" : "", cell->bound);
            free(promise);
        }
    lab_page_table_end(page);
}

static void tell_known(lab_page *page, const boxes_results *results)
{
    double compared = 0, different = 0;
    for (int64_t c = 0; c < results->first[BOXES_SWEEPS]; c++) {
        compared += results->cells[c].compared;
        different += results->cells[c].different;
    }
    lab_page_heading(page, "Known in advance or not");
    lab_page_text(
        page,
        "Proposition 1: with the same R the transductive and the inductive algorithm predict the same. "
        "The first run of every cell of the first two sweeps was played again with all points listed "
        "from the beginning: of %.0f predictions and updates %.0f are different.",
        compared, different);
}

static void tell_meaning(lab_page *page)
{
    lab_page_heading(page, "What it means");
    lab_page_text(
        page,
        "A row that was never seen is predicted from its point alone: what was learnt for the box "
        "holds for whoever arrives in it.  The price is in the geometry: boxes that are closer together, "
        "more of them, and more dimensions cost more mistakes.");
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
    lab_page_text(
        page,
        "Against this the measured exponents of mistakes.  Labels of blocks are drawn by a coin, not by an "
        "adversary, and mistakes are far above k²: most of them are paid for the geometry, so that exponents "
        "below 2 are no contradiction to what can be forced.  The mistake bound that holds for these runs "
        "is 3.6 min(k,l) D log(m + n) with the sharper D: it grows with one power of k more than that D.");
    lab_page_text(
        page,
        "The measured traces are below the promise by far; they grow a little faster than k because boxes "
        "at the border of the grid are cheaper and become fewer among them (on the line the trace is about "
        "proportional to k - 1).  Most "
        "mistake bounds are vacuous here all the same: they carry r^d, and the min kernel is worth only "
        "as much as its points are apart.");
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
    tell_meaning(page);
    add_cells(page, results);
    tell_certainty(page, results);
    TRY(lab_page_write(page, path, error));
done:
    lab_page_free(page);
    free(path);
    free(sentence);
    return status;
}
