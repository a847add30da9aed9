/* SPDX-License-Identifier: MIT
 * What linear rivals are told of ids of which several kinds of side information are known. */
#include "support/test.h"

#include "rival/traits.h"
#include "side/kinds/sum.h"
#include "support/alloc.h"

enum { IDS = 14, VERTICES = 13 };

/* Ids 0, 1, 2 have classes, ids 1, 2, ..., 13 are the vertices 0, 1, ..., 12 of a star. */
typedef struct kinds {
    weft_side *classes, *graph, *side;
} kinds;

static kinds make(void)
{
    static const int64_t class_of[] = {0, 1, 1};
    int64_t from[VERTICES], to[VERTICES], in_classes[IDS], in_graph[IDS];
    kinds k = {NULL, NULL, NULL};
    for (int64_t i = 0; i < IDS; i++) {
        in_classes[i] = i < 3 ? i : -1;
        in_graph[i] = i - 1;
    }
    for (int64_t e = 0; e + 1 < VERTICES; e++) {
        from[e] = 0;
        to[e] = e + 1;
    }
    const weft_graph star = {.vertices = VERTICES, .edges = VERTICES - 1, .from = from, .to = to};
    assert_int_equal(weft_side_from_classes(3, class_of, 0, NULL, &k.classes, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_graph(&star, NULL, &k.graph, NULL), WEFT_OK);
    weft__sum_term terms[] = {{k.classes, in_classes}, {k.graph, in_graph}};
    assert_int_equal(weft__side_sum(terms, 2, IDS, NULL, &k.side, NULL), WEFT_OK);
    return k;
}

static void release(kinds *k)
{
    weft_side_free(k->side);
    weft_side_free(k->graph);
    weft_side_free(k->classes);
}

/* Classes under numbers of their own, neighbours under those of all, and no more than eight of them. */
static void all_is_told(void **state)
{
    kinds k = make();
    weft_memory memory = weft__memory_or_default(NULL);
    for (int identity = 0; identity < 2; identity++) {
        weft__traits traits = {.id = 0};
        weft_side *more = NULL;
        assert_int_equal(weft_side_with_identity(k.side, 1, NULL, &more, NULL), WEFT_OK);
        assert_int_equal(
            weft__traits_create(&traits, identity ? more : k.side, WEFT__SCALE_RANGE, &memory, NULL),
            WEFT_OK);
        assert_int_equal(weft__traits_find(&traits, 0, NULL), WEFT_OK);
        assert_int_equal(traits.count, 1);
        assert_true(traits.list[0].number == 0 && !traits.list[0].is_id);
        assert_int_equal(weft__traits_find(&traits, 1, NULL), WEFT_OK);
        assert_int_equal(traits.count, 1 + WEFT__NEAR_BESIDE);
        assert_true(traits.list[0].number == 2 && !traits.list[0].is_id);
        for (int64_t t = 1; t < traits.count; t++)
            assert_true(traits.list[t].is_id && traits.list[t].number == t + 1);
        assert_int_equal(weft__traits_find(&traits, 13, NULL), WEFT_OK);
        assert_true(traits.count == WEFT__NEAR_BESIDE && traits.list[0].is_id && traits.list[0].number == 1);
        assert_int_equal(weft__traits_find(&traits, IDS + 3, NULL), WEFT_OK);
        assert_int_equal(traits.count, 0);
        assert_false(weft__traits_move(traits.side));
        weft__traits_free(&traits);
        weft_side_free(more);
    }
    release(&k);
}

/* The scales of features are those of the part, and part of what is written. */
static void scales_are_kept(void **state)
{
    static const double values[] = {2, 0, 4, 8};
    const weft_features features = {.count = 4, .dimension = 1, .values = values};
    int64_t number[] = {3, 1, 0, 2};
    weft_side *part = NULL, *side = NULL;
    weft__traits one = {.id = 0}, two = {.id = 0};
    weft_memory memory = weft__memory_or_default(NULL);
    unsigned char bytes[64];
    assert_int_equal(weft_side_from_features(&features, NULL, &part, NULL), WEFT_OK);
    weft__sum_term term = {part, number};
    assert_int_equal(weft__side_sum(&term, 1, 4, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft__traits_create(&one, side, WEFT__SCALE_RANGE, &memory, NULL), WEFT_OK);
    assert_int_equal(weft__traits_create(&two, side, WEFT__SCALE_RANGE, &memory, NULL), WEFT_OK);
    assert_int_equal(weft__traits_find(&one, 0, NULL), WEFT_OK);
    assert_true(one.count == 1 && one.list[0].value == 1);
    assert_true(weft__traits_agree(&one, &two));
    two.parts[0].scale[0] = 2;
    assert_false(weft__traits_agree(&one, &two));
    weft__encoder writer = {bytes, 0};
    weft__traits_write(&one, &writer);
    weft__decoder reader = {bytes, writer.size, false};
    assert_int_equal(weft__traits_read(&two, &reader, NULL), WEFT_OK);
    assert_true(reader.left == 0 && weft__traits_agree(&one, &two));
    weft__decoder cut = {bytes, writer.size - 8, false};
    assert_int_equal(weft__traits_read(&two, &cut, NULL), WEFT_MODEL);
    weft__traits_free(&one);
    weft__traits_free(&two);
    weft_side_free(side);
    weft_side_free(part);
}

/* A mean that no number can hold centres nothing, and what is all the same is not divided by its spread. */
static void spreads_at_the_edge(void **state)
{
    static const double values[] = {-1.7e308, 5, 0, 1.7e308, 5, 0, 1.7e308, 5, 2};
    const weft_features features = {
        .count = 3, .dimension = 3, .kernel = WEFT_GAUSSIAN, .values = values, .parameter = 1};
    const weft_memory memory = weft__memory_or_default(NULL);
    weft_side *side = NULL;
    weft__traits traits = {.id = 0};
    assert_int_equal(weft_side_from_features(&features, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft__traits_create(&traits, side, WEFT__SCALE_SPREAD, &memory, NULL), WEFT_OK);
    assert_true(traits.offset[0] == 0 && traits.scale[0] > 1.69e308 && isfinite(traits.scale[0]));
    assert_true(traits.offset[1] == 5 && traits.scale[1] == 1);
    assert_true(traits.offset[2] == 0 && traits.scale[2] == 2);
    assert_int_equal(weft__traits_find(&traits, 0, NULL), WEFT_OK);
    assert_int_equal(traits.count, 1);
    assert_true(traits.list[0].number == 0 && fabs(traits.list[0].value + 1) < 1e-12);
    weft__traits_free(&traits);
    weft_side_free(side);
}

/* Whichever allocation is refused nothing is left behind, and who is asked again is answered. */
static void memory_is_refused(void **state)
{
    kinds k = make();
    for (int64_t at = 0, done = 0; !done; at++) {
        test_alloc alloc;
        const weft_memory memory = test_alloc_begin(&alloc, at);
        weft__traits traits = {.id = 0};
        weft_status status = weft__traits_create(&traits, k.side, WEFT__SCALE_SPREAD, &memory, NULL);
        bool made = status == WEFT_OK;
        if (made)
            status = weft__traits_find(&traits, 1, NULL);
        done = !alloc.failed;
        assert_int_equal(status, done ? WEFT_OK : WEFT_MEMORY);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        if (made) {
            assert_int_equal(weft__traits_find(&traits, 1, NULL), WEFT_OK);
            assert_int_equal(traits.count, 1 + WEFT__NEAR_BESIDE);
        }
        weft__traits_free(&traits);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_told), cmocka_unit_test(scales_are_kept),
                                       cmocka_unit_test(spreads_at_the_edge),
                                       cmocka_unit_test(memory_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
