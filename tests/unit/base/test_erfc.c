/* SPDX-License-Identifier: MIT
 * Special values, symmetry and order of the complementary error function. */
#include "unit/test_core_support.h"

#include "base/elementary.h"

static void special_values(void **state)
{
    assert_true(weft__erfc(0.0) == 1 && weft__erfc(-0.0) == 1);
    assert_true(weft__erfc(INFINITY) == 0 && weft__erfc(-INFINITY) == 2);
    assert_true(weft__erfc(28) == 0 && weft__erfc(-6) == 2);
    assert_true(isnan(weft__erfc(NAN)));
    assert_true(weft__erfc(1e-320) == 1);
    /* Abramowitz and Stegun, table 7.1: erf(1) = 0.8427007929 */
    assert_true(fabs(weft__erfc(1) - 0.1572992070502851) < 1e-16);
}

static void it_falls_and_is_symmetric(void **state)
{
    double before = 2;
    for (int k = -6000; k <= 27000; k++) {
        double now = weft__erfc(k / 1000.0);
        assert_true(now <= before && now >= 0);
        assert_true(fabs(now + weft__erfc(-k / 1000.0) - 2) <= 0x1p-51);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values),
        cmocka_unit_test(it_falls_and_is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
