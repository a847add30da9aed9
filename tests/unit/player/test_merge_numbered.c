/* SPDX-License-Identifier: MIT
 * Merging players that number their ids otherwise: a rival says the same of the same ids, and a merged player
 * has the evidence of both, by name. */
#include "support/test.h"

#include "committee/committee.h"
#include "rival/rival.h"
#include "support/alloc.h"
#include "support/dice.h"

enum { IDS = 12, TRIALS = 300 };

/* numbers[which][i] of a player that calls its ids 0, 1, ... */
static const int64_t rows[IDS] = {3, 0, 7, 11, 1, 2, 20, 5, 4, 9, 8, 6};
static const int64_t columns[IDS] = {1, 0, 2, 3, 5, 4, 6, 12, 8, 9, 10, 7};

static weft_side *open_none(void)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(0, &(weft_side_options){.open = true}, &side, NULL), WEFT_OK);
    return side;
}

static void teach(weft_player *player, uint64_t seed, int64_t trials)
{
    dice d = {seed};
    for (int64_t t = 0; t < trials; t++) {
        /* Some ids are never met. */
        int64_t row = dice_below(&d, IDS - 2), column = 1 + dice_below(&d, IDS - 1);
        int label = ((row < 5) == (column < 6)) == !dice_chance(&d, 0.1) ? 1 : -1;
        assert_int_equal(weft_player_learn(player, row, column, label, NULL, NULL), WEFT_OK);
    }
}

/* ---- Rivals ---- */

static weft_player *rival_of(weft_rival_kind kind, const weft_side *side, bool one_set)
{
    weft_player *rival = NULL;
    weft_rival_settings settings = {.kind = kind, .bits = 10};
    assert_int_equal(weft_rival_create(side, one_set ? NULL : side, &settings, NULL, &rival, NULL), WEFT_OK);
    teach(rival, 5 + (uint64_t)kind, TRIALS);
    return rival;
}

static void assert_same_answers(weft_player *before, weft_player *after, const weft__numbers *numbers)
{
    for (int64_t i = 0; i < IDS - 2; i++)
        for (int64_t j = 1; j < IDS; j++) {
            weft_answer a, b;
            assert_int_equal(weft_player_predict(before, i, j, &a, NULL), WEFT_OK);
            assert_int_equal(weft_player_predict(after, numbers->of[0][i], numbers->of[1][j], &b, NULL),
                             WEFT_OK);
            /* Sums over the ids of one set go by their numbers. */
            assert_true(fabs(a.score - b.score) <= 1e-12 * (1 + fabs(a.score)));
        }
}

/* Written and read it is still the same: what is read back is sound. */
static void assert_readable(const weft_player *player, const weft_side *side, bool one_set)
{
    size_t size = 0;
    weft_player *again = NULL;
    weft_error error = {0};
    assert_int_equal(weft_player_write(player, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(weft_player_write(player, bytes, &size, NULL), WEFT_OK);
    if (weft_rival_read(side, one_set ? NULL : side, bytes, size, NULL, &again, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    weft_player_free(again);
    free(bytes);
}

/* Whose weights go by a hash of the numbers of ids. */
static bool is_hashed(int kind)
{
    return kind == WEFT_RIVAL_LOGISTIC || kind == WEFT_RIVAL_CROSSED;
}

static void rivals_keep_what_they_know(void **state)
{
    weft_side *side = open_none();
    int moved = 0;
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            const weft__numbers numbers = {{rows, one_set ? rows : columns}, {IDS, IDS}};
            weft_player *rival = rival_of((weft_rival_kind)kind, side, one_set), *copy = NULL;
            assert_int_equal(weft_player_clone(rival, &copy, NULL), WEFT_OK);
            assert_int_equal(copy->ops->can_renumber(copy), !is_hashed(kind));
            if (copy->ops->can_renumber(copy)) {
                assert_int_equal(copy->ops->renumber(copy, &numbers, NULL), WEFT_OK);
                assert_same_answers(rival, copy, &numbers);
                assert_readable(copy, side, one_set);
                moved++;
            }
            weft_player_free(copy);
            weft_player_free(rival);
        }
    assert_int_equal(moved, 2 * (WEFT_RIVALS - 2));
    weft_side_free(side);
}

/* A rival that has learnt of an id without a number is not renumbered. */
static void every_id_needs_a_number(void **state)
{
    weft_side *side = open_none();
    const weft__numbers few = {{rows, columns}, {4, 4}};
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        weft_player *rival = rival_of((weft_rival_kind)kind, side, false);
        if (!is_hashed(kind) && kind != WEFT_RIVAL_CONSTANT)
            assert_int_equal(rival->ops->renumber(rival, &few, NULL), WEFT_ARGUMENT);
        weft_player_free(rival);
    }
    weft_side_free(side);
}

/* ---- Committees, by number ---- */

static weft_player *convene(const weft_side *side)
{
    weft_view view = {.kind = WEFT_VIEW_NONE, .side = side};
    weft_views views = {&view, 1};
    weft_member members[96];
    weft_player *committee = NULL;
    int64_t count = 96;
    assert_int_equal(weft_committee_members(&views, &views, members, &count, NULL), WEFT_OK);
    assert_int_equal(
        weft_committee_create(members, count, &(weft_committee_settings){0}, NULL, &committee, NULL),
        WEFT_OK);
    return committee;
}

/* How often the label of a pair was learnt, in the sum of its labels: by a learner. */
static int64_t count_of(const weft_player *learner, int64_t row, int64_t column)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        sum += entry.row == row && entry.column == column ? entry.count : 0;
    }
    return sum;
}

