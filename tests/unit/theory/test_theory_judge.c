/* SPDX-License-Identifier: MIT
 * From truth to settings to a bound: every condition of the statements, one at
 * a time. */

#include "support/test.h"

#include "weft_theory.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static const int64_t row_class[] = {0, 0, 1, 1, 2, 2};
static const int64_t column_class[] = {0, 0, 0, 1, 1, 1, 1, 1};

/* Six rows in three classes with their partition kernel, eight columns with
 * nothing known: D = 1.5 * 3 * 2/2.5 + 8. */
typedef struct stage {
    weft_side *rows, *columns;
    weft_settings settings;
    weft_truth truth;
} stage;

static void set_stage(stage *s)
{
    *s = (stage){.truth = {.row_class = row_class, .column_class = column_class}};
    assert_int_equal(weft_side_from_classes(6, row_class, 0.5, NULL, &s->rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(8, NULL, &s->columns, NULL), WEFT_OK);
}

static void clear_stage(stage *s)
{
    weft_side_free(s->rows);
    weft_side_free(s->columns);
}

static weft_measure measure(const stage *s)
{
    weft_measure measured;
    const weft_side *columns = s->settings.form == WEFT_ONE_SET ? NULL : s->columns;
    weft_status status = weft_theory_measure(s->rows, columns, &s->truth, &s->settings, &measured, NULL);
    assert_int_equal(status, WEFT_OK);
    return measured;
}

static const double stage_dimension = 1.5 * 3 * 0.8 + 8;

static void two_sides_are_measured(void **state)
{
    stage s;
    set_stage(&s);
    weft_measure m = measure(&s);
    assert_int_equal(m.size, 14);
    assert_int_equal(m.row_classes, 3);
    assert_int_equal(m.column_classes, 2);
    assert_near(m.row_term, 3.6);
    assert_near(m.column_term, 8);
    assert_near(m.dimension, stage_dimension);
    assert_near(m.gamma, 1 / sqrt(2));
    /* Room for more columns: they count, and so does log(m+n). */
    s.settings.columns = 100;
    m = measure(&s);
    assert_int_equal(m.size, 106);
    assert_near(m.column_term, 100);
    clear_stage(&s);
}

static void less_truth_says_less(void **state)
{
    stage s;
    set_stage(&s);
    /* Columns with nothing known need no classes. */
    s.truth.column_class = NULL;
    weft_measure m = measure(&s);
    assert_near(m.gamma, 1 / sqrt(3));
    assert_near(m.dimension, stage_dimension);
    assert_int_equal(m.column_classes, 0);
    /* Numbers only: a margin, but no dimension for the rows. */
    s.truth = (weft_truth){.row_classes = 9, .column_classes = 4};
    m = measure(&s);
    assert_near(m.gamma, 0.5);
    assert_true(isinf(m.dimension));
    /* Nothing. */
    s.truth = (weft_truth){0};
    m = measure(&s);
    assert_true(m.gamma == 0 && isinf(m.dimension));
    weft_status status = weft_theory_measure(s.rows, s.columns, NULL, &s.settings, &m, NULL);
    assert_int_equal(status, WEFT_OK);
    assert_true(m.gamma == 0);
    clear_stage(&s);
}

static void communities_are_measured(void **state)
{
    stage s;
    set_stage(&s);
    weft_side *same = NULL;
    weft_measure m;
    assert_int_equal(weft_side_from_classes(6, row_class, 0.5, NULL, &same, NULL), WEFT_OK);
    weft_truth truth = {.row_class = row_class, .column_class = row_class, .communities = true};
    assert_int_equal(weft_theory_measure(s.rows, same, &truth, &s.settings, &m, NULL), WEFT_OK);
    assert_near(m.gamma, 0.6);
    assert_near(m.dimension, 7.2);
    /* One set of ids: 4 R tr(R'MR), margin 1. */
    s.settings.form = WEFT_ONE_SET;
    m = measure(&s);
    assert_int_equal(m.size, 6);
    assert_near(m.gamma, 1);
    assert_near(m.dimension, 4 * 3.6);
    weft_side_free(same);
    clear_stage(&s);
}

static void one_set_with_nothing_known(void **state)
{
    weft_side *side = NULL;
    weft_measure m;
    weft_settings settings = {.form = WEFT_ONE_SET, .rows = 10};
    weft_truth truth = {.row_classes = 3};
    assert_int_equal(weft_side_none(5, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_measure(side, NULL, &truth, &settings, &m, NULL), WEFT_OK);
    assert_near(m.dimension, 40);
    assert_near(m.gamma, 1);
    assert_int_equal(m.size, 10);
    weft_side_free(side);
    /* No id has come yet. */
    assert_int_equal(weft_side_none(0, NULL, &side, NULL), WEFT_OK);
    truth = (weft_truth){.row_class = row_class};
    assert_int_equal(weft_theory_measure(side, NULL, &truth, &settings, &m, NULL), WEFT_OK);
    assert_true(m.gamma == 0 && m.size == 10);
    weft_side_free(side);
}

static void contradictions_are_refused(void **state)
{
    stage s;
    weft_measure m = {.size = 77};
    weft_error error;
    set_stage(&s);
    weft_truth wrong[] = {
        {.row_class = row_class, .column_class = column_class, .communities = true},
        {.row_classes = -1},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(weft_theory_measure(s.rows, s.columns, &wrong[k], &s.settings, &m, &error),
                         WEFT_ARGUMENT);
    weft_measure one_set = {0};
    assert_int_equal(weft_theory_measure(s.rows, NULL, NULL, &s.settings, &one_set, &error), WEFT_OK);
    assert_int_equal(one_set.form, WEFT_ONE_SET);
    s.settings.form = WEFT_ONE_SET;
    assert_int_equal(weft_theory_measure(s.rows, s.columns, NULL, &s.settings, &m, &error), WEFT_ARGUMENT);
    s.settings.form = WEFT_PAPER;
    weft_truth numbers = {.row_classes = 2, .column_classes = 3, .communities = true};
    assert_int_equal(weft_theory_measure(s.rows, s.rows, &numbers, &s.settings, &m, &error), WEFT_ARGUMENT);
    const int64_t other[] = {0, 0, 1, 2, 2, 2};
    weft_truth classes = {.row_class = row_class, .column_class = other, .communities = true};
    assert_int_equal(weft_theory_measure(s.rows, s.rows, &classes, &s.settings, &m, &error), WEFT_ARGUMENT);
    assert_int_equal(error.at[0], 3);
    const int64_t nobody[] = {-1, -1, -1, -1, -1, -1};
    weft_truth empty = {.row_class = nobody, .column_class = column_class};
    assert_int_equal(weft_theory_measure(s.rows, s.columns, &empty, &s.settings, &m, &error), WEFT_ARGUMENT);
    assert_int_equal(m.size, 77);
    clear_stage(&s);
}

static void tuning_fills_what_is_missing(void **state)
{
    stage s;
    weft_reasons reasons;
    set_stage(&s);
    weft_measure m = measure(&s);
    weft_settings settings = {0};
    weft_theory_tune(&m, 500, &settings, &reasons);
    assert_near(settings.gamma, 1 / sqrt(2));
    assert_near(settings.dimension, stage_dimension);
    assert_near(settings.eta, sqrt(stage_dimension * log(14) / 1000));
    assert_string_not_equal(reasons.eta, "given");
    /* What is given stays, and eta follows it. */
    weft_settings given = {.gamma = 0.25, .dimension = 30};
    weft_theory_tune(&m, 500, &given, &reasons);
    assert_near(given.gamma, 0.25);
    assert_near(given.eta, sqrt(30 * log(14) / 1000));
    assert_string_equal(reasons.gamma, "given");
    assert_string_equal(reasons.dimension, "given");
    weft_settings rate = {.eta = 2};
    weft_theory_tune(&m, 500, &rate, &reasons);
    assert_near(rate.eta, 2);
    assert_string_equal(reasons.eta, "given");
    weft_settings realizable = {.updates = WEFT_MISTAKE_UPDATES};
    weft_theory_tune(&m, 500, &realizable, NULL);
    assert_near(realizable.eta, 1 / sqrt(2));
    clear_stage(&s);
}

static void tuning_without_truth(void **state)
{
    stage s;
    set_stage(&s);
    s.truth = (weft_truth){0};
    weft_measure m = measure(&s);
    weft_settings settings = {0};
    weft_theory_tune(&m, 0, &settings, NULL);
    assert_near(settings.gamma, 1.0 / 3);
    assert_near(settings.dimension, 14);
    assert_near(settings.eta, sqrt(14 * log(14) / 2));
    /* k and l alone give gamma; D of the rows stays a guess. */
    s.truth = (weft_truth){.row_classes = 4, .column_classes = 4};
    m = measure(&s);
    settings = (weft_settings){0};
    weft_theory_tune(&m, 100, &settings, NULL);
    assert_near(settings.gamma, 0.5);
    assert_near(settings.dimension, 14);
    clear_stage(&s);
}

/* A measured problem with D = 20, gamma = 1/2 and size 100. */
static const weft_measure ideal = {
    .form = WEFT_PAPER, .size = 100, .row_classes = 4, .column_classes = 4, .gamma = 0.5, .dimension = 20};

static weft_settings tuned(weft_updates updates, int64_t horizon)
{
    weft_settings settings = {.updates = updates};
    weft_theory_tune(&ideal, horizon, &settings, NULL);
    return settings;
}

static void regret_is_judged(void **state)
{
    weft_settings settings = tuned(WEFT_MARGIN_UPDATES, 1000000);
    weft_course course = {.horizon = 1000000, .trials = 1000000, .errors = 1000};
    weft_scale scale = {20, 0.5, 100, 1000000};
    weft_bound bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_REGRET);
    assert_near(bound.value, 1000 + weft_theory_regret_sharp(scale));
    assert_false(bound.vacuous || bound.coin);
    assert_non_null(strstr(bound.statement, "thm:base_bef_alg"));
    /* A short run: the plain form, and it says nothing. */
    settings = tuned(WEFT_MARGIN_UPDATES, 150);
    course = (weft_course){.horizon = 150, .trials = 150};
    scale.horizon = 150;
    bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_REGRET);
    assert_near(bound.value, weft_theory_regret(scale));
    assert_true(bound.vacuous && bound.coin);
}

static void deterministic_predictions_are_judged(void **state)
{
    weft_settings settings = tuned(WEFT_MARGIN_UPDATES, 1000000);
    weft_course course = {.horizon = 1000000, .trials = 1000000, .errors = 7};
    weft_scale scale = {20, 0.5, 100, 1000000};
    settings.deterministic = true;
    weft_bound bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_HINGE);
    assert_near(bound.value, weft_theory_hinge(scale, 7));
    settings = tuned(WEFT_MARGIN_UPDATES, 150);
    settings.deterministic = true;
    course = (weft_course){.horizon = 150, .trials = 150};
    assert_int_equal(weft_theory_judge(&ideal, &settings, &course).kind, WEFT_NO_BOUND);
}

