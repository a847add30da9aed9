/* SPDX-License-Identifier: MIT
 * weft_player_evaluate: the sign of the margin, whatever was asked before; and
 * counters that are added. */
#include "unit/test_core_support.h"

enum { IDS = 7, TRIALS = 60 };

typedef struct scene {
    weft_side *side;
    weft_player *learner;
} scene;

static scene open_scene(weft_form form)
{
    scene s = {0};
    weft_settings settings = {.form = form, .eta = 0.6, .gamma = 0.4, .dimension = 9, .seed = 5};
    assert_int_equal(weft_side_none(IDS, NULL, &s.side, NULL), WEFT_OK);
    assert_int_equal(
        weft_learner_create(s.side, form == WEFT_ONE_SET ? NULL : s.side, &settings, NULL, &s.learner, NULL),
        WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++)
        assert_int_equal(weft_player_learn(s.learner, t * 5 % IDS, (t * 3 + t / IDS) % IDS,
                                           t % 3 != 0 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    return s;
}

static void close_scene(scene *s)
{
    weft_player_free(s->learner);
    weft_side_free(s->side);
}

static weft_answer evaluate(weft_player *learner, int64_t i, int64_t j, double tolerance)
{
    weft_answer p;
    assert_int_equal(weft_player_evaluate(learner, i, j, tolerance, &p, NULL), WEFT_OK);
    return p;
}

static void assert_same(const weft_answer *a, const weft_answer *b)
{
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->products, b->products);
    assert_true(a->margin == b->margin && a->lower == b->lower && a->upper == b->upper);
    assert_true(a->probability == b->probability && a->threshold == b->threshold);
}

/* Every form: threshold 0, a bracket as narrow as asked, that of a deterministic
 * prediction with the same tolerance, and never touched by what went before. */
static void nothing_is_drawn_and_nothing_remembered(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        scene s = open_scene((weft_form)form);
        weft_player *copy = NULL;
        assert_int_equal(weft_player_clone(s.learner, &copy, NULL), WEFT_OK);
        for (int64_t i = 0; i < IDS; i++)
            for (int64_t j = 0; j < IDS; j++) {
                weft_answer before, first = evaluate(copy, i, j, 1e-4);
                assert_true(first.threshold == 0);
                assert_int_equal(first.label, first.margin >= 0 ? 1 : -1);
                assert_true(first.upper - first.lower <= 1e-4 * fmax(0.4, fabs(first.margin)));
                assert_int_equal(weft_player_predict(s.learner, i, j, &before, NULL), WEFT_OK);
                evaluate(s.learner, i, j, 1e-8);
                weft_answer again = evaluate(s.learner, i, j, 1e-4);
                assert_same(&first, &again);
            }
        assert_same_state(s.learner, copy);
        weft_player_free(copy);
        close_scene(&s);
    }
}

/* Learning goes on as if nothing had been evaluated. */
static void learning_does_not_see_it(void **state)
{
    scene s = open_scene(WEFT_PAPER);
    weft_player *copy = NULL;
    assert_int_equal(weft_player_clone(s.learner, &copy, NULL), WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        weft_answer a, b;
        int64_t i = t * 4 % IDS, j = t * 2 % IDS;
        evaluate(copy, i, j, 1e-9);
        assert_int_equal(weft_player_learn(s.learner, i, j, t % 2 ? 1 : -1, &a, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(copy, i, j, t % 2 ? 1 : -1, &b, NULL), WEFT_OK);
        assert_same(&a, &b);
    }
    assert_same_state(s.learner, copy);
    weft_player_free(copy);
    close_scene(&s);
}

static void wrong_questions_are_refused(void **state)
{
    scene s = open_scene(WEFT_PAPER);
    weft_error error = {0};
    weft_answer p = {.label = 7};
    assert_fails(weft_player_evaluate(s.learner, 0, 0, -1, &p, &error), WEFT_ARGUMENT, "tolerance is -1");
    assert_fails(weft_player_evaluate(s.learner, 0, 0, NAN, &p, &error), WEFT_ARGUMENT, "tolerance");
    assert_fails(weft_player_evaluate(s.learner, 0, 0, INFINITY, &p, &error), WEFT_ARGUMENT, "tolerance");
    assert_fails(weft_player_evaluate(s.learner, IDS, 0, 0, &p, &error), WEFT_UNKNOWN_ID, "row 7");
    assert_fails(weft_player_evaluate(s.learner, 0, -1, 0, &p, &error), WEFT_UNKNOWN_ID, "column -1");
    assert_int_equal(p.label, 7);
    close_scene(&s);
}

static void counters_are_added(void **state)
{
    scene s = open_scene(WEFT_PAPER);
    weft_counters before = weft_player_counters(s.learner);
    const weft_counters more = {
        .t = 5, .trials = 4, .mistakes = 3, .updates = 2, .products = 1, .expected_mistakes = 0.5};
    assert_int_equal(weft_player_count_more(s.learner, &more, NULL), WEFT_OK);
    weft_counters after = weft_player_counters(s.learner);
    assert_int_equal(after.t, before.t + 5);
    assert_int_equal(after.trials, before.trials + 4);
    assert_int_equal(after.mistakes, before.mistakes + 3);
    assert_int_equal(after.updates, before.updates + 2);
    assert_int_equal(after.products, before.products + 1);
    assert_true(after.expected_mistakes == before.expected_mistakes + 0.5);
    close_scene(&s);
}

static void strange_counters_are_refused(void **state)
{
    scene s = open_scene(WEFT_PAPER);
    weft_player *copy = NULL;
    weft_error error = {0};
    assert_int_equal(weft_player_clone(s.learner, &copy, NULL), WEFT_OK);
    const weft_counters wrong[] = {{.t = -1},
                                   {.trials = INT64_MAX},
                                   {.mistakes = -5},
                                   {.t = 1, .products = INT64_MAX},
                                   {.t = 1, .expected_mistakes = -0.5},
                                   {.t = 1, .expected_mistakes = NAN},
                                   {.t = 1, .expected_mistakes = INFINITY}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_fails(weft_player_count_more(s.learner, &wrong[k], &error), WEFT_ARGUMENT, "expected");
    assert_same_state(s.learner, copy);
    weft_player_free(copy);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_drawn_and_nothing_remembered),
        cmocka_unit_test(learning_does_not_see_it),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(counters_are_added),
        cmocka_unit_test(strange_counters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
