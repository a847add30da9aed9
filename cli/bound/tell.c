/* SPDX-License-Identifier: MIT
 * What weft bound has found, for people and for programs. */
#include "cli/bound/bound.h"

#include "program/output.h"
#include "src/base/elementary.h"
#include "weft_files.h"
#include "weft_theory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Sides ---- */

static void tell_share(const weft_side_term *term, const char *formula, double value, const char *why)
{
    if (isfinite(value))
        printf("%-13s%-22s = %-10.6g %s%s\n", "", formula, value, why,
               value == term->value ? "  (the smallest)" : "");
}

/* Every valid bound of the side's share of D. */
static void tell_term(const weft_side_term *term)
{
    if (!isfinite(term->value)) {
        printf("%-11sR_M tr(R'MR) is infinite: K is singular and cannot tell these classes apart\n", "");
        return;
    }
    printf("%-11sR_M tr(R'MR) = %.6g; its share of D is the smallest of\n", "", term->trace);
    tell_share(term, "2 R_M tr(R'MR) + 2k", term->laplacian, "thm:bndpdim, PDLaplacians");
    tell_share(term, "k R_M tr(R'MR)", term->general, "thm:bndpdim, any M");
    tell_share(term, "R_M sum |(R'MR)_rs|", term->sharp, "its proof: rows of P* are unit vectors");
}

static void tell_boxes(const bound_options *options, const bound_side *side, const char *name)
{
    double d = (double)options->box_dimension, radius = weft__pow(options->box_range, d);
    printf("%-11s%" PRId64 " boxes in [-%g,%g]^%" PRId64 ", %g apart: delta* = %g; R_M <= r^d = %.6g\n", name,
           side->truth.classes, options->box_range, options->box_range, options->box_dimension,
           options->box_separation, fmin(2, options->box_separation / 4), radius);
    printf("%-11str(R'MR) <= k (4/delta*)^d = %.6g (lem:min_kernel_norm)\n", "", side->term.trace / radius);
    printf("%-11sits share of D is the smallest of\n", "");
    tell_share(&side->term, "k R_M tr(R'MR)", side->term.general, "thm:bndpdim, any M");
    tell_share(&side->term, "k R_M (4/delta*)^d", side->term.sharp, "its proof: orthogonal tents");
}

static void tell_classes(const bound_side *side, bool one_set)
{
    int64_t classes = side->measured ? side->term.classes : side->truth.classes;
    if (side->separate && one_set)
        printf("%-11sD = 4 n whatever the classes are", "");
    else if (side->separate)
        printf("%-11seach id is a class of its own, which every matrix fits", "");
    else if (classes > 0)
        printf("%-11s%" PRId64 " class%s", "", classes, classes == 1 ? "" : "es");
    else
        printf("%-11sits classes are not known", "");
    if (side->measured && side->term.cut >= 0)
        printf("; cut %.6g: tr(R'LR) = %.6g is twice the weight of the edges between them",
               side->term.cut / 2, side->term.cut);
    putchar('\n');
}

static void tell_side(const bound_problem *problem, const bound_side *side, const char *name)
{
    const weft_side *kernel = weft_roster_side(side->roster);
    bool none = source_is_blank(kernel);
    printf("%-11s%s: %" PRId64 " id%s", name, weft_show(weft_roster_spec(side->roster)).text, side->room,
           output_plural(side->room));
    printf(", squared radius R_M = %.6g", weft_side_radius(kernel));
    if (side->resistance > 0)
        printf(", resistance radius R_L = %.6g", side->resistance);
    putchar('\n');
    tell_classes(side, problem->one_set);
    if (problem->one_set)
        return;
    if (none)
        printf("%-11sits share of D is the number of ids, whatever the classes\n", "");
    else if (side->measured)
        tell_term(&side->term);
    else
        printf("%-11sits share of D depends on which ids they hold: --truth-%s FILE\n", "", name);
}

/* ---- Parameters ---- */

