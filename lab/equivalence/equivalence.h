/* SPDX-License-Identifier: MIT
 * The parts of the experiment `equivalence` (Proposition 1): a problem, five ways to play it, and
 * how far they are apart. */
#ifndef WEFT_LAB_EQUIVALENCE_EQUIVALENCE_H
#define WEFT_LAB_EQUIVALENCE_EQUIVALENCE_H

#include "lab/lab.h"
#include "lab/problem/problem.h"
#include "lab/report/fit.h"
#include "weft_advanced.h"

enum { EQUIVALENCE_KERNELS = WEFT_MIN + 1 };

/* "linear", "Gaussian", "min" */
const char *equivalence_kernel_name(weft_kernel kernel);

/* ---- The problem ---- */

/* What a run is. */
typedef struct equivalence_run {
    weft_kernel kernel;
    weft_updates updates;
    int64_t n;         /* rows, and columns */
    bool word_by_word; /* the reference engine plays too */
    bool tie;          /* D = m + n, with which a new pair of a kernel of unit diagonal has margin 0 */
    double spread;     /* R over the largest diagonal; 0: methods are compared, with the same R */
    uint64_t seed;
    int64_t number;
} equivalence_run;

/* Points in boxes, one box a class, and a kernel between them.  Either side has points of its
 * own: side 0 is that of the rows. */
typedef struct equivalence_problem {
    const equivalence_run *run;
    lab_blocks blocks;
    lab_stream stream;
    int64_t n, dimension;
    double *points[2]; /* n x dimension */
    double parameter;  /* of the kernel */
    double radius[2];  /* the largest diagonal */
    weft_settings settings;
} equivalence_problem;

weft_status equivalence_problem_draw(const equivalence_run *run, equivalence_problem *problem,
                                     weft_error *error);
void equivalence_problem_free(equivalence_problem *problem);

/* K(i,j) by the formula of the kernel, written a second time: the library is not asked. */
double equivalence_kernel(const equivalence_problem *problem, int side, int64_t i, int64_t j);
/* M = K^-1, n x n, to be freed. */
weft_status equivalence_matrix(const equivalence_problem *problem, int side, double **matrix,
                               weft_error *error);

/* ---- The methods ---- */

typedef enum equivalence_method_name {
    EQUIVALENCE_TRANSDUCTIVE, /* M and N of all ids, krylov: the one that others are held against */
    EQUIVALENCE_INDUCTIVE,    /* vectors, each appended when its id comes for the first time, krylov */
    EQUIVALENCE_CALLBACK,     /* the same with a kernel function of the user */
    EQUIVALENCE_ALGORITHM_1,  /* M and N, reference: one eigendecomposition an update */
    EQUIVALENCE_ALGORITHM_2,  /* reference, all made anew on every trial from the ids that count */
    EQUIVALENCE_METHODS
} equivalence_method_name;

/* For people. */
const char *equivalence_method_word(equivalence_method_name name);

typedef struct equivalence_method equivalence_method;

weft_status equivalence_method_create(equivalence_method_name name, const equivalence_problem *problem,
                                      equivalence_method **method, weft_error *error);
/* The learner of a method that knows all ids beforehand. */
weft_player *equivalence_method_learner(equivalence_method *method);
/* Plays the trial that is next. */
weft_status equivalence_method_play(equivalence_method *method, const lab_trial *trial, weft_answer *outcome,
                                    weft_error *error);
void equivalence_method_free(equivalence_method *method);

/* ---- One run ---- */

/* Marks at which the difference so far is noted: after trials / 2^(MARKS - 1), ..., trials. */
enum { EQUIVALENCE_MARKS = 8 };

/* What a run answers.  Of every method but the first: predictions and updates that differ, and the
 * largest difference of margins, as a fraction of max(1, |margin|); all -1 where it was not played.
 * With a spread only what stands before them. */
enum {
    EQUIVALENCE_TRIALS,
    EQUIVALENCE_MISTAKES,
    EQUIVALENCE_UPDATES,
    EQUIVALENCE_DIMENSION,
    EQUIVALENCE_BOUND,
    EQUIVALENCE_UNCERTIFIED, /* decisions of the first method that rounding did not let certify */
    EQUIVALENCE_APART,       /* 3 a method, from EQUIVALENCE_INDUCTIVE on */
    EQUIVALENCE_COURSE = EQUIVALENCE_APART + 3 * (EQUIVALENCE_METHODS - 1), /* of EQUIVALENCE_INDUCTIVE */
    EQUIVALENCE_ANSWERS = EQUIVALENCE_COURSE + EQUIVALENCE_MARKS
};

/* A lab_work over an equivalence_run. */
weft_status equivalence_play(const void *given, double *answer, weft_error *error);

/* ---- What is told ---- */

/* How far a method was from the first one, over all runs of a cell. */
typedef struct equivalence_apart {
    int64_t predictions, updates;
    double margin; /* the largest difference */
} equivalence_apart;

/* Runs that differ only in what is drawn; of `run` the number does not count. */
typedef struct equivalence_result {
    equivalence_run run;
    double trials; /* of all runs */
    lab_mean mistakes;
    lab_mean ratio; /* of mistakes to those of the same run with the least R */
    double dimension, bound;
    int64_t uncertified;
    equivalence_apart apart[EQUIVALENCE_METHODS]; /* of the first nothing */
    double course[EQUIVALENCE_MARKS];
} equivalence_result;

typedef struct equivalence_results {
    const lab_request *request;
    const equivalence_result *cells;
    int64_t count, runs;
} equivalence_results;

/* "margin", "mistake" */
const char *equivalence_updates_name(weft_updates updates);

/* Writes OUT/equivalence.csv, the figures and OUT/equivalence.html, and says what was found. */
weft_status equivalence_report(const equivalence_results *results, weft_error *error);

#endif
