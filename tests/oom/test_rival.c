/* SPDX-License-Identifier: MIT
 * Every function of a rival, of all kinds, over one set of ids and over two. */
#include "oom_player.h"

enum { IDS = 20, TAUGHT = 60 };

/* The columns are vectors and the rows a kernel, so that all traits are met. */
typedef struct scene {
    oom_player of;
    weft_rival_kind kind;
    bool one_set;
    weft_side *rows, *vectors, *columns;
} scene;

/* ---- the scene ---- */

/* More coordinates than the first capacity of a list of traits. */
static weft_side *make_vectors(const weft_memory *memory)
{
    enum { DIMENSION = 24 };
    double values[IDS * DIMENSION];
    weft_side *side = NULL;
    weft_side_options options = {.memory = memory};
    weft_features features = {IDS, DIMENSION, values, WEFT_GAUSSIAN, 3};
    for (int64_t k = 0; k < IDS * DIMENSION; k++)
        values[k] = sin((double)(k * k));
    assert_int_equal(weft_side_from_features(&features, &options, &side, NULL), WEFT_OK);
    return side;
}

static weft_rival_settings settings_of(const scene *s)
{
    return (weft_rival_settings){.kind = s->kind, .rate = 0.3, .bits = 12};
}

static void open_sides(void *self, const weft_memory *memory)
{
    scene *s = self;
    oom_player_begin(&s->of);
    s->rows = oom_kernel(IDS, NULL, memory);
    s->vectors = make_vectors(memory);
    s->columns = s->one_set ? NULL : s->vectors;
}

/* Of every third trial nothing is known. */
static void set_context(weft_player *player, int64_t t)
{
    const uint64_t digests[2] = {t % 3 == 0 ? 0 : (uint64_t)(1 + t % 5), t % 3 == 0 ? 0 : (uint64_t)(t + 20)};
    assert_int_equal(weft_player_set_context(player, digests, 2, NULL), WEFT_OK);
}

static void open_fresh(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    weft_rival_settings settings = settings_of(s);
    assert_int_equal(weft_rival_create(s->rows, s->columns, &settings, memory, &s->of.player, NULL), WEFT_OK);
    set_context(s->of.player, 1);
}

static void open_taught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_fresh(self, memory);
    for (int64_t t = 0; t < TAUGHT; t++) {
        set_context(s->of.player, t < TAUGHT / 2 ? 0 : t);
        assert_int_equal(
            weft_player_learn(s->of.player, t * 3 % 14, (t * 5 + t / 14) % 14, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
    }
    set_context(s->of.player, 1);
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
    weft_side_free(s->rows);
    weft_side_free(s->vectors);
}

/* ---- the calls ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_rival_settings settings = settings_of(s);
    return weft_rival_create(s->rows, s->columns, &settings, memory, &s->of.made, error);
}

static weft_status predict(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_predict(s->of.player, 15, 17, &s->of.answer, error);
}

static weft_status learn(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->of.player, 15, 18, 1, NULL, error);
}

static weft_status read_state(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_rival_read(s->rows, s->columns, s->of.bytes, s->of.size, memory, &s->of.made, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"create", open_sides, create, oom_player_look, oom_player_given, close_all, 1},
        {"predict", open_fresh, predict, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn first", open_fresh, learn, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn", open_taught, learn, oom_player_look_at_state, oom_player_given, close_all, 0},
        {"learn", open_taught, learn, oom_player_look, oom_player_given, close_all, 0},
        {"read", open_saved, read_state, oom_player_look, oom_player_given, close_all, 1},
        {"clone", open_taught, oom_player_clone, oom_player_look, oom_player_given, close_all, 2},
    };
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                scene s = {.kind = (weft_rival_kind)kind, .one_set = one_set};
                oom_play(&cases[k], &s);
            }
}

/* ---- a whole run with every allocation of every trial refused once ---- */

/* 44 ids make the places grow from 16 to 32 to 64. */
static void play_on(weft_rival_kind kind, bool one_set)
{
    enum { MOST = 44 };
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    scene s = {.kind = kind, .one_set = one_set};
    weft_player *twin = NULL;
    int64_t refused = 0;
    open_fresh(&s, &memory);
    weft_rival_settings settings = settings_of(&s);
    assert_int_equal(weft_rival_create(s.rows, s.columns, &settings, NULL, &twin, NULL), WEFT_OK);
    for (int64_t t = 0; t < 3 * MOST; t++) {
        if (t >= IDS && weft_side_count(s.rows) < MOST) {
            assert_int_equal(weft_side_append(s.rows, &(weft_item){.alone = true}, NULL), WEFT_OK);
            assert_int_equal(weft_side_append(s.vectors, &(weft_item){.alone = true}, NULL), WEFT_OK);
        }
        int64_t ids = weft_side_count(s.rows), i = t % ids, j = (t * 5 + 1) % ids;
        set_context(s.of.player, t);
        set_context(twin, t);
        refused += oom_player_refuse_trial(&alloc, &s.of, i, j, t % 2 ? 1 : -1);
        assert_int_equal(weft_player_learn(twin, i, j, t % 2 ? 1 : -1, NULL, NULL), WEFT_OK);
    }
    assert_true(refused > 0 || kind == WEFT_RIVAL_CONSTANT);
    assert_true(oom_digest_of_player(s.of.player) == oom_digest_of_player(twin));
    weft_player_free(twin);
    close_all(&s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void every_trial_of_a_run(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            play_on((weft_rival_kind)kind, one_set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(every_trial_of_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
