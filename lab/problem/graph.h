/* SPDX-License-Identifier: MIT
 * Graphs that know, more or less, the classes of their vertices. */
#ifndef WEFT_LAB_PROBLEM_GRAPH_H
#define WEFT_LAB_PROBLEM_GRAPH_H

#include "lab/problem/random.h"
#include "weft_advanced.h"

/* Undirected, without loops, all edges of weight 1. */
typedef struct lab_graph {
    int64_t vertices;
    unsigned char *edge; /* vertices x vertices, symmetric, 0 or 1 */
} lab_graph;

void lab_graph_free(lab_graph *graph);

/* Section 4.1: one clique a class, class_of[i] in [0, k); the first vertex of the first class that
 * occurs is the centre and is joined to the first vertex of every other one. */
lab_graph lab_graph_ideal(int64_t vertices, int64_t k, const int64_t *class_of);
/* Every pair of vertices changes between edge and no edge with that probability. */
void lab_graph_flip(lab_graph *graph, double beta, lab_random *random);
/* An edge with probability 1 - beta inside a class, beta across. */
lab_graph lab_graph_drawn(int64_t vertices, const int64_t *class_of, double beta, lab_random *random);

/* Until there is one component: two random ones are joined by a random edge. */
void lab_graph_join_randomly(lab_graph *graph, lab_random *random);
/* The first vertex of every other component is joined to the first vertex. */
void lab_graph_join_star(lab_graph *graph);

int64_t lab_graph_edges(const lab_graph *graph);
/* The number of edges between classes: half of tr(R'LR). */
int64_t lab_graph_cut(const lab_graph *graph, const int64_t *class_of);
/* Its PDLaplacian; the graph must be connected. */
weft_status lab_graph_side(const lab_graph *graph, weft_side **side, weft_error *error);

/* ---- Side information that knows the classes exactly, in the two ways of section 4.1 ---- */

typedef enum lab_ideal {
    LAB_PARTITION, /* the partition kernel, epsilon = LAB_EPSILON */
    LAB_CLIQUES,   /* the PDLaplacian of one clique a class, joined as a star */
    LAB_IDEALS
} lab_ideal;

/* Small enough that its constants are those of epsilon = 0 to a per cent, large enough that no
 * computation sees a singular kernel. */
#define LAB_EPSILON 0.01

/* "partition kernel", "clique star" */
const char *lab_ideal_name(lab_ideal ideal);

/* class_of[i] in [0, k) for each of `count` ids. */
weft_status lab_ideal_side(lab_ideal ideal, int64_t count, int64_t k, const int64_t *class_of,
                           weft_side **side, weft_error *error);

#endif
