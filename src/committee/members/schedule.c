/* SPDX-License-Identifier: MIT
 *
 * Who is asked: a budget of counted work, so that a trial costs no more in a long stream than in a short one,
 * and one of counted bytes, so that memory ends as well.
 *
 * Method     The price of a member is the work of one of its trials (player/player.h), in multiplications,
 *            the mean over the last ones; of a learner it grows with what that has learnt.  A member has an
 *            account (weft__account_of), from which every trial is paid.  As long as what is left in it would
 *            pay as many trials again as the member has played, it plays,
 *
 *                price * trials  <=  account - paid,
 *
 *            whatever the others cost: so side information that is dear and worth nothing takes nothing
 *            from the members that do without.  (Trials count from the merge that opened accounts anew, if
 *            there was one.)  Of the other members, all together may cost WEFT__BUDGET a trial.  Where they
 *            cost more, those are put to rest that the stack misses least for their price, by
 *            (1 + Wald) / price: the Wald statistic w^2 / variance is twice the log-likelihood that holding
 *            w at 0 would cost, to second order.  A member that rests does not return: what was told in
 *            between it has not heard.
 *
 *            Never put to rest: the member with the best standing (the hedge's regret, over the trials it
 *            was awake) unless it is dear, the last one that knows nothing about the ids, beside which the
 *            side information is judged, and the last of all.
 *
 *            A perceptron that goes by pairs holds every pair of its updates, at most WEFT__HOLD bytes: with
 *            one more it is put to rest, the best one as well, and gives its memory back.
 *            Rivals hold lines for every id that they have learnt, and together at most WEFT__ROOM bytes.
 *            Where they would hold more, those give their memory back that rest already, and then those are
 *            put to rest and give theirs back that are missed least for what they hold, by
 *            (1 + Wald) / bytes; but not the best, the last plain one and the last of all.  As far as
 *            anything else can tell such a member has learnt nothing: its state is that of a new one, and it
 *            has seen no labels.  Learners keep their evidence, which a merge adds up: their accounts bound
 *            it.
 *
 *            Those in reserve, whose rates are beyond the grid, sleep until the member at the edge next to
 *            them leads at a checkpoint: the grid widens where its edge is winning.  A checkpoint needs
 *            evidence of both labels, and a member that knows something.  With L the number of the rarer
 *            label and E the mistakes of the stack, number c is held when 2 L reaches
 *            WEFT__FIRST_CHECKPOINT 2^c and E is below L by three standard deviations, at the latest at
 *            trial WEFT__LATEST_CHECKPOINT 2^c.
 * Cost       O(members) a trial, O(members^2) where one is put to rest. */
#include "committee/committee.h"

#include <math.h>

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

/* Whether it learns what the pairs tell, and knows nothing else about the ids. */
static bool is_plain(const weft__committee *committee, int64_t k)
{
    const weft_member *given = &committee->members[k].given;
    return given->plain && (!given->is_rival || given->rival.kind == WEFT_RIVAL_HYBRID);
}

static int64_t count_plain(const weft__committee *committee)
{
    int64_t plain = 0;
    for (int64_t k = 0; k < committee->count; k++)
        plain += committee->awake[k] && is_plain(committee, k);
    return plain;
}

/* ---- Going and coming ---- */

static void put_to_rest(weft__committee *committee, int64_t k)
{
    committee->members[k].since = committee->counters.trials;
    committee->awake[k] = false;
    committee->counters.awake--;
    weft__stack_drop(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_drop(&committee->ablation[i], k);
}

static void wake(weft__committee *committee, int64_t k)
{
    committee->members[k].since = committee->counters.trials;
    committee->awake[k] = true;
    committee->counters.awake++;
    weft__stack_admit(&committee->stack, k);
    for (int i = 0; i < 3; i++)
        weft__ablation_admit(&committee->ablation[i], k);
}

/* ---- The budget ---- */

/* Learners, and perceptrons but for those over classes. */
static bool grows_dearer(const weft_member *member)
{
    return !member->is_rival || member->rival.kind == WEFT_RIVAL_SUM ||
           member->rival.kind == WEFT_RIVAL_PRODUCT || member->rival.kind == WEFT_RIVAL_SQUARE;
}

/* Of those that grow dearer the ones that know nothing about the ids may spend most: without them nobody
 * learns anything where the side information is worth nothing. */
double weft__account_of(const weft_member *member)
{
    static const double usual = 1e8, of_plain = 1e9;
    return member->plain && grows_dearer(member) ? of_plain : usual;
}

static bool is_dear(const weft__member_state *member)
{
    return member->price > WEFT__DEAR;
}

static bool can_pay(const weft__committee *committee, int64_t k)
{
    const weft__member_state *member = &committee->members[k];
    int64_t from = member->since > committee->opened ? member->since : committee->opened;
    double trials = (double)(committee->counters.trials - from);
    return member->price * trials <= weft__account_of(&member->given) - member->paid;
}

/* Of a trial of those awake that cannot pay. */
static double work_of_others(const weft__committee *committee)
{
    double work = 0;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k] && !can_pay(committee, k))
            work += committee->members[k].price;
    return work;
}

