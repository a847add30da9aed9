/* SPDX-License-Identifier: MIT
 * Which ids are ranked for an id: those of the other side, in the order of their
 * names, without the pairs that are left out. */
#ifndef WEFT_CLI_MODEL_CANDIDATES_H
#define WEFT_CLI_MODEL_CANDIDATES_H

#include "weft_files.h"

/* The id that is asked for, and one that is not to be ranked for it. */
typedef struct left_out {
    int64_t own, other;
} left_out;

/* An id by its name. */
typedef struct named_id {
    const char *name;
    int64_t id;
} named_id;

/* Begin with model and column. */
typedef struct candidates {
    const weft_model *model;
    bool column; /* columns are asked for and rows ranked */
    int64_t *ids;
    int64_t count;
    weft_ids *names; /* where the model keeps none: those of the file, */
    named_id *by_id; /* and the ids that they have, smallest first */
    left_out *pairs;
    int64_t pair_count, pair_capacity;
} candidates;

/* All that the model lists; WEFT_ARGUMENT where it lists none because names are hashed. */
weft_status candidates_all(candidates *list, weft_error *error);
/* Those of a file, one a line; unknown ones are let in as the SPEC says. */
weft_status candidates_read(candidates *list, const char *path, const weft_file_options *files,
                            weft_error *error);

/* The name of a candidate. */
const char *candidates_name(const candidates *list, int64_t id);

/* Leaves out the pairs of the evidence, those whose count is 0 again included; of a committee that of every
 * learner. */
void candidates_leave_seen(candidates *list);
/* Leaves out the pairs of files; those with an id that the model does not know
 * leave out nothing. */
weft_status candidates_leave_pairs(candidates *list, const char *const *paths, int64_t count,
                                   const weft_file_options *files, weft_error *error);

/* To be called when all is said, before the first candidates_of. */
void candidates_settle(candidates *list);

/* The candidates of one id, in chosen[0..count); their number. */
int64_t candidates_of(const candidates *list, int64_t id, int64_t *chosen);

void candidates_free(candidates *list);

#endif
