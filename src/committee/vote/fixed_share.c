/* SPDX-License-Identifier: MIT
 *
 * Method: AdaHedge (hedge.c) with a fixed share.  Weights w, rate eta, losses l_i, h = sum of w_i l_i:
 *
 *     v_i = w_i exp(-eta l_i) / sum                        what the losses say
 *     u_i = pi_i (v_i / pi_i)^(eta' / eta) / Z             the same at the next rate, eta' <= eta
 *     w'  = (1 - alpha) u + alpha pi                       and everybody keeps a share of the prior pi
 *
 * With the mixability gap delta = h + log(sum of w_i exp(-eta l_i)) / eta >= 0 the first line reads
 *
 *     h - l_i = delta + (log(1 / w_i) - log(1 / v_i)) / eta,
 *
 * Z <= 1 by Jensen's inequality, so that the second and the third line give, with P = log(1 / pi_i),
 *
 *     log(1 / w'_i) / eta' <= log(1 / v_i) / eta + (1 / eta' - 1 / eta) P + log(1 / (1 - alpha)) / eta',
 *
 * and in any case w'_i >= alpha pi_i.  Summed up along a sequence of experts that changes s times (the sum
 * telescopes while one expert stays; a change drops log(1 / v_i) >= 0 and starts with log(1 / (alpha pi_i))):
 *
 *     sum of h - l  <=  Delta + ((s + 1) P + s log(1 / least alpha)) / eta + G,
 *
 * eta the rate to come, P for the least prior, Delta the sum of the gaps and G that of log(1 / (1 -
 * alpha)) / eta'.  Any alpha will do that is known before the labels to come: with alpha = 1/(t+1) G is at
 * most log(t + 1) / eta, and nobody has to say how often the truth changes. eta = SURPRISE / Delta as in
 * AdaHedge: its proof bounds Delta by sqrt(SURPRISE sum of the variances of l under w) + 2/3 SURPRISE + 1
 * for any weights; SURPRISE is about what one change costs, P + log t.
 *
 * Weights are never small, so they are kept as they are, and no logarithm of them rounds by more than some
 * units; what a trial's arithmetic may lose of delta is added to Delta.
 *
 * References: Herbster and Warmuth, Tracking the best expert, Machine Learning 32 (1998); Cesa-Bianchi,
 * Gaillard, Lugosi and Stoltz, Mirror descent meets fixed share (and feels no regret), NIPS 2012; de Rooij et
 * al. (hedge.c). */
#include "committee/vote/fixed_share.h"

#include "base/elementary.h"

#include <float.h>
#include <math.h>

static const double SURPRISE = 8;
static const double LEAST_GAP = 0x1p-20;

weft__fixed_share weft__fixed_share_create(const double prior[WEFT__SHARERS])
{
    weft__fixed_share share = {0};
    for (int i = 0; i < WEFT__SHARERS; i++)
        share.prior[i] = share.weight[i] = prior[i];
    return share;
}

static double rate_of(const weft__fixed_share *share)
{
    return SURPRISE / fmax(share->gap, LEAST_GAP);
}

static double least_of(const double loss[WEFT__SHARERS])
{
    double least = loss[0];
    for (int i = 1; i < WEFT__SHARERS; i++)
        least = fmin(least, loss[i]);
    return least;
}

/* log(sum of w_i exp(-eta l_i)) / eta */
static double mix(const weft__fixed_share *share, double eta, const double loss[WEFT__SHARERS])
{
    double least = least_of(loss), sum = 0;
    for (int i = 0; i < WEFT__SHARERS; i++)
        sum += share->weight[i] * weft__exp(-eta * (loss[i] - least));
    return weft__log(sum) / eta - least;
}

/* w becomes u, proportional to pi (w / pi)^(eta' / eta) exp(-eta' l): not by way of v, which at the rates of
 * the first trials is less than a double can hold, while u is not. */
static void weigh(weft__fixed_share *share, double eta, double next, const double loss[WEFT__SHARERS])
{
    double least = least_of(loss), sum = 0;
    for (int i = 0; i < WEFT__SHARERS; i++) {
        double odds = weft__pow(share->weight[i] / share->prior[i], next / eta);
        sum += share->weight[i] = share->prior[i] * odds * weft__exp(-next * (loss[i] - least));
    }
    for (int i = 0; i < WEFT__SHARERS; i++)
        share->weight[i] /= sum;
}

static double mean_of(const weft__fixed_share *share, const double loss[WEFT__SHARERS])
{
    double h = 0;
    for (int i = 0; i < WEFT__SHARERS; i++)
        h += share->weight[i] * loss[i];
    return h;
}

double weft__fixed_share_loss(const weft__fixed_share *share, const double loss[WEFT__SHARERS])
{
    return fmin(mean_of(share, loss), 1);
}

double weft__fixed_share_learn(weft__fixed_share *share, const double loss[WEFT__SHARERS], double alpha)
{
    double eta = rate_of(share), h = mean_of(share, loss);
    double delta = fmax(h + mix(share, eta, loss), 0);
    share->gap += delta + 64 * DBL_EPSILON * (1 + 1 / eta);
    double next = rate_of(share);
    weigh(share, eta, next, loss);
    for (int i = 0; i < WEFT__SHARERS; i++)
        share->weight[i] = (1 - alpha) * share->weight[i] + alpha * share->prior[i];
    share->given -= weft__log1p(-alpha) / next;
    return fmin(h, 1);
}

void weft__fixed_share_exchange(weft__fixed_share *share, int i, int j)
{
    double weight = share->weight[i];
    share->weight[i] = share->weight[j];
    share->weight[j] = weight;
}

double weft__fixed_share_term(const weft__fixed_share *share, int64_t changes, double least)
{
    double prior = 1, s = (double)changes;
    for (int i = 0; i < WEFT__SHARERS; i++)
        prior = fmin(prior, share->prior[i]);
    return share->gap - ((s + 1) * weft__log(prior) + s * weft__log(least)) / rate_of(share) + share->given;
}

void weft__fixed_share_write(const weft__fixed_share *share, weft__encoder *writer)
{
    weft__put_double(writer, share->gap);
    weft__put_double(writer, share->given);
    for (int i = 0; i < WEFT__SHARERS; i++)
        weft__put_double(writer, share->weight[i]);
}

/* What `learn` leaves. */
static bool is_possible(const weft__fixed_share *share)
{
    double sum = 0;
    for (int i = 0; i < WEFT__SHARERS; i++) {
        if (!(share->weight[i] > 0))
            return false;
        sum += share->weight[i];
    }
    return fabs(sum - 1) <= 0x1p-40 && share->gap >= 0 && share->gap <= (double)WEFT__MOST_COUNT &&
           share->given >= 0 && share->given <= (double)WEFT__MOST_COUNT;
}

bool weft__fixed_share_read(weft__fixed_share *share, weft__decoder *reader)
{
    share->gap = weft__get_double(reader);
    share->given = weft__get_double(reader);
    for (int i = 0; i < WEFT__SHARERS; i++)
        share->weight[i] = weft__get_double(reader);
    return !reader->failed && is_possible(share);
}
