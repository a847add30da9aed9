/* SPDX-License-Identifier: MIT
 * Logistic regression: logistic.c predicts and learns, logistic_many.c scores the candidates of a ranking. */
#ifndef WEFT_RIVAL_LOGISTIC_H
#define WEFT_RIVAL_LOGISTIC_H

#include "rival/block.h"
#include "rival/pair_features.h"

typedef struct weft__logistic {
    weft__rival base;
    weft__weights weights;
    weft__pair_features features; /* of which state is the scales of the traits */
} weft__logistic;

/* Whether features are hashed, and not the biases of ids. */
static inline bool weft__logistic_is_hashed(const weft__rival *rival)
{
    return rival->settings.kind != WEFT_RIVAL_BIAS;
}

static inline bool weft__logistic_is_crossed(const weft__rival *rival)
{
    return rival->settings.kind == WEFT_RIVAL_CROSSED;
}

/* As rival.h says.  A score leaves the features of its pair in the workspace. */
weft_status weft__logistic_score(weft__rival *rival, const int64_t pair[2], double *score, weft_error *error);
weft_status weft__logistic_score_many(weft__rival *rival, weft__block *block, double *score,
                                      weft_error *error);

#endif
