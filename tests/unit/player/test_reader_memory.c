/* SPDX-License-Identifier: MIT
 * Readers with one allocation refused, every one in turn, on whichever thread it is: nothing leaks, nothing
 * hangs, learning goes on, and with memory to be had the reader says what a copy would. */
#include "test_reader_support.h"

#include <stdatomic.h>

/* A hook for many threads: refuses one request, and counts the blocks. */
typedef struct counter {
    _Atomic int64_t left; /* requests before the one that is refused */
    _Atomic int64_t blocks;
    _Atomic bool refused;
} counter;

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size)
{
    counter *c = user;
    (void)old_size;
    if (new_size == 0) {
        c->blocks -= pointer != NULL;
        free(pointer);
        return NULL;
    }
    if (c->left-- == 0) {
        c->refused = true;
        return NULL;
    }
    void *made = realloc(pointer, new_size);
    c->blocks += made != NULL && pointer == NULL;
    return made;
}

/* A label that fails is learnt again, and meanwhile the reader is asked. */
static void learn(script *s, weft_player *player, weft_reader *reader)
{
    weft_error error = {0};
    weft_answer answer;
    weft_status status = script_play(s, player, &error);
    if (status == WEFT_OK)
        return;
    assert_int_equal(status, WEFT_MEMORY);
    if (reader != NULL) {
        status = weft_reader_predict(reader, 1, 1, 0, &answer, NULL, &error);
        assert_true(status == WEFT_OK || status == WEFT_UNSUPPORTED || status == WEFT_MEMORY);
    }
    if (script_play(s, player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

/* False where there was no request k. */
static bool refuse(const scene *stage, int who, int64_t k)
{
    static script s;
    counter c = {.left = INT64_MAX};
    weft_memory memory = {allocate, &c};
    weft_player *player = cast_player(stage, who, &memory);
    weft_reader *reader = NULL;
    weft_answer answer;
    weft_error error = {0};
    memset(&s, 0, sizeof s);
    script_play_until(&s, player, 6);
    c.left = k;
    weft_status status = weft_reader_create(player, &reader, &error);
    assert_true(status == WEFT_OK || (status == WEFT_MEMORY && reader == NULL));
    for (int step = 0; step < 8; step++) {
        learn(&s, player, reader);
        if (reader == NULL)
            continue;
        status = weft_reader_predict(reader, step, 1, 0, &answer, NULL, &error);
        assert_true(status == WEFT_OK || (status == WEFT_MEMORY && error.status == WEFT_MEMORY));
    }
    c.left = INT64_MAX;
    if (reader == NULL)
        assert_int_equal(weft_reader_create(player, &reader, &error), WEFT_OK);
    /* A replica that has failed since tells so once. */
    status = weft_reader_predict(reader, 0, 0, 0, &answer, NULL, &error);
    assert_true(status == WEFT_OK || status == WEFT_MEMORY);
    assert_reads(reader, player, s.labels);
    weft_reader_free(reader);
    weft_player_free(player);
    assert_int_equal(c.blocks, 0);
    return c.refused;
}

static void every_allocation_may_be_refused(void **state)
{
    static const int cast[] = {0, 1, LEARNERS + WEFT_RIVALS - 1, LEARNERS + WEFT_RIVALS, CAST - 1};
    scene stage;
    scene_open(&stage);
    /* A committee of few, as each of its members has many. */
    stage.panel.count = 2;
    stage.panel.members[1] = stage.panel.members[8];
    for (size_t who = 0; who < sizeof cast / sizeof *cast; who++) {
        int64_t k = 0;
        while (refuse(&stage, cast[who], k))
            k++;
        assert_true(k > 10);
    }
    scene_close(&stage);
}

/* From a moment on there is none, for anybody. */
static void a_label_learnt_in_part_is_not_copied(void **state)
{
    static script s;
    scene stage;
    scene_open(&stage);
    for (int64_t k = 0; k < 40; k++) {
        counter c = {.left = INT64_MAX};
        weft_memory memory = {allocate, &c};
        weft_player *player = cast_player(&stage, LEARNERS + WEFT_RIVALS, &memory);
        weft_reader *reader = NULL;
        weft_answer answer;
        int64_t event = -1;
        weft_error error = {0};
        memset(&s, 0, sizeof s);
        assert_int_equal(weft_reader_create(player, &reader, &error), WEFT_OK);
        assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, &event, &error), WEFT_OK);
        c.left = k;
        weft_status status = script_play(&s, player, &error);
        int64_t learnt = s.labels;
        c.left = INT64_MAX;
        assert_true(status == WEFT_OK || status == WEFT_MEMORY);
        weft_status asked = weft_reader_predict(reader, 0, 0, 0, &answer, &event, &error);
        assert_true(asked == WEFT_MEMORY || (asked == WEFT_OK && event <= learnt));
        /* Another label than the one that some have learnt. */
        s.step += status == WEFT_OK ? 0 : 5;
        script_play_until(&s, player, 3);
        asked = weft_reader_predict(reader, 0, 0, 0, &answer, &event, &error);
        assert_true(asked == WEFT_OK || asked == WEFT_MEMORY);
        assert_reads(reader, player, 3);
        weft_player_free(player);
        weft_reader_free(reader);
        assert_int_equal(c.blocks, 0);
    }
    scene_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_be_refused),
        cmocka_unit_test(a_label_learnt_in_part_is_not_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
