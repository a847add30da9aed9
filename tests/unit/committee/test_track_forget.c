/* SPDX-License-Identifier: MIT
 * Forgetting an id and merging two, in committees that follow changes: every generation forgets, and of two
 * committees the eldest are merged. */
#include "unit/test_core_support.h"

#include "support/tracker.h"

static const weft_committee_settings TRACKING = {.tracking = true}, PLAIN = {0};

static weft_player *play(const panel *p, const weft_committee_settings *settings, int64_t from, int64_t to)
{
    weft_player *committee = panel_committee(p, settings, NULL);
    tracker_play(from, to, committee);
    return committee;
}

static void must(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s", error->message);
}

static weft_player *copy_of(const panel *p, const weft_player *committee)
{
    weft_player *copy = NULL;
    weft_error error = {0};
    panel_state s = panel_write(committee);
    must(weft_committee_read(p->members, p->count, s.bytes, s.size, NULL, &copy, &error), &error);
    free(s.bytes);
    return copy;
}

/* ---- Forgetting ---- */

static weft_status forget(weft_player *committee, bool row, int64_t id, weft_error *error)
{
    return row ? weft_player_forget(committee, WEFT_ROWS, id, error)
               : weft_player_forget(committee, WEFT_COLUMNS, id, error);
}

/* The eldest is what the plain one is, and each younger one what it is when it forgets alone. */
static void forget_one(bool one_set, bool row)
{
    panel p;
    weft_error error = {0};
    tracker_open(one_set, &p);
    weft_player *all = play(&p, &TRACKING, 0, TRACKER_BOTH);
    weft_player *alone[WEFT_GENERATIONS] = {play(&p, &PLAIN, 0, TRACKER_BOTH)};
    for (int g = 1; g < WEFT_GENERATIONS; g++) {
        assert_non_null(weft__committee_in(all)->track->younger[g - 1]);
        alone[g] = copy_of(&p, &weft__committee_in(all)->track->younger[g - 1]->player);
    }
    weft_tracking before = weft_committee_tracking(all);
    weft_answer v = {0};
    must(weft_player_predict(all, 1, 2, &v, &error), &error);
    must(forget(all, row, 1, &error), &error);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        must(forget(alone[g], row, 1, &error), &error);
    weft_tracking after = weft_committee_tracking(all);
    assert_memory_equal(&before, &after, sizeof before);
    for (int g = 1; g < WEFT_GENERATIONS; g++) {
        /* An epoch is that of the committee, not of its generations. */
        assert_int_equal(weft__committee_in(alone[g])->epoch, 1);
        weft__committee_in(alone[g])->epoch = 0;
        panel_assert_same(&weft__committee_in(all)->track->younger[g - 1]->player, alone[g]);
    }
    for (int64_t k = 0; k < p.count; k++)
        if (!p.members[k].is_rival)
            assert_same_state(weft__committee_in(all)->members[k].player,
                              weft__committee_in(alone[0])->members[k].player);
    /* What was asked before is asked again. */
    must(weft_player_predict(all, 1, 2, &v, &error), &error);
    weft_player *copy = copy_of(&p, all);
    weft_answer again = {0};
    must(weft_player_predict(copy, 1, 2, &again, &error), &error);
    assert_true(v.vote == again.vote && v.probability == again.probability);
    weft_player_free(copy);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        weft_player_free(alone[g]);
    weft_player_free(all);
    panel_close(&p);
}

static void every_generation_forgets(void **state)
{
    for (int k = 0; k < 4; k++)
        forget_one(k / 2, k % 2);
}

/* An id that nobody knows: nothing is forgotten. */
static void unknown_ids(void **state)
{
    panel p;
    weft_error error = {0};
    tracker_open(false, &p);
    weft_player *all = play(&p, &TRACKING, 0, TRACKER_BOTH), *copy = copy_of(&p, all);
    assert_fails(forget(all, true, TRACKER_IDS, &error), WEFT_UNKNOWN_ID, "not known");
    panel_assert_same(all, copy);
    weft_player_free(all);
    weft_player_free(copy);
    panel_close(&p);
}

/* ---- Merging ---- */

static void check_merged(const panel *p, const weft_player *all, const weft_tracking *a,
                         const weft_tracking *b)
{
    weft_tracking t = weft_committee_tracking(all);
    weft_counters c = weft_player_counters(all);
    assert_int_equal(t.alarms, a->alarms + b->alarms);
    assert_true(t.last == 0 && t.mistakes == a->mistakes + b->mistakes && t.on);
    assert_int_equal(c.awake, p->count);
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        assert_true(t.since[g] == 0);
        assert_near(t.belief[g], 1 / 3.0, 1e-15);
    }
    for (int g = 0; g < 2; g++) {
        assert_null(weft__committee_in(all)->track->younger[g]);
        assert_int_equal(weft__committee_in(all)->track->born[g], c.trials);
    }
    assert_true(weft__committee_in(all)->track->alarm == 0 &&
                weft__committee_in(all)->track->fixed_share.gap == 0 &&
                weft__committee_in(all)->track->fixed_share.given == 0);
    assert_near(t.term, log(6) * 0x1p-23, 1e-12);
}

