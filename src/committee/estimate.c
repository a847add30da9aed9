/* SPDX-License-Identifier: MIT
 *
 * A committee is its members, and beside them the stacks, whose covariances are the square of their number,
 * and the columns that members share.  Members that become dear are put to rest when half of the allowance is
 * spent (schedule.c), and are taken to hear what comes until then; the others are taken to hear everything.
 * Those in reserve are there, and are taken to sleep. */
#include "committee/estimate.h"

#include "committee/committee.h"
#include "rival/estimate.h"
#include "rival/rival.h"

#include <math.h>

enum {
    BYTES_OF_MEMBER = 1024, /* its seat, and its places in all that is kept by member */
    VECTORS_OF_CACHE = 10   /* numbers an id of a column cache */
};

static bool plays(const weft__foreseen *f)
{
    return f->member->beyond == 0;
}

static weft__amount work_of_member(const weft__foreseen *f, double trials)
{
    const weft_member *member = f->member;
    return member->is_rival ? weft__rival_work(f->rows, f->columns, &member->rival, trials)
                            : weft__learner_work(f->rows, f->columns, &member->learner, trials);
}

/* Of a trial of all that play, at first and at last. */
static weft__amount work_of_all(const weft__committee_plan *plan, double trials)
{
    weft__amount all = {0, 0};
    for (int64_t k = 0; k < plan->count; k++) {
        if (!plays(&plan->members[k]))
            continue;
        weft__amount one = work_of_member(&plan->members[k], trials);
        all.least += one.least;
        all.most += one.most;
    }
    return all;
}

/* The trial at which half of the allowance is spent, as if the price of a trial grew evenly; or the last. */
static double find_end(const weft__committee_plan *plan)
{
    double least = 0, most = fmin(plan->trials, WEFT__MOST_COUNT);
    for (int k = 0; k < 60 && !plan->restless; k++) {
        double middle = (least + most) / 2;
        weft__amount price = work_of_all(plan, middle);
        bool over = middle * ((price.least + price.most) / 2 - WEFT__BUDGET) > WEFT__ALLOWANCE / 2;
        *(over ? &most : &least) = middle;
    }
    return plan->restless ? plan->trials : most;
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
    double end = find_end(plan);
    for (int64_t k = 0; k < plan->count; k++) {
        const weft__foreseen *f = &plan->members[k];
        bool dear = work_of_member(f, end).most > WEFT__DEAR;
        double heard = !plays(f) ? 0 : dear ? end : plan->trials;
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
    double n = (double)plan->count + 1;
    weft__amount all = work_of_all(plan, plan->trials);
    if (find_end(plan) < plan->trials)
        all.most = fmin(all.most, WEFT__BUDGET);
    all.least += n * n;
    all.most += n * n;
    if (plan->tracking)
        all.most *= WEFT_GENERATIONS;
    return all;
}
