/* SPDX-License-Identifier: MIT
 * Merge, forget, clone, reset: what they do, and that a refusal does nothing. */
#include "unit/test_core_support.h"

#include "learner/learner.h"

static weft_side *none(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_player *learner_over(const weft_side *side, weft_form form, weft_engine engine)
{
    weft_player *learner = NULL;
    weft_settings settings = {.form = form,
                              .engine = engine,
                              .eta = 0.25,
                              .gamma = 0.5,
                              .dimension = 8,
                              .tolerance = 1e-6,
                              .seed = 2};
    assert_int_equal(
        weft_learner_create(side, form == WEFT_ONE_SET ? NULL : side, &settings, NULL, &learner, NULL),
        WEFT_OK);
    return learner;
}

static void teach(weft_player *learner, int64_t ids, int64_t trials)
{
    for (int64_t t = 0; t < trials; t++)
        assert_int_equal(
            weft_player_learn(learner, (t * 5 + t / 7) % ids, (t * 3 + 1) % ids, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
}

static double margin(weft_player *learner, int64_t i, int64_t j)
{
    weft_answer p;
    assert_int_equal(weft_player_predict(learner, i, j, &p, NULL), WEFT_OK);
    return p.margin;
}

/* All margins of two learners, up to their tolerance. */
static void assert_same_margins(weft_player *a, weft_player *b, int64_t ids)
{
    for (int64_t i = 0; i < ids; i++)
        for (int64_t j = 0; j < ids; j++) {
            double m = margin(a, i, j);
            assert_near(m, margin(b, i, j), 1e-5 * fmax(1, fabs(m)));
        }
}

static void merged_logs_are_one_log(void **state)
{
    enum { IDS = 9 };
    weft_side *side = none(IDS);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_player *both = learner_over(side, (weft_form)form, WEFT_KRYLOV);
        weft_player *slow = learner_over(side, (weft_form)form, WEFT_REFERENCE);
        static const weft_evidence_entry first[] = {{0, 1, 3}, {2, 1, -2}, {4, 5, 1}};
        static const weft_evidence_entry second[] = {{2, 1, 2}, {7, 8, -1}, {0, 1, 1}, {3, 3, 2}};
        assert_int_equal(weft_player_add_evidence(both, first, 3, NULL), WEFT_OK);
        assert_int_equal(weft_player_add_evidence(both, second, 4, NULL), WEFT_OK);
        assert_int_equal(weft_player_evidence_count(both), form == WEFT_ONE_SET ? 4 : 5);
        assert_int_equal(weft_player_evidence(both, 0).count, 4);
        assert_int_equal(weft_player_evidence(both, 1).count, 0);
        assert_int_equal(weft_player_counters(both).t, 0);
        assert_int_equal(weft_player_add_evidence(slow, second, 4, NULL), WEFT_OK);
        assert_int_equal(weft_player_add_evidence(slow, first, 3, NULL), WEFT_OK);
        assert_same_margins(both, slow, IDS);
        weft_player_free(both);
        weft_player_free(slow);
    }
    weft_side_free(side);
}

static void wrong_merges_change_nothing(void **state)
{
    weft_error error = {0};
    weft_side *side = none(6);
    weft_player *learner = learner_over(side, WEFT_PAPER, WEFT_KRYLOV), *copy = NULL;
    teach(learner, 6, 20);
    assert_int_equal(weft_player_clone(learner, &copy, NULL), WEFT_OK);
    weft_evidence_entry unknown[] = {{0, 1, 3}, {6, 0, 1}}, column = {0, -1, 1};
    weft_evidence_entry large = {1, 1, (INT64_C(1) << 53) + 1}, least = {1, 1, INT64_MIN};
    weft_evidence_entry sum[] = {{1, 1, INT64_C(1) << 53}, {1, 1, INT64_C(1) << 52}};
    assert_fails(weft_player_add_evidence(learner, unknown, 2, &error), WEFT_UNKNOWN_ID, "row 6");
    assert_fails(weft_player_add_evidence(learner, &column, 1, &error), WEFT_UNKNOWN_ID, "column -1");
    assert_fails(weft_player_add_evidence(learner, &large, 1, &error), WEFT_ARGUMENT, "2^53");
    assert_fails(weft_player_add_evidence(learner, &least, 1, &error), WEFT_ARGUMENT, "2^53");
    assert_fails(weft_player_add_evidence(learner, sum, 2, &error), WEFT_ARGUMENT, "row 1, column 1");
    assert_int_equal(error.at[0], 1);
    assert_same_state(learner, copy);
    assert_int_equal(weft_player_add_evidence(learner, NULL, 0, NULL), WEFT_OK);
    weft_player_free(learner);
    weft_player_free(copy);
    weft_side_free(side);
}

static bool carries(const weft_player *learner, int64_t row, int64_t column)
{
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry e = weft_player_evidence(learner, k);
        if (e.row == row || e.column == column)
            return true;
    }
    return false;
}

static void forgotten_ids_leave_no_trace(void **state)
{
    enum { IDS = 7 };
    weft_error error = {0};
    weft_side *side = none(IDS);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int engine = WEFT_KRYLOV; engine <= WEFT_REFERENCE; engine++) {
            weft_player *learner = learner_over(side, (weft_form)form, (weft_engine)engine);
            teach(learner, IDS, 30);
            int64_t updates = weft_player_counters(learner).updates;
            assert_true(carries(learner, 3, -1) && carries(learner, -1, 2));
            assert_int_equal(weft_player_forget(learner, WEFT_ROWS, 3, NULL), WEFT_OK);
            assert_int_equal(weft_player_forget(learner, WEFT_COLUMNS, 2, NULL), WEFT_OK);
            assert_false(carries(learner, 3, 2));
            if (form == WEFT_ONE_SET)
                assert_false(carries(learner, 2, 3));
            assert_true(weft_player_evidence_count(learner) > 0);
            assert_int_equal(weft_player_counters(learner).updates, updates);
            /* As if the rest had been told to a fresh one. */
            weft_player *fresh = learner_over(side, (weft_form)form, WEFT_KRYLOV);
            for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
                weft_evidence_entry e = weft_player_evidence(learner, k);
                assert_int_equal(weft_player_add_evidence(fresh, &e, 1, NULL), WEFT_OK);
            }
            assert_same_margins(learner, fresh, IDS);
            assert_fails(weft_player_forget(learner, WEFT_ROWS, IDS, &error), WEFT_UNKNOWN_ID, "row 7");
            assert_fails(weft_player_forget(learner, WEFT_COLUMNS, -1, &error), WEFT_UNKNOWN_ID, "column -1");
            weft_player_free(fresh);
            weft_player_free(learner);
        }
    weft_side_free(side);
}

