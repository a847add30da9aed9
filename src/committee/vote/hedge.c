/* SPDX-License-Identifier: MIT
 *
 * Method: AdaHedge.  The forecaster gives expert i the weight w_i, proportional to prior_i exp(eta regret_i),
 * and loses h = sum of w_i loss_i.  One that sleeps is taken to lose h as well: its regret stays, the mean of
 * all is h still, and all that follows is about one weighted forecaster over all experts.  With
 *
 *     F_eta = log(sum of prior_i exp(eta regret_i)) / eta               (over all, 0 at the beginning)
 *
 * a trial adds to F its mixability gap, delta >= 0 as the weighted mean of the gains h - loss_i is 0
 * (Jensen); their sum is Delta.  Between trials eta falls, and F with it: it is a power mean, as the priors
 * sum to 1.  So F <= Delta at all times, and as no single summand exceeds the sum,
 *
 *     regret_i <= F + log(1 / prior_i) / eta <= Delta + log(1 / prior_i) / eta
 *
 * for the rate to come, whatever the losses, the sleepers and the priors.  AdaHedge takes eta = C / Delta, C
 * the logarithm of the largest 1 / prior: regret_i <= 2 Delta, and (de Rooij et al., Section 2, in which
 * nothing but C depends on the priors)
 *
 *     Delta <= sqrt(C sum of the variances of loss_i under w) + 2/3 C + 1,
 *
 * small where it is soon known which member to believe.  There is nothing to choose, neither a horizon
 * nor a rate.
 * As long as Delta is below LEAST_GAP, eta is as if it were that, which the proof allows: eta never rises,
 * and is never more than C / Delta (the term is Delta + LEAST_GAP until then).
 *
 * Rounding.  The proof takes h for what it is, so that weights may round as they like; what must not come out
 * too small is delta, the rise of F.  Since a fall of eta takes no more from F than delta has added,
 * 0 <= eta F <= C: the largest summand is never far from 1, though regrets may be -10^7 and eta 10^7.  Each
 * is compared with the largest by the difference of their regrets, and what all that may have lost is added
 * to Delta (allowance below).
 *
 * Cost: 4 exponentials an expert and trial, at most.
 * References: de Rooij, van Erven, Grunwald and Koolen, Follow the leader if you can, hedge if you must, JMLR
 * 15 (2014); sleepers: Freund, Schapire, Singer and Warmuth, Using and combining predictors that specialize,
 * STOC 1997; Chernov and Vovk, Prediction with expert evaluators' advice, ALT 2009. */
#include "committee/vote/hedge.h"

#include "base/elementary.h"

#include <float.h>
#include <math.h>

static const double LEAST_GAP = 0x1p-20;
/* A trial changes a regret by 1 at most. */
static const double MOST_REGRET = (double)WEFT__MOST_COUNT;

weft_status weft__hedge_create(const weft_memory *memory, int64_t count, const double *prior,
                               weft__hedge *hedge, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__hedge made = {.count = count, .surprise = 1};
    double sum = 0;
    TRY(weft__new(memory, count, sizeof(double), &made.log_prior, error));
    TRY(weft__new(memory, count, sizeof(double), &made.regret, error));
    TRY(weft__new(memory, count, sizeof(double), &made.weight, error));
    for (int64_t i = 0; i < count; i++)
        sum += prior[i];
    for (int64_t i = 0; i < count; i++) {
        made.log_prior[i] = weft__log(prior[i] / sum);
        made.surprise = fmax(made.surprise, -made.log_prior[i]);
    }
    *hedge = made;
    return WEFT_OK;
done:
    weft__hedge_release(&made, memory);
    return status;
}

void weft__hedge_release(weft__hedge *hedge, const weft_memory *memory)
{
    weft__delete(memory, hedge->log_prior);
    weft__delete(memory, hedge->regret);
    weft__delete(memory, hedge->weight);
    *hedge = (weft__hedge){0};
}

static double rate_of(const weft__hedge *hedge)
{
    return hedge->surprise / fmax(hedge->gap, LEAST_GAP);
}

/* A sum of prior_i exp(eta regret_i), in units of one of the largest of them. */
typedef struct pile {
    int64_t top;
    double sum;
} pile;

/* log of the summand of i in units of that of j */
static double height(const weft__hedge *hedge, double eta, int64_t i, int64_t j)
{
    return eta * (hedge->regret[i] - hedge->regret[j]) + (hedge->log_prior[i] - hedge->log_prior[j]);
}

/* Over those awake, or all for NULL. */
static pile pile_up(const weft__hedge *hedge, double eta, const bool *awake)
{
    pile p = {.top = -1};
    for (int64_t i = 0; i < hedge->count; i++)
        if ((awake == NULL || awake[i]) && (p.top < 0 || height(hedge, eta, i, p.top) > 0))
            p.top = i;
    for (int64_t i = 0; i < hedge->count; i++)
        p.sum += awake == NULL || awake[i] ? weft__exp(height(hedge, eta, i, p.top)) : 0;
    return p;
}

