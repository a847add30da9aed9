/* SPDX-License-Identifier: MIT
 * The report of `equivalence`: methods that agree, and what another R costs. */
#include "lab/equivalence/equivalence.h"

#include "lab/report/frame.h"
#include "lab/report/series.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- The table ---- */

static bool is_compared(const equivalence_result *r, int method)
{
    return r->run.spread == 0 && method > 0 && (method < EQUIVALENCE_ALGORITHM_1 || r->run.word_by_word);
}

static void write_cell(FILE *out, const equivalence_result *r, int64_t runs, int method)
{
    const equivalence_apart *apart = &r->apart[method];
    bool compared = method > 0;
    fprintf(out, "%s,%s,%s,%" PRId64 ",%d,%g,%s,%" PRId64 ",%.0f,", compared ? "voices" : "radius",
            equivalence_kernel_name(r->run.kernel), equivalence_updates_name(r->run.updates), r->run.n,
            r->run.tie, compared ? 1 : r->run.spread,
            compared ? equivalence_method_word((equivalence_method_name)method) : "", runs, r->trials);
    if (compared)
        fprintf(out, "%" PRId64 ",%" PRId64 ",%.6g,", apart->predictions, apart->updates, apart->margin);
    else
        fprintf(out, ",,,");
    fprintf(out, "%.6g,%.6g,%.6g,", r->mistakes.mean, r->mistakes.deviation, r->dimension);
    if (!compared)
        fprintf(out, "%.6g", r->bound);
    fprintf(out, ",%" PRId64 "\n", r->uncertified);
}

static void write_lines(FILE *out, const void *what)
{
    const equivalence_results *results = what;
    for (int64_t c = 0; c < results->count; c++)
        for (int method = 0; method < EQUIVALENCE_METHODS; method++)
            if (is_compared(&results->cells[c], method) || (method == 0 && results->cells[c].run.spread > 0))
                write_cell(out, &results->cells[c], results->runs, method);
}

static const lab_table table = {
    "equivalence",
    "part,kernel,updates,n,tie,radius_ratio,voice,runs,trials,predictions_different,updates_different,"
    "largest_difference,mistakes,sd,dimension,bound,uncertified",
    write_lines};

static void tell_methods(lab_page *page, const equivalence_results *results)
{
    lab_page_heading(page, "The methods");
    lab_page_text(page, "Each is held against the transductive one.  Differences of margins are fractions of "
                        "max(1, |margin|), the largest of all trials of all runs.  The words of the paper's "
                        "Algorithm 2 are taken literally: on every trial a new embedding of the ids that "
                        "count, and all past updates replayed.");
    lab_page_table(page, "kernel\tupdates\tn\tmethod\ttrials\tpredictions different\tupdates "
                         "different\tlargest difference of margins");
    for (int64_t c = 0; c < results->count; c++)
        for (int method = 1; method < EQUIVALENCE_METHODS; method++) {
            const equivalence_result *r = &results->cells[c];
            if (is_compared(r, method))
                lab_page_row(page, "%s\t%s\t%" PRId64 "\t%s%s\t%.0f\t%" PRId64 "\t%" PRId64 "\t%.1e",
                             equivalence_kernel_name(r->run.kernel), equivalence_updates_name(r->run.updates),
                             r->run.n, equivalence_method_word((equivalence_method_name)method),
                             r->run.tie ? " (D = m + n)" : "", r->trials, r->apart[method].predictions,
                             r->apart[method].updates, r->apart[method].margin);
        }
    lab_page_table_end(page);
}

static void tell_radius(lab_page *page, const equivalence_results *results)
{
    lab_page_heading(page, "Where R differs");
    lab_page_text(
        page,
        "The one difference that the proposition allows: a learner that does not know its ids "
        "beforehand must take R for the whole domain of the kernel, not the largest diagonal "
        "of what will come.  Here R is made larger than that, and the learner is tuned by "
        "theory for the R that it has; D is proportional to R.  Putting R c times as large and "
        "D c times as large is the same as an η that is c times as small: K/c in place of K, "
        "and c κ in place of κ.  Mistakes: mean ± standard deviation of one run.  A bound is faint where "
        "it is vacuous, that is at least the number of trials.");
    lab_page_table(page, "kernel\tupdates\tR over largest diagonal\tD\tmistakes\ttimes\tbound");
    for (int64_t c = 0; c < results->count; c++) {
        const equivalence_result *r = &results->cells[c];
        if (r->run.spread > 0)
            lab_page_row(page, "%s\t%s\t%g\t%.0f\t%s\t*%.2f\t%s%.0f", equivalence_kernel_name(r->run.kernel),
                         equivalence_updates_name(r->run.updates), r->run.spread, r->dimension,
                         lab_mean_and_deviation(&r->mistakes, 1).text, r->ratio.mean,
                         r->bound * (double)results->runs >= r->trials ? "~" : "", r->bound);
    }
    lab_page_table_end(page);
}

