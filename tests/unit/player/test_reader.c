/* SPDX-License-Identifier: MIT
 *
 * Readers while their player learns: one thread learns, two ask all the time, one of them from the middle on.
 * Every answer is compared to the bit with that of a player that plays the script alone, on one thread, when
 * it has learnt as many labels as the reader has named; and no answer may be older than was promised. */
#define _POSIX_C_SOURCE 200809L

#include "test_reader_support.h"

#include "support/effort.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_LABELS = 3000, MOST_ANSWERS = 20000, COMPARED = 100, READERS = 2 };
enum { MOST_BEHIND = 1000 };
static const double MOST_SECONDS = 0.1;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What one reader has said. */
typedef struct saying {
    int64_t pair[2], event;
    weft_answer answer;
} saying;

typedef struct asker {
    struct duel *duel;
    weft_reader *reader;
    pthread_t thread;
    int64_t count, many_behind, step_back;
    double late_by; /* the most seconds that a label had been learnt for, and was not known */
    weft_status status;
    weft_error error;
    saying *said;
} asker;

/* One that learns, and those that ask. */
typedef struct duel {
    weft_player *player;
    int64_t labels;
    _Atomic int64_t learnt;
    double time[MOST_LABELS + 1]; /* when label k was learnt: written before `learnt` */
    asker asker[READERS];
} duel;

/* What was known before the question: the answer may be begun later. */
static void judge_age(asker *a, const saying *s, int64_t learnt, double asked)
{
    int64_t behind = learnt - s->event;
    double age = behind > 0 ? asked - a->duel->time[s->event + 1] : 0;
    a->many_behind = behind > a->many_behind ? behind : a->many_behind;
    a->late_by = age > a->late_by ? age : a->late_by;
}

static void *ask(void *self)
{
    asker *a = self;
    duel *d = a->duel;
    int64_t learnt = 0, before = 0;
    while (learnt < d->labels && a->count < MOST_ANSWERS) {
        saying *s = &a->said[a->count];
        learnt = atomic_load(&d->learnt);
        double asked = now();
        script_pair(7 * a->count + 1, s->pair);
        a->status =
            weft_reader_predict(a->reader, s->pair[0], s->pair[1], 0.01, &s->answer, &s->event, &a->error);
        if (a->status != WEFT_OK)
            return NULL;
        judge_age(a, s, learnt, asked);
        a->step_back += s->event < before;
        before = s->event;
        a->count++;
    }
    return NULL;
}

