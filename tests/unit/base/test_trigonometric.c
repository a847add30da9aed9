/* SPDX-License-Identifier: MIT
 * Special values and identities of the sine and cosine, and the doubles that are hardest to reduce. */
#include "unit/test_core_support.h"

#include "base/elementary.h"

static void special_values(void **state)
{
    double sine, cosine;
    static const double none[] = {INFINITY, -INFINITY, NAN};
    for (int k = 0; k < 3; k++) {
        weft__sin_cos(none[k], &sine, &cosine);
        assert_true(isnan(sine) && isnan(cosine));
    }
    static const double tiny[] = {0.0, -0.0, 0x1p-1074, -0x1p-28};
    for (int k = 0; k < 4; k++) {
        weft__sin_cos(tiny[k], &sine, &cosine);
        assert_true(sine == tiny[k] && signbit(sine) == signbit(tiny[k]) && cosine == 1);
    }
}

/* Multiples of pi/2 rounded to double: what is left is known from the digits of pi. */
static void multiples_of_pi(void **state)
{
    double sine, cosine;
    weft__sin_cos(0x1.921fb54442d18p+1, &sine, &cosine);
    assert_true(sine == 0x1.1a62633145c07p-53 && cosine == -1);
    weft__sin_cos(0x1.921fb54442d18p+0, &sine, &cosine);
    assert_true(sine == 1 && cosine == 0x1.1a62633145c07p-54);
    /* The double of all that is closest to a multiple of pi/2, 6381956970095103 2^797. */
    weft__sin_cos(0x1.6ac5b262ca1ffp+849, &sine, &cosine);
    assert_true(sine == 1 && cosine == -0x1.14ae72e6ba22fp-61);
    weft__sin_cos(1e22, &sine, &cosine);
    assert_true(sine == -0x1.b453ab76bf397p-1);
}

static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static void identities(void **state)
{
    uint64_t draw = 7;
    for (int k = 0; k < 200000; k++) {
        double x = ldexp(drawn(&draw), (int)(drawn(&draw) * 1054) - 30), sine, cosine, back, same;
        weft__sin_cos(x, &sine, &cosine);
        assert_true(fabs(sine * sine + cosine * cosine - 1) <= 0x1p-51);
        weft__sin_cos(-x, &back, &same);
        assert_true(back == -sine && same == cosine);
        /* 2x is exact, sin 2x = 2 sin x cos x. */
        weft__sin_cos(2 * x, &back, &same);
        assert_true(fabs(back - 2 * sine * cosine) <= 0x1p-51);
    }
}

/* The two reductions give the same where they meet. */
static void seams(void **state)
{
    static const double at[] = {0x1.921fb54442d18p-1, 0x1p20, 0x1p-27};
    for (int k = 0; k < 3; k++) {
        double x = at[k], before, sine, cosine;
        weft__sin_cos(nextafter(x, 0), &before, &cosine);
        for (int step = 0; step < 100; step++, x = nextafter(x, INFINITY)) {
            weft__sin_cos(x, &sine, &cosine);
            assert_true(fabs(sine - before) <= 0x1p-52 + fabs(x) * 0x1p-52);
            before = sine;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values),
        cmocka_unit_test(multiples_of_pi),
        cmocka_unit_test(identities),
        cmocka_unit_test(seams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