/* A rival of the other committee, by the numbers of this one, that was told the labels of this one. */
static void assert_knows_both(const weft_player *from, weft_player *member, const weft__numbers *numbers)
{
    int64_t same[IDS];
    const weft__numbers alike = {{same, same}, {IDS, IDS}};
    weft_player *expected = NULL;
    for (int64_t i = 0; i < IDS; i++)
        same[i] = i;
    assert_int_equal(weft_player_clone(from, &expected, NULL), WEFT_OK);
    assert_int_equal(expected->ops->renumber(expected, numbers, NULL), WEFT_OK);
    teach(expected, 1, TRIALS);
    assert_same_answers(expected, member, &alike);
    weft_player_free(expected);
}

static void committees_add_by_number(void **state)
{
    weft_side *side = open_none();
    weft_player *a = convene(side), *b = convene(side), *sum = NULL;
    teach(a, 1, TRIALS);
    teach(b, 2, 2 * TRIALS);
    assert_int_equal(weft_player_clone(a, &sum, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge_numbered(sum, b, rows, IDS, columns, IDS, NULL), WEFT_OK);
    assert_int_equal(weft_player_counters(sum).trials, 3 * TRIALS);
    weft__committee *merged = weft__committee_in(sum), *own = weft__committee_in(a),
                    *other = weft__committee_in(b);
    const weft__numbers numbers = {{rows, columns}, {IDS, IDS}};
    for (int64_t k = 0; k < merged->count; k++) {
        weft_player *member = merged->members[k].player, *from = other->members[k].player;
        if (weft_player_kind(member) == WEFT_LEARNER)
            for (int64_t i = 0; i < IDS; i++)
                for (int64_t j = 0; j < IDS; j++)
                    assert_int_equal(count_of(member, rows[i], columns[j]),
                                     count_of(from, i, j) +
                                         count_of(own->members[k].player, rows[i], columns[j]));
        else if (from->ops->can_renumber(from) && other->members[k].seen > own->members[k].seen)
            assert_knows_both(from, member, &numbers);
    }
    weft_player_free(sum);
    weft_player_free(a);
    weft_player_free(b);
    weft_side_free(side);
}

/* With its own numbers it is weft_player_merge, to the byte. */
static void own_numbers_change_nothing(void **state)
{
    weft_side *side = open_none();
    int64_t same[IDS];
    for (int64_t i = 0; i < IDS; i++)
        same[i] = i;
    weft_player *a = convene(side), *b = convene(side), *twin = NULL;
    teach(a, 1, TRIALS);
    teach(b, 2, TRIALS);
    assert_int_equal(weft_player_clone(a, &twin, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(a, b, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge_numbered(twin, b, same, IDS, same, IDS, NULL), WEFT_OK);
    size_t size[2] = {0, 0};
    unsigned char *bytes[2];
    const weft_player *both[2] = {a, twin};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(weft_player_write(both[k], NULL, &size[k], NULL), WEFT_OK);
        bytes[k] = malloc(size[k]);
        assert_int_equal(weft_player_write(both[k], bytes[k], &size[k], NULL), WEFT_OK);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int k = 0; k < 2; k++)
        free(bytes[k]);
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(twin);
    weft_side_free(side);
}

static void refusals(void **state)
{
    weft_side *side = open_none(), *few = NULL;
    const int64_t twice[IDS] = {3, 3}, negative[IDS] = {-1, 0};
    weft_player *a = convene(side), *b = convene(side), *learner = NULL;
    weft_error error = {0};
    teach(b, 2, 50);
    assert_int_equal(weft_player_merge_numbered(a, b, twice, 2, columns, IDS, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_merge_numbered(a, b, rows, IDS, negative, 2, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_merge_numbered(a, b, rows, 2, columns, IDS, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_counters(a).trials, 0);
    assert_int_equal(weft_side_none(IDS, NULL, &few, NULL), WEFT_OK);
    weft_settings settings = weft_settings_default(IDS, IDS, 10);
    assert_int_equal(weft_learner_create(few, few, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge_numbered(learner, learner, rows, IDS, columns, IDS, &error),
                     WEFT_UNKNOWN_ID);
    weft_player_free(learner);
    weft_side_free(few);
    weft_player_free(a);
    weft_player_free(b);
    weft_side_free(side);
}

/* ---- By name ---- */

static void say(weft_player *player, const char *row, const char *column, int label)
{
    int64_t pair[2];
    assert_int_equal(weft_player_pair(player, row, column, pair, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], label, NULL, NULL), WEFT_OK);
}

/* Over two sides, or one set of ids. */
static weft_player *named_by(const weft_memory *memory, bool one_set)
{
    const weft_file_options options = {.memory = memory};
    weft_roster *rows_of = NULL, *columns_of = NULL;
    weft_player *player = NULL;
    assert_int_equal(weft_roster_open("none", &options, &rows_of, NULL), WEFT_OK);
    if (!one_set)
        assert_int_equal(weft_roster_open("none", &options, &columns_of, NULL), WEFT_OK);
    assert_int_equal(weft_player_create(rows_of, columns_of, NULL, &player, NULL), WEFT_OK);
    return player;
}

static weft_player *named(void)
{
    return named_by(NULL, false);
}

/* With request 0, 1, ... refused: what was learnt is as before, until it is merged as a whole. */
static void merging_survives_a_lack_of_memory(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_player *a = named_by(&memory, one_set), *b = named_by(NULL, one_set);
        say(a, "ann", "jazz", 1);
        say(b, "cleo", "opera", 1);
        say(b, "ann", "opera", -1);
        weft_status status = WEFT_MEMORY;
        for (int64_t k = 0; status != WEFT_OK; k++) {
            test_alloc_arm(&alloc, k);
            status = weft_player_merge(a, b, NULL);
            test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
            assert_true(status == WEFT_OK || status == WEFT_MEMORY);
            assert_int_equal(weft_player_counters(a).trials, status == WEFT_OK ? 3 : 1);
        }
        weft_player_free(a);
        weft_player_free(b);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

static void players_with_names_are_matched_by_name(void **state)
{
    weft_player *a = named(), *b = named();
    int64_t pair[2];
    say(a, "ann", "jazz", 1);
    say(a, "bob", "jazz", -1);
    say(b, "cleo", "opera", 1);
    say(b, "bob", "jazz", -1);
    say(b, "ann", "opera", -1);
    assert_int_equal(weft_player_merge(a, b, NULL), WEFT_OK);
    assert_string_equal(weft_player_name(a, WEFT_ROWS, 2), "cleo");
    assert_string_equal(weft_player_name(a, WEFT_COLUMNS, 1), "opera");
    const weft_player *learner = weft_player_member(a, 0);
    assert_int_equal(weft_player_kind(learner), WEFT_LEARNER);
    const struct {
        const char *row, *column;
        int64_t count;
    } expected[] = {{"ann", "jazz", 1}, {"bob", "jazz", -2}, {"cleo", "opera", 1}, {"ann", "opera", -1}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_int_equal(weft_player_find(a, expected[k].row, expected[k].column, pair, NULL), WEFT_OK);
        assert_int_equal(count_of(learner, pair[0], pair[1]), expected[k].count);
    }
    weft_player_free(a);
    weft_player_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivals_keep_what_they_know),
        cmocka_unit_test(every_id_needs_a_number),
        cmocka_unit_test(committees_add_by_number),
        cmocka_unit_test(own_numbers_change_nothing),
        cmocka_unit_test(refusals),
        cmocka_unit_test(players_with_names_are_matched_by_name),
        cmocka_unit_test(merging_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
