/* SPDX-License-Identifier: MIT
 * How well a model knows an id. */
#ifndef WEFT_CLI_MODEL_WARMTH_H
#define WEFT_CLI_MODEL_WARMTH_H

#include "weft_files.h"

/* For every id that the model knew when it was opened: has its player learnt a label of it? */
typedef struct warmth {
    bool *warm[2]; /* rows and columns */
    int64_t count[2];
    bool compact;   /* not known: there is no evidence */
    bool hashed[2]; /* nor a list of ids */
} warmth;

/* To be asked before ids are let in. */
void warmth_find(const weft_model *model, warmth *known);
void warmth_free(warmth *known);

/* Of a row (side 0) or column (side 1): "warm", a label of it was learnt; "cold", only
 * side information or nothing; "new", the model has not met it.  The compact engine cannot tell warm
 * from cold, "listed", and where names are hashed nothing, "hashed". */
const char *warmth_of(const warmth *known, int side, int64_t id);

#endif
