/* SPDX-License-Identifier: MIT */
#include "lab/report/frame.h"
#include "lab/report/page.h"
#include "lab/report/picture.h"
#include "lab/variants/variants.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* One variant over all cells. */
typedef struct outcome {
    lab_mean moved;               /* against the first variant, mean over the cells */
    double mean, distance;        /* from the paper: mean and root mean square */
    double error;                 /* of our mean over the cells */
    double noisy, noisy_distance; /* the same over beta > 0 */
    double ideal, ideal_distance; /* and over beta = 0 */
    double largest;               /* difference in size, with its sign */
    int64_t compared, with_noise;
} outcome;

static void count_cell(const lab_cell *cell, outcome *sum)
{
    double difference = lab_cell_difference(cell), square = difference * difference;
    if (cell->paper < 0)
        return;
    sum->compared++;
    sum->mean += difference;
    sum->distance += square;
    if (fabs(difference) > fabs(sum->largest))
        sum->largest = difference;
    if (cell->beta > 0) {
        sum->with_noise++;
        sum->noisy += difference;
        sum->noisy_distance += square;
    } else {
        sum->ideal += difference;
        sum->ideal_distance += square;
    }
}

static outcome judge(const lab_sweep *grid, const lab_cell *cells, int variant)
{
    outcome sum = {0};
    for (int d = 0; d < grid->dimension_count; d++)
        for (int b = 0; b < grid->noise_count; b++)
            count_cell(lab_sweep_cell(grid, cells, variant, d, b), &sum);
    double all = fmax((double)sum.compared, 1), noisy = fmax((double)sum.with_noise, 1);
    double ideal = fmax((double)(sum.compared - sum.with_noise), 1);
    return (outcome){.moved = lab_sweep_moved(grid, cells, variant, 0),
                     .error = lab_sweep_moved(grid, cells, variant, -1).error,
                     .mean = sum.mean / all,
                     .distance = sqrt(sum.distance / all),
                     .noisy = sum.noisy / noisy,
                     .noisy_distance = sqrt(sum.noisy_distance / noisy),
                     .ideal = sum.ideal / ideal,
                     .ideal_distance = sqrt(sum.ideal_distance / ideal),
                     .largest = sum.largest,
                     .compared = sum.compared,
                     .with_noise = sum.with_noise};
}

/* The variant nearest to the paper. */
static int find_nearest(const lab_sweep *grid, const lab_cell *cells)
{
    int nearest = 0;
    for (int v = 1; v < grid->variant_count; v++)
        if (judge(grid, cells, v).distance < judge(grid, cells, nearest).distance)
            nearest = v;
    return nearest;
}

/* ---- Files ---- */

static weft_status write_csv(const lab_sweep *grid, const lab_cell *cells, const char *path,
                             weft_error *error)
{
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &file, error));
    FILE *out = output_stream(file);
    fprintf(out, "variant,n,beta,runs,mean,sd,expected_mean,paper,moved,moved_error,eta,dimension\n");
    for (int64_t c = 0; c < lab_sweep_cells(grid); c++) {
        const lab_cell *cell = &cells[c], *first = &cells[c % (lab_sweep_cells(grid) / grid->variant_count)];
        lab_mean moved = lab_cell_moved(cell, first);
        output_id(out, cell->variant->name);
        fprintf(out, ",%" PRId64 ",%s,%" PRId64 ",%.6f,%.6f,%.6f,", cell->n, lab_number(cell->beta).text,
                grid->runs, cell->rate.mean, cell->rate.deviation, cell->expected.mean);
        if (cell->paper >= 0)
            fprintf(out, "%.2f", cell->paper);
        fprintf(out, ",%.6f,%.6f,%.6g,%.6g\n", moved.mean, moved.error, cell->eta, cell->dimension);
    }
    TRY(output_commit(file, error));
done:
    output_free(file);
    return status;
}

static weft_status draw(const lab_sweep *grid, const lab_cell *cells, const char *stem, weft_error *error)
{
    figure_bar *bars = new_array(grid->variant_count, sizeof *bars);
    figure_bars picture = {.title = "How far each variant is from the paper's table",
                           .unit = "mistakes a trial above the paper's, mean over all cells",
                           .note =
                               "Lines: two standard errors of our mean; those of the paper's are not known.",
                           .bars = bars,
                           .count = grid->variant_count};
    for (int v = 0; v < grid->variant_count; v++) {
        outcome o = judge(grid, cells, v);
        bars[v] = (figure_bar){.name = grid->variants[v].name, .value = o.mean, .doubt = 2 * o.error};
    }
    weft_status status = lab_picture_bars(stem, &picture, error);
    free(bars);
    return status;
}

/* ---- The report ---- */

static void add_summary(lab_page *page, const lab_sweep *grid, const lab_cell *cells)
{
    int nearest = find_nearest(grid, cells);
    lab_page_table(
        page, "variant\twhat is different\tmoves the rate by\tfrom the paper: mean\troot mean square\tβ = 0: "
              "mean\tβ > 0: mean\tlargest");
    for (int v = 0; v < grid->variant_count; v++) {
        outcome o = judge(grid, cells, v);
        lab_page_row(page, "%s%s\t%s\t%+.4f ± %.4f\t%+.4f\t%.4f\t%+.4f\t%+.4f\t%+.3f",
                     v == nearest ? "*" : "", grid->variants[v].name, grid->variants[v].words, o.moved.mean,
                     o.moved.error, o.mean, o.distance, o.ideal, o.noisy, o.largest);
    }
    lab_page_table_end(page);
}

