/* SPDX-License-Identifier: MIT
 * What the evidence of a model looks like: its size, and where it is heaviest. */
#ifndef WEFT_CLI_MODEL_SUMMARY_H
#define WEFT_CLI_MODEL_SUMMARY_H

#include "weft_files.h"

/* An id, the pairs of it that carry evidence, and the sum of their |count|. */
typedef struct id_weight {
    int64_t id;
    int64_t pairs, weight;
} id_weight;

typedef struct summary {
    int64_t pairs, nonzero; /* ever learnt, and with a count that is not 0 now */
    int64_t weight;         /* sum of |count| */
    int64_t balance;        /* sum of count */
    /* Heaviest first, ties in order of first learning (ids: by number); at most
     * as many as were asked for, and no zeros. */
    weft_evidence_entry *heaviest;
    int64_t heaviest_count;
    id_weight *ids[2]; /* rows, columns; one set of ids: only the first */
    int64_t ids_count[2];
    int64_t touched[2]; /* ids that carry evidence */
} summary;

/* Of a learner over the ids of the model. */
summary summary_make(const weft_model *model, const weft_player *learner, int64_t most);
void summary_free(summary *made);

#endif