/* ---- Pictures ---- */

enum { CURVES = EQUIVALENCE_KERNELS * 2 };

typedef struct drawing {
    lab_series series[CURVES];
    lab_power power[CURVES];
    char *names[CURVES];
} drawing;

static int place_of(const equivalence_run *run)
{
    return 2 * (int)run->kernel + (run->updates == WEFT_MISTAKE_UPDATES);
}

static void drawing_free(drawing *d)
{
    for (int k = 0; d != NULL && k < CURVES; k++)
        free(d->names[k]);
    free(d);
}

/* How mistakes grow with R, for every kernel and rule. */
static drawing *collect_radius(const equivalence_results *results)
{
    drawing *d = new_array(1, sizeof *d);
    for (int64_t c = 0; c < results->count; c++) {
        const equivalence_result *r = &results->cells[c];
        if (r->run.spread > 0)
            lab_series_add_mean(&d->series[place_of(&r->run)], r->run.spread, &r->ratio);
    }
    for (int k = 0; k < CURVES; k++) {
        d->power[k] = lab_series_fit(&d->series[k]);
        d->names[k] =
            new_text("%s, %s: R^%s", equivalence_kernel_name((weft_kernel)(k / 2)),
                     equivalence_updates_name((weft_updates)(k % 2)), lab_exponent(&d->power[k], 3).text);
    }
    return d;
}

/* The largest difference so far of the inductive method, at the largest size. */
static drawing *collect_course(const equivalence_results *results)
{
    drawing *d = new_array(1, sizeof *d);
    int64_t largest = 0;
    for (int64_t c = 0; c < results->count; c++)
        if (results->cells[c].run.spread == 0 && results->cells[c].run.n > largest)
            largest = results->cells[c].run.n;
    for (int64_t c = 0; c < results->count; c++) {
        const equivalence_result *r = &results->cells[c];
        lab_series *series = &d->series[place_of(&r->run)];
        for (int mark = 0; mark < EQUIVALENCE_MARKS && r->run.spread == 0 && r->run.n == largest; mark++)
            if (r->course[mark] > 0)
                lab_series_add(series, (double)(largest * largest >> (EQUIVALENCE_MARKS - 1 - mark)),
                               r->course[mark]);
    }
    for (int k = 0; k < CURVES; k++)
        d->names[k] = new_text("%s, %s updates", equivalence_kernel_name((weft_kernel)(k / 2)),
                               equivalence_updates_name((weft_updates)(k % 2)));
    return d;
}

static weft_status draw(const drawing *d, bool radius, const equivalence_results *results, lab_page *page,
                        weft_error *error)
{
    figure_curve curves[CURVES];
    figure_chart chart = {
        .title = radius ? "What an R larger than needed costs"
                        : "How far transductive and inductive margins are apart",
        .note = radius ? "Bars: one standard deviation of a run. ±: standard error of the exponent (scatter "
                         "about the line)."
                       : "The largest of all runs.",
        .x = {.name = radius ? "R over the largest diagonal" : "trials", .logarithmic = true},
        .y = {.name = radius ? "mistakes, relative to the least R" : "largest difference of margins so far",
              .logarithmic = true},
        .curves = curves};
    for (int k = 0; k < CURVES; k++)
        if (d->series[k].count > 0) {
            curves[chart.count] = lab_series_measured(&d->series[k], d->names[k]);
            curves[chart.count++].strong = false;
        }
    if (chart.count == 0)
        return WEFT_OK;
    return lab_series_publish(
        page, results->request, radius ? "equivalence-radius" : "equivalence", &chart,
        radius ? "Mistakes as multiples of those of the same problem with R the largest diagonal, against R "
                 "over "
                 "the largest diagonal, for each kernel and rule of updating; both axes logarithmic, with "
                 "fitted "
                 "powers, ± the standard error of the exponent from the scatter about the line; bars are one "
                 "standard deviation of a run."
               : "The largest difference of margins so far, as a fraction of max(1, |margin|), between the "
                 "method that knows M and N of all ids and the one to which vectors are appended as they "
                 "come; both "
                 "axes logarithmic; the largest of all runs.  Double precision resolves 1.1e-16.",
        error);
}

