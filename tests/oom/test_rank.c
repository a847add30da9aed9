/* SPDX-License-Identifier: MIT
 * Rankers and explanations, in all forms and engines: a call that ran out of
 * memory leaves its outputs alone, leaks nothing, and answers when it is repeated
 * what it would have answered; what a ranker keeps is right whatever happened. */
#include "oom_player.h"

enum { IDS = 20, TAUGHT = 40, MOST = 6 };

typedef struct scene {
    weft_form form;
    weft_engine engine;
    weft_side *side;
    const weft_side *columns;
    weft_player *learner;
    int64_t candidates[IDS], found;
    weft_ranked ranked[MOST];
    weft_explanation explanation;
    weft_influence *influences;
    int64_t pairs;
} scene;

/* ---- what is seen ---- */

static uint64_t look(void *self)
{
    return oom_digest_of_state(((scene *)self)->learner);
}

static weft_query query_of(const scene *s)
{
    return (weft_query){
        .id = 2, .candidates = s->candidates, .candidate_count = IDS, .most = MOST, .tolerance = 1e-3};
}

static uint64_t digest_of_ranks(const weft_ranked *ranked, int64_t found)
{
    uint64_t digest = 5;
    for (int64_t k = 0; k < found; k++) {
        digest = oom_digest(digest, &ranked[k].id, sizeof ranked[k].id);
        digest = oom_digest(digest, &ranked[k].answer.lower, sizeof ranked[k].answer.lower);
        digest = oom_digest(digest, &ranked[k].answer.upper, sizeof ranked[k].answer.upper);
    }
    return digest;
}

