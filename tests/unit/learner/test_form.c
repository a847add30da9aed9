/* SPDX-License-Identifier: MIT
 * The three forms against their formulas. */
#include "unit/test_core_support.h"

#include "learner/form.h"

static weft__bracket between(double lower, double upper)
{
    return (weft__bracket){
        .log_lower = log(lower), .log_upper = log(upper), .log_value = log((lower + upper) / 2)};
}

/* A reading with kappa = 1/2 of brackets of q / kappa. */
static weft__reading read_two(const weft__bracket *plus, const weft__bracket *minus, double s)
{
    return (weft__reading){.log_kappa = log(0.5), .s = s, .bracket = {plus, minus}};
}

static void every_form_is_listed(void **state)
{
    assert_string_equal(weft__form_find(WEFT_PAPER)->name, "paper");
    assert_string_equal(weft__form_find(WEFT_BALANCED)->name, "balanced");
    assert_string_equal(weft__form_find(WEFT_ONE_SET)->name, "one set");
    assert_null(weft__form_find((weft_form)3));
    assert_null(weft__form_find((weft_form)-1));
    assert_int_equal(weft__form_find(WEFT_PAPER)->vectors, 1);
    assert_int_equal(weft__form_find(WEFT_BALANCED)->vectors, 2);
    assert_int_equal(weft__form_find(WEFT_ONE_SET)->vectors, 1);
}

static void pairs_become_vectors(void **state)
{
    weft__embedding e = weft__form_find(WEFT_PAPER)->embed(0.3, 0.2);
    assert_true(e.value[0][0] == 1 && e.value[0][1] == 1 && e.s == 1);
    e = weft__form_find(WEFT_ONE_SET)->embed(0.3, 0.2);
    assert_true(e.value[0][0] == 1 && e.value[0][1] == -1 && e.s == 1);
    e = weft__form_find(WEFT_BALANCED)->embed(0.25, 0.09);
    assert_near(e.s, 0.15, 1e-15);
    for (int v = 0; v < 2; v++) {
        /* e'Ke = 1 for both, and they are orthogonal: K has no cross term. */
        assert_near(e.value[v][0] * e.value[v][0] * 0.25 + e.value[v][1] * e.value[v][1] * 0.09, 1, 1e-15);
        assert_near(fabs(e.value[v][1]), 1 / (0.3 * sqrt(2)), 1e-14);
    }
    assert_true(e.value[0][1] == -e.value[1][1] && e.value[0][0] == e.value[1][0]);
    e = weft__form_find(WEFT_BALANCED)->embed(0, 0.09);
    assert_true(e.s == 0 && e.value[0][0] == 0 && e.value[1][1] == 0);
    e = weft__form_find(WEFT_BALANCED)->embed(0.25, 0);
    assert_true(e.s == 0);
}

static void labels_change_the_exponent(void **state)
{
    assert_true(weft__form_find(WEFT_PAPER)->coefficient(0, 1, 1) == 1);
    assert_true(weft__form_find(WEFT_PAPER)->coefficient(0, -1, 1) == -1);
    assert_true(weft__form_find(WEFT_ONE_SET)->coefficient(0, 1, 1) == -1);
    assert_true(weft__form_find(WEFT_ONE_SET)->coefficient(0, -1, 1) == 1);
    assert_true(weft__form_find(WEFT_BALANCED)->coefficient(0, 1, 0.2) == 0.2);
    assert_true(weft__form_find(WEFT_BALANCED)->coefficient(1, 1, 0.2) == -0.2);
    assert_true(weft__form_find(WEFT_BALANCED)->coefficient(0, -1, 0.2) == -0.2);
    assert_true(weft__form_find(WEFT_BALANCED)->coefficient(1, -1, 0.2) == 0.2);
}

static void margins_follow_their_formulas(void **state)
{
    weft__bracket plus = between(2.8, 3.2), minus = between(0.4, 0.8);
    weft__reading reading = read_two(&plus, &minus, 0.25);
    weft__margin m = weft__form_find(WEFT_PAPER)->margin(&reading);
    assert_near(m.lower, 0.4, 1e-15);
    assert_near(m.upper, 0.6, 1e-15);
    assert_near(m.guess, 0.5, 1e-15);
    m = weft__form_find(WEFT_ONE_SET)->margin(&reading);
    assert_near(m.lower, -0.6, 1e-15);
    assert_near(m.upper, -0.4, 1e-15);
    assert_near(m.guess, -0.5, 1e-15);
    m = weft__form_find(WEFT_BALANCED)->margin(&reading);
    assert_near(m.lower, 0.25 * (1.4 - 0.4), 1e-15);
    assert_near(m.upper, 0.25 * (1.6 - 0.2), 1e-15);
    assert_near(m.guess, 0.25 * (1.5 - 0.3), 1e-15);
}

