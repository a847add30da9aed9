/* SPDX-License-Identifier: MIT
 * Copies of players, and players that forget all, while memory is refused: the player is as it was, and what
 * was begun is gone. */
#include "support/test.h"

#include "support/alloc.h"
#include "support/effort.h"
#include "weft_advanced.h"
#include "weft_files.h"

enum { IDS = 5, TRIALS = 20 };

static const int64_t class_of[IDS] = {0, 1, 0, 1, 2};

static const weft_map map = {.hash = 4};

typedef enum sort { LEARNER, COMPACT, RIVAL, FACTORS, COMMITTEE, OF_ROSTERS, SORTS } sort;

static weft_player *rival_of(const weft_side *side, weft_rival_kind kind, const weft_memory *memory)
{
    const weft_rival_settings settings = {.kind = kind, .bits = 6, .factors = 2};
    weft_player *player = NULL;
    assert_int_equal(weft_rival_create(side, NULL, &settings, memory, &player, NULL), WEFT_OK);
    return player;
}

static weft_player *learner_of(const weft_side *side, weft_engine engine, const weft_memory *memory)
{
    weft_settings settings = {.form = WEFT_ONE_SET, .eta = 0.9, .gamma = 0.5, .engine = engine};
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_learner_create(side, NULL, &settings, memory, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static weft_player *committee_of(const weft_side *side, const weft_memory *memory)
{
    const weft_member members[] = {
        {.name = "majority", .rows = side, .plain = true, .is_rival = true},
        {.name = "logistic",
         .rows = side,
         .uses = WEFT_ROWS,
         .is_rival = true,
         .rival = {.kind = WEFT_RIVAL_LOGISTIC, .bits = 6}},
    };
    const weft_committee_settings settings = {0};
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_committee_create(members, 2, &settings, memory, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static weft_player *player_of_rosters(const weft_memory *memory)
{
    const weft_file_options options = {.memory = memory};
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    assert_int_equal(weft_roster_from_classes(IDS, class_of, 0.1, NULL, &options, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_roster_from_names(IDS, NULL, &options, &columns, NULL), WEFT_OK);
    assert_int_equal(weft_player_create(rows, columns, NULL, &player, NULL), WEFT_OK);
    return player;
}

static weft_player *make(sort what, const weft_side *side, const weft_memory *memory)
{
    weft_player *player = what == LEARNER     ? learner_of(side, WEFT_KRYLOV, memory)
                          : what == COMPACT   ? learner_of(side, WEFT_COMPACT, memory)
                          : what == RIVAL     ? rival_of(side, WEFT_RIVAL_LOGISTIC, memory)
                          : what == FACTORS   ? rival_of(side, WEFT_RIVAL_HYBRID, memory)
                          : what == COMMITTEE ? committee_of(side, memory)
                                              : player_of_rosters(memory);
    for (int64_t t = 0; t < TRIALS; t++)
        assert_int_equal(weft_player_learn(player, t % IDS, t * 2 % IDS, t % 3 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    return player;
}

typedef struct state_bytes {
    unsigned char *bytes;
    size_t size;
} state_bytes;

static state_bytes state_of(const weft_player *player)
{
    state_bytes s = {NULL, 0};
    assert_int_equal(weft_player_write(player, NULL, &s.size, NULL), WEFT_OK);
    s.bytes = malloc(s.size);
    assert_int_equal(weft_player_write(player, s.bytes, &s.size, NULL), WEFT_OK);
    return s;
}

static void assert_state(const weft_player *player, const state_bytes *expected)
{
    state_bytes now = state_of(player);
    assert_int_equal(now.size, expected->size);
    assert_memory_equal(now.bytes, expected->bytes, now.size);
    free(now.bytes);
}

/* Refuses request k of a copy; whether there was one. */
static bool refuse_copy(weft_player *player, test_alloc *alloc, int64_t k, const state_bytes *before)
{
    weft_player *copy = NULL;
    int64_t blocks = test_alloc_blocks(alloc);
    test_alloc_arm(alloc, k);
    weft_status status = weft_player_clone(player, &copy, NULL);
    bool refused = alloc->failed;
    test_alloc_arm(alloc, TEST_ALLOC_NEVER);
    assert_int_equal(status, refused ? WEFT_MEMORY : WEFT_OK);
    assert_true((copy == NULL) == refused);
    if (copy != NULL)
        assert_state(copy, before);
    assert_state(player, before);
    weft_player_free(copy);
    assert_int_equal(test_alloc_blocks(alloc), blocks);
    return refused;
}

static void copies(void **state)
{
    for (int what = 0; what < SORTS; what++) {
        test_alloc alloc;
        const weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_side_options options = {.memory = &memory, .map = what == COMPACT ? &map : NULL};
        weft_side *side = NULL;
        assert_int_equal(weft_side_from_classes(IDS, class_of, 0.1, &options, &side, NULL), WEFT_OK);
        weft_player *player = make((sort)what, side, &memory);
        state_bytes before = state_of(player);
        int64_t asked = alloc.requests;
        assert_false(refuse_copy(player, &alloc, TEST_ALLOC_NEVER, &before));
        int64_t count = alloc.requests - asked;
        assert_true(count > 2);
        for (int64_t k = 0; k < count; k = after(k, count, 60))
            assert_true(refuse_copy(player, &alloc, k, &before));
        free(before.bytes);
        weft_player_free(player);
        weft_side_free(side);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

/* All is forgotten or nothing. */
static void forgetting_all(void **state)
{
    for (int what = 0; what < OF_ROSTERS; what++)
        for (int64_t k = 0, done = 0; !done; k++) {
            test_alloc alloc;
            const weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
            const weft_side_options options = {.map = what == COMPACT ? &map : NULL};
            weft_side *side = NULL;
            assert_int_equal(weft_side_from_classes(IDS, class_of, 0.1, &options, &side, NULL), WEFT_OK);
            weft_player *player = make((sort)what, side, &memory);
            state_bytes before = state_of(player);
            test_alloc_arm(&alloc, k);
            weft_status status = weft_player_reset(player, NULL);
            done = !alloc.failed;
            test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
            assert_int_equal(status, done ? WEFT_OK : WEFT_MEMORY);
            if (!done)
                assert_state(player, &before);
            else
                assert_int_equal(weft_player_counters(player).trials, 0);
            free(before.bytes);
            weft_player_free(player);
            weft_side_free(side);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(forgetting_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
