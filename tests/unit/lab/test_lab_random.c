/* SPDX-License-Identifier: MIT
 * Draws of the laboratory: SplitMix64 as published, fixed values that another program
 * worked out (whatever is drawn must stay what it is, or seeds mean nothing), and what
 * a draw is said to be. */
#include "unit/test_core_support.h"

#include "lab/problem/random.h"

/* The first draws of a stream, as tests/lab would get them from SplitMix64 in Python. */
static void assert_draws(lab_random random, const uint64_t *expected, int count)
{
    for (int k = 0; k < count; k++)
        assert_true(lab_draw(&random) == expected[k]);
}

static void the_published_vectors_are_met(void **state)
{
    const uint64_t zero[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                             UINT64_C(0x06c45d188009454f)};
    const uint64_t other[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                              UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                              UINT64_C(16408922859458223821)};
    assert_draws((lab_random){.state = 0}, zero, 3);
    assert_draws((lab_random){.state = 1234567}, other, 5);
}

static void a_seed_means_the_same_for_ever(void **state)
{
    const uint64_t matrix[] = {UINT64_C(0xd869b0178d5e565c), UINT64_C(0xbe61d444ae08a383),
                               UINT64_C(0xdd24ef3a77ec0e2d)};
    const uint64_t extreme[] = {UINT64_C(0x775de68b594371ed), UINT64_C(0x4dae1a7350d2ac0c),
                                UINT64_C(0x7380cb5f22cbf82d)};
    const uint64_t bytes[] = {UINT64_C(0xd414feae389121ec), UINT64_C(0x073a3155d823a83c)};
    assert_draws(lab_random_begin(1, "matrix", 40, 0), matrix, 3);
    assert_draws(lab_random_begin(UINT64_MAX, "", -1, INT64_MAX), extreme, 3);
    assert_draws(lab_random_begin(7, "str\xc3\xa9", -5, 3), bytes, 2);
}

static void derived_draws_are_what_they_were(void **state)
{
    const int64_t small[] = {0, 8, 8, 1, 5, 6, 6, 1, 4, 6, 7, 7};
    /* 2^64 is two rounds of 3 2^61 and a third of another, which is thrown away. */
    const int64_t large[] = {INT64_C(6800950303748825987), INT64_C(3730166907808947668),
                             INT64_C(6844893980700999741), INT64_C(5838319812178868208)};
    const double share[] = {0.8453626687527216, 0.7436802547145214, 0.8638448255295971};
    lab_random random = lab_random_begin(1, "matrix", 40, 0);
    for (int k = 0; k < 12; k++)
        assert_int_equal(lab_below(&random, 9), small[k]);
    random = lab_random_begin(1, "matrix", 40, 0);
    for (int k = 0; k < 4; k++)
        assert_int_equal(lab_below(&random, 3 * (INT64_C(1) << 61)), large[k]);
    random = lab_random_begin(1, "matrix", 40, 0);
    for (int k = 0; k < 3; k++)
        assert_true(lab_uniform(&random) == share[k]);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* A collision among 10^4 draws of 64 bits has probability 3e-12. */
static void streams_of_different_purposes_differ(void **state)
{
    static const char *const purposes[] = {"", "a", "b", "ab", "ba", "stream", "row graph", "column graph"};
    enum { SEEDS = 12, ARGUMENTS = 10, COUNT = 8 * SEEDS * ARGUMENTS * ARGUMENTS };
    uint64_t *first = malloc(COUNT * sizeof *first);
    int count = 0;
    for (int p = 0; p < 8; p++)
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            for (int64_t a = 0; a < ARGUMENTS; a++)
                for (int64_t b = 0; b < ARGUMENTS; b++) {
                    lab_random random = lab_random_begin(seed, purposes[p], a, b);
                    first[count++] = lab_draw(&random);
                }
    assert_int_equal(count, COUNT);
    qsort(first, COUNT, sizeof *first, compare_numbers);
    for (int k = 1; k < COUNT; k++)
        assert_true(first[k] != first[k - 1]);
    free(first);
}

/* ---- What a draw is said to be ---- */

/* Sum of (found - expected)^2 / expected, its mean `kinds` - 1 and deviation sqrt(2 (kinds - 1)):
 * five deviations above is one seed in some ten thousand, and these seeds are fixed. */
static void assert_alike(const int64_t *found, int kinds, int64_t draws)
{
    double expected = (double)draws / kinds, sum = 0, freedom = kinds - 1;
    for (int k = 0; k < kinds; k++)
        sum += ((double)found[k] - expected) * ((double)found[k] - expected) / expected;
    if (!(sum < freedom + 5 * sqrt(2 * freedom)))
        fail_msg("chi-square %g of %d kinds", sum, kinds);
}

static void whole_numbers_below_are_alike(void **state)
{
    for (int limit = 2; limit <= 13; limit++) {
        enum { DRAWS = 6000 };
        int64_t found[13] = {0};
        lab_random random = lab_random_begin(3, "below", limit, 0);
        for (int k = 0; k < DRAWS; k++) {
            int64_t x = lab_below(&random, limit);
            assert_in_range(x, 0, limit - 1);
            found[x]++;
        }
        assert_alike(found, limit, DRAWS);
    }
}

/* x mod limit without throwing away would make the low third twice as likely. */
static void the_incomplete_round_is_thrown_away(void **state)
{
    enum { DRAWS = 6000 };
    int64_t third = INT64_C(1) << 61, found[3] = {0};
    lab_random random = lab_random_begin(4, "below", 0, 0);
    for (int k = 0; k < DRAWS; k++)
        found[lab_below(&random, 3 * third) / third]++;
    assert_alike(found, 3, DRAWS);
}

static void limits_of_below_work(void **state)
{
    lab_random random = lab_random_begin(5, "below", 0, 0);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(lab_below(&random, 1), 0);
        assert_true(lab_below(&random, INT64_MAX) >= 0);
    }
}

