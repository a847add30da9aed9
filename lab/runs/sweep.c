/* SPDX-License-Identifier: MIT */
#include "lab/runs/sweep.h"

#include "lab/problem/play.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The numbers of one run, as the journal has them. */
enum { RATE, EXPECTED, BOUND, SHARPER, DIMENSION, ETA, UPDATES, PRODUCTS, UNCERTIFIED, SECONDS, ANSWERS };

static weft_status play_run(const void *given, double *answer, weft_error *error)
{
    const lab_run *run = given;
    lab_instance instance = lab_instance_draw(run);
    lab_score score = {.seconds = 0};
    weft_status status = WEFT_OK;
    TRY(lab_instance_settle(run, &instance, error));
    TRY(lab_play(instance.rows, instance.columns, &instance.settings, &instance.stream, &score, error));
    double trials = (double)instance.stream.count;
    answer[RATE] = (double)score.counters.mistakes / trials;
    answer[EXPECTED] = score.counters.expected_mistakes / trials;
    answer[BOUND] = instance.bound;
    answer[SHARPER] = instance.sharper;
    answer[DIMENSION] = instance.settings.dimension;
    answer[ETA] = instance.settings.eta;
    answer[UPDATES] = (double)score.counters.updates / trials;
    answer[PRODUCTS] = (double)score.counters.products / trials;
    answer[UNCERTIFIED] = (double)score.uncertified;
    answer[SECONDS] = score.seconds;
done:
    lab_instance_free(&instance);
    return status;
}

/* ---- Tasks ---- */

int64_t lab_sweep_cells(const lab_sweep *grid)
{
    return (int64_t)grid->variant_count * grid->dimension_count * grid->noise_count;
}

static int64_t place_of(const lab_sweep *grid, int variant, int dimension, int noise)
{
    return ((int64_t)variant * grid->dimension_count + dimension) * grid->noise_count + noise;
}

const lab_cell *lab_sweep_cell(const lab_sweep *grid, const lab_cell *cells, int variant, int dimension,
                               int noise)
{
    return &cells[place_of(grid, variant, dimension, noise)];
}

/* A trial takes a few products of n^2 numbers, and a side is made in n^3. */
static double cost_of(int64_t n)
{
    double size = (double)n;
    return size * size * (size * size + 4e3) + 10 * size * size * size;
}

static void plan_cell(const lab_sweep *grid, const lab_cell *cell, lab_run *runs, lab_task *tasks)
{
    const int64_t others = INT64_C(1000000);
    for (int64_t k = 0; k < grid->runs; k++) {
        runs[k] = (lab_run){.protocol = cell->variant->protocol,
                            .n = cell->n,
                            .beta = cell->beta,
                            .seed = grid->seed,
                            .number = cell->variant->protocol.other_runs ? others + k : k};
        tasks[k] = (lab_task){.given = &runs[k], .cost = cost_of(cell->n)};
        snprintf(tasks[k].key, sizeof tasks[k].key,
                 "%s seed=%" PRIu64 " n=%" PRId64 " beta=%.17g run=%" PRId64, cell->variant->name, grid->seed,
                 cell->n, cell->beta, k);
    }
}

static void lay_out(const lab_sweep *grid, lab_cell *cells)
{
    for (int v = 0; v < grid->variant_count; v++)
        for (int d = 0; d < grid->dimension_count; d++)
            for (int b = 0; b < grid->noise_count; b++)
                cells[place_of(grid, v, d, b)] = (lab_cell){
                    .variant = &grid->variants[v], .n = grid->dimensions[d], .beta = grid->noise[b]};
}

/* ---- Cells ---- */

static void summarise(const lab_sweep *grid, const double *answers, lab_cell *cell)
{
    cell->rate = lab_mean_of(answers + RATE, grid->runs, ANSWERS);
    cell->expected = lab_mean_of(answers + EXPECTED, grid->runs, ANSWERS);
    cell->paper = lab_paper_rate(cell->n, cell->beta);
    cell->paper_deviation = lab_paper_deviation(cell->n, cell->beta);
    cell->bound = lab_average(answers + BOUND, grid->runs, ANSWERS);
    cell->sharper = lab_average(answers + SHARPER, grid->runs, ANSWERS);
    cell->dimension = lab_average(answers + DIMENSION, grid->runs, ANSWERS);
    cell->eta = lab_average(answers + ETA, grid->runs, ANSWERS);
    cell->updates = lab_average(answers + UPDATES, grid->runs, ANSWERS);
    cell->products = lab_average(answers + PRODUCTS, grid->runs, ANSWERS);
    for (int64_t k = 0; k < grid->runs; k++) {
        cell->uncertified += answers[k * ANSWERS + UNCERTIFIED];
        cell->seconds += answers[k * ANSWERS + SECONDS];
        /* A bound that does not hold for every run does not hold for the cell. */
        if (answers[k * ANSWERS + BOUND] < 0)
            cell->bound = cell->sharper = -1;
    }
}

