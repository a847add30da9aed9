/* SPDX-License-Identifier: MIT
 *
 * Who is asked.
 *
 * A learner costs as much as all rivals, so a committee is as dear as the learners that are awake.
 * At checkpoints half of them are put to rest, down to LEARNERS_KEPT, and rivals until these cost no more
 * than one learner.  First those that the stack misses least: its Wald statistic w^2 / variance is twice the
 * log-likelihood that holding w at 0 would cost, to second order; of rivals, for the price.
 *
 * A checkpoint needs evidence of both labels, and a member that knows something: as long as the stack is
 * hardly better than one label for all, which members it would miss is chance.  With L the number of the
 * rarer label and E the mistakes of the stack, number c is held when 2 L reaches WEFT__FIRST_CHECKPOINT
 * 2^c and E is below L by three standard deviations, at the latest at trial WEFT__LATEST_CHECKPOINT 2^c.
 *
 * Never put to rest: the member with the best standing (the hedge's regret, over the trials it was
 * awake), and the last learner that knows nothing about the ids, beside which the side information is
 * judged.
 *
 * After a checkpoint the one of the learners that slept before with the largest promise (its statistic
 * when it was put to rest, a quarter of it after every return) is woken for an eighth of the trials so far;
 * then there is one learner too many again.  It returns as it was: what was told in between it has not
 * heard.
 *
 * Those in reserve, whose rates are beyond the grid, sleep until the member at the edge next to them leads
 * at a checkpoint: the grid widens where its edge is winning. */
#include "committee/committee.h"

#include <math.h>

enum { LEARNERS_KEPT = 3, PROBATION = 8, FADING = 4 };

static bool is_learner(const weft__committee *committee, int64_t k)
{
    return !committee->members[k].given.is_rival;
}

/* ---- Who may not rest ---- */

/* Of equals the first, whatever rounding makes of their sums. */
static int64_t find_best(const weft__committee *committee)
{
    static const double rounding = 1e-9;
    const double *regret = committee->hedge.regret;
    int64_t best = -1;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k] && (best < 0 || regret[k] > regret[best] + rounding))
            best = k;
    return best;
}

static bool is_plain(const weft__committee *committee, int64_t k)
{
    return is_learner(committee, k) && committee->members[k].given.plain;
}

static int64_t count_plain(const weft__committee *committee)
{
    int64_t plain = 0;
    for (int64_t k = 0; k < committee->count; k++)
        plain += committee->awake[k] && is_plain(committee, k);
    return plain;
}

static bool may_rest(const weft__committee *committee, int64_t k)
{
    return committee->awake[k] && k != find_best(committee) &&
           !(is_plain(committee, k) && count_plain(committee) == 1);
}

/* ---- Going and coming ---- */

static void put_to_rest(weft__committee *committee, int64_t k)
{
    weft__member_state *member = &committee->members[k];
    /* One that comes back and goes again is promising only by what it has shown since. */
    double wald = weft__stack_wald(&committee->stack, k);
    member->promise = member->until > 0 ? fmin(wald, member->promise) : wald;
    member->until = 0;
    member->since = committee->counters.trials;
    committee->awake[k] = false;
    committee->counters.awake--;
    weft__stack_drop(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_drop(&committee->ablation[i], k);
}

static void wake(weft__committee *committee, int64_t k)
{
    weft__member_state *member = &committee->members[k];
    member->promise /= FADING;
    member->since = committee->counters.trials;
    member->until = committee->counters.trials + committee->counters.trials / PROBATION;
    member->work = 0;
    committee->awake[k] = true;
    committee->counters.awake++;
    weft__stack_admit(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_admit(&committee->ablation[i], k);
}

void weft__committee_follow(weft__committee *committee, const weft__committee *other)
{
    for (int64_t k = 0; k < committee->count; k++) {
        if (committee->awake[k] && !other->awake[k])
            put_to_rest(committee, k);
        else if (!committee->awake[k] && other->awake[k])
            wake(committee, k);
        committee->members[k].promise = 0;
        committee->members[k].until = 0;
    }
    committee->checkpoints = other->checkpoints;
    committee->most_learners = other->most_learners;
    weft__hedge_weigh(&committee->hedge, committee->awake);
}

/* ---- Learners: by number ---- */

static int64_t count_learners(const weft__committee *committee)
{
    int64_t learners = 0;
    for (int64_t k = 0; k < committee->count; k++)
        learners += committee->awake[k] && is_learner(committee, k);
    return learners;
}

/* The one of those awake, learners or rivals, with the least Wald statistic, for the price where asked; or
 * -1. */
static int64_t find_least(const weft__committee *committee, bool learners, bool for_the_price)
{
    int64_t least = -1;
    double found = INFINITY;
    for (int64_t k = 0; k < committee->count; k++) {
        if (is_learner(committee, k) != learners || !may_rest(committee, k))
            continue;
        double value = weft__stack_wald(&committee->stack, k);
        if (for_the_price)
            value /= fmax(committee->members[k].work, 1);
        if (value < found) {
            found = value;
            least = k;
        }
    }
    return least;
}

static void thin_learners(weft__committee *committee)
{
    int64_t least;
    while (count_learners(committee) > committee->most_learners &&
           (least = find_least(committee, true, false)) >= 0)
        put_to_rest(committee, least);
}

/* ---- Rivals: by price ---- */

static double work_of(const weft__committee *committee, bool learners)
{
    double work = 0;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k] && is_learner(committee, k) == learners)
            work += committee->members[k].work;
    return work;
}

