/* SPDX-License-Identifier: MIT
 * The least of the largest numbers, against sorting. */
#include "unit/test_core_support.h"

#include "learner/rank/top_k.h"
#include "support/dice.h"

enum { NUMBERS = 60 };

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void it_is_that_of_a_sorted_list(void **state)
{
    dice d = {41};
    for (int64_t most = 1; most <= NUMBERS; most++) {
        double heap[NUMBERS], seen[NUMBERS];
        weft__top_k least = {heap, 0, most};
        for (int64_t k = 0; k < NUMBERS; k++) {
            seen[k] = (double)dice_below(&d, 30);
            weft__top_k_add(&least, seen[k]);
            qsort(seen, (size_t)k + 1, sizeof *seen, falling);
            assert_true(weft__top_k_least(&least) == (k + 1 < most ? -INFINITY : seen[most - 1]));
        }
    }
}

static void none_is_wanted(void **state)
{
    weft__top_k least = {NULL, 0, 0};
    weft__top_k_add(&least, 1);
    assert_true(weft__top_k_least(&least) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_that_of_a_sorted_list),
                                       cmocka_unit_test(none_is_wanted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
