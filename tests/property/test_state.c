/* SPDX-License-Identifier: MIT
 *
 * What the state promises, on random problems: predicting changes no byte,
 * a run that is written and read goes on bit for bit, a clone is independent,
 * and a reset learner is a fresh one. */

#include "support/test.h"

#include "support/effort.h"
#include "support/problem.h"

#define PROBLEMS ((uint64_t)effort(20, 60))

/* ---- helpers ---- */

typedef struct bytes {
    size_t size;
    unsigned char *data;
} bytes;

static bytes write_state(const weft_player *learner)
{
    weft_error error = {0};
    bytes state = {0};
    assert_int_equal(weft_player_write(learner, NULL, &state.size, &error), WEFT_OK);
    state.data = naive_new((int64_t)state.size, 1);
    assert_int_equal(weft_player_write(learner, state.data, &state.size, &error), WEFT_OK);
    return state;
}

static void assert_same_bytes(bytes a, bytes b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

/* Compares the state with earlier bytes, and frees those. */
static void assert_state(const weft_player *learner, bytes before)
{
    bytes now = write_state(learner);
    assert_same_bytes(before, now);
    free(now.data);
    free(before.data);
}

static weft_answer play_one(const problem *what, int64_t t, weft_player *learner)
{
    weft_error error = {0};
    weft_answer outcome;
    memset(&outcome, 0, sizeof outcome);
    if (weft_player_learn(learner, what->row[t], what->column[t], what->label[t], &outcome, &error) !=
        WEFT_OK)
        fail_msg("seed %llu: %s", (unsigned long long)what->seed, error.message);
    return outcome;
}

static void play(const problem *what, int64_t from, int64_t to, players *who)
{
    for (int64_t t = from; t < to; t++) {
        players_admit(what, t, who);
        play_one(what, t, who->learner);
    }
}

static void assert_same_outcome(const weft_answer *a, const weft_answer *b)
{
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->products, b->products);
    assert_int_equal(a->updated, b->updated);
    const double left[] = {a->threshold, a->margin, a->lower, a->upper, a->probability, a->error_probability};
    const double right[] = {b->threshold, b->margin,      b->lower,
                            b->upper,     b->probability, b->error_probability};
    assert_memory_equal(left, right, sizeof left);
}

/* Plays the same trials with both; every outcome must be the same to the bit. */
static void play_alike(const problem *what, int64_t from, players *who, weft_player *other)
{
    for (int64_t t = from; t < what->trials; t++) {
        players_admit(what, t, who);
        weft_answer a = play_one(what, t, who->learner), b = play_one(what, t, other);
        assert_same_outcome(&a, &b);
    }
    assert_state(other, write_state(who->learner));
}

/* Runs `check` on random problems of the krylov engine. */
static void for_problems(uint64_t base, void (*check)(problem *what, players *who))
{
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        problem what;
        players who;
        problem_draw(base + k, 0, &what);
        what.settings.engine = WEFT_KRYLOV;
        players_create(&what, 1, &who);
        check(&what, &who);
        players_release(&who);
        problem_release(&what);
    }
}

/* ---- the promises ---- */

static void check_pure(problem *what, players *who)
{
    enum { CALLS = 1000 };
    weft_error error = {0};
    weft_answer first, last;
    play(what, 0, what->trials, who);
    bytes before = write_state(who->learner);
    weft_counters counters = weft_player_counters(who->learner);
    for (int64_t k = 0; k < CALLS; k++) {
        int64_t t = k % what->trials;
        assert_int_equal(
            weft_player_predict(who->learner, what->row[t], what->column[t], k ? &last : &first, &error),
            WEFT_OK);
    }
    assert_int_equal(weft_player_predict(who->learner, what->row[0], what->column[0], &last, &error),
                     WEFT_OK);
    assert_true(first.margin == last.margin && first.lower == last.lower && first.upper == last.upper);
    assert_true(first.threshold == last.threshold && first.label == last.label);
    assert_int_equal(weft_player_counters(who->learner).t, counters.t);
    assert_state(who->learner, before);
}

static void test_predict_changes_nothing(void **state)
{
    for_problems(10000, check_pure);
}

static void check_resumed(problem *what, players *who)
{
    weft_error error = {0};
    weft_player *resumed = NULL;
    play(what, 0, what->trials / 2, who);
    bytes written = write_state(who->learner);
    assert_int_equal(
        weft_learner_read(who->rows, who->columns, written.data, written.size, NULL, &resumed, &error),
        WEFT_OK);
    assert_state(resumed, written);
    play_alike(what, what->trials / 2, who, resumed);
    weft_player_free(resumed);
}

static void test_written_and_read_continues(void **state)
{
    for_problems(20000, check_resumed);
}

/* Asking for predictions on the way leaves the run as it would have been. */
static void check_detour(problem *what, players *who)
{
    weft_error error = {0};
    weft_player *other = NULL;
    weft_answer ignored;
    assert_int_equal(weft_player_clone(who->learner, &other, &error), WEFT_OK);
    for (int64_t t = 0; t < what->trials; t++) {
        players_admit(what, t, who);
        int64_t s = t / 2;
        assert_int_equal(weft_player_predict(other, what->row[s], what->column[s], &ignored, &error),
                         WEFT_OK);
        weft_answer a = play_one(what, t, who->learner), b = play_one(what, t, other);
        assert_int_equal(a.updated, b.updated);
        assert_int_equal(a.label, b.label);
    }
    assert_int_equal(weft_player_counters(who->learner).updates, weft_player_counters(other).updates);
    assert_true(weft_learner_spectral_bound(who->learner) == weft_learner_spectral_bound(other));
    weft_player_free(other);
}

static void test_detours_do_not_matter(void **state)
{
    for_problems(30000, check_detour);
}

static void check_clone(problem *what, players *who)
{
    weft_error error = {0};
    weft_player *copy = NULL;
    play(what, 0, what->trials / 3, who);
    bytes before = write_state(who->learner);
    assert_int_equal(weft_player_clone(who->learner, &copy, &error), WEFT_OK);
    for (int64_t t = 0; t < what->trials / 3; t++)
        play_one(what, t, copy);
    assert_state(who->learner, before);
    weft_player_free(copy);
    copy = NULL;
    assert_int_equal(weft_player_clone(who->learner, &copy, &error), WEFT_OK);
    play_alike(what, what->trials / 3, who, copy);
    weft_player_free(copy);
}

static void test_clone_is_independent(void **state)
{
    for_problems(40000, check_clone);
}

static void check_reset(problem *what, players *who)
{
    weft_error error = {0};
    weft_player *fresh = NULL;
    bytes born = write_state(who->learner);
    play(what, 0, what->trials, who);
    assert_int_equal(weft_player_reset(who->learner, &error), WEFT_OK);
    assert_state(who->learner, born);
    assert_int_equal(weft_learner_create(who->rows, who->columns, &what->settings, NULL, &fresh, &error),
                     WEFT_OK);
    play_alike(what, 0, who, fresh);
    weft_player_free(fresh);
}

static void test_reset_is_fresh(void **state)
{
    for_problems(50000, check_reset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict_changes_nothing), cmocka_unit_test(test_written_and_read_continues),
        cmocka_unit_test(test_detours_do_not_matter),   cmocka_unit_test(test_clone_is_independent),
        cmocka_unit_test(test_reset_is_fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
