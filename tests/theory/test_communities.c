/* SPDX-License-Identifier: MIT
 * Section 4.2: does the pair belong together?  In both forms, with ids known
 * beforehand and with ids that come as they please. */
#include "theory/play.h"

enum { IDS = 60, CLASSES = 4, TRIALS = 3000 };

/* Two sides over the same ids, U* = 2I - 11'; `columns` is left NULL and the
 * form set for one set. */
static void gather(play *p, dice *d, play_knowledge knowledge, weft_form form)
{
    *p = (play){.m = IDS, .n = IDS, .k = CLASSES, .l = CLASSES};
    play_draw_classes(d, IDS, CLASSES, p->row_class);
    for (int64_t r = 0; r < CLASSES; r++)
        for (int64_t c = 0; c < CLASSES; c++)
            p->block[r][c] = r == c ? 1 : -1;
    for (int64_t i = 0; i < IDS; i++)
        p->column_class[i] = p->row_class[i];
    p->truth = (weft_truth){.row_class = p->row_class, .column_class = p->column_class, .communities = true};
    p->rows = play_side(knowledge, IDS, CLASSES, p->row_class);
    if (form != WEFT_ONE_SET)
        p->columns = play_side(knowledge, IDS, CLASSES, p->row_class);
    p->settings.form = form;
    p->settings.updates = WEFT_MISTAKE_UPDATES;
}

static int64_t run(play *p, dice *d, int64_t trials)
{
    for (int64_t t = 0; t < trials; t++) {
        int64_t i = dice_below(d, IDS), j = dice_below(d, IDS);
        play_trial(p, i, j, play_label(p, i, j));
    }
    return weft_player_counters(p->learner).mistakes;
}

static weft_bound judge(const play *p, int64_t trials)
{
    weft_course course = {.horizon = trials, .trials = trials};
    return weft_theory_judge(&p->measure, &p->settings, &course);
}

/* gamma = 1, D = 4 R_L tr(R'LR), eta = 1: mistakes far below 3.6 D log n, and
 * that far below T. */
static void one_set_over_a_graph(void **state)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        dice d = {seed};
        play p;
        gather(&p, &d, PLAY_LAPLACIAN, WEFT_ONE_SET);
        play_start(&p, TRIALS);
        assert_true(p.settings.gamma == 1 && p.settings.eta == 1);
        /* Three edges between classes. */
        double top = weft_side_radius(p.rows) / 2;
        assert_true(fabs(p.settings.dimension - 4 * top * 6) < 1e-9 * p.settings.dimension);
        int64_t mistakes = run(&p, &d, TRIALS);
        weft_bound bound = judge(&p, TRIALS);
        assert_int_equal(bound.kind, WEFT_REALIZABLE);
        assert_true(fabs(bound.value - 3.6 * p.settings.dimension * log(IDS)) < 1e-9 * bound.value);
        assert_true((double)mistakes <= bound.value);
        assert_true(bound.value < TRIALS / 4.0);
        assert_true(mistakes < 100);
        play_end(&p);
    }
}

static void one_set_with_other_knowledge(void **state)
{
    for (int knowledge = PLAY_PARTITION; knowledge <= PLAY_NONE; knowledge++) {
        dice d = {5};
        play p;
        int64_t trials = knowledge == PLAY_NONE ? 10000 : TRIALS;
        gather(&p, &d, (play_knowledge)knowledge, WEFT_ONE_SET);
        play_start(&p, trials);
        int64_t mistakes = run(&p, &d, trials);
        weft_bound bound = judge(&p, trials);
        assert_int_equal(bound.kind, WEFT_REALIZABLE);
        assert_false(bound.coin);
        assert_true((double)mistakes <= bound.value);
        play_end(&p);
    }
}

