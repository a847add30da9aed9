/* SPDX-License-Identifier: MIT
 * What holds for every rival: names, settings, ids, opinions, the order of a pair. */
#include "test_rival_support.h"

#include "support/alloc.h"

static void every_kind_has_a_name_and_rates(void **state)
{
    for (int k = 0; k < WEFT_RIVALS; k++) {
        double rates[3] = {-1, -1, -1};
        weft_rival_rates((weft_rival_kind)k, rates);
        assert_non_null(weft_rival_name((weft_rival_kind)k));
        bool knob = weft_rival_knob((weft_rival_kind)k)[0] != 0;
        assert_true(knob ? 0 < rates[0] && rates[0] < rates[1] && rates[1] < rates[2]
                         : rates[0] == 0 && rates[1] == 0 && rates[2] == 0);
    }
    assert_string_equal(weft_rival_name(WEFT_RIVAL_FACTORS), "matrix factorisation");
    assert_string_equal(weft_rival_knob(WEFT_RIVAL_FACTORS), "rate");
    assert_string_equal(weft_rival_knob(WEFT_RIVAL_SQUARE), "margin");
}

static void what_is_no_kind_has_nothing(void **state)
{
    double rates[3] = {-1, -1, -1};
    assert_null(weft_rival_name((weft_rival_kind)WEFT_RIVALS));
    assert_null(weft_rival_name((weft_rival_kind)-1));
    assert_string_equal(weft_rival_knob((weft_rival_kind)WEFT_RIVALS), "");
    weft_rival_rates((weft_rival_kind)WEFT_RIVALS, rates);
    assert_true(rates[0] == 0 && rates[1] == 0 && rates[2] == 0);
}

/* ---- settings ---- */

static void refused(weft_rival_settings settings, const char *words)
{
    weft_error error = {0};
    weft_side *side = NULL;
    weft_player *rival = NULL;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    assert_int_equal(weft_side_none(3, NULL, &side, NULL), WEFT_OK);
    assert_fails(weft_rival_create(side, side, &settings, &memory, &rival, &error), WEFT_ARGUMENT, words);
    assert_int_equal(weft_rival_create(side, side, &settings, &memory, &rival, NULL), WEFT_ARGUMENT);
    assert_null(rival);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    weft_side_free(side);
}

static void wrong_settings_are_named(void **state)
{
    refused((weft_rival_settings){.kind = (weft_rival_kind)WEFT_RIVALS},
            "kind of rival is 11; expected 0 to 10");
    refused((weft_rival_settings){.kind = (weft_rival_kind)-1}, "kind of rival is -1");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_BIAS, .rate = -1}, "the rate is -1");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_BIAS, .rate = NAN}, "the rate is");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_CONSTANT, .rate = INFINITY}, "the rate is inf");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_SUM, .rate = 2e6}, "the margin is 2e+06");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_FACTORS, .factors = -1}, "factors is -1");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_FACTORS, .factors = 65537}, "factors is 65537");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_LOGISTIC, .bits = -1}, "bits is -1");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_LOGISTIC, .bits = 31}, "bits is 31");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .replay = -2},
            "-2 events are to be learnt again");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .replay = 1025}, "1025 events are to be");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .window = -1}, "the window is -1");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .window = (1 << 24) + 1},
            "the window is 16777217");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .shrink = -0.5}, "shrink is -0.5");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .shrink = 1.5}, "shrink is 1.5");
    refused((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .shrink = NAN}, "shrink is");
}