static void realizable_runs_are_judged(void **state)
{
    weft_settings settings = tuned(WEFT_MISTAKE_UPDATES, 0);
    weft_course course = {.trials = 5000};
    weft_scale scale = {20, 0.5, 100, 0};
    weft_bound bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_REALIZABLE);
    assert_near(bound.value, 3.6 * 4 * 20 * log(100));
    assert_false(bound.vacuous || bound.coin);
    /* 1326.3: at 2000 trials worse than a coin, at 1326 it says nothing. */
    course.trials = 2000;
    bound = weft_theory_judge(&ideal, &settings, &course);
    assert_true(bound.coin && !bound.vacuous);
    course.trials = 1326;
    assert_true(weft_theory_judge(&ideal, &settings, &course).vacuous);
    /* D too large: the theorem with that D; too small: the lemma. */
    settings.dimension = scale.dimension = 50;
    bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_REALIZABLE);
    assert_near(bound.value, weft_theory_realizable(scale));
    settings.dimension = scale.dimension = 5;
    bound = weft_theory_judge(&ideal, &settings, &course);
    assert_int_equal(bound.kind, WEFT_ESTIMATE);
    assert_near(bound.value, weft_theory_estimate(scale, 20));
}

/* Each condition broken alone leaves no bound, with a reason of its own. */
static void broken_conditions_leave_no_bound(void **state)
{
    const weft_course course = {.horizon = 1000000, .trials = 1000000, .errors = 5};
    enum { CASES = 10 };
    const char *reasons[CASES];
    for (int broken = 0; broken < CASES; broken++) {
        weft_measure m = ideal;
        weft_settings settings = tuned(broken < 8 ? WEFT_MARGIN_UPDATES : WEFT_MISTAKE_UPDATES, 1000000);
        weft_course c = course;
        switch (broken) {
        case 0:
            settings.form = m.form = WEFT_BALANCED;
            break;
        case 1:
            c.disturbed = true;
            break;
        case 2:
            m.gamma = 0;
            break;
        case 3:
            m.dimension = INFINITY;
            break;
        case 4:
            c.errors = -1;
            break;
        case 5:
            m.gamma = 0.4;
            break;
        case 6:
            settings.eta *= 1.01;
            break;
        case 7:
            c.trials++;
            break;
        case 8:
            break;
        case 9:
            c.errors = 0;
            settings.eta = 0.3;
            break;
        default:
            fail();
        }
        weft_bound bound = weft_theory_judge(&m, &settings, &c);
        assert_int_equal(bound.kind, WEFT_NO_BOUND);
        assert_false(bound.vacuous || bound.coin);
        reasons[broken] = bound.statement;
        for (int earlier = 0; earlier < broken; earlier++)
            assert_string_not_equal(reasons[earlier], reasons[broken]);
    }
    weft_settings low = {.dimension = 19};
    weft_theory_tune(&ideal, 1000000, &low, NULL);
    assert_int_equal(weft_theory_judge(&ideal, &low, &course).kind, WEFT_NO_BOUND);
}

