/* SPDX-License-Identifier: MIT
 *
 * Margins that agree within the tolerance with the largest one of their group are a tie,
 * which the order of the candidates decides. */
#include "learner/rank/ranking.h"

#include <math.h>
#include <stdlib.h>

/* ---- The query ---- */

static weft_status check_ids(const weft__ranking *ranking, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__learner *learner = ranking->learner;
    const weft_query *query = ranking->query;
    TRY(query->column ? weft__learner_check_column(learner, query->id, error)
                      : weft__learner_check_row(learner, query->id, error));
    for (int64_t k = 0; k < query->candidate_count; k++)
        TRY(query->column ? weft__learner_check_row(learner, query->candidates[k], error)
                          : weft__learner_check_column(learner, query->candidates[k], error));
done:
    return status;
}

weft_status weft__ranking_open(weft__ranking *ranking, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_query *query = ranking->query;
    int64_t most = query->most < query->candidate_count ? query->most : query->candidate_count;
    TRY(check_ids(ranking, error));
    TRY(weft__new(&ranking->learner->player.memory, most, sizeof(double), &ranking->sure.at, error));
    ranking->sure.most = most;
done:
    return status;
}

void weft__ranking_close(weft__ranking *ranking)
{
    weft__delete(&ranking->learner->player.memory, ranking->sure.at);
    ranking->sure.at = NULL;
}

void weft__ranking_pair(const weft__ranking *ranking, int64_t id, int64_t pair[2])
{
    const weft_query *query = ranking->query;
    pair[0] = query->column ? id : query->id;
    pair[1] = query->column ? query->id : id;
}

bool weft__ranking_is_self(const weft__ranking *ranking, int64_t id)
{
    return ranking->learner->player.columns == NULL && id == ranking->query->id;
}

/* ---- One candidate ---- */

double weft__candidate_middle(const weft__candidate *standing)
{
    return standing->lower / 2 + standing->upper / 2;
}

double weft__ranking_allowance(const weft__ranking *ranking, double margin)
{
    return ranking->query->tolerance * fmax(ranking->learner->settings.gamma, fabs(margin));
}

bool weft__ranking_narrow(const weft__ranking *ranking, const weft__candidate *standing)
{
    double allowed = weft__ranking_allowance(ranking, weft__candidate_middle(standing));
    return standing->upper - standing->lower <= allowed;
}

bool weft__ranking_hopeless(const weft__ranking *ranking, const weft__candidate *standing)
{
    double least = weft__top_k_least(&ranking->sure);
    return least > -INFINITY && standing->upper < least - 2 * weft__ranking_allowance(ranking, least);
}

weft_status weft__ranking_evaluate(const weft__ranking *ranking, weft__candidate *standing, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_answer single;
    int64_t pair[2];
    weft__ranking_pair(ranking, standing->id, pair);
    TRY(weft__learner_evaluate(ranking->learner, pair, ranking->query->tolerance, &single, error));
    standing->lower = fmax(standing->lower, single.lower);
    standing->upper = fmax(fmin(standing->upper, single.upper), standing->lower);
done:
    return status;
}

/* ---- The answer ---- */

static int compare_orders(const weft__candidate *x, const weft__candidate *y)
{
    return (x->order > y->order) - (x->order < y->order);
}

int weft__candidate_compare(const void *a, const void *b)
{
    double x = weft__candidate_middle(a), y = weft__candidate_middle(b);
    return x != y ? (x < y) - (x > y) : compare_orders(a, b);
}

static int by_order(const void *a, const void *b)
{
    return compare_orders(a, b);
}

static void order_ties(const weft__ranking *ranking, weft__candidate *standings, int64_t count)
{
    for (int64_t first = 0, next; first < count; first = next) {
        double top = weft__candidate_middle(&standings[first]);
        double bottom = top - weft__ranking_allowance(ranking, top);
        for (next = first + 1; next < count; next++)
            if (weft__candidate_middle(&standings[next]) < bottom)
                break;
        qsort(standings + first, (size_t)(next - first), sizeof *standings, by_order);
    }
}

static weft_ranked describe(const weft__ranking *ranking, const weft__candidate *standing)
{
    double margin = weft__candidate_middle(standing);
    double chance = 0.5 + margin / (2 * ranking->learner->settings.gamma);
    double probability = fmin(fmax(chance, 0), 1);
    int label = margin >= 0 ? 1 : -1;
    weft_answer answer = {.label = label,
                          .probability = probability,
                          .score = margin,
                          .vote = weft__learner_vote(ranking->learner, label, probability),
                          .margin = margin,
                          .lower = standing->lower,
                          .upper = standing->upper,
                          .certified = standing->lower >= 0 || standing->upper < 0,
                          .asked = 1,
                          .t = ranking->learner->counters.t};
    return (weft_ranked){standing->id, answer};
}

void weft__ranking_answer(const weft__ranking *ranking, weft__candidate *standings, int64_t count,
                          weft_ranked *ranked, int64_t *found)
{
    qsort(standings, (size_t)count, sizeof *standings, weft__candidate_compare);
    order_ties(ranking, standings, count);
    for (int64_t k = 0; k < ranking->sure.most; k++)
        ranked[k] = describe(ranking, &standings[k]);
    *found = ranking->sure.most;
}
