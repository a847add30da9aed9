/* SPDX-License-Identifier: MIT
 *
 * Margins that agree within the tolerance with the largest one of their group are a tie,
 * which the order of the candidates decides. */
#include "learner/contest.h"

#include <math.h>
#include <stdlib.h>

/* ---- The query ---- */

static weft_status check_ids(const weft__contest *contest, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__learner *learner = contest->learner;
    const weft_query *query = contest->query;
    TRY(query->column ? weft__learner_check_column(learner, query->id, error)
                      : weft__learner_check_row(learner, query->id, error));
    for (int64_t k = 0; k < query->candidate_count; k++)
        TRY(query->column ? weft__learner_check_row(learner, query->candidates[k], error)
                          : weft__learner_check_column(learner, query->candidates[k], error));
done:
    return status;
}

weft_status weft__contest_open(weft__contest *contest, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_query *query = contest->query;
    int64_t most = query->most < query->candidate_count ? query->most : query->candidate_count;
    TRY(check_ids(contest, error));
    TRY(weft__new(&contest->learner->player.memory, most, sizeof(double), &contest->sure.at, error));
    contest->sure.most = most;
done:
    return status;
}

void weft__contest_close(weft__contest *contest)
{
    weft__delete(&contest->learner->player.memory, contest->sure.at);
    contest->sure.at = NULL;
}

void weft__contest_pair(const weft__contest *contest, int64_t id, int64_t pair[2])
{
    const weft_query *query = contest->query;
    pair[0] = query->column ? id : query->id;
    pair[1] = query->column ? query->id : id;
}

bool weft__contest_is_self(const weft__contest *contest, int64_t id)
{
    return contest->learner->player.columns == NULL && id == contest->query->id;
}

/* ---- One candidate ---- */

double weft__standing_middle(const weft__standing *standing)
{
    return standing->lower / 2 + standing->upper / 2;
}

double weft__contest_allowance(const weft__contest *contest, double margin)
{
    return contest->query->tolerance * fmax(contest->learner->settings.gamma, fabs(margin));
}

bool weft__contest_narrow(const weft__contest *contest, const weft__standing *standing)
{
    double allowed = weft__contest_allowance(contest, weft__standing_middle(standing));
    return standing->upper - standing->lower <= allowed;
}

bool weft__contest_hopeless(const weft__contest *contest, const weft__standing *standing)
{
    double least = weft__least_of(&contest->sure);
    return least > -INFINITY && standing->upper < least - 2 * weft__contest_allowance(contest, least);
}

weft_status weft__contest_evaluate(const weft__contest *contest, weft__standing *standing, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer single;
    int64_t pair[2];
    weft__contest_pair(contest, standing->id, pair);
    TRY(weft__learner_evaluate(contest->learner, pair, contest->query->tolerance, &single, error));
    standing->lower = fmax(standing->lower, single.lower);
    standing->upper = fmax(fmin(standing->upper, single.upper), standing->lower);
done:
    return status;
}

/* ---- The answer ---- */

static int compare_orders(const weft__standing *x, const weft__standing *y)
{
    return (x->order > y->order) - (x->order < y->order);
}

int weft__standing_compare(const void *a, const void *b)
{
    double x = weft__standing_middle(a), y = weft__standing_middle(b);
    return x != y ? (x < y) - (x > y) : compare_orders(a, b);
}

static int by_order(const void *a, const void *b)
{
    return compare_orders(a, b);
}

static void order_ties(const weft__contest *contest, weft__standing *standings, int64_t count)
{
    for (int64_t first = 0, next; first < count; first = next) {
        double top = weft__standing_middle(&standings[first]);
        double bottom = top - weft__contest_allowance(contest, top);
        for (next = first + 1; next < count; next++)
            if (weft__standing_middle(&standings[next]) < bottom)
                break;
        qsort(standings + first, (size_t)(next - first), sizeof *standings, by_order);
    }
}

static weft_ranked describe(const weft__contest *contest, const weft__standing *standing)
{
    double margin = weft__standing_middle(standing);
    double chance = 0.5 + margin / (2 * contest->learner->settings.gamma);
    double probability = fmin(fmax(chance, 0), 1);
    int label = margin >= 0 ? 1 : -1;
    weft_answer answer = {.label = label,
                          .probability = probability,
                          .score = margin,
                          .vote = weft__learner_vote(contest->learner, label, probability),
                          .margin = margin,
                          .lower = standing->lower,
                          .upper = standing->upper,
                          .certified = standing->lower >= 0 || standing->upper < 0,
                          .asked = 1,
                          .t = contest->learner->counters.t};
    return (weft_ranked){standing->id, answer};
}

void weft__contest_answer(const weft__contest *contest, weft__standing *standings, int64_t count,
                          weft_ranked *ranked, int64_t *found)
{
    qsort(standings, (size_t)count, sizeof *standings, weft__standing_compare);
    order_ties(contest, standings, count);
    for (int64_t k = 0; k < contest->sure.most; k++)
        ranked[k] = describe(contest, &standings[k]);
    *found = contest->sure.most;
}
