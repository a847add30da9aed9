/* SPDX-License-Identifier: MIT
 * The report of `tightness`: forced, made and promised mistakes against k l. */
#include "lab/tightness/tightness.h"

#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

static double blocks_of(const tightness_result *r)
{
    return (double)(r->cell.k * r->cell.l);
}

/* One entry a block, then 2 n^2 entries. */
static double trials_of(const tightness_result *r)
{
    return blocks_of(r) + 2 * (double)(r->cell.n * r->cell.n);
}

/* ---- The table ---- */

static void write_lines(FILE *out, const void *what)
{
    const tightness_results *results = what;
    for (int64_t c = 0; c < results->count; c++) {
        const tightness_result *r = &results->cells[c];
        fprintf(out,
                "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.0f,%.6g,%.6g,%.6g,%.6g,%.6g,%" PRId64
                ",%" PRId64 "\n",
                lab_ideal_name(r->cell.ideal), r->cell.n, r->cell.k, r->cell.l, results->runs, blocks_of(r),
                r->forced.mean, r->total.mean, r->total.deviation, r->dimension, r->bound, r->escaped,
                r->violated);
    }
}

static const lab_table table = {
    "tightness", "side,n,k,l,runs,blocks,forced,total,sd,dimension,bound,escaped,violated", write_lines};

static void tell_table(lab_page *page, const tightness_results *results)
{
    lab_page_heading(page, "What came out");
    lab_page_text(page,
                  "Forced, and in all: means over the runs, ± the standard deviation of one run.  A bound "
                  "is faint where it is vacuous, that is at least the number of trials.");
    lab_page_table(page,
                   "k\tl\tside information\tk l\tforced\tin all\tin all over k l\tbound\tbound over k l");
    for (int64_t c = 0; c < results->count; c++) {
        const tightness_result *r = &results->cells[c];
        double blocks = blocks_of(r);
        lab_page_row(page, "%" PRId64 "\t%" PRId64 "\t%s\t%.0f\t%.0f\t%s\t*%.2f\t%s%.0f\t%.0f", r->cell.k,
                     r->cell.l, lab_ideal_name(r->cell.ideal), blocks, r->forced.mean,
                     lab_mean_and_deviation(&r->total, 1).text, r->total.mean / blocks,
                     r->bound >= trials_of(r) ? "~" : "", r->bound, r->bound / blocks);
    }
    lab_page_table_end(page);
}

/* ---- Fits and the picture ---- */

/* All that is known of one kind of side information, against k l. */
typedef struct kind {
    lab_series total, bound;
    lab_power power;
    lab_range over, slack; /* total over k l, and bound over total, cell by cell */
} kind;

static void collect(const tightness_results *results, lab_ideal ideal, kind *of)
{
    for (int64_t c = 0; c < results->count; c++) {
        const tightness_result *r = &results->cells[c];
        if (r->cell.ideal != ideal)
            continue;
        lab_series_add_mean(&of->total, blocks_of(r), &r->total);
        lab_range_add(&of->over, r->total.mean / blocks_of(r));
        lab_range_add(&of->slack, r->bound / r->total.mean);
        if (r->cell.k == r->cell.l)
            lab_series_add(&of->bound, blocks_of(r), r->bound);
    }
    of->power = lab_series_fit(&of->total);
}

static weft_status draw(const tightness_results *results, const kind *kinds, lab_page *page,
                        weft_error *error)
{
    const kind *p = &kinds[LAB_PARTITION], *q = &kinds[LAB_CLIQUES];
    lab_series forced = {.count = 0};
    lab_power exact = {.exponent = 1, .factor = 1};
    lab_series_add_power(&forced, &exact, &p->total);
    figure_curve curves[] = {
        lab_series_points(&p->total, "partition kernel, in all"),
        lab_series_points(&q->total, "clique star, in all"),
        lab_series_theory(&forced, "k l, forced on any learner"),
        lab_series_like(lab_series_theory(&p->bound, NULL), 0),
        lab_series_like(lab_series_theory(&q->bound, NULL), 1),
    };
    figure_chart chart = {.title = "Between what can be forced and what is promised",
                          .note = "Bars: one standard deviation of a run. Dashes: the bounds, for k = l.",
                          .x = {.name = "blocks k l", .logarithmic = true},
                          .y = {.name = "mistakes of the whole run", .logarithmic = true},
                          .curves = curves,
                          .count = sizeof curves / sizeof *curves};
    return lab_series_publish(page, results->request, "tightness", &chart,
                              "Mistakes against the number of blocks, both axes logarithmic: what the "
                              "adversary forces on any learner, what this learner makes in all (bars: one "
                              "standard deviation of a run), and the bounds 3.6 D/γ² log(m+n) for k = l "
                              "(dashes of the same colour).",
                              error);
}

