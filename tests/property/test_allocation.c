/* SPDX-License-Identifier: MIT
 *
 * predict and learn ask for no memory once warmed up: after every pair of the
 * stream carries evidence and the stream has been played once, playing it
 * again makes no request to the allocator. */

#include "support/test.h"

#include "support/alloc.h"
#include "support/effort.h"
#include "support/problem.h"

#define PROBLEMS ((uint64_t)effort(50, 150))

/* A learner over the problem's sides with the counting allocator; `sides` are
 * made with it too, so that what they would ask for is seen. */
static void make(problem *what, const weft_memory *memory, weft_side *sides[2], weft_player **learner)
{
    weft_error error = {0};
    known *known_of[] = {&what->rows, &what->columns};
    int count = what->settings.form == WEFT_ONE_SET ? 1 : 2;
    for (int s = 0; s < count; s++) {
        known_of[s]->options.memory = memory;
        assert_int_equal(known_side(known_of[s], &sides[s], &error), WEFT_OK);
        while (weft_side_count(sides[s]) < known_of[s]->count)
            assert_int_equal(known_append(known_of[s], sides[s], &error), WEFT_OK);
    }
    if (weft_learner_create(sides[0], sides[1], &what->settings, memory, learner, &error) != WEFT_OK)
        fail_msg("seed %llu: %s", (unsigned long long)what->seed, error.message);
}

static void play(const problem *what, weft_player *learner)
{
    weft_error error = {0};
    weft_answer prediction;
    for (int64_t t = 0; t < what->trials; t++) {
        int64_t i = what->row[t], j = what->column[t];
        assert_int_equal(weft_player_predict(learner, i, j, &prediction, &error), WEFT_OK);
        assert_int_equal(weft_player_learn(learner, i, j, what->label[t], NULL, &error), WEFT_OK);
    }
}

/* Evidence for every pair of the stream. */
static void fill(const problem *what, weft_player *learner)
{
    weft_error error = {0};
    for (int64_t t = 0; t < what->trials; t++) {
        weft_evidence_entry entry = {what->row[t], what->column[t], t % 2 ? 1 : -1};
        assert_int_equal(weft_player_add_evidence(learner, &entry, 1, &error), WEFT_OK);
    }
}

static void check(uint64_t seed)
{
    problem what;
    test_alloc alloc;
    weft_side *sides[2] = {NULL, NULL};
    weft_player *learner = NULL;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    problem_draw(seed, 0, &what);
    what.settings.engine = WEFT_KRYLOV;
    make(&what, &memory, sides, &learner);
    fill(&what, learner);
    play(&what, learner);
    int64_t before = alloc.requests, blocks = alloc.blocks;
    assert_true(before > 0);
    play(&what, learner);
    if (alloc.requests != before || alloc.blocks != blocks)
        fail_msg("seed %llu: %lld requests while playing", (unsigned long long)seed,
                 (long long)(alloc.requests - before));
    weft_player_free(learner);
    weft_side_free(sides[0]);
    weft_side_free(sides[1]);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    problem_release(&what);
}

static void test_no_allocation_once_warm(void **state)
{
    for (uint64_t k = 0; k < PROBLEMS; k++)
        check(90000 + k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_allocation_once_warm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
