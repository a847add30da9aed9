/* SPDX-License-Identifier: MIT */
#include "lab/problem/protocol.h"

#include "program/fail.h"
#include "weft_theory.h"

#include <math.h>

static const double LABEL_NOISE = 0.10;

lab_protocol lab_protocol_of(lab_protocol_name name)
{
    if (name == LAB_AUTHORS)
        return (lab_protocol){
            .sizes = LAB_RESAMPLED, .drawn_edges = true, .star = true, .dimension = LAB_D_AUTHORS, .rate = 1};
    return (lab_protocol){.sizes = LAB_SEEDED, .dimension = LAB_D_TEXT, .rate = 1};
}

const char *const lab_protocol_words[] = {[LAB_TEXT] = "text", [LAB_AUTHORS] = "authors", NULL};

/* ---- The problem ---- */

lab_graph lab_protocol_graph(const lab_protocol *protocol, int64_t vertices, int64_t k,
                             const int64_t *class_of, double beta, lab_random *random)
{
    lab_graph graph;
    if (protocol->drawn_edges) {
        graph = lab_graph_drawn(vertices, class_of, beta, random);
    } else {
        graph = lab_graph_ideal(vertices, k, class_of);
        lab_graph_flip(&graph, beta, random);
    }
    if (protocol->star)
        lab_graph_join_star(&graph);
    else
        lab_graph_join_randomly(&graph, random);
    return graph;
}

static lab_graph draw_graph(const lab_run *run, const int64_t *class_of, lab_random *random)
{
    return lab_protocol_graph(&run->protocol, run->n, LAB_CLASSES, class_of, run->beta, random);
}

/* The matrix and the stream do not depend on beta, nor the stream on the graphs: cells
 * differ in what they are meant to differ in. */
lab_instance lab_instance_draw(const lab_run *run)
{
    lab_instance instance = {.rows = NULL};
    lab_random matrix = lab_random_begin(run->seed, "matrix", run->n, run->number);
    lab_random order = lab_random_begin(run->seed, "stream", run->n, run->number);
    lab_random rows = lab_random_begin(run->seed, "row graph", run->n, run->number);
    lab_random columns = lab_random_begin(run->seed, "column graph", run->n, run->number);
    instance.blocks = lab_blocks_draw(run->n, run->n, LAB_CLASSES, LAB_CLASSES, run->protocol.sizes, &matrix);
    instance.stream = lab_stream_all(&instance.blocks, LABEL_NOISE, &order);
    instance.row_graph = draw_graph(run, instance.blocks.row_class, &rows);
    instance.column_graph = draw_graph(run, instance.blocks.column_class, &columns);
    return instance;
}

void lab_instance_free(lab_instance *instance)
{
    weft_side_free(instance->rows);
    weft_side_free(instance->columns);
    lab_graph_free(&instance->row_graph);
    lab_graph_free(&instance->column_graph);
    lab_stream_free(&instance->stream);
    lab_blocks_free(&instance->blocks);
    *instance = (lab_instance){.rows = NULL};
}

/* ---- The settings ---- */

/* The share of one side in D; *proved is the one of thm:bndpdim, by which the bound is
 * judged. */
static weft_status measure_side(const lab_run *run, const weft_side *side, const int64_t *class_of,
                                double *share, double *proved, weft_error *error)
{
    weft_side_term term;
    weft_status status = WEFT_OK;
    TRY(weft_theory_side(side, class_of, &term, error));
    *proved += term.value;
    switch (run->protocol.dimension) {
    case LAB_D_TEXT:
        *share += term.laplacian;
        break;
    case LAB_D_AUTHORS: /* 4 (tr(R'LR) R_L + k), R_L = R / 2, and half of the 4k that are added once */
        *share += 4 * (term.cut * weft_side_radius(side) / 2 + LAB_CLASSES) + 2 * LAB_CLASSES;
        break;
    case LAB_D_SHARP:
        *share += term.value;
        break;
    case LAB_D_COUNT:
        *share += (double)run->n;
        break;
    }
done:
    return status;
}

/* Errors of the matrix that made the labels, plus the expected regret against it; the
 * library judges whether the theorem applies. */
static void find_bounds(const lab_run *run, double proved, const weft_scale *scale, lab_instance *instance)
{
    int64_t errors = instance->stream.turned, trials = instance->stream.count;
    weft_measure measure = {.form = WEFT_PAPER,
                            .size = 2 * run->n,
                            .row_classes = LAB_CLASSES,
                            .column_classes = LAB_CLASSES,
                            .gamma = weft_theory_gamma(LAB_CLASSES, LAB_CLASSES),
                            .dimension = proved};
    weft_course course = {.horizon = trials, .trials = trials, .errors = errors};
    weft_bound bound = weft_theory_judge(&measure, &instance->settings, &course);
    bool applies = bound.kind == WEFT_REGRET;
    instance->bound = applies ? (double)errors + weft_theory_regret(*scale) : -1;
    instance->sharper = applies ? bound.value : -1;
}

