/* SPDX-License-Identifier: MIT
 * The bytes of a diagonal that is kept beside a model. */
#ifndef WEFT_IO_MODEL_DIAGONAL_H
#define WEFT_IO_MODEL_DIAGONAL_H

#include "base/digest.h"
#include "learner/rank/ranker.h"

/* Whose diagonal it is: the bytes of the model, and the state of its learner. */
typedef struct weft__owner {
    weft__digest model, state;
} weft__owner;

/* Puts the entries of a stored diagonal into the ranker; *found is false, and nothing
 * happens, where it belongs to another owner.  WEFT_MODEL, naming `name`, where it is
 * damaged; then nothing was put either. */
weft_status weft__diagonal_take(const char *name, const unsigned char *bytes, int64_t size,
                                const weft__owner *of, weft__ranker *ranker, bool *found, weft_error *error);

#endif
