/* SPDX-License-Identifier: MIT
 * What side information is worth, against committees of those members alone that do without it; and threads,
 * which change nothing. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "support/panel.h"

static const weft_committee_settings RESTLESS = {.restless = true};

/* A second committee of the members that do without. */
static weft_player *without(const panel *p, int which, int64_t *count)
{
    panel some = *p;
    some.count = 0;
    for (int64_t k = 0; k < p->count; k++)
        if ((p->members[k].uses & which) == 0)
            some.members[some.count++] = p->members[k];
    *count = some.count;
    return some.count > 0 ? panel_committee(&some, &RESTLESS, NULL) : NULL;
}

/* What either has lost in every trial: mistakes of its stack, and the log loss of the probability it said. */
typedef struct losses {
    weft_paired log_loss, mistakes;
    int64_t before[2];
} losses;

static double stack_probability(const weft_player *committee)
{
    const weft__committee *inside = weft__committee_in(committee);
    return weft__stack_predict(&inside->stack);
}

/* Of the last trial that both learnt: `said` by each before. */
static void take_down(const weft_player *all, const weft_player *others, const double said[2], int label,
                      losses *lost)
{
    double loss[2], wrong[2];
    const weft_player *both[2] = {all, others};
    for (int k = 0; k < 2; k++) {
        int64_t now = weft_committee_standing(both[k], weft_player_member_count(both[k])).mistakes;
        wrong[k] = (double)(now - lost->before[k]);
        lost->before[k] = now;
        loss[k] = -log(label > 0 ? said[k] : 1 - said[k]);
    }
    weft_paired_add(&lost->log_loss, loss[0], loss[1]);
    weft_paired_add(&lost->mistakes, wrong[0], wrong[1]);
}

static void assert_difference(weft_difference a, weft_difference b)
{
    assert_near(a.with, b.with, 1e-9);
    assert_near(a.without, b.without, 1e-9);
    assert_near(a.saved, b.saved, 1e-9);
    assert_near(a.low, b.low, 1e-9);
    assert_near(a.high, b.high, 1e-9);
}

static void check_worth(const weft_player *all, const weft_player *others, int which, int64_t members,
                        const losses *lost)
{
    int told = weft__committee_in(all)->uses == WEFT_BOTH ? 3 : 1;
    const int64_t *labels = weft__committee_in(all)->labels;
    weft_worth w = weft_committee_worth(all, which);
    assert_int_equal(w.members, members);
    if (others == NULL)
        return;
    assert_int_equal(w.trials, lost->log_loss.count);
    assert_difference(w.log_loss, weft_paired_difference(&lost->log_loss, told));
    assert_difference(w.mistakes, weft_paired_difference(&lost->mistakes, told));
    assert_int_equal(w.verdict, weft_verdict_of(&w.log_loss, labels[0] < labels[1] ? labels[0] : labels[1]));
    weft_standing s = weft_committee_standing(all, weft_player_member_count(all) + which);
    assert_true(!s.is_awake || (double)s.mistakes == w.mistakes.without);
}

static void play(uint64_t seed, known_kind kind, bool one_set, int which)
{
    panel p;
    dice d = {seed};
    losses lost = {0};
    int64_t members = 0;
    panel_open_all(seed, kind, one_set, 6, 6, &p);
    weft_player *all = panel_committee(&p, &RESTLESS, NULL), *others = without(&p, which, &members);
    for (int64_t t = 0; t < 300; t++) {
        panel_trial trial = panel_draw(&p, PANEL_TRUE, t, &d, all);
        weft_answer said;
        double before[2] = {0};
        assert_int_equal(weft_player_predict(all, trial.row, trial.column, &said, NULL), WEFT_OK);
        before[0] = stack_probability(all);
        double told = weft_committee_probability_without(all, which);
        if (others != NULL) {
            assert_int_equal(weft_player_predict(others, trial.row, trial.column, &said, NULL), WEFT_OK);
            before[1] = stack_probability(others);
        }
        assert_true(others != NULL ? fabs(told - before[1]) < 1e-12 : isnan(told));
        assert_int_equal(weft_player_learn(all, trial.row, trial.column, trial.label, NULL, NULL), WEFT_OK);
        if (others != NULL) {
            assert_int_equal(weft_player_learn(others, trial.row, trial.column, trial.label, NULL, NULL),
                             WEFT_OK);
            take_down(all, others, before, trial.label, &lost);
        }
        check_worth(all, others, which, members, &lost);
    }
    weft_worth nothing = weft_committee_worth(all, 0);
    assert_true(nothing.members == 0 && nothing.trials == 0 && nothing.log_loss.high == 0);
    assert_int_equal(weft_committee_worth(all, WEFT_BOTH + 1).members, 0);
    assert_true(isnan(weft_committee_probability_without(all, 0)));
    weft_player_free(all);
    weft_player_free(others);
    panel_close(&p);
}

