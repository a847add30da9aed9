/* SPDX-License-Identifier: MIT
 *
 * A fixed share against losses made to hurt it: at any time, for every s, it has lost no more than the best
 * sequence of experts with s changes (found by dynamic programming) and the term; its weights are those of
 * a version of its own (support/sharer.h); its gap is what the theory says of it. */
#include "../unit/test_core_support.h"

#include "support/dice.h"
#include "support/sharer.h"

static const double PRIORS[][WEFT__SHARERS] = {
    {1. / 6, 1. / 6, 1. / 6, 0.5}, {0.25, 0.25, 0.25, 0.25}, {0.7, 0.1, 0.1, 0.1}, {1e-4, 0.3, 0.3, 0.3999}};

typedef struct scene {
    weft__fixed_share share;
    sharer slow;
    double loss[WEFT__SHARERS];
    long double own; /* the sum of what share_learn has answered */
    int64_t t;
    const char *where;
} scene;

typedef struct adversary {
    const char *name;
    void (*strike)(scene *s, dice *d);
    int64_t trials;
    /* As fixed_share.c and sharer.h round otherwise, their weights part where rates are at their highest. */
    double tolerance;
    double alpha; /* 0: 1/(t+1) */
} adversary;

/* ---- adversaries ---- */

static int heaviest(const scene *s)
{
    int top = 0;
    for (int i = 1; i < WEFT__SHARERS; i++)
        if (s->share.weight[i] > s->share.weight[top])
            top = i;
    return top;
}

static void random_losses(scene *s, dice *d)
{
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = dice_chance(d, 0.5) ? dice_uniform(d) : dice_chance(d, 0.2 + 0.1 * i);
}

static void alternate(scene *s, dice *d)
{
    (void)d;
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = (s->t + i) % 2 == 0;
}

static void the_leader_falls(scene *s, dice *d)
{
    (void)d;
    int top = heaviest(s);
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = i == top;
}

/* Whoever is believed is wrong, the last one half. */
static void only_one_is_right(scene *s, dice *d)
{
    int right = (heaviest(s) + 1 + (int)dice_below(d, WEFT__SHARERS - 1)) % WEFT__SHARERS;
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = i == right ? 0 : i == 3 ? 0.5 : 1;
}

static void against_the_vote(scene *s, dice *d)
{
    double vote = 0;
    for (int i = 0; i < WEFT__SHARERS; i++) {
        s->loss[i] = dice_chance(d, 0.5);
        vote += s->share.weight[i] * s->loss[i];
    }
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = vote >= 0.5 ? s->loss[i] : 1 - s->loss[i];
}

static void all_alike(scene *s, dice *d)
{
    double loss = dice_chance(d, 0.5);
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = loss;
}

/* Another one is the best after every 700 trials, and clearly. */
static void masters_change(scene *s, dice *d)
{
    int master = (int)(s->t / 700 * 3 % WEFT__SHARERS);
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = dice_chance(d, i == master ? 0.02 : 0.4);
}

/* One is right for ever, then wrong for ever. */
static void one_for_long(scene *s, dice *d)
{
    (void)d;
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = (i == 0) != (s->t < 10000);
}

/* So little that the rate stays at its highest. */
static void hardly_any_loss(scene *s, dice *d)
{
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = 1e-9 * dice_uniform(d);
}

/* All alike, until the rate falls from its highest at once: nobody is to lose more by it than he has lost. */
static void late_losses(scene *s, dice *d)
{
    (void)d;
    for (int i = 0; i < WEFT__SHARERS; i++)
        s->loss[i] = s->t < 1900 ? 0 : s->t == 1900 ? i != 0 : i != 3;
}

/* ---- checks ---- */

static void check_guarantee(scene *s)
{
    long double most = sqrtl(8 * s->slow.variance) + 16 / 3.0L + 1 + 1e-6L;
    if (!((long double)s->share.gap <= most))
        fail_msg("%s, trial %d: gap %g, theory %Lg", s->where, (int)s->t, s->share.gap, most);
    for (int n = 0; n < SHARER_CHANGES; n++) {
        double term = weft__fixed_share_term(&s->share, n, (double)s->slow.least);
        long double best = sharer_least(s->slow.best[n]);
        if (!(s->own <= best + (long double)term))
            fail_msg("%s, trial %d: lost %.17Lg; with %d changes %.17Lg + %.17g", s->where, (int)s->t, s->own,
                     n, best, term);
        assert_near(term, (double)sharer_term(&s->slow, n), 1e-6 * term + 1e-9);
    }
}

