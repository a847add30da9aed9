/* SPDX-License-Identifier: MIT
 * Every function of a learner, in all forms and both engines. */
#include "oom_player.h"

enum { IDS = 20, TAUGHT = 40 };

typedef struct scene {
    oom_player of;
    weft_form form;
    weft_engine engine;
    weft_side *side, *columns;
} scene;

/* ---- the scene ---- */

static weft_settings settings_of(const scene *s)
{
    return (weft_settings){.form = s->form,
                           .engine = s->engine,
                           .eta = 0.3,
                           .gamma = 0.5,
                           .dimension = 10,
                           .rows = IDS + 2,
                           .columns = IDS + 2,
                           .tolerance = 0.02,
                           .seed = 4};
}

static void open_sides(void *self, const weft_memory *memory)
{
    scene *s = self;
    oom_player_begin(&s->of);
    s->side = oom_kernel(IDS, NULL, memory);
    s->columns = s->form == WEFT_ONE_SET ? NULL : s->side;
}

static void teach(weft_player *learner, int64_t trials)
{
    for (int64_t t = 0; t < trials; t++)
        assert_int_equal(
            weft_player_learn(learner, t * 3 % 14, (t * 5 + 1 + t / 14) % 14, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
}

static void open_taught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    weft_settings settings = settings_of(s);
    assert_int_equal(weft_learner_create(s->side, s->columns, &settings, memory, &s->of.player, NULL),
                     WEFT_OK);
    /* The reference takes an eigendecomposition a trial. */
    teach(s->of.player, s->engine == WEFT_REFERENCE ? TAUGHT / 5 : TAUGHT);
}

/* A new id that nobody has asked for yet. */
static void open_grown(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_taught(self, memory);
    assert_int_equal(weft_side_append(s->side, &(weft_item){.alone = true}, NULL), WEFT_OK);
}

static void open_saved(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_taught(self, memory);
    oom_player_keep_state(&s->of);
}

static void close_all(void *self)
{
    scene *s = self;
    oom_player_end(&s->of);
    weft_side_free(s->side);
}

/* ---- the calls ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_settings settings = settings_of(s);
    return weft_learner_create(s->side, s->columns, &settings, memory, &s->of.made, error);
}

static weft_status predict(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_predict(s->of.player, IDS, 3, &s->of.answer, error);
}

static weft_status learn(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->of.player, IDS, 18, 1, &s->of.answer, error);
}

/* Enough pairs to leave the first capacities behind. */
static weft_status merge(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_evidence_entry entries[IDS];
    (void)memory;
    for (int64_t k = 0; k < IDS; k++)
        entries[k] = (weft_evidence_entry){k, (k + 3) % IDS, k - 4};
    return weft_player_add_evidence(s->of.player, entries, IDS, error);
}

static weft_status read_state(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_learner_read(s->side, s->columns, s->of.bytes, s->of.size, memory, &s->of.made, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"create", open_sides, create, oom_player_look, oom_player_given, close_all, 20},
        {"predict", open_grown, predict, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn", open_grown, learn, oom_player_look_at_state, oom_player_given, close_all, 1},
        {"learn", open_grown, learn, oom_player_look, oom_player_given, close_all, 0},
        {"merge", open_taught, merge, oom_player_look, oom_player_given, close_all, 30},
        {"forget_row", open_taught, oom_player_forget_row, oom_player_look, oom_player_given, close_all, 20},
        {"forget_column", open_taught, oom_player_forget_column, oom_player_look, oom_player_given, close_all,
         20},
        {"read", open_saved, read_state, oom_player_look, oom_player_given, close_all, 20},
        {"clone", open_taught, oom_player_clone, oom_player_look, oom_player_given, close_all, 20},
        {"reset", open_taught, oom_player_reset, oom_player_look, oom_player_given, close_all, 20},
    };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int engine = WEFT_KRYLOV; engine <= WEFT_REFERENCE; engine++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                scene s = {.form = (weft_form)form, .engine = (weft_engine)engine};
                oom_play(&cases[k], &s);
            }
}

/* ---- a whole run with every allocation of every trial refused once ---- */

/* Up to `most` ids on the way: 44 make the places grow from 16 to 32 to 64. */
static void play_on(weft_form form, weft_engine engine, int64_t most)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    scene s = {.form = form, .engine = engine};
    weft_player *twin = NULL;
    open_sides(&s, &memory);
    weft_settings settings = settings_of(&s);
    settings.rows = settings.columns = most;
    assert_int_equal(weft_learner_create(s.side, s.columns, &settings, &memory, &s.of.player, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(s.side, s.columns, &settings, NULL, &twin, NULL), WEFT_OK);
    for (int64_t t = 0; t < 2 * most; t++) {
        if (t >= IDS && weft_side_count(s.side) < most)
            assert_int_equal(weft_side_append(s.side, &(weft_item){.alone = true}, NULL), WEFT_OK);
        int64_t i = t % weft_side_count(s.side), j = (t * 5 + 1) % weft_side_count(s.side);
        int label = t % 2 ? 1 : -1;
        oom_player_refuse_trial(&alloc, &s.of, i, j, label);
        assert_int_equal(weft_player_learn(twin, i, j, label, NULL, NULL), WEFT_OK);
    }
    assert_true(weft_player_counters(s.of.player).updates > most / 2);
    assert_true(oom_digest_of_player(s.of.player) == oom_digest_of_player(twin));
    weft_player_free(twin);
    close_all(&s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void every_trial_of_a_run(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        play_on((weft_form)form, WEFT_KRYLOV, 44);
        play_on((weft_form)form, WEFT_REFERENCE, 24);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(every_trial_of_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