static void tell_dimension(const bound_problem *problem)
{
    const weft_measure *measure = &problem->measure;
    if (problem->one_set && isfinite(measure->dimension) && !problem->dimension_assumed)
        printf("%-11s4 R tr(R'MR) = %.6g, for K without its constant part\n", "quasi-dim.",
               measure->dimension);
    else if (isfinite(measure->dimension) && !problem->dimension_assumed)
        printf("%-11sD_circ = %.6g + %.6g = %.6g\n", "quasi-dim.", measure->row_term, measure->column_term,
               measure->dimension);
    else if (problem->dimension_assumed)
        printf("%-11snot known; taken to be at most %.6g, as given\n", "quasi-dim.", measure->dimension);
    else
        printf("%-11snot known, or the side information cannot tell the classes apart\n", "quasi-dim.");
    if (isfinite(measure->dimension))
        printf("%-11sD = %.6g (%s)\n", "dimension", problem->settings.dimension, problem->reasons.dimension);
}

static void tell_parameters(const bound_problem *problem)
{
    const bound_options *options = problem->options;
    const weft_measure *measure = &problem->measure;
    if (problem->one_set)
        printf("%-11s%" PRId64 " (n), its logarithm %.6g\n", "size", measure->size,
               weft__log((double)measure->size));
    else
        printf("%-11s%" PRId64 " (m + n), its logarithm %.6g\n", "size", measure->size,
               weft__log((double)measure->size));
    tell_dimension(problem);
    if (measure->gamma > 0)
        printf("%-11s%.6g (%s)\n", "gamma", problem->settings.gamma,
               problem->gamma_assumed ? "given, and taken to be valid" : problem->reasons.gamma);
    else
        printf("%-11snot known: --classes-rows K, --classes-columns L or --gamma tells it\n", "gamma");
    printf("%-11sT = %" PRId64 " (given)\n", "horizon", options->horizon);
    printf("%-11s%" PRId64 " (%s)\n", "errors", options->errors > 0 ? options->errors : 0,
           options->errors >= 0 ? "given" : "assumed: some matrix with these classes fits every label");
}

/* ---- Statements ---- */

static const char *expected(const bound_statement *s)
{
    return strstr(s->source, "expected") != NULL ? "expected " : "";
}

/* From which T on, or up to which D, it says something. */
static void tell_when(const bound_statement *s)
{
    if (s->dimension > 0)
        printf("%-11sit would be below T/2 if D were below %.6g\n", "", s->dimension);
    else if (s->dimension < 0)
        printf("%-11sit is below T/2 for no D (which is at least 1)\n", "");
    else if (s->horizon > 0 && s->verdict != BOUND_MEANINGFUL)
        printf("%-11sit would be below T/2 from T = %.0f on\n", "", ceil(s->horizon));
}

static void tell_statement(const bound_problem *problem, const bound_statement *s)
{
    double trials = (double)problem->options->horizon;
    printf("\n%s\n%-11s%s", s->source, "", s->how);
    if (problem->measure.gamma > 0 && isfinite(problem->measure.dimension))
        printf(", eta = %.6g", s->eta);
    printf("\n%-11s%s\n", "", s->formula);
    if (s->obstacle != NULL) {
        printf("%-11sdoes not apply: %s\n", "", s->obstacle);
    } else {
        printf("%-11s= %s\n", "", s->filled);
        printf("%-11s= %.6g %smistakes, %.4g a trial.  %s\n", "", s->value, expected(s), s->value / trials,
               s->verdict == BOUND_VACUOUS ? "Vacuous: there are no more trials than that."
               : s->verdict == BOUND_COIN  ? "No better than a coin."
                                           : "It says something.");
    }
    tell_when(s);
}

static void tell_conclusion(const bound_problem *problem, const bound_statement *best)
{
    if (best == NULL)
        printf("\nNo statement applies.\n");
    else if (best->verdict == BOUND_MEANINGFUL)
        printf("\nThe best: at most %.6g %smistakes in %" PRId64 " trials, by %s (%s).\n", best->value,
               expected(best), problem->options->horizon, best->source, best->how);
    else
        printf("\nNone of them says more than a coin in %" PRId64 " trials.\n", problem->options->horizon);
}

void bound_tell(const bound_problem *problem, const bound_statement statements[BOUND_STATEMENTS])
{
    if (problem->rows.roster == NULL) {
        tell_boxes(problem->options, &problem->rows, "rows");
        tell_boxes(problem->options, &problem->columns, "columns");
    } else {
        tell_side(problem, &problem->rows, problem->one_set ? "both" : "rows");
        if (!problem->one_set)
            tell_side(problem, &problem->columns, "columns");
    }
    tell_parameters(problem);
    for (int k = 0; k < BOUND_STATEMENTS; k++)
        tell_statement(problem, &statements[k]);
    tell_conclusion(problem, bound_best(statements));
}
