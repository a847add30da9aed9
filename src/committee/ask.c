/* SPDX-License-Identifier: MIT
 *
 * Members side by side: each is asked and told by one thread, and writes to places of its own, so that the
 * number of threads changes nothing. */
#include "committee/committee.h"

#include <string.h>

weft_status weft_committee_set_threads(weft_committee *committee, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__crew *crew = NULL;
    if (threads < 0 || threads > WEFT_THREAD_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "threads is %d, expected 0 to %d", threads,
                          WEFT_THREAD_LIMIT);
    if (threads > 1)
        TRY(weft__crew_create(threads, &committee->memory, &crew, error));
    weft__crew_free(committee->crew);
    committee->crew = crew;
    committee->settings.threads = threads;
done:
    return status;
}

/* The first failure, in the order of the members. */
static weft_status collect(const weft_committee *committee, weft_error *error)
{
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__report *report = &committee->reports[k];
        if (report->status == WEFT_OK)
            continue;
        if (error != NULL)
            *error = report->error;
        return report->status;
    }
    return WEFT_OK;
}

static void ask_one(void *self, int64_t k)
{
    weft_committee *committee = self;
    weft__member *member = &committee->members[k];
    weft__report *report = &committee->reports[k];
    report->status = WEFT_OK;
    if (committee->awake[k])
        report->status = member->kind->predict(member, committee->question.pair,
                                               &committee->question.voice[k], &report->error);
}

weft_status weft__committee_ask(weft_committee *committee, weft_error *error)
{
    weft_status status = weft__committee_share(committee, error);
    if (status != WEFT_OK)
        return status;
    weft__crew_run(committee->crew, committee->count, ask_one, committee);
    return collect(committee, error);
}

static void tell_one(void *self, int64_t k)
{
    weft_committee *committee = self;
    weft__question *q = &committee->question;
    weft__member *member = &committee->members[k];
    weft__report *report = &committee->reports[k];
    report->status = WEFT_OK;
    if (!committee->awake[k] || q->learnt[k])
        return;
    report->status = member->kind->learn(member, q->pair, q->label, &report->error);
    q->learnt[k] = report->status == WEFT_OK;
}

weft_status weft__committee_tell(weft_committee *committee, int label, weft_error *error)
{
    weft__question *q = &committee->question;
    if (q->label != label)
        memset(q->learnt, 0, (size_t)committee->count * sizeof *q->learnt);
    q->label = label;
    weft__committee_meet(committee);
    weft__crew_run(committee->crew, committee->count, tell_one, committee);
    return collect(committee, error);
}