uint64_t lab_run_seed(const lab_run *run)
{
    lab_random thresholds = lab_random_begin(run->seed, "thresholds", run->n, run->number);
    return lab_draw(&thresholds) >> 1;
}

weft_status lab_instance_settle(const lab_run *run, lab_instance *instance, weft_error *error)
{
    weft_status status = WEFT_OK;
    const lab_protocol *p = &run->protocol;
    weft_settings *s = &instance->settings;
    double dimension = 0, proved = 0;
    TRY(lab_graph_side(&instance->row_graph, &instance->rows, error));
    TRY(lab_graph_side(&instance->column_graph, &instance->columns, error));
    TRY(measure_side(run, instance->rows, instance->blocks.row_class, &dimension, &proved, error));
    TRY(measure_side(run, instance->columns, instance->blocks.column_class, &dimension, &proved, error));
    *s = weft_settings_default(run->n, run->n, instance->stream.count);
    weft_scale scale = {.dimension = dimension,
                        .gamma = 1 / sqrt(LAB_CLASSES),
                        .size = 2 * run->n,
                        .horizon = instance->stream.count};
    s->updates = p->mistakes ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES;
    s->dimension = dimension;
    s->gamma = scale.gamma;
    s->eta = p->rate * (p->mistakes ? s->gamma : weft_theory_eta(scale));
    s->deterministic = p->deterministic;
    s->seed = lab_run_seed(run);
    s->tolerance = 0.2;
    find_bounds(run, proved, &scale, instance);
done:
    return status;
}

/* ---- The paper's table ---- */

const int64_t lab_paper_dimensions[LAB_PAPER_DIMENSIONS] = {20,  40,  60,  80,  100, 120, 140,
                                                            160, 180, 200, 250, 300, 400};
const double lab_paper_noise[LAB_PAPER_NOISE] = {0.5, 0.25, 0.125, 0.0625, 0.03125, 0};

typedef struct printed {
    double rate, deviation;
} printed;

/* Rows as lab_paper_dimensions, columns as lab_paper_noise. */
static const printed table[LAB_PAPER_DIMENSIONS][LAB_PAPER_NOISE] = {
    {{.39, .04}, {.40, .05}, {.38, .04}, {.34, .04}, {.31, .03}, {.31, .03}},
    {{.37, .03}, {.38, .03}, {.34, .02}, {.33, .02}, {.29, .02}, {.22, .01}},
    {{.37, .02}, {.35, .02}, {.34, .02}, {.32, .02}, {.27, .02}, {.18, .01}},
    {{.36, .02}, {.34, .02}, {.33, .01}, {.29, .02}, {.25, .02}, {.16, .01}},
    {{.36, .02}, {.35, .02}, {.33, .01}, {.29, .01}, {.24, .01}, {.15, .01}},
    {{.35, .02}, {.34, .02}, {.31, .01}, {.29, .01}, {.24, .02}, {.14, .01}},
    {{.35, .02}, {.34, .01}, {.31, .01}, {.28, .01}, {.22, .01}, {.13, .01}},
    {{.35, .02}, {.33, .02}, {.31, .02}, {.27, .01}, {.22, .01}, {.13, .00}},
    {{.34, .02}, {.33, .02}, {.30, .02}, {.26, .01}, {.22, .01}, {.13, .00}},
    {{.33, .02}, {.32, .02}, {.29, .01}, {.26, .01}, {.21, .01}, {.13, .00}},
    {{.32, .02}, {.31, .02}, {.29, .01}, {.24, .01}, {.21, .01}, {.12, .00}},
    {{.32, .02}, {.31, .01}, {.28, .01}, {.23, .01}, {.20, .01}, {.12, .00}},
    {{.30, .01}, {.28, .02}, {.26, .01}, {.23, .01}, {.19, .01}, {.11, .00}},
};

static const printed *find_cell(int64_t n, double beta)
{
    for (int r = 0; r < LAB_PAPER_DIMENSIONS; r++)
        for (int c = 0; c < LAB_PAPER_NOISE; c++)
            if (lab_paper_dimensions[r] == n && lab_paper_noise[c] == beta)
                return &table[r][c];
    return NULL;
}

double lab_paper_rate(int64_t n, double beta)
{
    const printed *cell = find_cell(n, beta);
    return cell == NULL ? -1 : cell->rate;
}

double lab_paper_deviation(int64_t n, double beta)
{
    const printed *cell = find_cell(n, beta);
    return cell == NULL ? -1 : cell->deviation;
}
