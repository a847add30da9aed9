/* SPDX-License-Identifier: MIT
 *
 * Losses made to hurt a weighted forecaster, 10^5 trials each, with the checks of hedge.h at every one.  They
 * may come late and out of order: what was answered then counts, under the weights of then. */
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

/* An answer that waits: who was awake, what they will be told to have lost, and what that comes to under the
 * weights of the answer. */
typedef struct waiting {
    bool awake[MOST];
    double loss[MOST], error;
} waiting;

enum { LONGEST = 1001 };

static void learn_late(scene *s, const waiting *w)
{
    memcpy(s->awake, w->awake, sizeof s->awake);
    memcpy(s->loss, w->loss, sizeof s->loss);
    weft__hedge_weigh(&s->hedge, s->awake);
    check_weights(s);
    double h = learn(s);
    for (int64_t i = 0; i < s->hedge.count; i++) {
        if (!w->awake[i])
            continue;
        s->answered[i] += (long double)w->error - (long double)w->loss[i];
        s->drift[i] += (long double)w->error - (long double)h;
        if (!(s->answered[i] <= (long double)weft__hedge_term(&s->hedge, i) + s->drift[i] + 1e-9L))
            fail_msg("%s, trial %d, expert %d: %.17Lg is above term %.17g + drift %.17Lg", s->where,
                     (int)s->t, (int)i, s->answered[i], weft__hedge_term(&s->hedge, i), s->drift[i]);
    }
}

static void play_late(const adversary *a, int64_t count, int64_t delay, bool shuffled)
{
    static waiting queue[LONGEST];
    dice d = {(uint64_t)(7 * count + delay)};
    int64_t waits = 0, trials = delay + TRIALS / 20;
    scene s;
    open_scene(&s, count, 1, &d);
    snprintf(s.where, sizeof s.where, "%s, %d experts, delay %d", a->name, (int)count, (int)delay);
    for (int64_t t = 0; t < trials; t++) {
        waiting *w = &queue[waits++];
        a->plan(&s, &d);
        weft__hedge_weigh(&s.hedge, s.awake);
        a->strike(&s, &d);
        memcpy(w->awake, s.awake, sizeof w->awake);
        memcpy(w->loss, s.loss, sizeof w->loss);
        w->error = 0;
        for (int64_t i = 0; i < count; i++)
            w->error += s.awake[i] ? s.hedge.weight[i] * s.loss[i] : 0;
        assert_near(w->error, weft__hedge_loss(&s.hedge, s.awake, s.loss), 1e-12);
        if (waits <= delay)
            continue;
        int64_t next = shuffled ? dice_below(&d, waits) : 0;
        waiting taken = queue[next];
        memmove(&queue[next], &queue[next + 1], (size_t)(--waits - next) * sizeof *queue);
        learn_late(&s, &taken);
        if (delay == 0)
            assert_true(fabsl(s.drift[0]) < 1e-9L);
    }
    close_scene(&s);
}

static const adversary all[] = {{"label against the vote", all_stay, label_against_the_vote},
                                {"two take turns", all_stay, two_take_turns},
                                {"the leader falls", all_stay, the_leader_falls},
                                {"one label", all_stay, one_label},
                                {"one label then the other", all_stay, one_label_then_the_other},
                                {"hardly any loss", all_stay, hardly_any_loss},
                                {"masters change", all_stay, masters_change},
                                {"sleep before being right", sleep_before_being_right, as_planned},
                                {"leaders sleep", leaders_sleep, as_planned}};

static void the_guarantee_holds_with_drift_where_losses_come_late(void **state)
{
    static const int64_t delays[] = {0, 1, 10, 1000};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
            for (int shuffled = 0; shuffled < 2; shuffled++)
                play_late(&all[k], 9, delays[i], shuffled);
}

static void the_guarantee_holds_against_adversaries(void **state)
{
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
        cmocka_unit_test(the_guarantee_holds_with_drift_where_losses_come_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
