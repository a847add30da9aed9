/* SPDX-License-Identifier: MIT
 * weft_settings.threads: no bit of a prediction or a state depends on it. */
#include "unit/test_core_support.h"

#include "learner/learner.h"
#include "support/alloc.h"
#include "support/dice.h"
#include "support/effort.h"

enum { IDS = 2080, PAIRS = 2400, QUERIES = 2 }; /* a Gram matrix that is cut into strips */

static double decay(void *user, int64_t i, int64_t j)
{
    (void)user;
    return exp(-fabs((double)(i - j)) / 50);
}

static weft_player *make_learner(const weft_side *rows, const weft_side *columns, int threads,
                                 const weft_memory *memory)
{
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(IDS, 40, PAIRS);
    weft_evidence_entry *entries = calloc(PAIRS, sizeof *entries);
    dice d = {3};
    assert_non_null(entries);
    settings.threads = threads;
    for (int64_t k = 0; k < PAIRS; k++)
        entries[k] = (weft_evidence_entry){k < IDS ? k : dice_below(&d, IDS), dice_below(&d, 40),
                                           dice_below(&d, 2) == 0 ? -1 : 1};
    assert_int_equal(weft_learner_create(rows, columns, &settings, memory, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_add_evidence(learner, entries, PAIRS, NULL), WEFT_OK);
    free(entries);
    return learner;
}

static void check_same(weft_player *a, weft_player *b)
{
    for (int64_t k = 0; k < QUERIES; k++) {
        weft_answer x, y;
        assert_int_equal(weft_player_evaluate(a, 17 * k, 3 * k, 0.01, &x, NULL), WEFT_OK);
        assert_int_equal(weft_player_evaluate(b, 17 * k, 3 * k, 0.01, &y, NULL), WEFT_OK);
        assert_memory_equal(&x.margin, &y.margin, sizeof x.margin);
        assert_memory_equal(&x.lower, &y.lower, sizeof x.lower);
        assert_memory_equal(&x.upper, &y.upper, sizeof x.upper);
        assert_int_equal(x.products, y.products);
    }
}

static void check_same_state(const weft_player *a, const weft_player *b)
{
    size_t size[2] = {0, 0};
    assert_int_equal(weft_player_write(a, NULL, &size[0], NULL), WEFT_OK);
    assert_int_equal(weft_player_write(b, NULL, &size[1], NULL), WEFT_OK);
    assert_int_equal(size[0], size[1]);
    unsigned char *bytes[2] = {malloc(size[0]), malloc(size[1])};
    assert_true(bytes[0] != NULL && bytes[1] != NULL);
    assert_int_equal(weft_player_write(a, bytes[0], &size[0], NULL), WEFT_OK);
    assert_int_equal(weft_player_write(b, bytes[1], &size[1], NULL), WEFT_OK);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void no_bit_depends_on_them(void **state)
{
    weft_side *rows = NULL, *columns = NULL;
    assert_int_equal(weft_side_from_callback(IDS, decay, NULL, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(40, NULL, &columns, NULL), WEFT_OK);
    weft_player *one = make_learner(rows, columns, 0, NULL), *two = make_learner(rows, columns, 2, NULL);
    assert_null(weft__learner_in(one)->space->pool);
    /* Merging made another space, with a pool as well. */
    assert_non_null(weft__learner_in(two)->space->pool);
    assert_int_equal(weft_learner_settings(two).threads, 2);
    check_same(one, two);
    check_same_state(one, two);
    for (int threads = 3; threads >= 0; threads -= (int)fewer(1, 3)) {
        assert_int_equal(weft_player_set_threads(two, threads, NULL), WEFT_OK);
        assert_true((weft__learner_in(two)->space->pool != NULL) == (threads > 1));
        assert_true(weft__learner_in(two)->space->evidence.pool == weft__learner_in(two)->space->pool);
        assert_true(weft__learner_in(two)->space->view[0].pool == weft__learner_in(two)->space->pool);
        check_same(one, two);
    }
    assert_int_equal(weft_player_set_threads(two, 2, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(one, WEFT_ROWS, 5, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(two, WEFT_ROWS, 5, NULL), WEFT_OK);
    check_same(one, two);
    check_same_state(one, two);
    weft_player_free(one);
    weft_player_free(two);
    weft_side_free(rows);
    weft_side_free(columns);
}

static void the_number_has_limits(void **state)
{
    weft_side *side = NULL;
    weft_player *learner = NULL;
    weft_error error = {0};
    weft_settings settings = weft_settings_default(4, 4, 10);
    assert_int_equal(weft_side_none(4, NULL, &side, NULL), WEFT_OK);
    static const int wrong[] = {-1, WEFT_THREAD_LIMIT + 1};
    for (int k = 0; k < 2; k++) {
        settings.threads = wrong[k];
        assert_int_equal(weft_learner_create(side, side, &settings, NULL, &learner, &error), WEFT_ARGUMENT);
        assert_non_null(strstr(error.message, "threads"));
    }
    settings.threads = WEFT_THREAD_LIMIT;
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_set_threads(learner, -1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_learner_settings(learner).threads, WEFT_THREAD_LIMIT);
    weft_player_free(learner);
    weft_side_free(side);
}

static void refused_memory_changes_nothing(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_side *side = NULL;
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(4, 4, 10);
    settings.threads = 2;
    assert_int_equal(weft_side_none(4, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(side, side, &settings, &memory, &learner, NULL), WEFT_OK);
    weft__thread_pool *before = weft__learner_in(learner)->space->pool;
    for (int64_t fail_at = 0;; fail_at++) {
        test_alloc_arm(&alloc, fail_at);
        weft_status status = weft_player_set_threads(learner, 3, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (status == WEFT_OK)
            break;
        assert_true(weft__learner_in(learner)->space->pool == before);
        assert_int_equal(weft_learner_settings(learner).threads, 2);
    }
    weft_player_free(learner);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bit_depends_on_them),
        cmocka_unit_test(the_number_has_limits),
        cmocka_unit_test(refused_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
