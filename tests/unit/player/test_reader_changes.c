/* SPDX-License-Identifier: MIT
 * Readers of a player that changes otherwise than by labels, that fails, or that is freed. */
#define _POSIX_C_SOURCE 200809L

#include "test_reader_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- Changes ---- */

typedef weft_status change(weft_player *player, weft_player *other, weft_error *error);

static weft_status forget(weft_player *player, weft_player *other, weft_error *error)
{
    return weft_player_forget(player, WEFT_ROWS, 2, error);
}

static weft_status merge(weft_player *player, weft_player *other, weft_error *error)
{
    return weft_player_merge(player, other, error);
}

static weft_status reset(weft_player *player, weft_player *other, weft_error *error)
{
    return weft_player_reset(player, error);
}

static weft_status add_evidence(weft_player *player, weft_player *other, weft_error *error)
{
    const weft_evidence_entry entry = {1, 2, 3};
    return weft_player_add_evidence(player, &entry, 1, error);
}

static weft_status count_more(weft_player *player, weft_player *other, weft_error *error)
{
    const weft_counters more = {.t = 10, .trials = 10, .mistakes = 3, .expected_mistakes = 3};
    return weft_player_count_more(player, &more, error);
}

/* As the header says. */
static int64_t event_of(const weft_player *player, int64_t labels)
{
    return weft_player_kind(player) == WEFT_RIVAL ? labels : weft_player_counters(player).t;
}

static void check_changes(const scene *stage, int who)
{
    static change *const changes[] = {forget, merge, add_evidence, count_more, reset};
    static script s;
    weft_player *player = cast_player(stage, who, NULL), *other = cast_player(stage, who, NULL);
    weft_reader *reader = NULL;
    weft_error error = {0};
    memset(&s, 0, sizeof s);
    script_play_until(&s, other, 30);
    memset(&s, 0, sizeof s);
    script_play_until(&s, player, 40);
    /* A rival counts from when it was made. */
    assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        script_play_until(&s, player, s.labels + 10);
        weft_status status = changes[k](player, other, &error);
        assert_true(status == WEFT_OK || status == WEFT_UNSUPPORTED || status == WEFT_ARGUMENT);
        assert_reads(reader, player, event_of(player, s.labels));
        script_play_until(&s, player, s.labels + 10);
        assert_reads(reader, player, event_of(player, s.labels));
    }
    weft_reader_free(reader);
    script_play_until(&s, player, s.labels + 5);
    weft_player_free(player);
    weft_player_free(other);
}

static void other_changes_are_read_at_once(void **state)
{
    scene stage;
    scene_open(&stage);
    for (int who = 0; who < CAST; who++)
        check_changes(&stage, who);
    scene_close(&stage);
}

/* No answer after a change is of before it: not even while the copy is made. */
static void what_is_forgotten_is_not_answered(void **state)
{
    static script s;
    scene stage;
    scene_open(&stage);
    for (int who = CAST - COMMITTEES; who < CAST; who++) {
        weft_player *player = cast_player(&stage, who, NULL);
        weft_reader *reader = NULL;
        memset(&s, 0, sizeof s);
        script_play_until(&s, player, 200);
        assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
        for (int64_t id = 0; id < IDS; id++) {
            weft_answer found, expected;
            weft_player *copy = NULL;
            assert_reads(reader, player, s.labels);
            assert_int_equal(weft_player_forget(player, WEFT_COLUMNS, id, NULL), WEFT_OK);
            assert_int_equal(weft_player_clone(player, &copy, NULL), WEFT_OK);
            assert_int_equal(weft_reader_predict(reader, 1, id, 0, &found, NULL, NULL), WEFT_OK);
            assert_int_equal(weft_player_evaluate(copy, 1, id, 0, &expected, NULL), WEFT_OK);
            assert_true(is_same_answer(&found, &expected));
            weft_player_free(copy);
        }
        weft_reader_free(reader);
        weft_player_free(player);
    }
    scene_close(&stage);
}

