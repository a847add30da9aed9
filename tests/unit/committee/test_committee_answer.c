/* SPDX-License-Identifier: MIT
 * What a committee says: thresholds that are drawn, probabilities beside a vote that disagrees, and where
 * its members stand. */
#include "unit/test_core_support.h"

#include "base/random.h"
#include "committee/committee.h"
#include "support/effort.h"
#include "support/panel.h"

/* Drawn from seed and t alone: all that is learnt is as without a draw. */
static void draws(void **state)
{
    panel p;
    dice d = {21};
    int64_t heads = 0, differ = 0, labels = 0;
    panel_open_all(4, KNOWN_CLASSES, false, 6, 6, &p);
    weft_player *drawn[2], *other, *plain;
    for (int k = 0; k < 2; k++)
        drawn[k] = panel_committee(&p, &(weft_committee_settings){.randomised = true, .seed = 9}, NULL);
    other = panel_committee(&p, &(weft_committee_settings){.randomised = true, .seed = 10}, NULL);
    plain = panel_committee(&p, &(weft_committee_settings){.seed = 9}, NULL);
    assert_true(weft_committee_settings_of(other).seed == 10 && weft_committee_settings_of(other).randomised);
    assert_false(weft_committee_settings_of(plain).randomised);
    for (int64_t t = 0; t < 300; t++) {
        panel_trial trial = panel_draw(&p, PANEL_TRUE, t, &d, plain);
        int label = t % 5 == 0 ? 0 : trial.label;
        weft_answer a, b, c, e;
        assert_int_equal(weft_player_learn(drawn[0], trial.row, trial.column, label, &a, NULL), WEFT_OK);
        panel_ask(drawn[1], trial.column, trial.row);
        assert_int_equal(weft_player_learn(drawn[1], trial.row, trial.column, label, &b, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(other, trial.row, trial.column, label, &c, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(plain, trial.row, trial.column, label, &e, NULL), WEFT_OK);
        assert_true(a.threshold == weft__uniform(9, (uint64_t)labels));
        labels += label != 0;
        assert_true(a.threshold == b.threshold && e.threshold == 0.5);
        assert_int_equal(a.label, a.vote >= a.threshold ? 1 : -1);
        assert_int_equal(a.mistake, label != 0 && a.label != label);
        assert_true(a.vote == c.vote && a.vote == e.vote);
        assert_true(a.probability == e.probability);
        assert_true(a.error_probability == e.error_probability);
        differ += a.threshold != c.threshold;
        heads += a.threshold < 0.5;
    }
    assert_int_equal(differ, 300);
    assert_in_range(heads, 100, 200);
    panel_assert_same(drawn[0], drawn[1]);
    weft_player_free(drawn[0]);
    weft_player_free(drawn[1]);
    weft_player_free(other);
    weft_player_free(plain);
    panel_close(&p);
}

/* Where the vote and the stack disagree, the probability stays within 2^-20 of 1/2 and keeps its order. */
static int64_t check_order(const panel *p, weft_player *committee)
{
    enum { PAIRS = 36 };
    double stack[PAIRS], said[PAIRS];
    bool plus[PAIRS];
    int64_t found = 0;
    for (int64_t k = 0; k < PAIRS; k++) {
        weft_answer v = panel_ask(committee, k / 6, k % 6);
        double probability = weft__stack_predict(&weft__committee_in(committee)->stack);
        assert_int_equal(v.probability >= 0.5, v.vote >= 0.5);
        if ((probability >= 0.5) == (v.vote >= 0.5)) {
            assert_true(v.probability == probability);
            continue;
        }
        assert_true(fabs(v.probability - 0.5) <= 0x1p-20);
        stack[found] = probability;
        said[found] = v.probability;
        plus[found++] = v.vote >= 0.5;
    }
    for (int64_t i = 0; i < found; i++)
        for (int64_t j = 0; j < found; j++)
            if (plus[i] == plus[j] && stack[i] < stack[j] - 1e-9)
                assert_true(said[i] < said[j]);
    (void)p;
    return found;
}

static void probabilities_beside_the_vote(void **state)
{
    int64_t found = 0, every = fewer(1, 4);
    for (int labels = 0; labels < PANEL_STREAMS; labels++) {
        panel p;
        dice d = {33};
        panel_open_all(5, KNOWN_KERNEL, false, 6, 6, &p);
        weft_player *committee = panel_committee(&p, &(weft_committee_settings){0}, NULL);
        for (int64_t t = 0; t < 100; t++) {
            panel_play(&p, (panel_labels)labels, t, t + 1, &d, committee);
            if (t % every == 0)
                found += every * check_order(&p, committee);
        }
        weft_player_free(committee);
        panel_close(&p);
    }
    assert_true(found > 100);
}

static void standings(void **state)
{
    panel p;
    dice d = {3};
    double sum = 0;
    panel_open_all(6, KNOWN_KERNEL, true, 6, 6, &p);
    weft_player *committee = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    /* Of one set there are the stack and the one without rows: the others' twelfths are shared out. */
    const double awake = 0.5 + 0.25 + 0.25 / 3;
    weft_standing fresh = weft_committee_standing(committee, p.count);
    assert_near(fresh.weight, 0.5 / awake, 1e-12);
    assert_near(weft_committee_standing(committee, p.count + 1).weight, 0.25 / 3 / awake, 1e-12);
    assert_near(weft_committee_standing(committee, 0).weight, 0.25 / (double)p.count / awake, 1e-12);
    panel_play(&p, PANEL_TRUE, 0, 150, &d, committee);
    assert_int_equal(weft_player_member_count(committee), p.count);
    for (int64_t k = 0; k <= p.count + 1; k++) {
        weft_standing s = weft_committee_standing(committee, k);
        sum += s.weight;
        assert_true(s.is_awake && s.trials == 150 && s.regret <= s.term && s.certainty >= 0);
        assert_true(s.weight >= 0 && isfinite(s.coefficient) && s.mistakes <= 150);
    }
    assert_near(sum, 1, 1e-12);
    assert_string_equal(weft_committee_standing(committee, p.count).name, "stack");
    assert_string_equal(weft_committee_standing(committee, p.count + 1).name, "stack without rows");
    for (int64_t k = p.count + 2; k <= p.count + 3; k++) {
        weft_standing s = weft_committee_standing(committee, k);
        assert_true(!s.is_awake && s.trials == 0 && s.mistakes == 0 && s.weight == 0 && s.regret == 0);
    }
    for (int64_t k = -1; k <= p.count + WEFT_STACKS; k += p.count + WEFT_STACKS + 1) {
        weft_standing s = weft_committee_standing(committee, k);
        assert_string_equal(s.name, "");
        assert_true(!s.is_awake && s.trials == 0 && s.weight == 0 && s.term == 0);
        assert_null(weft_player_member(committee, k));
    }
    for (int64_t k = p.count; k < p.count + WEFT_STACKS; k++) {
        assert_null(weft_player_member(committee, k));
    }
    assert_int_equal(weft_player_kind(weft_player_member(committee, 0)), WEFT_LEARNER);
    assert_non_null(weft_player_member(committee, p.count - 1));
    assert_int_equal(weft_player_kind(weft_player_member(committee, p.count - 1)), WEFT_RIVAL);
    weft_player_free(committee);
    panel_close(&p);
}

/* Settings that ask for draws do not make a learner draw; one member is a committee; other engines play
 * too. */
static void odd_members(void **state)
{
    const weft_map map = {.hash = 8, .seed = 3};
    weft_side *mapped = NULL;
    panel p;
    dice d = {8};
    panel_open(7, KNOWN_KERNEL, false, 6, 6, &p);
    assert_int_equal(weft_side_none(6, &(weft_side_options){.map = &map}, &mapped, NULL), WEFT_OK);
    weft_member *member = panel_add_learner(&p, WEFT_BALANCED, 1, p.given[0], p.given[1]);
    member->learner.deterministic = false;
    weft_player *one = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    panel_play(&p, PANEL_TRUE, 0, 60, &d, one);
    assert_true(weft_learner_settings(weft_player_member(one, 0)).deterministic);
    panel_add_learner(&p, WEFT_PAPER, 1, p.given[0], p.given[1])->learner.engine = WEFT_REFERENCE;
    panel_add_learner(&p, WEFT_BALANCED, 1, mapped, mapped)->learner.engine = WEFT_COMPACT;
    panel_add_rivals(&p);
    weft_player *some = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    panel_play(&p, PANEL_TRUE, 0, 1500, &d, some);
    for (int64_t k = 0; k < 3; k++)
        assert_true(weft_committee_standing(some, k).is_awake);
    weft_player_free(one);
    weft_player_free(some);
    weft_side_free(mapped);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws),
        cmocka_unit_test(probabilities_beside_the_vote),
        cmocka_unit_test(standings),
        cmocka_unit_test(odd_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
