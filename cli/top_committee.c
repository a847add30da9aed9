/* SPDX-License-Identifier: MIT */
#include "top.h"

#include "program/fail.h"

#include <stdlib.h>

/* A verdict and the place that its id had, for equals. */
typedef struct placed {
    top_verdict verdict;
    int64_t place;
} placed;

static int by_probability(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    double mine = a->verdict.verdict.probability, other = b->verdict.verdict.probability;
    if (mine != other)
        return mine > other ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static weft_status ask(weft_committee *committee, const weft_ranker_query *query, int64_t k, placed *answer,
                       weft_error *error)
{
    int64_t id = query->candidates[k];
    answer->place = k;
    answer->verdict.id = id;
    return weft_committee_predict(committee, query->column ? id : query->id, query->column ? query->id : id,
                                  &answer->verdict.verdict, error);
}

weft_status top_committee(weft_committee *committee, const weft_ranker_query *query, top_verdict **verdicts,
                          int64_t *found, weft_error *error)
{
    int64_t count = query->candidate_count, most = query->most < count ? query->most : count;
    placed *all = calloc((size_t)count + 1, sizeof *all);
    top_verdict *first = calloc((size_t)most + 1, sizeof *first);
    weft_status status = WEFT_OK;
    if (all == NULL || first == NULL) {
        free(first);
        free(all);
        return fail(error, WEFT_MEMORY, "out of memory");
    }
    for (int64_t k = 0; k < count; k++)
        TRY(ask(committee, query, k, &all[k], error));
    qsort(all, (size_t)count, sizeof *all, by_probability);
    for (int64_t k = 0; k < most; k++)
        first[k] = all[k].verdict;
    *verdicts = first;
    *found = most;
    first = NULL;
done:
    free(first);
    free(all);
    return status;
}
