/* SPDX-License-Identifier: MIT
 * Columns that are made once against the side's own, to the bit, for every kind: as ids are met, as the side
 * grows, and with memory refused. */
#include "unit/test_core_support.h"

#include "side/learnt/column_cache.h"
#include "side/learnt/similarity.h"
#include "support/alloc.h"
#include "support/known.h"

enum { IDS = 24, LISTED = 18 };

/* A seed of graphs that makes one whose kernel is never formed. */
enum { BLURRED = 1 };

typedef struct scene {
    known facts;
    weft_side *side;
    weft__column_cache cache;
    double *work;
} scene;

static void open_scene(uint64_t seed, known_kind kind, const weft_memory *memory, scene *s)
{
    dice d = {seed};
    known_draw(&d, kind, IDS, LISTED, &s->facts);
    assert_int_equal(known_side(&s->facts, &s->side, NULL), WEFT_OK);
    weft_memory hook = weft__memory_or_default(memory);
    weft__column_cache_open(&s->cache, s->side, &hook);
    s->cache.similarities = true;
    s->work = calloc((size_t)(s->side->ops->vectors * IDS + 1), sizeof *s->work);
}

static void close_scene(scene *s)
{
    weft__column_cache_close(&s->cache);
    weft_side_free(s->side);
    known_release(&s->facts);
    free(s->work);
}

static void assert_column(scene *s, int64_t id, const int64_t *ids, int64_t count)
{
    double found[IDS], expected[IDS], scale = weft__similarity_scale(s->side, id);
    s->side->ops->column(s->side, id, ids, count, expected, s->work);
    assert_true(weft__column_cache_read(&s->cache, id, ids, count, found));
    assert_memory_equal(found, expected, (size_t)count * sizeof *found);
    for (int64_t k = 0; k < count; k++)
        expected[k] = weft__similarity(s->side, expected[k], scale, weft__similarity_scale(s->side, ids[k]));
    assert_true(weft__column_cache_read_similarity(&s->cache, id, ids, count, found));
    assert_memory_equal(found, expected, (size_t)count * sizeof *found);
}

/* No pair is asked for. */
static const int64_t nobody[2] = {-1, -1};

static void assert_nothing(scene *s, int64_t id, const int64_t *ids, int64_t count)
{
    double out[IDS];
    assert_false(weft__column_cache_read(&s->cache, id, ids, count, out));
    assert_false(weft__column_cache_read_similarity(&s->cache, id, ids, count, out));
}

/* The columns of `a` and `b` over ids in another order than they were met in. */
static void check_kind(known_kind kind, uint64_t seed)
{
    scene s;
    const int64_t some[] = {9, 2, 15, 5}, more[] = {5, 7, 9}, new[] = {LISTED, 2, 7}, a = 4, b = 9;
    open_scene(seed, kind, NULL, &s);
    assert_nothing(&s, a, some, 4);
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    for (int64_t k = 3; k >= 0; k--)
        weft__column_cache_add_learnt(&s.cache, some[k]);
    weft__column_cache_make(&s.cache, 0, a, -1);
    weft__column_cache_make(&s.cache, 1, b, -1);
    assert_int_equal(s.cache.made, 2);
    assert_column(&s, a, some, 4);
    assert_column(&s, b, some, 4);
    assert_nothing(&s, 2, some, 4);
    assert_nothing(&s, a, more, 3);
    /* An id that is met is in the columns that are made from then on. */
    weft__column_cache_add_learnt(&s.cache, 7);
    weft__column_cache_add_learnt(&s.cache, 7);
    assert_nothing(&s, a, more, 3);
    weft__column_cache_make(&s.cache, 0, a, -1);
    assert_int_equal(s.cache.made, s.side->blur > 0 ? 3 : 2);
    assert_column(&s, a, more, 3);
    assert_nothing(&s, b, more, 3);
    /* A column that takes the place of another leaves nothing of it. */
    weft__column_cache_make(&s.cache, 0, 12, -1);
    assert_column(&s, 12, more, 3);
    assert_nothing(&s, a, some, 4);
    for (int64_t id = LISTED; id < IDS; id++)
        assert_int_equal(known_append(&s.facts, s.side, NULL), WEFT_OK);
    assert_nothing(&s, 12, new, 3);
    weft__column_cache_add_learnt(&s.cache, LISTED); /* no room yet */
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    assert_column(&s, 12, more, 3);
    assert_nothing(&s, 12, new, 3);
    weft__column_cache_add_learnt(&s.cache, LISTED);
    weft__column_cache_make(&s.cache, 0, 12, -1);
    weft__column_cache_make(&s.cache, 1, LISTED + 1, -1);
    assert_column(&s, 12, new, 3);
    assert_column(&s, LISTED + 1, new, 3);
    close_scene(&s);
}

static void every_kind(void **state)
{
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (int kind = 0; kind < KNOWN_KINDS; kind++)
            check_kind((known_kind)kind, seed);
}