/* Whatever else is asked of the player, between two labels. */
static void questions_go_on(void **state)
{
    static script s;
    scene stage;
    scene_open(&stage);
    for (int who = 0; who < CAST; who++) {
        weft_player *player = cast_player(&stage, who, NULL);
        weft_reader *reader = NULL;
        weft_answer answer[3];
        weft_ranked ranked[2];
        int64_t found = 0;
        const int64_t pairs[6] = {0, 1, 2, 3, 4, 5};
        const int labels[3] = {1, -1, 1};
        memset(&s, 0, sizeof s);
        script_play_until(&s, player, 20);
        assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(weft_player_predict_many(player, 3, pairs, 0, 1 + k % 2, answer, NULL), WEFT_OK);
            assert_int_equal(weft_player_rank(player, &(weft_query){.most = 2}, ranked, &found, NULL),
                             WEFT_OK);
            assert_int_equal(weft_player_set_threads(player, k % 3, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn_many(player, 3, pairs, labels, NULL, NULL, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(player, 1, 1, 0, NULL, NULL), WEFT_OK);
        }
        assert_reads(reader, player, s.labels + 15);
        weft_reader_free(reader);
        weft_player_free(player);
    }
    scene_close(&stage);
}

/* ---- How far behind ---- */

/* The follower waits while somebody else has the replica. */
static void seize(weft_reader *reader, bool busy)
{
    weft__monitor_enter(reader->feed->monitor);
    while (busy && reader->busy)
        weft__monitor_wait(reader->feed->monitor);
    reader->busy = busy;
    reader->labels_owed = 0;
    weft__monitor_leave(reader->feed->monitor);
}

static void rest(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

/* The follower sleeps, and is woken by who asks: a label of more than 100 ms ago is known. */
static void old_labels_are_known(void **state)
{
    static script s;
    scene stage;
    scene_open(&stage);
    weft_player *player = cast_player(&stage, 0, NULL);
    weft_reader *reader = NULL;
    weft_answer answer;
    int64_t event = -1;
    memset(&s, 0, sizeof s);
    assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
    assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, &event, NULL), WEFT_OK);
    assert_int_equal(event, 0);
    seize(reader, true);
    script_play_until(&s, player, 3);
    rest(0.12);
    seize(reader, false);
    assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, &event, NULL), WEFT_OK);
    assert_int_equal(event, 3);
    assert_reads(reader, player, 3);
    weft_reader_free(reader);
    weft_player_free(player);
    scene_close(&stage);
}

enum { MANY = 2500, MOST_BEHIND = 1000 };

typedef struct pupil {
    weft_player *player;
    _Atomic int64_t labels;
} pupil;

static void *learn_many(void *argument)
{
    pupil *p = argument;
    for (int64_t k = 0; k < MANY; k++) {
        int64_t pair[2];
        script_pair(k, pair);
        if (weft_player_learn(p->player, pair[0], pair[1], script_label(k), NULL, NULL) != WEFT_OK)
            return p;
        p->labels++;
    }
    return NULL;
}

/* A follower that cannot go on holds the player back, before a thousand labels. */
static void learning_waits_for_its_readers(void **state)
{
    scene stage;
    scene_open(&stage);
    pupil p = {.player = cast_player(&stage, LEARNERS, NULL)};
    weft_reader *reader = NULL;
    weft_answer answer;
    pthread_t thread;
    void *failed = NULL;
    int64_t before = -1;
    assert_int_equal(weft_reader_create(p.player, &reader, NULL), WEFT_OK);
    assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, NULL, NULL), WEFT_OK);
    seize(reader, true);
    assert_int_equal(pthread_create(&thread, NULL, learn_many, &p), 0);
    while (before <= 0 || before != p.labels) {
        before = p.labels;
        rest(0.2);
    }
    assert_true(before <= MOST_BEHIND);
    seize(reader, false);
    assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, NULL, NULL), WEFT_OK);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_reads(reader, p.player, MANY);
    weft_reader_free(reader);
    weft_player_free(p.player);
    scene_close(&stage);
}

/* ---- The end ---- */