/* Noise by noise for one variant: the mean over the sizes. */
static void add_columns(lab_page *page, const lab_sweep *grid, const lab_cell *cells)
{
    lab_page_table(page, "variant\tn\tβ\tours\tstandard error\tpaper\tdifference\tmoved by the choice");
    for (int64_t c = 0; c < lab_sweep_cells(grid); c++) {
        const lab_cell *cell = &cells[c], *first = &cells[c % (lab_sweep_cells(grid) / grid->variant_count)];
        lab_mean moved = lab_cell_moved(cell, first);
        if (cell->paper < 0)
            continue;
        lab_page_row(page, "%s\t%" PRId64 "\t%g\t%.3f\t%.3f\t%.2f\t%+.3f\t%+.4f ± %.4f", cell->variant->name,
                     cell->n, cell->beta, cell->rate.mean, cell->rate.error, cell->paper,
                     lab_cell_difference(cell), moved.mean, moved.error);
    }
    lab_page_table_end(page);
}

static weft_status write_page(const lab_sweep *grid, const lab_cell *cells, const lab_request *request,
                              const char *stem, weft_error *error)
{
    lab_page *page = lab_page_create("Which choice of the protocol moves table 1");
    char *path = new_text("%s.html", stem), *picture = new_text("%s.svg", stem);
    int nearest = find_nearest(grid, cells);
    outcome best = judge(grid, cells, nearest), base = judge(grid, cells, 0);
    lab_line command = {.length = 0};
    weft_status status = WEFT_OK;
    if (best.compared > 0)
        lab_page_finding(
            page,
            "Of %d variants `%s` is nearest to the paper's table: root mean square %.3f over %" PRId64
            " cells, against %.3f of the text as it stands.",
            grid->variant_count, grid->variants[nearest].name, best.distance, best.compared, base.distance);
    lab_page_heading(page, "What was run");
    lab_page_text(
        page,
        "The experiment of `weft experiment table1` in its text's protocol, with one choice (or two) "
        "turned at a time; the same matrices and streams in every variant where its choice allows "
        "that, so that what a rate or a threshold moves is known far better than either mean (not so where "
        "classes or graphs are drawn in another way).  %" PRId64 " runs a cell, seed %" PRIu64 ", weft %s.",
        grid->runs, grid->seed, weft_version());
    lab_sweep_command(grid, request, &command);
    lab_page_code(page, "%s", command.text);
    lab_page_heading(page, "What each choice moves");
    lab_page_text(
        page,
        "Mistakes a trial, means over all sizes and noise levels.  The third column is against the first "
        "variant, run by run, ± its standard error (runs of one size share their matrices over all noise "
        "levels, and are counted once); the others are against the values that the paper prints.  D is the "
        "quasi-dimension that the learner is told, from the classes and the graphs; eta is its learning "
        "rate, "
        "which theory takes from D.");
    add_summary(page, grid, cells);
    lab_page_figure(
        page, picture,
        "The rates of each variant less those that the paper prints, mean over all cells: shorter is "
        "nearer.  Lines: two standard errors of our mean.  A mean can be small where differences of "
        "both signs cancel: the table has the root mean square.");
    lab_page_heading(page, "What it means");
    lab_page_text(
        page,
        "A choice that moves the noisy columns and leaves the ideal one alone can explain the table; one "
        "that moves neither cannot.  A variant that is near is a candidate for what was run, not a "
        "proof that it was.");
    lab_page_heading(page, "Every cell");
    add_columns(page, grid, cells);
    TRY(lab_page_write(page, path, error));
done:
    lab_page_free(page);
    free(path);
    free(picture);
    return status;
}

weft_status lab_variants_report(const lab_sweep *grid, const lab_cell *cells, const lab_request *request,
                                weft_error *error)
{
    char *stem = lab_place_file(request->out, "variants", ""),
         *csv = lab_place_file(request->out, "variants", ".csv");
    int nearest = find_nearest(grid, cells);
    outcome best = judge(grid, cells, nearest), base = judge(grid, cells, 0);
    weft_status status = WEFT_OK;
    TRY(write_csv(grid, cells, csv, error));
    TRY(draw(grid, cells, stem, error));
    TRY(write_page(grid, cells, request, stem, error));
    if (best.compared == 0)
        printf("%d variants of table1's protocol were played; the paper has none of these cells.\n",
               grid->variant_count);
    else
        printf("Of %d variants of table1's protocol '%s' is nearest to the paper: root mean square %.3f over "
               "%" PRId64 " cells, against %.3f of the text as it stands.\n",
               grid->variant_count, grid->variants[nearest].name, best.distance, best.compared,
               base.distance);
done:
    free(stem);
    free(csv);
    return status;
}
