/* SPDX-License-Identifier: MIT
 *
 * The state of the compact engine: a run that is written and read at any point goes on to
 * the byte, as does a copy; predictions leave no trace; a reset learner is a fresh one; and bytes
 * that are cut, changed, or of other sides are refused, or are the state that they say they are. */
#include "compact.h"
#include "support/effort.h"

enum { TRIALS = 40 };

typedef struct bytes {
    size_t size;
    unsigned char *data;
} bytes;

typedef struct scene {
    uint64_t seed;
    mapped rows, columns;
    weft_settings settings;
    int64_t row[TRIALS], column[TRIALS];
    int label[TRIALS];
} scene;

static void demand(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s: %s", weft_status_name(status), error->message);
}

/* ---- scenes ---- */

static void open_scene(uint64_t seed, int64_t most, scene *s)
{
    dice d = {seed * 104729 + 5};
    *s = (scene){.seed = seed};
    bool one_set = dice_chance(&d, 0.3);
    mapped_draw(&d, most, &s->rows);
    if (!one_set)
        mapped_draw(&d, most, &s->columns);
    s->settings = settings_draw(&d, &s->rows, one_set ? NULL : &s->columns);
    const mapped *columns = one_set ? &s->rows : &s->columns;
    for (int64_t t = 0; t < TRIALS; t++) {
        s->row[t] = mapped_id(&s->rows, dice_below(&d, s->rows.count));
        s->column[t] = mapped_id(columns, dice_below(&d, columns->count));
        s->label[t] = (int)dice_below(&d, 8) == 0 ? 0 : dice_chance(&d, 0.5) ? 1 : -1;
    }
}

static void close_scene(scene *s)
{
    mapped_release(&s->rows);
    mapped_release(&s->columns);
}

static weft_player *fresh(const scene *s)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    demand(weft_learner_create(s->rows.side, s->columns.side, &s->settings, NULL, &learner, &error), &error);
    return learner;
}

static bytes state_of(const weft_player *learner)
{
    weft_error error = {0};
    bytes state = {0};
    demand(weft_player_write(learner, NULL, &state.size, &error), &error);
    state.data = naive_new((int64_t)state.size, 1);
    demand(weft_player_write(learner, state.data, &state.size, &error), &error);
    return state;
}

static weft_status read_bytes(const scene *s, bytes state, weft_player **learner)
{
    weft_error error = {0};
    weft_status status =
        weft_learner_read(s->rows.side, s->columns.side, state.data, state.size, NULL, learner, &error);
    if (status != WEFT_OK)
        assert_true(error.status == status && strlen(error.message) > 10);
    return status;
}

static void assert_state(const weft_player *learner, bytes expected)
{
    bytes now = state_of(learner);
    assert_int_equal(now.size, expected.size);
    assert_memory_equal(now.data, expected.data, now.size);
    free(now.data);
}

static weft_answer play_one(const scene *s, int64_t t, weft_player *learner)
{
    weft_error error = {0};
    weft_answer outcome;
    memset(&outcome, 0, sizeof outcome);
    demand(weft_player_learn(learner, s->row[t], s->column[t], s->label[t], &outcome, &error), &error);
    return outcome;
}

/* Every outcome from trial `from` on must be the same to the bit, and so must the state then be. */
static void assert_goes_on(const scene *s, int64_t from, const weft_answer *expected, bytes final,
                           weft_player *learner)
{
    for (int64_t t = from; t < TRIALS; t++) {
        weft_answer got = play_one(s, t, learner);
        assert_true(got.updated == expected[t].updated &&
                    got.update_certified == expected[t].update_certified && got.label == expected[t].label &&
                    got.products == expected[t].products && got.lower == expected[t].lower &&
                    got.upper == expected[t].upper && got.threshold == expected[t].threshold);
    }
    assert_state(learner, final);
    weft_player_free(learner);
}

/* ---- continuing ---- */

/* A learner that was read from the state of another, and one that was copied. */
static void check_point(const scene *s, int64_t t, weft_player *learner, const weft_answer *expected,
                        bytes final)
{
    weft_error error = {0};
    weft_player *copy = NULL, *resumed = NULL;
    bytes here = state_of(learner);
    demand(weft_player_clone(learner, &copy, &error), &error);
    assert_state(copy, here);
    assert_int_equal(read_bytes(s, here, &resumed), WEFT_OK);
    assert_state(resumed, here);
    assert_true(weft_learner_spectral_bound(resumed) == weft_learner_spectral_bound(learner));
    assert_true(weft_learner_settings(resumed).half_life == s->settings.half_life);
    assert_true(weft_learner_settings(resumed).floor == s->settings.floor);
    assert_goes_on(s, t, expected, final, copy);
    assert_goes_on(s, t, expected, final, resumed);
    assert_state(learner, here);
    free(here.data);
}

static void check_run(const scene *s)
{
    weft_error error = {0};
    weft_answer ignored;
    weft_answer expected[TRIALS];
    weft_player *learner = fresh(s), *again = fresh(s);
    bytes born = state_of(learner);
    for (int64_t t = 0; t < TRIALS; t++)
        expected[t] = play_one(s, t, learner);
    bytes final = state_of(learner);
    for (int64_t t = 0; t < TRIALS; t++) {
        check_point(s, t, again, expected, final);
        bytes here = state_of(again);
        demand(weft_player_predict(again, s->row[t / 2], s->column[t / 2], &ignored, &error), &error);
        demand(weft_player_evaluate(again, s->row[t], s->column[t], 1e-3, &ignored, &error), &error);
        assert_state(again, here);
        free(here.data);
        play_one(s, t, again);
    }
    demand(weft_player_reset(learner, &error), &error);
    assert_state(learner, born);
    assert_goes_on(s, 0, expected, final, learner);
    weft_player_free(again);
    free(born.data);
    free(final.data);
}

