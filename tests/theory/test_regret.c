/* SPDX-License-Identifier: MIT
 * thm:base, regret: margin updates with noisy labels.  Expected mistakes are the
 * exact sum of the probabilities: the course of a run does not depend on the
 * draws.  The bounds here are far below the number of trials. */
#include "theory/play.h"

enum { TRIALS = 20000 };

/* What a noisy run came to. */
typedef struct course {
    int64_t errors; /* of the best block matrix */
    double hinge;   /* sum of h_gamma(y, margin), at the bracket's worse end */
    double comparator_hinge;
} course;

static double hinge(double gamma, int label, double margin)
{
    return fmax(0, gamma - label * margin) / gamma;
}

/* Uniform pairs, labels of the hidden matrix with 5 % of them turned. */
static course run(play *p, dice *d)
{
    course c = {0};
    weft_comparator *comparator = NULL;
    double gamma = p->settings.gamma;
    assert_int_equal(weft_comparator_create(p->k, p->l, NULL, &comparator, NULL), WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        int64_t i = dice_below(d, p->m), j = dice_below(d, p->n);
        int truth = play_label(p, i, j), label = dice_chance(d, 0.05) ? -truth : truth;
        weft_answer prediction = play_trial(p, i, j, label);
        c.hinge += fmax(hinge(gamma, label, prediction.lower), hinge(gamma, label, prediction.upper));
        c.comparator_hinge += hinge(gamma, label, gamma * truth);
        assert_int_equal(weft_comparator_add(comparator, p->row_class[i], p->column_class[j], label, NULL),
                         WEFT_OK);
    }
    c.errors = weft_comparator_errors(comparator, false);
    weft_comparator_free(comparator);
    return c;
}

static void start(play *p, dice *d, play_knowledge knowledge, bool deterministic)
{
    play_draw(p, d, knowledge);
    p->block[0][0] = 1;
    p->block[1][0] = -1;
    p->settings.deterministic = deterministic;
    p->settings.tolerance = 0.02;
    play_start(p, TRIALS);
}

static weft_bound judge(const play *p, const course *c)
{
    weft_course happened = {.horizon = TRIALS, .trials = TRIALS, .errors = c->errors};
    return weft_theory_judge(&p->measure, &p->settings, &happened);
}

/* Rows all +1 or all -1, which the side information tells apart. */
static void expected_mistakes(play_knowledge knowledge, double share)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        dice d = {seed};
        play p = {.m = 12, .n = 10, .k = 2, .l = 1};
        start(&p, &d, knowledge, false);
        course c = run(&p, &d);
        weft_bound bound = judge(&p, &c);
        double expected = weft_player_counters(p.learner).expected_mistakes;
        assert_int_equal(bound.kind, WEFT_REGRET);
        assert_false(bound.vacuous || bound.coin);
        assert_true(bound.value < share * TRIALS);
        assert_true(expected <= bound.value);
        /* lem:hinge_EM_bound, summed. */
        assert_true(2 * expected <= c.hinge * (1 + 1e-9));
        /* No learner does much better than the noise: the bound is no accident. */
        assert_true(expected >= 0.9 * (double)c.errors && c.errors > TRIALS / 30);
        /* Draws scatter around their expectation. */
        double drawn = (double)weft_player_counters(p.learner).mistakes;
        assert_true(fabs(drawn - expected) <= 6 * sqrt(expected));
        play_end(&p);
    }
}

static void expected_mistakes_with_a_partition_kernel(void **state)
{
    expected_mistakes(PLAY_PARTITION, 0.15);
}

static void expected_mistakes_with_a_laplacian(void **state)
{
    expected_mistakes(PLAY_LAPLACIAN, 0.25);
}

static void expected_mistakes_with_nothing_known(void **state)
{
    expected_mistakes(PLAY_NONE, 0.3);
}

/* theorem1part1 for the hinge loss itself, and what it says about the mistakes
 * of deterministic predictions. */
static void hinge_loss_of_deterministic_predictions(void **state)
{
    for (int knowledge = PLAY_LAPLACIAN; knowledge <= PLAY_NONE; knowledge++) {
        dice d = {3};
        play p = {.m = 12, .n = 10, .k = 2, .l = 1};
        start(&p, &d, (play_knowledge)knowledge, true);
        course c = run(&p, &d);
        weft_scale scale = {p.settings.dimension, p.settings.gamma, p.measure.size, TRIALS};
        assert_true(c.hinge <= c.comparator_hinge + weft_theory_hinge(scale, 0));
        weft_bound bound = judge(&p, &c);
        weft_counters counters = weft_player_counters(p.learner);
        assert_int_equal(bound.kind, WEFT_HINGE);
        assert_false(bound.vacuous);
        assert_true((double)counters.mistakes <= bound.value);
        assert_true((double)counters.mistakes <= c.hinge);
        play_end(&p);
    }
}

/* Four classes each way: margin 1/2, still below a coin. */
static void more_classes(void **state)
{
    dice d = {4};
    play p = {.m = 16, .n = 16, .k = 4, .l = 4};
    start(&p, &d, PLAY_PARTITION, false);
    course c = run(&p, &d);
    weft_bound bound = judge(&p, &c);
    assert_true(fabs(p.settings.gamma - 0.5) < 1e-15);
    assert_false(bound.vacuous || bound.coin);
    assert_true(weft_player_counters(p.learner).expected_mistakes <= bound.value);
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_mistakes_with_a_partition_kernel),
        cmocka_unit_test(expected_mistakes_with_a_laplacian),
        cmocka_unit_test(expected_mistakes_with_nothing_known),
        cmocka_unit_test(hinge_loss_of_deterministic_predictions),
        cmocka_unit_test(more_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
