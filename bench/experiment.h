/* SPDX-License-Identifier: MIT
 * The experiment of the paper's appendix: a (9,9)-biclustered n x n matrix whose
 * labels are turned over with probability 0.1, and a graph for either side, the
 * star of cliques of section 4.1, in which every pair of vertices changes
 * between edge and no edge with probability beta = 0.125.
 *
 *     D = 2 tr(R'MR) R_M + 2 tr(C'NC) R_N + 4k     eta = sqrt(D log(2n) / (2T))
 *     T = n^2                                       gamma = 1 / sqrt(k)
 *
 * All entries come once, in random order.  The same seed gives the same run. */
#ifndef WEFT_BENCH_EXPERIMENT_H
#define WEFT_BENCH_EXPERIMENT_H

#include "measure.h"

#include <math.h>
#include <stdbool.h>

enum { CLASSES = 9 };

static const double LABEL_NOISE = 0.10, GRAPH_NOISE = 0.125;

typedef struct trial {
    int64_t row, column;
    int label;
} trial;

typedef struct experiment {
    int64_t n, trials; /* n^2 of them */
    weft_side *rows, *columns;
    weft_settings settings;
    trial *stream;
} experiment;

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static inline uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline int64_t draw_below(uint64_t *state, int64_t limit)
{
    return (int64_t)(draw(state) % (uint64_t)limit);
}

static inline bool draw_event(uint64_t *state, double probability)
{
    return (double)(draw(state) >> 11) * 0x1p-53 < probability;
}

static inline int draw_sign(uint64_t *state)
{
    return draw_event(state, 0.5) ? 1 : -1;
}

/* Every class occurs: vertex c < k is of class c, the others of any. */
static inline void draw_classes(uint64_t *state, int64_t n, int64_t k, int64_t *class_of)
{
    for (int64_t i = 0; i < n; i++)
        class_of[i] = i < k ? i : draw_below(state, k);
}

static inline void turn_over(unsigned char *edge, int64_t n, int64_t i, int64_t j)
{
    edge[i * n + j] ^= 1;
    edge[j * n + i] ^= 1;
}

/* One clique a class; vertex 0 is joined to one vertex of every other clique. */
static inline unsigned char *star_of_cliques(int64_t n, const int64_t *class_of)
{
    unsigned char *edge = allocate(n * n, 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (class_of[i] == class_of[j] || (j == 0 && i < CLASSES))
                turn_over(edge, n, i, j);
    return edge;
}

static inline void disturb(uint64_t *state, int64_t n, unsigned char *edge)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (draw_event(state, GRAPH_NOISE))
                turn_over(edge, n, i, j);
}

/* component[i] = the first vertex of the component of i; returns how many there
 * are.  Labels sink along edges until none can: a few passes over a dense graph. */
static inline int64_t find_components(int64_t n, const unsigned char *edge, int64_t *component)
{
    int64_t count = 0;
    bool changed = true;
    for (int64_t i = 0; i < n; i++)
        component[i] = i;
    while (changed) {
        changed = false;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (edge[i * n + j] && component[j] < component[i]) {
                    component[i] = component[j];
                    changed = true;
                }
    }
    for (int64_t i = 0; i < n; i++)
        count += component[i] == i;
    return count;
}

/* A random vertex of the component number `which`, counted from 0. */
static inline int64_t draw_member(uint64_t *state, int64_t n, const int64_t *component, int64_t which)
{
    int64_t first = 0;
    for (int64_t i = 0; i < n; i++)
        if (component[i] == i && which-- == 0)
            first = i;
    for (;;) {
        int64_t i = draw_below(state, n);
        if (component[i] == first)
            return i;
    }
}

/* Two random components become one by a random edge, until there is one. */
static inline void join_components(uint64_t *state, int64_t n, unsigned char *edge)
{
    int64_t *component = allocate(n, sizeof *component), count;
    while ((count = find_components(n, edge, component)) > 1) {
        int64_t a = draw_below(state, count), b = (a + 1 + draw_below(state, count - 1)) % count;
        turn_over(edge, n, draw_member(state, n, component, a), draw_member(state, n, component, b));
    }
    free(component);
}

