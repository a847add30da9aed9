/* SPDX-License-Identifier: MIT
 *
 * A bound b that is too low, which nothing but a damaged state could make, is
 * noticed by the predictions that meet it, and mended. */

#include "support/test.h"

#include "learner/learner.h"
#include "support/effort.h"
#include "support/problem.h"

#define PROBLEMS effort(50, 150)

typedef struct tally {
    int64_t asked, noticed, wrong, after;
} tally;

static void play(const problem *what, players *who)
{
    weft_answer outcome;
    for (int64_t t = 0; t < what->trials; t++) {
        players_admit(what, t, who);
        assert_int_equal(
            weft_player_learn(who->learner, what->row[t], what->column[t], what->label[t], &outcome, NULL),
            WEFT_OK);
        if (outcome.updated)
            naive_update(who->judge, what->row[t], what->column[t], what->label[t]);
    }
}

/* Lowers b to half of lambda_max and asks for pairs until that is noticed. */
static void lower_and_ask(const problem *what, players *who, tally *sum)
{
    weft_answer got;
    weft_player *learner = who->learner;
    weft__learner *inside = weft__learner_in(learner);
    double top = (double)naive_top(who->judge);
    inside->bound.log_trace = inside->bound.weyl = top / 2;
    inside->pending.valid = false;
    sum->asked++;
    for (int64_t t = 0; t < what->trials; t++) {
        int64_t i = what->row[t], j = what->column[t];
        assert_int_equal(weft_player_predict(learner, i, j, &got, NULL), WEFT_OK);
        /* As learning does; a label would change the evidence too. */
        inside->bound = inside->pending.bound;
        inside->pending.valid = false;
        if (weft_learner_spectral_bound(learner) == top / 2)
            continue;
        /* From here on everything is as it should be, this very answer too. */
        long double exact = naive_margin(who->judge, i, j), slack = 1e-9L * fmaxl(1, fabsl(exact));
        sum->wrong += !(got.lower - slack <= exact && exact <= got.upper + slack);
        sum->after++;
    }
    sum->noticed += weft_learner_spectral_bound(learner) >= top - 1e-9;
}

static void test_a_low_bound_is_noticed_and_mended(void **state)
{
    tally sum = {0};
    for (uint64_t seed = 95000; seed < 95000 + (uint64_t)PROBLEMS; seed++) {
        problem what;
        players who;
        problem_draw(seed, 0, &what);
        what.settings.engine = WEFT_KRYLOV;
        what.settings.tolerance = 0.001;
        players_create(&what, 1, &who);
        play(&what, &who);
        if (naive_top(who.judge) > 1)
            lower_and_ask(&what, &who, &sum);
        players_release(&who);
        problem_release(&what);
    }
    printf("bounds too low %lld, noticed and mended %lld; predictions afterwards %lld, wrong %lld\n",
           (long long)sum.asked, (long long)sum.noticed, (long long)sum.after, (long long)sum.wrong);
    assert_true(sum.asked > PROBLEMS / 10);
    assert_int_equal(sum.noticed, sum.asked);
    assert_int_equal(sum.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_low_bound_is_noticed_and_mended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
