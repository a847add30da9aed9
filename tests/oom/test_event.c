/* SPDX-License-Identifier: MIT
 * An event of positives alone without memory: the labels that were learnt are told by the counters, and what
 * was asked for is given back. */
#include "oom.h"

#include "../unit/test_core_support.h"
#include "support/panel.h"

enum { IDS = 12 };

static const weft_negatives how = {.count = 3, .seed = 1, .ids = IDS};

/* Whether there was a request k to refuse. */
static bool refuse(int64_t k)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_answer answer = {.label = 9};
    panel p;
    panel_open_all(3, KNOWN_KERNEL, false, IDS, IDS, &p);
    weft_player *player = panel_committee(&p, &(weft_committee_settings){0}, &memory);
    test_alloc_arm(&alloc, k);
    weft_status status = weft_player_learn_event(player, &how, (const int64_t[]){2, 5}, &answer, NULL, NULL);
    bool failed = alloc.failed;
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    int64_t learnt = weft_player_counters(player).t;
    assert_int_equal(status, failed ? WEFT_MEMORY : WEFT_OK);
    assert_true(failed ? learnt <= how.count && answer.label == 9 : learnt == 1 + how.count);
    weft_player_free(player);
    panel_close(&p);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return failed;
}

static void learning_an_event(void **state)
{
    int64_t k = 0;
    while (refuse(k))
        k++;
    print_message("%d requests\n", (int)k);
    assert_true(k > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(learning_an_event)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
