/* SPDX-License-Identifier: MIT
 * Who rests when accounts are spent, one rule at a time: prices, accounts, standings and what the stack
 * believes are set by hand.  (Whole streams against the definition: property/committee.) */
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

static double account_of(const weft__committee *committee, int64_t k)
{
    return weft__account_of(&committee->members[k].given);
}

/* After the trial that ends so much is left in the account of member k. */
static void leave(room *r, int64_t k, double left)
{
    r->committee->members[k].paid = account_of(r->committee, k) - left - r->committee->members[k].price;
}

/* Member k shares the budget: its account is empty. */
static void spend(room *r, int64_t k, double price)
{
    r->committee->members[k].price = price;
    leave(r, k, 0);
}

static void spend_all(room *r)
{
    for (int64_t k = 0; k < MEMBERS; k++)
        leave(r, k, 0);
}

/* The end of a trial: who is awake pays, nobody else. */
static void settle(room *r)
{
    double expected[MEMBERS];
    for (int64_t k = 0; k < MEMBERS; k++) {
        const weft__member_state *member = &r->committee->members[k];
        expected[k] = member->paid + (r->committee->awake[k] ? member->price : 0);
    }
    weft__committee_schedule(r->committee);
    for (int64_t k = 0; k < MEMBERS; k++)
        assert_true(r->committee->members[k].paid == expected[k]);
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

/* The statistic of member k is w^2 / variance. */
static void believe(room *r, int64_t k, double wald)
{
    weft__stack *stack = &r->committee->stack;
    stack->steady.mean[k] = sqrt(wald * stack->steady.covariance[k * stack->n + k]);
}

/* ---- Accounts ---- */

/* A trial costs some 500 budgets, all of it dear; and every one is missed as little as the others. */
static void nobody_rests_who_can_pay(void **state)
{
    room r;
    room_open(&r);
    for (int64_t k = 0; k < MEMBERS; k++)
        r.committee->members[k].price = 1e6;
    settle(&r);
    assert_awake(&r, 0xff);
    room_close(&r);
}

/* It has played 10 trials. */
static void as_many_trials_again_are_to_be_paid(void **state)
{
    for (int less = 0; less < 2; less++) {
        room r;
        room_open(&r);
        r.committee->members[1].price = 1e7;
        leave(&r, 1, 1e8 - less);
        settle(&r);
        assert_awake(&r, less ? 0xfd : 0xff);
        room_close(&r);
    }
}

/* Before it began there was nothing to be paid. */
static void trials_count_from_when_it_was_woken(void **state)
{
    for (int less = 0; less < 2; less++) {
        room r;
        room_open(&r);
        r.committee->members[1].since = 7;
        r.committee->members[1].price = 1e7;
        leave(&r, 1, 3e7 - less);
        settle(&r);
        assert_awake(&r, less ? 0xfd : 0xff);
        room_close(&r);
    }
}

/* With accounts that a merge opened, whoever was woken before; not before it was woken. */
static void trials_count_from_the_merge(void **state)
{
    for (int less = 0; less < 2; less++)
        for (int since = 0; since < 10; since += 3) {
            room r;
            room_open(&r);
            int64_t from = since > 4 ? since : 4;
            r.committee->opened = 4;
            r.committee->members[1].since = since;
            r.committee->members[1].price = 1e7;
            leave(&r, 1, 1e7 * (double)(10 - from) - less);
            settle(&r);
            assert_true(r.committee->awake[1] == !less);
            assert_int_equal(r.committee->counters.awake, MEMBERS - less);
            room_close(&r);
        }
}

/* Of a committee that was merged at trial `merged`.  Two have prices that pay for 500 trials, or 1,000, and
 * as many again: so long they play, the others cost nothing and stay. */
static void follow_after_the_merge(weft__committee *committee, int64_t merged)
{
    static const int64_t whole[] = {500, 1000}; /* of members 1 and 2 */
    assert_int_equal(committee->counters.trials, merged);
    assert_int_equal(committee->opened, merged);
    for (int64_t k = 0; k < MEMBERS; k++)
        assert_true(committee->members[k].paid == 0 && committee->awake[k]);
    for (int64_t t = 1; t <= 1001; t++) {
        for (int64_t k = 0; k < MEMBERS; k++)
            committee->members[k].price =
                k == 1 || k == 2 ? account_of(committee, k) / 2 / (double)whole[k - 1] : 100;
        committee->counters.trials++;
        committee->counters.t++;
        committee->labels[1]++;
        weft__committee_schedule(committee);
        for (int64_t k = 0; k < MEMBERS; k++)
            assert_true(committee->awake[k] == ((k != 1 && k != 2) || t <= whole[k - 1]));
    }
}

/* Two of 3,500 trials each, of which nothing was left. */
static void after_a_merge_members_play_on_as_their_accounts_allow(void **state)
{
    room r, other;
    weft_player *copy = NULL;
    panel_state s;
    room_open(&r);
    room_open(&other);
    weft__committee *two[] = {r.committee, other.committee};
    for (int i = 0; i < 2; i++) {
        two[i]->counters.trials = two[i]->counters.t = two[i]->labels[1] = 3500;
        for (int64_t k = 0; k < MEMBERS; k++)
            two[i]->members[k].paid = account_of(two[i], k), two[i]->members[k].seen = 3500;
    }
    assert_int_equal(weft_player_merge(r.player, other.player, NULL), WEFT_OK);
    /* What is written goes on as well. */
    s = panel_write(r.player);
    assert_int_equal(weft_committee_read(r.p.members, r.p.count, s.bytes, s.size, NULL, &copy, NULL),
                     WEFT_OK);
    free(s.bytes);
    follow_after_the_merge(r.committee, 7000);
    follow_after_the_merge(weft__committee_in(copy), 7000);
    weft_player_free(copy);
    copy = NULL;
    /* And a copy, of one that is merged again. */
    assert_int_equal(weft_player_merge(r.player, other.player, NULL), WEFT_OK);
    assert_int_equal(weft_player_clone(r.player, &copy, NULL), WEFT_OK);
    follow_after_the_merge(weft__committee_in(copy), 8001 + 3500);
    weft_player_free(copy);
    assert_int_equal(other.committee->opened, 0);
    room_close(&other);
    room_close(&r);
}

/* Of a trial that costs some hundred times as much. */
static void those_that_cannot_pay_share_the_budget(void **state)
{
    for (int more = 0; more < 2; more++) {
        room r;
        room_open(&r);
        r.committee->members[4].price = r.committee->members[5].price = 4e6;
        spend(&r, 1, 9000);
        spend(&r, 2, 3000);
        spend(&r, 3, 3000 + more);
        settle(&r);
        assert_awake(&r, more ? 0xfd : 0xff);
        room_close(&r);
    }
}

/* It costs most and is missed least; others go, which are believed. */
static void whoever_can_pay_does_not_go_for_others(void **state)
{
    room r;
    room_open(&r);
    r.committee->members[3].price = 9e6;
    spend(&r, 1, 9000);
    spend(&r, 2, 12000);
    believe(&r, 1, 1000);
    believe(&r, 2, 1000);
    settle(&r);
    assert_awake(&r, 0xfb);
    room_close(&r);
}

/* And when it goes, others stay for which there is room then. */
static void nobody_goes_for_one_that_can_pay(void **state)
{
    room r;
    room_open(&r);
    spend(&r, 1, 15000);
    r.committee->members[3].price = 9e6;
    settle(&r);
    assert_awake(&r, 0xff);
    leave(&r, 3, 0);
    settle(&r);
    assert_awake(&r, 0xf7);
    room_close(&r);
}

/* A checkpoint wakes member 3, at the edge of which is the best.  It comes with an account that pays for two
 * trials at this price, so for one and one again, although a thousand were played before it began. */
static void one_in_reserve_begins_with_its_account(void **state)
{
    room r;
    room_open(&r);
    weft__committee *committee = r.committee;
    weft__member_state *member = &committee->members[3];
    member->given.beyond = 2;
    weft__committee_start(committee);
    const double account = account_of(committee, 3);
    member->price = account / 2;
    committee->hedge.regret[1] = 5;
    committee->labels[1] = committee->counters.trials = WEFT__LATEST_CHECKPOINT - 1;
    settle(&r);
    assert_true(!committee->awake[3] && member->paid == 0);
    committee->labels[1] = ++committee->counters.trials;
    settle(&r);
    assert_true(committee->awake[3] && member->since == WEFT__LATEST_CHECKPOINT && member->paid == 0);
    committee->labels[1] = ++committee->counters.trials;
    settle(&r);
    assert_true(committee->awake[3] && member->paid == account / 2);
    committee->labels[1] = ++committee->counters.trials;
    settle(&r);
    assert_true(!committee->awake[3] && member->paid == account && committee->counters.awake == MEMBERS - 1);
    settle(&r);
    assert_true(!committee->awake[3] && member->paid == account);
    room_close(&r);
}

/* ---- Who goes, and who does not ---- */

/* (1 + statistic) over the price, the least first; by the statistic alone others would go. */
static void the_one_missed_least_for_its_price_goes(void **state)
{
    room r;
    room_open(&r);
    spend(&r, 1, 3600);
    spend(&r, 2, 6000);
    spend(&r, 3, 5700);
    believe(&r, 1, 1.6); /* 2.6 / 3,600 */
    believe(&r, 2, 3);   /* 4 / 6,000: less */
    believe(&r, 3, 100);
    settle(&r);
    assert_awake(&r, 0xfb);
    room_close(&r);
    room_open(&r);
    spend(&r, 1, 24000);
    spend(&r, 2, 15000);
    spend(&r, 3, 36000);
    believe(&r, 1, 30); /* 31 / 24,000 */
    believe(&r, 2, 20); /* 21 / 15,000 */
    believe(&r, 3, 40); /* 41 / 36,000: the least */
    settle(&r);
    assert_awake(&r, 0xf5); /* first 3, then 1: 15,000 are left */
    room_close(&r);
}

/* Two of the same statistic: by the statistic alone the first would go. */
static void of_equal_ones_the_dearer_goes(void **state)
{
    room r;
    room_open(&r);
    spend(&r, 1, 100);
    spend(&r, 2, 15000);
    settle(&r);
    assert_awake(&r, 0xfb);
    room_close(&r);
}

/* With ever less for its price than the rest.  A price of 6,000 is not dear yet. */
static void the_best_is_kept_unless_it_is_dear(void **state)
{
    for (int dear = 0; dear < 2; dear++) {
        room r;
        room_open(&r);
        spend(&r, 1, 6000);
        spend(&r, 2, dear ? 6001 : 6000);
        spend(&r, 3, 6000);
        r.committee->hedge.regret[2] = 5;
        believe(&r, 1, 10);
        believe(&r, 3, 20);
        settle(&r);
        assert_awake(&r, dear ? 0xfb : 0xfd);
        room_close(&r);
    }
}

/* Where the best can pay there is nothing to keep, and the next best goes. */
static void the_second_best_is_not_kept(void **state)
{
    room r;
    room_open(&r);
    spend(&r, 1, 6000);
    spend(&r, 2, 6000);
    spend(&r, 3, 6000);
    r.committee->hedge.regret[5] = 6;
    r.committee->hedge.regret[2] = 5;
    believe(&r, 1, 10);
    believe(&r, 3, 20);
    settle(&r);
    assert_awake(&r, 0xfb);
    room_close(&r);
}

/* A rival of counts that is called plain is none that learns pairs.  One that can pay counts as any other. */
static void the_last_plain_one_is_kept(void **state)
{
    room r;
    room_open(&r);
    spend(&r, 0, 3e5); /* the first plain one goes, */
    settle(&r);
    assert_awake(&r, 0xfe);
    spend(&r, 6, 4e5); /* the second, a hybrid, does not, whatever it costs */
    settle(&r);
    assert_awake(&r, 0xfe);
    r.committee->hedge.regret[7] = 5;
    spend_all(&r); /* but all others that share the budget with it, unless one is the best, */
    settle(&r);
    assert_awake(&r, 0x40 | 0x80);
    spend(&r, 7, 3e5); /* which is not dear */
    settle(&r);
    assert_awake(&r, 0x40);
    settle(&r);
    assert_awake(&r, 0x40);
    room_close(&r);
}

static void the_last_of_all_is_kept(void **state)
{
    room r;
    room_open(&r);
    for (int64_t k = 0; k < MEMBERS; k++) {
        r.committee->members[k].given.plain = false;
        spend(&r, k, 1e6 + (double)k);
    }
    settle(&r);
    assert_awake(&r, 0x01); /* the cheapest */
    settle(&r);
    assert_awake(&r, 0x01);
    room_close(&r);
}

static void a_restless_committee_pays_nothing(void **state)
{
    room r;
    room_open(&r);
    r.committee->settings.restless = true;
    spend_all(&r);
    r.committee->members[1].price = 1e9;
    weft__committee_schedule(r.committee);
    assert_awake(&r, 0xff);
    for (int64_t k = 0; k < MEMBERS; k++)
        assert_true(r.committee->members[k].paid == account_of(r.committee, k) - 100);
    room_close(&r);
}

/* ---- Whatever the stream ---- */

/* What is paid beyond the accounts, all together, is the budget of every trial and what one trial can cost;
 * whoever rests could not pay, and pays nothing more. */
static void the_budget_is_kept(void **state)
{
    for (int stream = 0; stream < PANEL_STREAMS; stream++) {
        panel p;
        dice d = {(uint64_t)stream};
        panel_open_all(5, KNOWN_KERNEL, false, IDS, IDS, &p);
        for (int k = 1; k <= 6; k++)
            panel_add_rival(&p, WEFT_RIVAL_HYBRID, 0.1 * k, p.given[0], p.given[1])->rival.replay = 120 * k;
        weft_player *player = panel_committee(&p, &(weft_committee_settings){0}, NULL);
        weft__committee *committee = weft__committee_in(player);
        for (int64_t k = 0; k < p.count; k++)
            committee->members[k].paid = account_of(committee, k) - 2e6 * (double)(1 + k % 5);
        int64_t asleep = 0, first = 0;
        double dearest = 0, beyond = 0;
        for (int64_t t = 0; t < 1500; t++) {
            double cost = 0, before[PANEL_MEMBERS];
            bool was_awake[PANEL_MEMBERS];
            for (int64_t k = 0; k < p.count; k++) {
                before[k] = committee->members[k].paid;
                was_awake[k] = committee->awake[k];
            }
            panel_play(&p, (panel_labels)stream, t, t + 1, &d, player);
            for (int64_t k = 0; k < p.count; k++) {
                const weft__member_state *member = &committee->members[k];
                double price = was_awake[k] ? member->price : 0;
                assert_true(member->paid == before[k] + price);
                assert_true(was_awake[k] || !committee->awake[k]);
                if (was_awake[k] && !committee->awake[k])
                    assert_true(member->paid + price * (double)(t + 1) > account_of(committee, k));
                beyond += fmax(member->paid - fmax(before[k], account_of(committee, k)), 0);
                cost += price;
            }
            dearest = fmax(dearest, cost);
            assert_true(beyond <= WEFT__BUDGET * (double)(t + 1) + dearest);
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
        cmocka_unit_test(nobody_rests_who_can_pay),
        cmocka_unit_test(as_many_trials_again_are_to_be_paid),
        cmocka_unit_test(trials_count_from_when_it_was_woken),
        cmocka_unit_test(trials_count_from_the_merge),
        cmocka_unit_test(after_a_merge_members_play_on_as_their_accounts_allow),
        cmocka_unit_test(those_that_cannot_pay_share_the_budget),
        cmocka_unit_test(whoever_can_pay_does_not_go_for_others),
        cmocka_unit_test(nobody_goes_for_one_that_can_pay),
        cmocka_unit_test(one_in_reserve_begins_with_its_account),
        cmocka_unit_test(the_one_missed_least_for_its_price_goes),
        cmocka_unit_test(of_equal_ones_the_dearer_goes),
        cmocka_unit_test(the_best_is_kept_unless_it_is_dear),
        cmocka_unit_test(the_second_best_is_not_kept),
        cmocka_unit_test(the_last_plain_one_is_kept),
        cmocka_unit_test(the_last_of_all_is_kept),
        cmocka_unit_test(a_restless_committee_pays_nothing),
        cmocka_unit_test(the_budget_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
