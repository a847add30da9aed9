/* SPDX-License-Identifier: MIT
 * thm:base, realizable case: biclustered matrices, mistake updates, eta = gamma.
 * The bound does not depend on T, so a run goes on until nothing is wrong. */
#include "theory/play.h"

static void realizable(play *p, dice *d, play_knowledge knowledge)
{
    play_draw(p, d, knowledge);
    p->settings.updates = WEFT_MISTAKE_UPDATES;
}

static weft_bound judge(const play *p, int64_t trials)
{
    weft_course course = {.horizon = trials, .trials = trials};
    return weft_theory_judge(&p->measure, &p->settings, &course);
}

/* The bound against the mistakes of a run without end. */
static void mistakes_stay_below(play_knowledge knowledge, int64_t m, int64_t k, int64_t l)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        dice d = {seed};
        play p = {.m = m, .n = m + 3, .k = k, .l = l};
        realizable(&p, &d, knowledge);
        play_start(&p, 1);
        assert_true(p.settings.eta == p.settings.gamma);
        int64_t mistakes = play_until_right(&p, 400);
        weft_bound bound = judge(&p, weft_player_counters(p.learner).trials);
        assert_int_equal(bound.kind, WEFT_REALIZABLE);
        if ((double)mistakes > bound.value)
            fail_msg("seed %d: %d mistakes, bound %g", (int)seed, (int)mistakes, bound.value);
        play_end(&p);
    }
}

static void laplacians(void **state)
{
    mistakes_stay_below(PLAY_LAPLACIAN, 20, 2, 1);
    mistakes_stay_below(PLAY_LAPLACIAN, 20, 3, 4);
}

static void partition_kernels(void **state)
{
    mistakes_stay_below(PLAY_PARTITION, 20, 2, 1);
    mistakes_stay_below(PLAY_PARTITION, 24, 4, 3);
}

static void no_side_information(void **state)
{
    mistakes_stay_below(PLAY_NONE, 12, 2, 2);
    mistakes_stay_below(PLAY_NONE, 16, 4, 4);
}

/* Good side information is worth having: far below what nothing known costs,
 * and below half of a thousand trials by the theorem alone. */
static void knowledge_helps(void **state)
{
    int64_t mistakes[2];
    double bound[2];
    for (int known = 0; known < 2; known++) {
        dice d = {5};
        play p = {.m = 40, .n = 40, .k = 2, .l = 1};
        realizable(&p, &d, known ? PLAY_PARTITION : PLAY_NONE);
        p.block[0][0] = 1;
        p.block[1][0] = -1;
        play_start(&p, 1);
        mistakes[known] = play_until_right(&p, 100);
        weft_bound judged = judge(&p, 1000);
        bound[known] = judged.value;
        assert_int_equal(judged.coin, !known);
        play_end(&p);
    }
    assert_true((double)mistakes[1] <= bound[1]);
    assert_true(bound[1] < 60);
    /* Each row has to be met once, and an all-wrong start costs a mistake. */
    assert_true(mistakes[0] >= 20);
    assert_true(mistakes[1] <= 5);
}

/* One entry of each block, labelled against the prediction, is still a
 * biclustered matrix: k l mistakes are forced, and no more than the bound. */
static void an_adversary_forces_kl_mistakes(void **state)
{
    for (int knowledge = PLAY_LAPLACIAN; knowledge <= PLAY_NONE; knowledge++) {
        dice d = {7};
        play p = {.m = 18, .n = 15, .k = 4, .l = 5};
        realizable(&p, &d, (play_knowledge)knowledge);
        play_start(&p, 1);
        for (int64_t r = 0; r < p.k; r++)
            for (int64_t c = 0; c < p.l; c++) {
                weft_answer prediction;
                assert_int_equal(weft_player_predict(p.learner, r, c, &prediction, NULL), WEFT_OK);
                p.block[r][c] = -prediction.label;
                assert_true(play_trial(&p, r, c, p.block[r][c]).mistake);
            }
        assert_int_equal(weft_player_counters(p.learner).mistakes, p.k * p.l);
        play_until_right(&p, 400);
        assert_true((double)weft_player_counters(p.learner).mistakes <= judge(&p, 1).value);
        play_end(&p);
    }
}