static void test_goes_on_from_every_point(void **state)
{
    for (uint64_t k = 0; k < (uint64_t)effort(20, 60); k++) {
        scene s;
        open_scene(k, 8, &s);
        check_run(&s);
        close_scene(&s);
    }
}

/* ---- damage ---- */

/* Whatever it is, it can be used. */
static void use(const scene *s, weft_player *learner)
{
    weft_error error = {0};
    weft_answer p;
    for (int64_t t = 0; t < 6; t++) {
        if (weft_player_predict(learner, s->row[t], s->column[t], &p, &error) == WEFT_OK)
            assert_true(!isnan(p.margin) && p.lower <= p.upper && (p.label == 1 || p.label == -1));
        (void)weft_player_learn(learner, s->row[t], s->column[t], t % 2 ? 1 : -1, NULL, &error);
    }
}

/* What was read is what is written, but for a number that has two ways to be written: a capacity of 0
 * is filled in, and -0 is 0. */
static void assert_faithful(const scene *s, weft_player *learner, bytes state)
{
    weft_player *again = NULL;
    bytes now = state_of(learner);
    size_t others = 0;
    assert_int_equal(now.size, state.size);
    for (size_t k = 0; k < now.size; k++)
        others += now.data[k] != state.data[k];
    assert_true(others <= 1);
    assert_int_equal(read_bytes(s, now, &again), WEFT_OK);
    assert_state(again, now);
    weft_player_free(again);
    free(now.data);
}

/* Answers whether the bytes were refused. */
static bool check_damaged(const scene *s, bytes state)
{
    weft_player *learner = NULL;
    if (read_bytes(s, state, &learner) != WEFT_OK) {
        assert_null(learner);
        return true;
    }
    assert_faithful(s, learner, state);
    use(s, learner);
    weft_player_free(learner);
    return false;
}

static void damage(const scene *s, int64_t taught)
{
    weft_player *learner = fresh(s);
    for (int64_t t = 0; t < taught; t++)
        play_one(s, t, learner);
    bytes whole = state_of(learner);
    weft_player_free(learner);
    for (size_t size = 0; size < whole.size; size++)
        assert_true(check_damaged(s, (bytes){size, whole.data}));
    unsigned char *longer = naive_new((int64_t)whole.size + 8, 1);
    memcpy(longer, whole.data, whole.size);
    assert_true(check_damaged(s, (bytes){whole.size + 1, longer}));
    assert_true(check_damaged(s, (bytes){whole.size + 8, longer}));
    free(longer);
    for (size_t at = 0; at < whole.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            whole.data[at] ^= (unsigned char)(1 << bit);
            check_damaged(s, whole);
            whole.data[at] ^= (unsigned char)(1 << bit);
        }
    assert_false(check_damaged(s, whole));
    free(whole.data);
}

static void test_damage_is_refused_or_is_a_state(void **state)
{
    for (uint64_t k = 0; k < (uint64_t)(is_long() ? 24 : fewer(6, 3)); k++) {
        scene s;
        open_scene(9000 + k, 2, &s);
        damage(&s, (int64_t)(k % 3) * 10);
        close_scene(&s);
    }
}

/* ---- other sides ---- */

static weft_side *none(int64_t hash)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_map map = {.hash = hash};
    weft_side_options options = {.map = hash > 0 ? &map : NULL};
    demand(weft_side_none(5, &options, &side, &error), &error);
    return side;
}

static weft_status read_over(weft_side *rows, weft_side *columns, bytes state)
{
    weft_player *learner = NULL;
    weft_status status = weft_learner_read(rows, columns, state.data, state.size, NULL, &learner, NULL);
    weft_player_free(learner);
    return status;
}

static void test_other_sides_are_refused(void **state)
{
    weft_error error = {0};
    weft_side *four = none(4), *five = none(5), *bare = none(0);
    weft_player *learner = NULL;
    weft_settings s = {.engine = WEFT_COMPACT, .eta = 0.4, .gamma = 0.5, .dimension = 4};
    demand(weft_learner_create(four, five, &s, NULL, &learner, &error), &error);
    demand(weft_player_learn(learner, 1, 2, 1, NULL, &error), &error);
    bytes whole = state_of(learner);
    assert_int_equal(read_over(four, five, whole), WEFT_OK);
    assert_int_equal(read_over(four, four, whole), WEFT_MODEL);
    assert_int_equal(read_over(five, four, whole), WEFT_MODEL);
    assert_int_equal(read_over(bare, five, whole), WEFT_MODEL);
    assert_int_equal(read_over(four, bare, whole), WEFT_MODEL);
    assert_int_equal(read_over(four, NULL, whole), WEFT_MODEL);
    weft_player_free(learner);
    free(whole.data);
    weft_side_free(four);
    weft_side_free(five);
    weft_side_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on_from_every_point),
                                       cmocka_unit_test(test_damage_is_refused_or_is_a_state),
                                       cmocka_unit_test(test_other_sides_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
