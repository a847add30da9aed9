/* SPDX-License-Identifier: MIT
 * weft bound: what the theorems promise before anything is played.
 *
 *     side information, classes --measure--> D, gamma --state--> five statements --tell--> text or JSON */
#ifndef WEFT_CLI_BOUND_BOUND_H
#define WEFT_CLI_BOUND_BOUND_H

#include "cli/command/commands.h"
#include "cli/input/source.h"
#include "cli/input/truth.h"
#include "weft_theory.h"

/* Numbers that were not given are 0, strings NULL. */
typedef struct bound_options {
    source_options from;
    truth_options truth;
    bool communities;
    int64_t horizon;
    int64_t errors; /* of the comparator; negative: not given */
    int64_t row_capacity, column_capacity;
    double eta, gamma, dimension;
    double box_separation, box_range; /* separation 0: there are files */
    int64_t box_dimension;
    bool json;
} bound_options;

/* One side and what the classes make of it. */
typedef struct bound_side {
    weft_roster *roster; /* NULL for boxes, which have no files */
    truth_side truth;
    bool separate;       /* nothing is known, and each id taken for a class of its own */
    int64_t room;        /* m or n: ids, listed or still to come */
    bool measured;       /* against classes: */
    weft_side_term term; /* infinite values do not apply */
    double resistance;   /* R_L of a graph, else 0 */
} bound_side;

typedef struct bound_problem {
    const bound_options *options;
    bound_side rows, columns; /* one set of ids: only the first */
    bool one_set;
    weft_measure measure;
    /* What the classes do not tell is taken from --gamma and --dimension. */
    bool gamma_assumed, dimension_assumed;
    weft_settings settings; /* for margin updates */
    weft_reasons reasons;
} bound_problem;

/* Reads the files and measures; on failure there may be something to close. */
weft_status bound_open(const bound_options *options, bound_problem *problem, weft_error *error);
void bound_close(bound_problem *problem);

typedef enum bound_verdict {
    BOUND_MEANINGFUL,
    BOUND_COIN,    /* above T/2 */
    BOUND_VACUOUS, /* T or above */
    BOUND_NONE     /* the statement does not apply */
} bound_verdict;

/* One theorem or lemma, its numbers filled in. */
typedef struct bound_statement {
    const char *kind;   /* a word for programs */
    const char *source; /* its label in the paper, and what it is about */
    const char *how;    /* how one has to learn for it */
    const char *formula;
    char filled[240]; /* the formula with numbers for symbols */
    double eta;
    double value;         /* of mistakes, expected ones where predictions are drawn; infinite: none */
    double horizon;       /* the T from which on it would be below T/2; 0: not known */
    double dimension;     /* the largest D for which it would be, where D is not known; else 0 */
    const char *obstacle; /* why it does not apply, or NULL */
    bound_verdict verdict;
} bound_statement;

enum { BOUND_STATEMENTS = 5 };

void bound_state(const bound_problem *problem, bound_statement statements[BOUND_STATEMENTS]);
/* The one with the smallest value, or NULL. */
const bound_statement *bound_best(const bound_statement statements[BOUND_STATEMENTS]);
/* "meaningful", "coin", "vacuous", "none" */
const char *bound_verdict_name(bound_verdict verdict);

/* On standard output, for people and for programs. */
void bound_tell(const bound_problem *problem, const bound_statement statements[BOUND_STATEMENTS]);
weft_status bound_json(const bound_problem *problem, const bound_statement statements[BOUND_STATEMENTS],
                       weft_error *error);

#endif
