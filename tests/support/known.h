/* SPDX-License-Identifier: MIT
 * Random side information of every kind, with the kernel that it means worked
 * out here from its definition, so that the library's can be compared. */
#ifndef WEFT_TESTS_KNOWN_H
#define WEFT_TESTS_KNOWN_H

#include "support/dice.h"
#include "weft_advanced.h"

typedef enum known_kind {
    KNOWN_NONE,
    KNOWN_CLASSES,
    KNOWN_KERNEL,
    KNOWN_MATRIX,
    KNOWN_GRAPH,
    KNOWN_LINEAR,
    KNOWN_GAUSSIAN,
    KNOWN_MIN,
    KNOWN_CALLBACK,
    KNOWN_REGULARISED, /* of a graph, as is */
    KNOWN_DIFFUSION,
    KNOWN_KINDS
} known_kind;

/* How a given kernel (or callback) is singular. */
typedef enum known_flaw {
    FLAW_NONE,
    FLAW_RANK_ONE,
    FLAW_ZERO_ROW,
    FLAW_DUPLICATE,
    FLAW_LOW_RANK,
    FLAW_KINDS
} known_flaw;

typedef struct known {
    known_kind kind;
    known_flaw flaw;
    int64_t count;  /* ids in the end */
    int64_t listed; /* ids when the side is made; the others are appended */
    bool *alone;    /* of the appended ones: similar to nothing */
    double parameter;
    int64_t dimension;
    double *values;    /* features, or the matrix M over the listed ids */
    int64_t *class_of; /* classes */
    int64_t edges, *from, *to;
    double *weight;
    bool normalised, unit; /* of a graph */
    weft_graph_path path;
    double *kernel; /* K, count x count, by its definition */
    weft_side_options options;
    double radius;   /* the squared radius that follows */
    double constant; /* R_L of a PDLaplacian that is not scaled, else 0 */
} known;

/* `listed` < count makes the last ids newcomers. */
void known_draw(dice *d, known_kind kind, int64_t count, int64_t listed, known *what);
void known_release(known *what);

/* The kinds whose kernel depends on all listed ids at once. */
void known_draw_matrix(dice *d, known *what);
void known_draw_graph(dice *d, known *what);
bool known_is_graph(known_kind kind);

/* K from the weights of a graph (order x order, joined already where it must be) and
 * the kernel that *what says, row by row; answers the constant part. */
double known_graph_kernel(const known *what, int64_t order, const double *weights, long double *kernel);

/* The side with the listed ids; a callback borrows *what. */
weft_status known_side(known *what, weft_side **side, weft_error *error);

/* Appends the next id. */
weft_status known_append(const known *what, weft_side *side, weft_error *error);

/* The largest |entry - kernel| / radius over the ids that the side has. */
double known_difference(const known *what, const weft_side *side);

const char *known_name(known_kind kind);

#endif