/* ---- Words ---- */

/* What all methods together came to, ties apart. */
typedef struct verdict {
    int64_t decisions, different, tied;
    double margin;
} verdict;

static verdict judge(const equivalence_results *results)
{
    verdict v = {0};
    for (int64_t c = 0; c < results->count; c++)
        for (int method = 1; method < EQUIVALENCE_METHODS; method++) {
            const equivalence_result *r = &results->cells[c];
            const equivalence_apart *apart = &r->apart[method];
            if (!is_compared(r, method))
                continue;
            if (r->run.tie) {
                v.tied += apart->predictions + apart->updates;
                continue;
            }
            v.decisions += 2 * (int64_t)r->trials;
            v.different += apart->predictions + apart->updates;
            v.margin = fmax(v.margin, apart->margin);
        }
    return v;
}

static void tell_setting(lab_page *page, const equivalence_results *results)
{
    lab_page_heading(page, "What was run");
    lab_page_text(page,
                  "Rows and columns are points in the plane, those of a class in a box of their own; three "
                  "kernels (linear with epsilon 0.5, Gaussian of width 0.1, min with r = 2); all n² "
                  "entries once in random order; with margin updates one label in ten is wrong.  The "
                  "same stream is played by learners that know the same in different ways: M and N, the "
                  "inverses of the kernel matrices of all ids, from the beginning; or a kernel, with "
                  "every id appended when it comes for the first time, in the order of arrival, and the "
                  "same R.  γ = 1/3, D = (m+n)/2, η as theory says.");
    lab_tell_runs(page, results->request, table.name, results->runs);
}

static void tell_meaning(lab_page *page, const verdict *v, const equivalence_results *results)
{
    const equivalence_result *tie = &results->cells[results->count - 1];
    int64_t elsewhere = 0;
    for (int64_t c = 0; c + 1 < results->count; c++)
        elsewhere += results->cells[c].uncertified;
    lab_page_heading(page, "What it means");
    lab_page_text(page,
                  "The paper's Proposition 1: given the same R, both algorithms make the same predictions.  "
                  "In this library they are the same code, since only kernel values between ids that "
                  "carry evidence are ever needed; here that is checked against the paper's own two "
                  "algorithms, written out.");
    lab_page_text(
        page,
        "One trap: exact arithmetic.  A kernel of unit diagonal with D = m + n gives every pair of new "
        "ids the margin 0 exactly, and with mistake updates the prediction is its sign.  Whether M was "
        "inverted back to 1 or to 1 - 1e-16 then decides, and everything after it: in %.0f trials of "
        "that kind (last rows of the table) %" PRId64
        " decisions of the four methods differed.  The library says of %" PRId64
        " of its decisions there that they are not certified, and of %" PRId64
        " of those in all other runs.  Nothing is wrong with the proposition: a margin of 0 has no sign.",
        tie->trials, v->tied, tie->uncertified, elsewhere);
}

static char *say_finding(const verdict *v, const drawing *radius)
{
    const lab_power *margin = &radius->power[2 * WEFT_MIN], *mistake = &radius->power[2 * WEFT_MIN + 1];
    return new_text(
        "%" PRId64 " of %" PRId64
        " predictions and updates differ between the transductive and the inductive algorithm, in "
        "the default engine and word for word; margins agree to %.1e.  With an R that is larger than "
        "needed mistakes grow, with the min kernel, as R^%s with mistake updates and as R^%s with margin "
        "updates (the bounds: R and R^0.5).",
        v->different, v->decisions, v->margin, lab_exponent(mistake, 3).text, lab_exponent(margin, 3).text);
}

weft_status equivalence_report(const equivalence_results *results, weft_error *error)
{
    char *path = lab_place_file(results->request->out, "equivalence", ".html");
    verdict v = judge(results);
    drawing *radius = collect_radius(results), *course = collect_course(results);
    char *finding = say_finding(&v, radius);
    lab_page *page = lab_page_create("Transductive and inductive are one");
    weft_status status = WEFT_OK;
    TRY(lab_table_write(&table, results->request, results, error));
    lab_page_finding(page, "%s", finding);
    tell_setting(page, results);
    TRY(draw(course, false, results, page, error));
    tell_methods(page, results);
    tell_radius(page, results);
    TRY(draw(radius, true, results, page, error));
    tell_meaning(page, &v, results);
    TRY(lab_page_write(page, path, error));
    printf("%s\n", finding);
done:
    lab_page_free(page);
    drawing_free(radius);
    drawing_free(course);
    free(finding);
    free(path);
    return status;
}
