/* SPDX-License-Identifier: MIT
 * Many pairs in one call: what one by one gives, to the bit, on any number of threads. */
#include "support/alloc.h"
#include "test_player_support.h"

enum { PAIRS = 50 };

static void draw_pairs(int64_t pairs[PAIRS][2])
{
    for (int64_t k = 0; k < PAIRS; k++) {
        pairs[k][0] = k * 5 % IDS;
        pairs[k][1] = (k * k + 1) % IDS;
    }
}

static void for_all(void (*check)(weft_player *player))
{
    for (int one_set = 0; one_set < 2; one_set++) {
        stage s = stage_open(one_set);
        for (int kind = 0; kind < KINDS; kind++) {
            weft_player *player = taught(&s, (weft_kind)kind, 40);
            check(player);
            weft_player_free(player);
        }
        stage_close(&s);
    }
}

/* Four times with every number of threads: copies are used again, but not where labels came between. */
static void check_predictions(weft_player *player)
{
    int64_t pairs[PAIRS][2];
    draw_pairs(pairs);
    for (int round = 0; round < 16; round++) {
        weft_answer many[PAIRS], one;
        int threads = round / 4;
        const int64_t *first = &pairs[0][0];
        if (round % 2 == 0)
            teach(player, 40 + round, 43 + round);
        assert_int_equal(weft_player_predict_many(player, PAIRS, first, 1e-3, threads, many, NULL), WEFT_OK);
        for (int64_t k = 0; k < PAIRS; k++) {
            assert_int_equal(weft_player_evaluate(player, pairs[k][0], pairs[k][1], 1e-3, &one, NULL),
                             WEFT_OK);
            assert_same_answer(&one, &many[k]);
        }
        assert_int_equal(weft_player_predict_many(player, 1, first, 1e-3, 3, &one, NULL), WEFT_OK);
        assert_same_answer(&one, &many[0]);
    }
}

static void predictions_are_those_one_by_one(void **state)
{
    for_all(check_predictions);
}

static void check_learning(weft_player *player)
{
    int64_t pairs[PAIRS][2], learnt = -1;
    int labels[PAIRS];
    weft_answer many[PAIRS], one;
    weft_player *copy = NULL;
    draw_pairs(pairs);
    assert_int_equal(weft_player_clone(player, &copy, NULL), WEFT_OK);
    for (int64_t k = 0; k < PAIRS; k++)
        labels[k] = label_of(k);
    assert_int_equal(weft_player_learn_many(player, PAIRS, &pairs[0][0], labels, many, &learnt, NULL),
                     WEFT_OK);
    assert_int_equal(learnt, PAIRS);
    for (int64_t k = 0; k < PAIRS; k++) {
        assert_int_equal(weft_player_learn(copy, pairs[k][0], pairs[k][1], labels[k], &one, NULL), WEFT_OK);
        assert_same_answer(&one, &many[k]);
    }
    assert_same_state(player, copy);
    /* A label that is none: what stands before it is learnt, and no more. */
    labels[7] = 2;
    assert_int_equal(weft_player_learn_many(player, PAIRS, &pairs[0][0], labels, NULL, &learnt, NULL),
                     WEFT_ARGUMENT);
    assert_int_equal(learnt, 7);
    assert_int_equal(weft_player_learn_many(copy, 7, &pairs[0][0], labels, NULL, NULL, NULL), WEFT_OK);
    assert_same_state(player, copy);
    weft_player_free(copy);
}

static void learning_is_that_one_by_one(void **state)
{
    for_all(check_learning);
}

/* The first pair that fails is told, whichever thread had it. */
static void check_failure(weft_player *player)
{
    int64_t pairs[PAIRS][2];
    weft_answer answers[PAIRS];
    draw_pairs(pairs);
    pairs[40][0] = IDS + 1;
    pairs[31][1] = IDS;
    pairs[30][0] = -3;
    for (int threads = 0; threads < 4; threads++) {
        weft_error error = {0};
        assert_int_equal(weft_player_predict_many(player, PAIRS, &pairs[0][0], 0.1, threads, answers, &error),
                         WEFT_UNKNOWN_ID);
        assert_int_equal(error.at[0], -3);
        assert_int_equal(weft_player_predict_many(player, PAIRS, &pairs[0][0], 0.1, threads, answers, NULL),
                         WEFT_UNKNOWN_ID);
    }
}

