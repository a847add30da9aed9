/* SPDX-License-Identifier: MIT
 * The report of `bounds`: from which T on a bound says something, and how mistakes grow. */
#include "lab/bounds.h"

#include "lab/bounds_figures.h"
#include "lab/memory.h"
#include "lab/page.h"
#include "lab/place.h"
#include "program/fail.h"
#include "program/output.h"

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

static weft_status write_csv(const bounds_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "bounds", ".csv");
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &file, error));
    FILE *out = output_stream(file);
    fprintf(out, "part,statement,side,n,k,l,trials,noise,runs,dimension,gamma,errors,mistakes,sd,bound,"
                 "vacuous,coin,plain_bound,violated\n");
    for (int64_t c = 0; c < results->count; c++)
        write_cell(out, &results->cells[c], results->runs);
    TRY(output_commit(file, error));
done:
    output_free(file);
    free(path);
    return status;
}

/* ---- From which T on ---- */

/* The bound of a statement for T trials without noise; lem:base for D = 1. */
static double promised(const bounds_result *r, int64_t trials, bool plain)
{
    weft_scale scale = {r->dimension, r->gamma, 2 * r->cell.n, trials};
    switch (r->cell.statement) {
    case BOUNDS_REGRET:
        return plain ? weft_theory_regret(&scale) : weft_theory_regret_sharp(&scale);
    case BOUNDS_HINGE:
        return weft_theory_hinge(&scale, 0);
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

static void tell_one_horizon(lab_page *page, const bounds_result *r, bool plain)
{
    static const char *const words[] = {"expected regret, sharper form", "hinge-loss lemma, deterministic",
                                        "realizable, 3.6 D/γ² log(m+n)", "estimate lemma, D = 1"};
    double bound = plain ? r->plain : r->bound;
    lab_page_row(page,
                 "%" PRId64 "\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.1f ± %.1f\t%.0f\t%.1f\t%" PRId64
                 " of %" PRId64,
                 r->cell.n, plain ? "expected regret, as printed" : words[r->cell.statement],
                 bites_from(r, plain, 1), bites_from(r, plain, 0.5), r->cell.trials, r->mistakes.mean,
                 r->mistakes.deviation, bound, bound / r->mistakes.mean, r->violated, r->mistakes.count);
}

static void tell_horizons(lab_page *page, const bounds_results *results)
{
    lab_page_heading(page, "From which T on a bound says something");
    lab_page_text(page,
                  "Two classes of rows and of columns, the partition kernel with epsilon %g for either side, "
                  "no wrong label: D = 4 to a per cent, γ = 1/sqrt(2).  A bound of T or more is vacuous: one "
                  "cannot err more often than always; above T/2 it is no better than a coin.  Every "
                  "horizon T is a run of its own, tuned for it.",
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
    lab_page_text(page, "Realizable runs (mistake updates, η = γ, no wrong label) until hardly a mistake is "
                        "left, random blocks, classes of equal size; rows marked \"one set\" are communities "
                        "as one set of ids (γ = 1, D = 4 R tr(R'MR), η = 1).  The two kinds of ideal side "
                        "information know exactly the same: only their constants differ.");
    lab_page_table(page, "k\tl\tform\tside information\tD\tmistakes\tk l\tmistakes over k l\tbound");
    for (int64_t c = 0; c < results->count; c++) {
        const bounds_result *r = &results->cells[c];
        double blocks = (double)(r->cell.k * r->cell.l);
        if (r->cell.part != BOUNDS_HORIZON)
            lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%s\t%s\t%.1f\t%.1f ± %.1f\t%.0f\t%.2f\t%.0f",
                         r->cell.k, r->cell.l, r->cell.part == BOUNDS_ONE_SET ? "one set" : "two sides",
                         lab_ideal_name(r->cell.ideal), r->dimension, r->mistakes.mean, r->mistakes.deviation,
                         blocks, r->mistakes.mean / blocks, r->bound);
    }
    lab_page_table_end(page);
}

static void tell_cutoffs(lab_page *page, const bounds_fits *fits)
{
    lab_page_heading(page, "How far there is one exponent");
    lab_page_text(page,
                  "Fits of mistakes against k l, and against D/γ² of which the bound is made, to the cells "
                  "with at least so many classes on either side.  The first line is all cells, and is "
                  "what the summary quotes.  The ± is the scatter of the cells about a straight line in "
                  "logarithms; it does not know that the points bend, which the lines below show.");
    lab_page_table(page, "classes at least\tcells\tpartition kernel, k l\tD/γ²\tclique star, k l\tD/γ²");
    for (int64_t least = 2; least <= BOUNDS_CUTOFFS; least++) {
        const bounds_cutoff *p = &fits->growth[LAB_PARTITION][least], *q = &fits->growth[LAB_CLIQUES][least];
        if (p->cells > 0)
            lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%.2f ± %.2f\t%.2f ± %.2f\t%.2f ± %.2f\t%.2f ± %.2f",
                         least, p->cells, p->blocks.exponent, p->blocks.error, p->scale.exponent,
                         p->scale.error, q->blocks.exponent, q->blocks.error, q->scale.exponent,
                         q->scale.error);
    }
    lab_page_table_end(page);
}

/* ---- Words ---- */

static void tell_setting(lab_page *page, const bounds_results *results)
{
    const lab_request *request = results->request;
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "On the grid of the paper's own experiment its Theorem 1 is vacuous nearly everywhere. "
                  "Here it is put where it says something: few classes, side information that knows "
                  "them, long streams of random entries.  Every run is tuned exactly as the statement "
                  "demands, and its mistakes are held against the bound, all of whose conditions are "
                  "checked.");
    lab_page_text(
        page,
        "%" PRId64 " runs of each of %" PRId64 " cells, seed %" PRIu64 ", weft %s.  Means ± the "
        "standard deviation of one run.  For drawn predictions mistakes are expected ones, over the "
        "draws of the learner.",
        results->runs, results->count, request->seed, weft_version());
    lab_page_code(page, "weft experiment bounds --runs %" PRId64 " --seed %" PRIu64 "%s --out %s",
                  results->runs, request->seed, request->quick ? " --quick" : "", request->out);
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

static void tell_meaning(lab_page *page, const bounds_results *results)
{
    const bounds_result *few = find_one_set(results, false), *many = find_one_set(results, true);
    lab_page_heading(page, "What it means");
    lab_page_text(page,
                  "The theorems hold with room to spare: bounds are an order of magnitude above what "
                  "happens, and the form is right.  With margin updates mistakes grow like the square "
                  "root of T, as the regret bound says, although nothing is wrong with the labels: the "
                  "rate of theory falls with T, so learning takes longer the longer one means to go on.  "
                  "With mistake updates they stop, as the realizable bound says.");
    lab_page_text(
        page,
        "The paper (section 4.1): with ideal side information mistakes are of order k l up to "
        "logarithms, and the partition kernel has tighter bounds than the Laplacian with respect to "
        "constant factors.  The second is seen with two sides: the partition kernel's D is k + l, "
        "the clique star's several times that from three classes on.  Its resistance radius R_L is "
        "not yet constant over this range: it goes from %.2f at k = %" PRId64 " to %.2f at k = %" PRId64
        " (the paper's limit is 4).  As one set of ids it is otherwise: the constant part of the "
        "kernel is taken out, and the clique star has the smaller D and bound for two and three "
        "communities.",
        radius_of(few), few->cell.k, radius_of(many), many->cell.k);
    lab_page_text(page,
                  "As to the order k l, these runs do not contradict it and do not settle it: an upper "
                  "bound allows every smaller growth, and over one decade of k l the exponent depends on "
                  "where one begins, as the table of cut-offs shows.");
}

static char *say_finding(const bounds_results *results, const bounds_fits *fits)
{
    const lab_power *partition = &fits->growth[LAB_PARTITION][2].blocks;
    const lab_power *cliques = &fits->growth[LAB_CLIQUES][2].blocks;
    return lab_text(
        "%" PRId64 " of %" PRId64 " runs are above their bound.  With two classes a side and no "
        "wrong label mistakes grow as T^%.2f ± %.2f with margin updates (theory 1/2).  Over all k "
        "and l realizable mistakes grow as (k l)^%.2f ± %.2f with the partition kernel and as "
        "(k l)^%.2f ± %.2f with the clique star, neither of them quite a power: the exponents fall "
        "as cells of few classes are left out.  As one set of ids they grow as k^%.2f ± %.2f and "
        "k^%.2f ± %.2f.",
        count_violated(results), results->count * results->runs, fits->horizon.exponent, fits->horizon.error,
        partition->exponent, partition->error, cliques->exponent, cliques->error,
        fits->one_set[LAB_PARTITION].exponent, fits->one_set[LAB_PARTITION].error,
        fits->one_set[LAB_CLIQUES].exponent, fits->one_set[LAB_CLIQUES].error);
}

weft_status bounds_report(const bounds_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "bounds", ".html");
    bounds_fits fits = bounds_fit(results);
    lab_page *page = lab_page_create("The theorems where they bite");
    weft_status status = WEFT_OK;
    char *finding = say_finding(results, &fits);
    TRY(write_csv(results, error));
    lab_page_finding(page, "%s", finding);
    tell_setting(page, results);
    tell_horizons(page, results);
    TRY(bounds_draw_horizons(results, page, error));
    tell_growth(page, results);
    TRY(bounds_draw_growth(results, &fits, page, error));
    tell_cutoffs(page, &fits);
    tell_meaning(page, results);
    TRY(lab_page_write(page, path, error));
    printf("%s\n", finding);
done:
    lab_page_free(page);
    free(finding);
    free(path);
    return status;
}