static void shares_are_in_range_and_alike(void **state)
{
    enum { DRAWS = 10000, KINDS = 16 };
    int64_t found[KINDS] = {0}, between[KINDS] = {0};
    lab_random random = lab_random_begin(6, "uniform", 0, 0);
    for (int k = 0; k < DRAWS; k++) {
        double x = lab_uniform(&random), y = lab_between(&random, -3, 5);
        assert_true(x >= 0 && x < 1 && x * 0x1p53 == floor(x * 0x1p53));
        assert_true(y >= -3 && y <= 5);
        found[(int)(x * KINDS)]++;
        between[(int)((y + 3) / 8 * KINDS)]++;
    }
    assert_alike(found, KINDS, DRAWS);
    assert_alike(between, KINDS, DRAWS);
    assert_true(lab_between(&random, 0.1, 0.1) == 0.1);
}

static void events_have_their_probability(void **state)
{
    enum { DRAWS = 10000 };
    const double probability[] = {0, 0.03125, 0.1, 0.5, 0.9, 1};
    for (int p = 0; p < 6; p++) {
        lab_random random = lab_random_begin(7, "event", p, 0);
        double mean = probability[p] * DRAWS, found = 0;
        for (int k = 0; k < DRAWS; k++)
            found += lab_event(&random, probability[p]);
        assert_near(found, mean, 4 * sqrt(mean * (1 - probability[p])));
    }
}

static void signs_are_fair(void **state)
{
    enum { DRAWS = 10000 };
    lab_random random = lab_random_begin(8, "sign", 0, 0);
    int sum = 0;
    for (int k = 0; k < DRAWS; k++) {
        int sign = lab_sign(&random);
        assert_true(sign == 1 || sign == -1);
        sum += sign;
    }
    assert_near(sum, 0, 4 * sqrt(DRAWS));
}

static void a_permutation_is_one(void **state)
{
    lab_random random = lab_random_begin(9, "permutation", 0, 0);
    for (int64_t count = 0; count < 60; count++) {
        bool seen[60] = {false};
        int64_t *order = lab_permutation(&random, count);
        assert_non_null(order);
        for (int64_t k = 0; k < count; k++) {
            assert_true(order[k] >= 0 && order[k] < count && !seen[order[k]]);
            seen[order[k]] = true;
        }
        free(order);
    }
}

static void all_permutations_are_alike(void **state)
{
    enum { DRAWS = 9600 };
    int64_t found[256] = {0}, some[24] = {0};
    lab_random random = lab_random_begin(10, "permutation", 0, 0);
    for (int k = 0; k < DRAWS; k++) {
        int64_t *p = lab_permutation(&random, 4);
        found[p[0] + 4 * p[1] + 16 * p[2] + 64 * p[3]]++;
        free(p);
    }
    int kinds = 0;
    for (int k = 0; k < 256; k++)
        if (found[k] > 0) {
            assert_in_range(kinds, 0, 23);
            some[kinds++] = found[k];
        }
    assert_int_equal(kinds, 24);
    assert_alike(some, 24, DRAWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors_are_met),
        cmocka_unit_test(a_seed_means_the_same_for_ever),
        cmocka_unit_test(derived_draws_are_what_they_were),
        cmocka_unit_test(streams_of_different_purposes_differ),
        cmocka_unit_test(whole_numbers_below_are_alike),
        cmocka_unit_test(the_incomplete_round_is_thrown_away),
        cmocka_unit_test(limits_of_below_work),
        cmocka_unit_test(shares_are_in_range_and_alike),
        cmocka_unit_test(events_have_their_probability),
        cmocka_unit_test(signs_are_fair),
        cmocka_unit_test(a_permutation_is_one),
        cmocka_unit_test(all_permutations_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
