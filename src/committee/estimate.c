/* SPDX-License-Identifier: MIT
 *
 * A committee is its members, and beside them the stacks, whose covariances are the square of their number,
 * and the columns that members share.  Of the learners half are put to rest at every checkpoint until three
 * are left and one on probation (schedule.c), so that most of them hear a few thousand trials; where that is
 * in doubt the later checkpoint is taken.  Rivals are taken to hear everything.  Those in reserve are there,
 * and are taken to sleep. */
#include "committee/estimate.h"

#include "committee/committee.h"
#include "rival/estimate.h"

#include <math.h>

enum {
    AWAKE_AT_LAST = 4,      /* learners: three, and one that is tried again */
    BYTES_OF_MEMBER = 1024, /* its state, and its places in all that is kept by member */
    VECTORS_OF_CACHE = 10   /* numbers an id of a column cache */
};

/* Trials that learner number `rank` of `learners` hears. */
static double heard_by(const weft__committee_plan *plan, int64_t rank, int64_t learners)
{
    double left = (double)learners, at = WEFT__LATEST_CHECKPOINT;
    while (!plan->restless && left > AWAKE_AT_LAST && (double)rank < left && at < plan->trials) {
        left = fmax(ceil(left / 2), AWAKE_AT_LAST);
        if ((double)rank >= left)
            return at;
        at *= 2;
    }
    return plan->trials;
}

static bool plays(const weft__foreseen *f)
{
    return f->member->beyond == 0;
}

static int64_t count_learners(const weft__committee_plan *plan)
{
    int64_t learners = 0;
    for (int64_t k = 0; k < plan->count; k++)
        learners += plays(&plan->members[k]) && !plan->members[k].member->is_rival;
    return learners;
}

static weft__amount estimate_member(const weft__foreseen *f, double trials)
{
    const weft_member *member = f->member;
    return member->is_rival ? weft__rival_estimate(f->rows, f->columns, &member->rival, trials)
                            : weft__learner_estimate(f->rows, f->columns, &member->learner, trials);
}

/* Covariances of the stack and of those that do without something. */
static double bytes_of_stacks(double members)
{
    return WEFT_STACKS * sizeof(double) * (members + 1) * (members + 4);
}

/* Every distinct side has its columns. */
static double bytes_of_caches(const weft__committee_plan *plan)
{
    double bytes = 0;
    for (int64_t k = 0; k < plan->count; k++)
        for (int which = 0; which < 2; which++) {
            const weft__foreseen *f = &plan->members[k];
            const weft__outline *side = which == 0 ? f->rows : f->columns;
            bool before = side == NULL;
            for (int64_t j = 0; j < k && !before; j++)
                before = plan->members[j].rows == side || plan->members[j].columns == side;
            if (!before && !(which == 1 && f->rows == side))
                bytes += sizeof(double) * (VECTORS_OF_CACHE + side->vectors) * side->listed;
        }
    return bytes;
}

weft__amount weft__committee_estimate(const weft__committee_plan *plan)
{
    double fixed = BYTES_OF_MEMBER * (double)plan->count + bytes_of_stacks((double)plan->count);
    weft__amount all = {fixed, fixed + bytes_of_caches(plan)};
    int64_t rank = 0, learners = count_learners(plan);
    for (int64_t k = 0; k < plan->count; k++) {
        const weft__foreseen *f = &plan->members[k];
        double heard = plan->trials;
        if (!plays(f))
            heard = 0;
        else if (!f->member->is_rival)
            heard = heard_by(plan, rank++, learners);
        weft__amount one = estimate_member(f, heard);
        all.least += one.least;
        all.most += heard > 0 ? one.most : one.least;
    }
    if (plan->tracking)
        all.most *= WEFT_GENERATIONS;
    return all;
}

weft__amount weft__committee_work(const weft__committee_plan *plan)
{
    weft__amount all = {0, 0};
    double largest = 0, learners = 0, rivals = 0, n = (double)plan->count + 1;
    for (int64_t k = 0; k < plan->count; k++) {
        const weft__foreseen *f = &plan->members[k];
        const weft_member *member = f->member;
        if (!plays(f))
            continue;
        weft__amount one = member->is_rival
                               ? weft__rival_work(f->rows, f->columns, &member->rival, plan->trials)
                               : weft__learner_work(f->rows, f->columns, &member->learner, plan->trials);
        all.least += one.least;
        if (member->is_rival) {
            rivals += one.most;
            continue;
        }
        learners += one.most;
        largest = fmax(largest, one.most);
    }
    /* After the checkpoints a few learners are left, and rivals that cost no more than one. */
    bool rests = !plan->restless && plan->trials > WEFT__LATEST_CHECKPOINT;
    all.most = rests ? fmin(learners, AWAKE_AT_LAST * largest) + fmin(rivals, largest) : learners + rivals;
    all.least += n * n;
    all.most += n * n;
    if (plan->tracking)
        all.most *= WEFT_GENERATIONS;
    return all;
}
