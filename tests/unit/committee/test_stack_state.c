/* SPDX-License-Identifier: MIT
 * The online logistic regression as bytes, and without memory. */
#include "test_stack_support.h"

#include "support/alloc.h"

enum { BYTES = 8 * (2 * (4 + 10) + 2) };

static void play_some(weft__stack *stack, dice *d, int trials)
{
    for (int t = 0; t < trials; t++)
        weft__stack_learn(stack, draw_trial(stack, 2, d));
}

static void the_state_comes_back_to_the_bit(void **state)
{
    weft__stack one = make(3), two = make(3);
    dice d = {4}, same;
    unsigned char first[BYTES], second[BYTES];
    play_some(&one, &d, 300);
    weft__stack_drop(&one, 1);
    weft__encoder writer = {.at = first}, again = {.at = second};
    weft__stack_write(&one, &writer);
    assert_int_equal(writer.size, BYTES);
    weft__decoder reader = {first, BYTES, false};
    assert_true(weft__stack_read(&two, &reader));
    assert_int_equal(reader.left, 0);
    same = d;
    play_some(&one, &d, 300);
    play_some(&two, &same, 300);
    writer = (weft__encoder){.at = first};
    weft__stack_write(&one, &writer);
    weft__stack_write(&two, &again);
    assert_memory_equal(first, second, BYTES);
    assert_memory_equal(one.steady.covariance, two.steady.covariance,
                        sizeof(double) * (size_t)(one.n * one.n));
    assert_memory_equal(one.moving.covariance, two.moving.covariance,
                        sizeof(double) * (size_t)(one.n * one.n));
    drop(&one);
    drop(&two);
}

/* The state of three members at first, one number of it another. */
static bool reads(int place, double value, size_t size)
{
    weft__stack stack = make(3);
    unsigned char bytes[BYTES];
    weft__encoder writer = {.at = bytes};
    weft__stack_write(&stack, &writer);
    if (place >= 0) {
        writer = (weft__encoder){.at = bytes + 8 * place};
        weft__put_double(&writer, value);
    }
    weft__decoder reader = {bytes, size, false};
    bool good = weft__stack_read(&stack, &reader);
    drop(&stack);
    return good;
}

static void damaged_bytes_are_refused(void **state)
{
    enum { VARIANCE = 4, COVARIANCE = 5, BELIEF = 28 };
    assert_true(reads(-1, 0, BYTES));
    assert_false(reads(-1, 0, BYTES - 1));
    assert_false(reads(-1, 0, 0));
    for (int place = 0; place < BYTES / 8; place++) {
        assert_false(reads(place, NAN, BYTES));
        assert_false(reads(place, INFINITY, BYTES));
        assert_false(reads(place, -1e300, BYTES));
    }
    assert_true(reads(0, -3, BYTES));
    assert_true(reads(VARIANCE, 1, BYTES));
    assert_false(reads(VARIANCE, 0, BYTES)); /* the other filter hears it */
    assert_true(reads(BELIEF, 0.25, BYTES));
    assert_false(reads(BELIEF, 0, BYTES));
    assert_false(reads(BELIEF, 1, BYTES));
    assert_false(reads(VARIANCE, -0.01, BYTES));
    assert_false(reads(VARIANCE, 3, BYTES));
    assert_true(reads(COVARIANCE, 1.3, BYTES));
    assert_false(reads(COVARIANCE, 1.4, BYTES));
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    for (int64_t k = 0;; k++) {
        test_alloc alloc;
        weft_error error = {0};
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft__stack stack = {.count = -7};
        weft_status status = weft__stack_create(&memory, 5, &stack, &error);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            weft__stack_release(&stack, &memory);
        else
            assert_int_equal(stack.count, -7);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_comes_back_to_the_bit),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
