/* SPDX-License-Identifier: MIT
 * What all rivals share, and the seam between them: one file a concept behind one
 * table of functions.  docs/rivals.md says exactly what each of them computes. */
#ifndef WEFT_RIVAL_RIVAL_H
#define WEFT_RIVAL_RIVAL_H

#include "base/bytes.h"
#include "base/memory.h"
#include "side/sheet.h"

/* The seam.  Ids are in range; for one set of ids pair[0] <= pair[1].  A rival that
 * is made and not read has learnt nothing. */
typedef struct weft__rival_kind {
    size_t size; /* of its struct, which begins with a weft_rival */
    /* Makes what the zeroed struct lacks; NULL where that is nothing.  After a failure
     * `release` is called. */
    weft_status (*create)(weft_rival *rival, weft_error *error);
    /* *score, changing nothing that can be seen. */
    weft_status (*score)(weft_rival *rival, const int64_t pair[2], double *score, weft_error *error);
    /* The probability of +1 at this score. */
    double (*probability)(double score);
    /* Learns; on failure nothing has changed that can be seen. */
    weft_status (*learn)(weft_rival *rival, const int64_t pair[2], int label, weft_error *error);
    /* What was learnt as bytes, and back into a rival that was just made.  The reader
     * answers WEFT_MODEL to what `write` never writes, and may leave anything behind
     * then, for the rival is thrown away. */
    void (*write)(const weft_rival *rival, weft__writer *writer);
    weft_status (*read)(weft_rival *rival, weft__reader *reader, weft_error *error);
    /* Frees what the kind owns, not the struct. */
    void (*release)(weft_rival *rival);
    /* The sheet of ids number `which` of a pair, for as long as the rival lives; it is told what is wanted of
     * it, and the ids that were learnt.  Answers whether every trial will read it.  NULL: none does. */
    bool (*share)(weft_rival *rival, int which, weft__sheet *sheet);
} weft__rival_kind;

/* Every kind's struct begins with this one. */
struct weft_rival {
    const weft__rival_kind *kind;
    weft_memory memory;
    weft_rival_settings settings;    /* with the defaults filled in */
    const weft_side *rows, *columns; /* borrowed; columns NULL for one set of ids */
};

extern const weft__rival_kind weft__rival_majority;
extern const weft__rival_kind weft__rival_logistic;
extern const weft__rival_kind weft__rival_factors;
extern const weft__rival_kind weft__rival_perceptron;

/* The side of ids number `which` of a pair: 0 rows, 1 columns, or the one set. */
const weft_side *weft__rival_side(const weft_rival *rival, int which);

/* 1 / (1 + exp(-x)), in [0, 1] for every finite x. */
double weft__sigmoid(double x);

/* WEFT_MODEL with these words. */
weft_status weft__rival_damaged(weft_error *error, const char *what);

/* A count that `reader` holds: from 0 to `most`, and with at least `bytes` bytes
 * behind it for each; anything else makes the reader fail and is 0. */
int64_t weft__get_count(weft__reader *reader, int64_t most, size_t bytes);

/* No more trials than this are learnt by any run, and no sum over them overflows. */
#define WEFT__TRIALS_MAX (INT64_C(1) << 53)

#endif
