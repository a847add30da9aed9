/* SPDX-License-Identifier: MIT
 * Every function of a learner, in all forms and both engines. */
#include "oom.h"
#include "weft_advanced.h"

enum { IDS = 20, TAUGHT = 40 };

typedef struct scene {
    weft_form form;
    weft_engine engine;
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

static weft_side *make_side(const weft_memory *memory)
{
    double kernel[IDS * IDS];
    weft_side *side = NULL;
    weft_side_options options = {.memory = memory};
    for (int64_t k = 0; k < IDS * IDS; k++)
        kernel[k] = exp(-fabs((double)(k / IDS - k % IDS)) / 4);
    assert_int_equal(weft_side_from_kernel(IDS, kernel, &options, &side, NULL), WEFT_OK);
    return side;
}

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
    *s = (scene){.form = s->form, .engine = s->engine};
    memset(&s->prediction, OOM_UNTOUCHED, sizeof s->prediction);
    memset(&s->outcome, OOM_UNTOUCHED, sizeof s->outcome);
    s->side = make_side(memory);
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
    assert_int_equal(weft_learner_create(s->side, s->columns, &settings, memory, &s->learner, NULL), WEFT_OK);
    /* The reference takes an eigendecomposition a trial. */
    teach(s->learner, s->engine == WEFT_REFERENCE ? TAUGHT / 5 : TAUGHT);
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
    return weft_player_predict(s->learner, IDS, 3, &s->prediction, error);
}

static weft_status learn(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_learn(s->learner, IDS, 18, 1, &s->outcome, error);
}

/* Enough pairs to leave the first capacities behind. */
static weft_status merge(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_evidence_entry entries[IDS];
    (void)memory;
    for (int64_t k = 0; k < IDS; k++)
        entries[k] = (weft_evidence_entry){k, (k + 3) % IDS, k - 4};
    return weft_player_add_evidence(s->learner, entries, IDS, error);
}

static weft_status forget_row(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_forget(((scene *)self)->learner, WEFT_ROWS, 3, error);
}

static weft_status forget_column(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_forget(((scene *)self)->learner, WEFT_COLUMNS, 6, error);
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
        {"create", open_sides, create, look, given, close_all, 20},
        {"predict", open_grown, predict, look_at_state, given, close_all, 0},
        {"learn", open_grown, learn, look_at_state, given, close_all, 1},
        {"learn", open_grown, learn, look, given, close_all, 0},
        {"merge", open_taught, merge, look, given, close_all, 30},
        {"forget_row", open_taught, forget_row, look, given, close_all, 20},
        {"forget_column", open_taught, forget_column, look, given, close_all, 20},
        {"read", open_saved, read_state, look, given, close_all, 20},
        {"clone", open_taught, clone, look, given, close_all, 20},
        {"reset", open_taught, reset, look, given, close_all, 20},
    };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int engine = WEFT_KRYLOV; engine <= WEFT_REFERENCE; engine++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                scene s = {.form = (weft_form)form, .engine = (weft_engine)engine};
                oom_play(&cases[k], &s);
            }
}

/* ---- a whole run with every allocation of every trial refused once ---- */

static void refuse_trial(test_alloc *alloc, scene *s, int64_t i, int64_t j, int label)
{
    for (int64_t k = 0;; k++) {
        uint64_t before = oom_digest_of_player(s->learner);
        weft_error error = {0};
        memset(&s->outcome, OOM_UNTOUCHED, sizeof s->outcome);
        test_alloc_arm(alloc, k);
        weft_status status = weft_player_learn(s->learner, i, j, label, &s->outcome, &error);
        bool failed = alloc->failed;
        test_alloc_arm(alloc, TEST_ALLOC_NEVER);
        if (!failed) {
            assert_int_equal(status, WEFT_OK);
            return;
        }
        assert_int_equal(status, WEFT_MEMORY);
        assert_true(oom_untouched(&s->outcome, sizeof s->outcome));
        assert_true(oom_digest_of_player(s->learner) == before);
    }
}

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
    assert_int_equal(weft_learner_create(s.side, s.columns, &settings, &memory, &s.learner, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(s.side, s.columns, &settings, NULL, &twin, NULL), WEFT_OK);
    for (int64_t t = 0; t < 2 * most; t++) {
        if (t >= IDS && weft_side_count(s.side) < most)
            assert_int_equal(weft_side_append(s.side, &(weft_item){.alone = true}, NULL), WEFT_OK);
        int64_t i = t % weft_side_count(s.side), j = (t * 5 + 1) % weft_side_count(s.side);
        int label = t % 2 ? 1 : -1;
        refuse_trial(&alloc, &s, i, j, label);
        assert_int_equal(weft_player_learn(twin, i, j, label, NULL, NULL), WEFT_OK);
    }
    assert_true(weft_player_counters(s.learner).updates > most / 2);
    assert_true(oom_digest_of_player(s.learner) == oom_digest_of_player(twin));
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