static void thin_rivals(weft__committee *committee)
{
    int64_t learners = count_learners(committee), least;
    if (learners == 0)
        return;
    double most = work_of(committee, true) / (double)learners;
    while (work_of(committee, false) > most && (least = find_least(committee, false, true)) >= 0)
        put_to_rest(committee, least);
}

/* ---- When ---- */

static bool is_due(const weft__committee *committee)
{
    const int64_t *labels = committee->labels;
    double rare = (double)(labels[0] < labels[1] ? labels[0] : labels[1]);
    double mistakes = (double)committee->stack_mistakes, scale = ldexp(1, (int)committee->checkpoints);
    bool skilled = mistakes + 3 * sqrt(mistakes) < rare;
    return (skilled && 2 * rare >= WEFT__FIRST_CHECKPOINT * scale) ||
           (double)committee->counters.trials >= WEFT__LATEST_CHECKPOINT * scale;
}

static void wake_the_promising(weft__committee *committee)
{
    int64_t best = -1;
    for (int64_t k = 0; k < committee->count; k++)
        if (!committee->awake[k] && is_learner(committee, k) && committee->members[k].promise > 0 &&
            committee->members[k].since < committee->counters.trials &&
            (best < 0 || committee->members[k].promise > committee->members[best].promise))
            best = k;
    if (best >= 0)
        wake(committee, best);
}

/* The one that the stack would miss most of those awake that it believes, or -1. */
static int64_t find_most(const weft__committee *committee)
{
    int64_t most = -1;
    double found = 0;
    for (int64_t k = 0; k < committee->count; k++) {
        double wald = weft__stack_wald(&committee->stack, k);
        if (committee->awake[k] && committee->stack.mean[k] > 0 && wald > found) {
            found = wald;
            most = k;
        }
    }
    return most;
}

/* Where a member at the edge of the grid leads, by its standing or in the stack, those beyond it begin. */
static void widen(weft__committee *committee)
{
    int64_t best = find_best(committee), most = find_most(committee);
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__member_state *member = &committee->members[k];
        int64_t edge = member->given.beyond - 1;
        if (edge >= 0 && (edge == best || edge == most) && !committee->awake[k] && member->seen == 0)
            wake(committee, k);
    }
}

static void hold_checkpoint(weft__committee *committee)
{
    int64_t half = (count_learners(committee) + 1) / 2;
    /* What is past when the stack begins to know something is past. */
    do
        committee->checkpoints++;
    while (is_due(committee));
    committee->most_learners = half > LEARNERS_KEPT ? half : LEARNERS_KEPT;
    thin_learners(committee);
    thin_rivals(committee);
    for (int64_t k = 0; k < committee->count; k++) {
        committee->members[k].work = 0;
        committee->members[k].until = 0;
    }
    wake_the_promising(committee);
    widen(committee);
}

static bool ends_probation(const weft__committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k] && committee->members[k].until > 0 &&
            committee->counters.trials >= committee->members[k].until)
            return true;
    return false;
}

static void end_probation(weft__committee *committee)
{
    thin_learners(committee);
    for (int64_t k = 0; k < committee->count; k++)
        committee->members[k].until = 0;
}

void weft__committee_schedule(weft__committee *committee)
{
    if (committee->settings.restless)
        return;
    if (ends_probation(committee))
        end_probation(committee);
    if (is_due(committee))
        hold_checkpoint(committee);
}
