/* SPDX-License-Identifier: MIT */
#ifndef WEFT_RIVAL_PERCEPTRON_H
#define WEFT_RIVAL_PERCEPTRON_H

#include "rival/class_sums.h"
#include "rival/coefficients.h"
#include "rival/rival.h"
#include "rival/touched.h"

/* Two sides: S(s,t) is the sum of the labels of the updates of the pair of row slot s
 * and column slot t, in lines[0] by rows and in lines[1] by columns.  One set: S is
 * symmetric, S(s,t) for s != t the sum of the labels of the pair and S(s,s) twice
 * that, in lines[0] alone, and only the first of the touched is used.  The sum kernel
 * needs no S.  touched[].sum are the sums of the lines of S; total is that of the
 * labels of all updates. */
typedef struct weft__perceptron {
    weft__rival base;
    weft__touched touched[2];
    weft__lines lines[2];
    double total;
    /* Where the ids of both sides are in classes, or alone: S by class, and no similarities. */
    bool classed;
    weft__class_sums classes;
    double *u[2]; /* workspace: similarities of the two ids asked for */
    int64_t u_capacity[2];
    /* The last score, as long as nothing is learnt. */
    bool pending;
    int64_t pair[2];
    double score;
    int64_t visited; /* coefficients, for that score */
} weft__perceptron;

/* Which of touched and lines belongs to id `which` of a pair. */
int weft__perceptron_set(const weft__rival *rival, int which);

/* Fits the workspace to the touched ids, if it needs any. */
weft_status weft__perceptron_fit(weft__perceptron *self, weft_error *error);

/* Makes room for an update of the pair, and makes it; count is the sum of its labels. */
weft_status weft__perceptron_reserve(weft__perceptron *self, const int64_t pair[2], weft_error *error);
void weft__perceptron_add(weft__perceptron *self, const int64_t pair[2], double count);

/* Where it is classed: the score without the bias; what is added up by class, for an update, and for all of
 * S anew. */
double weft__perceptron_class_score(const weft__perceptron *self, const int64_t pair[2]);
weft_status weft__perceptron_reserve_classes(weft__perceptron *self, const int64_t pair[2],
                                             const int64_t slot[2], weft_error *error);
void weft__perceptron_add_classes(weft__perceptron *self, const int64_t pair[2], const int64_t slot[2],
                                  double count);
weft_status weft__perceptron_sum_classes(weft__perceptron *self, weft_error *error);

weft_status weft__perceptron_renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error);
void weft__perceptron_write(const weft__rival *rival, weft__encoder *writer);
weft_status weft__perceptron_read(weft__rival *rival, weft__decoder *reader, weft_error *error);

/* In pieces: perceptron_pieces.c. */
bool weft__perceptron_put_entries(const weft__rival *rival, int64_t at[2], size_t bytes,
                                  weft__encoder *writer);
void weft__perceptron_put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer);
void weft__perceptron_put_rest(const weft__rival *rival, weft__encoder *writer);
weft_status weft__perceptron_take(weft__rival *rival, weft__decoder *reader, weft_error *error);
weft_status weft__perceptron_take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error);

#endif
