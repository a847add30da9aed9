/* SPDX-License-Identifier: MIT
 * Merging by name that fails, for want of memory, because it is stopped, or because the two do not go
 * together: the player is as before, its names among it.  And models that were opened only to look. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_core_support.h"
#include "unit/test_io_support.h"

#include "support/alloc.h"
#include "support/stopper.h"
#include "weft_files.h"

enum { N = 4, TRIALS = 30 };

static const int64_t class_of[2][N] = {{0, 0, 1, 1}, {0, 1, 1, 1}};
static const char *const names[2][N] = {{"ann", "bob", "cyd", "dan"}, {"dan", "eve", "fay", "gus"}};

/* Classes of the same four, which differ for `other_classes`, against names that nobody has listed. */
static weft_player *make(bool other_classes, int which, const weft_memory *memory)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    const weft_file_options options = {.memory = memory};
    if (weft_roster_from_classes(N, class_of[other_classes], 0.1, names[0], &options, &rows, &error) !=
            WEFT_OK ||
        weft_roster_from_names(N, names[which], &options, &columns, &error) != WEFT_OK ||
        weft_player_create(rows, columns, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

/* Rows that are not listed come in too. */
static void play(weft_player *player, int which)
{
    for (int t = 0; t < TRIALS; t++) {
        int64_t pair[2];
        char row[16];
        snprintf(row, sizeof row, "%s%d", which == 0 ? "x" : "y", t % 3);
        assert_int_equal(
            weft_player_pair(player, t % 2 == 0 ? row : names[0][t % N], names[which][t * 3 % N], pair, NULL),
            WEFT_OK);
        assert_int_equal(weft_player_learn(player, pair[0], pair[1], t % 5 < 2 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    }
}

static int64_t count_of(const weft_player *player, int which)
{
    return weft_ids_count(weft_roster_ids(weft_player_roster(player, which)));
}

typedef struct facts {
    uint64_t digest[2];
    int64_t count[2], let_in[2];
} facts;

static facts facts_of(const weft_player *player)
{
    facts f;
    assert_int_equal(weft_player_digest(player, f.digest, NULL), WEFT_OK);
    for (int k = 0; k < 2; k++) {
        f.count[k] = count_of(player, 1 + k);
        f.let_in[k] = weft_roster_report(weft_player_roster(player, 1 + k)).let_in;
    }
    return f;
}

static void assert_as_before(const weft_player *player, const facts *before)
{
    facts now = facts_of(player);
    int64_t pair[2];
    assert_memory_equal(&now, before, sizeof now);
    /* A name of the other is none that is known. */
    assert_int_equal(weft_ids_find(weft_roster_ids(weft_player_roster(player, WEFT_COLUMNS)), "fay"), -1);
    assert_int_equal(weft_player_find(player, "ann", "bob", pair, NULL), WEFT_OK);
    assert_true(pair[0] == 0 && pair[1] == 1);
}

static void without_memory(void **state)
{
    weft_player *other = make(false, 1, NULL);
    play(other, 1);
    int64_t refused = 0;
    for (int64_t k = 0;; k += 1 + k / 16) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_player *player = make(false, 0, &memory);
        play(player, 0);
        facts before = facts_of(player);
        test_alloc_arm(&alloc, k);
        weft_status status = weft_player_merge(player, other, NULL);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        refused += status == WEFT_MEMORY;
        if (status == WEFT_MEMORY)
            assert_as_before(player, &before);
        else
            assert_int_equal(status, WEFT_OK);
        if (status == WEFT_OK)
            assert_int_equal(count_of(player, WEFT_COLUMNS), 2 * N - 1);
        weft_player_free(player);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (status == WEFT_OK)
            break;
    }
    assert_true(refused > 20);
    weft_player_free(other);
}

static void when_it_is_stopped(void **state)
{
    stopper s;
    weft_player *player = make(false, 0, NULL), *other = make(false, 1, NULL);
    play(player, 0);
    play(other, 1);
    facts before = facts_of(player);
    stopper_arm(&s, 0);
    assert_int_equal(weft_player_set_progress(player, &(weft_progress){stopper_tell, &s, 10}, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(player, other, NULL), WEFT_INTERRUPTED);
    assert_as_before(player, &before);
    stopper_arm(&s, STOPPER_NEVER);
    assert_int_equal(weft_player_merge(player, other, NULL), WEFT_OK);
    assert_int_equal(count_of(player, WEFT_COLUMNS), 2 * N - 1);
    weft_player_free(player);
    weft_player_free(other);
}

/* Rows in other classes are other rows. */
static void of_other_side_information(void **state)
{
    weft_error error = {0};
    weft_player *player = make(false, 0, NULL), *other = make(true, 1, NULL);
    play(player, 0);
    play(other, 1);
    facts before = facts_of(player);
    assert_fails(weft_player_merge(player, other, &error), WEFT_ARGUMENT, "of the rows differ");
    assert_as_before(player, &before);
    weft_player_free(player);
    weft_player_free(other);
}

static void who_is_only_looked_at_has_no_readers(void **state)
{
    weft_player *player = make(false, 0, NULL), *seen = NULL, *copy = NULL;
    weft_reader *reader = NULL;
    weft_error error = {0};
    size_t size = 0;
    play(player, 0);
    assert_int_equal(weft_player_to_bytes(player, NULL, &size, NULL), WEFT_OK);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_to_bytes(player, bytes, &size, NULL), WEFT_OK);
    assert_int_equal(weft_player_from_bytes(bytes, size, &(weft_model_options){.look = true}, &seen, &error),
                     WEFT_OK);
    assert_fails(weft_reader_create(seen, &reader, &error), WEFT_UNSUPPORTED, "only to look");
    assert_int_equal(weft_player_clone(seen, &copy, &error), WEFT_OK);
    assert_fails(weft_reader_create(copy, &reader, &error), WEFT_UNSUPPORTED, "only to look");
    weft_player_free(copy);
    weft_player_free(seen);
    weft_player_free(player);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory),
        cmocka_unit_test(when_it_is_stopped),
        cmocka_unit_test(of_other_side_information),
        cmocka_unit_test(who_is_only_looked_at_has_no_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
