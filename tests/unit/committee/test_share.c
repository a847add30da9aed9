/* SPDX-License-Identifier: MIT
 * A fixed share by hand: first trials, the term, changes of places, extreme losses, and its bytes.
 * Against a version of its own from the definition, and its guarantee: tests/property/test_share.c. */
#include "unit/test_core_support.h"

#include "committee/vote/fixed_share.h"

static const double PRIOR[WEFT__SHARERS] = {0.125, 0.125, 0.25, 0.5};

static weft__fixed_share fresh(void)
{
    return weft__fixed_share_create(PRIOR);
}

static void first_weights_are_the_priors(void **state)
{
    weft__fixed_share share = fresh();
    assert_memory_equal(share.weight, PRIOR, sizeof PRIOR);
    assert_memory_equal(share.prior, PRIOR, sizeof PRIOR);
    assert_true(share.gap == 0 && share.given == 0);
}

/* The first rate is 8 2^20: of experts 2 and 3, who lose nothing, all is left; then the gap is 1/4, the
 * rate 32, and (v / pi)^(32 / 2^23) is nearly 1: all but the two wrong ones have what the prior gives. */
static void the_first_trial_is_as_worked_out(void **state)
{
    weft__fixed_share share = fresh();
    assert_near(weft__fixed_share_learn(&share, (double[]){1, 1, 0, 0}, 0.25), 0.25, 1e-16);
    assert_near(share.gap, 0.25, 1e-6);
    assert_near(share.given, log(4.0 / 3) / 32, 1e-6);
    assert_near(share.weight[0], 0.25 * 0.125, 1e-12);
    assert_near(share.weight[1], 0.25 * 0.125, 1e-12);
    assert_near(share.weight[2], 0.75 / 3 + 0.25 * 0.25, 1e-5);
    assert_near(share.weight[3], 0.75 * 2 / 3 + 0.25 * 0.5, 1e-5);
}

/* Of equal losses nothing is learnt, and only what has been shared out comes back. */
static void equal_losses_change_nothing(void **state)
{
    weft__fixed_share share = fresh();
    for (int k = 0; k < 3; k++) {
        double loss = 0.5 * k;
        assert_near(weft__fixed_share_learn(&share, (double[]){loss, loss, loss, loss}, 0.5), loss, 1e-15);
        for (int i = 0; i < WEFT__SHARERS; i++)
            assert_near(share.weight[i], PRIOR[i], 1e-9);
    }
    assert_near(share.gap, 0, 1e-12);
}

static void the_term_is_as_defined(void **state)
{
    weft__fixed_share share = fresh();
    share.gap = 16; /* rate 1/2 */
    share.given = 3;
    assert_near(weft__fixed_share_term(&share, 0, 0.5), 16 + 2 * log(8) + 3, 1e-12);
    assert_near(weft__fixed_share_term(&share, 3, 0.01), 16 + 2 * (4 * log(8) + 3 * log(100)) + 3, 1e-12);
}

static void places_change_with_the_weights(void **state)
{
    weft__fixed_share share = fresh();
    weft__fixed_share_learn(&share, (double[]){0.3, 0.1, 0.2, 0.4}, 0.1);
    weft__fixed_share kept = share;
    weft__fixed_share_exchange(&share, 1, 2);
    assert_true(share.weight[1] == kept.weight[2] && share.weight[2] == kept.weight[1]);
    assert_true(share.weight[0] == kept.weight[0] && share.weight[3] == kept.weight[3]);
    assert_memory_equal(share.prior, kept.prior, sizeof kept.prior);
    assert_true(share.gap == kept.gap && share.given == kept.given);
    weft__fixed_share_exchange(&share, 2, 2);
    weft__fixed_share_exchange(&share, 2, 1);
    assert_memory_equal(&share, &kept, sizeof kept);
}

/* One that has been wrong 100,000 times has its share still, and all of it after 60 labels. */
static void nobody_is_given_up(void **state)
{
    weft__fixed_share share = fresh();
    int64_t t = 0;
    for (; t < 100000; t++)
        weft__fixed_share_learn(&share, (double[]){0, 1, 1, 1}, 1 / (double)(t + 2));
    assert_true(share.weight[1] >= 0.99 * 0.125 / (double)(t + 2) && share.weight[0] > 0.999);
    assert_true(share.gap < 12);
    for (; t < 100060; t++)
        weft__fixed_share_learn(&share, (double[]){1, 0, 1, 1}, 1 / (double)(t + 2));
    assert_true(share.weight[1] > 0.99);
}

/* ---- bytes ---- */

enum { GAP, GIVEN, WEIGHT, FIELDS = WEIGHT + WEFT__SHARERS };

static void put(const weft__fixed_share *share, unsigned char *bytes)
{
    weft__encoder writer = {bytes, 0};
    weft__fixed_share_write(share, &writer);
    assert_int_equal(writer.size, 8 * FIELDS);
}

static bool takes(const unsigned char *bytes, size_t size)
{
    weft__fixed_share share = fresh();
    weft__decoder reader = {bytes, size, false};
    return weft__fixed_share_read(&share, &reader);
}

static void refuse(const unsigned char *bytes, int field, double value)
{
    unsigned char copy[8 * FIELDS];
    memcpy(copy, bytes, sizeof copy);
    memcpy(copy + 8 * field, &value, sizeof value);
    if (takes(copy, sizeof copy))
        fail_msg("field %d = %g is believed", field, value);
}

static void what_is_written_is_read(void **state)
{
    unsigned char bytes[8 * FIELDS], again[8 * FIELDS];
    weft__fixed_share share = fresh(), copy = fresh();
    for (int k = 0; k < 20; k++)
        weft__fixed_share_learn(&share, (double[]){k % 2, 0.5, k % 3 == 0, 1}, 0.1);
    put(&share, bytes);
    weft__decoder reader = {bytes, sizeof bytes, false};
    assert_true(weft__fixed_share_read(&copy, &reader) && reader.left == 0);
    put(&copy, again);
    assert_memory_equal(bytes, again, sizeof bytes);
    assert_memory_equal(&share, &copy, sizeof copy);
    for (size_t size = 0; size < sizeof bytes; size++)
        assert_false(takes(bytes, size));
}

static void damaged_bytes_are_refused(void **state)
{
    static const double bad[] = {NAN, -1, INFINITY, -INFINITY, 1e17};
    unsigned char bytes[8 * FIELDS];
    weft__fixed_share share = fresh();
    weft__fixed_share_learn(&share, (double[]){0.5, 0.25, 1, 0}, 0.1);
    put(&share, bytes);
    assert_true(takes(bytes, sizeof bytes));
    for (int field = 0; field < FIELDS; field++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
            refuse(bytes, field, bad[k]);
    for (int i = 0; i < WEFT__SHARERS; i++) {
        refuse(bytes, WEIGHT + i, 0);
        refuse(bytes, WEIGHT + i, share.weight[i] + 1e-5);
        refuse(bytes, WEIGHT + i, share.weight[i] - 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_weights_are_the_priors),   cmocka_unit_test(the_first_trial_is_as_worked_out),
        cmocka_unit_test(equal_losses_change_nothing),    cmocka_unit_test(the_term_is_as_defined),
        cmocka_unit_test(places_change_with_the_weights), cmocka_unit_test(nobody_is_given_up),
        cmocka_unit_test(what_is_written_is_read),        cmocka_unit_test(damaged_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