static void one_set_is_judged(void **state)
{
    weft_measure m = {.form = WEFT_ONE_SET, .size = 60, .gamma = 1, .dimension = 20};
    weft_settings settings = {.form = WEFT_ONE_SET, .updates = WEFT_MISTAKE_UPDATES};
    weft_course course = {.horizon = 100000, .trials = 100000};
    weft_theory_tune(&m, 100000, &settings, NULL);
    assert_near(settings.eta, 1);
    assert_near(weft_theory_judge(&m, &settings, &course).value, 3.6 * 20 * log(60));
    settings = (weft_settings){.form = WEFT_ONE_SET, .gamma = 0.5};
    weft_theory_tune(&m, 100000, &settings, NULL);
    assert_int_equal(weft_theory_judge(&m, &settings, &course).kind, WEFT_REGRET);
    course.errors = 1;
    assert_int_equal(weft_theory_judge(&m, &settings, &course).kind, WEFT_NO_BOUND);
    settings = (weft_settings){.form = WEFT_ONE_SET};
    weft_theory_tune(&m, 100000, &settings, NULL);
    assert_int_equal(weft_theory_judge(&m, &settings, &course).kind, WEFT_REGRET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sides_are_measured),
        cmocka_unit_test(less_truth_says_less),
        cmocka_unit_test(communities_are_measured),
        cmocka_unit_test(one_set_with_nothing_known),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(tuning_fills_what_is_missing),
        cmocka_unit_test(tuning_without_truth),
        cmocka_unit_test(regret_is_judged),
        cmocka_unit_test(deterministic_predictions_are_judged),
        cmocka_unit_test(realizable_runs_are_judged),
        cmocka_unit_test(broken_conditions_leave_no_bound),
        cmocka_unit_test(one_set_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
