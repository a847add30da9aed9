/* SPDX-License-Identifier: MIT
 * Every function of a learner of the compact engine, in all forms, with and without fading and a floor. */
#include "oom.h"
#include "weft_advanced.h"

enum { IDS = 12, TAUGHT = 90 };

typedef struct scene {
    weft_form form;
    double half_life, floor;
    weft_side *side, *columns;
    weft_player *learner, *made;
    unsigned char *bytes;
    size_t size;
    weft_answer prediction;
    weft_answer outcome;
} scene;

/* ---- what is seen ---- */

static uint64_t look(void *self)
{
    scene *s = self;
    return s->learner != NULL ? oom_digest_of_player(s->learner) : 0;
}

/* Without predictions, which would make the room that the call is to make. */
static uint64_t look_at_state(void *self)
{
    return oom_digest_of_state(((scene *)self)->learner);
}

static uint64_t given(void *self)
{
    scene *s = self;
    if (s->made != NULL)
        return oom_digest_of_player(s->made);
    if (!oom_untouched(&s->prediction, sizeof s->prediction))
        return oom_digest(2, &s->prediction.margin, sizeof(double));
    if (!oom_untouched(&s->outcome, sizeof s->outcome))
        return oom_digest(3, &s->outcome.margin, sizeof(double));
    return 0;
}

/* ---- the scene ---- */

/* Eigenvectors and signs. */
static weft_side *make_side(const weft_memory *memory)
{
    double kernel[IDS * IDS];
    weft_side *side = NULL;
    weft_map map = {.eigen = 3, .hash = 2};
    weft_side_options options = {.memory = memory, .map = &map};
    for (int64_t k = 0; k < IDS * IDS; k++)
        kernel[k] = exp(-fabs((double)(k / IDS - k % IDS)) / 4);
    assert_int_equal(weft_side_from_kernel(IDS, kernel, &options, &side, NULL), WEFT_OK);
    return side;
}

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
    *s = (scene){.form = s->form, .half_life = s->half_life, .floor = s->floor};
    memset(&s->prediction, OOM_UNTOUCHED, sizeof s->prediction);
    memset(&s->outcome, OOM_UNTOUCHED, sizeof s->outcome);
    s->side = make_side(memory);
    s->columns = s->form == WEFT_ONE_SET ? NULL : s->side;
}

static void open_untaught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_sides(self, memory);
    weft_settings settings = settings_of(s);
    assert_int_equal(weft_learner_create(s->side, s->columns, &settings, memory, &s->learner, NULL), WEFT_OK);
}

/* Enough to find b anew on the way. */
static void open_taught(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_untaught(self, memory);
    for (int64_t t = 0; t < TAUGHT; t++)
        assert_int_equal(weft_player_learn(s->learner, t * 5 % IDS, (t * 7 + 1 + t / IDS) % IDS,
                                           t % 3 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
}

static void open_saved(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_taught(self, memory);
    assert_int_equal(weft_player_write(s->learner, NULL, &s->size, NULL), WEFT_OK);
    s->bytes = malloc(s->size);
    assert_non_null(s->bytes);
    assert_int_equal(weft_player_write(s->learner, s->bytes, &s->size, NULL), WEFT_OK);
}

static void close_all(void *self)
{
    scene *s = self;
    weft_player_free(s->made);
    weft_player_free(s->learner);
    weft_side_free(s->side);
    free(s->bytes);
}

/* ---- the calls ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_settings settings = settings_of(s);
    return weft_learner_create(s->side, s->columns, &settings, memory, &s->made, error);
}

static weft_status predict(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_predict(s->learner, 5, 3, &s->prediction, error);
}

static weft_status evaluate(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_evaluate(s->learner, 5, 3, 1e-6, &s->prediction, error);
}

static weft_status learn(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->learner, 9, 4, 1, &s->outcome, error);
}

static weft_status read_state(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_learner_read(s->side, s->columns, s->bytes, s->size, memory, &s->made, error);
}

static weft_status clone(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_clone(s->learner, &s->made, error);
}

static weft_status reset(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_reset(((scene *)self)->learner, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"create", open_sides, create, look, given, close_all, 15},
        {"predict", open_untaught, predict, look_at_state, given, close_all, 0},
        {"evaluate", open_taught, evaluate, look_at_state, given, close_all, 0},
        {"learn", open_untaught, learn, look_at_state, given, close_all, 0},
        {"learn", open_taught, learn, look, given, close_all, 0},
        {"read", open_saved, read_state, look, given, close_all, 15},
        {"clone", open_taught, clone, look, given, close_all, 15},
        {"reset", open_taught, reset, look, given, close_all, 0},
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
        assert_int_equal(weft_player_predict(s->learner, t % IDS, t * 5 % IDS, &s->prediction, NULL),
                         WEFT_OK);
        assert_int_equal(
            weft_player_learn(s->learner, t % IDS, t * 7 % IDS, t % 5 < 2 ? 1 : -1, &s->outcome, NULL),
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
