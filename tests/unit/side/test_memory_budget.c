/* SPDX-License-Identifier: MIT
 * The Gram matrix of the ids learnt within its budget, and within what the allocator gives: where it
 * ends, that nothing is lost there, and that no result depends on it. */
#include "unit/test_core_support.h"

#include "side/learnt/working_set.h"
#include "support/dice.h"
#include "support/meter.h"

enum { IDS = 1400, NUMBERS = 3 };

static weft_side *make_points(int64_t count, int64_t budget, const weft_memory *memory)
{
    static double values[IDS * NUMBERS];
    dice d = {5};
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * NUMBERS; k++)
        values[k] = dice_normal(&d);
    weft_features points = {count, NUMBERS, values, WEFT_GAUSSIAN, 1};
    weft_side_options options = {.budget = budget, .memory = memory};
    assert_int_equal(weft_side_from_features(&points, &options, &side, NULL), WEFT_OK);
    return side;
}

static weft_side *make_none(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_settings settings_of(weft_precision precision, weft_form form)
{
    weft_settings settings = weft_settings_default(IDS, form == WEFT_ONE_SET ? 0 : 4, 100);
    settings.rows = settings.columns = 0;
    settings.form = form;
    settings.precision = precision;
    settings.gamma = 1;
    settings.dimension = 4;
    settings.tolerance = 0;
    return settings;
}

static weft_player *make_learner(weft_side *rows, weft_side *columns, weft_precision precision,
                                 const weft_memory *memory)
{
    weft_settings settings = settings_of(precision, columns == NULL ? WEFT_ONE_SET : WEFT_PAPER);
    weft_player *learner = NULL;
    weft_error error = {0};
    if (weft_learner_create(rows, columns, &settings, memory, &learner, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return learner;
}

/* With gamma = 1 a label -1 is always learnt: -margin = 1 - q < 1. */
static weft_status learn(weft_player *learner, int64_t row, weft_answer *outcome, weft_error *error)
{
    return weft_player_learn(learner, row, row % 4, -1, outcome, error);
}

/* 48 ids in both precisions are 27648 bytes: the 49th is one too many, and only where there are
 * 4 bytes more for every value. */
static void the_budget_ends_at_its_id(void **state)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        int64_t budget = (mixed ? 12 : 8) * 48 * 48;
        for (int64_t less = 0; less < 2; less++) {
            weft_side *rows = make_points(60, budget - less, NULL), *columns = make_none(4);
            weft_player *learner = make_learner(rows, columns, mixed ? WEFT_MIXED : WEFT_DOUBLE, NULL);
            weft_error error = {0};
            weft_answer outcome = {0};
            int64_t last = less == 0 ? 48 : 32;
            for (int64_t id = 0; id < last; id++) {
                assert_int_equal(learn(learner, id, &outcome, &error), WEFT_OK);
                assert_true(outcome.updated);
            }
            assert_fails(learn(learner, last, &outcome, &error), WEFT_MEMORY, "the budget of");
            assert_non_null(strstr(error.message, less == 0 ? "49 ids" : "33 ids"));
            assert_non_null(strstr(error.message, "ways out: more memory"));
            assert_int_equal(weft_player_counters(learner).trials, last);
            weft_player_free(learner);
            weft_side_free(rows);
            weft_side_free(columns);
        }
    }
}

/* After the refusal it predicts and learns what it knows, and is written and read again. */
static void what_was_learnt_stays(void **state)
{
    weft_side *tight = make_points(60, 12 * 48 * 48, NULL), *loose = make_points(60, 0, NULL);
    weft_side *columns = make_none(4);
    weft_player *learner = make_learner(tight, columns, WEFT_MIXED, NULL), *copy = NULL;
    weft_player *other = make_learner(loose, columns, WEFT_MIXED, NULL);
    weft_error error = {0};
    size_t size = 0;
    for (int64_t id = 0; id < 48; id++) {
        assert_int_equal(learn(learner, id, NULL, &error), WEFT_OK);
        assert_int_equal(learn(other, id, NULL, &error), WEFT_OK);
    }
    assert_fails(learn(learner, 50, NULL, &error), WEFT_MEMORY, "49 ids");
    assert_same_state(learner, other);
    weft_answer a, b;
    /* An id that was never learnt needs no room. */
    assert_int_equal(weft_player_predict(learner, 50, 1, &a, &error), WEFT_OK);
    assert_int_equal(weft_player_predict(other, 50, 1, &b, &error), WEFT_OK);
    assert_true(a.lower == b.lower && a.upper == b.upper && a.products == b.products);
    assert_int_equal(learn(learner, 7, NULL, &error), WEFT_OK);
    assert_int_equal(learn(other, 7, NULL, &error), WEFT_OK);
    unsigned char *bytes = state_bytes(learner, &size);
    assert_int_equal(weft_learner_read(tight, columns, bytes, size, NULL, &copy, &error), WEFT_OK);
    assert_same_state(copy, other);
    weft_player_free(copy);
    copy = NULL;
    /* What does not fit a smaller budget is memory, not damage. */
    weft_side *small = make_points(60, 12 * 32 * 32, NULL);
    assert_fails(weft_learner_read(small, columns, bytes, size, NULL, &copy, &error), WEFT_MEMORY, "33 ids");
    assert_null(copy);
    free(bytes);
    weft_player_free(learner);
    weft_player_free(other);
    weft_side_free(small);
    weft_side_free(tight);
    weft_side_free(loose);
    weft_side_free(columns);
}

/* One set: a pair may bring two ids. */
static void one_set_counts_both_ids(void **state)
{
    weft_side *ids = make_points(60, 12 * 16 * 16, NULL);
    weft_player *learner = make_learner(ids, NULL, WEFT_MIXED, NULL);
    weft_error error = {0};
    for (int64_t id = 0; id < 16; id += 2)
        assert_int_equal(weft_player_learn(learner, id, id + 1, 1, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_learn(learner, 0, 15, -1, NULL, &error), WEFT_OK);
    assert_fails(weft_player_learn(learner, 0, 16, 1, NULL, &error), WEFT_MEMORY, "17 ids");
    assert_fails(weft_player_learn(learner, 16, 17, 1, NULL, &error), WEFT_MEMORY, "18 ids");
    weft_player_free(learner);
    weft_side_free(ids);
}

static void a_negative_budget_is_refused(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    assert_fails(weft_side_none(3, &(weft_side_options){.budget = -1}, &side, &error), WEFT_ARGUMENT,
                 "budget is -1");
    assert_null(side);
}

static void fill(weft__working_set *view, int64_t count)
{
    for (int64_t id = 0; id < count; id++) {
        assert_int_equal(weft__working_set_reserve(view, 1, -1, NULL), WEFT_OK);
        weft__working_set_touch(view, id);
    }
}

/* The matrix of `view` is that of `other`, and zero beyond its ids. */
static void assert_same_gram(const weft__working_set *view, const weft__working_set *other)
{
    for (int64_t s = 0; s < view->count; s++)
        for (int64_t t = 0; t < view->capacity; t++) {
            bool in = t < view->count;
            double full = in ? other->full[s * other->capacity + t] : 0;
            float single = in ? other->single[s * other->capacity + t] : 0;
            assert_true(view->full[s * view->capacity + t] == full);
            assert_true(view->single[s * view->capacity + t] == single);
        }
}

/* Never above the budget, nor twice there while it grows; and all of the budget is used. */
static void the_matrix_grows_where_it_is(void **state)
{
    enum { FULL = 704 };
    meter own = {0}, free_of = {0};
    weft_memory hook = meter_hook(&own), other_hook = meter_hook(&free_of);
    int64_t budget = 12 * FULL * FULL;
    weft_side *side = make_points(IDS, budget, NULL), *loose = make_points(IDS, 0, NULL);
    weft__working_set view, other;
    assert_int_equal(weft__working_set_create(&view, side, true, &hook, NULL), WEFT_OK);
    assert_int_equal(weft__working_set_create(&other, loose, true, &other_hook, NULL), WEFT_OK);
    fill(&view, FULL);
    fill(&other, FULL + 1);
    assert_true(view.capacity == FULL);
    assert_true(weft__working_set_reserve(&view, 1, -1, NULL) == WEFT_MEMORY);
    assert_same_gram(&view, &other);
    assert_true(other.capacity > other.count);
    assert_same_gram(&other, &other);
    /* Beside the matrix: 8 bytes an id that is known, a few vectors twice, and for a moment the bytes
     * that a learner will ask for, 512 a slot and 1536 for each that is new. */
    assert_true(own.peak <= budget + 8 * IDS + 900 * FULL + 4096);
    /* A quarter more rows is at most 1.6 times the bytes. */
    assert_true((double)free_of.peak <= 1.6 * 12 * (FULL + 16) * (FULL + 16) + 8 * IDS + 1200 * FULL + 4096);
    weft__working_set_free(&view);
    weft__working_set_free(&other);
    assert_true(own.used == 0 && free_of.used == 0);
    weft_side_free(side);
    weft_side_free(loose);
}

/* Where the allocator gives no quarter more, it is asked for less. */
static void the_last_bytes_are_worth_asking_for(void **state)
{
    meter own = {.limit = 12 * 1000 * 1000};
    weft_memory hook = meter_hook(&own);
    weft_side *side = make_points(IDS, 0, NULL), *loose = make_points(IDS, 0, NULL);
    weft__working_set view, other;
    weft_error error = {0};
    assert_int_equal(weft__working_set_create(&view, side, true, &hook, NULL), WEFT_OK);
    view.new_slot_bytes = 1536;
    view.slot_bytes = 512;
    while (weft__working_set_reserve(&view, 1, -1, &error) == WEFT_OK)
        weft__working_set_touch(&view, view.count);
    assert_int_equal(error.status, WEFT_MEMORY);
    assert_non_null(strstr(error.message, "features: out of memory: the kernel between"));
    assert_non_null(strstr(error.message, "compact engine"));
    /* 976 rows are 11.4 million bytes, and half a million are left to a learner. */
    assert_true(view.count >= 960 && view.count <= 976);
    assert_true(own.refused > 3 && own.peak <= own.limit);
    assert_int_equal(weft__working_set_create(&other, loose, true, NULL, NULL), WEFT_OK);
    fill(&other, view.count);
    assert_same_gram(&view, &other);
    weft__working_set_free(&other);
    weft__working_set_free(&view);
    assert_int_equal(own.used, 0);
    weft_side_free(side);
    weft_side_free(loose);
}

/* Where there is room for one precision of a larger matrix but not for both, it gives it back. */
static void half_a_matrix_is_not_kept(void **state)
{
    meter own = {0};
    weft_memory hook = meter_hook(&own);
    weft_side *side = make_points(IDS, 0, NULL);
    weft__working_set view;
    assert_int_equal(weft__working_set_create(&view, side, true, &hook, NULL), WEFT_OK);
    fill(&view, 16);
    assert_int_equal(view.capacity, 16);
    int64_t before = own.used, doubles = 8 * (48 * 48 - 16 * 16);
    own.limit = before + doubles + 2000;
    own.peak = 0;
    assert_int_equal(weft__working_set_reserve(&view, 1, -1, NULL), WEFT_MEMORY);
    assert_true(own.peak > before + doubles && own.refused == 1);
    /* The vectors of 48 slots. */
    assert_true(own.used <= before + 32 * 32 && view.capacity == 16);
    own.limit = 0;
    fill(&view, 17);
    assert_same_gram(&view, &view);
    weft__working_set_free(&view);
    assert_int_equal(own.used, 0);
    weft_side_free(side);
}

/* Which budget there was is nowhere to be seen. */
static void no_result_depends_on_it(void **state)
{
    const int64_t budgets[] = {0, 12 * 272 * 272};
    weft_side *columns = make_none(4);
    weft_player *learner[2];
    weft_side *rows[2];
    for (int k = 0; k < 2; k++) {
        rows[k] = make_points(IDS, budgets[k], NULL);
        learner[k] = make_learner(rows[k], columns, WEFT_MIXED, NULL);
    }
    for (int64_t t = 0; t < 400; t++) {
        weft_answer outcome[2];
        int64_t row = t * 7 % 260;
        for (int k = 0; k < 2; k++)
            assert_int_equal(
                weft_player_learn(learner[k], row, t % 4, t < 260 || t % 2 ? -1 : 1, &outcome[k], NULL),
                WEFT_OK);
        const weft_answer *a = &outcome[0], *b = &outcome[1];
        assert_true(a->lower == b->lower && a->upper == b->upper && a->products == b->products);
    }
    assert_same_state(learner[0], learner[1]);
    for (int k = 0; k < 2; k++) {
        weft_player_free(learner[k]);
        weft_side_free(rows[k]);
    }
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_ends_at_its_id),    cmocka_unit_test(what_was_learnt_stays),
        cmocka_unit_test(one_set_counts_both_ids),      cmocka_unit_test(a_negative_budget_is_refused),
        cmocka_unit_test(the_matrix_grows_where_it_is), cmocka_unit_test(the_last_bytes_are_worth_asking_for),
        cmocka_unit_test(half_a_matrix_is_not_kept),    cmocka_unit_test(no_result_depends_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