/* Of those that may rest the one that is missed least for its price, or -1. */
static int64_t find_least(const weft__committee *committee)
{
    int64_t least = -1, best = find_best(committee), plain = count_plain(committee);
    double found = INFINITY;
    for (int64_t k = 0; k < committee->count && committee->counters.awake > 1; k++) {
        const weft__member_state *member = &committee->members[k];
        bool kept = (k == best && !is_dear(member)) || (plain == 1 && is_plain(committee, k));
        if (!committee->awake[k] || kept || can_pay(committee, k))
            continue;
        double value = (1 + weft__stack_wald(&committee->stack, k)) / fmax(member->price, 1);
        if (value < found) {
            found = value;
            least = k;
        }
    }
    return least;
}

static void keep_budget(weft__committee *committee)
{
    int64_t least;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k])
            committee->members[k].paid += committee->members[k].price;
    while (work_of_others(committee) > WEFT__BUDGET && (least = find_least(committee)) >= 0)
        put_to_rest(committee, least);
}

/* ---- Memory ---- */

static double bytes_of(const weft__committee *committee, int64_t k)
{
    const weft_player *player = committee->members[k].player;
    return player->ops->bytes != NULL ? player->ops->bytes(player) : 0;
}

static double bytes_of_all(const weft__committee *committee)
{
    double bytes = 0;
    for (int64_t k = 0; k < committee->count; k++)
        bytes += bytes_of(committee, k);
    return bytes;
}

/* Of those that hold something the one that is missed least for it, or -1; those that rest are not missed. */
static int64_t find_holder(const weft__committee *committee)
{
    int64_t least = -1, best = find_best(committee), plain = count_plain(committee);
    double found = INFINITY;
    for (int64_t k = 0; k < committee->count; k++) {
        bool awake = committee->awake[k];
        bool kept = k == best || (plain == 1 && is_plain(committee, k)) || committee->counters.awake == 1;
        double bytes = bytes_of(committee, k);
        if (bytes == 0 || (awake && kept))
            continue;
        double value = awake ? (1 + weft__stack_wald(&committee->stack, k)) / bytes : 0;
        if (value < found) {
            found = value;
            least = k;
        }
    }
    return least;
}

/* Nothing of the label that it may just have learnt is there any more. */
static void give_back(weft__committee *committee, int64_t k)
{
    weft_player *player = committee->members[k].player;
    if (committee->awake[k])
        put_to_rest(committee, k);
    player->ops->empty(player);
    committee->members[k].seen = 0;
    committee->question.learnt[k] = false;
    committee->emptied++;
}

bool weft__holds_pairs(const weft_member *member)
{
    return member->is_rival &&
           (member->rival.kind == WEFT_RIVAL_PRODUCT || member->rival.kind == WEFT_RIVAL_SQUARE);
}

static void keep_hold(weft__committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++) {
        bool last = committee->awake[k] && committee->counters.awake == 1;
        if (weft__holds_pairs(&committee->members[k].given) && !last &&
            bytes_of(committee, k) > committee->hold)
            give_back(committee, k);
    }
}

static void keep_room(weft__committee *committee)
{
    int64_t holder;
    keep_hold(committee);
    while (bytes_of_all(committee) > committee->room && (holder = find_holder(committee)) >= 0)
        give_back(committee, holder);
}

/* ---- The reserve ---- */

static bool is_due(const weft__committee *committee)
{
    const int64_t *labels = committee->labels;
    double rare = (double)(labels[0] < labels[1] ? labels[0] : labels[1]);
    double mistakes = (double)committee->stack_mistakes, scale = ldexp(1, (int)committee->checkpoints);
    bool skilled = mistakes + 3 * sqrt(mistakes) < rare;
    return (skilled && 2 * rare >= WEFT__FIRST_CHECKPOINT * scale) ||
           (double)committee->counters.trials >= WEFT__LATEST_CHECKPOINT * scale;
}

/* The one that the stack would miss most of those awake that it believes, or -1. */
static int64_t find_most(const weft__committee *committee)
{
    int64_t most = -1;
    double found = 0;
    for (int64_t k = 0; k < committee->count; k++) {
        double wald = weft__stack_wald(&committee->stack, k);
        if (committee->awake[k] && committee->stack.steady.mean[k] > 0 && wald > found) {
            found = wald;
            most = k;
        }
    }
    return most;
}

/* Where a member at the edge of the grid leads, by its standing or in the stack, those beyond it begin. */
static void hold_checkpoint(weft__committee *committee)
{
    int64_t best = find_best(committee), most = find_most(committee);
    /* What is past when the stack begins to know something is past. */
    do
        committee->checkpoints++;
    while (is_due(committee));
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__member_state *member = &committee->members[k];
        int64_t edge = member->given.beyond - 1;
        bool fresh = member->seen == 0 && member->trials == 0;
        if (edge >= 0 && (edge == best || edge == most) && !committee->awake[k] && fresh)
            wake(committee, k);
    }
}

void weft__committee_schedule(weft__committee *committee)
{
    if (committee->settings.restless)
        return;
    keep_budget(committee);
    keep_room(committee);
    if (is_due(committee))
        hold_checkpoint(committee);
}
