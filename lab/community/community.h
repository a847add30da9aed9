/* SPDX-License-Identifier: MIT
 * The parts of the experiment `community`: who belongs together (section 4.2)? */
#ifndef WEFT_LAB_COMMUNITY_COMMUNITY_H
#define WEFT_LAB_COMMUNITY_COMMUNITY_H

#include "lab/lab.h"
#include "lab/report/fit.h"
#include "weft.h"

#include <stdint.h>

/* How the same pairs are predicted. */
typedef enum community_method {
    COMMUNITY_MISTAKES, /* the paper's form, both sides the PDLaplacian, mistake updates */
    COMMUNITY_MARGIN,   /* the same with margin updates: the regret theorem */
    COMMUNITY_ONE_SET,  /* one set of ids over the graph, mistake updates */
    COMMUNITY_NOTHING,  /* the paper's form without side information, mistake updates */
    COMMUNITY_ALONE,    /* one set of ids without side information, mistake updates */
    COMMUNITY_METHODS
} community_method;

typedef struct community_given {
    uint64_t seed;
    int64_t n, k;   /* vertices, communities */
    int64_t cut;    /* edges between communities, k - 1 at least; 0 where there is no graph */
    int64_t number; /* of the run: vertices keep their community whatever the cut is */
    community_method method;
} community_given;

/* What a run answers, in this order. */
enum {
    COMMUNITY_TRIALS,
    COMMUNITY_MISTAKEN,
    COMMUNITY_EXPECTED, /* of the drawn predictions with margin updates, else the mistakes */
    COMMUNITY_RADIUS,   /* R_L; 0 without a graph */
    COMMUNITY_DIMENSION,
    COMMUNITY_BOUND,
    COMMUNITY_UNCERTAIN, /* decisions that rounding did not let certify */
    COMMUNITY_ANSWERS
};

/* A lab_work over a community_given. */
weft_status community_work(const void *what, double *answer, weft_error *error);

/* "two sides, mistake updates", ... */
const char *community_method_name(community_method method);
/* Whether the graph is used, and whether rows and columns are one set of ids. */
bool community_has_graph(community_method method);
bool community_is_one_set(community_method method);

enum { COMMUNITY_MOST_KS = 3, COMMUNITY_GRAPHS = 3 };

/* What the runs that differ only in what is drawn came to. */
typedef struct community_cell {
    community_given given;                   /* of the first of them */
    lab_mean mistakes;                       /* expected ones with margin updates */
    lab_mean scaled;                         /* tr(R'LR) R_L, the cut times the radius, twice */
    double trials, radius, dimension, bound; /* means */
    double uncertain;                        /* of all runs */
} community_cell;

/* How mistakes grow: with the cut, and with the cut times the radius. */
typedef struct community_growth {
    lab_power cut, scaled;
} community_growth;

/* Cells by number of communities, then method, then cut. */
typedef struct community_results {
    const lab_request *request;
    const community_cell *cells;
    const int64_t *ks, *cuts;
    int64_t n, k_count, cut_count, runs;
    community_growth growth[COMMUNITY_MOST_KS][COMMUNITY_GRAPHS];
} community_results;

int64_t community_cell_count(const community_results *results);
/* `cut` is a place in the list of cuts; without a graph there is only one cell. */
const community_cell *community_cell_of(const community_results *results, int64_t k, community_method method,
                                        int64_t cut);

/* What was found, in a few sentences, to be freed. */
char *community_sentence(const community_results *results);

/* Draws the figures and writes the page. */
weft_status community_report(const community_results *results, weft_error *error);

#endif