static weft_rival_settings filled(weft_rival_settings given)
{
    weft_side *side = NULL;
    weft_player *rival = NULL;
    assert_int_equal(weft_side_none(3, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_rival_create(side, NULL, &given, NULL, &rival, NULL), WEFT_OK);
    weft_rival_settings settings = weft_rival_settings_of(rival);
    weft_player_free(rival);
    weft_side_free(side);
    return settings;
}

static void what_is_not_given_is_filled_in(void **state)
{
    double rates[3];
    weft_rival_settings s = filled((weft_rival_settings){.kind = WEFT_RIVAL_LOGISTIC});
    weft_rival_rates(WEFT_RIVAL_LOGISTIC, rates);
    assert_true(s.rate == rates[1] && s.factors == 10 && s.bits == 20 && s.seed == 1);
    assert_true(filled((weft_rival_settings){.kind = WEFT_RIVAL_PRODUCT}).rate == 0);
    s = filled((weft_rival_settings){.kind = WEFT_RIVAL_HYBRID});
    weft_rival_rates(WEFT_RIVAL_HYBRID, rates);
    assert_true(s.rate == rates[1] && s.factors == 15 && s.replay == 9 && s.window == 16384 && s.shrink == 0);
    s = filled((weft_rival_settings){
        .kind = WEFT_RIVAL_HYBRID, .factors = 3, .replay = -1, .window = 7, .shrink = 0.5});
    assert_true(s.factors == 3 && s.replay == -1 && s.window == 7 && s.shrink == 0.5);
    assert_true(filled((weft_rival_settings){.kind = WEFT_RIVAL_CONSTANT}).rate == 0);
    s = filled(
        (weft_rival_settings){.kind = WEFT_RIVAL_FACTORS, .rate = 0.7, .factors = 3, .bits = 4, .seed = 5});
    assert_true(s.kind == WEFT_RIVAL_FACTORS && s.rate == 0.7 && s.factors == 3 && s.bits == 4 &&
                s.seed == 5);
}

/* ---- ids and labels ---- */

static void unknown_ids_are_named(void **state)
{
    weft_error error = {0};
    stage s;
    stage_open(1, KNOWN_NONE, KNOWN_NONE, false, &s);
    for (int k = 0; k < WEFT_RIVALS; k++) {
        weft_player *rival = rival_of(&s, &(weft_rival_settings){.kind = (weft_rival_kind)k});
        weft_answer opinion = {.label = 7};
        assert_fails(weft_player_predict(rival, 4, 0, &opinion, &error), WEFT_UNKNOWN_ID,
                     "row 4 is not known");
        assert_int_equal(error.at[0], 4);
        assert_fails(weft_player_predict(rival, 0, -1, &opinion, &error), WEFT_UNKNOWN_ID, "column -1");
        assert_int_equal(error.at[0], -1);
        assert_fails(weft_player_learn(rival, 0, 4, 1, NULL, &error), WEFT_UNKNOWN_ID, "column 4");
        assert_int_equal(weft_player_learn(rival, 0, 0, 0, NULL, &error), WEFT_OK);
        assert_fails(weft_player_learn(rival, 0, 0, 2, NULL, &error), WEFT_ARGUMENT, "the label is 2");
        assert_int_equal(opinion.label, 7);
        weft_player *fresh = rival_of(&s, &(weft_rival_settings){.kind = (weft_rival_kind)k});
        assert_same_rival(rival, fresh);
        weft_player_free(fresh);
        weft_player_free(rival);
    }
    stage_close(&s);
}

static void one_set_says_id(void **state)
{
    weft_error error = {0};
    weft_answer opinion;
    stage s;
    stage_open(1, KNOWN_NONE, KNOWN_NONE, true, &s);
    weft_player *rival = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_SUM});
    assert_fails(weft_player_predict(rival, 0, 4, &opinion, &error), WEFT_UNKNOWN_ID, "id 4 is not known");
    weft_player_free(rival);
    stage_close(&s);
}

/* ---- opinions ---- */

/* Asking changes no byte, and what is answered is an opinion. */
static void check_opinion(weft_player *rival, int64_t i, int64_t j)
{
    size_t size = 0, after = 0;
    unsigned char *before_bytes = rival_bytes(rival, &size);
    weft_answer opinion = ask(rival, i, j), again = ask(rival, i, j);
    unsigned char *after_bytes = rival_bytes(rival, &after);
    assert_true(isfinite(opinion.score));
    assert_true(opinion.probability >= 0 && opinion.probability <= 1);
    assert_int_equal(opinion.label, opinion.score >= 0 ? 1 : -1);
    assert_true((opinion.probability >= 0.5) == (opinion.score >= 0));
    assert_true(opinion.score == again.score && opinion.probability == again.probability);
    assert_int_equal(size, after);
    assert_memory_equal(before_bytes, after_bytes, size);
    free(before_bytes);
    free(after_bytes);
}

