/* SPDX-License-Identifier: MIT
 *
 * Drawn thresholds are uniform on (-gamma, gamma), independent from trial to
 * trial and from seed to seed, and a pure function of (seed, t). */

#include "support/test.h"

#include "base/random.h"
#include "support/dice.h"
#include "support/naive.h"

enum { DRAWS = 100000, CELLS = 100 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov-Smirnov and chi-square of numbers in (0, 1), both at the level
 * of 0.001; the draws are fixed by their seeds, so this cannot fail by chance. */
static void assert_uniform(double *draws)
{
    double distance = 0, square = 0;
    int64_t cell[CELLS] = {0};
    qsort(draws, DRAWS, sizeof *draws, compare);
    assert_true(draws[0] > 0 && draws[DRAWS - 1] < 1);
    for (int64_t k = 0; k < DRAWS; k++) {
        distance = fmax(distance, fmax((double)(k + 1) / DRAWS - draws[k], draws[k] - (double)k / DRAWS));
        cell[(int64_t)(draws[k] * CELLS)]++;
    }
    for (int64_t k = 0; k < CELLS; k++)
        square += ((double)cell[k] - (double)DRAWS / CELLS) * ((double)cell[k] - (double)DRAWS / CELLS);
    double chi_square = square * CELLS / DRAWS;
    printf("Kolmogorov-Smirnov %.3f (limit 1.95), chi-square with 99 degrees %.1f (limit 148.2)\n",
           distance * sqrt(DRAWS), chi_square);
    assert_true(distance * sqrt(DRAWS) < 1.95);
    assert_true(chi_square < 148.2);
}

/* |correlation| of independent draws is below 4 / sqrt(n), but for 6 in 10^5. */
static void assert_uncorrelated(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += (a[k] - 0.5) * (b[k] - 0.5);
    assert_true(fabs(12 * sum / (double)count) < 4 / sqrt((double)count));
}

static void test_generator_is_uniform(void **state)
{
    double *one = naive_new(DRAWS, sizeof *one), *two = naive_new(DRAWS, sizeof *two);
    for (uint64_t t = 0; t < DRAWS; t++) {
        one[t] = weft__uniform(1, t);
        two[t] = weft__uniform(2, t);
    }
    assert_uncorrelated(one, two, DRAWS);
    assert_uncorrelated(one, one + 1, DRAWS - 1);
    assert_uncorrelated(one, one + 2, DRAWS - 2);
    assert_uniform(one);
    assert_uniform(two);
    for (uint64_t seed = 0; seed < DRAWS; seed++)
        one[seed] = weft__uniform(seed, 0);
    assert_uniform(one);
    free(one);
    free(two);
}

static weft_player *make_learner(const weft_side *side, double gamma, uint64_t seed, bool deterministic)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(3, 3, 100);
    settings.gamma = gamma;
    settings.seed = seed;
    settings.deterministic = deterministic;
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &learner, &error), WEFT_OK);
    return learner;
}

/* Ends the trial. */
static double next_threshold(weft_player *learner, int64_t row)
{
    weft_answer outcome;
    assert_int_equal(weft_player_learn(learner, row, 0, row == 0 ? 1 : -1, &outcome, NULL), WEFT_OK);
    return outcome.threshold;
}

static weft_side *three_ids(void)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(3, NULL, &side, NULL), WEFT_OK);
    return side;
}

static void test_thresholds_are_uniform(void **state)
{
    const double gamma = 0.3;
    weft_side *side = three_ids();
    weft_player *learner = make_learner(side, gamma, 12345, false);
    double *draws = naive_new(DRAWS, sizeof *draws);
    for (int64_t t = 0; t < DRAWS; t++) {
        draws[t] = next_threshold(learner, t % 3);
        assert_true(fabs(draws[t]) < gamma);
        draws[t] = 0.5 + draws[t] / (2 * gamma);
    }
    assert_uncorrelated(draws, draws + 1, DRAWS - 1);
    assert_uniform(draws);
    free(draws);
    weft_player_free(learner);
    weft_side_free(side);
}

static void test_thresholds_depend_on_seed_and_trial_alone(void **state)
{
    weft_side *side = three_ids();
    weft_player *a = make_learner(side, 0.3, 7, false), *b = make_learner(side, 0.6, 7, false);
    weft_player *other = make_learner(side, 0.3, 8, false), *fixed = make_learner(side, 0.3, 7, true);
    weft_answer first, second;
    int64_t same = 0;
    for (int64_t t = 0; t < 1000; t++) {
        assert_int_equal(weft_player_predict(a, 0, 0, &first, NULL), WEFT_OK);
        assert_int_equal(weft_player_predict(a, 1, 2, &second, NULL), WEFT_OK);
        assert_true(first.threshold == second.threshold);
        if (t % 2)
            assert_int_equal(weft_player_learn(b, 2, 2, t % 3 ? 1 : -1, NULL, NULL), WEFT_OK);
        double drawn = next_threshold(a, t % 3), elsewhere = next_threshold(other, t % 3);
        assert_true(drawn == first.threshold);
        if (t % 2 == 0)
            assert_true(fabs(2 * drawn - next_threshold(b, 0)) < 1e-15);
        same += drawn == elsewhere;
        assert_true(next_threshold(fixed, 0) == 0);
    }
    assert_int_equal(same, 0);
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(other);
    weft_player_free(fixed);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generator_is_uniform),
                                       cmocka_unit_test(test_thresholds_are_uniform),
                                       cmocka_unit_test(test_thresholds_depend_on_seed_and_trial_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
