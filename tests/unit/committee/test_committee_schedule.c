/* SPDX-License-Identifier: MIT
 * Who rests when the allowance is spent, one rule at a time: prices, standings and what the stack believes
 * are set by hand.  (Whole streams against the definition: property/committee.) */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "support/panel.h"

enum { IDS = 5, LEARNERS = 4, MEMBERS = 8 };

/* Balanced learners 0 (plain) to 3, rivals 4 and 5, and hybrids 6 (plain) and 7. */
typedef struct room {
    panel p;
    weft_player *player;
    weft__committee *committee;
} room;

static void room_open(room *r)
{
    panel_open(3, KNOWN_CLASSES, false, IDS, IDS, &r->p);
    panel *p = &r->p;
    panel_add_learner(p, WEFT_BALANCED, 1, p->none[0], p->none[1]);
    for (int k = 1; k < LEARNERS; k++)
        panel_add_learner(p, WEFT_BALANCED, k, p->given[0], p->given[1]);
    panel_add_rival(p, WEFT_RIVAL_CONSTANT, 0, p->none[0], p->none[1])->plain = true;
    panel_add_rival(p, WEFT_RIVAL_BIAS, 0, p->given[0], p->given[1]);
    panel_add_rival(p, WEFT_RIVAL_HYBRID, 0, p->none[0], p->none[1])->plain = true;
    panel_add_rival(p, WEFT_RIVAL_HYBRID, 0, p->given[0], p->given[1]);
    r->player = panel_committee(p, &(weft_committee_settings){0}, NULL);
    r->committee = weft__committee_in(r->player);
    assert_int_equal(r->committee->count, MEMBERS);
    for (int64_t k = 0; k < MEMBERS; k++)
        r->committee->members[k].price = 100;
    r->committee->labels[1] = r->committee->counters.trials = 10;
}

static void room_close(room *r)
{
    weft_player_free(r->player);
    panel_close(&r->p);
}

/* As far over the budget as `share` of the allowance, after the work of the trial that ends. */
static void settle(room *r, double share)
{
    double work = 0;
    for (int64_t k = 0; k < MEMBERS; k++)
        work += r->committee->awake[k] ? r->committee->members[k].price : 0;
    r->committee->spent = share * WEFT__ALLOWANCE + 10 * WEFT__BUDGET - work;
    weft__committee_schedule(r->committee);
    assert_true(r->committee->spent == share * WEFT__ALLOWANCE + 10 * WEFT__BUDGET);
}

/* A bit for each member. */
static void assert_awake(const room *r, unsigned expected)
{
    unsigned found = 0;
    int64_t count = 0;
    for (int64_t k = 0; k < MEMBERS; k++) {
        found |= (unsigned)r->committee->awake[k] << k;
        count += r->committee->awake[k];
        if (!r->committee->awake[k])
            assert_true(r->committee->members[k].since == 10 && !weft__stack_hears(&r->committee->stack, k));
    }
    assert_int_equal(found, expected);
    assert_int_equal(r->committee->counters.awake, count);
}

static void nobody_rests_within_the_budget(void **state)
{
    room r;
    room_open(&r);
    for (int64_t k = 0; k < MEMBERS; k++)
        r.committee->members[k].price = WEFT__BUDGET / MEMBERS;
    settle(&r, 9);
    assert_awake(&r, 0xff);
    room_close(&r);
}

static void nobody_rests_within_half_of_the_allowance(void **state)
{
    room r;
    room_open(&r);
    r.committee->members[1].price = 1e6;
    settle(&r, 0.5);
    assert_awake(&r, 0xff);
    settle(&r, 0.5000001);
    assert_awake(&r, 0xfd);
    room_close(&r);
}

/* A price of 20,000 is not dear yet. */
static void dear_ones_go_first(void **state)
{
    room r;
    room_open(&r);
    r.committee->members[1].price = 30001;
    r.committee->members[2].price = 20000;
    r.committee->members[3].price = 20000;
    r.committee->members[5].price = 20000;
    settle(&r, 0.75);
    assert_awake(&r, 0xfd); /* 60,500 are left, but nobody dear */
    settle(&r, 1);
    assert_awake(&r, 0xfd);
    /* Of three that cost the same the first is missed no less than the others. */
    settle(&r, 1.0000001);
    assert_awake(&r, 0xf9);
    room_close(&r);
}

/* The statistic of member k is w^2 / variance. */
static void believe(room *r, int64_t k, double wald)
{
    weft__stack *stack = &r->committee->stack;
    stack->mean[k] = sqrt(wald * stack->covariance[k * stack->n + k]);
}

