/* SPDX-License-Identifier: MIT */
#include "committee/room.h"

#include "committee/committee.h"
#include "learner/learner.h"

bool weft__committee_one_set(const weft_committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->members[k].given.columns == NULL)
            return true;
    return false;
}

/* The room for columns that goes with this one.  Over one set of ids there are learners that take it for rows
 * and for columns. */
static int64_t columns_of(const weft_committee *committee, const weft_learner *learner, int64_t rows,
                          int64_t columns)
{
    if (learner->columns == NULL)
        return learner->settings.columns;
    return weft__committee_one_set(committee) ? rows : columns;
}

static const weft_learner *find_learner(const weft_committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->members[k].learner != NULL)
            return committee->members[k].learner;
    return NULL;
}

bool weft__committee_room(const weft_committee *committee, int64_t *rows, int64_t *columns)
{
    const weft_learner *first = find_learner(committee);
    if (first == NULL)
        return false;
    int64_t m = first->settings.rows, n = weft__committee_one_set(committee) ? 0 : first->settings.columns;
    for (int64_t k = 0; k < committee->count; k++) {
        const weft_learner *learner = committee->members[k].learner;
        if (learner != NULL && (learner->settings.rows != m ||
                                learner->settings.columns != columns_of(committee, learner, m, n)))
            return false;
    }
    *rows = m;
    *columns = n;
    return true;
}

/* Of one generation. */
static void enlarge(weft_committee *committee, int64_t rows, int64_t columns)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft__member *member = &committee->members[k];
        weft_learner *learner = member->learner;
        if (learner == NULL)
            continue;
        int64_t n = learner->columns == NULL ? 0 : columns_of(committee, learner, rows, columns);
        if (learner->settings.rows != rows || (learner->columns != NULL && learner->settings.columns != n))
            weft__learner_enlarge(learner, rows, n);
        member->given.learner = weft_learner_settings(learner);
    }
    committee->question.valid = false;
}

void weft__committee_enlarge(weft_committee *committee, int64_t rows, int64_t columns)
{
    enlarge(committee, rows, columns);
    for (int g = 0; committee->track != NULL && g < 2; g++)
        if (committee->track->younger[g] != NULL)
            enlarge(committee->track->younger[g], rows, columns);
}