static void start(duel *d, int which)
{
    asker *a = &d->asker[which];
    weft_error error = {0};
    a->duel = d;
    a->said = calloc(MOST_ANSWERS, sizeof *a->said);
    assert_non_null(a->said);
    if (weft_reader_create(d->player, &a->reader, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
}

/* The thread that learns is this one. */
static void play(duel *d)
{
    static script s;
    weft_error error = {0};
    memset(&s, 0, sizeof s);
    while (s.labels < d->labels) {
        int64_t before = s.labels;
        if (before == d->labels / 2 && d->asker[1].reader == NULL)
            start(d, 1);
        if (script_play(&s, d->player, &error) != WEFT_OK)
            fail_msg("%s", error.message);
        if (s.labels == before)
            continue;
        d->time[s.labels] = now();
        atomic_store(&d->learnt, s.labels);
    }
}

/* One after the other, on one thread: so many of them, evenly, and the last ones. */
static void compare(const asker *a, weft_player *slow, const char *name)
{
    static script s;
    weft_answer expected;
    memset(&s, 0, sizeof s);
    for (int64_t k = 0; k < a->count; k += k < a->count - 20 ? 1 + a->count / COMPARED : 1) {
        const saying *said = &a->said[k];
        script_play_until(&s, slow, said->event);
        assert_int_equal(s.labels, said->event);
        assert_int_equal(weft_player_evaluate(slow, said->pair[0], said->pair[1], 0.01, &expected, NULL),
                         WEFT_OK);
        if (!is_same_answer(&said->answer, &expected))
            fail_msg("%s: answer %lld, after %lld labels, is another", name, (long long)k,
                     (long long)said->event);
    }
}

static void judge(asker *a, const scene *stage, int who)
{
    weft_player *slow = cast_player(stage, who, NULL);
    if (a->status != WEFT_OK)
        fail_msg("%s: %s", cast_name(who), a->error.message);
    if (a->many_behind > MOST_BEHIND || a->late_by > MOST_SECONDS || a->step_back > 0)
        fail_msg("%s: %lld labels and %g seconds behind", cast_name(who), (long long)a->many_behind,
                 a->late_by);
    assert_true(a->count > 0);
    compare(a, slow, cast_name(who));
    weft_player_free(slow);
    weft_reader_free(a->reader);
    free(a->said);
}

/* More than a reader may be behind for a learner and two rivals, which are quick; for the others a copy in
 * the middle is enough. */
static int64_t labels_of(int who)
{
    int committee = LEARNERS + WEFT_RIVALS;
    if (who == 0 || (who < committee && who >= committee - 2))
        return effort(fewer(1500, 1100), MOST_LABELS);
    if (who == committee)
        return effort(fewer(500, 350), MOST_LABELS);
    return effort(fewer(300, 60), MOST_LABELS);
}

static void answers_are_those_of_a_copy_at_the_event(void **state)
{
    scene stage;
    duel *d = calloc(1, sizeof *d);
    assert_non_null(d);
    scene_open(&stage);
    for (int who = 0; who < CAST; who++) {
        memset(d, 0, sizeof *d);
        d->player = cast_player(&stage, who, NULL);
        d->labels = labels_of(who);
        start(d, 0);
        play(d);
        for (int k = 0; k < READERS; k++)
            assert_int_equal(pthread_join(d->asker[k].thread, NULL), 0);
        for (int k = 0; k < READERS; k++)
            judge(&d->asker[k], &stage, who);
        weft_player_free(d->player);
    }
    scene_close(&stage);
    free(d);
}

/* ---- Slices ---- */

/* A copy that is made by hand: one piece, then one label, and so on, from label `from` on; a piece has one
 * entry, or for a committee, which has many, some.  What readers hear is heard by one without a thread. */
static void check_slices(const scene *stage, int who, int64_t from)
{
    static script s;
    weft_player *player = cast_player(stage, who, NULL), *copy = NULL;
    /* The player copies no slices for one whose copy has failed. */
    weft_reader ear = {.player = player, .stage = WEFT__COPYING, .copying.status = WEFT_MEMORY};
    weft__staged_copy *staged = NULL;
    weft_error error = {0};
    bool whole = false;
    memset(&s, 0, sizeof s);
    script_play_until(&s, player, from);
    assert_int_equal(weft__feed_create(player, &error), WEFT_OK);
    ear.feed = player->feed;
    player->feed->first = &ear;
    bool committee = who >= CAST - COMMITTEES;
    assert_int_equal(
        (committee ? player->ops->stage_copy : weft__staged_copy_of_pieces)(player, &staged, &error),
        WEFT_OK);
    while (!whole) {
        script_play_until(&s, player, s.labels + 1);
        weft__slice slice = {ear.count, committee ? 400 : 1, 0};
        assert_int_equal(staged->copy_slice(staged, player, &slice, &whole, &error), WEFT_OK);
    }
    if (committee)
        assert_true(ear.count >= stage->panel.count);
    if (staged->join(staged, ear.first, &copy, &error) != WEFT_OK)
        fail_msg("%s: %s", cast_name(who), error.message);
    assert_same_state(copy, player);
    /* It goes on in the same way. */
    script twin = s;
    script_play_until(&s, player, s.labels + 20);
    script_play_until(&twin, copy, s.labels);
    assert_same_state(copy, player);
    staged->release(staged);
    weft_player_free(copy);
    weft_player_free(player);
}

static void entries_are_copied_between_labels(void **state)
{
    scene stage;
    scene_open(&stage);
    for (int who = 0; who < CAST; who++)
        for (int64_t from = 0; from < (who < CAST - COMMITTEES ? 5 : effort(fewer(2, 1), 5)); from++)
            check_slices(&stage, who, 37 * from + from);
    scene_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_copy_at_the_event),
        cmocka_unit_test(entries_are_copied_between_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
