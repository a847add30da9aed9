/* SPDX-License-Identifier: MIT
 * The report of `bounds`: from which T on a bound says something, and how mistakes grow. */
#include "lab/bounds/bounds.h"

#include "lab/report/frame.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"
#include "weft_theory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- The table ---- */

static void write_cell(FILE *out, const bounds_result *r, int64_t runs)
{
    const bounds_cell *c = &r->cell;
    double trials = (double)c->trials;
    fprintf(out,
            "%s,%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%g,%" PRId64
            ",%.6g,%.6g,%.6g,%.6g,%.6g,",
            bounds_part_name(c->part), bounds_statement_name(c->statement), lab_ideal_name(c->ideal), c->n,
            c->k, c->l, c->trials, c->noise, runs, r->dimension, r->gamma, r->errors, r->mistakes.mean,
            r->mistakes.deviation);
    if (r->bound >= 0)
        fprintf(out, "%.6g,%d,%d", r->bound, r->bound >= trials, r->bound > trials / 2);
    else
        fprintf(out, ",,");
    if (c->statement == BOUNDS_REGRET)
        fprintf(out, ",%.6g", r->plain);
    else
        fprintf(out, ",");
    fprintf(out, ",%" PRId64 "\n", r->violated);
}

static void write_lines(FILE *out, const void *what)
{
    const bounds_results *results = what;
    for (int64_t c = 0; c < results->count; c++)
        write_cell(out, &results->cells[c], results->runs);
}

static const lab_table table = {
    "bounds",
    "part,statement,side,n,k,l,trials,noise,runs,dimension,gamma,errors,mistakes,sd,bound,vacuous,coin,"
    "plain_bound,violated",
    write_lines};

/* ---- From which T on ---- */

/* The bound of a statement for T trials without noise; lem:base for D = 1. */
static double promised(const bounds_result *r, int64_t trials, bool plain)
{
    weft_scale scale = {r->dimension, r->gamma, 2 * r->cell.n, trials};
    switch (r->cell.statement) {
    case BOUNDS_REGRET:
        return plain ? weft_theory_regret(scale) : weft_theory_regret_sharp(scale);
    case BOUNDS_HINGE:
        return weft_theory_hinge(scale, 0);
    default:
        return r->bound;
    }
}

