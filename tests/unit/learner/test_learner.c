/* SPDX-License-Identifier: MIT
 * Making and asking a learner: every setting that is wrong is named. */
#include "unit/test_core_support.h"

#include "learner/learner.h"
#include "support/alloc.h"

static weft_side *none(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_settings usual(void)
{
    return (weft_settings){.eta = 0.5, .gamma = 0.5, .dimension = 4, .tolerance = 0.02, .seed = 1};
}

static void the_defaults_are_those_of_the_theory(void **state)
{
    weft_settings s = weft_settings_default(30, 20, 1000);
    assert_int_equal(s.form, WEFT_PAPER);
    assert_int_equal(s.updates, WEFT_MARGIN_UPDATES);
    assert_int_equal(s.engine, WEFT_KRYLOV);
    assert_near(s.eta, sqrt(50 * log(50) / 2000), 1e-15);
    assert_near(s.gamma, 1.0 / 3, 0);
    assert_near(s.dimension, 50, 0);
    assert_int_equal(s.rows, 30);
    assert_int_equal(s.columns, 20);
    assert_near(s.tolerance, 0.02, 0);
    assert_int_equal(s.seed, 1);
    assert_false(s.deterministic);
    s = weft_settings_default(30, 0, 0);
    assert_int_equal(s.form, WEFT_ONE_SET);
    assert_near(s.eta, sqrt(30 * log(30) / 2), 1e-15);
}

/* Refused with these words, nothing made, nothing leaked. */
static void refused(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                    weft_status status, const char *words)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    assert_fails(weft_learner_create(rows, columns, settings, &memory, &learner, &error), status, words);
    assert_int_equal(weft_learner_create(rows, columns, settings, &memory, &learner, NULL), status);
    assert_null(learner);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void wrong_choices_are_named(void **state)
{
    weft_side *side = none(4);
    weft_settings s = usual();
    s.form = (weft_form)3;
    refused(side, side, &s, WEFT_ARGUMENT, "form is 3");
    s = usual();
    s.updates = (weft_updates)2;
    refused(side, side, &s, WEFT_ARGUMENT, "updates is 2");
    s = usual();
    s.engine = (weft_engine)7;
    refused(side, side, &s, WEFT_ARGUMENT, "engine is 7");
    s = usual();
    s.precision = (weft_precision)5;
    refused(side, side, &s, WEFT_ARGUMENT, "precision is 5");
    weft_side_free(side);
}

static void wrong_numbers_are_named(void **state)
{
    weft_side *side = none(4);
    weft_settings s = usual();
    const struct {
        double *field;
        double value;
        const char *words;
    } cases[] = {
        {&s.eta, 0, "eta is 0"},
        {&s.eta, -1, "eta is -1"},
        {&s.eta, NAN, "eta is"},
        {&s.eta, INFINITY, "eta is inf"},
        {&s.gamma, 0, "gamma is 0"},
        {&s.gamma, 1.5, "gamma is 1.5"},
        {&s.gamma, NAN, "gamma is"},
        {&s.dimension, 0.5, "dimension is 0.5"},
        {&s.dimension, NAN, "dimension is"},
        {&s.dimension, INFINITY, "dimension is inf"},
        {&s.tolerance, -0.1, "tolerance is -0.1"},
        {&s.tolerance, NAN, "tolerance is"},
        {&s.tolerance, INFINITY, "tolerance is inf"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double right = *cases[k].field;
        *cases[k].field = cases[k].value;
        refused(side, side, &s, WEFT_ARGUMENT, cases[k].words);
        *cases[k].field = right;
    }
    weft_side_free(side);
}

static void wrong_sides_are_named(void **state)
{
    weft_side *side = none(4), *one = none(1);
    weft_settings s = usual();
    refused(NULL, side, &s, WEFT_ARGUMENT, "rows is NULL");
    weft_player *one_set = NULL;
    assert_int_equal(weft_learner_create(side, NULL, &s, NULL, &one_set, NULL), WEFT_OK);
    assert_int_equal(weft_learner_settings(one_set).form, WEFT_ONE_SET);
    weft_player_free(one_set);
    refused(one, one, &s, WEFT_ARGUMENT, "rows + columns is 2");
    s.rows = 3;
    refused(side, side, &s, WEFT_CAPACITY, "rows is 3");
    s.rows = 0;
    s.columns = 2;
    refused(side, side, &s, WEFT_CAPACITY, "columns is 2");
    s.rows = s.columns = INT64_MAX;
    refused(side, side, &s, WEFT_ARGUMENT, "does not fit");
    s = usual();
    s.rows = -4;
    refused(side, side, &s, WEFT_CAPACITY, "rows is -4");
    s = usual();
    s.form = WEFT_ONE_SET;
    refused(side, side, &s, WEFT_ARGUMENT, "one set of ids takes no");
    refused(one, NULL, &s, WEFT_ARGUMENT, "rows is 1");
    weft_side_free(side);
    weft_side_free(one);
}

static void capacities_are_filled_in(void **state)
{
    weft_side *rows = none(4), *columns = none(7);
    weft_player *learner = NULL;
    weft_settings s = usual();
    assert_int_equal(weft_learner_create(rows, columns, &s, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_learner_settings(learner).rows, 4);
    assert_int_equal(weft_learner_settings(learner).columns, 7);
    weft_player_free(learner);
    s.rows = 10;
    s.columns = 20;
    assert_int_equal(weft_learner_create(rows, columns, &s, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_learner_settings(learner).columns, 20);
    /* q = kappa e'Ke = D / 30 for a new pair. */
    weft_answer p;
    assert_int_equal(weft_player_predict(learner, 0, 0, &p, NULL), WEFT_OK);
    assert_near(p.margin, 4 / 30.0 - 1, 1e-12);
    weft_player_free(learner);
    s.form = WEFT_ONE_SET;
    assert_int_equal(weft_learner_create(rows, NULL, &s, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_learner_settings(learner).columns, 0);
    assert_int_equal(weft_learner_settings(learner).rows, 10);
    weft_player_free(learner);
    weft_player_free(NULL);
    weft_side_free(rows);
    weft_side_free(columns);
}

static void a_fresh_learner_has_nothing_to_tell(void **state)
{
    weft_side *side = none(4);
    weft_player *learner = NULL;
    weft_settings s = usual();
    assert_int_equal(weft_learner_create(side, side, &s, NULL, &learner, NULL), WEFT_OK);
    weft_counters c = weft_player_counters(learner);
    assert_true(c.t == 0 && c.trials == 0 && c.mistakes == 0 && c.updates == 0 && c.products == 0);
    assert_true(c.expected_mistakes == 0);
    assert_int_equal(weft_player_evidence_count(learner), 0);
    assert_true(weft_learner_spectral_bound(learner) == 0);
    assert_int_equal(weft_player_learn(learner, 2, 3, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_evidence_count(learner), 1);
    weft_evidence_entry entry = weft_player_evidence(learner, 0);
    assert_true(entry.row == 2 && entry.column == 3 && entry.count == 1);
    for (int64_t k = -1; k <= 1; k += 2) {
        entry = weft_player_evidence(learner, k);
        assert_true(entry.row == 0 && entry.column == 0 && entry.count == 0);
    }
    weft_player_free(learner);
    weft_side_free(side);
}

static void wrong_ids_are_named(void **state)
{
    weft_error error = {0};
    weft_side *rows = none(4), *columns = none(5);
    weft_player *learner = NULL;
    weft_answer p = {.label = 77};
    weft_settings s = usual();
    s.rows = 5;
    assert_int_equal(weft_learner_create(rows, columns, &s, NULL, &learner, NULL), WEFT_OK);
    assert_fails(weft_player_predict(learner, 4, 0, &p, &error), WEFT_UNKNOWN_ID, "row 4");
    assert_int_equal(error.at[0], 4);
    assert_fails(weft_player_predict(learner, -1, 0, &p, &error), WEFT_UNKNOWN_ID, "row -1");
    assert_fails(weft_player_predict(learner, 0, 5, &p, &error), WEFT_UNKNOWN_ID, "column 5");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(weft_side_append(rows, NULL, NULL), WEFT_OK);
        assert_int_equal(weft_side_append(columns, NULL, NULL), WEFT_OK);
    }
    assert_fails(weft_player_learn(learner, 5, 0, 1, NULL, &error), WEFT_CAPACITY, "row 5 is beyond");
    assert_fails(weft_player_learn(learner, 4, 5, 1, NULL, &error), WEFT_CAPACITY, "column 5 is beyond");
    assert_int_equal(p.label, 77);
    assert_int_equal(weft_player_learn(learner, 4, 4, 1, NULL, NULL), WEFT_OK);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_theory),
        cmocka_unit_test(wrong_choices_are_named),
        cmocka_unit_test(wrong_numbers_are_named),
        cmocka_unit_test(wrong_sides_are_named),
        cmocka_unit_test(capacities_are_filled_in),
        cmocka_unit_test(a_fresh_learner_has_nothing_to_tell),
        cmocka_unit_test(wrong_ids_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