static void freeing_ends_what_is_under_way(void **state)
{
    static script s;
    scene stage;
    weft_answer answer;
    weft_error error = {0};
    scene_open(&stage);
    for (int who = 0; who < CAST; who++)
        for (int round = 0; round < 6; round++) {
            weft_player *player = cast_player(&stage, who, NULL);
            weft_reader *first = NULL, *second = NULL;
            memset(&s, 0, sizeof s);
            script_play_until(&s, player, 10);
            assert_int_equal(weft_reader_create(player, &first, NULL), WEFT_OK);
            assert_int_equal(weft_reader_create(player, &second, NULL), WEFT_OK);
            script_play_until(&s, player, 10 + 2 * round);
            weft_reader_free(second);
            script_play_until(&s, player, 12 + 2 * round);
            if (round == 5)
                assert_int_equal(weft_reader_predict(first, 0, 0, 0, &answer, NULL, &error), WEFT_OK);
            weft_player_free(player);
            assert_fails(weft_reader_predict(first, 0, 0, 0, &answer, NULL, &error), WEFT_ARGUMENT, "freed");
            weft_reader_free(first);
        }
    scene_close(&stage);
}

/* One that asks until it is told that there is no player. */
static void *ask_until_freed(void *argument)
{
    weft_answer answer;
    weft_status *status = malloc(sizeof *status);
    do {
        *status = weft_reader_predict(argument, 1, 2, 0, &answer, NULL, NULL);
    } while (*status == WEFT_OK);
    weft_reader_free(argument);
    return status;
}

static void a_player_may_be_freed_while_its_reader_is_asked(void **state)
{
    static script s;
    scene stage;
    scene_open(&stage);
    for (int round = 0; round < 2 * COMMITTEES; round++) {
        weft_player *player = cast_player(&stage, CAST - COMMITTEES + round % COMMITTEES, NULL);
        weft_reader *reader = NULL;
        pthread_t thread;
        void *result = NULL;
        memset(&s, 0, sizeof s);
        assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
        assert_int_equal(pthread_create(&thread, NULL, ask_until_freed, reader), 0);
        script_play_until(&s, player, 20 * round);
        weft_player_free(player);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_int_equal(*(weft_status *)result, WEFT_ARGUMENT);
        free(result);
    }
    scene_close(&stage);
}

static void arguments_are_checked(void **state)
{
    scene stage;
    weft_player *player = NULL;
    weft_reader *reader = NULL;
    weft_answer answer;
    weft_error error = {0};
    int64_t event = 77;
    scene_open(&stage);
    player = cast_player(&stage, 0, NULL);
    assert_fails(weft_reader_create(NULL, &reader, &error), WEFT_ARGUMENT, "player is NULL");
    assert_fails(weft_reader_create(player, NULL, &error), WEFT_ARGUMENT, "reader is NULL");
    assert_int_equal(weft_reader_create(player, &reader, &error), WEFT_OK);
    assert_fails(weft_reader_predict(NULL, 0, 0, 0, &answer, &event, &error), WEFT_ARGUMENT,
                 "reader is NULL");
    assert_fails(weft_reader_predict(reader, 0, 0, 0, NULL, &event, &error), WEFT_ARGUMENT, "answer is NULL");
    assert_fails(weft_reader_predict(reader, 0, 0, -1, &answer, &event, &error), WEFT_ARGUMENT, "tolerance");
    assert_fails(weft_reader_predict(reader, IDS, 0, 0, &answer, &event, &error), WEFT_UNKNOWN_ID, "");
    assert_int_equal(error.at[0], IDS);
    assert_int_equal(event, 77);
    assert_int_equal(weft_reader_predict(reader, 0, 0, 0, &answer, &event, &error), WEFT_OK);
    assert_int_equal(event, 0);
    assert_int_equal(weft_reader_event(reader), 0);
    assert_int_equal(weft_reader_event(NULL), 0);
    weft_reader_free(NULL);
    weft_reader_free(reader);
    weft_player_free(player);
    scene_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_changes_are_read_at_once),
        cmocka_unit_test(what_is_forgotten_is_not_answered),
        cmocka_unit_test(questions_go_on),
        cmocka_unit_test(old_labels_are_known),
        cmocka_unit_test(learning_waits_for_its_readers),
        cmocka_unit_test(freeing_ends_what_is_under_way),
        cmocka_unit_test(a_player_may_be_freed_while_its_reader_is_asked),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