/* Against drawn predictions the less likely label is expected to cost half. */
static void an_adversary_expects_half_of_them(void **state)
{
    for (int knowledge = PLAY_LAPLACIAN; knowledge <= PLAY_NONE; knowledge++) {
        dice d = {8};
        play p = {.m = 18, .n = 15, .k = 4, .l = 5};
        play_draw(&p, &d, (play_knowledge)knowledge);
        play_start(&p, 400);
        double expected = 0;
        for (int64_t r = 0; r < p.k; r++)
            for (int64_t c = 0; c < p.l; c++) {
                weft_answer prediction;
                assert_int_equal(weft_player_predict(p.learner, r, c, &prediction, NULL), WEFT_OK);
                p.block[r][c] = prediction.probability >= 0.5 ? -1 : 1;
                expected += play_trial(&p, r, c, p.block[r][c]).error_probability;
            }
        assert_true(expected >= (double)(p.k * p.l) / 2 - 1e-9);
        double counted = weft_player_counters(p.learner).expected_mistakes;
        assert_true(fabs(counted - expected) <= 1e-9 * expected);
        play_end(&p);
    }
}

/* lem:base: the bound holds for any estimate, far above or below. */
static void estimates_of_the_dimension(void **state)
{
    const double factors[] = {0.02, 0.1, 0.5, 2, 10, 100};
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        for (int knowledge = PLAY_LAPLACIAN; knowledge <= PLAY_NONE; knowledge++) {
            dice d = {9};
            play p = {.m = 16, .n = 14, .k = 3, .l = 3};
            realizable(&p, &d, (play_knowledge)knowledge);
            weft_measure measured;
            assert_int_equal(weft_theory_measure(p.rows, p.columns, &p.truth, &p.settings, &measured, NULL),
                             WEFT_OK);
            p.settings.dimension = fmax(1, factors[f] * measured.dimension);
            play_start(&p, 1);
            weft_scale scale = {p.settings.dimension, p.settings.gamma, p.measure.size, 1};
            double limit = weft_theory_estimate_within(scale, p.measure.dimension);
            int64_t mistakes = play_until_right(&p, 2000);
            if ((double)mistakes > limit)
                fail_msg("D x %g: %d mistakes, bound %g", factors[f], (int)mistakes, limit);
            weft_bound bound = judge(&p, 1);
            assert_int_equal(bound.kind, factors[f] < 1 ? WEFT_ESTIMATE : WEFT_REALIZABLE);
            assert_true(limit <= bound.value * (1 + 1e-12));
            play_end(&p);
        }
}

/* Inductive, R is what the kernel may reach and not what it does reach.  With R
 * three times as large D is, gamma and the rest stay, and the theorem holds; the
 * learner is the one with the smaller R, D/3 and eta/3. */
static void a_larger_radius_changes_only_the_dimension(void **state)
{
    dice d = {10};
    play narrow = {.m = 20, .n = 18, .k = 3, .l = 3}, wide;
    realizable(&narrow, &d, PLAY_PARTITION);
    wide = narrow;
    weft_side_options options = {.radius = 3 * weft_side_radius(narrow.rows)};
    assert_int_equal(weft_side_from_classes(20, wide.row_class, 0.01, &options, &wide.rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(18, wide.column_class, 0.01, &options, &wide.columns, NULL),
                     WEFT_OK);
    play_start(&wide, 1);
    weft_measure small;
    assert_int_equal(
        weft_theory_measure(narrow.rows, narrow.columns, &narrow.truth, &narrow.settings, &small, NULL),
        WEFT_OK);
    assert_true(fabs(wide.measure.dimension - 3 * small.dimension) < 1e-12 * wide.measure.dimension);
    assert_true(wide.measure.gamma == small.gamma && wide.measure.size == small.size);
    narrow.settings = wide.settings;
    narrow.settings.dimension /= 3;
    narrow.settings.eta /= 3;
    play_start(&narrow, 1);
    for (int64_t t = 0; t < 2000; t++) {
        int64_t i = dice_below(&d, wide.m), j = dice_below(&d, wide.n);
        weft_answer a = play_trial(&wide, i, j, play_label(&wide, i, j));
        weft_answer b = play_trial(&narrow, i, j, play_label(&wide, i, j));
        assert_int_equal(a.label, b.label);
        assert_int_equal(a.updated, b.updated);
    }
    assert_true((double)weft_player_counters(wide.learner).mistakes <= judge(&wide, 1).value);
    assert_true(weft_player_counters(wide.learner).mistakes > 0);
    play_end(&wide);
    play_end(&narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laplacians),
        cmocka_unit_test(partition_kernels),
        cmocka_unit_test(no_side_information),
        cmocka_unit_test(knowledge_helps),
        cmocka_unit_test(an_adversary_forces_kl_mistakes),
        cmocka_unit_test(an_adversary_expects_half_of_them),
        cmocka_unit_test(estimates_of_the_dimension),
        cmocka_unit_test(a_larger_radius_changes_only_the_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
