/* SPDX-License-Identifier: MIT
 * weft experiment table1: the paper's table, cell by cell. */
#include "lab/table1/table1.h"

#include "lab/experiments.h"
#include "lab/report/frame.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 10, QUICK_RUNS = 3 };

static const double NEAR = 0.02; /* what the ideal column may differ by, beyond two standard errors */

/* ---- The grid that is asked for ---- */

static void choose_dimensions(const lab_request *request, lab_sweep *grid)
{
    grid->dimension_count = request->quick ? 3 : LAB_PAPER_DIMENSIONS;
    memcpy(grid->dimensions, lab_paper_dimensions, sizeof *grid->dimensions * LAB_PAPER_DIMENSIONS);
    if (request->dimension_count == 0)
        return;
    grid->dimension_count = request->dimension_count;
    memcpy(grid->dimensions, request->dimensions, sizeof grid->dimensions);
}

static void choose_noise(const lab_request *request, lab_sweep *grid)
{
    grid->noise_count = LAB_PAPER_NOISE;
    memcpy(grid->noise, lab_paper_noise, sizeof *grid->noise * LAB_PAPER_NOISE);
    if (request->noise_count == 0)
        return;
    grid->noise_count = request->noise_count;
    memcpy(grid->noise, request->noise, sizeof grid->noise);
}

static int choose_variants(const lab_request *request, lab_variant variants[LAB_PROTOCOLS])
{
    int count = 0, protocols = request->protocols == 0 ? 1 << LAB_TEXT : request->protocols;
    for (int p = 0; p < LAB_PROTOCOLS; p++)
        if (protocols >> p & 1)
            variants[count++] = (lab_variant){.name = lab_protocol_words[p],
                                              .protocol = lab_protocol_of((lab_protocol_name)p)};
    return count;
}

/* ---- The table ---- */

static void write_cell(FILE *out, const lab_sweep *grid, const lab_cell *cell)
{
    double trials = (double)cell->n * (double)cell->n;
    fprintf(out, "%s,%" PRId64 ",%s,%" PRId64 ",%.6f,%.6f,%.6f,", cell->variant->name, cell->n,
            lab_number(cell->beta).text, grid->runs, cell->rate.mean, cell->rate.deviation,
            cell->expected.mean);
    if (cell->paper >= 0)
        fprintf(out, "%.2f", cell->paper);
    if (cell->bound >= 0)
        fprintf(out, ",%.1f,%d", cell->bound, cell->bound >= trials);
    else
        fprintf(out, ",,");
    fprintf(out, ",%.3f\n", cell->seconds);
}

weft_status lab_table1_write_csv(const lab_sweep *grid, const lab_cell *cells, const char *path,
                                 weft_error *error)
{
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &file, error));
    FILE *out = output_stream(file);
    fprintf(out, "protocol,n,beta,runs,mean,sd,expected_mean,paper,bound,vacuous,seconds\n");
    for (int64_t c = 0; c < lab_sweep_cells(grid); c++)
        write_cell(out, grid, &cells[c]);
    TRY(output_commit(file, error));
done:
    output_free(file);
    return status;
}

/* ---- What it says ---- */

static void judge_cell(const lab_cell *cell, lab_table1_verdict *verdict)
{
    double trials = (double)cell->n * (double)cell->n;
    verdict->seconds += cell->seconds;
    if (cell->bound >= 0) {
        verdict->bounded++;
        verdict->vacuous += cell->bound >= trials;
        verdict->sharper += cell->sharper >= trials;
    }
    if (cell->paper < 0)
        return;
    double difference = lab_cell_difference(cell);
    verdict->compared++;
    verdict->mean += difference;
    verdict->distance += difference * difference;
    if (fabs(difference) > fabs(verdict->largest))
        verdict->largest = difference;
    if (cell->beta == 0 && cell->n >= 40) {
        verdict->ideal++;
        verdict->within += fabs(difference) <= NEAR + 2 * cell->rate.error;
    }
}

lab_table1_verdict lab_table1_judge(const lab_sweep *grid, const lab_cell *cells, int variant)
{
    lab_table1_verdict verdict = {0};
    for (int d = 0; d < grid->dimension_count; d++)
        for (int b = 0; b < grid->noise_count; b++)
            judge_cell(lab_sweep_cell(grid, cells, variant, d, b), &verdict);
    if (verdict.compared > 0) {
        verdict.mean /= (double)verdict.compared;
        verdict.distance = sqrt(verdict.distance / (double)verdict.compared);
    }
    return verdict;
}

static void say(const lab_sweep *grid, const lab_cell *cells, int variant)
{
    lab_table1_verdict v = lab_table1_judge(grid, cells, variant);
    printf("%s protocol: %d cells of %" PRId64 " run%s each, %.0f s of processor time.",
           grid->variants[variant].name, grid->dimension_count * grid->noise_count, grid->runs,
           output_plural(grid->runs), v.seconds);
    if (v.compared > 0)
        printf("  Against the paper, mistakes a trial: %+.3f on average, at most %+.3f.", v.mean, v.largest);
    if (v.ideal > 0)
        printf("  With ideal graphs (beta = 0, n >= 40) %" PRId64 " of %" PRId64
               " cells are within .02 and two standard errors.",
               v.within, v.ideal);
    if (v.bounded > 0)
        printf("  The theorem's bound is vacuous in %" PRId64 " of %" PRId64
               " cells, its sharper form in %" PRId64 ".",
               v.vacuous, v.bounded, v.sharper);
    printf("\n");
}

static weft_status run(const lab_request *request, weft_error *error)
{
    lab_variant variants[LAB_PROTOCOLS];
    lab_sweep grid = {.name = "table1", .variants = variants, .seed = request->seed};
    lab_cell *cells = NULL;
    char *csv = lab_place_file(request->out, "table1", ".csv");
    weft_status status = WEFT_OK;
    grid.variant_count = choose_variants(request, variants);
    grid.runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
    choose_dimensions(request, &grid);
    choose_noise(request, &grid);
    TRY(lab_sweep_play(&grid, request, &cells, error));
    TRY(lab_table1_write_csv(&grid, cells, csv, error));
    TRY(lab_table1_report(&grid, cells, request, error));
    for (int v = 0; v < grid.variant_count; v++)
        say(&grid, cells, v);
done:
    free(csv);
    free(cells);
    return status;
}

const lab_experiment lab_table1 = {
    .name = "table1",
    .purpose = "the table of the appendix, as its text or its authors' program has it",
    .gridded = true,
    .protocols = true,
    .run = run};
