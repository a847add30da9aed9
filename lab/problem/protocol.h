/* SPDX-License-Identifier: MIT
 * The experiment of the paper's appendix: an n x n matrix with 9 x 9 latent blocks whose
 * labels are turned over with probability 0.1, a graph for either side that knows the
 * classes but for noise beta, all n^2 entries once in random order, gamma = 1/sqrt(9),
 * eta = sqrt(D log(2n) / (2 n^2)).
 *
 *                 text                                   authors
 *     classes     one vertex each, the others any        any, drawn anew until none is empty
 *     graph       star of cliques, every pair changes    an edge with probability 1 - beta
 *                 with probability beta                  inside a class, beta across
 *     joining     random edges between random pairs      one star
 *                 of components
 *     D           2 tr(R'MR) R_M + 2 tr(C'NC) R_N + 4k    4(cut_r R_r + k) + 4(cut_c R_c + k) + 4k
 *
 * where R_r and R_c are the largest diagonals of L^+ and cut_r = tr(R'LR), which counts
 * every edge between classes twice. */
#ifndef WEFT_LAB_PROBLEM_PROTOCOL_H
#define WEFT_LAB_PROBLEM_PROTOCOL_H

#include "lab/lab.h"
#include "lab/problem/graph.h"
#include "lab/problem/problem.h"

enum { LAB_CLASSES = 9 };

typedef enum lab_dimension {
    LAB_D_TEXT,
    LAB_D_AUTHORS,
    LAB_D_SHARP, /* the smallest that this library can prove (weft_side_term.value) */
    LAB_D_COUNT  /* m + n, as when nothing is known */
} lab_dimension;

/* Every choice that the paper leaves open, or that could be read in another way. */
typedef struct lab_protocol {
    lab_sizes sizes;
    bool drawn_edges; /* else flipped ones */
    bool star;        /* else joined randomly */
    lab_dimension dimension;
    double rate; /* times theory's eta */
    bool deterministic;
    bool mistakes;   /* mistake updates with eta = gamma */
    bool other_runs; /* other draws of everything: what chance moves */
} lab_protocol;

lab_protocol lab_protocol_of(lab_protocol_name name);
/* The graph of one side with k classes, class_of[i] in [0, k). */
lab_graph lab_protocol_graph(const lab_protocol *protocol, int64_t vertices, int64_t k,
                             const int64_t *class_of, double beta, lab_random *random);

/* One run: which problem, and how it is played. */
typedef struct lab_run {
    lab_protocol protocol;
    int64_t n;
    double beta;
    uint64_t seed;
    int64_t number; /* of the run */
} lab_run;

/* The seed of its thresholds, below 2^63. */
uint64_t lab_run_seed(const lab_run *run);

typedef struct lab_instance {
    lab_blocks blocks;
    lab_graph row_graph, column_graph;
    lab_stream stream;
    weft_side *rows, *columns;
    weft_settings settings; /* tolerance 0.2: expected mistakes are known to about .002 */
    /* Errors of the matrix + expected regret: thm:base, and the better of it and its form
     * in the appendix.  Negative where D is too small for the theorem, or no threshold drawn. */
    double bound, sharper;
} lab_instance;

/* The matrix, the graphs and the stream, without anything that costs time: what
 * `weft generate` writes. */
lab_instance lab_instance_draw(const lab_run *run);
/* Sides, settings and bound. */
weft_status lab_instance_settle(const lab_run *run, lab_instance *instance, weft_error *error);
void lab_instance_free(lab_instance *instance);

/* Mistakes a trial of the paper's table; negative where it has no such cell. */
double lab_paper_rate(int64_t n, double beta);
/* The paper's +-, likewise. */
double lab_paper_deviation(int64_t n, double beta);
/* The grid of its table, in its order. */
extern const int64_t lab_paper_dimensions[];
extern const double lab_paper_noise[];
enum { LAB_PAPER_DIMENSIONS = 13, LAB_PAPER_NOISE = 6 };
/* Runs behind every cell of it. */
enum { LAB_PAPER_RUNS = 10 };

#endif
