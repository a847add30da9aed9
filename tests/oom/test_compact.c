/* SPDX-License-Identifier: MIT
 * Every function of a learner of the compact engine, in all forms, with and without fading and a floor. */
#include "oom_player.h"

enum { IDS = 12, TAUGHT = 90 };

typedef struct scene {
    oom_player of;
    weft_form form;
    double half_life, floor;
    weft_side *side, *columns;
} scene;

/* ---- the scene ---- */

static weft_settings settings_of(const scene *s)
{
    return (weft_settings){.form = s->form,
                           .engine = WEFT_COMPACT,
                           .eta = s->floor > 0 ? 9 : 0.3,
                           .gamma = 0.9,
                           .dimension = 10,
                           .rows = IDS + 2,
                           .columns = IDS + 2,
                           .tolerance = 0.02,
                           .seed = 4,
                           .half_life = s->half_life,
                           .floor = s->floor};
}

static void open_sides(void *self, const weft_memory *memory)
{
    scene *s = self;
    oom_player_begin(&s->of);
    /* Eigenvectors and signs. */
    s->side = oom_kernel(IDS, &(weft_map){.eigen = 3, .hash = 2}, memory);
    s->columns = s->form == WEFT_ONE_SET ? NULL : s->side;
}

static void open_untaught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    weft_settings settings = settings_of(s);
    assert_int_equal(weft_learner_create(s->side, s->columns, &settings, memory, &s->of.player, NULL),
                     WEFT_OK);
}

/* Enough to find b anew on the way. */
static void open_taught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_untaught(self, memory);
    for (int64_t t = 0; t < TAUGHT; t++)
        assert_int_equal(weft_player_learn(s->of.player, t * 5 % IDS, (t * 7 + 1 + t / IDS) % IDS,
                                           t % 3 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
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
    return weft_player_predict(s->of.player, 5, 3, &s->of.answer, error);
}

static weft_status evaluate(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_evaluate(s->of.player, 5, 3, 1e-6, &s->of.answer, error);
}

static weft_status learn(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->of.player, 9, 4, 1, &s->of.answer, error);
}

static weft_status read_state(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_learner_read(s->side, s->columns, s->of.bytes, s->of.size, memory, &s->of.made, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"create", open_sides, create, oom_player_look, oom_player_given, close_all, 15},
        {"predict", open_untaught, predict, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"evaluate", open_taught, evaluate, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn", open_untaught, learn, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn", open_taught, learn, oom_player_look, oom_player_given, close_all, 0},
        {"read", open_saved, read_state, oom_player_look, oom_player_given, close_all, 15},
        {"clone", open_taught, oom_player_clone, oom_player_look, oom_player_given, close_all, 15},
        {"reset", open_taught, oom_player_reset, oom_player_look, oom_player_given, close_all, 0},
    };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int way = 0; way < 4; way++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                scene s = {.form = (weft_form)form, .half_life = way % 2 ? 2.5 : 0, .floor = way / 2 * 16};
                oom_play(&cases[k], &s);
            }
}

/* ---- a warm learner ---- */

static void play_more(scene *s)
{
    for (int64_t t = 0; t < 10 * TAUGHT; t++) {
        assert_int_equal(weft_player_predict(s->of.player, t % IDS, t * 5 % IDS, &s->of.answer, NULL),
                         WEFT_OK);
        assert_int_equal(
            weft_player_learn(s->of.player, t % IDS, t * 7 % IDS, t % 5 < 2 ? 1 : -1, &s->of.answer, NULL),
            WEFT_OK);
    }
}

/* Predictions and labels of a learner that is warm ask for nothing, whatever the pair, holds included. */
static void a_warm_learner_asks_for_nothing(void **state)
{
    for (int way = 0; way < 6; way++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_form form = (weft_form)(way % 3);
        scene s = {.form = form, .half_life = form == WEFT_BALANCED ? 3 : 0, .floor = way / 3 * 16};
        open_taught(&s, &memory);
        int64_t requests = alloc.requests, bytes = alloc.bytes;
        play_more(&s);
        assert_int_equal(alloc.requests, requests);
        assert_int_equal(alloc.bytes, bytes);
        close_all(&s);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(a_warm_learner_asks_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