/* (1 + statistic) over the price, the least first; by the statistic alone others would go. */
static void the_one_missed_least_for_its_price_goes(void **state)
{
    room r;
    room_open(&r);
    believe(&r, 1, 1.6); /* 2.6 / 12,000 */
    believe(&r, 2, 3);   /* 4 / 20,000: less */
    believe(&r, 3, 100);
    r.committee->members[1].price = 12000;
    r.committee->members[2].price = 20000;
    r.committee->members[3].price = 19000;
    settle(&r, 1.1);
    assert_awake(&r, 0xfb);
    room_close(&r);
    room_open(&r);
    believe(&r, 1, 30); /* 31 / 40,000 */
    believe(&r, 2, 20); /* 21 / 25,000 */
    believe(&r, 3, 40); /* 41 / 60,000: the least */
    r.committee->members[1].price = 40000;
    r.committee->members[2].price = 25000;
    r.committee->members[3].price = 60000;
    settle(&r, 0.6);
    assert_awake(&r, 0xf5); /* first 3, then 1: 25,500 are left */
    room_close(&r);
}

/* With ever less for its price than the rest. */
static void the_best_is_kept_unless_it_is_dear(void **state)
{
    for (int dear = 0; dear < 2; dear++) {
        room r;
        room_open(&r);
        r.committee->members[2].price = dear ? 20001 : 20000;
        r.committee->members[1].price = r.committee->members[3].price = 20000;
        r.committee->hedge.regret[2] = 5;
        believe(&r, 1, 10);
        believe(&r, 3, 20);
        settle(&r, 2);
        assert_awake(&r, dear ? 0xfb : 0xfd);
        room_close(&r);
    }
}

/* A rival of counts that is called plain is none that learns pairs. */
static void the_last_plain_one_is_kept(void **state)
{
    room r;
    room_open(&r);
    r.committee->hedge.regret[7] = 5;
    r.committee->members[0].price = 3e5; /* the first plain one goes, */
    settle(&r, 2);
    assert_awake(&r, 0xfe);
    r.committee->members[6].price = 4e5; /* the second, a hybrid, does not, whatever it costs */
    settle(&r, 2);
    assert_awake(&r, 0x40 | 0x80);
    r.committee->members[7].price = 3e5; /* and it alone is left */
    settle(&r, 2);
    assert_awake(&r, 0x40);
    settle(&r, 5);
    assert_awake(&r, 0x40);
    room_close(&r);
}

static void the_last_of_all_is_kept(void **state)
{
    room r;
    room_open(&r);
    for (int64_t k = 0; k < MEMBERS; k++) {
        r.committee->members[k].given.plain = false;
        r.committee->members[k].price = 1e6 + (double)k;
    }
    settle(&r, 0.6);
    assert_awake(&r, 0x01); /* the cheapest */
    settle(&r, 7);
    assert_awake(&r, 0x01);
    room_close(&r);
}

static void a_restless_committee_spends_nothing(void **state)
{
    room r;
    room_open(&r);
    r.committee->settings.restless = true;
    r.committee->spent = 4 * WEFT__ALLOWANCE;
    r.committee->members[1].price = 1e9;
    weft__committee_schedule(r.committee);
    assert_awake(&r, 0xff);
    assert_true(r.committee->spent == 4 * WEFT__ALLOWANCE);
    room_close(&r);
}

/* Whatever the stream: all that was spent is the allowance, the budget of every trial, and what one trial can
 * cost.  It is kept for ever, since those that rest do not return. */
static void the_budget_is_kept(void **state)
{
    for (int stream = 0; stream < PANEL_STREAMS; stream++) {
        panel p;
        dice d = {(uint64_t)stream};
        panel_open(5, KNOWN_KERNEL, false, IDS, IDS, &p);
        panel_add_learners(&p);
        panel_add_rivals(&p);
        for (int k = 1; k <= 6; k++)
            panel_add_rival(&p, WEFT_RIVAL_HYBRID, 0.1 * k, p.given[0], p.given[1])->rival.replay = 120 * k;
        weft_player *player = panel_committee(&p, &(weft_committee_settings){0}, NULL);
        weft__committee *committee = weft__committee_in(player);
        committee->spent = WEFT__ALLOWANCE / 2 - 2e7;
        int64_t asleep = 0, first = 0;
        double dearest = 0;
        for (int64_t t = 0; t < 1500; t++) {
            double before = committee->spent;
            panel_play(&p, (panel_labels)stream, t, t + 1, &d, player);
            dearest = fmax(dearest, committee->spent - before);
            double budget = WEFT__BUDGET * (double)committee->counters.trials;
            assert_true(committee->spent <= WEFT__ALLOWANCE / 2 + budget + dearest);
            assert_true(p.count - committee->counters.awake >= asleep);
            asleep = p.count - committee->counters.awake;
            first += asleep == 0;
        }
        assert_true(asleep > 0 && first > 10 && dearest > 2 * WEFT__BUDGET);
        weft_player_free(player);
        panel_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_rests_within_the_budget),
        cmocka_unit_test(nobody_rests_within_half_of_the_allowance),
        cmocka_unit_test(dear_ones_go_first),
        cmocka_unit_test(the_one_missed_least_for_its_price_goes),
        cmocka_unit_test(the_best_is_kept_unless_it_is_dear),
        cmocka_unit_test(the_last_plain_one_is_kept),
        cmocka_unit_test(the_last_of_all_is_kept),
        cmocka_unit_test(a_restless_committee_spends_nothing),
        cmocka_unit_test(the_budget_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