static void whole_columns(void **state)
{
    scene s;
    open_scene(3, KNOWN_KERNEL, NULL, &s);
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    weft__column_cache_add_learnt(&s.cache, 5);
    weft__column_cache_make(&s.cache, 0, 4, -1);
    assert_null(weft__column_cache_similarities(&s.cache, 4));
    s.cache.whole = true;
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    assert_null(weft__column_cache_similarities(&s.cache, 4));
    weft__column_cache_make(&s.cache, 0, 4, -1);
    const double *u = weft__column_cache_similarities(&s.cache, 4);
    assert_non_null(u);
    for (int64_t k = 0; k < LISTED; k++) {
        double expected =
            weft__similarity(s.side, weft_side_entry(s.side, 4, k), weft__similarity_scale(s.side, 4),
                             weft__similarity_scale(s.side, k));
        assert_true(u[k] == expected);
    }
    assert_null(weft__column_cache_similarities(&s.cache, 5));
    assert_int_equal(known_append(&s.facts, s.side, NULL), WEFT_OK);
    assert_null(weft__column_cache_similarities(&s.cache, 4));
    s.cache.similarities = false;
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    weft__column_cache_make(&s.cache, 0, 4, -1);
    assert_null(weft__column_cache_similarities(&s.cache, 4));
    close_scene(&s);
}

/* Of a kernel that is never formed, the entry of a pair is in the column of the smaller id. */
static void entries(void **state)
{
    int64_t blurred = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        scene s;
        double found = 0;
        open_scene(seed, KNOWN_GRAPH, NULL, &s);
        assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
        weft__column_cache_make(&s.cache, 0, 11, 6);
        weft__column_cache_make(&s.cache, 1, 6, 11);
        bool there = weft__column_cache_read_entry(&s.cache, 11, 6, &found);
        assert_int_equal(there, s.side->blur > 0);
        if (there) {
            double expected = s.side->ops->entry(s.side, 6, 11, s.work);
            assert_true(found == expected);
            assert_true(weft__column_cache_read_entry(&s.cache, 6, 11, &found) && found == expected);
            assert_false(weft__column_cache_read_entry(&s.cache, 6, 12, &found));
            weft__column_cache_make(&s.cache, 1, 6, 12);
            assert_true(weft__column_cache_read_entry(&s.cache, 6, 12, &found));
            assert_true(found == s.side->ops->entry(s.side, 6, 12, s.work));
            assert_false(weft__column_cache_read_entry(&s.cache, 6, 11, &found));
            blurred++;
        }
        close_scene(&s);
    }
    assert_true(blurred > 2);
}

static void counts(void **state)
{
    scene s;
    double out[2], entry = 0;
    const int64_t ids[] = {3, 8};
    open_scene(2, KNOWN_CLASSES, NULL, &s);
    assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
    weft__column_cache_add_learnt(&s.cache, 3);
    weft__column_cache_make(&s.cache, 0, 1, -1);
    assert_true(weft__column_cache_read(&s.cache, 1, ids, 1, out));
    assert_false(weft__column_cache_read(&s.cache, 1, ids, 2, out));
    assert_true(weft__column_cache_read_similarity(&s.cache, 1, ids, 1, out));
    assert_false(weft__column_cache_read_entry(&s.cache, 1, 3, &entry));
    assert_null(weft__column_cache_similarities(&s.cache, 1));
    assert_int_equal(s.cache.asked, 5);
    assert_int_equal(s.cache.lacking, 3);
    assert_int_equal(s.cache.made, 1);
    assert_false(weft__column_cache_read(NULL, 1, ids, 1, out) ||
                 weft__column_cache_read_similarity(NULL, 1, ids, 1, out) ||
                 weft__column_cache_read_entry(NULL, 1, 3, &entry) ||
                 weft__column_cache_similarities(NULL, 1) != NULL);
    close_scene(&s);
}

/* Request number k of the first or the second reserve is refused; asked again, all is as if it had not been.
 * False where there are fewer requests. */
static bool refuse(int64_t k, bool second)
{
    const int64_t ids[] = {9, 2, 15}, a = 4;
    test_alloc alloc;
    scene s;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    bool failed = false;
    open_scene(BLURRED, KNOWN_GRAPH, &memory, &s);
    assert_true(s.side->blur > 0);
    for (int round = 0; round < 2; round++) {
        for (int64_t id = LISTED; id < IDS && round == 1; id++)
            assert_int_equal(known_append(&s.facts, s.side, NULL), WEFT_OK);
        test_alloc_arm(&alloc, round == second ? k : TEST_ALLOC_NEVER);
        weft_status status = weft__column_cache_reserve(&s.cache, nobody, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        failed = failed || alloc.failed;
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        assert_int_equal(weft__column_cache_reserve(&s.cache, nobody, NULL), WEFT_OK);
        for (int i = 0; i < 3; i++)
            weft__column_cache_add_learnt(&s.cache, ids[i]);
        weft__column_cache_make(&s.cache, 0, a, ids[0]);
        assert_column(&s, a, ids, 3);
    }
    close_scene(&s);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return failed;
}

static void refused_memory(void **state)
{
    for (int second = 0; second < 2; second++) {
        int64_t k = 0;
        while (refuse(k, second))
            k++;
        assert_int_equal(k, 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind), cmocka_unit_test(whole_columns),  cmocka_unit_test(entries),
        cmocka_unit_test(counts),     cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