/* Nothing changes but D when R is given larger than it need be. */
static void one_set_with_a_larger_radius(void **state)
{
    dice d = {6};
    play p;
    gather(&p, &d, PLAY_PARTITION, WEFT_ONE_SET);
    weft_side_options options = {.radius = 2.5 * weft_side_radius(p.rows)};
    weft_side_free(p.rows);
    assert_int_equal(weft_side_from_classes(IDS, p.row_class, 0.01, &options, &p.rows, NULL), WEFT_OK);
    play_start(&p, TRIALS);
    assert_true(p.settings.gamma == 1);
    /* 4 R sum_r s/(epsilon + s) */
    double dimension = 0;
    for (int64_t r = 0; r < CLASSES; r++) {
        double s = 0;
        for (int64_t i = 0; i < IDS; i++)
            s += p.row_class[i] == r;
        dimension += 4 * 2.5 * 1.01 * s / (0.01 + s);
    }
    assert_true(fabs(p.settings.dimension - dimension) < 1e-9 * dimension);
    int64_t mistakes = run(&p, &d, TRIALS);
    assert_true((double)mistakes <= judge(&p, TRIALS).value);
    play_end(&p);
}

static void two_sides(void **state)
{
    for (int knowledge = PLAY_LAPLACIAN; knowledge <= PLAY_PARTITION; knowledge++) {
        dice d = {7};
        play p;
        gather(&p, &d, (play_knowledge)knowledge, WEFT_PAPER);
        play_start(&p, 10000);
        assert_true(fabs(p.settings.gamma - 0.5) < 1e-15);
        int64_t mistakes = run(&p, &d, 10000);
        weft_bound bound = judge(&p, 10000);
        assert_int_equal(bound.kind, WEFT_REALIZABLE);
        assert_false(bound.coin);
        assert_true((double)mistakes <= bound.value);
        play_end(&p);
    }
}

/* ---- Ids as they come ---- */

/* Points of the plane around four far-apart centres, a class each. */
static void draw_points(dice *d, const int64_t *class_of, double *values)
{
    static const double centre[CLASSES][2] = {{-3, -3}, {-3, 3}, {3, -3}, {3, 3}};
    for (int64_t i = 0; i < IDS; i++)
        for (int c = 0; c < 2; c++)
            values[2 * i + c] = centre[class_of[i]][c] + dice_between(d, -0.3, 0.3);
}

/* What is known of an id when it comes: a point, or only its class. */
typedef struct arrivals {
    bool points;
    double values[2 * IDS];
    int64_t class_of[IDS];
} arrivals;

/* The side of the first `count` ids, with R for all that may come. */
static weft_side *admit(const arrivals *a, int64_t count)
{
    weft_features features = {count, 2, a->values, WEFT_MIN, 4};
    weft_side_options inductive = {.inductive = true};
    weft_side *side = NULL;
    weft_status status = a->points
                             ? weft_side_from_features(&features, &inductive, &side, NULL)
                             : weft_side_from_classes(count, a->class_of, 0.01, &inductive, &side, NULL);
    assert_int_equal(status, WEFT_OK);
    return side;
}

static void admit_next(const arrivals *a, weft_side *side)
{
    int64_t i = side == NULL ? 0 : weft_side_count(side);
    weft_item item = {.class_of = a->class_of[i], .values = a->values + 2 * i, .length = 2};
    if (side != NULL)
        assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
}

/* `whole` knows all ids, `coming` only the first, with the same settings. */
static void start_both(const arrivals *a, play *whole, play *coming)
{
    bool one = whole->settings.form == WEFT_ONE_SET;
    weft_side_free(whole->rows);
    weft_side_free(whole->columns);
    *coming = *whole;
    whole->rows = admit(a, IDS);
    whole->columns = one ? NULL : admit(a, IDS);
    play_start(whole, TRIALS);
    coming->settings = whole->settings;
    coming->settings.rows = IDS;
    coming->settings.columns = one ? 0 : IDS;
    coming->rows = admit(a, 1);
    coming->columns = one ? NULL : admit(a, 1);
    weft_status status =
        weft_learner_create(coming->rows, coming->columns, &coming->settings, NULL, &coming->learner, NULL);
    assert_int_equal(status, WEFT_OK);
}

/* A learner that meets ids one by one decides as one that knew them all, and
 * its mistakes obey the theorem for the R of all that may come. */
