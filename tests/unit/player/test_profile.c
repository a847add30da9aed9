/* SPDX-License-Identifier: MIT
 * Where the time of a player goes: what is told, and that nothing else changes. */
#include "test_player_support.h"

#include "player/profile.h"

enum { TRIALS = 700, ROWS = MEMBERS + 1 };

static weft_player *open_player(const stage *s, int kind, int threads)
{
    weft_committee_settings settings = {.seed = 7, .threads = threads};
    weft_member members[MEMBERS];
    weft_player *player = NULL;
    if (kind != WEFT_COMMITTEE)
        return player_of(s, (weft_kind)kind);
    list_members(s, members);
    assert_int_equal(weft_committee_create(members, MEMBERS, &settings, NULL, &player, NULL), WEFT_OK);
    return player;
}

static void play_trial(weft_player *player, int64_t t, weft_answer *answer)
{
    int64_t row = t % IDS, column = t * t % IDS;
    assert_int_equal(weft_player_predict(player, row, column, answer, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(player, row, column, label_of(t), answer, NULL), WEFT_OK);
}

static int64_t rows_of(const weft_player *player, weft_profile_row rows[ROWS])
{
    int64_t count = ROWS;
    assert_int_equal(weft_player_profile(player, rows, &count, NULL), WEFT_OK);
    return count;
}

/* One player is timed on and off, and the other never: same answers, same state. */
static void check_same(const stage *s, int kind, int threads)
{
    weft_player *timed = open_player(s, kind, threads), *plain = open_player(s, kind, 1);
    for (int64_t t = 0; t < TRIALS; t++) {
        weft_answer a = {0}, b = {0};
        if (t % 300 == 5)
            assert_int_equal(weft_player_set_profile(timed, t % 600 == 5, NULL), WEFT_OK);
        play_trial(timed, t, &a);
        play_trial(plain, t, &b);
        assert_same_answer(&a, &b);
    }
    assert_same_state(timed, plain);
    weft_player_free(plain);
    weft_player_free(timed);
}

static void nothing_changes(void **state)
{
    (void)state;
    for (int one_set = 0; one_set < 2; one_set++) {
        stage s = stage_open(one_set);
        for (int kind = 0; kind < KINDS; kind++)
            check_same(&s, kind, 1);
        check_same(&s, WEFT_COMMITTEE, 3);
        stage_close(&s);
    }
}

static void rows_tell_members(void **state)
{
    (void)state;
    stage s = stage_open(false);
    weft_player *player = open_player(&s, WEFT_COMMITTEE, 2);
    weft_profile_row rows[ROWS];
    weft_answer answer;
    assert_int_equal(weft_player_set_profile(player, true, NULL), WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++)
        play_trial(player, t, &answer);
    assert_int_equal(rows_of(player, rows), ROWS);
    for (int k = 0; k < MEMBERS; k++) {
        assert_int_equal(rows[k].name[0], 'a' + k);
        assert_true(rows[k].work > TRIALS && rows[k].ask_seconds > 0 && rows[k].learn_seconds > 0);
        assert_true(rows[k].trials == TRIALS && rows[k].is_awake && rows[k].since == 0);
    }
    assert_string_equal(rows[MEMBERS].name, "committee");
    assert_true(rows[MEMBERS].trials == TRIALS && rows[MEMBERS].work == 0);
    assert_true(rows[MEMBERS].ask_seconds >= 0 && rows[MEMBERS].learn_seconds >= 0);
    weft_player_free(player);
    stage_close(&s);
}

/* What is learnt while nothing is timed counts nowhere. */
static void counts_what_is_timed(void **state)
{
    (void)state;
    stage s = stage_open(false);
    weft_player *player = open_player(&s, WEFT_COMMITTEE, 1);
    weft_profile_row before[ROWS], after[ROWS];
    weft_answer answer;
    int64_t t = 0;
    while (t < 600)
        play_trial(player, t++, &answer);
    assert_int_equal(weft_player_set_profile(player, true, NULL), WEFT_OK);
    while (t < 700)
        play_trial(player, t++, &answer);
    assert_int_equal(weft_player_set_profile(player, false, NULL), WEFT_OK);
    rows_of(player, before);
    while (t < 720)
        play_trial(player, t++, &answer);
    rows_of(player, after);
    assert_true(before[0].trials == 100);
    for (int k = 0; k < ROWS; k++)
        assert_true(after[k].work == before[k].work && after[k].trials == before[k].trials &&
                    after[k].ask_seconds == before[k].ask_seconds);
    weft_player_free(player);
    stage_close(&s);
}

static void alone_it_is_its_own_row(void **state)
{
    (void)state;
    stage s = stage_open(true);
    for (int kind = WEFT_LEARNER; kind < WEFT_COMMITTEE; kind++) {
        weft_player *player = open_player(&s, kind, 1);
        weft_profile_row rows[ROWS];
        weft_answer answer;
        assert_int_equal(weft_player_set_profile(player, true, NULL), WEFT_OK);
        for (int64_t t = 0; t < 50; t++)
            play_trial(player, t, &answer);
        assert_int_equal(rows_of(player, rows), 1);
        assert_string_equal(rows[0].name, weft_kind_name((weft_kind)kind));
        assert_true(rows[0].work > 0 && rows[0].ask_seconds > 0 && rows[0].learn_seconds > 0);
        assert_true(rows[0].trials == 50 && rows[0].is_awake);
        assert_int_equal(weft_player_reset(player, NULL), WEFT_OK);
        play_trial(player, 0, &answer);
        rows_of(player, rows);
        assert_true(rows[0].trials == 51);
        weft_player_free(player);
    }
    stage_close(&s);
}

/* Calls that are timed stand for as many as there are, within what chance does to 60,000 in 16. */
static void the_timed_stand_for_all(void **state)
{
    enum { CALLS = 60000 };
    (void)state;
    stage s = stage_open(false);
    weft_player *player = open_player(&s, WEFT_RIVAL, 1);
    double stands = 0;
    int64_t timed = 0;
    assert_int_equal(weft_player_set_profile(player, true, NULL), WEFT_OK);
    for (int64_t k = 0; k < CALLS; k++) {
        weft__player_begin_call(player, WEFT__ASKING);
        stands += player->profile->weight;
        timed += player->profile->weight > 0;
        weft__player_end_call(player, false);
    }
    assert_true(fabs(stands - CALLS) < 0.06 * CALLS && timed < CALLS / 12);
    weft_player_free(player);
    stage_close(&s);
}

static void says_what_it_cannot(void **state)
{
    (void)state;
    stage s = stage_open(false);
    weft_player *player = open_player(&s, WEFT_COMMITTEE, 1);
    weft_profile_row rows[ROWS];
    weft_error error = {0};
    int64_t count = 0;
    assert_int_equal(weft_player_profile(player, NULL, &count, &error), WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "a committee cannot tell where its time went: nothing was timed"));
    assert_int_equal(weft_player_set_profile(player, true, NULL), WEFT_OK);
    assert_int_equal(weft_player_profile(player, NULL, &count, NULL), WEFT_OK);
    assert_int_equal(count, ROWS);
    count = ROWS - 1;
    assert_int_equal(weft_player_profile(player, rows, &count, &error), WEFT_ARGUMENT);
    assert_int_equal(count, ROWS - 1);
    player->only_seen = true;
    assert_int_equal(weft_player_set_profile(player, true, &error), WEFT_UNSUPPORTED);
    player->only_seen = false;
    assert_int_equal(weft_player_set_profile(NULL, true, NULL), WEFT_ARGUMENT);
    weft_player_free(player);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes),         cmocka_unit_test(rows_tell_members),
        cmocka_unit_test(counts_what_is_timed),    cmocka_unit_test(alone_it_is_its_own_row),
        cmocka_unit_test(the_timed_stand_for_all), cmocka_unit_test(says_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