static void play_opinions(weft_rival_kind kind, known_kind side, bool one_set, double rate)
{
    stage s;
    stage_open(31 + (uint64_t)side, side, (known_kind)((side + 3) % KNOWN_KINDS), one_set, &s);
    weft_player *rival = rival_of(&s, &(weft_rival_settings){.kind = kind, .rate = rate, .bits = 8});
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(&s, t);
        check_opinion(rival, s.row[t], s.column[t]);
        teach(rival, s.row[t], s.column[t], s.label[t]);
    }
    weft_player_free(rival);
    stage_close(&s);
}

/* Every rival over every kind of side information, also at rates beyond reason. */
static void predicting_changes_nothing(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int side = 0; side < KNOWN_KINDS; side++)
            for (int one_set = 0; one_set < 2; one_set++) {
                play_opinions((weft_rival_kind)kind, (known_kind)side, one_set, 0);
                play_opinions((weft_rival_kind)kind, (known_kind)side, one_set, 1e6);
            }
}

/* Two rivals of one set, one of which is told every pair the other way round. */
static void play_order(weft_rival_kind kind, known_kind side)
{
    stage s;
    stage_open(7 + (uint64_t)side, side, side, true, &s);
    weft_player *a = rival_of(&s, &(weft_rival_settings){.kind = kind});
    weft_player *b = rival_of(&s, &(weft_rival_settings){.kind = kind});
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(&s, t);
        int64_t i = s.row[t], j = s.column[t];
        assert_true(ask(a, i, j).score == ask(a, j, i).score);
        teach(a, i, j, s.label[t]);
        teach(b, j, i, s.label[t]);
    }
    assert_same_rival(a, b);
    weft_player_free(a);
    weft_player_free(b);
    stage_close(&s);
}

static void the_order_of_one_set_does_not_matter(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int side = 0; side < KNOWN_KINDS; side++)
            play_order((weft_rival_kind)kind, (known_kind)side);
}

/* Same class, same label: what a rival with parameters or kernels must find out. */
static int mistakes_on_blocks(weft_rival_kind kind, double rate)
{
    enum { IDS = 30, TRIALS = 1500 };
    dice d = {5};
    int64_t class_of[IDS];
    weft_side *side = NULL;
    weft_player *rival = NULL;
    int mistakes = 0;
    for (int64_t i = 0; i < IDS; i++)
        class_of[i] = i % 2;
    assert_int_equal(weft_side_from_classes(IDS, class_of, 1, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(
        weft_rival_create(side, side, &(weft_rival_settings){.kind = kind, .rate = rate}, NULL, &rival, NULL),
        WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        int64_t i = dice_below(&d, IDS), j = dice_below(&d, IDS);
        int label = i % 2 == j % 2 ? 1 : -1;
        mistakes += ask(rival, i, j).label != label;
        teach(rival, i, j, label);
    }
    weft_player_free(rival);
    weft_side_free(side);
    return mistakes;
}

static void those_with_interactions_learn_blocks(void **state)
{
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_LOGISTIC, 0), 0, 30);
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_FACTORS, 0), 0, 150);
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_PRODUCT, 0.1), 0, 30);
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_SQUARE, 0.1), 0, 60);
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_BIAS, 0), 500, 1000);
    assert_in_range(mistakes_on_blocks(WEFT_RIVAL_SUM, 0.1), 500, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_name_and_rates),
        cmocka_unit_test(what_is_no_kind_has_nothing),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(what_is_not_given_is_filled_in),
        cmocka_unit_test(unknown_ids_are_named),
        cmocka_unit_test(one_set_says_id),
        cmocka_unit_test(predicting_changes_nothing),
        cmocka_unit_test(the_order_of_one_set_does_not_matter),
        cmocka_unit_test(those_with_interactions_learn_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
