/* SPDX-License-Identifier: MIT
 * Every function of a committee.  A call of learn that was refused memory leaves some members taught
 * and others not; repeated, it leaves what it would have left undisturbed. */
#include "oom_player.h"

#include "support/panel.h"

enum { IDS = 20, TAUGHT = 40 };

typedef struct scene {
    oom_player of;
    bool one_set;
    panel p;
} scene;

/* ---- the scene ---- */

static void open_sides(void *self, const weft_memory *memory)
{
    scene *s = self;
    (void)memory;
    oom_player_begin(&s->of);
    s->p = (panel){0};
    panel_open_all(5, KNOWN_LINEAR, s->one_set, IDS, IDS, &s->p);
}

static void open_fresh(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    s->of.player = panel_committee(&s->p, &(weft_committee_settings){0}, memory);
}

static void teach(weft_player *committee, int64_t t)
{
    assert_int_equal(
        weft_player_learn(committee, t * 3 % 14, (t * 5 + t / 14) % 14, t % 3 ? 1 : -1, NULL, NULL), WEFT_OK);
}

static void open_taught(void *self, const weft_memory *memory)
{
    open_fresh(self, memory);
    for (int64_t t = 0; t < TAUGHT; t++)
        teach(((oom_player *)self)->player, t);
}

static void open_saved(void *self, const weft_memory *memory)
{
    open_taught(self, memory);
    oom_player_keep_state(self);
}

static void close_all(void *self)
{
    scene *s = self;
    oom_player_end(&s->of);
    panel_close(&s->p);
}

/* The state alone, which is the same each time. */
static void open_state(void *self, const weft_memory *memory)
{
    static panel_state kept[2];
    scene *s = self;
    panel_state *keep = &kept[s->one_set];
    if (keep->bytes == NULL) {
        open_saved(self, memory);
        *keep = (panel_state){s->of.size, s->of.bytes};
        s->of.bytes = NULL;
        close_all(self);
    }
    open_sides(self, memory);
    s->of.size = keep->size;
    s->of.bytes = malloc(keep->size);
    assert_non_null(s->of.bytes);
    memcpy(s->of.bytes, keep->bytes, keep->size);
}

/* ---- the calls that change nothing where they fail ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_committee_create(s->p.members, s->p.count, &(weft_committee_settings){0}, memory, &s->of.made,
                                 error);
}

static weft_status predict(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_predict(s->of.player, 15, 17, &s->of.answer, error);
}

static weft_status learn_nothing(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->of.player, 15, 17, 0, NULL, error);
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
        {"predict", open_fresh, predict, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"predict", open_taught, predict, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn without a label", open_taught, learn_nothing, oom_player_look_at_state, oom_player_given,
         close_all, 0},
        {"write", open_saved, oom_player_write, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"read", open_state, read_state, oom_player_look_at_state, oom_player_given, close_all, 10},
    };
    for (int one_set = 0; one_set < 2; one_set++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            static scene s;
            s.one_set = one_set;
            oom_play(&cases[k], &s);
        }
}

/* ---- learning ---- */

/* Learns with request k refused, then again: as the undisturbed; false where there are fewer requests.
 * Between the two a prediction of the pair may come. */
static bool refuse_learning(scene *s, void (*open)(void *, const weft_memory *), int64_t k, uint64_t expected)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_answer ruling = {.label = 9};
    open(s, &memory);
    weft_counters before = weft_player_counters(s->of.player);
    test_alloc_arm(&alloc, k);
    weft_status status = weft_player_learn(s->of.player, 15, 18, 1, &ruling, &error);
    bool failed = alloc.failed;
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    if (failed) {
        weft_counters after = weft_player_counters(s->of.player);
        assert_int_equal(status, WEFT_MEMORY);
        assert_int_equal(error.status, WEFT_MEMORY);
        assert_int_equal(ruling.label, 9);
        assert_true(after.t == before.t && after.trials == before.trials &&
                    after.mistakes == before.mistakes);
        if (k % 2 == 0)
            assert_int_equal(weft_player_predict(s->of.player, 15, 18, &s->of.answer, NULL), WEFT_OK);
        status = weft_player_learn(s->of.player, 15, 18, 1, &ruling, NULL);
    }
    assert_int_equal(status, WEFT_OK);
    assert_true(oom_digest_of_player(s->of.player) == expected);
    close_all(s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return failed;
}

static void learning(void **state)
{
    static scene s;
    for (int round = 0; round < 4; round++) {
        void (*open)(void *, const weft_memory *) = round < 2 ? open_fresh : open_taught;
        s.one_set = round % 2;
        open(&s, NULL);
        assert_int_equal(weft_player_learn(s.of.player, 15, 18, 1, NULL, NULL), WEFT_OK);
        uint64_t expected = oom_digest_of_player(s.of.player);
        close_all(&s);
        int64_t k = 0;
        while (refuse_learning(&s, open, k, expected))
            k++;
        assert_true(k > (round < 2 ? 3 : 1)); /* tables of those that were taught have room */
    }
}

/* A whole run, with every trial refused memory again and again, each time later. */
static void every_trial_of_a_run(void **state)
{
    static scene s;
    for (int one_set = 0; one_set < 2; one_set++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        int64_t refused = 0;
        s.one_set = one_set;
        open_fresh(&s, &memory);
        weft_player *twin = panel_committee(&s.p, &(weft_committee_settings){0}, NULL);
        for (int64_t t = 0; t < 120; t++) {
            int64_t i = t % IDS, j = (t * 7 + t / IDS + 1) % IDS;
            int label = t % 2 ? 1 : -1;
            bool failed = true;
            for (int64_t k = 0; failed; k++) {
                test_alloc_arm(&alloc, k);
                weft_status status = weft_player_learn(s.of.player, i, j, label, NULL, NULL);
                failed = alloc.failed;
                refused += failed;
                assert_int_equal(status, failed ? WEFT_MEMORY : WEFT_OK);
            }
            assert_int_equal(weft_player_learn(twin, i, j, label, NULL, NULL), WEFT_OK);
        }
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        assert_true(refused > 20);
        panel_assert_same(s.of.player, twin);
        weft_player_free(twin);
        close_all(&s);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(learning),
        cmocka_unit_test(every_trial_of_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