/* The least T with a bound below share * T.  A bound over T falls as T grows. */
static int64_t bites_from(const bounds_result *r, bool plain, double share)
{
    int64_t low = 1, high = 2;
    while (high < INT64_C(1) << 40 && promised(r, high, plain) >= share * (double)high)
        high *= 2;
    while (low + 1 < high) {
        int64_t middle = (low + high) / 2;
        if (promised(r, middle, plain) >= share * (double)middle)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* How a vacuous bound is marked in a table. */
static const char *faint(double bound, const bounds_result *r)
{
    return bound >= (double)r->cell.trials ? "~" : "";
}

static void tell_one_horizon(lab_page *page, const bounds_result *r, bool plain)
{
    static const char *const words[] = {"expected regret, sharper form", "hinge-loss lemma, deterministic",
                                        "realizable, 3.6 D/γ² log(m+n)", "estimate lemma, D = 1"};
    double bound = plain ? r->plain : r->bound;
    lab_page_row(
        page,
        "%" PRId64 "\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\t%s%.0f\t%.1f\t%" PRId64 " of %" PRId64,
        r->cell.n, plain ? "expected regret, as printed" : words[r->cell.statement], bites_from(r, plain, 1),
        bites_from(r, plain, 0.5), r->cell.trials, lab_mean_and_deviation(&r->mistakes, 1).text,
        faint(bound, r), bound, bound / r->mistakes.mean, r->violated, r->mistakes.count);
}

static void tell_horizons(lab_page *page, const bounds_results *results)
{
    lab_page_heading(page, "From which T on a bound says something");
    lab_page_text(
        page,
        "Two classes of rows and of columns, the partition kernel with epsilon %g for either side, "
        "no wrong label: D = 4 to a per cent, γ = 1/sqrt(2).  A bound of T or more is vacuous, and "
        "faint here: one cannot err more often than always; above T/2 it is no better than a coin.  Every "
        "horizon T is a run of its own, tuned for it; runs of the same number and n share their "
        "matrix and, as far as both go, their stream.  Mistakes: mean ± standard deviation of one "
        "run.",
        LAB_EPSILON);
    lab_page_table(page, "n\tstatement\tbelow T from\tbelow T/2 from\tat T\tmistakes\tbound\tbound over "
                         "mistakes\tviolated");
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        bool last = c + 1 == results->count || r[1].cell.statement != r->cell.statement ||
                    r[1].cell.n != r->cell.n || r[1].cell.part != r->cell.part;
        /* With noise each T has two cells, the one without noise first. */
        const bounds_result *clean = last && r->cell.noise > 0 ? r - 1 : r;
        if (!last || r->cell.part != BOUNDS_HORIZON)
            continue;
        if (clean->cell.statement == BOUNDS_REGRET)
            tell_one_horizon(page, clean, true);
        tell_one_horizon(page, clean, false);
    }
    lab_page_table_end(page);
}

/* ---- Growth ---- */

static void tell_growth(lab_page *page, const bounds_results *results)
{
    lab_page_heading(page, "Mistakes, constants and growth over k and l");
    lab_page_text(page,
                  "Realizable runs (mistake updates, η = γ, no wrong label) over T = 2 n² entries drawn at "
                  "random, n = %" PRId64
                  " rows and columns, random blocks, classes of equal size; rows marked \"one set\" are "
                  "communities as one set of n ids (γ = 1, D = 4 R tr(R'MR), η = 1).  The two kinds of "
                  "ideal side information know exactly the same: only their constants differ.  Mistakes: "
                  "mean ± standard deviation of one run.  A bound is faint where it is vacuous, that is at "
                  "least T.",
                  results->cells[results->count - 1].cell.n);
    lab_page_table(page, "k\tl\tform\tside information\tT\tD\tmistakes\tk l\tmistakes over k l\tbound");
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        double blocks = (double)(r->cell.k * r->cell.l);
        if (r->cell.part != BOUNDS_HORIZON)
            lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%s\t%s\t%" PRId64 "\t%.1f\t%s\t%.0f\t%.2f\t%s%.0f",
                         r->cell.k, r->cell.l, r->cell.part == BOUNDS_ONE_SET ? "one set" : "two sides",
                         lab_ideal_name(r->cell.ideal), r->cell.trials, r->dimension,
                         lab_mean_and_deviation(&r->mistakes, 1).text, blocks, r->mistakes.mean / blocks,
                         faint(r->bound, r), r->bound);
    }
    lab_page_table_end(page);
}

static void tell_cutoffs(lab_page *page, const bounds_fits *fits)
{
    lab_page_heading(page, "How far there is one exponent");
    lab_page_text(page,
                  "Fits of mistakes against k l, and against D/γ² of which the bound is made, to the cells "
                  "with at least so many classes on either side.  The first line is all cells.  The "
                  "± is the standard error of the exponent from the scatter of the cells about a straight "
                  "line in logarithms; it does not know whether the points bend, which the lines tell "
                  "together.");
    lab_page_table(page, "classes at least\tcells\tpartition kernel, k l\tD/γ²\tclique star, k l\tD/γ²");
    for (int64_t least = 2; least <= BOUNDS_CUTOFFS; least++) {
        const bounds_cutoff *p = &fits->growth[LAB_PARTITION][least], *q = &fits->growth[LAB_CLIQUES][least];
        if (p->cells > 0)
            lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%s\t%s\t%s\t%s", least, p->cells,
                         lab_exponent(&p->blocks, 2).text, lab_exponent(&p->scale, 2).text,
                         lab_exponent(&q->blocks, 2).text, lab_exponent(&q->scale, 2).text);
    }
    lab_page_table_end(page);
}

/* ---- Words ---- */

static void tell_setting(lab_page *page, const bounds_results *results)
{
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "On the grid of the paper's own experiment its Theorem 1 is vacuous nearly everywhere. "
                  "Here it is put where it says something: few classes, side information that knows "
                  "them, long streams of random entries.  Every run is tuned exactly as the statement "
                  "demands, and its mistakes are held against the bound, all of whose conditions are "
                  "checked.");
    lab_page_text(page,
                  "%" PRId64 " cells.  For drawn predictions mistakes are expected ones, over the draws of "
                  "the learner.",
                  results->count);
    lab_tell_runs(page, results->request, table.name, results->runs);
}

