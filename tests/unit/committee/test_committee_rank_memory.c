/* SPDX-License-Identifier: MIT
 * A ranking by the default committee with each allocation refused: the status says so, the outputs are
 * untouched, nothing leaks, and with memory to be had it is the ranking of a committee that nothing was
 * refused to. */
#include "support/test.h"

#include "support/alloc.h"
#include "weft_advanced.h"

#include <math.h>
#include <stdlib.h>

enum { IDS = 12, DIMENSION = 3, MOST = 4, TAUGHT = 30, MOST_MEMBERS = 128 };

typedef struct scene {
    test_alloc alloc;
    weft_memory memory;
    weft_side *given[2], *none[2];
    weft_player *committee;
    int64_t candidates[IDS];
} scene;

/* Vectors of the rows, classes of the columns. */
static void open_sides(scene *s)
{
    const weft_side_options options = {.memory = &s->memory};
    double values[IDS * DIMENSION];
    int64_t class_of[IDS];
    for (int64_t k = 0; k < IDS * DIMENSION; k++)
        values[k] = sin((double)(k * k));
    for (int64_t k = 0; k < IDS; k++)
        class_of[k] = k % 3;
    const weft_features features = {IDS, DIMENSION, values, WEFT_GAUSSIAN, 2};
    assert_int_equal(weft_side_from_features(&features, &options, &s->given[0], NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(IDS, class_of, 0.1, &options, &s->given[1], NULL), WEFT_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(weft_side_none(IDS, &options, &s->none[k], NULL), WEFT_OK);
}

static void open_scene(scene *s)
{
    static weft_member members[MOST_MEMBERS];
    const weft_committee_settings settings = {0};
    weft_views views[2];
    weft_view list[2][2];
    int64_t count = MOST_MEMBERS;
    s->memory = test_alloc_begin(&s->alloc, TEST_ALLOC_NEVER);
    open_sides(s);
    for (int k = 0; k < 2; k++) {
        list[k][0] = (weft_view){.kind = WEFT_VIEW_GIVEN, .side = s->given[k]};
        list[k][1] = (weft_view){.kind = WEFT_VIEW_NONE, .side = s->none[k]};
        views[k] = (weft_views){list[k], 2};
    }
    assert_int_equal(weft_committee_members(&views[0], &views[1], members, &count, NULL), WEFT_OK);
    assert_int_equal(weft_committee_create(members, count, &settings, &s->memory, &s->committee, NULL),
                     WEFT_OK);
    /* Three ids of either side are left for the ranking to meet. */
    for (int64_t t = 0; t < TAUGHT; t++)
        assert_int_equal(
            weft_player_learn(s->committee, t * 4 % 9, (t * 5 + t / 9) % 9, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
    for (int64_t k = 0; k < IDS; k++)
        s->candidates[k] = (7 * k + 3) % IDS;
}

static void close_scene(scene *s)
{
    weft_player_free(s->committee);
    for (int k = 0; k < 2; k++) {
        weft_side_free(s->given[k]);
        weft_side_free(s->none[k]);
    }
    assert_int_equal(test_alloc_blocks(&s->alloc), 0);
}

static weft_status rank(const scene *s, weft_player *player, bool column, weft_ranked *ranked, int64_t *found)
{
    const weft_query query = {
        .id = 2, .column = column, .candidates = s->candidates, .candidate_count = IDS, .most = MOST};
    return weft_player_rank(player, &query, ranked, found, NULL);
}

static void refuse_each(scene *s, bool column)
{
    weft_ranked expected[MOST], ranked[MOST];
    int64_t found = 0, k = 0;
    weft_player *copy = NULL;
    assert_int_equal(weft_player_clone(s->committee, &copy, NULL), WEFT_OK);
    assert_int_equal(rank(s, copy, column, expected, &found), WEFT_OK);
    assert_int_equal(found, MOST);
    weft_player_free(copy);
    for (bool refused = true; refused; k++) {
        assert_int_equal(weft_player_clone(s->committee, &copy, NULL), WEFT_OK);
        found = -1;
        test_alloc_arm(&s->alloc, k);
        weft_status status = rank(s, copy, column, ranked, &found);
        refused = s->alloc.failed;
        test_alloc_arm(&s->alloc, TEST_ALLOC_NEVER);
        assert_int_equal(status, refused ? WEFT_MEMORY : WEFT_OK);
        assert_int_equal(found, refused ? -1 : MOST);
        if (refused)
            assert_int_equal(rank(s, copy, column, ranked, &found), WEFT_OK);
        for (int i = 0; i < MOST; i++) {
            assert_int_equal(ranked[i].id, expected[i].id);
            assert_true(ranked[i].answer.probability == expected[i].answer.probability);
        }
        weft_player_free(copy);
    }
    assert_true(k > 20);
}

static void rankings_survive_a_lack_of_memory(void **state)
{
    scene s = {.committee = NULL};
    open_scene(&s);
    refuse_each(&s, false);
    refuse_each(&s, true);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rankings_survive_a_lack_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
