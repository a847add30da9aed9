/* SPDX-License-Identifier: MIT
 * What the side information is worth: predictions without some of it, beside those with all of it. */
#ifndef WEFT_COMMITTEE_VOTE_ABLATION_H
#define WEFT_COMMITTEE_VOTE_ABLATION_H

#include "committee/vote/stack.h"
#include "player/paired.h"

/* A stack over the members that do without some side information, beside the committee's stack. */
typedef struct weft__ablation {
    int64_t count;   /* its members; 0: none does without */
    int64_t *member; /* which */
    weft__stack stack;
    weft_paired log_loss, mistakes; /* `with` is the committee's stack, `without` this one */
} weft__ablation;

/* So many trials are compared.  Later on a run without the side information goes by members that are not
 * here: those that it takes from its reserve, and more that know ids alone. */
enum { WEFT__TOLD = 16384 };

/* What the committee's stack has lost in a trial. */
typedef struct weft__lost {
    double log_loss;
    bool mistake;
} weft__lost;

/* Hears the members k with uses[k] & without == 0. */
weft_status weft__ablation_create(const weft_memory *memory, int64_t members, const int *uses, int without,
                                  weft__ablation *ablation, weft_error *error);
void weft__ablation_release(weft__ablation *ablation, const weft_memory *memory);

/* Takes the scores of the trial, 0 for members that sleep. */
void weft__ablation_hear(weft__ablation *ablation, const double *score);
/* The probability of +1 at the scores of the trial.  There is at least one member. */
double weft__ablation_predict(weft__ablation *ablation, const double *score);
/* Learns the label of that; `mistake`: its own vote was wrong. */
void weft__ablation_learn(weft__ablation *ablation, int label, bool mistake, weft__lost with);
/* Member k goes to rest, or returns. */
void weft__ablation_drop(weft__ablation *ablation, int64_t k);
void weft__ablation_admit(weft__ablation *ablation, int64_t k);

void weft__ablation_write(const weft__ablation *ablation, weft__encoder *writer);
/* The two comparisons of another ablation behind these. */
void weft__ablation_append(weft__ablation *ablation, const weft__ablation *other);
/* False where the bytes are not what `write` writes, after at most so many trials. */
bool weft__ablation_read(weft__ablation *ablation, int64_t trials, weft__decoder *reader);

#endif
