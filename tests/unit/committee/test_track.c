/* SPDX-License-Identifier: MIT
 * Committees that follow changes: against the slow generations of support/tracker.h and against a committee
 * that follows none, trial by trial; what they are good for; and when all is quiet. */
#include "unit/test_core_support.h"

#include "support/effort.h"
#include "support/tracker.h"

enum { IDS = 5 };

/* Few members: of the learners one knows the ids and one does not. */
static void open_panel(bool one_set, panel *p)
{
    const weft_side *columns = NULL;
    panel_open(3, KNOWN_CLASSES, one_set, IDS, IDS, p);
    columns = one_set ? NULL : p->given[1];
    panel_add_learner(p, one_set ? WEFT_ONE_SET : WEFT_BALANCED, 1, p->none[0], one_set ? NULL : p->none[1]);
    panel_add_learner(p, one_set ? WEFT_ONE_SET : WEFT_BALANCED, 3, p->given[0], columns);
    panel_add_rival(p, WEFT_RIVAL_ROW_MAJORITY, 0, p->given[0], columns);
    panel_add_rival(p, WEFT_RIVAL_FACTORS, 0, p->given[0], columns);
}

typedef struct match {
    panel p;
    weft_player *committee, *plain;
    tracker judge;
    dice d;
    int64_t births;
} match;

static void open_match(match *m, bool one_set, weft_committee_settings settings)
{
    *m = (match){.d = {8}};
    open_panel(one_set, &m->p);
    m->plain = panel_committee(&m->p, &settings, NULL);
    settings.tracking = true;
    m->committee = panel_committee(&m->p, &settings, NULL);
    m->judge = tracker_of(m->committee);
}

static void close_match(match *m)
{
    weft_player_free(m->committee);
    weft_player_free(m->plain);
    panel_close(&m->p);
}

/* The eldest is the committee without tracking: the same bytes but for the setting, and then the track. */
static void compare_with_plain(const match *m)
{
    enum { TRACKING = 5 };
    panel_state s = panel_write(m->committee), t = panel_write(m->plain);
    assert_true(s.size > t.size && s.bytes[8 * TRACKING] == 1 && t.bytes[8 * TRACKING] == 0);
    s.bytes[8 * TRACKING] = 0;
    assert_memory_equal(s.bytes, t.bytes, t.size);
    free(s.bytes);
    free(t.bytes);
}

static void compare_counters(const match *m)
{
    weft_counters c = weft_player_counters(m->committee), o = weft_player_counters(m->plain);
    weft_tracking tracking = weft_committee_tracking(m->committee);
    int64_t awake = o.awake;
    for (int g = 0; g < 2; g++) {
        const weft__committee *younger = weft__committee_in(m->committee)->track->younger[g];
        awake += younger != NULL ? younger->counters.awake : 0;
        assert_int_equal(tracking.since[g + 1], younger != NULL ? m->judge.born[g] : 0);
        if (younger != NULL)
            assert_int_equal(younger->counters.trials, c.trials - m->judge.born[g]);
    }
    assert_true(c.t == o.t && c.trials == o.trials && c.awake == awake);
    assert_true(c.mistakes == m->judge.mistakes && tracking.mistakes == o.mistakes);
    assert_near(c.expected_mistakes, (double)m->judge.expected, 1e-6);
    assert_true(tracking.on && tracking.since[0] == 0 && tracking.alarms == m->judge.alarms);
    assert_int_equal(tracking.last, m->judge.last);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        assert_near(tracking.belief[g], (double)m->judge.belief[g], 1e-7);
}

/* Who is born knows nothing, and whoever rests in the eldest rests; in the accounts is what is left to the
 * eldest. */
static void check_child(const match *m)
{
    const weft__committee *child = weft__committee_in(m->committee)->track->younger[1];
    weft_player *fresh = panel_committee(&m->p, &(weft_committee_settings){0}, NULL);
    assert_true(child->track == NULL && child->counters.t == 0 && child->pool == NULL);
    assert_int_equal(child->checkpoints, weft__committee_in(m->committee)->checkpoints);
    assert_int_equal(child->counters.awake, weft__committee_in(m->committee)->counters.awake);
    for (int64_t k = 0; k < m->p.count; k++) {
        const weft__member_state *eldest = &weft__committee_in(m->committee)->members[k];
        assert_int_equal(child->awake[k], weft__committee_in(m->committee)->awake[k]);
        assert_true(child->members[k].since == 0 && child->members[k].paid == eldest->paid &&
                    eldest->paid > 0);
        assert_true(panel_digest_of(&child->player, k) == panel_digest_of(fresh, k));
    }
    weft_player_free(fresh);
}

