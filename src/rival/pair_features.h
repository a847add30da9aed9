/* SPDX-License-Identifier: MIT
 * What a linear model is told about a pair of ids: their names, what is known of them, and products of
 * these; and where the event has a context, that and its products with them. */
#ifndef WEFT_RIVAL_PAIR_FEATURES_H
#define WEFT_RIVAL_PAIR_FEATURES_H

#include "rival/rival.h"
#include "rival/traits.h"
#include "rival/weights.h"

/* Products of a pair where they are bounded, names of an id included; and the traits that either id keeps
 * then whatever the other has. */
enum { WEFT__CROSSES = 256, WEFT__CROSSED_TRAITS = 15 };

/* What there may be beside them of a context: values and products. */
enum { WEFT__CONTEXT_CROSSES = 256 };

/* A named feature of one id: the id itself, or one of its traits. */
typedef struct weft__name {
    uint64_t key;
    double value;
} weft__name;

/* The features of one pair at a time: list[0..count).  All is workspace, but for the scales of the traits. */
typedef struct weft__pair_features {
    weft_memory memory;
    bool bounded;           /* no more than WEFT__CROSSES products */
    weft__traits traits[2]; /* one set: the first */
    weft__name *names[2];   /* of both ids */
    int64_t name_count[2], name_capacity[2];
    weft__feature *list;
    int64_t count, capacity;
} weft__pair_features;

/* None, and no traits: of what is then listed by hand. */
weft__pair_features weft__pair_features_empty(const weft_memory *memory);
void weft__pair_features_free(weft__pair_features *features);

/* Those of ids and traits, into empty ones.  Where they are bounded the traits of the largest size are kept,
 * and numbers have a spread of 1 in place of a range. */
weft_status weft__pair_features_create(weft__pair_features *features, const weft__rival *rival, bool bounded,
                                       weft_error *error);

/* Room for so many. */
weft_status weft__pair_features_reserve(weft__pair_features *features, int64_t count, weft_error *error);

/* Makes the list that of `pair`: the constant, the names of both ids, and their products; then, where they
 * are bounded, the values of the player's context and their products with the names.  All is hashed into
 * the bits of the rival's settings. */
weft_status weft__pair_features_list(weft__pair_features *features, const weft__rival *rival,
                                     const int64_t pair[2], weft_error *error);

/* How many of its `own` largest traits an id keeps beside one that has `other`, where products are
 * bounded. */
int64_t weft__traits_kept(int64_t own, int64_t other);

/* The scales of the traits of both sides. */
void weft__pair_features_write(const weft__pair_features *features, weft__encoder *writer);
weft_status weft__pair_features_read(weft__pair_features *features, weft__decoder *reader, weft_error *error);

/* As `share` of rival.h. */
bool weft__pair_features_share(weft__pair_features *features, int which, weft__column_cache *cache);

#endif
