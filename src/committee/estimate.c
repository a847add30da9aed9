/* SPDX-License-Identifier: MIT
 *
 * A committee is its members, and beside them the stacks, whose covariances are the square of their number,
 * and the columns that members share.  Members that are dear are put to rest when their accounts no longer
 * pay for as many trials again (schedule.c), and are taken to hear what comes until then; the others are
 * taken to hear everything, until rivals hold more together than they may: then some give it back.  Those in
 * reserve are there, and are taken to sleep. */
#include "committee/estimate.h"

#include "base/vector.h"
#include "committee/committee.h"
#include "rival/estimate.h"
#include "rival/rival.h"

#include <math.h>

enum {
    BYTES_OF_MEMBER = 2048, /* its state, and its places in all that is kept by member */
    FIRST_BLOCKS = 8192,    /* of a member that has begun to learn: they are not full */
    VECTORS_OF_CACHE = 12   /* numbers an id of a column cache */
};

static bool plays(const weft__foreseen *f)
{
    return f->member->beyond == 0;
}

static weft__amount work_of_member(const weft__committee_plan *plan, const weft__foreseen *f, double trials)
{
    const weft_member *member = f->member;
    weft__stream_outline stream = plan->stream;
    stream.trials = trials;
    return member->is_rival ? weft__rival_work(f->rows, f->columns, &member->rival, &stream)
                            : weft__learner_work(f->rows, f->columns, &member->learner, trials);
}

/* Whether it could pay for as many trials again, as if its price had grown evenly. */
static bool can_pay(const weft__committee_plan *plan, const weft__foreseen *f, double trials)
{
    weft__amount price = work_of_member(plan, f, trials);
    return trials * (price.most + (price.least + price.most) / 2) <= weft__account_of(f->member);
}

/* The trials that it hears. */
static double heard_by(const weft__committee_plan *plan, const weft__foreseen *f)
{
    double least = 0, most = fmin(plan->stream.trials, WEFT__MOST_COUNT);
    if (!plays(f))
        return 0;
    if (plan->restless || can_pay(plan, f, most))
        return plan->stream.trials;
    for (int k = 0; k < 60; k++) {
        double middle = (least + most) / 2;
        *(can_pay(plan, f, middle) ? &least : &most) = middle;
    }
    return work_of_member(plan, f, most).most > WEFT__DEAR ? most : plan->stream.trials;
}

static weft__amount estimate_member(const weft__committee_plan *plan, const weft__foreseen *f, double trials)
{
    const weft_member *member = f->member;
    weft__stream_outline stream = plan->stream;
    stream.trials = trials;
    return member->is_rival ? weft__rival_estimate(f->rows, f->columns, &member->rival, &stream)
                            : weft__learner_estimate(f->rows, f->columns, &member->learner, trials);
}

/* Of the stack, and of those that do without something: covariances of both filters (bytes), and the products
 * by them of a prediction and a label (work), for those that do not rest. */
static void add_stacks(const weft__committee_plan *plan, double *bytes, double *work)
{
    int uses = 0;
    for (int64_t k = 0; k < plan->count; k++)
        uses |= plan->members[k].member->uses;
    for (int without = 0; without <= WEFT_BOTH; without++) {
        int64_t members = 0, heard = 0;
        if ((without & uses) != without)
            continue;
        for (int64_t k = 0; k < plan->count; k++) {
            bool blind = (plan->members[k].member->uses & without) == 0;
            members += blind;
            heard += blind && plays(&plan->members[k]);
        }
        double n = (double)weft__padded(members + 1);
        *bytes += 2 * sizeof(double) * n * (n + 2);
        *work += 2 * n + 4 * (double)(heard + 1) * n;
    }
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
    /* Chunks and pages that are not full. */
    static const double beside = 1.25;
    double fixed = BYTES_OF_MEMBER * (double)plan->count, rivals = 0, work = 0;
    add_stacks(plan, &fixed, &work);
    weft__amount all = {fixed, fixed + FIRST_BLOCKS * (double)plan->count + bytes_of_caches(plan)};
    for (int64_t k = 0; k < plan->count; k++) {
        double heard = heard_by(plan, &plan->members[k]);
        weft__amount one = estimate_member(plan, &plan->members[k], heard);
        all.least += one.least;
        if (weft__holds_pairs(plan->members[k].member) && !plan->restless)
            one.most = fmin(one.most, beside * WEFT__HOLD);
        *(plan->members[k].member->is_rival ? &rivals : &all.most) += heard > 0 ? one.most : one.least;
    }
    all.most += plan->restless ? rivals : fmin(rivals, beside * WEFT__ROOM);
    return all;
}

weft__amount weft__committee_work(const weft__committee_plan *plan)
{
    double bytes = 0, stacks = 0, others = 0, trials = plan->stream.trials;
    add_stacks(plan, &bytes, &stacks);
    weft__amount all = {stacks, stacks};
    for (int64_t k = 0; k < plan->count; k++) {
        const weft__foreseen *f = &plan->members[k];
        if (!plays(f))
            continue;
        weft__amount one = work_of_member(plan, f, trials);
        /* As if it had cost all along what it costs now: can_pay would keep those that rest just before. */
        bool pays = plan->restless || 2 * trials * one.most <= weft__account_of(f->member);
        all.least += one.least;
        all.most += pays ? one.most : 0;
        others += pays ? 0 : one.most;
    }
    all.most += fmin(others, WEFT__BUDGET);
    return all;
}