void weft__hedge_weigh(weft__hedge *hedge, const bool *awake)
{
    double eta = rate_of(hedge);
    pile p = pile_up(hedge, eta, awake);
    for (int64_t i = 0; i < hedge->count; i++)
        hedge->weight[i] = awake[i] ? weft__exp(height(hedge, eta, i, p.top)) / p.sum : 0;
}

/* At least what a trial's arithmetic may have lost of delta and of the regrets.  A pile of K experts and its
 * logarithm round by (9 C + K + 3) u at most (u = DBL_EPSILON / 2; heights matter where they are not far
 * below 0, and the mean of their absolute values is at most log K <= C), of which there are two; the way from
 * one top to the other is at most delta + C / eta, and a regret rounds by u (1 + |regret|). */
static double allowance(const weft__hedge *hedge, double eta, double delta)
{
    double largest = 1;
    for (int64_t i = 0; i < hedge->count; i++)
        largest = fmax(largest, fabs(hedge->regret[i]));
    double piles = (16 * hedge->surprise + 2 * (double)hedge->count) / eta;
    return DBL_EPSILON * (2 * delta + piles + largest);
}

double weft__hedge_loss(const weft__hedge *hedge, const bool *awake, const double *loss)
{
    double h = 0;
    for (int64_t i = 0; i < hedge->count; i++)
        h += awake[i] ? hedge->weight[i] * loss[i] : 0;
    return fmin(h, 1);
}

double weft__hedge_learn(weft__hedge *hedge, const bool *awake, const double *loss)
{
    double eta = rate_of(hedge), h = weft__hedge_loss(hedge, awake, loss);
    pile before = pile_up(hedge, eta, NULL);
    double level = hedge->regret[before.top];
    for (int64_t i = 0; i < hedge->count; i++)
        hedge->regret[i] += awake[i] ? h - loss[i] : 0;
    pile after = pile_up(hedge, eta, NULL);
    double surprise = hedge->log_prior[after.top] - hedge->log_prior[before.top];
    double rise = hedge->regret[after.top] - level + (surprise + weft__log(after.sum / before.sum)) / eta;
    double delta = fmax(rise, 0);
    hedge->gap += delta + allowance(hedge, eta, delta);
    return h;
}

/* The new rate eta = C / (Delta_1 + Delta_2) is p eta_1, and (1 - p) eta_2, with
 * p = Delta_1 / (Delta_1 + Delta_2).  So by Hoelder's inequality
 *
 *     sum prior exp(eta (r_1 + r_2)) <= (sum prior exp(eta_1 r_1))^p (sum prior exp(eta_2 r_2))^(1 - p)
 *
 * and F of the sum is at most F_1 + F_2 <= Delta_1 + Delta_2.  Each Delta is taken for at least LEAST_GAP, as
 * its own rate was. */
void weft__hedge_add(weft__hedge *hedge, const weft__hedge *other)
{
    for (int64_t i = 0; i < hedge->count; i++)
        hedge->regret[i] += other->regret[i];
    hedge->gap = fmax(hedge->gap, LEAST_GAP) + fmax(other->gap, LEAST_GAP);
    hedge->gap += allowance(hedge, rate_of(hedge), hedge->gap);
}

/* A regret that falls takes F with it, and so harms nobody's bound. */
void weft__hedge_restart(weft__hedge *hedge, const bool *awake, int64_t count, bool *anew)
{
    static const double share = 0.01;
    double eta = rate_of(hedge), top = -INFINITY;
    for (int64_t i = 0; i < hedge->count; i++)
        if (awake[i] && !(i < count && anew[i]))
            top = fmax(top, hedge->log_prior[i] + eta * hedge->regret[i]);
    top += weft__log(share / (double)hedge->count);
    for (int64_t i = 0; i < count; i++) {
        double most = (top - hedge->log_prior[i]) / eta;
        anew[i] = anew[i] && hedge->regret[i] > most;
        if (anew[i])
            hedge->regret[i] = most;
    }
}

double weft__hedge_term(const weft__hedge *hedge, int64_t i)
{
    return hedge->gap - hedge->log_prior[i] / rate_of(hedge);
}

void weft__hedge_write(const weft__hedge *hedge, weft__encoder *writer)
{
    weft__put_double(writer, hedge->gap);
    for (int64_t i = 0; i < hedge->count; i++)
        weft__put_double(writer, hedge->regret[i]);
}

/* What `learn` leaves: a gap that bounds the regrets, none of which has fallen faster than trials go by. */
static bool is_possible(const weft__hedge *hedge)
{
    if (!(hedge->gap >= 0 && hedge->gap <= MOST_REGRET))
        return false;
    for (int64_t i = 0; i < hedge->count; i++)
        if (!(hedge->regret[i] >= -MOST_REGRET && hedge->regret[i] <= weft__hedge_term(hedge, i)))
            return false;
    return true;
}

bool weft__hedge_read(weft__hedge *hedge, weft__decoder *reader)
{
    hedge->gap = weft__get_double(reader);
    for (int64_t i = 0; i < hedge->count; i++)
        hedge->regret[i] = weft__get_double(reader);
    return !reader->failed && is_possible(hedge);
}
