/* SPDX-License-Identifier: MIT
 * The parts of the experiment `boxes`: rows and columns are points in boxes (section 5.1). */
#ifndef WEFT_LAB_BOXES_BOXES_H
#define WEFT_LAB_BOXES_BOXES_H

#include "lab/lab.h"
#include "lab/problem/box.h"
#include "lab/problem/problem.h"
#include "lab/report/fit.h"
#include "lab/report/page.h"
#include "weft_advanced.h"

#include <stdint.h>

/* ---- One run ---- */

/* A matrix whose rows are points in k boxes of [-range,range]^dimension, its columns in l. */
typedef struct boxes_given {
    uint64_t seed;
    int64_t count; /* of the rows, and of the columns */
    int64_t k, l, dimension;
    double range, separation;
    int64_t trials;
    int64_t number; /* of the run */
    int64_t room;   /* for rows that may come after the stream */
    bool blind;     /* nothing is known of rows and columns */
    bool twice;     /* also with all points known in advance, to be compared */
} boxes_given;

/* What a run answers, in this order. */
enum {
    BOXES_MISTAKES,
    BOXES_LATE_FIRST, /* first pairs of two ids that arrive in the second half */
    BOXES_LATE_WRONG, /* and the mistakes among them */
    BOXES_TRACE,      /* tr(R'MR) + tr(C'NC) */
    BOXES_GENERAL,    /* k tr(R'MR) R_M + l tr(C'NC) R_N: the paper's D */
    BOXES_DIMENSION,  /* the D that is used, the least that can be proved */
    BOXES_BOUND,
    BOXES_UNCERTAIN, /* decisions that rounding did not let certify */
    BOXES_DIFFERENT, /* predictions and updates that are not those with all known in advance */
    BOXES_ANSWERS
};

/* A lab_work over a boxes_given. */
weft_status boxes_work(const void *what, double *answer, weft_error *error);

/* A problem: to be looked at, and to be played. */
typedef struct boxes_problem {
    lab_blocks blocks;
    lab_boxes row_boxes, column_boxes;
    double *row_points, *column_points; /* count x dimension */
    lab_stream stream;
} boxes_problem;

weft_status boxes_problem_draw(const boxes_given *given, boxes_problem *problem, weft_error *error);
void boxes_problem_free(boxes_problem *problem);

/* The learner after the whole stream, with the sides that it borrows. */
typedef struct boxes_played {
    weft_side *rows, *columns;
    weft_player *learner;
    double trace, general, bound; /* as above */
} boxes_played;

/* Plays the stream.  decisions[t] is a sum: 1 for a mistake at trial t, 2 for an update, 4 where
 * rounding did not let certify one of them. */
weft_status boxes_play(const boxes_given *given, const boxes_problem *problem, bool known,
                       boxes_played *played, unsigned char *decisions, weft_error *error);
void boxes_played_free(boxes_played *played);

/* ---- All runs ---- */

/* What is varied. */
typedef enum boxes_sweep {
    BOXES_LINE,        /* k = l in one dimension */
    BOXES_SQUARE,      /* k = l in two */
    BOXES_BLIND,       /* k = l, nothing known */
    BOXES_COLUMNS,     /* l alone, in one dimension */
    BOXES_LINE_APART,  /* the separation in one dimension */
    BOXES_PLANE_APART, /* in two */
    BOXES_DEEPER,      /* the dimension */
    BOXES_SWEEPS
} boxes_sweep;

/* "k = l, d = 1", ... */
const char *boxes_sweep_name(boxes_sweep sweep);

/* What the runs that differ only in what is drawn came to. */
typedef struct boxes_cell {
    boxes_given given; /* of the first of them */
    double x;          /* what is varied */
    lab_mean mistakes, trace, general, dimension;
    lab_range traces;           /* of the runs */
    int64_t kept;               /* runs whose trace is up to the promise */
    double late_wrong;          /* share of wrong first pairs in the second half */
    double bound;               /* mean */
    double promise;             /* k (4/delta*)^d + l (4/delta*)^d */
    double compared, different; /* trials of all runs */
    double uncertain;           /* likewise */
} boxes_cell;

typedef struct boxes_growth {
    lab_power mistakes, trace, general, dimension;
} boxes_growth;

typedef struct boxes_results {
    const lab_request *request;
    const boxes_cell *cells;
    int64_t first[BOXES_SWEEPS + 1]; /* cells of sweep s are first[s], ..., first[s + 1] - 1 */
    int64_t runs;
    boxes_growth growth[BOXES_SWEEPS]; /* with x; of the dimension with exp(x) */
} boxes_results;

/* What all cells with points come to, and all comparisons. */
typedef struct boxes_verdict {
    int64_t cells, biting;      /* bounds below the number of trials */
    int64_t runs, kept;         /* traces up to the promise */
    lab_range promised;         /* promise over trace, of the largest and the least trace of a cell */
    double compared, different; /* trials, with all points known in advance */
} boxes_verdict;

boxes_verdict boxes_judge(const boxes_results *results);

/* What was found, in a few sentences, to be freed. */
char *boxes_sentence(const boxes_results *results);

/* Draws the figures and writes the page. */
weft_status boxes_report(const boxes_results *results, weft_error *error);
/* Charts of the results, with their captions. */
weft_status boxes_add_charts(lab_page *page, const boxes_results *results, weft_error *error);
/* The function of lem:norm_f_bound, and what a learner has learnt, over the plane. */
weft_status boxes_add_maps(lab_page *page, const lab_request *request, weft_error *error);

#endif