/* The state, and that the ranker is fit for use. */
static uint64_t look_through(void *self)
{
    scene *s = self;
    weft_ranked ranked[MOST];
    weft_query query = query_of(s);
    int64_t found = 0;
    assert_int_equal(weft_player_rank(s->learner, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, MOST);
    uint64_t digest = oom_digest_of_state(s->learner);
    for (int64_t k = 0; k < found; k++)
        digest = oom_digest(digest, &ranked[k].id, sizeof ranked[k].id);
    return digest;
}

static uint64_t given(void *self)
{
    scene *s = self;
    if (s->found >= 0)
        return digest_of_ranks(s->ranked, s->found);
    assert_true(oom_untouched(s->ranked, sizeof s->ranked));
    if (!oom_untouched(&s->explanation, sizeof s->explanation))
        return oom_digest(oom_digest(9, &s->explanation.total, sizeof(double)), &s->influences[0].derivative,
                          sizeof(double));
    assert_true(oom_untouched(s->influences, (size_t)s->pairs * sizeof *s->influences));
    return 0;
}

/* ---- the scene ---- */

static void open_learner(void *self, const weft_memory *memory)
{
    scene *s = self;
    *s = (scene){.form = s->form, .engine = s->engine, .found = -1};
    weft_settings settings = {.form = s->form,
                              .engine = s->engine,
                              .eta = 0.3,
                              .gamma = 0.5,
                              .dimension = 10,
                              .rows = IDS + 2,
                              .columns = IDS + 2,
                              .tolerance = 0.02,
                              .seed = 4};
    /* The map is for the compact engine, the only one that looks at it. */
    s->side = oom_kernel(IDS, &(weft_map){.eigen = 6, .hash = 4}, memory);
    s->columns = s->form == WEFT_ONE_SET ? NULL : s->side;
    assert_int_equal(weft_learner_create(s->side, s->columns, &settings, memory, &s->learner, NULL), WEFT_OK);
    /* The reference takes an eigendecomposition a trial. */
    for (int64_t t = 0; t < (s->engine == WEFT_REFERENCE ? TAUGHT / 5 : TAUGHT); t++)
        assert_int_equal(
            weft_player_learn(s->learner, t * 3 % 14, (t * 5 + 1 + t / 14) % 14, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
    for (int64_t k = 0; k < IDS; k++)
        s->candidates[k] = (7 * k + 3) % IDS;
    s->pairs = weft_player_evidence_count(s->learner);
    s->influences = malloc((size_t)(s->pairs + 1) * sizeof *s->influences);
    assert_non_null(s->influences);
    memset(s->ranked, OOM_UNTOUCHED, sizeof s->ranked);
    memset(&s->explanation, OOM_UNTOUCHED, sizeof s->explanation);
    memset(s->influences, OOM_UNTOUCHED, (size_t)s->pairs * sizeof *s->influences);
}

/* With what a first ranking leaves behind, of no candidates. */
static void open_ranker(void *self, const weft_memory *memory)
{
    scene *s = self;
    weft_query query = query_of(s);
    query.candidate_count = 0;
    open_learner(self, memory);
    assert_int_equal(weft_player_rank(s->learner, &query, s->ranked, &s->found, NULL), WEFT_OK);
    s->found = -1;
}

/* With a diagonal that is out of date. */
static void open_outdated(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_ranker(self, memory);
    assert_int_equal(weft_learner_fill_diagonal(s->learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(s->learner, 17, 18, -1, NULL, NULL), WEFT_OK);
    s->pairs = 0;
}

/* With an id that came after the first ranking. */
static void open_grown(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_ranker(self, memory);
    assert_int_equal(weft_side_append(s->side, &(weft_item){.alone = true}, NULL), WEFT_OK);
}

static void close_all(void *self)
{
    scene *s = self;
    weft_player_free(s->learner);
    weft_side_free(s->side);
    free(s->influences);
}

/* ---- the calls ---- */

static weft_status rank(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_query query = query_of(s);
    (void)memory;
    return weft_player_rank(s->learner, &query, s->ranked, &s->found, error);
}

static weft_status fill(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_learner_fill_diagonal(((scene *)self)->learner, error);
}

static weft_status explain(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_player_explain(s->learner, 2, 19, 1e-6, &s->explanation, s->influences, error);
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"first rank", open_learner, rank, look, given, close_all, 20},
        {"rank", open_ranker, rank, look, given, close_all, 3},
        {"rank", open_grown, rank, look, given, close_all, 3},
        {"rank", open_outdated, rank, look, given, close_all, 3},
        {"fill", open_ranker, fill, look, given, close_all, 0},
        {"fill", open_ranker, fill, look_through, given, close_all, 0},
        {"fill", open_outdated, fill, look_through, given, close_all, 0},
        {"fill", open_grown, fill, look_through, given, close_all, 0},
        {"explain", open_learner, explain, look, given, close_all, 15},
    };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int engine = WEFT_KRYLOV; engine <= WEFT_REFERENCE; engine++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                scene s = {.form = (weft_form)form, .engine = (weft_engine)engine};
                oom_play(&cases[k], &s);
            }
}

/* Decompositions that are there, and gone with the next labels, of which one at least is learnt. */
static void open_compact_outdated(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_ranker(self, memory);
    assert_int_equal(rank(s, memory, NULL), WEFT_OK);
    for (int label = -1; label <= 1; label += 2)
        assert_int_equal(weft_player_learn(s->learner, 17, 18, label, NULL, NULL), WEFT_OK);
    s->found = -1;
    memset(s->ranked, OOM_UNTOUCHED, sizeof s->ranked);
}

static void compact_rankers(void **state)
{
    static const oom_case cases[] = {
        {"first rank", open_learner, rank, look, given, close_all, 11},
        {"rank", open_ranker, rank, look, given, close_all, 9},
        {"rank", open_ranker, rank, look_through, given, close_all, 3},
        {"rank", open_grown, rank, look, given, close_all, 9},
        {"rank", open_compact_outdated, rank, look, given, close_all, 4},
        {"fill", open_ranker, fill, look_through, given, close_all, 0},
    };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            scene s = {.form = (weft_form)form, .engine = WEFT_COMPACT};
            oom_play(&cases[k], &s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(compact_rankers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
