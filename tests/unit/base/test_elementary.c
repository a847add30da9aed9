/* SPDX-License-Identifier: MIT
 * Special values, exact cases, identities and order of the elementary functions.  How close they are is
 * judged in tests/oracle/run_elementary.py. */
#include "unit/test_core_support.h"

#include "base/elementary.h"

#include <float.h>

/* A number for the comparison to the bit; all NaN are one. */
static bool same(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

typedef struct value {
    double (*function)(double);
    double x, y;
} value;

static const value values[] = {
    {weft__exp, 0.0, 1},
    {weft__exp, -0.0, 1},
    {weft__exp, INFINITY, INFINITY},
    {weft__exp, -INFINITY, 0},
    {weft__exp, NAN, NAN},
    {weft__exp, 1, 0x1.5bf0a8b145769p+1},
    {weft__exp, 0x1p-54, 1},
    {weft__exp, 1e-320, 1},
    {weft__exp, DBL_MAX, INFINITY},
    {weft__exp, -DBL_MAX, 0},
    {weft__exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023}, /* the last before overflow */
    {weft__exp, 0x1.62e42fefa39f0p+9, INFINITY},
    {weft__exp, -0x1.74910d52d3051p+9, 0x1p-1074}, /* the last above half of the least */
    {weft__exp, -0x1.74910d52d3052p+9, 0},
    {weft__exp2, 0.0, 1},
    {weft__exp2, -INFINITY, 0},
    {weft__exp2, INFINITY, INFINITY},
    {weft__exp2, NAN, NAN},
    {weft__exp2, 1024, INFINITY},
    {weft__exp2, -1075, 0},
    {weft__exp2, DBL_MAX, INFINITY},
    {weft__exp2, -DBL_MAX, 0},
    {weft__expm1, 0.0, 0.0},
    {weft__expm1, -0.0, -0.0},
    {weft__expm1, 1e-320, 1e-320},
    {weft__expm1, -0x1p-60, -0x1p-60},
    {weft__expm1, INFINITY, INFINITY},
    {weft__expm1, -INFINITY, -1},
    {weft__expm1, -50, -1},
    {weft__expm1, 710, INFINITY},
    {weft__expm1, NAN, NAN},
    {weft__log, 0.0, -INFINITY},
    {weft__log, -0.0, -INFINITY},
    {weft__log, 1, 0.0},
    {weft__log, -1, NAN},
    {weft__log, -INFINITY, NAN},
    {weft__log, INFINITY, INFINITY},
    {weft__log, NAN, NAN},
    {weft__log, 2, 0x1.62e42fefa39efp-1},
    {weft__log, 0x1p-1074, -0x1.74385446d71c3p+9},
    {weft__log, DBL_MAX, 0x1.62e42fefa39efp+9},
    {weft__log1p, 0.0, 0.0},
    {weft__log1p, -0.0, -0.0},
    {weft__log1p, -1, -INFINITY},
    {weft__log1p, -1.5, NAN},
    {weft__log1p, INFINITY, INFINITY},
    {weft__log1p, -INFINITY, NAN},
    {weft__log1p, NAN, NAN},
    {weft__log1p, 1, 0x1.62e42fefa39efp-1},
    {weft__log1p, 1e-320, 1e-320},
    {weft__log1p, DBL_MAX, 0x1.62e42fefa39efp+9},
    {weft__log2, 0.0, -INFINITY},
    {weft__log2, -2, NAN},
    {weft__log2, INFINITY, INFINITY},
    {weft__log2, NAN, NAN},
    {weft__log10, 0.0, -INFINITY},
    {weft__log10, -2, NAN},
    {weft__log10, INFINITY, INFINITY},
    {weft__log10, NAN, NAN},
    {weft__asinh, 0.0, 0.0},
    {weft__asinh, -0.0, -0.0},
    {weft__asinh, 1e-320, 1e-320},
    {weft__asinh, INFINITY, INFINITY},
    {weft__asinh, -INFINITY, -INFINITY},
    {weft__asinh, NAN, NAN},
    {weft__asinh, DBL_MAX, 0x1.633ce8fb9f87ep+9},
};

static void special_values_are_those_of_annex_F(void **state)
{
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        double found = values[k].function(values[k].x);
        if (!same(found, values[k].y))
            fail_msg("values[%zu]: f(%a) = %a, expected %a", k, values[k].x, found, values[k].y);
    }
}

