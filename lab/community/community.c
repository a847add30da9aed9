/* SPDX-License-Identifier: MIT
 * weft experiment community: mistakes against the edges between communities, and against their
 * number times the resistance radius. */
#include "lab/community/community.h"

#include "lab/experiments.h"
#include "lab/report/frame.h"
#include "lab/report/line.h"
#include "lab/report/series.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 1, USUAL_RUNS = 5, QUICK_RUNS = 2 };
enum { USUAL_VERTICES = 256, QUICK_VERTICES = 64 };
enum { USUAL_KS = 3, QUICK_KS = 2, USUAL_CUTS = 8, QUICK_CUTS = 4 };

static const int64_t numbers[] = {2, 4, 8};
static const int64_t cuts[] = {8, 16, 32, 64, 128, 256, 512, 1024};

const char *community_method_name(community_method method)
{
    static const char *const names[] = {"two sides, mistake updates", "two sides, margin updates", "one set",
                                        "two sides, nothing known", "one set, nothing known"};
    return names[method];
}

/* ---- The runs ---- */

/* Cells of one number of communities. */
static int64_t cells_of_k(const community_results *results)
{
    return COMMUNITY_GRAPHS * results->cut_count + COMMUNITY_METHODS - COMMUNITY_GRAPHS;
}

int64_t community_cell_count(const community_results *results)
{
    return results->k_count * cells_of_k(results);
}

static int64_t place_of(const community_results *results, int64_t k, community_method method, int64_t cut)
{
    int64_t within = community_has_graph(method)
                         ? (int64_t)method * results->cut_count + cut
                         : COMMUNITY_GRAPHS * results->cut_count + (int64_t)method - COMMUNITY_GRAPHS;
    return k * cells_of_k(results) + within;
}

const community_cell *community_cell_of(const community_results *results, int64_t k, community_method method,
                                        int64_t cut)
{
    return &results->cells[place_of(results, k, method, cut)];
}

static lab_task task_of(const community_given *given)
{
    static const double costs[COMMUNITY_METHODS] = {6, 13, 1, 5, 3};
    double n = (double)given->n;
    lab_task task = {.given = given, .cost = costs[given->method] * n * n};
    snprintf(task.key, sizeof task.key,
             "%s seed=%" PRIu64 " n=%" PRId64 " k=%" PRId64 " cut=%" PRId64 " run=%" PRId64,
             community_method_name(given->method), given->seed, given->n, given->k, given->cut,
             given->number);
    return task;
}

/* Every run of every cell, cell by cell, to be freed. */
static community_given *list_runs(const community_results *results)
{
    community_given *list = new_array(community_cell_count(results) * results->runs, sizeof *list);
    for (int64_t k = 0; k < results->k_count; k++)
        for (int m = 0; m < COMMUNITY_METHODS; m++)
            for (int64_t c = 0; c < results->cut_count; c++) {
                community_method method = (community_method)m;
                community_given given = {.seed = results->request->seed,
                                         .n = results->n,
                                         .k = results->ks[k],
                                         .cut = community_has_graph(method) ? results->cuts[c] : 0,
                                         .method = method};
                community_given *cell = list + place_of(results, k, method, c) * results->runs;
                for (given.number = 0; given.number < results->runs; given.number++)
                    cell[given.number] = given;
            }
    return list;
}

static community_cell sum_up(const community_given *given, const double *answers, int64_t runs)
{
    double twice = 2 * (double)given->cut;
    community_cell cell = {
        .given = *given,
        .mistakes = lab_mean_of(answers + COMMUNITY_EXPECTED, runs, COMMUNITY_ANSWERS),
        .scaled = lab_mean_of(answers + COMMUNITY_RADIUS, runs, COMMUNITY_ANSWERS),
        .trials = lab_average(answers + COMMUNITY_TRIALS, runs, COMMUNITY_ANSWERS),
        .radius = lab_average(answers + COMMUNITY_RADIUS, runs, COMMUNITY_ANSWERS),
        .dimension = lab_average(answers + COMMUNITY_DIMENSION, runs, COMMUNITY_ANSWERS),
        .bound = lab_average(answers + COMMUNITY_BOUND, runs, COMMUNITY_ANSWERS),
        .uncertain = lab_average(answers + COMMUNITY_UNCERTAIN, runs, COMMUNITY_ANSWERS) * (double)runs,
    };
    cell.scaled.mean *= twice;
    cell.scaled.deviation *= twice;
    cell.scaled.error *= twice;
    return cell;
}

/* Plays what the journal does not have; *cells to be freed. */
static weft_status play(const community_results *results, community_cell **cells, weft_error *error)
{
    int64_t cell_count = community_cell_count(results), count = cell_count * results->runs;
    community_given *list = list_runs(results);
    lab_task *tasks = new_array(count, sizeof *tasks);
    double *answers = NULL;
    weft_status status = WEFT_OK;
    for (int64_t t = 0; t < count; t++)
        tasks[t] = task_of(&list[t]);
    lab_plan plan = {"community", VERSION, community_work, COMMUNITY_ANSWERS, tasks, count};
    TRY(lab_work_perform(&plan, results->request, &answers, error));
    *cells = new_array(cell_count, sizeof **cells);
    for (int64_t c = 0; c < cell_count; c++) {
        int64_t first = c * results->runs;
        (*cells)[c] = sum_up(&list[first], answers + first * COMMUNITY_ANSWERS, results->runs);
    }
done:
    free(answers);
    free(tasks);
    free(list);
    return status;
}

/* ---- What they came to ---- */

