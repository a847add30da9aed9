/* SPDX-License-Identifier: MIT
 * Logistic regression: logistic.c predicts and learns, logistic_many.c scores the candidates of a ranking. */
#ifndef WEFT_RIVAL_LOGISTIC_H
#define WEFT_RIVAL_LOGISTIC_H

#include "rival/block.h"
#include "rival/rival.h"
#include "rival/traits.h"
#include "rival/weights.h"

/* A named feature of one id. */
typedef struct weft__name {
    uint64_t key;
    double value;
} weft__name;

/* The traits, names and features are workspace that nothing depends on; but the
 * scales of the traits are state. */
typedef struct weft__logistic {
    weft__rival base;
    weft__weights weights;
    weft__traits traits[2]; /* hashed only; one set: the second is not used */
    weft__name *names[2];   /* of both ids */
    int64_t name_count[2], name_capacity[2];
    weft__feature *features; /* of the pair */
    int64_t feature_count, feature_capacity;
} weft__logistic;

static inline bool weft__logistic_is_hashed(const weft__rival *rival)
{
    return rival->settings.kind == WEFT_RIVAL_LOGISTIC;
}

/* As rival.h says.  A score leaves the features of its pair in the workspace. */
weft_status weft__logistic_score(weft__rival *rival, const int64_t pair[2], double *score, weft_error *error);
weft_status weft__logistic_score_many(weft__rival *rival, weft__block *block, double *score,
                                      weft_error *error);

#endif
