/* SPDX-License-Identifier: MIT
 *
 * Labels that come late: a prediction knows the labels that had come and no
 * other, keeps the threshold of its own trial, and counts as it was made. */

#include "support/test.h"

#include "support/dice.h"
#include "support/naive.h"

enum { ROWS = 6, COLUMNS = 5, TRIALS = 120 };

typedef struct game {
    weft_side *rows, *columns;
    weft_settings settings;
    weft_late trial[TRIALS];
} game;

static void open_game(game *g, uint64_t seed, weft_updates updates, double tolerance)
{
    static const int64_t class_of[ROWS] = {0, 0, 1, 1, 2, 2};
    dice d = {seed};
    assert_int_equal(weft_side_from_classes(ROWS, class_of, 0.2, NULL, &g->rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(COLUMNS, NULL, &g->columns, NULL), WEFT_OK);
    g->settings = weft_settings_default(ROWS, COLUMNS, TRIALS);
    g->settings.updates = updates;
    g->settings.tolerance = tolerance;
    g->settings.seed = seed;
    for (int t = 0; t < TRIALS; t++)
        g->trial[t] = (weft_late){.row = dice_below(&d, ROWS),
                                  .column = dice_below(&d, COLUMNS),
                                  .label = dice_chance(&d, 0.1)   ? 0
                                           : dice_chance(&d, 0.5) ? -1
                                                                  : 1};
}

static void close_game(game *g)
{
    weft_side_free(g->rows);
    weft_side_free(g->columns);
}

static weft_player *new_learner(const game *g)
{
    weft_player *learner = NULL;
    assert_int_equal(weft_learner_create(g->rows, g->columns, &g->settings, NULL, &learner, NULL), WEFT_OK);
    return learner;
}

static void assert_same_prediction(const weft_answer *a, const weft_answer *b)
{
    assert_true(a->label == b->label && a->threshold == b->threshold && a->margin == b->margin);
    assert_true(a->lower == b->lower && a->upper == b->upper && a->probability == b->probability);
    assert_true(a->products == b->products && a->certified == b->certified);
}

static void assert_same_state(const weft_player *a, const weft_player *b, double slack)
{
    int64_t count = weft_player_evidence_count(a);
    weft_counters of_a = weft_player_counters(a), of_b = weft_player_counters(b);
    assert_int_equal(count, weft_player_evidence_count(b));
    for (int64_t k = 0; k < count; k++) {
        weft_evidence_entry x = weft_player_evidence(a, k), y = weft_player_evidence(b, k);
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_true(weft_learner_spectral_bound(a) == weft_learner_spectral_bound(b));
    assert_true(of_a.t == of_b.t && of_a.trials == of_b.trials && of_a.mistakes == of_b.mistakes);
    assert_true(of_a.updates == of_b.updates);
    /* Of brackets before and after the label, each within the tolerance or wider. */
    assert_true(fabs(of_a.expected_mistakes - of_b.expected_mistakes) <= slack);
}

/* A label that is late by nothing. */
static void no_delay_is_the_plain_protocol(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        game g;
        open_game(&g, 5 + (uint64_t)kind, kind % 2 ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES,
                  kind < 2 ? 0.02 : 0);
        weft_player *plain = new_learner(&g), *late = new_learner(&g);
        for (int t = 0; t < TRIALS; t++) {
            weft_late *trial = &g.trial[t];
            weft_answer a, b;
            weft_answer p;
            assert_int_equal(weft_player_predict(plain, trial->row, trial->column, &p, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(plain, trial->row, trial->column, trial->label, &a, NULL),
                             WEFT_OK);
            assert_int_equal(weft_player_predict_at(late, trial->row, trial->column, t, &trial->answer, NULL),
                             WEFT_OK);
            assert_int_equal(weft_player_learn_late(late, trial, &b, NULL), WEFT_OK);
            assert_same_prediction(&p, &trial->answer);
            assert_true(a.mistake == b.mistake && a.updated == b.updated);
            assert_true(a.threshold == b.threshold);
            assert_int_equal(a.label, b.label);
        }
        weft_counters of_plain = weft_player_counters(plain), of_late = weft_player_counters(late);
        assert_true(of_plain.updates > 10 && of_late.products >= of_plain.products);
        assert_same_state(plain, late, kind < 2 ? 0.02 * TRIALS : TRIALS);
        weft_player_free(plain);
        weft_player_free(late);
        close_game(&g);
    }
}

/* By a copy, so that `learner` never makes a prediction. */
static void predict_apart(const weft_player *learner, const weft_late *trial, int64_t t, weft_answer *p)
{
    weft_player *copy = NULL;
    assert_int_equal(weft_player_clone(learner, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict_at(copy, trial->row, trial->column, t, p, NULL), WEFT_OK);
    weft_player_free(copy);
}

/* The prediction of trial t is that of a learner which was told the labels of
 * trials 0 .. t-N-1 alone, with the threshold of trial t. */
static void a_prediction_knows_what_had_come(void **state)
{
    enum { DELAY = 7 };
    for (int kind = 0; kind < 2; kind++) {
        game g;
        weft_answer expected;
        int64_t mistakes = 0;
        open_game(&g, 11, kind ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES, 0.02);
        weft_player *late = new_learner(&g), *told = new_learner(&g), *plain = new_learner(&g);
        for (int t = 0; t < TRIALS; t++) {
            weft_late *trial = &g.trial[t];
            assert_int_equal(weft_player_predict_at(late, trial->row, trial->column, t, &trial->answer, NULL),
                             WEFT_OK);
            predict_apart(told, trial, t, &expected);
            assert_same_prediction(&expected, &trial->answer);
            assert_int_equal(weft_player_predict(plain, trial->row, trial->column, &expected, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(plain, trial->row, trial->column, 0, NULL, NULL), WEFT_OK);
            assert_true(expected.threshold == trial->answer.threshold);
            if (t < DELAY)
                continue;
            const weft_late *due = &g.trial[t - DELAY];
            weft_answer outcome;
            assert_int_equal(weft_player_learn_late(late, due, &outcome, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn_late(told, due, NULL, NULL), WEFT_OK);
            bool wrong = due->label != 0 && due->label != due->answer.label;
            assert_int_equal(outcome.mistake, wrong);
            assert_int_equal(outcome.label, due->answer.label);
            assert_true(outcome.threshold == due->answer.threshold);
            assert_true(outcome.probability == due->answer.probability);
            if (kind == 1)
                assert_int_equal(outcome.updated, wrong);
            else
                assert_int_equal(outcome.updated,
                                 due->label != 0 && due->label * outcome.margin < g.settings.gamma);
            mistakes += wrong;
        }
        assert_same_state(late, told, 0);
        assert_int_equal(weft_player_counters(late).mistakes, mistakes);
        assert_true(mistakes > 10);
        weft_player_free(late);
        weft_player_free(told);
        weft_player_free(plain);
        close_game(&g);
    }
}

static void what_was_never_predicted_is_refused(void **state)
{
    game g;
    weft_error error;
    weft_answer p = {0};
    open_game(&g, 3, WEFT_MARGIN_UPDATES, 0.02);
    weft_player *learner = new_learner(&g);
    const weft_answer wrong[] = {{.label = 0, .probability = 0.5},
                                 {.label = 1, .probability = 1.5},
                                 {.label = 1, .probability = NAN},
                                 {.label = -1, .threshold = INFINITY},
                                 {.label = -1, .products = -1}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_late trial = {.label = 1, .answer = wrong[k]};
        assert_int_equal(weft_player_learn_late(learner, &trial, NULL, &error), WEFT_ARGUMENT);
        assert_non_null(strstr(error.message, "expected one that was made before"));
    }
    weft_late other = {.label = 2, .answer = {.label = 1, .probability = 0.5}};
    assert_int_equal(weft_player_learn_late(learner, &other, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_at(learner, 0, 0, -1, &p, &error), WEFT_ARGUMENT);
    other = (weft_late){.row = ROWS, .label = 1, .answer = {.label = 1, .probability = 0.5}};
    assert_int_equal(weft_player_learn_late(learner, &other, NULL, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_counters(learner).t, 0);
    weft_player_free(learner);
    close_game(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_delay_is_the_plain_protocol),
        cmocka_unit_test(a_prediction_knows_what_had_come),
        cmocka_unit_test(what_was_never_predicted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