static void everything_may_be_forgotten(void **state)
{
    weft_side *side = none(3);
    weft_player *learner = learner_over(side, WEFT_PAPER, WEFT_KRYLOV);
    weft_player *fresh = learner_over(side, WEFT_PAPER, WEFT_KRYLOV);
    teach(learner, 3, 12);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(weft_player_forget(learner, WEFT_ROWS, i, NULL), WEFT_OK);
    assert_int_equal(weft_player_evidence_count(learner), 0);
    assert_true(weft_learner_spectral_bound(learner) == 0);
    assert_same_margins(learner, fresh, 3);
    assert_int_equal(weft_player_reset(learner, NULL), WEFT_OK);
    assert_same_state(learner, fresh);
    weft_player_free(learner);
    weft_player_free(fresh);
    weft_side_free(side);
}

/* 70 x 70 ids: more than the small block, so that the mode of the store is part
 * of the history, in both directions. */
static void clones_keep_the_mode_of_the_store(void **state)
{
    enum { IDS = 70 };
    weft_side *side = none(IDS);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_player *learner = learner_over(side, (weft_form)form, WEFT_KRYLOV);
        for (int64_t t = 0; t < 600; t++) {
            weft_player *copy = NULL;
            assert_int_equal(
                weft_player_learn(learner, t * 11 % IDS, t * t % IDS, t % 2 ? 1 : -1, NULL, NULL), WEFT_OK);
            if (t % 50 != 49)
                continue;
            assert_int_equal(weft_player_clone(learner, &copy, NULL), WEFT_OK);
            assert_true(weft__learner_in(copy)->space->evidence.dense ==
                        weft__learner_in(learner)->space->evidence.dense);
            assert_same_state(learner, copy);
            assert_int_equal(weft_player_learn(copy, 1, 2, 1, NULL, NULL), WEFT_OK);
            weft_player *old = learner;
            assert_int_equal(weft_player_learn(old, 1, 2, 1, NULL, NULL), WEFT_OK);
            assert_same_state(old, copy);
            weft_player_free(copy);
        }
        weft_player_free(learner);
    }
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_logs_are_one_log),           cmocka_unit_test(wrong_merges_change_nothing),
        cmocka_unit_test(forgotten_ids_leave_no_trace),      cmocka_unit_test(everything_may_be_forgotten),
        cmocka_unit_test(clones_keep_the_mode_of_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