static int64_t count_violated(const bounds_results *results)
{
    int64_t violated = 0;
    for (int64_t c = 0; c < results->count; c++)
        violated += results->cells[c].violated;
    return violated;
}

/* D = 4 R_L tr(R'LR) as one set of ids, and the star has k - 1 edges between classes: tr(R'LR) =
 * 2 (k - 1). */
static double radius_of(const bounds_result *one_set)
{
    return one_set->dimension / (8 * (double)(one_set->cell.k - 1));
}

/* The cell of the clique star as one set of ids with the fewest or the most classes. */
static const bounds_result *find_one_set(const bounds_results *results, bool most)
{
    const bounds_result *found = NULL;
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        if (r->cell.part == BOUNDS_ONE_SET && r->cell.ideal == LAB_CLIQUES &&
            (found == NULL || (r->cell.k > found->cell.k) == most))
            found = r;
    }
    return found;
}

/* How many times the mistakes a bound is, over all cells. */
static lab_range find_slack(const bounds_results *results)
{
    lab_range slack = {0};
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        if (r->bound >= 0 && r->mistakes.mean > 0)
            lab_range_add(&slack, r->bound / r->mistakes.mean);
    }
    return slack;
}

/* The realizable cell without noise with the largest n, for the shortest or the longest T. */
static const bounds_result *find_realizable(const bounds_results *results, bool longest)
{
    const bounds_result *found = NULL;
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        if (r->cell.part == BOUNDS_HORIZON && r->cell.statement == BOUNDS_REALIZABLE &&
            (found == NULL || r->cell.n > found->cell.n ||
             (r->cell.n == found->cell.n && (r->cell.trials > found->cell.trials) == longest)))
            found = r;
    }
    return found;
}

static void tell_theorems(lab_page *page, const bounds_results *results, const bounds_fits *fits)
{
    const bounds_result *begin = find_realizable(results, false), *end = find_realizable(results, true);
    lab_range slack = find_slack(results);
    lab_page_text(
        page,
        "%" PRId64 " of %" PRId64 " runs are above their bound; bounds are %.1f to %.0f times the "
        "mean mistakes of their cells.  With margin updates mistakes grow as T^%s (theory: 1/2), "
        "although nothing is wrong with the labels: the rate of theory falls with T, so learning "
        "takes longer the longer one means to go on.  The ± is of the scatter about a straight "
        "line in logarithms alone: points for several T share matrices and streams, so they are not "
        "independent.  With mistake updates, at n = %" PRId64 ", there are %s mistakes at T = %" PRId64
        " and %s at T = %" PRId64 " (mean ± standard deviation of one run): the realizable bound does "
        "not grow with T.",
        count_violated(results), results->count * results->runs, slack.least, slack.largest,
        lab_exponent(&fits->horizon, 2).text, begin->cell.n, lab_mean_and_deviation(&begin->mistakes, 1).text,
        begin->cell.trials, lab_mean_and_deviation(&end->mistakes, 1).text, end->cell.trials);
}

/* D of the clique star over that of the partition kernel in the cells of a part: they come in pairs. */
static lab_range compare_constants(const bounds_results *results, bounds_part part)
{
    lab_range ratio = {0};
    double partition = 0;
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        if (r->cell.part != part)
            continue;
        if (r->cell.ideal == LAB_PARTITION)
            partition = r->dimension;
        else
            lab_range_add(&ratio, r->dimension / partition);
    }
    return ratio;
}

static void tell_constants(lab_page *page, const bounds_results *results)
{
    const bounds_result *few = find_one_set(results, false), *many = find_one_set(results, true);
    lab_range two = compare_constants(results, BOUNDS_GROWTH),
              one = compare_constants(results, BOUNDS_ONE_SET);
    lab_page_text(
        page,
        "The paper (section 4.1): with ideal side information mistakes are of order k l up to "
        "logarithms, and the partition kernel has tighter bounds than the Laplacian with respect to "
        "constant factors.  As to the second: with two sides the partition kernel's D is k + l but for "
        "epsilon, and the clique star's is %.1f to %.1f times as large.  The star's resistance radius R_L "
        "goes from %.2f at k = %" PRId64 " to %.2f at k = %" PRId64
        " (the paper's limit is 4).  As one set of ids, where the constant part of the kernel is taken out, "
        "the clique star's D is %.1f to %.1f times that of the partition kernel.",
        two.least, two.largest, radius_of(few), few->cell.k, radius_of(many), many->cell.k, one.least,
        one.largest);
}

