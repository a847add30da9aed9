/* SPDX-License-Identifier: MIT
 * What `weft explain` found, and its languages: CSV, JSON, text and a picture. */
#ifndef WEFT_CLI_MODEL_EXPLAIN_H
#define WEFT_CLI_MODEL_EXPLAIN_H

#include "cli/model/model.h"
#include "program/output.h"

/* What a line of the answer stands for: a pair, or all pairs of an id. */
typedef enum share_kind { SHARE_PAIR, SHARE_ROW, SHARE_COLUMN, SHARE_ID, SHARE_KINDS } share_kind;

/* One line.  Names are those of the model; the one that does not matter is NULL. */
typedef struct share {
    share_kind kind;
    const char *row, *column;
    int64_t count;
    double derivative, influence;
} share;

/* Shares of one kind, largest first; only `shown` of them are told. */
typedef struct share_list {
    share *shares;
    int64_t count, shown;
} share_list;

typedef struct explain_options {
    model_place place;
    const char *row, *column;
    const char *context; /* its values, or NULL */
    bool wanted[SHARE_KINDS];
    int64_t most; /* of a kind, 0: all */
    double tolerance;
    const char **pictures;
    int64_t picture_count;
    const char *out;
    bool json, quiet;
} explain_options;

typedef struct explanation {
    const explain_options *options;
    weft_model model;
    /* Of a committee the margin is that of the learner that leads it: */
    bool of_member;
    weft_standing leader; /* where that one stands, */
    weft_answer answer;   /* and what the committee says itself */
    weft_explanation whole;
    share_list lists[SHARE_KINDS];
} explanation;

/* "pair", "row", "column", "id" */
const char *explain_kind(share_kind kind);

/* explain_show.c.  For programs: */
void explain_csv(const explanation *found, FILE *out);
weft_status explain_json(const explanation *found, FILE *out, weft_error *error);
/* For people, on standard error, and as a picture. */
void explain_tell(const explanation *found);
weft_status explain_draw(const explanation *found, weft_error *error);

#endif
