/* SPDX-License-Identifier: MIT
 * From the command line to D and gamma. */
#include "cli/bound/bound.h"

#include "program/fail.h"
#include "src/base/elementary.h"
#include "weft_files.h"
#include "weft_theory.h"

#include <math.h>
#include <string.h>

static const weft_side *side_of(const bound_side *side)
{
    return side->roster != NULL ? weft_roster_side(side->roster) : NULL;
}

static bool is_blank(const bound_side *side)
{
    return side->roster != NULL && source_is_blank(side_of(side));
}

/* ---- Files ---- */

/* L^+ 1 = 0, so that K 1 = (L^+ + R_L 11') 1 = n R_L 1: the mean of any row of K is R_L. */
static double find_resistance(const bound_side *side)
{
    const weft_side *kernel = side_of(side);
    int64_t count = weft_side_count(kernel);
    double sum = 0;
    if (!weft_side_graph(kernel).is_paper)
        return 0;
    for (int64_t j = 0; j < count; j++)
        sum += weft_side_entry(kernel, 0, j);
    return sum / (double)count;
}

/* With K = I the share does not depend on the classes, so that each id may be one. */
static weft_status open_side(const bound_options *options, int64_t capacity, const char *path, int64_t given,
                             bound_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_roster_build(side->roster, error));
    int64_t count = weft_side_count(side_of(side));
    side->room = capacity > count ? capacity : count;
    TRY(truth_read(path, given, side->roster, &options->from.limits, &side->truth, error));
    side->separate = is_blank(side) && side->truth.classes == 0;
    if (side->separate)
        side->truth.classes = side->room;
    side->resistance = find_resistance(side);
    if (side->truth.class_of != NULL && count > 0) {
        TRY(weft_theory_side(side_of(side), side->truth.class_of, &side->term, error));
        side->measured = true;
    }
done:
    return status;
}

/* Along an axis of [-r,r] there are at most 1 + 2r/separation places so far apart. */
static weft_status check_room(const bound_options *options, int64_t classes, weft_error *error)
{
    double places = 1 + floor(2 * options->box_range / options->box_separation);
    if ((double)classes <= weft__pow(places, (double)options->box_dimension))
        return WEFT_OK;
    return fail(
        error, WEFT_ARGUMENT,
        "--box-separation: found %g, but no %lld boxes in [-%g,%g]^%lld are so far apart, expected less",
        options->box_separation, (long long)classes, options->box_range, options->box_range,
        (long long)options->box_dimension);
}

/* lem:min_kernel_norm: tr(R'MR) <= k (4/delta*)^d, and R_M <= r^d.  No eigenvalue of R'MR
 * is above (4/delta*)^d either, since the functions of its proof are orthogonal
 * (docs/theory.md), so that the share needs no further factor k. */
static weft_status assume_boxes(const bound_options *options, int64_t capacity, int64_t classes,
                                bound_side *side, weft_error *error)
{
    static const double most = 1e100;
    double radius = weft__pow(options->box_range, (double)options->box_dimension);
    double trace = radius * weft_theory_boxes(classes, options->box_dimension, options->box_separation);
    if (!(trace <= most))
        return fail(error, WEFT_ARGUMENT,
                    "--box-separation: found %g in [-%g,%g]^%lld, whose quasi-dimension k (4 r/delta*)^d is "
                    "above %g, expected a larger separation, or a smaller range or dimension",
                    options->box_separation, options->box_range, options->box_range,
                    (long long)options->box_dimension, most);
    weft_status status = check_room(options, classes, error);
    if (status != WEFT_OK)
        return status;
    side->room = capacity;
    side->truth.classes = classes;
    side->measured = true;
    side->term = (weft_side_term){.classes = classes,
                                  .trace = trace,
                                  .general = (double)classes * trace,
                                  .laplacian = INFINITY,
                                  .sharp = trace,
                                  .value = trace,
                                  .cut = -1};
    return WEFT_OK;
}

static weft_status open_sides(const bound_options *options, bound_problem *problem, weft_error *error)
{
    source_needs needs = {.row_capacity = options->row_capacity, .column_capacity = options->column_capacity};
    const truth_options *truth = &options->truth;
    weft_status status = WEFT_OK;
    if (options->box_separation > 0) {
        TRY(assume_boxes(options, options->row_capacity, truth->row_classes, &problem->rows, error));
        TRY(assume_boxes(options, options->column_capacity, truth->column_classes, &problem->columns, error));
        return WEFT_OK;
    }
    TRY(source_open_rosters(&options->from, &needs, &problem->rows.roster, &problem->columns.roster, error));
    TRY(open_side(options, options->row_capacity, truth->row_truth, truth->row_classes, &problem->rows,
                  error));
    if (!problem->one_set)
        TRY(open_side(options, options->column_capacity, truth->column_truth, truth->column_classes,
                      &problem->columns, error));
done:
    return status;
}