/* The members of the eldest are merged as those of committees that follow nothing; standings begin anew. */
static void check_eldest(const panel *p, const weft_player *all, const weft_player *plain)
{
    for (int64_t k = 0; k < p->count; k++) {
        assert_true(panel_digest_of(all, k) == panel_digest_of(plain, k));
        weft_standing standing = weft_committee_standing(all, k);
        assert_true(standing.trials == 0 && standing.mistakes == 0 && standing.regret <= 0);
    }
    assert_int_equal(weft__committee_in(all)->since, weft_player_counters(all).trials);
}

/* Goes on with the judge of support/tracker.h: the guarantee from here on, and births from here on. */
static void go_on(weft_player *all)
{
    tracker judge = tracker_of(all);
    judge.alarms = weft__committee_in(all)->track->alarms;
    judge.mistakes = weft__committee_in(all)->track->mistakes;
    judge.expected = (long double)weft__committee_in(all)->track->expected_mistakes;
    long double before = judge.expected;
    for (int64_t t = 0; t < 560; t++) {
        dice d = {(uint64_t)t};
        panel_trial trial = {.row = dice_below(&d, TRACKER_IDS), .column = dice_below(&d, TRACKER_IDS)};
        weft_answer v = {0};
        int label = panel_label(PANEL_TRUE, &d, t, &trial, 0);
        assert_int_equal(weft_player_predict(all, trial.row, trial.column, &v, NULL), WEFT_OK);
        tracker_listen(&judge, all);
        tracker_learn(&judge, label, v.label != label);
        assert_int_equal(weft_player_learn(all, trial.row, trial.column, label, NULL, NULL), WEFT_OK);
        tracker_compare(&judge, all);
    }
    assert_true(judge.births > 0);
    judge.expected -= before;
    tracker_check_guarantee(&judge, all);
}

static void merge_two(bool one_set)
{
    panel p;
    weft_error error = {0};
    tracker_open(one_set, &p);
    weft_player *all = play(&p, &TRACKING, 0, TRACKER_BOTH), *other = play(&p, &TRACKING, 100, 800);
    weft_player *plain = play(&p, &PLAIN, 0, TRACKER_BOTH), *second = play(&p, &PLAIN, 100, 800);
    weft_tracking a = weft_committee_tracking(all), b = weft_committee_tracking(other);
    weft_counters c = weft_player_counters(all), d = weft_player_counters(other);
    weft_player *kept = copy_of(&p, other);
    assert_true(a.alarms > 0 && b.alarms > 0);
    must(weft_player_merge(all, other, &error), &error);
    must(weft_player_merge(plain, second, &error), &error);
    check_merged(&p, all, &a, &b);
    check_eldest(&p, all, plain);
    panel_assert_same(other, kept);
    weft_counters sum = weft_player_counters(all);
    assert_true(sum.mistakes == c.mistakes + d.mistakes && sum.trials == c.trials + d.trials &&
                sum.t == c.t + d.t && sum.expected_mistakes == c.expected_mistakes + d.expected_mistakes);
    weft_player *copy = copy_of(&p, all);
    go_on(all);
    go_on(copy);
    panel_assert_same(all, copy);
    weft_player *list[] = {all, other, plain, second, kept, copy};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        weft_player_free(list[k]);
    panel_close(&p);
}

static void two_are_merged(void **state)
{
    merge_two(false);
    merge_two(true);
}

/* With itself: everything twice. */
static void one_is_merged_with_itself(void **state)
{
    panel p;
    weft_error error = {0};
    tracker_open(false, &p);
    weft_player *all = play(&p, &TRACKING, 0, TRACKER_BOTH), *copy = copy_of(&p, all);
    must(weft_player_merge(all, all, &error), &error);
    weft_player *twin = copy_of(&p, copy);
    must(weft_player_merge(copy, twin, &error), &error);
    panel_assert_same(all, copy);
    weft_player_free(all);
    weft_player_free(copy);
    weft_player_free(twin);
    panel_close(&p);
}

static void one_of_two_follows_changes(void **state)
{
    panel p;
    weft_error error = {0};
    tracker_open(false, &p);
    weft_player *all = play(&p, &TRACKING, 0, 60), *plain = play(&p, &PLAIN, 0, 60);
    weft_player *first = copy_of(&p, all), *second = copy_of(&p, plain);
    assert_fails(weft_player_merge(all, plain, &error), WEFT_ARGUMENT, "follows changes");
    assert_fails(weft_player_merge(plain, all, &error), WEFT_ARGUMENT, "follows changes");
    panel_assert_same(all, first);
    panel_assert_same(plain, second);
    weft_player *list[] = {all, plain, first, second};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        weft_player_free(list[k]);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_generation_forgets),
        cmocka_unit_test(unknown_ids),
        cmocka_unit_test(two_are_merged),
        cmocka_unit_test(one_is_merged_with_itself),
        cmocka_unit_test(one_of_two_follows_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