static void fit_method(community_results *results, community_method method)
{
    for (int64_t k = 0; k < results->k_count; k++) {
        lab_series cut = {0}, scaled = {0};
        for (int64_t c = 0; c < results->cut_count; c++) {
            const community_cell *cell = community_cell_of(results, k, method, c);
            lab_series_add_mean(&cut, (double)cell->given.cut, &cell->mistakes);
            lab_series_add_mean(&scaled, cell->scaled.mean, &cell->mistakes);
        }
        results->growth[k][method] = (community_growth){lab_series_fit(&cut), lab_series_fit(&scaled)};
    }
}

static void write_cell(FILE *out, const community_cell *cell)
{
    community_method method = cell->given.method;
    fprintf(out, "%s,%s,%s,%" PRId64 ",%" PRId64 ",", community_is_one_set(method) ? "one set" : "two sides",
            community_has_graph(method) ? "graph" : "nothing",
            method == COMMUNITY_MARGIN ? "margin" : "mistakes", cell->given.n, cell->given.k);
    if (cell->given.cut > 0)
        fprintf(out, "%" PRId64 ",%.6g,%.6g", cell->given.cut, cell->radius, cell->scaled.mean);
    else
        fprintf(out, ",,");
    fprintf(out, ",%.17g,%" PRId64 ",%.6g,%.6g,%.6g,%.6g,%d,%.17g\n", cell->trials, cell->mistakes.count,
            cell->mistakes.mean, cell->mistakes.deviation, cell->dimension, cell->bound,
            cell->bound >= cell->trials, cell->uncertain);
}

static void write_lines(FILE *out, const void *what)
{
    const community_results *results = what;
    for (int64_t c = 0; c < community_cell_count(results); c++)
        write_cell(out, &results->cells[c]);
}

static const lab_table table = {
    "community",
    "form,known,updates,n,k,cut,radius,cut_times_radius,trials,runs,mistakes,sd,dimension,bound,vacuous,"
    "uncertified",
    write_lines};

/* How many cells of a method have a bound below the number of trials. */
static int64_t count_biting(const community_results *results, community_method method)
{
    int64_t biting = 0;
    for (int64_t c = 0; c < community_cell_count(results); c++)
        biting +=
            results->cells[c].given.method == method && results->cells[c].bound < results->cells[c].trials;
    return biting;
}

/* "1.00 ± 0.010, ..., ...": exponents in the cut times the radius, for every k. */
static void say_exponents(lab_line *line, const community_results *results, community_method method)
{
    for (int64_t k = 0; k < results->k_count; k++)
        lab_line_add(line, "%s%s", k > 0 ? ", " : "",
                     lab_exponent(&results->growth[k][method].scaled, 3).text);
}

static double mistakes_at(const community_results *results, community_method method)
{
    return community_cell_of(results, 1, method, 0)->mistakes.mean;
}

char *community_sentence(const community_results *results)
{
    int64_t last = results->cut_count - 1;
    lab_line line = {.length = 0};
    lab_line_add(
        &line,
        "%" PRId64 " vertices in 2 to %" PRId64 " communities, %" PRId64 " to %" PRId64
        " edges between them.  Mistakes as a power of the cut times the resistance radius, for each number "
        "of communities: as one set of ids the exponents are ",
        results->n, results->ks[results->k_count - 1], results->cuts[0], results->cuts[last]);
    say_exponents(&line, results, COMMUNITY_ONE_SET);
    lab_line_add(&line, "; in the paper's form with mistake updates ");
    say_exponents(&line, results, COMMUNITY_MISTAKES);
    lab_line_add(&line, "; with margin updates ");
    say_exponents(&line, results, COMMUNITY_MARGIN);
    lab_line_add(&line,
                 ".  The bounds say 1, 1 and 1/2, and are below the number of trials in %" PRId64 ", %" PRId64
                 " and %" PRId64 " of %" PRId64 " cells.  With k = %" PRId64 " and %" PRId64
                 " edges one set makes %.0f mistakes, the paper's form %.0f; without the graph they make "
                 "%.0f and %.0f.",
                 count_biting(results, COMMUNITY_ONE_SET), count_biting(results, COMMUNITY_MISTAKES),
                 count_biting(results, COMMUNITY_MARGIN), results->k_count * results->cut_count,
                 results->ks[1], results->cuts[0], mistakes_at(results, COMMUNITY_ONE_SET),
                 mistakes_at(results, COMMUNITY_MISTAKES), mistakes_at(results, COMMUNITY_ALONE),
                 mistakes_at(results, COMMUNITY_NOTHING));
    return new_text("%s", line.text);
}

static weft_status run(const lab_request *request, weft_error *error)
{
    bool quick = request->quick;
    community_results results = {
        .request = request,
        .ks = numbers,
        .cuts = cuts,
        .n = quick ? QUICK_VERTICES : USUAL_VERTICES,
        .k_count = quick ? QUICK_KS : USUAL_KS,
        .cut_count = quick ? QUICK_CUTS : USUAL_CUTS,
        .runs = request->runs > 0 ? request->runs
                : quick           ? QUICK_RUNS
                                  : USUAL_RUNS,
    };
    community_cell *cells = NULL;
    weft_status status = WEFT_OK;
    TRY(play(&results, &cells, error));
    results.cells = cells;
    for (int m = 0; m < COMMUNITY_GRAPHS; m++)
        fit_method(&results, (community_method)m);
    TRY(lab_table_write(&table, request, &results, error));
    TRY(community_report(&results, error));
    char *sentence = community_sentence(&results);
    printf("%s\n", sentence);
    free(sentence);
done:
    free(cells);
    return status;
}

const lab_experiment lab_community = {
    .name = "community", .purpose = "who belongs together? mistakes against the cut of a graph", .run = run};
