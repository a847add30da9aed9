/* SPDX-License-Identifier: MIT
 *
 * Losses made to hurt a weighted forecaster, 10^5 trials each, with the checks of hedge.h at every one. */
#include "hedge.h"
#include "support/effort.h"

#define TRIALS effort(25000, 100000)

/* Who is awake is planned before the weights are known, the losses after. */
typedef struct adversary {
    const char *name;
    void (*plan)(scene *s, dice *d);
    void (*strike)(scene *s, dice *d);
} adversary;

static int64_t heaviest(const scene *s, int64_t among)
{
    int64_t top = 0;
    for (int64_t i = 1; i < among; i++)
        if (s->hedge.weight[i] > s->hedge.weight[top])
            top = i;
    return top;
}

static void all_stay(scene *s, dice *d)
{
    (void)d;
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->awake[i] = true;
}

/* Votes are coins; the label is the one that the vote is against. */
static void label_against_the_vote(scene *s, dice *d)
{
    double vote = 0;
    for (int64_t i = 0; i < s->hedge.count; i++) {
        s->loss[i] = dice_chance(d, 0.5);
        vote += s->hedge.weight[i] * s->loss[i];
    }
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = vote >= 0.5 ? s->loss[i] : 1 - s->loss[i];
}

/* Of the first two whoever is believed is wrong, of the others always everyone. */
static void two_take_turns(scene *s, dice *d)
{
    (void)d;
    int64_t wrong = heaviest(s, 2);
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = i >= 2 || i == wrong;
}

static void the_leader_falls(scene *s, dice *d)
{
    (void)d;
    int64_t wrong = heaviest(s, s->hedge.count);
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = i == wrong;
}

/* Some say +1, some -1, some guess; all labels are +1, or -1 from the middle on. */
static void one_label(scene *s, dice *d)
{
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : dice_chance(d, 0.5);
}

static void one_label_then_the_other(scene *s, dice *d)
{
    one_label(s, d);
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = s->t < TRIALS / 2 ? s->loss[i] : 1 - s->loss[i];
}

/* So little that the gap stays below the least that counts and the rate at its highest. */
static void hardly_any_loss(scene *s, dice *d)
{
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = 1e-9 * dice_uniform(d);
}

/* Of each doubled stretch of trials another expert is master. */
static void masters_change(scene *s, dice *d)
{
    (void)d;
    for (int64_t i = 0; i < s->hedge.count; i++)
        s->loss[i] = ilogb((double)s->t + 1) % s->hedge.count != i;
}

/* Losses are known to the experts beforehand: those about to be right sleep, but for a few. */
static void sleep_before_being_right(scene *s, dice *d)
{
    for (int64_t i = 0; i < s->hedge.count; i++) {
        s->loss[i] = dice_chance(d, 0.3);
        s->awake[i] = i == 0 || s->loss[i] > 0 || dice_chance(d, 0.1);
    }
}

/* Those with the largest regrets sleep, all the others are far behind them. */
static void leaders_sleep(scene *s, dice *d)
{
    int64_t stretch = s->t / 500 % 2;
    for (int64_t i = 0; i < s->hedge.count; i++) {
        s->loss[i] = i % 2 == 0 ? 0 : dice_chance(d, 0.9);
        s->awake[i] = i % 2 == 0 ? stretch == 0 && s->t < TRIALS / 2 : s->t > 0;
    }
    if (s->t == 0 || s->hedge.count == 1)
        s->awake[0] = true;
}

/* As planned, turned round where that hurts the weights more. */
static void as_planned(scene *s, dice *d)
{
    (void)d;
    double lost = 0;
    for (int64_t i = 0; i < s->hedge.count; i++)
        lost += s->hedge.weight[i] * s->loss[i];
    for (int64_t i = 0; s->t > TRIALS / 2 && lost < 0.5 && i < s->hedge.count; i++)
        s->loss[i] = 1 - s->loss[i];
}

static void play_adversary(const adversary *a, int64_t count, int priors, int64_t trials)
{
    dice d = {(uint64_t)(7 * count + priors)};
    scene s;
    open_scene(&s, count, priors, &d);
    snprintf(s.where, sizeof s.where, "%s, %d experts, priors %d", a->name, (int)count, priors);
    while (s.t < trials) {
        a->plan(&s, &d);
        weft__hedge_weigh(&s.hedge, s.awake);
        check_weights(&s);
        a->strike(&s, &d);
        learn(&s);
    }
    close_scene(&s);
}

static void the_guarantee_holds_against_adversaries(void **state)
{
    static const adversary all[] = {{"label against the vote", all_stay, label_against_the_vote},
                                    {"two take turns", all_stay, two_take_turns},
                                    {"the leader falls", all_stay, the_leader_falls},
                                    {"one label", all_stay, one_label},
                                    {"one label then the other", all_stay, one_label_then_the_other},
                                    {"hardly any loss", all_stay, hardly_any_loss},
                                    {"masters change", all_stay, masters_change},
                                    {"sleep before being right", sleep_before_being_right, as_planned},
                                    {"leaders sleep", leaders_sleep, as_planned}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int priors = 0; priors < 4; priors++) {
            play_adversary(&all[k], priors == 0 ? 2 : 9, priors, TRIALS);
            play_adversary(&all[k], MOST, priors, TRIALS / 20);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guarantee_holds_against_adversaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
