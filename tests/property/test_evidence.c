/* SPDX-License-Identifier: MIT
 *
 * The state is the evidence, on random problems: replaying it through merge
 * gives the margins of the run, in any order and in any portions; forgetting
 * an id leaves what a learner built from the rest has; the bound b holds
 * throughout. */

#include "support/test.h"

#include "support/effort.h"
#include "support/problem.h"

#define PROBLEMS ((uint64_t)effort(30, 80))

/* ---- helpers ---- */

typedef struct log_of {
    int64_t count;
    weft_evidence_entry *entries;
} log_of;

static log_of read_log(const weft_player *learner)
{
    log_of log = {weft_player_evidence_count(learner), NULL};
    log.entries = naive_new(log.count, sizeof *log.entries);
    for (int64_t k = 0; k < log.count; k++)
        log.entries[k] = weft_player_evidence(learner, k);
    return log;
}

static void shuffle(dice *d, log_of *log)
{
    for (int64_t k = log->count - 1; k > 0; k--) {
        int64_t other = dice_below(d, k + 1);
        weft_evidence_entry kept = log->entries[k];
        log->entries[k] = log->entries[other];
        log->entries[other] = kept;
    }
}

static weft_player *empty_learner(const problem *what, const players *who)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    if (weft_learner_create(who->rows, who->columns, &what->settings, NULL, &learner, &error) != WEFT_OK)
        fail_msg("seed %llu: %s", (unsigned long long)what->seed, error.message);
    return learner;
}

static void merge(weft_player *learner, const weft_evidence_entry *entries, int64_t count)
{
    weft_error error = {0};
    if (weft_player_add_evidence(learner, entries, count, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static void play(const problem *what, players *who)
{
    weft_error error = {0};
    weft_answer outcome;
    for (int64_t t = 0; t < what->trials; t++) {
        players_admit(what, t, who);
        assert_int_equal(
            weft_player_learn(who->learner, what->row[t], what->column[t], what->label[t], &outcome, &error),
            WEFT_OK);
        if (outcome.updated)
            naive_update(who->judge, what->row[t], what->column[t], what->label[t]);
    }
}

/* The bracket of every pair of the stream holds what the judge says. */
static void assert_margins(const problem *what, players *who, weft_player *learner)
{
    weft_error error = {0};
    weft_answer got;
    for (int64_t t = 0; t < what->trials; t += 3) {
        assert_int_equal(weft_player_predict(learner, what->row[t], what->column[t], &got, &error), WEFT_OK);
        long double exact = naive_margin(who->judge, what->row[t], what->column[t]);
        long double slack = 1e-9L * fmaxl(1, fabsl(exact));
        if (!(got.lower - slack <= exact && exact <= got.upper + slack))
            fail_msg("seed %llu pair (%lld, %lld): %.17Lg outside [%.17g, %.17g]",
                     (unsigned long long)what->seed, (long long)what->row[t], (long long)what->column[t],
                     exact, got.lower, got.upper);
    }
    long double top = naive_top(who->judge);
    double bound = weft_learner_spectral_bound(learner);
    if (!(top <= bound + 1e-9L * fmaxl(1, fabsl(top))))
        fail_msg("seed %llu: lambda_max %.17Lg above b %.17g", (unsigned long long)what->seed, top, bound);
}

static void for_problems(uint64_t base, void (*check)(problem *what, players *who))
{
    for (uint64_t k = 0; k < PROBLEMS; k++) {
        problem what;
        players who;
        problem_draw(base + k, 0, &what);
        what.settings.tolerance = 1e-4;
        players_create(&what, 1, &who);
        play(&what, &who);
        check(&what, &who);
        players_release(&who);
        problem_release(&what);
    }
}

/* ---- merging ---- */

static void check_replay(problem *what, players *who)
{
    dice d = {what->seed};
    log_of log = read_log(who->learner);
    weft_player *whole = empty_learner(what, who), *parts = empty_learner(what, who);
    merge(whole, log.entries, log.count);
    assert_margins(what, who, whole);
    shuffle(&d, &log);
    int64_t cut = log.count / 3;
    merge(parts, log.entries + cut, log.count - cut);
    merge(parts, log.entries, cut);
    assert_margins(what, who, parts);
    assert_margins(what, who, who->learner);
    weft_player_free(whole);
    weft_player_free(parts);
    free(log.entries);
}

static void test_replay_gives_the_same_margins(void **state)
{
    for_problems(60000, check_replay);
}

/* A log and its negative leave nothing but the start. */
static void check_undone(problem *what, players *who)
{
    weft_error error = {0};
    weft_answer got, start;
    log_of log = read_log(who->learner);
    weft_player *fresh = empty_learner(what, who);
    for (int64_t k = 0; k < log.count; k++)
        log.entries[k].count = -log.entries[k].count;
    merge(who->learner, log.entries, log.count);
    for (int64_t t = 0; t < what->trials; t += 5) {
        int64_t i = what->row[t], j = what->column[t];
        assert_int_equal(weft_player_predict(who->learner, i, j, &got, &error), WEFT_OK);
        assert_int_equal(weft_player_predict(fresh, i, j, &start, &error), WEFT_OK);
        assert_true(got.lower - 1e-9 <= start.upper && start.lower <= got.upper + 1e-9);
    }
    weft_player_free(fresh);
    free(log.entries);
}

static void test_a_log_can_be_taken_back(void **state)
{
    for_problems(70000, check_undone);
}

/* ---- forgetting ---- */

static bool concerns(const problem *what, bool row, int64_t id, weft_evidence_entry entry)
{
    if (what->settings.form == WEFT_ONE_SET)
        return entry.row == id || entry.column == id;
    return row ? entry.row == id : entry.column == id;
}

/* The counts that are left are those that do not concern the id. */
static void assert_left(const problem *what, const weft_player *learner, bool row, int64_t id,
                        const log_of *log)
{
    int64_t expected = 0, left = 0;
    for (int64_t k = 0; k < log->count; k++)
        expected += concerns(what, row, id, log->entries[k]) ? 0 : llabs(log->entries[k].count);
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        if (concerns(what, row, id, entry))
            assert_int_equal(entry.count, 0);
        left += llabs(entry.count);
    }
    assert_int_equal(left, expected);
}

static void check_forgotten(problem *what, players *who)
{
    weft_error error = {0};
    bool row = what->seed % 2 == 0;
    int64_t id = row ? what->row[what->trials / 2] : what->column[what->trials / 2];
    log_of log = read_log(who->learner);
    weft_player *rest = empty_learner(what, who);
    assert_int_equal(row ? weft_player_forget(who->learner, WEFT_ROWS, id, &error)
                         : weft_player_forget(who->learner, WEFT_COLUMNS, id, &error),
                     WEFT_OK);
    assert_left(what, who->learner, row, id, &log);
    for (int64_t k = 0; k < log.count; k++) {
        const weft_evidence_entry *entry = &log.entries[k];
        if (concerns(what, row, id, *entry))
            naive_update(who->judge, entry->row, entry->column, -(double)entry->count);
        else
            merge(rest, entry, 1);
    }
    assert_margins(what, who, who->learner);
    assert_margins(what, who, rest);
    weft_player_free(rest);
    free(log.entries);
}

static void test_forget_removes_exactly_one_share(void **state)
{
    for_problems(80000, check_forgotten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay_gives_the_same_margins),
                                       cmocka_unit_test(test_a_log_can_be_taken_back),
                                       cmocka_unit_test(test_forget_removes_exactly_one_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
