/* SPDX-License-Identifier: MIT
 * A committee that is written, read and goes on is the uninterrupted one, to the byte, wherever it is
 * cut: before a checkpoint and behind it, before members are put to rest and behind, with a prediction
 * pending, and while sides grow. */
#include "../unit/test_core_support.h"

#include "committee/committee.h"
#include "support/panel.h"

enum { LISTED = 4, IDS = 6, CUTS = 12 };

typedef struct cut {
    int64_t at;
    panel_state state;
    dice stream;
    int64_t ids; /* that were there */
} cut;

static weft_player *read_back(const panel *p, const panel_state *s)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    if (weft_committee_read(p->members, p->count, s->bytes, s->size, NULL, &committee, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return committee;
}

static void open_all(uint64_t seed, known_kind kind, bool one_set, int64_t listed, panel *p)
{
    panel_open_all(seed, kind, one_set, listed, IDS, p);
    for (int64_t k = 0; k < 3; k++)
        p->members[k].learner.tolerance = 1e-9; /* which makes it dear */
    for (int k = 1; (one_set || seed % 2 == 0) && k <= 20; k++)
        panel_add_rival(p, k % 2 == 0 ? WEFT_RIVAL_LOGISTIC : WEFT_RIVAL_HYBRID, 0.05 * k, p->given[0],
                        one_set ? NULL : p->given[1])
            ->rival.replay = 20;
}

/* Written again it is the same, and the verdicts are those of the first. */
static void compare(const panel *p, weft_player *first, const panel_state *s)
{
    weft_player *copy = read_back(p, s);
    panel_assert_same(first, copy);
    assert_int_equal(weft_player_counters(copy).awake, weft_player_counters(first).awake);
    for (int64_t k = 0; k < p->count; k++) {
        const weft__member_state *a = &weft__committee_in(first)->members[k];
        const weft__member_state *b = &weft__committee_in(copy)->members[k];
        assert_int_equal(weft__committee_in(first)->awake[k], weft__committee_in(copy)->awake[k]);
        assert_true(a->since == b->since && a->trials == b->trials && a->mistakes == b->mistakes);
        assert_true(a->price == b->price && a->paid == b->paid && a->seen == b->seen);
    }
    for (int64_t k = 0; k < 3; k++) {
        weft_answer a = {0}, b = {0};
        assert_int_equal(weft_player_predict(first, k, 3 - k, &a, NULL), WEFT_OK);
        assert_int_equal(weft_player_predict(copy, k, 3 - k, &b, NULL), WEFT_OK);
        assert_true(a.vote == b.vote && a.probability == b.probability && a.threshold == b.threshold);
    }
    weft_player_free(copy);
}

/* With so little left in the accounts that members are put to rest after some tens of trials; of one set,
 * where none is dear, with less. */
static weft_player *found(const panel *p, const weft_committee_settings *settings)
{
    weft_player *committee = panel_committee(p, settings, NULL);
    for (int64_t k = 0; k < p->count; k++) {
        weft__member_state *member = &weft__committee_in(committee)->members[k];
        member->paid = weft__account_of(&member->given) - (p->one_set ? 1e6 : 4e6);
    }
    return committee;
}

/* Plays to the end, with cuts; answers whether some were asleep at one of them, but not at all of them. */
static bool play_with_cuts(panel *p, panel_labels labels, int64_t trials, cut *cuts, weft_player *committee)
{
    dice d = {17};
    int64_t asleep = 0;
    for (int64_t t = 0, k = 0; t < trials; t++) {
        for (; k < CUTS && cuts[k].at == t; k++) {
            cuts[k].stream = d;
            if (k % 2 == 0)
                assert_int_equal(weft_player_predict(committee, 1, 2, &(weft_answer){0}, NULL), WEFT_OK);
            cuts[k].state = panel_write(committee);
            compare(p, committee, &cuts[k].state);
            asleep += weft_player_counters(committee).awake < p->count;
        }
        panel_play(p, labels, t, t + 1, &d, committee);
    }
    return asleep > 0 && asleep < CUTS;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The trials before the first checkpoint, and before somebody was put to rest, in a rehearsal: the first of
 * the two, then the other. */
static void rehearse(const panel *p, panel_labels labels, const weft_committee_settings *settings,
                     int64_t at[2])
{
    dice d = {17};
    int64_t until_held = 0, until_rest = 0, t = 0;
    weft_player *committee = found(p, settings);
    for (; t == smaller(until_held, until_rest) || t == until_held || t == until_rest; t++) {
        if (t > WEFT__LATEST_CHECKPOINT)
            fail_msg("labels %d, one set %d: held %d, rest %d", (int)labels, p->one_set, (int)until_held,
                     (int)until_rest);
        panel_play(p, labels, t, t + 1, &d, committee);
        until_held += weft__committee_in(committee)->checkpoints == 0;
        until_rest += weft_player_counters(committee).awake == p->count;
    }
    at[0] = smaller(until_held, until_rest);
    at[1] = until_held + until_rest - at[0];
    weft_player_free(committee);
}

static void play(uint64_t seed, known_kind kind, bool one_set, panel_labels labels)
{
    cut cuts[CUTS] = {{.at = 0}, {.at = 1}, {.at = 5}};
    panel p;
    dice d = {seed};
    open_all(seed, kind, one_set, IDS, &p);
    const weft_committee_settings settings = {.randomised = seed % 3 == 0, .seed = seed};
    int64_t at[2];
    rehearse(&p, labels, &settings, at);
    const int64_t trials = at[1] + 480;
    for (int k = 3; k < CUTS; k++)
        cuts[k].at = k < 5 ? at[0] + k - 3 : at[1] + (k < 7 ? k - 5 : (k - 6) * 50 + dice_below(&d, 40));
    assert_true(at[0] >= 5 && at[1] > at[0] + 1);
    weft_player *committee = found(&p, &settings);
    assert_true(play_with_cuts(&p, labels, trials, cuts, committee));
    assert_true(weft__committee_in(committee)->checkpoints > 0);
    for (int k = 0; k < CUTS; k++) {
        weft_player *copy = read_back(&p, &cuts[k].state);
        panel_play(&p, labels, cuts[k].at, trials, &cuts[k].stream, copy);
        panel_assert_same(committee, copy);
        weft_player_free(copy);
        free(cuts[k].state.bytes);
    }
    weft_player_free(committee);
    panel_close(&p);
}

static void cuts_anywhere(void **state)
{
    play(1, KNOWN_KERNEL, false, PANEL_TRUE);
    play(2, KNOWN_CLASSES, false, PANEL_RANDOM);
    play(3, KNOWN_LINEAR, true, PANEL_AGAINST);
    play(6, KNOWN_MIN, false, PANEL_ALTERNATE);
    play(5, KNOWN_CLASSES, true, PANEL_ONE);
}

/* The sides have ids that they had not when the state was written. */
static void grown_sides(void **state)
{
    static const known_kind kinds[] = {KNOWN_NONE, KNOWN_CLASSES, KNOWN_LINEAR, KNOWN_GAUSSIAN,
                                       KNOWN_CALLBACK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int one_set = 0; one_set < 2; one_set++) {
            panel p;
            dice d = {31}, again;
            open_all(11 + k, kinds[k], one_set, LISTED, &p);
            weft_player *committee = panel_committee(&p, &(weft_committee_settings){0}, NULL);
            panel_play(&p, PANEL_TRUE, 0, 120, &d, committee);
            panel_state s = panel_write(committee);
            panel_grow(&p);
            weft_player *copy = read_back(&p, &s);
            again = d;
            panel_play(&p, PANEL_TRUE, 120, 220, &d, committee);
            panel_play(&p, PANEL_TRUE, 120, 220, &again, copy);
            panel_grow(&p);
            panel_play(&p, PANEL_TRUE, 220, 320, &d, committee);
            panel_play(&p, PANEL_TRUE, 220, 320, &again, copy);
            panel_assert_same(committee, copy);
            weft_player_free(copy);
            weft_player_free(committee);
            free(s.bytes);
            panel_close(&p);
        }
}

/* Nothing but the inputs counts: not what was asked between, nor where the memory lies. */
static void twice_the_same(void **state)
{
    panel p;
    dice d = {5}, again = {5};
    open_all(4, KNOWN_KERNEL, false, IDS, &p);
    weft_player *a = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    weft_player *b = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    panel_play(&p, PANEL_TRUE, 0, 1600, &d, a);
    for (int64_t t = 0; t < 1600; t++) {
        assert_int_equal(weft_player_predict(b, t % IDS, t / IDS % IDS, &(weft_answer){0}, NULL), WEFT_OK);
        panel_play(&p, PANEL_TRUE, t, t + 1, &again, b);
    }
    panel_assert_same(a, b);
    weft_player_free(a);
    weft_player_free(b);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_anywhere),
        cmocka_unit_test(grown_sides),
        cmocka_unit_test(twice_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