static const double powers[][3] = {
    {0, 0, 1},
    {NAN, 0, 1},
    {1, NAN, 1},
    {1, INFINITY, 1},
    {-1, INFINITY, 1},
    {-1, -INFINITY, 1},
    {NAN, 1, NAN},
    {2, NAN, NAN},
    {0.0, 3, 0.0},
    {-0.0, 3, -0.0},
    {-0.0, 2, 0.0},
    {-0.0, 0.5, 0.0},
    {0.0, -3, INFINITY},
    {-0.0, -3, -INFINITY},
    {-0.0, -2, INFINITY},
    {-0.0, -INFINITY, INFINITY},
    {0.5, INFINITY, 0},
    {0.5, -INFINITY, INFINITY},
    {-2, INFINITY, INFINITY},
    {-2, -INFINITY, 0},
    {INFINITY, 0.5, INFINITY},
    {INFINITY, -0.5, 0},
    {-INFINITY, 3, -INFINITY},
    {-INFINITY, 2, INFINITY},
    {-INFINITY, 0.5, INFINITY},
    {-INFINITY, -3, -0.0},
    {-INFINITY, -2, 0},
    {-8, 1.0 / 3, NAN},
    {-2, 3, -8},
    {-2, 4, 16},
    {-1, 0x1p60, 1},
    {-1, 0x1.fffffffffffffp52, -1},
    {2, 1e300, INFINITY},
    {2, -1e300, 0},
    {-2, 1e300, INFINITY},
    {0x1.fffffffffffffp-1, 1e300, 0},
    {0x1.0000000000001p0, -1e300, 0},
    {10, 22, 1e22},
    {10, 308, 1e308},
    {10, 309, INFINITY},
    {5, 3, 125},
    {9, 0.5, 3},
    {0x1p-1074, 0.5, 0x1p-537},
    {0x1p-1074, -0.5, 0x1p537},
    {DBL_MAX, 1, DBL_MAX},
    {DBL_MIN, 1, DBL_MIN},
    {3, 1e-320, 1},
};

static void special_powers_are_those_of_annex_F(void **state)
{
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        double found = weft__pow(powers[k][0], powers[k][1]);
        if (!same(found, powers[k][2]))
            fail_msg("pow(%a, %a) = %a, expected %a", powers[k][0], powers[k][1], found, powers[k][2]);
    }
}

static void powers_of_two_and_ten_are_exact(void **state)
{
    for (int k = -1074; k <= 1023; k++) {
        double power = ldexp(1, k);
        assert_true(weft__exp2(k) == power);
        assert_true(weft__pow(2, k) == power);
        assert_true(weft__log2(power) == k);
    }
    double power = 1;
    for (int k = 0; k <= 22; k++, power *= 10) {
        assert_true(weft__pow(10, k) == power);
        assert_true(weft__log10(power) == k);
    }
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 11;
}

static void inverses_meet(void **state)
{
    uint64_t draw = 1;
    for (int k = 0; k < 100000; k++) {
        double x = ((double)next_random(&draw) * 0x1p-53 - 0.5) * 1400;
        double small = ldexp(x, -(int)(next_random(&draw) % 60) - 11);
        /* An ulp of e^x is |x| ulp, relative to 1, of x. */
        assert_true(fabs(weft__log(weft__exp(x)) - x) <= 0x1p-52 * (1 + fabs(x)));
        assert_true(fabs(weft__log1p(weft__expm1(small)) - small) <= 0x1p-51 * fabs(small));
        assert_true(weft__asinh(-x) == -weft__asinh(x));
        assert_true(weft__pow(fabs(x), 1) == fabs(x));
        double root = weft__pow(fabs(x), 0.5);
        assert_true(fabs(root - sqrt(fabs(x))) <= 0x1p-52 * root);
    }
}

/* Steps over neighbouring doubles, across the places where entries of the tables and branches change. */
static void expect_rising(double (*function)(double), double from)
{
    double before = -INFINITY, x = from;
    for (int k = 0; k < 400; k++)
        x = nextafter(x, -INFINITY);
    for (int k = 0; k < 800; k++, x = nextafter(x, INFINITY)) {
        double now = function(x);
        if (!(now >= before))
            fail_msg("f(%a) = %a after %a", x, now, before);
        before = now;
    }
}

static void they_rise_across_every_seam(void **state)
{
    double step = weft__log(2) / 64;
    for (int m = -200; m <= 200; m++) {
        expect_rising(weft__exp, (m + 0.5) * step);
        expect_rising(weft__expm1, (m + 0.5) * step);
        expect_rising(weft__exp2, (m + 0.5) / 64);
    }
    for (int j = 90; j <= 182; j++) {
        expect_rising(weft__log, (j + 0.5) / 128);
        expect_rising(weft__log1p, (j + 0.5) / 128 - 1);
        expect_rising(weft__log2, (j + 0.5) / 128);
    }
    static const double seams[] = {690,    -690, 709.78, -708.4, -745.1, 0.125,
                                   -0.125, 40,   -36.7,  1000,   -1000,  -1022};
    for (size_t k = 0; k < sizeof seams / sizeof *seams; k++) {
        expect_rising(weft__exp, seams[k]);
        expect_rising(weft__exp2, seams[k]);
        expect_rising(weft__expm1, seams[k]);
    }
    static const double points[] = {0x1p-8, 0x1p28, 0x1p60, 1 + 0x1p-8, 1 - 0x1p-8, 0x1p-28, DBL_MIN};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        expect_rising(weft__log, points[k]);
        expect_rising(weft__log1p, points[k]);
        expect_rising(weft__asinh, points[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values_are_those_of_annex_F),
        cmocka_unit_test(special_powers_are_those_of_annex_F),
        cmocka_unit_test(powers_of_two_and_ten_are_exact),
        cmocka_unit_test(inverses_meet),
        cmocka_unit_test(they_rise_across_every_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