/* One trial; label 2: whatever is not said. */
static void step(match *m, int64_t row, int64_t column, int label)
{
    weft_answer v = {0}, other = {0};
    weft_answer ruling = {0}, plain = {0};
    assert_int_equal(weft_player_predict(m->committee, row, column, &v, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict(m->plain, row, column, &other, NULL), WEFT_OK);
    tracker_listen(&m->judge, m->committee);
    assert_near(v.vote, (double)tracker_vote(&m->judge), 1e-7);
    assert_int_equal(v.label, v.vote >= v.threshold ? 1 : -1);
    assert_true(v.threshold == other.threshold && (v.probability >= 0.5) == (v.vote >= 0.5));
    if (m->judge.plus == (v.vote >= 0.5))
        assert_near(v.probability, (double)m->judge.all, 1e-6);
    if (label == 2)
        label = v.vote >= 0.5 ? -1 : 1;
    long double before = m->judge.expected;
    bool birth = tracker_learn(&m->judge, label, v.label != label);
    assert_int_equal(weft_player_learn(m->committee, row, column, label, &ruling, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(m->plain, row, column, label, &plain, NULL), WEFT_OK);
    assert_int_equal(ruling.mistake, label != 0 && v.label != label);
    assert_near(ruling.error_probability, (double)(m->judge.expected - before), 1e-7);
    tracker_compare(&m->judge, m->committee);
    if (birth)
        check_child(m);
    m->births += birth;
}

/* A truth that is another one every 900 trials, one label in twenty wrong, some trials without one. */
static int turning(match *m, int64_t t, const panel_trial *trial)
{
    dice truth = {(uint64_t)(1000 * (t / 900) + 10 * trial->row + trial->column)};
    bool plus = dice_chance(&truth, 0.5) != dice_chance(&m->d, 0.05);
    return t % 50 == 49 ? 0 : plus ? 1 : -1;
}

/* stream -1: turning. */
static void play(match *m, int stream, int64_t trials)
{
    for (int64_t t = 0; t < trials; t++) {
        panel_trial trial = {.row = dice_below(&m->d, IDS), .column = dice_below(&m->d, IDS)};
        int label = stream < 0                ? turning(m, t, &trial)
                    : stream == PANEL_AGAINST ? 2
                                              : panel_label((panel_labels)stream, &m->d, t, &trial, 0);
        step(m, trial.row, trial.column, label);
        if (t % 64 == 0 || t == trials - 1) {
            compare_with_plain(m);
            compare_counters(m);
            tracker_check_guarantee(&m->judge, m->committee);
        }
    }
}

static void every_stream_goes_as_defined(void **state)
{
    for (int stream = 0; stream < PANEL_STREAMS; stream++) {
        match m;
        open_match(&m, stream % 2 != 0, (weft_committee_settings){.randomised = stream == PANEL_RANDOM});
        play(&m, stream, 1100);
        assert_true(m.births >= 2);
        close_match(&m);
    }
}

/* Who counts labels has to unlearn as many as he has learnt.  Of five rows three change after 1500 trials:
 * the alarm is soon, and what is lost beyond the noise is a fraction of what the eldest loses. */
static void a_change_is_followed(void **state)
{
    static const int truth[2][IDS] = {{1, 1, -1, -1, 1}, {1, -1, -1, 1, -1}};
    match m = {.d = {8}};
    weft_committee_settings settings = {0};
    panel_open(3, KNOWN_CLASSES, false, IDS, IDS, &m.p);
    panel_add_rival(&m.p, WEFT_RIVAL_ROW_MAJORITY, 0, m.p.given[0], m.p.given[1]);
    panel_add_rival(&m.p, WEFT_RIVAL_COLUMN_MAJORITY, 0, m.p.given[0], m.p.given[1]);
    m.plain = panel_committee(&m.p, &settings, NULL);
    settings.tracking = true;
    m.committee = panel_committee(&m.p, &settings, NULL);
    m.judge = tracker_of(m.committee);
    int64_t before[2] = {0};
    for (int64_t t = 0; t < 2500; t++) {
        panel_trial trial = {.row = dice_below(&m.d, IDS), .column = dice_below(&m.d, IDS)};
        int label = truth[t >= 1500][trial.row] * (dice_chance(&m.d, 0.05) ? -1 : 1);
        if (t == 1500) {
            assert_int_equal(m.judge.alarms, 0);
            before[0] = m.judge.mistakes;
            before[1] = weft__committee_in(m.plain)->counters.mistakes;
        }
        step(&m, trial.row, trial.column, label);
    }
    compare_with_plain(&m);
    tracker_check_guarantee(&m.judge, m.committee);
    int64_t all = m.judge.mistakes - before[0],
            eldest = weft__committee_in(m.plain)->counters.mistakes - before[1];
    assert_true(m.judge.last > 1500 && m.judge.last <= 1560 && m.judge.alarms <= 2);
    assert_true(all < eldest / 3);
    close_match(&m);
}

/* Nothing changes: false alarms are few, and where there is none the births are at 512, 1024, 2048, ... */
static int64_t stay_quiet(uint64_t seed, int64_t trials)
{
    panel p;
    dice d = {seed};
    int64_t next = 512;
    panel_open(3, KNOWN_CLASSES, false, 4, 4, &p);
    panel_add_learner(&p, WEFT_BALANCED, 1, p.none[0], p.none[1]);
    panel_add_rival(&p, WEFT_RIVAL_ROW_MAJORITY, 0, p.given[0], p.given[1]);
    weft_player *committee = panel_committee(&p, &(weft_committee_settings){.tracking = true}, NULL);
    for (int64_t t = 0; t < trials; t++) {
        panel_play(&p, PANEL_TRUE, t, t + 1, &d, committee);
        weft_tracking now = weft_committee_tracking(committee);
        if (now.alarms == 0 && now.since[1] == 0)
            assert_int_equal(now.since[2], t + 1 < 512 ? 0 : t + 1 == next ? next : next / 2);
        next *= t + 1 == next ? 2 : 1;
    }
    weft_tracking tracking = weft_committee_tracking(committee);
    weft_counters c = weft_player_counters(committee);
    assert_true((double)c.mistakes <= 1.02 * (double)tracking.mistakes + 20);
    weft_player_free(committee);
    panel_close(&p);
    return tracking.alarms;
}

static void quiet_streams_stay_quiet(void **state)
{
    int64_t alarms = 0;
    assert_int_equal(stay_quiet(2, fewer(20000, 3000)), 0);
    for (uint64_t seed = 3; seed < (uint64_t)fewer(13, 6); seed++)
        alarms += stay_quiet(seed, 1000);
    /* log(1000) / e = 2.5 each are expected at the most */
    assert_true(alarms <= 25);
}

/* Nothing is left in any account at the trial of a birth. */
static void a_child_leaves_out_who_rests(void **state)
{
    match m;
    open_match(&m, false, (weft_committee_settings){0});
    close_match(&m);
    panel_open(3, KNOWN_CLASSES, false, IDS, IDS, &m.p);
    panel_add_learners(&m.p);
    for (int64_t k = 0; k < m.p.count; k++)
        m.p.members[k].learner.tolerance = 1e-9; /* which makes it dear */
    m.committee = panel_committee(&m.p, &(weft_committee_settings){.tracking = true}, NULL);
    panel_play(&m.p, PANEL_ONE, 0, 511, &m.d, m.committee);
    assert_int_equal(weft__committee_in(m.committee)->counters.awake, m.p.count);
    for (int64_t k = 0; k < m.p.count; k++)
        weft__committee_in(m.committee)->members[k].paid = weft__account_of(&m.p.members[k]) + (double)k;
    panel_play(&m.p, PANEL_ONE, 511, 512, &m.d, m.committee);
    assert_int_equal(weft__committee_in(m.committee)->track->born[1], 512);
    assert_true(weft__committee_in(m.committee)->counters.awake < m.p.count);
    check_child(&m);
    weft_answer v = {0};
    assert_int_equal(weft_player_predict(m.committee, 0, 0, &v, NULL), WEFT_OK);
    assert_int_equal(v.asked, 2 * weft__committee_in(m.committee)->counters.awake);
    weft_player_free(m.committee);
    panel_close(&m.p);
}

/* Labels that were as good as certain, and then others: beliefs still sum to 1 (tracker_compare). */
static void certainty_ends(void **state)
{
    match m;
    open_match(&m, false, (weft_committee_settings){0});
    for (int64_t t = 0; t < 1500; t++)
        step(&m, t % IDS, t / IDS % IDS, t < 600 || t % 300 > 4 ? 1 : -1);
    close_match(&m);
}

/* The learner that is shown is that of the generation that is believed most. */
static void the_foremost_is_shown(void **state)
{
    match m;
    open_match(&m, false, (weft_committee_settings){0});
    play(&m, -1, 1900);
    assert_true(m.judge.made[0] && m.judge.made[1]);
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        weft_player *of = tracker_generation(m.committee, g);
        for (int other = 0; other < WEFT_GENERATIONS; other++)
            weft__committee_in(m.committee)->track->belief[other] = other == g ? 0.5 : 0.25;
        assert_ptr_equal(weft_player_member(m.committee, 1), weft__committee_in(of)->members[1].player);
        assert_ptr_equal(weft_player_member(m.committee, 2), weft__committee_in(of)->members[2].player);
        assert_ptr_equal(weft_committee_leader(m.committee), weft_committee_leader(of));
        assert_null(weft_player_member(m.committee, 4));
        assert_null(weft_player_member(m.committee, -1));
    }
    weft_tracking none = weft_committee_tracking(m.plain);
    assert_true(!none.on && none.term == 0 && none.alarms == 0 && none.belief[0] == 0);
    close_match(&m);
}

/* ---- Threads ---- */

static void threads_change_nothing(void **state)
{
    panel p;
    weft_player *committee[3];
    open_panel(false, &p);
    for (int k = 0; k < 3; k++) {
        dice d = {8};
        weft_committee_settings settings = {.tracking = true, .threads = k + 1};
        committee[k] = panel_committee(&p, &settings, NULL);
        panel_play(&p, PANEL_RANDOM, 0, 560, &d, committee[k]);
        assert_true(weft__committee_in(committee[k])->track->younger[1] != NULL);
        assert_int_equal(weft_player_set_threads(committee[k], 3 - k, NULL), WEFT_OK);
        panel_play(&p, PANEL_TRUE, 560, 600, &d, committee[k]);
        panel_assert_same(committee[0], committee[k]);
    }
    for (int k = 0; k < 3; k++) {
        weft_answer v = {0};
        assert_int_equal(weft_player_predict(committee[k], 1, 1, &v, NULL), WEFT_OK);
        assert_null(weft__committee_in(committee[k])->track->younger[1]->pool);
        weft_player_free(committee[k]);
    }
    panel_close(&p);
}

/* As long as there is no elder the eldest is believed in its place too. */
static void the_eldest_has_two_places(void **state)
{
    match m;
    open_match(&m, false, (weft_committee_settings){0});
    for (int64_t t = 0; t < 520; t++)
        step(&m, t % IDS, t / IDS % IDS, 1);
    weft__track *track = weft__committee_in(m.committee)->track;
    assert_true(track->younger[0] == NULL && track->younger[1] != NULL);
    for (int young = 3; young <= 6; young++) {
        const weft_player *of = young > 5 ? &track->younger[1]->player : m.committee;
        track->belief[2] = young / 10.0;
        track->belief[0] = track->belief[1] = (1 - track->belief[2]) / 2;
        assert_ptr_equal(weft_player_member(m.committee, 1), weft__committee_in(of)->members[1].player);
    }
    close_match(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stream_goes_as_defined),
        cmocka_unit_test(a_change_is_followed),
        cmocka_unit_test(quiet_streams_stay_quiet),
        cmocka_unit_test(a_child_leaves_out_who_rests),
        cmocka_unit_test(certainty_ends),
        cmocka_unit_test(the_foremost_is_shown),
        cmocka_unit_test(the_eldest_has_two_places),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