static weft_bound play_as_they_come(arrivals *a, weft_form form)
{
    dice d = {8};
    play whole, coming;
    gather(&whole, &d, PLAY_NONE, form);
    for (int64_t i = 0; i < IDS; i++)
        a->class_of[i] = whole.row_class[i];
    draw_points(&d, a->class_of, a->values);
    start_both(a, &whole, &coming);
    for (int64_t t = 0; t < TRIALS; t++) {
        if (t % 20 == 0 && weft_side_count(coming.rows) < IDS) {
            admit_next(a, coming.rows);
            admit_next(a, coming.columns);
        }
        int64_t count = weft_side_count(coming.rows), i = dice_below(&d, count), j = dice_below(&d, count);
        weft_answer x = play_trial(&whole, i, j, play_label(&whole, i, j));
        weft_answer y = play_trial(&coming, i, j, play_label(&whole, i, j));
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.updated, y.updated);
    }
    assert_int_equal(weft_side_count(coming.rows), IDS);
    int64_t mistakes = weft_player_counters(coming.learner).mistakes;
    weft_bound bound = judge(&whole, TRIALS);
    assert_int_equal(bound.kind, WEFT_REALIZABLE);
    assert_true(mistakes > 0 && (double)mistakes <= bound.value);
    play_end(&whole);
    play_end(&coming);
    return bound;
}

static void classes_as_they_come(void **state)
{
    arrivals a = {.points = false};
    assert_false(play_as_they_come(&a, WEFT_ONE_SET).coin);
    assert_false(play_as_they_come(&a, WEFT_PAPER).coin);
}

/* Here the bound of the theorem is a large one; that of the proposition on
 * boxes, which knows only how far apart they are, is larger. */
static void points_as_they_come(void **state)
{
    arrivals a = {.points = true};
    weft_side_term term;
    play_as_they_come(&a, WEFT_ONE_SET);
    play_as_they_come(&a, WEFT_PAPER);
    weft_side *side = admit(&a, IDS);
    assert_int_equal(weft_theory_side(side, a.class_of, &term, NULL), WEFT_OK);
    assert_true(weft_side_radius(side) == 16);
    assert_true(term.trace / 16 <= weft_theory_boxes(CLASSES, 2, 5.4));
    weft_side_free(side);
}

/* Margin updates with a tenth of the labels turned: D, eta and gamma = 1 of one
 * set in the regret bound, with log n. */
static void one_set_with_noise(void **state)
{
    enum { LONG = 20000 };
    dice d = {9};
    play p;
    weft_comparator *comparator = NULL;
    gather(&p, &d, PLAY_PARTITION, WEFT_ONE_SET);
    p.settings.updates = WEFT_MARGIN_UPDATES;
    play_start(&p, LONG);
    assert_int_equal(weft_comparator_create(CLASSES, CLASSES, NULL, &comparator, NULL), WEFT_OK);
    for (int64_t t = 0; t < LONG; t++) {
        int64_t i = dice_below(&d, IDS), j = (i + 1 + dice_below(&d, IDS - 1)) % IDS;
        int label = dice_chance(&d, 0.1) ? -play_label(&p, i, j) : play_label(&p, i, j);
        play_trial(&p, i, j, label);
        weft_comparator_add(comparator, p.row_class[i], p.row_class[j], label, NULL);
    }
    weft_course course = {
        .horizon = LONG, .trials = LONG, .errors = weft_comparator_errors(comparator, true)};
    weft_bound bound = weft_theory_judge(&p.measure, &p.settings, &course);
    assert_int_equal(bound.kind, WEFT_REGRET);
    assert_false(bound.vacuous || bound.coin);
    assert_true(course.errors > LONG / 20);
    assert_true(weft_player_counters(p.learner).expected_mistakes <= bound.value);
    weft_comparator_free(comparator);
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_set_over_a_graph),         cmocka_unit_test(one_set_with_other_knowledge),
        cmocka_unit_test(one_set_with_a_larger_radius), cmocka_unit_test(two_sides),
        cmocka_unit_test(one_set_with_noise),           cmocka_unit_test(classes_as_they_come),
        cmocka_unit_test(points_as_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