static void check_weights(scene *s, double tolerance)
{
    double sum = 0;
    for (int i = 0; i < WEFT__SHARERS; i++) {
        assert_true(s->share.weight[i] > 0);
        assert_near(s->share.weight[i], (double)s->slow.weight[i], tolerance);
        sum += s->share.weight[i];
    }
    assert_near(sum, 1, 1e-14);
}

/* Mostly 1/(t+1); with alarms 1/2 now and then, and experts that change places. */
static void play(const adversary *a, const double *prior, bool alarms)
{
    dice d = {(uint64_t)a->trials + alarms};
    scene s = {.share = weft__fixed_share_create(prior), .slow = sharer_of(prior), .where = a->name};
    check_weights(&s, 1e-15);
    while (s.t < a->trials) {
        a->strike(&s, &d);
        double part = a->alpha > 0 ? a->alpha : 1 / (double)(s.t + 2);
        double alpha = alarms && dice_chance(&d, 0.004) ? 0.5 : part;
        double h = weft__fixed_share_learn(&s.share, s.loss, alpha);
        assert_true(h >= 0 && h <= 1);
        assert_near(h, (double)sharer_learn(&s.slow, s.loss, alpha), a->tolerance);
        check_weights(&s, a->tolerance);
        s.own += (long double)h;
        s.t++;
        if (alarms && dice_chance(&d, 0.01)) {
            int i = (int)dice_below(&d, WEFT__SHARERS), j = (int)dice_below(&d, WEFT__SHARERS);
            weft__fixed_share_exchange(&s.share, i, j);
            sharer_exchange(&s.slow, i, j);
        }
        if (s.t < 200 || s.t % 97 == 0 || s.t == a->trials)
            check_guarantee(&s);
    }
}

static void the_guarantee_holds(void **state)
{
    static const adversary list[] = {
        {"random losses", random_losses, 4000, 1e-8, 0},
        {"alternating", alternate, 4000, 1e-8, 0},
        {"the leader falls", the_leader_falls, 4000, 1e-8, 0},
        {"only one is right", only_one_is_right, 4000, 1e-8, 0},
        {"against the vote", against_the_vote, 4000, 1e-8, 0},
        {"all alike", all_alike, 2000, 1e-8, 0},
        {"masters change", masters_change, 6000, 1e-8, 0},
        {"hardly any loss", hardly_any_loss, 2000, 1e-6, 0},
        {"late losses", late_losses, 2000, 1e-8, 0},
        {"late losses, hardly shared", late_losses, 2000, 1e-8, 1e-200},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (size_t p = 0; p < sizeof PRIORS / sizeof *PRIORS; p++)
            for (int alarms = 0; alarms < 2; alarms++)
                play(&list[k], PRIORS[p], alarms);
}

static void the_guarantee_holds_for_long(void **state)
{
    static const adversary list[] = {
        {"one for long", one_for_long, 20000, 1e-8, 0},
        {"the leader falls for long", the_leader_falls, 100000, 1e-7, 0},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        play(&list[k], PRIORS[0], false);
}

/* Where another one is the best now and then, it is better than every single one by far. */
static void changes_are_followed(void **state)
{
    dice d = {5};
    scene s = {.share = weft__fixed_share_create(PRIORS[0]), .slow = sharer_of(PRIORS[0])};
    while (s.t < 7000) {
        masters_change(&s, &d);
        double alpha = 1 / (double)(s.t++ + 2);
        s.own += (long double)weft__fixed_share_learn(&s.share, s.loss, alpha);
        sharer_follow(&s.slow, s.loss);
    }
    assert_true(s.own < 0.6L * sharer_least(s.slow.best[0]));
    assert_true(s.own < 2 * sharer_least(s.slow.best[9]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guarantee_holds),
        cmocka_unit_test(the_guarantee_holds_for_long),
        cmocka_unit_test(changes_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
