/* SPDX-License-Identifier: MIT
 * A margin that cannot be met: with a floor a trial costs the same for ever, without one more and more. */

#include "support/test.h"

#include "support/dice.h"
#include "support/stored.h"

typedef struct course {
    double early, late; /* products a trial, of the second and the last quarter */
    double least;       /* eigenvalue in the end */
} course;

enum { MANY = 500, CLASSES = 12, SIGNS = 12, TRIALS = 40000 };

/* Blocks with noise, of more classes than the margin leaves room for. */
static void play_block(weft_player *learner, int64_t t)
{
    dice d = {(uint64_t)t * 0x9e3779b97f4a7c15u + 1};
    int64_t i = dice_below(&d, MANY), j = dice_below(&d, MANY);
    dice block = {(uint64_t)(i % CLASSES * CLASSES + j % CLASSES) + 7};
    int label = dice_chance(&block, 0.5) ? 1 : -1;
    weft_error error = {0};
    if (weft_player_learn(learner, i, j, dice_chance(&d, 0.1) ? -label : label, NULL, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static weft_side *make_classes(void)
{
    int64_t class_of[MANY];
    weft_side *side = NULL;
    weft_map map = {.hash = SIGNS};
    weft_side_options options = {.map = &map};
    for (int64_t i = 0; i < MANY; i++)
        class_of[i] = i % CLASSES;
    assert_int_equal(weft_side_from_classes(MANY, class_of, 0.1, &options, &side, NULL), WEFT_OK);
    return side;
}

static course run_long(double floor)
{
    enum { D = 2 * (CLASSES + SIGNS) };
    static long double a[D * D];
    weft_side *side = make_classes();
    weft_settings s = weft_settings_default(MANY, MANY, 1);
    s.engine = WEFT_COMPACT;
    s.eta = 0.5;
    s.floor = floor;
    weft_player *learner = NULL;
    assert_int_equal(weft_learner_create(side, side, &s, NULL, &learner, NULL), WEFT_OK);
    int64_t at[5] = {0};
    for (int64_t t = 0; t < TRIALS; t++) {
        play_block(learner, t);
        at[1 + 4 * t / TRIALS] = weft_player_counters(learner).products;
    }
    stored end = stored_state(learner);
    assert_int_equal(2 * weft_side_dimension(side), D);
    stored_matrix(&end, D, a);
    course c = {4.0 * (double)(at[2] - at[1]) / TRIALS, 4.0 * (double)(at[4] - at[3]) / TRIALS,
                (double)stored_project(D, 0, a)};
    free(end.bytes);
    weft_player_free(learner);
    weft_side_free(side);
    return c;
}

static void only_a_floor_keeps_the_cost(void **state)
{
    course held = run_long(16), fallen = run_long(0);
    printf("products a trial %.2f to %.2f, without a floor %.2f to %.2f; least eigenvalue %.1f, %.1f\n",
           held.early, held.late, fallen.early, fallen.late, held.least, fallen.least);
    assert_true(held.late < 1.1 * held.early && fallen.late > 1.2 * fallen.early);
    assert_true(held.late < 0.6 * fallen.late);
    assert_true(held.least > -40 && fallen.least < -120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_a_floor_keeps_the_cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