/* ---- D and gamma ---- */

/* Every class has an id at least. */
static weft_status check_classes(const char *option, int64_t given, int64_t room, weft_error *error)
{
    if (given <= room)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT, "--%s: found %lld, expected at most one for each of the %lld ids",
                option, (long long)given, (long long)room);
}

static weft_status check_sizes(const bound_problem *problem, weft_error *error)
{
    const bound_options *options = problem->options;
    bool lacks = problem->rows.room == 0 || (!problem->one_set && problem->columns.room == 0);
    int64_t m = problem->rows.room, n = problem->columns.room;
    weft_status status = WEFT_OK;
    if (lacks)
        return fail(error, WEFT_ARGUMENT, "'none' lists no ids: --capacity %s is needed",
                    options->from.both != NULL ? "IDS" : "ROWSxCOLUMNS");
    TRY(source_check_size(m + n, error));
    TRY(check_classes("classes-rows", options->truth.row_classes, m, error));
    TRY(check_classes("classes-columns", options->truth.column_classes, n, error));
done:
    return status;
}

/* Without files, what weft_theory_measure would find. */
static void measure_boxes(bound_problem *problem)
{
    const bound_side *rows = &problem->rows, *columns = &problem->columns;
    problem->measure = (weft_measure){.form = WEFT_PAPER,
                                      .size = rows->room + columns->room,
                                      .row_classes = rows->truth.classes,
                                      .column_classes = columns->truth.classes,
                                      .gamma = weft_theory_gamma(rows->truth.classes, columns->truth.classes),
                                      .dimension = fmax(1, rows->term.value + columns->term.value),
                                      .row_term = rows->term.value,
                                      .column_term = columns->term.value};
}

static weft_status measure_files(bound_problem *problem, weft_error *error)
{
    weft_truth truth = {.row_class = problem->rows.truth.class_of,
                        .column_class = problem->columns.truth.class_of,
                        .row_classes = problem->rows.truth.classes,
                        .column_classes = problem->columns.truth.classes,
                        .communities = problem->options->communities};
    return weft_theory_measure(side_of(&problem->rows), side_of(&problem->columns), &truth,
                               &problem->settings, &problem->measure, error);
}

/* Where classes are not given, D or gamma may be; not so for classes that the kernel
 * cannot tell apart. */
static bool is_unknown(const bound_side *side)
{
    return side->roster != NULL && !side->measured && !is_blank(side);
}

/* One set of ids has margin 1, whatever the classes. */
static void assume(bound_problem *problem)
{
    const bound_options *options = problem->options;
    weft_measure *measure = &problem->measure;
    bool unknown = is_unknown(&problem->rows) || is_unknown(&problem->columns);
    if (problem->one_set)
        measure->gamma = 1;
    problem->gamma_assumed = measure->gamma <= 0 && options->gamma > 0;
    problem->dimension_assumed = unknown && !isfinite(measure->dimension) && options->dimension > 0;
    if (problem->gamma_assumed)
        measure->gamma = options->gamma;
    if (problem->dimension_assumed)
        measure->dimension = options->dimension;
}

weft_status bound_open(const bound_options *options, bound_problem *problem, weft_error *error)
{
    weft_status status = WEFT_OK;
    problem->options = options;
    problem->one_set = options->from.both != NULL;
    TRY(open_sides(options, problem, error));
    TRY(check_sizes(problem, error));
    problem->settings = (weft_settings){.form = problem->one_set ? WEFT_ONE_SET : WEFT_PAPER,
                                        .updates = WEFT_MARGIN_UPDATES,
                                        .eta = options->eta,
                                        .gamma = options->gamma,
                                        .dimension = options->dimension,
                                        .rows = problem->rows.room,
                                        .columns = problem->columns.room};
    if (problem->rows.roster == NULL)
        measure_boxes(problem);
    else
        TRY(measure_files(problem, error));
    assume(problem);
    weft_theory_tune(&problem->measure, options->horizon, &problem->settings, &problem->reasons);
done:
    return status;
}

void bound_close(bound_problem *problem)
{
    truth_free(&problem->rows.truth);
    truth_free(&problem->columns.truth);
    weft_roster_free(problem->columns.roster);
    weft_roster_free(problem->rows.roster);
}