static void tell_order(lab_page *page, const bounds_results *results, const bounds_fits *fits)
{
    lab_range blocks = {0};
    for (int64_t c = 0; c < results->count; c++)
        if (results->cells[c].cell.part == BOUNDS_GROWTH)
            lab_range_add(&blocks, (double)(results->cells[c].cell.k * results->cells[c].cell.l));
    lab_page_text(
        page,
        "As to the order k l, an upper bound allows every smaller growth, and runs over %.1f decades "
        "of k l (%.0f to %.0f) do not settle a power%s.",
        weft__log10(blocks.largest / blocks.least), blocks.least, blocks.largest,
        fits->last > 2 ? ": how far the exponent depends on where one begins is in the table of "
                         "cut-offs"
                       : "");
}

static void tell_meaning(lab_page *page, const bounds_results *results, const bounds_fits *fits)
{
    lab_page_heading(page, "What it means");
    tell_theorems(page, results, fits);
    tell_constants(page, results);
    tell_order(page, results, fits);
}

/* Whether every further cut-off has smaller exponents than the one before. */
static bool exponents_fall(const bounds_fits *fits)
{
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++)
        for (int64_t least = 3; least <= fits->last; least++)
            if (fits->growth[ideal][least].blocks.exponent >= fits->growth[ideal][least - 1].blocks.exponent)
                return false;
    return true;
}

/* What becomes of the exponents, to be freed. */
static char *say_cutoffs(const bounds_fits *fits)
{
    if (fits->last <= 2)
        return new_text("%s", "");
    return new_text("; over the cells with at least %" PRId64 " classes a side the exponents are %s and %s%s",
                    fits->last, lab_exponent(&fits->growth[LAB_PARTITION][fits->last].blocks, 2).text,
                    lab_exponent(&fits->growth[LAB_CLIQUES][fits->last].blocks, 2).text,
                    exponents_fall(fits) ? ", and they fall with every class that is left out: neither is "
                                           "quite a power"
                                         : "");
}

static char *say_finding(const bounds_results *results, const bounds_fits *fits)
{
    char *cutoffs = say_cutoffs(fits);
    char *finding = new_text(
        "%" PRId64 " of %" PRId64 " runs are above their bound.  With two classes a side and no "
        "wrong label mistakes grow as T^%s with margin updates (theory 1/2; points for several T share "
        "streams, the ± is of the scatter about the line).  Over all k and l realizable mistakes grow as "
        "(k l)^%s with the partition kernel and as (k l)^%s with the clique star%s.  As one set of ids "
        "they grow as k^%s and k^%s.",
        count_violated(results), results->count * results->runs, lab_exponent(&fits->horizon, 2).text,
        lab_exponent(&fits->growth[LAB_PARTITION][2].blocks, 2).text,
        lab_exponent(&fits->growth[LAB_CLIQUES][2].blocks, 2).text, cutoffs,
        lab_exponent(&fits->one_set[LAB_PARTITION], 2).text,
        lab_exponent(&fits->one_set[LAB_CLIQUES], 2).text);
    free(cutoffs);
    return finding;
}

weft_status bounds_report(const bounds_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "bounds", ".html");
    bounds_fits fits = bounds_fit(results);
    lab_page *page = lab_page_create("The theorems where they bite");
    weft_status status = WEFT_OK;
    char *finding = say_finding(results, &fits);
    TRY(lab_table_write(&table, results->request, results, error));
    lab_page_finding(page, "%s", finding);
    tell_setting(page, results);
    tell_horizons(page, results);
    TRY(bounds_draw_horizons(results, page, error));
    tell_growth(page, results);
    TRY(bounds_draw_growth(results, &fits, page, error));
    tell_cutoffs(page, &fits);
    tell_meaning(page, results, &fits);
    TRY(lab_page_write(page, path, error));
    printf("%s\n", finding);
done:
    lab_page_free(page);
    free(finding);
    free(path);
    return status;
}