static inline weft_side *side_of_edges(int64_t n, const unsigned char *edge)
{
    weft_error error;
    weft_side *side = NULL;
    int64_t *from = allocate(n * n / 2, sizeof *from), *to = allocate(n * n / 2, sizeof *to), edges = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (edge[i * n + j]) {
                from[edges] = i;
                to[edges++] = j;
            }
    weft_graph graph = {.vertices = n, .edges = edges, .from = from, .to = to};
    require(weft_side_from_graph(&graph, NULL, &side, &error), &error);
    free(from);
    free(to);
    return side;
}

/* A side of n vertices in the given classes, and what it adds to D. */
static inline weft_side *draw_side(uint64_t *state, int64_t n, const int64_t *class_of, double *dimension)
{
    weft_error error;
    weft_side_term term;
    unsigned char *edge = star_of_cliques(n, class_of);
    disturb(state, n, edge);
    join_components(state, n, edge);
    weft_side *side = side_of_edges(n, edge);
    require(weft_theory_side(side, class_of, &term, &error), &error);
    *dimension += term.laplacian;
    free(edge);
    return side;
}

/* All n^2 entries in random order, with the labels of their blocks, some wrong. */
static inline trial *draw_stream(uint64_t *state, int64_t n, const int64_t *row_class,
                                 const int64_t *column_class)
{
    int block[CLASSES][CLASSES];
    trial *stream = allocate(n * n, sizeof *stream);
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            block[r][c] = draw_sign(state);
    for (int64_t t = 0; t < n * n; t++) {
        int64_t i = t / n, j = t % n;
        int truth = block[row_class[i]][column_class[j]];
        stream[t] = (trial){i, j, draw_event(state, LABEL_NOISE) ? -truth : truth};
    }
    for (int64_t t = n * n - 1; t > 0; t--) {
        int64_t s = draw_below(state, t + 1);
        trial other = stream[s];
        stream[s] = stream[t];
        stream[t] = other;
    }
    return stream;
}

static inline experiment experiment_create(int64_t n, uint64_t seed)
{
    experiment e = {.n = n, .trials = n * n};
    uint64_t state = seed;
    double dimension = 0;
    int64_t *row_class = allocate(n, sizeof *row_class), *column_class = allocate(n, sizeof *column_class);
    draw_classes(&state, n, CLASSES, row_class);
    draw_classes(&state, n, CLASSES, column_class);
    e.rows = draw_side(&state, n, row_class, &dimension);
    e.columns = draw_side(&state, n, column_class, &dimension);
    e.stream = draw_stream(&state, n, row_class, column_class);
    weft_scale scale = {.dimension = dimension, .gamma = 1 / sqrt(CLASSES), .size = 2 * n, .horizon = n * n};
    e.settings = weft_settings_default(n, n, n * n);
    e.settings.dimension = dimension;
    e.settings.gamma = scale.gamma;
    e.settings.eta = weft_theory_eta(&scale);
    e.settings.tolerance = 0; /* decisions only */
    free(row_class);
    free(column_class);
    return e;
}

static inline void experiment_free(experiment *e)
{
    weft_side_free(e->rows);
    weft_side_free(e->columns);
    free(e->stream);
}

static inline weft_learner *experiment_learner(const experiment *e, weft_engine engine)
{
    weft_error error;
    weft_learner *learner = NULL;
    weft_settings settings = e->settings;
    settings.engine = engine;
    require(weft_learner_create(e->rows, e->columns, &settings, NULL, &learner, &error), &error);
    return learner;
}

/* Predict, then learn: trial t of the experiment. */
static inline weft_outcome play(weft_learner *learner, const trial *t)
{
    weft_error error;
    weft_prediction prediction;
    weft_outcome outcome;
    require(weft_learner_predict(learner, t->row, t->column, &prediction, &error), &error);
    require(weft_learner_learn(learner, t->row, t->column, t->label, &outcome, &error), &error);
    return outcome;
}

#endif