/* The members of `list`, whose number is `count`, all of whom see no more than `uses`. */
static void check_stacks(const weft_member *list, int64_t count, int uses)
{
    static const char *const names[] = {"stack", "stack without rows", "stack without columns",
                                        "stack without both"};
    weft_player *committee = NULL;
    double sum = 0, share = 0.5;
    assert_int_equal(weft_committee_create(list, count, &RESTLESS, NULL, &committee, NULL), WEFT_OK);
    for (int i = 0; i < WEFT_STACKS; i++) {
        weft_standing s = weft_committee_standing(committee, count + i);
        bool there = (i & uses) == i;
        assert_string_equal(s.name, names[i]);
        assert_int_equal(s.is_awake, there);
        sum += there ? share : 0;
        share = 0.25 / 3;
    }
    for (int64_t k = 0; k < count + WEFT_STACKS; k++) {
        weft_standing s = weft_committee_standing(committee, k);
        double prior = k < count ? 0.25 / (double)count : k == count ? 0.5 : 0.25 / 3;
        assert_near(s.weight, s.is_awake ? prior / (0.25 + sum) : 0, 1e-12);
    }
    assert_int_equal(weft_player_learn(committee, 1, 2, 1, NULL, NULL), WEFT_OK);
    for (int which = WEFT_ROWS; which <= WEFT_BOTH; which++) {
        weft_worth w = weft_committee_worth(committee, which);
        weft_worth same = weft_committee_worth(committee, which & uses);
        assert_int_equal(w.members > 0, (which & uses) != 0);
        assert_true(w.members == same.members && w.mistakes.without == same.mistakes.without);
    }
    weft_player_free(committee);
}

/* A stack without something is there where somebody sees it: one that hears all is the stack itself. */
static void who_is_there(void **state)
{
    panel p;
    panel_open_all(3, KNOWN_KERNEL, false, 6, 6, &p);
    check_stacks(p.members, p.count, WEFT_BOTH);
    for (int uses = 0; uses <= WEFT_BOTH; uses++) {
        weft_member some[PANEL_MEMBERS];
        int64_t count = 0;
        for (int64_t k = 0; k < p.count; k++)
            if ((p.members[k].uses & ~uses) == 0)
                some[count++] = p.members[k];
        check_stacks(some, count, uses);
    }
    panel_close(&p);
    panel_open_all(3, KNOWN_KERNEL, true, 6, 6, &p);
    check_stacks(p.members, p.count, WEFT_ROWS);
    panel_close(&p);
}

/* Where everybody sees something, nobody can do without it. */
static void nobody_does_without(void **state)
{
    panel p;
    weft_player *committee = NULL;
    panel_open_all(3, KNOWN_KERNEL, false, 6, 6, &p);
    assert_int_equal(weft_committee_create(p.members, 2, &RESTLESS, NULL, &committee, NULL), WEFT_OK);
    assert_int_equal(p.members[0].uses & p.members[1].uses, WEFT_BOTH);
    for (int which = WEFT_ROWS; which <= WEFT_BOTH; which++) {
        assert_false(weft_committee_standing(committee, 2 + which).is_awake);
        assert_int_equal(weft_committee_worth(committee, which).members, 0);
    }
    /* The least prior is that of a stack. */
    weft_standing stack = weft_committee_standing(committee, 2);
    weft_standing other = weft_committee_standing(committee, 3);
    assert_near(other.term / stack.term, log(12) / log(2), 1e-9);
    weft_player_free(committee);
    panel_close(&p);
}

static void worth(void **state)
{
    for (int which = WEFT_ROWS; which <= WEFT_BOTH; which++)
        play((uint64_t)which, KNOWN_KERNEL, false, which);
    play(5, KNOWN_CLASSES, true, WEFT_BOTH);
    play(6, KNOWN_CLASSES, true, WEFT_ROWS);
}

/* Of as many as one likes, and changed on the way. */
static void threads(void **state)
{
    panel p;
    dice d = {3}, again = {3};
    weft_error error = {0};
    weft_player *many = NULL;
    panel_open_all(9, KNOWN_KERNEL, false, 6, 6, &p);
    assert_fails(weft_committee_create(p.members, p.count, &(weft_committee_settings){.threads = 257}, NULL,
                                       &many, &error),
                 WEFT_ARGUMENT, "threads is 257");
    weft_player *one = panel_committee(&p, &(weft_committee_settings){.seed = 4}, NULL);
    many = panel_committee(&p, &(weft_committee_settings){.seed = 4, .threads = 3}, NULL);
    assert_fails(weft_player_set_threads(many, -1, &error), WEFT_ARGUMENT, "threads is -1");
    panel_play(&p, PANEL_TRUE, 0, 900, &d, one);
    panel_play(&p, PANEL_TRUE, 0, 900, &again, many);
    panel_assert_same(one, many);
    assert_int_equal(weft_player_set_threads(many, 2, NULL), WEFT_OK);
    assert_int_equal(weft_player_set_threads(one, 1, NULL), WEFT_OK);
    panel_play(&p, PANEL_TRUE, 900, 1300, &d, one);
    panel_play(&p, PANEL_TRUE, 900, 1300, &again, many);
    panel_assert_same(one, many);
    /* Which id is unknown does not depend on them either. */
    for (int k = 0; k < 2; k++) {
        assert_fails(weft_player_predict(k == 0 ? one : many, 8, 9, &(weft_answer){0}, &error),
                     WEFT_UNKNOWN_ID, "");
        assert_int_equal(error.at[0], 8);
    }
    weft_player_free(one);
    weft_player_free(many);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_there),
        cmocka_unit_test(nobody_does_without),
        cmocka_unit_test(worth),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
