/* SPDX-License-Identifier: MIT
 * Paired comparisons, against sums over blocks from the definition, and normal quantiles from tables. */
#include "unit/test_core_support.h"

#include "player/paired.h"
#include "support/dice.h"

enum { MOST = 70000 };

static const double QUANTILE[] = {0, 1.959963984540054, 2.241402727604947,
                                  2.3939797998185104}; /* 1 - .025 / k */

/* The least power of 2 that makes no more blocks than trials in one, and fewer than there is room for. */
static int64_t length_of(int64_t trials)
{
    int64_t length = 1;
    while (trials / length > length || trials / length >= WEFT_BLOCKS)
        length *= 2;
    return length;
}

static void check(const weft_paired *paired, const double *with, const double *without, int64_t trials)
{
    long double a = 0, b = 0, sum = 0, squares = 0;
    int64_t length = length_of(trials);
    for (int64_t t = 0; t < trials; t++) {
        a += with[t];
        b += without[t];
        sum += without[t] - with[t];
        if ((t + 1) % length == 0 || t + 1 == trials) {
            squares += sum * sum;
            sum = 0;
        }
    }
    for (int told = 1; told <= 3; told++) {
        weft_difference d = weft_paired_difference(paired, told);
        double saved = (double)(b - a), deviation = (double)sqrtl(squares);
        assert_int_equal(paired->count, trials);
        assert_near(d.with, (double)a, 1e-8);
        assert_near(d.without, (double)b, 1e-8);
        assert_near(d.saved, saved, 1e-8);
        assert_near(d.high - d.saved, QUANTILE[told] * deviation, 1e-7);
        assert_near(d.saved - d.low, QUANTILE[told] * deviation, 1e-7);
        assert_near(d.z, deviation > 0 ? saved / deviation : 0, 1e-9);
        assert_near(d.p, fmin(1, told * erfc(fabs(d.z) / sqrt(2))), 1e-12);
    }
}

static void draw(dice *d, int64_t count, double lead, double *with, double *without)
{
    for (int64_t t = 0; t < count; t++) {
        with[t] = dice_uniform(d);
        without[t] = dice_uniform(d) + lead;
    }
}

static void as_defined(void **state)
{
    static double with[MOST], without[MOST];
    static const double leads[] = {0, 0.01, -0.3};
    for (int k = 0; k < 3; k++) {
        dice d = {(uint64_t)k + 1};
        weft_paired paired = {0};
        check(&paired, with, without, 0);
        draw(&d, MOST, leads[k], with, without);
        for (int64_t t = 0, next = 1; t < MOST; t++) {
            weft_paired_add(&paired, with[t], without[t]);
            if (t + 1 < next && t + 1 < MOST)
                continue;
            check(&paired, with, without, t + 1);
            next += 1 + next / 7;
        }
    }
    (void)state;
}

/* Sums are those of both; blocks are those of each, as far as the lengths allow. */
static void appended(void **state)
{
    static double with[MOST], without[MOST];
    static const int64_t sizes[] = {0, 1, 5, 64, 100, 4096, 30000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    dice d = {5};
    draw(&d, MOST, 1, with, without);
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SIZES; j++) {
            weft_paired first = {0}, second = {0};
            for (int64_t t = 0; t < sizes[i]; t++)
                weft_paired_add(&first, with[t], without[t]);
            for (int64_t t = 0; t < sizes[j]; t++)
                weft_paired_add(&second, with[sizes[i] + t], without[sizes[i] + t]);
            weft_difference a = weft_paired_difference(&first, 1), b = weft_paired_difference(&second, 1);
            weft__paired_append(&first, &second);
            weft_difference sum = weft_paired_difference(&first, 1);
            assert_int_equal(first.count, sizes[i] + sizes[j]);
            assert_near(sum.with, a.with + b.with, 1e-8);
            assert_near(sum.saved, a.saved + b.saved, 1e-8);
            assert_true(first.blocks < WEFT_BLOCKS && (first.count == 0 || first.blocks <= first.length));
            /* all of one sign: joining makes squares larger */
            assert_true(sum.high - sum.low >= (1 - 1e-9) * hypot(a.high - a.low, b.high - b.low));
        }
    (void)state;
}

/* As many as there are blocks in a row prove something, fewer do not; nothing is proved of equals. */
static void verdicts(void **state)
{
    weft_paired none = {0}, good = {0};
    for (int64_t t = 0; t < 10000; t++)
        weft_paired_add(&none, 0.5, 0.5);
    weft_difference equal = weft_paired_difference(&none, 3);
    assert_true(equal.z == 0 && equal.p == 1 && equal.low == 0 && equal.high == 0);
    assert_int_equal(weft_verdict_of(&equal, 100), WEFT_AT_MOST);
    assert_int_equal(weft_verdict_of(&equal, 99), WEFT_UNCLEAR);
    for (int64_t t = 0; t < 5; t++)
        weft_paired_add(&good, 0, 1);
    weft_difference few = weft_paired_difference(&good, 1);
    assert_int_equal(weft_verdict_of(&few, 100), WEFT_UNCLEAR);
    for (int64_t t = 0; t < 95; t++)
        weft_paired_add(&good, 0, 1);
    weft_difference many = weft_paired_difference(&good, 1);
    assert_int_equal(weft_verdict_of(&many, 0), WEFT_HELPS);
    weft_difference small = {.with = 100, .low = -3, .high = 1};
    assert_int_equal(weft_verdict_of(&small, 100), WEFT_AT_MOST);
    small.high = 1.01;
    assert_int_equal(weft_verdict_of(&small, 100), WEFT_UNCLEAR);
    assert_string_equal(weft_verdict_name(WEFT_UNCLEAR), "unclear");
    assert_string_equal(weft_verdict_name(WEFT_HELPS), "helps");
    assert_string_equal(weft_verdict_name(WEFT_AT_MOST), "at_most");
    assert_null(weft_verdict_name((weft_verdict)3));
    assert_null(weft_verdict_name((weft_verdict)-1));
    (void)state;
}

/* Whoever is no better is said to help no more often than the level says, alone or in threes. */
static void by_chance(void **state)
{
    enum { STREAMS = 4000, TRIALS = 200 };
    dice d = {11};
    int64_t wrong = 0;
    for (int64_t s = 0; s < STREAMS; s++) {
        bool any = false;
        for (int k = 0; k < 3; k++) {
            weft_paired paired = {0};
            double lead = 0;
            for (int64_t t = 0; t < TRIALS; t++) {
                /* in runs of five */
                lead = t % 5 == 0 ? dice_uniform(&d) - 0.5 : lead;
                weft_paired_add(&paired, 1, 1 + lead);
            }
            any = any || weft_paired_difference(&paired, 3).low > 0;
        }
        wrong += any;
    }
    /* one side of a test of two: WEFT_LEVEL / 2, with three standard deviations of chance */
    assert_true((double)wrong <= STREAMS * WEFT_LEVEL / 2 + 3 * sqrt(STREAMS * WEFT_LEVEL / 2));
    assert_true(wrong > 0);
    (void)state;
}

/* Nothing was played. */
static void without_trials(void **state)
{
    weft_paired_add(NULL, 1, 2);
    assert_true(weft_paired_difference(NULL, 1).p == 1);
    assert_int_equal(weft_verdict_of(NULL, 1000), WEFT_UNCLEAR);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_defined), cmocka_unit_test(appended),       cmocka_unit_test(verdicts),
        cmocka_unit_test(by_chance),  cmocka_unit_test(without_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
