/* SPDX-License-Identifier: MIT
 *
 * AdaHedge on random losses with sleepers and priors of all sizes, against a version of its own (long double,
 * cumulative losses, mix losses, written from Section 2 of de Rooij et al.), with the checks of hedge.h.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other random problems than those of the test. */
#include "hedge.h"
#include "support/effort.h"

#define PROBLEMS ((unsigned long long)effort(100, 300))

/* ---- the definition ---- */

typedef struct judge {
    int64_t count;
    long double prior[MOST], lost[MOST], gap, least;
} judge;

static judge judge_of(int64_t count, const double *prior, long double least)
{
    judge j = {.count = count, .least = least};
    long double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (long double)prior[i];
    for (int64_t i = 0; i < count; i++)
        j.prior[i] = (long double)prior[i] / sum;
    return j;
}

/* log of the largest 1 / prior, at least 1 */
static long double surprise_of(const judge *j)
{
    long double largest = 1;
    for (int64_t i = 0; i < j->count; i++)
        largest = fmaxl(largest, -logl(j->prior[i]));
    return largest;
}

/* -log(sum of prior exp(-eta (lost + loss))) / eta over those of whom there is talk; for eta = infinity the
 * least loss. */
static long double level_of(const judge *j, long double eta, const bool *awake, const long double *loss)
{
    long double least = INFINITY, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < j->count; i++) {
            long double whole = j->lost[i] + (loss != NULL ? loss[i] : 0);
            whole -= isinf(eta) ? 0 : logl(j->prior[i]) / eta;
            if (awake != NULL && !awake[i])
                continue;
            if (pass == 0)
                least = fminl(least, whole);
            else
                sum += isinf(eta) ? 1 : expl(-eta * (whole - least));
        }
    return least - (isinf(eta) ? 0 : logl(sum) / eta);
}

/* Proportional to prior exp(-eta lost), sum 1 over those awake. */
static void judge_weights(const judge *j, long double eta, const bool *awake, long double *weight)
{
    long double level = level_of(j, eta, awake, NULL), sum = 0;
    for (int64_t i = 0; i < j->count; i++) {
        long double ahead = j->lost[i] - level;
        weight[i] = j->prior[i] * (isinf(eta) ? ahead <= 1e-15L : expl(-eta * ahead));
        weight[i] = awake[i] ? weight[i] : 0;
        sum += weight[i];
    }
    for (int64_t i = 0; i < j->count; i++)
        weight[i] /= sum;
}

/* Answers h; the weights of those awake are left in `weight`.  The loss of the mix, of which h exceeds it by
 * the gap, is -log(sum of w exp(-eta loss)) / eta, w the weights of all. */
static long double judge_learn(judge *j, const bool *awake, const double *loss, long double *weight)
{
    long double gap = fmaxl(j->gap, j->least), eta = gap > 0 ? surprise_of(j) / gap : (long double)INFINITY;
    long double full[MOST] = {0}, h = 0;
    judge_weights(j, eta, awake, weight);
    for (int64_t i = 0; i < j->count; i++)
        h += awake[i] ? weight[i] * (long double)loss[i] : 0;
    for (int64_t i = 0; i < j->count; i++)
        full[i] = awake[i] ? (long double)loss[i] : h;
    long double mix = level_of(j, eta, NULL, full) - level_of(j, eta, NULL, NULL);
    j->gap += fmaxl(h - mix, 0);
    for (int64_t i = 0; i < j->count; i++)
        j->lost[i] += full[i];
    return h;
}

/* ---- random losses ---- */

/* Quality, how often awake, and whether losses are 0 or 1 or between. */
static void draw_trial(scene *s, dice *d, const double *quality, const double *diligence)
{
    bool any = false, coins = dice_chance(d, 0.5);
    for (int64_t i = 0; i < s->hedge.count; i++) {
        s->awake[i] = dice_chance(d, diligence[i]);
        s->loss[i] = coins ? dice_chance(d, quality[i]) : dice_uniform(d) * quality[i];
        any = any || s->awake[i];
    }
    if (!any)
        s->awake[dice_below(d, s->hedge.count)] = true;
}

static void play_random(uint64_t seed, int64_t trials)
{
    dice d = {seed};
    scene s;
    double quality[MOST], diligence[MOST];
    int64_t count = 1 + dice_below(&d, seed % 10 == 0 ? MOST : 12);
    bool sleepers = dice_chance(&d, 0.6);
    open_scene(&s, count, (int)dice_below(&d, 4), &d);
    snprintf(s.where, sizeof s.where, "seed %d", (int)seed);
    for (int64_t i = 0; i < count; i++) {
        quality[i] = dice_uniform(&d);
        diligence[i] = sleepers ? dice_uniform(&d) : 1;
    }
    judge exact = judge_of(count, s.prior, 0x1p-20L);
    for (int64_t t = 0; t < trials; t++) {
        long double weight[MOST];
        draw_trial(&s, &d, quality, diligence);
        weft__hedge_weigh(&s.hedge, s.awake);
        check_weights(&s);
        long double h = judge_learn(&exact, s.awake, s.loss, weight);
        for (int64_t i = 0; i < count; i++)
            assert_near(s.hedge.weight[i], (double)weight[i], 1e-8);
        assert_near(learn(&s), (double)h, 1e-8);
        assert_near(s.hedge.gap, (double)exact.gap, 1e-8 * (1 + (double)exact.gap));
    }
    close_scene(&s);
}

static void random_losses_go_as_defined(void **state)
{
    unsigned long long first = 1, count = PROBLEMS;
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    for (uint64_t seed = first; seed < first + count; seed++)
        play_random(seed, seed % 20 == 0 ? 5000 : 500);
}

/* Following the leaders as long as the gap is 0, as the paper has it, makes no difference that one would see.
 * */
static void the_first_rate_makes_no_difference(void **state)
{
    dice d = {77};
    for (int k = 0; k < 40; k++) {
        double prior[MOST], loss[MOST];
        bool awake[MOST];
        long double weight[MOST];
        int64_t count = 2 + dice_below(&d, 8);
        draw_priors(count, k % 3, &d, prior);
        judge ours = judge_of(count, prior, 0x1p-20L), papers = judge_of(count, prior, 0);
        for (int t = 0; t < 500; t++) {
            for (int64_t i = 0; i < count; i++) {
                awake[i] = i == 0 || dice_chance(&d, 0.8);
                loss[i] = dice_chance(&d, 0.1 + 0.1 * (double)i);
            }
            judge_learn(&ours, awake, loss, weight);
            judge_learn(&papers, awake, loss, weight);
        }
        assert_near((double)ours.gap, (double)papers.gap, 1e-4 * (double)papers.gap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_losses_go_as_defined),
        cmocka_unit_test(the_first_rate_makes_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
