/* SPDX-License-Identifier: MIT
 * Committees that follow changes: refused memory anywhere, no generation is half born, half read or half
 * changed; the call repeated leaves what it would have left undisturbed. */
#include "oom_player.h"

#include "../unit/test_core_support.h"
#include "support/tracker.h"

static const weft_committee_settings TRACKING = {.tracking = true};

/* By then a generation has made room for the one that is born. */
enum { LATEST = 1400 };

typedef struct scene {
    oom_player of;
    panel p;
} scene;

/* ---- the scene ---- */

/* States are played once, and read for every request that is refused. */
static const panel_state *played(const panel *p, int64_t trials)
{
    static panel_state kept[LATEST];
    assert_true(trials < LATEST);
    if (kept[trials].bytes == NULL) {
        weft_player *committee = panel_committee(p, &TRACKING, NULL);
        tracker_play(0, trials, committee);
        kept[trials] = panel_write(committee);
        weft_player_free(committee);
    }
    return &kept[trials];
}

static weft_player *after(const panel *p, int64_t trials, const weft_memory *memory)
{
    weft_player *committee = NULL;
    const panel_state *s = played(p, trials);
    assert_int_equal(weft_committee_read(p->members, p->count, s->bytes, s->size, memory, &committee, NULL),
                     WEFT_OK);
    return committee;
}

static void open_sides(void *self, const weft_memory *memory)
{
    scene *s = self;
    (void)memory;
    oom_player_begin(&s->of);
    s->p = (panel){0};
    tracker_open(false, &s->p);
}

static void open_both(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    s->of.player = after(&s->p, TRACKER_BOTH, memory);
    s->of.other = after(&s->p, TRACKER_NONE, NULL);
    oom_player_keep_state(&s->of);
}

static void close_all(void *self)
{
    scene *s = self;
    oom_player_end(&s->of);
    panel_close(&s->p);
}

/* ---- the calls that change nothing where they fail ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_committee_create(s->p.members, s->p.count, &TRACKING, memory, &s->of.made, error);
}

static weft_status read_state(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_committee_read(s->p.members, s->p.count, s->of.bytes, s->of.size, memory, &s->of.made, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"create", open_sides, create, oom_player_look_at_state, oom_player_given, close_all, 10},
        {"read", open_both, read_state, oom_player_look_at_state, oom_player_given, close_all, 30},
        {"write", open_both, oom_player_write, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"forget a row", open_both, oom_player_forget_row, oom_player_look_at_state, oom_player_given,
         close_all, 20},
        {"forget a column", open_both, oom_player_forget_column, oom_player_look_at_state, oom_player_given,
         close_all, 20},
        {"merge", open_both, oom_player_merge, oom_player_look_at_state, oom_player_given, close_all, 20},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static scene s;
        oom_play(&cases[k], &s);
    }
}

/* ---- learning ---- */

/* Trial `from` and some more, each refused memory again and again, every time later; between two calls a
 * prediction of the pair may come.  At the first of them somebody is born. */
static void learn_from(int64_t from, int64_t trials, int64_t *refused)
{
    static scene s;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    open_sides(&s, NULL);
    s.of.player = after(&s.p, from, &memory);
    weft_player *twin = after(&s.p, from, NULL);
    for (int64_t t = from; t < from + trials; t++) {
        panel_trial at = tracker_draw(t);
        bool failed = true;
        for (int64_t k = 0; failed; k++) {
            weft_answer ruling = {.label = 9};
            weft_counters before = weft_player_counters(s.of.player);
            weft_tracking was = weft_committee_tracking(s.of.player);
            test_alloc_arm(&alloc, k);
            weft_status status = weft_player_learn(s.of.player, at.row, at.column, at.label, &ruling, NULL);
            failed = alloc.failed;
            assert_int_equal(status, failed ? WEFT_MEMORY : WEFT_OK);
            if (!failed)
                break;
            refused[t == from]++;
            weft_counters now = weft_player_counters(s.of.player);
            weft_tracking is = weft_committee_tracking(s.of.player);
            assert_memory_equal(&before, &now, sizeof now);
            assert_memory_equal(&was, &is, sizeof is);
            assert_int_equal(ruling.label, 9);
            test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
            if (k % 2 == 0)
                assert_int_equal(weft_player_predict(s.of.player, at.row, at.column, &ruling, NULL), WEFT_OK);
        }
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        assert_int_equal(weft_player_learn(twin, at.row, at.column, at.label, NULL, NULL), WEFT_OK);
        panel_assert_same(s.of.player, twin);
    }
    weft_player_free(twin);
    close_all(&s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* The trials before each birth are looked for. */
static void births(void **state)
{
    panel p;
    int64_t refused[2] = {0}, found = 0;
    tracker_open(false, &p);
    weft_player *committee = panel_committee(&p, &TRACKING, NULL);
    for (int64_t t = 0; t < LATEST; t++) {
        int64_t young = weft_committee_tracking(committee).since[2];
        tracker_play(t, t + 1, committee);
        if (weft_committee_tracking(committee).since[2] == young)
            continue;
        int64_t before = refused[1];
        learn_from(t, 3, refused);
        assert_true(refused[1] > before + 10);
        found++;
    }
    assert_true(found >= 3);
    weft_player_free(committee);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(births),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