/* Levels around [lower, upper]: certainly above, unknown, certainly below. */
static void check_compare(weft_form form, const weft__reading *reading)
{
    const weft__form_ops *kind = weft__form_find(form);
    weft__margin m = kind->margin(reading);
    double width = m.upper - m.lower;
    assert_int_equal(kind->compare(reading, m.lower - 0.01 * width), 1);
    assert_int_equal(kind->compare(reading, m.lower + 0.01 * width), 0);
    assert_int_equal(kind->compare(reading, m.upper - 0.01 * width), 0);
    assert_int_equal(kind->compare(reading, m.upper + 0.01 * width), -1);
}

static void comparisons_agree_with_margins(void **state)
{
    weft__bracket plus = between(2.2, 2.6), minus = between(0.4, 0.8), huge = between(1e200, 3e200);
    weft__reading reading = read_two(&plus, &minus, 0.25);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        check_compare((weft_form)form, &reading);
    reading.bracket[1] = &huge;
    check_compare(WEFT_BALANCED, &reading);
    reading = read_two(&huge, &minus, 0.25);
    check_compare(WEFT_BALANCED, &reading);
    check_compare(WEFT_PAPER, &reading);
}

/* gamma = 1 and y = -1: q against 0 or 2, where rounding must not decide. */
static void the_ends_of_the_scale(void **state)
{
    weft__bracket zero = {-INFINITY, -INFINITY, -INFINITY, 0, false}, tiny = between(1e-300, 2e-300);
    weft__bracket open = {-INFINITY, 0, 0, 0, false};
    weft__reading reading = read_two(&zero, &zero, 1);
    /* q = 0: margin -1 is below every level of the paper's form, even -1. */
    assert_int_equal(weft__form_find(WEFT_PAPER)->compare(&reading, -1), -1);
    assert_int_equal(weft__form_find(WEFT_PAPER)->compare(&reading, 0), -1);
    assert_int_equal(weft__form_find(WEFT_ONE_SET)->compare(&reading, 1), 1);
    assert_int_equal(weft__form_find(WEFT_BALANCED)->compare(&reading, 0), 1);
    assert_true(weft__form_find(WEFT_PAPER)->margin(&reading).lower == -1);
    assert_true(weft__form_find(WEFT_ONE_SET)->margin(&reading).upper == 1);
    assert_true(weft__form_find(WEFT_BALANCED)->margin(&reading).guess == 0);
    reading = read_two(&tiny, &zero, 1);
    assert_int_equal(weft__form_find(WEFT_PAPER)->compare(&reading, -1), 1);
    assert_int_equal(weft__form_find(WEFT_ONE_SET)->compare(&reading, 1), -1);
    reading = read_two(&open, &zero, 1);
    assert_int_equal(weft__form_find(WEFT_PAPER)->compare(&reading, -1), 0);
    assert_int_equal(weft__form_find(WEFT_ONE_SET)->compare(&reading, 1), 0);
}

static void margins_saturate(void **state)
{
    weft__bracket huge = {5000, 6000, 5500, 0, false}, zero = {-INFINITY, -INFINITY, -INFINITY, 0, false};
    weft__reading reading = read_two(&huge, &zero, 0.5);
    weft__margin m = weft__form_find(WEFT_PAPER)->margin(&reading);
    assert_true(m.lower == WEFT_MARGIN_LIMIT && m.upper == WEFT_MARGIN_LIMIT && m.guess == WEFT_MARGIN_LIMIT);
    m = weft__form_find(WEFT_ONE_SET)->margin(&reading);
    assert_true(m.lower == -WEFT_MARGIN_LIMIT && m.upper == -WEFT_MARGIN_LIMIT);
    m = weft__form_find(WEFT_BALANCED)->margin(&reading);
    assert_true(m.lower == WEFT_MARGIN_LIMIT && m.upper == WEFT_MARGIN_LIMIT);
    assert_int_equal(weft__form_find(WEFT_BALANCED)->compare(&reading, 1), 1);
    reading = read_two(&zero, &huge, 0.5);
    m = weft__form_find(WEFT_BALANCED)->margin(&reading);
    assert_true(m.lower == -WEFT_MARGIN_LIMIT && m.upper == -WEFT_MARGIN_LIMIT);
    assert_int_equal(weft__form_find(WEFT_BALANCED)->compare(&reading, -1), -1);
    /* Both huge: the bracket is as wide as can be, and still not NaN. */
    reading = read_two(&huge, &huge, 0.5);
    m = weft__form_find(WEFT_BALANCED)->margin(&reading);
    assert_true(m.lower == -WEFT_MARGIN_LIMIT && m.upper == WEFT_MARGIN_LIMIT && m.guess == 0);
    assert_int_equal(weft__form_find(WEFT_BALANCED)->compare(&reading, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_listed),
        cmocka_unit_test(pairs_become_vectors),
        cmocka_unit_test(labels_change_the_exponent),
        cmocka_unit_test(margins_follow_their_formulas),
        cmocka_unit_test(comparisons_agree_with_margins),
        cmocka_unit_test(the_ends_of_the_scale),
        cmocka_unit_test(margins_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
