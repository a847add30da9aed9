/* SPDX-License-Identifier: MIT
 * Late labels without memory: a call that fails and is repeated leaves what an undisturbed one leaves; a list
 * of open answers that cannot grow stays as it was. */
#include "oom.h"

#include "../unit/test_core_support.h"
#include "support/panel.h"

enum { IDS = 20 };

/* A player that has answered, and then learnt other ids. */
typedef struct scene {
    panel p;
    weft_player *player;
    unsigned char *record;
    size_t size;
} scene;

static weft_player *make(const panel *p, int kind, const weft_memory *memory)
{
    weft_player *player = NULL;
    const weft_member *m = p->members;
    if (kind == 0)
        assert_int_equal(weft_learner_create(m[0].rows, m[0].columns, &m[0].learner, memory, &player, NULL),
                         WEFT_OK);
    else if (kind == 1)
        assert_int_equal(weft_rival_create(m[p->count - 1].rows, m[p->count - 1].columns,
                                           &m[p->count - 1].rival, memory, &player, NULL),
                         WEFT_OK);
    else
        player = panel_committee(p, &(weft_committee_settings){0}, memory);
    return player;
}

/* What is learnt between is of the other ids, so that workspaces are about to grow. */
static void open_scene(int kind, int64_t trials, const weft_memory *memory, scene *s)
{
    panel_open_all(3, KNOWN_KERNEL, false, IDS, IDS, &s->p);
    s->player = make(&s->p, kind, memory);
    assert_int_equal(weft_player_set_context(s->player, (const uint64_t[]){5, 6}, 2, NULL), WEFT_OK);
    assert_int_equal(weft_player_record(s->player, 15, 18, 0, NULL, &s->size, NULL), WEFT_OK);
    s->record = malloc(s->size);
    assert_non_null(s->record);
    assert_int_equal(weft_player_record(s->player, 15, 18, 0, s->record, &s->size, NULL), WEFT_OK);
    for (int64_t t = 0; t < trials; t++)
        assert_int_equal(weft_player_learn(s->player, t % 15, t * 7 % 15, t % 2 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
}

static void close_scene(scene *s)
{
    weft_player_free(s->player);
    panel_close(&s->p);
    free(s->record);
}

/* Whether there was a request k to refuse. */
static bool refuse(int kind, int64_t trials, int64_t k, const panel_state *expected)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_answer answer = {.label = 9};
    scene s;
    open_scene(kind, trials, &memory, &s);
    weft_counters before = weft_player_counters(s.player);
    test_alloc_arm(&alloc, k);
    weft_status status = weft_player_learn_late(s.player, s.record, s.size, -1, &answer, &error);
    bool failed = alloc.failed;
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    if (failed) {
        weft_counters after = weft_player_counters(s.player);
        assert_true(status == WEFT_MEMORY && error.status == WEFT_MEMORY && answer.label == 9);
        assert_memory_equal(&before, &after, sizeof before);
        status = weft_player_learn_late(s.player, s.record, s.size, -1, &answer, NULL);
    }
    assert_int_equal(status, WEFT_OK);
    panel_state found = panel_write(s.player);
    assert_int_equal(found.size, expected->size);
    assert_memory_equal(found.bytes, expected->bytes, found.size);
    free(found.bytes);
    close_scene(&s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return failed;
}

static void learning_late(void **state)
{
    int64_t refused = 0;
    for (int kind = 0; kind < 3; kind++)
        for (int64_t trials = 15; trials <= 16; trials++) {
            scene s;
            open_scene(kind, trials, NULL, &s);
            assert_int_equal(weft_player_learn_late(s.player, s.record, s.size, -1, NULL, NULL), WEFT_OK);
            panel_state expected = panel_write(s.player);
            close_scene(&s);
            int64_t k = 0;
            while (refuse(kind, trials, k, &expected))
                k++;
            refused += k;
            print_message("kind %d after %d trials: %d requests\n", kind, (int)trials, (int)k);
            free(expected.bytes);
        }
    assert_true(refused > 20);
}

static void open_answers(void **state)
{
    bool failed = true;
    for (int64_t k = 0; failed; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_waiting *waiting = NULL;
        weft_open_answer open = {.id = "a", .record = "bcd", .size = 3};
        failed = weft_waiting_create(1000, &memory, &waiting, NULL) != WEFT_OK;
        assert_true(failed == alloc.failed && failed == (waiting == NULL));
        for (int64_t t = 0; !failed && t < 200; t++) {
            open.row = t;
            weft_status status = weft_waiting_add(waiting, &open, NULL);
            failed = alloc.failed;
            assert_int_equal(status, failed ? WEFT_MEMORY : WEFT_OK);
            assert_int_equal(weft_waiting_count(waiting), t + !failed);
            assert_false(weft_waiting_take_pair(waiting, t + 1, 0, &open));
        }
        for (int64_t t = 0; weft_waiting_take_id(waiting, "a", &open); t++)
            assert_int_equal(open.row, t);
        weft_waiting_free(waiting);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_true(failed || k > 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_late),
        cmocka_unit_test(open_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