weft_status lab_sweep_play(const lab_sweep *grid, const lab_request *request, lab_cell **cells,
                           weft_error *error)
{
    int64_t count = lab_sweep_cells(grid);
    lab_cell *new = new_array(count, sizeof *new + (size_t)grid->runs * sizeof(double));
    double *rates = (double *)(void *)(new + count);
    lab_run *runs = new_array(count * grid->runs, sizeof *runs);
    lab_task *tasks = new_array(count * grid->runs, sizeof *tasks);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    lab_plan plan = {.name = grid->name,
                     .version = LAB_SWEEP_VERSION,
                     .work = play_run,
                     .answers = ANSWERS,
                     .tasks = tasks,
                     .count = count * grid->runs};
    lay_out(grid, new);
    for (int64_t c = 0; c < count; c++)
        plan_cell(grid, &new[c], runs + c * grid->runs, tasks + c * grid->runs);
    TRY(lab_work_perform(&plan, request, &answers, error));
    for (int64_t c = 0; c < count; c++) {
        const double *own = answers + c * grid->runs * ANSWERS;
        new[c].rates = rates + c * grid->runs;
        for (int64_t k = 0; k < grid->runs; k++)
            rates[c * grid->runs + k] = own[k * ANSWERS + RATE];
        summarise(grid, own, &new[c]);
    }
    *cells = new;
    new = NULL;
done:
    free(answers);
    free(tasks);
    free(runs);
    free(new);
    return status;
}

void lab_sweep_command(const lab_sweep *grid, const lab_request *request, lab_line *command)
{
    lab_line_add(command, "weft experiment %s", grid->name);
    for (int p = 0, named = 0; p < LAB_PROTOCOLS; p++)
        if (request->protocols >> p & 1)
            lab_line_add(command, "%s%s", named++ > 0 ? "," : " --protocol ", lab_protocol_words[p]);
    for (int d = 0; d < request->dimension_count; d++)
        lab_line_add(command, "%s%" PRId64, d > 0 ? "," : " --dimensions ", request->dimensions[d]);
    for (int b = 0; b < request->noise_count; b++)
        lab_line_add(command, "%s%s", b > 0 ? "," : " --noise ", lab_number(request->noise[b]).text);
    lab_line_add(command, "%s --runs %" PRId64 " --seed %" PRIu64 " --out DIR",
                 request->quick ? " --quick" : "", grid->runs, grid->seed);
}

/* ---- One variant against another ---- */

lab_mean lab_cell_moved(const lab_cell *cell, const lab_cell *other)
{
    int64_t runs = cell->rate.count;
    double *difference = new_array(runs, sizeof *difference);
    for (int64_t k = 0; k < runs; k++)
        difference[k] = cell->rates[k] - other->rates[k];
    lab_mean moved = lab_mean_of(difference, runs, 1);
    free(difference);
    return moved;
}

/* The mean over the noise levels of one size, run by run. */
static lab_mean moved_at(const lab_sweep *grid, const lab_cell *cells, int variant, int other, int dimension)
{
    double *means = new_array(grid->runs, sizeof *means);
    for (int b = 0; b < grid->noise_count; b++)
        for (int64_t k = 0; k < grid->runs; k++) {
            double rate = lab_sweep_cell(grid, cells, variant, dimension, b)->rates[k];
            double base = other < 0 ? 0 : lab_sweep_cell(grid, cells, other, dimension, b)->rates[k];
            means[k] += (rate - base) / grid->noise_count;
        }
    lab_mean moved = lab_mean_of(means, grid->runs, 1);
    free(means);
    return moved;
}

lab_mean lab_sweep_moved(const lab_sweep *grid, const lab_cell *cells, int variant, int other)
{
    lab_mean all = {.count = grid->runs};
    double squares = 0;
    for (int d = 0; d < grid->dimension_count; d++) {
        lab_mean one = moved_at(grid, cells, variant, other, d);
        all.mean += one.mean / grid->dimension_count;
        squares += one.error * one.error;
    }
    all.error = sqrt(squares) / grid->dimension_count;
    return all;
}

/* ---- Against the paper ---- */

double lab_cell_difference(const lab_cell *cell)
{
    return cell->rate.mean - cell->paper;
}

double lab_cell_difference_error(const lab_cell *cell)
{
    const double digit = 0.01, least = digit / 2;
    double ours = cell->rate.error, theirs = fmax(cell->paper_deviation, least) / sqrt(LAB_PAPER_RUNS);
    /* What is rounded to a digit is off by anything up to half of it: digit^2 / 12. */
    return sqrt(ours * ours + theirs * theirs + digit * digit / 12);
}