/* ---- Words ---- */

static void tell_setting(lab_page *page, const tightness_results *results)
{
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "An adversary visits one entry of each of the k l blocks of an n x n matrix, n = %" PRId64
                  ", in random order, and answers the opposite of what is predicted.  Predictions of mistake "
                  "updates are deterministic, so each answer is a mistake; and one label a block always is a "
                  "(k,l)-biclustered matrix.  Then the matrix is fixed, and 2 n² entries drawn at random are "
                  "answered truthfully.  The learner has ideal side information and is tuned for the "
                  "realizable case (η = γ = 1/sqrt(min(k,l)), D from thm:bndpdim).",
                  results->cells[0].cell.n);
    lab_tell_runs(page, results->request, table.name, results->runs);
}

static void tell_meaning(lab_page *page, const kind *kinds)
{
    const kind *p = &kinds[LAB_PARTITION], *q = &kinds[LAB_CLIQUES];
    lab_page_heading(page, "What it means");
    lab_page_text(
        page,
        "The paper (section 4.1): with ideal side information the upper bound is of order k l up to "
        "logarithms, and this is tight, since a mistake can be forced for each of the k l entries of "
        "U*.  No learner escapes the lower line.  In the cells of this table (means of their runs) this "
        "one makes %.2f to %.2f times as many mistakes with the partition kernel and %.2f to %.2f times as "
        "many with the clique star, whose D is larger.  The bound is %.1f to %.0f and %.1f to %.0f times "
        "the mistakes: it has the constant 3.6 and log(m+n), and the learner may do better than its proof.",
        p->over.least, p->over.largest, q->over.least, q->over.largest, p->slack.least, p->slack.largest,
        q->slack.least, q->slack.largest);
    lab_page_text(
        page,
        "Fitted to these cells, mistakes grow as (k l)^%s with the partition kernel and as (k l)^%s "
        "with the clique star.  An exponent below 1 says that the share beyond k l shrinks as blocks "
        "become more; it cannot stay below 1, since k l are forced.  The ± is the standard error from "
        "the scatter of the cells about a straight line in logarithms; it does not know whether the "
        "points bend.",
        lab_exponent(&p->power, 2).text, lab_exponent(&q->power, 2).text);
}

static char *say_finding(const tightness_results *results, const kind *kinds)
{
    const kind *p = &kinds[LAB_PARTITION], *q = &kinds[LAB_CLIQUES];
    int64_t escaped = 0, violated = 0;
    for (int64_t c = 0; c < results->count; c++) {
        escaped += results->cells[c].escaped;
        violated += results->cells[c].violated;
    }
    return new_text(
        "The adversary had its k l mistakes in %" PRId64 " of %" PRId64 " runs; %" PRId64
        " exceeded the upper bound.  In all %.2f to %.2f times k l mistakes with the partition kernel, "
        "growing as (k l)^%s over the cells; %.2f to %.2f times k l with the clique star, growing as "
        "(k l)^%s.",
        results->count * results->runs - escaped, results->count * results->runs, violated, p->over.least,
        p->over.largest, lab_exponent(&p->power, 2).text, q->over.least, q->over.largest,
        lab_exponent(&q->power, 2).text);
}

weft_status tightness_report(const tightness_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "tightness", ".html"), *finding = NULL;
    kind *kinds = new_array(LAB_IDEALS, sizeof *kinds);
    lab_page *page = lab_page_create("Mistakes that can be forced");
    weft_status status = WEFT_OK;
    for (int ideal = 0; ideal < LAB_IDEALS; ideal++)
        collect(results, (lab_ideal)ideal, &kinds[ideal]);
    finding = say_finding(results, kinds);
    TRY(lab_table_write(&table, results->request, results, error));
    lab_page_finding(page, "%s", finding);
    tell_setting(page, results);
    TRY(draw(results, kinds, page, error));
    tell_table(page, results);
    tell_meaning(page, kinds);
    TRY(lab_page_write(page, path, error));
    printf("%s\n", finding);
done:
    lab_page_free(page);
    free(finding);
    free(kinds);
    free(path);
    return status;
}
