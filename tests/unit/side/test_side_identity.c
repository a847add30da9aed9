/* SPDX-License-Identifier: MIT
 * An identity added to every kind of side information. */
#include "support/test.h"

#include "side/side.h"
#include "support/known.h"
#include "support/side_checks.h"

static weft_side *wrapped(const weft_side *side, double weight)
{
    weft_side *made = NULL;
    weft_error error = {0};
    if (weft_side_with_identity(side, weight, NULL, &made, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return made;
}

/* K + weight I as the other side tells K; free() it. */
static double *explicitly(const weft_side *side, double weight)
{
    double *kernel = side_kernel(side);
    for (int64_t i = 0, n = weft_side_count(side); i < n; i++)
        kernel[i * n + i] += weight;
    return kernel;
}

/* To the bit but where K is never formed: two ways to an entry agree up to rounding there. */
static void assert_with_identity(const weft_side *made, const weft_side *side, double weight)
{
    double *expected = explicitly(side, weight);
    assert_int_equal(weft_side_count(made), weft_side_count(side));
    assert_kernel(made, expected, 0);
    free(expected);
}

static void assert_described(const weft_side *made, const weft_side *side, double weight)
{
    assert_string_equal(weft_side_kind(made), "identity");
    assert_true(weft_side_radius(made) == weft_side_radius(side) + weight);
    assert_int_equal(made->ops->product != NULL, side->ops->product != NULL);
    assert_int_equal(made->ops->item != NULL, side->ops->item != NULL);
    for (int64_t i = 0; i < weft_side_count(side) && side->ops->item != NULL; i++) {
        weft_item own = {0}, theirs = {0};
        made->ops->item(made, i, &own);
        side->ops->item(side, i, &theirs);
        assert_int_equal(own.alone, theirs.alone);
        assert_int_equal(own.class_of, theirs.class_of);
        assert_ptr_equal(own.values, theirs.values);
    }
}

/* Also the ids that come later, alone or not. */
static void every_kind(void **state)
{
    dice d = {5};
    for (int round = 0; round < 200; round++) {
        known what;
        weft_side *side = NULL;
        int64_t count = 4 + dice_below(&d, 12);
        known_draw(&d, (known_kind)(round % KNOWN_KINDS), count, count - dice_below(&d, 3), &what);
        assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
        double weight = dice_chance(&d, 0.5) ? weft_side_radius(side) : dice_log_between(&d, 1e-3, 1e3);
        weft_side *made = wrapped(side, weight);
        assert_described(made, side, weight);
        assert_with_identity(made, side, weight);
        while (weft_side_count(side) < count) {
            weft_error error = {0};
            assert_int_equal(weft_side_append(made, NULL, &error), WEFT_ARGUMENT);
            assert_failure(&error, WEFT_ARGUMENT, -1, -1, "is to be appended to the side information first");
            assert_int_equal(known_append(&what, side, NULL), WEFT_OK);
            assert_int_equal(weft_side_append(made, NULL, NULL), WEFT_OK);
        }
        assert_with_identity(made, side, weight);
        assert_described(made, side, weight);
        weft_side_free(made);
        weft_side_free(side);
        known_release(&what);
    }
}

static void large_graphs(void **state)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 0}, to[] = {1, 2, 3, 4, 5, 3};
    for (int kernel = WEFT_PDLAPLACIAN; kernel <= WEFT_DIFFUSION; kernel++)
        for (int unit = 0; unit < 2; unit++) {
            weft_graph graph = {.vertices = 6, .edges = 6, .from = from, .to = to, .parameter = 2};
            graph.kernel = (weft_graph_kernel)kernel;
            graph.unit = unit;
            const weft_side_options sparse = {.graph_path = WEFT_GRAPH_SPARSE};
            weft_side *side = NULL;
            assert_int_equal(weft_side_from_graph(&graph, &sparse, &side, NULL), WEFT_OK);
            weft_side *made = wrapped(side, 0.75);
            assert_true(made->blur > 0 && made->constant == side->constant);
            assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
            assert_int_equal(weft_side_append(made, NULL, NULL), WEFT_OK);
            assert_true(weft_side_entry(made, 6, 6) == weft_side_radius(made));
            assert_with_identity(made, side, 0.75);
            weft_side_free(made);
            weft_side_free(side);
        }
}

/* ---- Learners ---- */

static weft_player *learner_over(const weft_side *side, weft_form form, double radius)
{
    weft_player *learner = NULL;
    int64_t n = weft_side_count(side);
    bool one_set = form == WEFT_ONE_SET;
    weft_settings settings = weft_settings_default(n, one_set ? 0 : n, 100);
    settings.form = form;
    settings.eta = 0.7;
    settings.tolerance = 1e-3;
    assert_true(weft_side_radius(side) == radius);
    assert_int_equal(weft_learner_create(side, one_set ? NULL : side, &settings, NULL, &learner, NULL),
                     WEFT_OK);
    return learner;
}