static void the_first_failure_is_told(void **state)
{
    for_all(check_failure);
}

static void check_arguments(weft_player *player)
{
    static const int64_t pair[2] = {0, 1};
    weft_answer answer;
    int label = 1;
    weft_error error = {0};
    assert_int_equal(weft_player_predict_many(player, 0, NULL, 0, 2, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_learn_many(player, 0, NULL, NULL, NULL, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_predict_many(NULL, 1, pair, 0, 1, &answer, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_many(player, -1, pair, 0, 1, &answer, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_many(player, 1, NULL, 0, 1, &answer, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "pairs is NULL");
    assert_int_equal(weft_player_predict_many(player, 1, pair, -1, 1, &answer, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_many(player, 1, pair, 0, -1, &answer, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_many(player, 1, pair, 0, 257, &answer, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_predict_many(player, 1, pair, 0, 1, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_learn_many(NULL, 1, pair, &label, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_learn_many(player, 1, pair, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "labels is NULL");
}

static void arguments_are_checked(void **state)
{
    for_all(check_arguments);
}

/* Copies that there is no memory for: nothing is left behind, and the next call does what it should. */
static void refused_memory_costs_nothing(void **state)
{
    stage s = stage_open(false);
    int64_t pairs[PAIRS][2];
    weft_answer before[PAIRS], after[PAIRS];
    draw_pairs(pairs);
    for (int64_t k = 0, all = 1; k < all; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_settings settings = settings_of(&s);
        weft_player *player = NULL;
        weft_error error = {0};
        assert_int_equal(weft_learner_create(s.rows, s.columns, &settings, &memory, &player, NULL), WEFT_OK);
        teach(player, 0, 30);
        const int64_t *first = &pairs[0][0];
        assert_int_equal(weft_player_predict_many(player, PAIRS, first, 0.1, 1, before, NULL), WEFT_OK);
        test_alloc_arm(&alloc, k);
        weft_status status = weft_player_predict_many(player, PAIRS, first, 0.1, 3, after, &error);
        assert_true(status == WEFT_MEMORY || status == WEFT_OK);
        all = status == WEFT_OK ? 0 : k + 2;
        assert_true(k > 3 || status == WEFT_MEMORY);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        assert_int_equal(weft_player_predict_many(player, PAIRS, first, 0.1, 3, after, NULL), WEFT_OK);
        for (int64_t i = 0; i < PAIRS; i++)
            assert_same_answer(&before[i], &after[i]);
        weft_player_free(player);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    stage_close(&s);
}

/* Memory that is refused from a moment on, on any thread. */
static _Atomic bool refusing;

static void *allocate_or_refuse(void *user, void *pointer, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return refusing ? NULL : realloc(pointer, new_size);
}

/* A copy that cannot be asked for want of memory, while the original can: no answer is left out unnoticed. */
static void a_copy_without_memory_is_told(void **state)
{
    stage s = stage_open(false);
    weft_memory memory = {.allocate = allocate_or_refuse};
    weft_committee_settings settings = {0};
    weft_member members[MEMBERS];
    weft_player *player = NULL;
    int64_t pairs[PAIRS][2];
    weft_answer answers[PAIRS];
    weft_error error = {0};
    draw_pairs(pairs);
    list_members(&s, members);
    assert_int_equal(weft_committee_create(members, MEMBERS, &settings, &memory, &player, NULL), WEFT_OK);
    teach(player, 0, 30);
    /* The third copy is made, but not asked yet. */
    assert_int_equal(weft_player_predict_many(player, 2, &pairs[0][0], 0.1, 3, answers, NULL), WEFT_OK);
    refusing = true;
    weft_status status = weft_player_predict_many(player, PAIRS, &pairs[0][0], 0.1, 3, answers, &error);
    refusing = false;
    assert_int_equal(status, WEFT_MEMORY);
    assert_int_equal(error.status, WEFT_MEMORY);
    assert_int_equal(weft_player_predict_many(player, PAIRS, &pairs[0][0], 0.1, 3, answers, NULL), WEFT_OK);
    weft_player_free(player);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_those_one_by_one), cmocka_unit_test(learning_is_that_one_by_one),
        cmocka_unit_test(the_first_failure_is_told),        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(refused_memory_costs_nothing),     cmocka_unit_test(a_copy_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