/* The same trials over both: every decision is the same, and every margin but for its tolerance. */
static void assert_same_play(dice *d, const weft_side *a, const weft_side *b, weft_form form)
{
    weft_player *own = learner_over(a, form, weft_side_radius(a));
    weft_player *other = learner_over(b, form, weft_side_radius(a));
    for (int t = 0; t < 60; t++) {
        weft_answer x, y;
        int64_t row = dice_below(d, weft_side_count(a)), column = dice_below(d, weft_side_count(a));
        int label = dice_chance(d, 0.4) ? 1 : -1;
        assert_int_equal(weft_player_learn(own, row, column, label, &x, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(other, row, column, label, &y, NULL), WEFT_OK);
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.updated, y.updated);
        assert_true(x.lower <= y.upper && y.lower <= x.upper);
    }
    assert_true(weft_player_counters(own).updates > 5);
    weft_player_free(own);
    weft_player_free(other);
}

/* Kinds whose constant part one set of ids does without are another kernel there. */
static void learners_decide_as_over_an_explicit_kernel(void **state)
{
    dice d = {11};
    for (int round = 0; round < 60; round++) {
        known what;
        weft_side *side = NULL, *dense = NULL;
        known_draw(&d, (known_kind)(round % KNOWN_KINDS), 9, 8, &what);
        assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
        assert_int_equal(known_append(&what, side, NULL), WEFT_OK);
        double weight = weft_side_radius(side);
        weft_side *made = wrapped(side, weight);
        double *kernel = explicitly(side, weight);
        weft_side_options options = {.radius = 2 * weight};
        assert_int_equal(weft_side_from_kernel(9, kernel, &options, &dense, NULL), WEFT_OK);
        for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
            if (form != WEFT_ONE_SET || what.constant == 0)
                assert_same_play(&d, made, dense, (weft_form)form);
        free(kernel);
        weft_side_free(made);
        weft_side_free(dense);
        weft_side_free(side);
        known_release(&what);
    }
}

/* ---- Refusals ---- */

static double lopsided(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j ? 1 : i == 7 && j == 3 ? 0.5 : 0;
}

/* What is only checked when an id is learnt is checked behind an identity too. */
static void a_callback_is_still_checked(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    int64_t ids[] = {1, 2, 3};
    assert_int_equal(weft_side_from_callback(9, lopsided, NULL, NULL, &side, NULL), WEFT_OK);
    weft_side *made = wrapped(side, 1), *twice = wrapped(made, 1);
    assert_int_equal(weft__side_check_column(twice, 7, ids, 2, &error), WEFT_OK);
    assert_int_equal(weft__side_check_column(twice, 7, ids, 3, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 7, 3, "expected a symmetric kernel");
    assert_true(weft_side_entry(twice, 4, 4) == 3);
    weft_side_free(twice);
    weft_side_free(made);
    weft_side_free(side);
}

static void assert_refused(const weft_side *side, double weight, const weft_side_options *options,
                           weft_status status, const char *words)
{
    weft_error error = {.at = {-1, -1}};
    weft_side mark, *made = &mark;
    assert_int_equal(weft_side_with_identity(side, weight, options, &made, &error), status);
    assert_ptr_equal(made, &mark);
    assert_int_equal(error.status, status);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

static void refusals(void **state)
{
    weft_side *side = NULL, *endless = NULL;
    const weft_map map = {.hash = 8};
    const weft_side_options hashed = {.map = &map, .endless = true};
    assert_int_equal(weft_side_none(4, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(0, &hashed, &endless, NULL), WEFT_OK);
    const double weights[] = {0, -1, NAN, INFINITY};
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++)
        assert_refused(side, weights[k], NULL, WEFT_ARGUMENT, "expected a positive number");
    assert_refused(endless, 1, NULL, WEFT_ARGUMENT, "endless");
    assert_refused(side, 1.01e307, NULL, WEFT_INPUT, "the squared radius is");
    const weft_side_options options[] = {
        {.radius = 3}, {.inductive = true}, {.map = &map}, {.endless = true}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        assert_refused(side, 1, &options[k], WEFT_ARGUMENT, "expected options without them");
    assert_refused(side, 1, &(weft_side_options){.budget = -1}, WEFT_ARGUMENT, "the budget is");
    weft_side_free(endless);
    weft_side_free(side);
}

static weft_side *under;

static weft_status make(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft_side_with_identity(under, 1, options, side, error);
}

static void survives_a_lack_of_memory(void **state)
{
    assert_int_equal(weft_side_from_classes(3, (int64_t[]){1, 2, 1}, 0.1, NULL, &under, NULL), WEFT_OK);
    assert_maker_survives(make, 1);
    weft_side_free(under);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(large_graphs),
        cmocka_unit_test(learners_decide_as_over_an_explicit_kernel),
        cmocka_unit_test(a_callback_is_still_checked),
        cmocka_unit_test(refusals),
        cmocka_unit_test(survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
